//! The fields of forms that people send.

use app::{
    fault::{Fault, Faults},
    ports::{BadImage, MAX_IMAGE_BYTES},
    write::Upload,
};
use axum::{
    body::{Body, Bytes, to_bytes},
    extract::{DefaultBodyLimit, FromRequest as _, Multipart, Request, multipart::Field},
    http::header,
};
use domain::image::{AltTexts, ImageFormat};

/// The largest form without files, in bytes.
const MAX_TEXTS: usize = 1024 * 1024;

/// The largest number of fields.
const MAX_FIELDS: usize = 2000;

/// The name of the field with a picture.
const IMAGE: &str = "image_file";

/// The name of the field with a file of records.
const FILE: &str = "file";

/// A file of records: its name and content.
#[derive(Debug)]
pub(crate) struct SentFile {
    pub(crate) name: String,
    pub(crate) content: Bytes,
}

/// The fields of a form.
#[derive(Debug, Default)]
pub(crate) struct Form {
    /// Names and values, in the order sent.
    pub(crate) fields: Vec<(String, String)>,
    /// The picture that was chosen.
    pub(crate) image: Option<Upload>,
    /// The file of records that was chosen.
    pub(crate) file: Option<SentFile>,
    /// The fault of the picture.
    pub(crate) faults: Faults,
}

/// Error: the form is too large, or not a form.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UnreadableForm;

impl Form {
    /// Reads a form, with pictures only for people who may upload.
    pub(crate) async fn read(request: Request, takes_image: bool) -> Result<Self, UnreadableForm> {
        let media_type = request.headers().get(header::CONTENT_TYPE);
        let media_type = media_type.and_then(|value| value.to_str().ok());
        let is_multipart = media_type.is_some_and(|text| text.starts_with("multipart/form-data"));
        let limit = if is_multipart && takes_image {
            MAX_TEXTS + MAX_IMAGE_BYTES
        } else {
            MAX_TEXTS
        };
        let (parts, body) = request.into_parts();
        let bytes = to_bytes(body, limit).await.map_err(|_| UnreadableForm)?;
        if is_multipart {
            return Self::multipart(Request::from_parts(parts, Body::from(bytes))).await;
        }
        let fields: Vec<_> = form_urlencoded::parse(&bytes).into_owned().collect();
        if fields.len() > MAX_FIELDS {
            return Err(UnreadableForm);
        }
        Ok(Self {
            fields,
            ..Self::default()
        })
    }

    async fn multipart(mut request: Request) -> Result<Self, UnreadableForm> {
        // The size was checked before.
        DefaultBodyLimit::disable().apply(&mut request);
        let parts = Multipart::from_request(request, &()).await;
        let mut parts = parts.map_err(|_| UnreadableForm)?;
        let mut form = Self::default();
        while let Some(part) = parts.next_field().await.map_err(|_| UnreadableForm)? {
            let Some(name) = part.name().map(str::to_owned) else {
                continue;
            };
            if form.fields.len() > MAX_FIELDS {
                return Err(UnreadableForm);
            }
            if part.file_name().is_some() {
                form.take_file(&name, part).await?;
            } else {
                let text = part.text().await.map_err(|_| UnreadableForm)?;
                form.fields.push((name, text));
            }
        }
        Ok(form)
    }

    /// Takes a file of the form. A form whose file was not chosen sends an empty one.
    async fn take_file(&mut self, name: &str, part: Field<'_>) -> Result<(), UnreadableForm> {
        let file_name = part.file_name().map(str::to_owned);
        let declared = part.content_type().map(str::to_owned);
        let content = part.bytes().await.map_err(|_| UnreadableForm)?;
        if name == FILE && !content.is_empty() {
            self.file = Some(SentFile {
                name: file_name.unwrap_or_default(),
                content,
            });
            return Ok(());
        }
        if name != IMAGE || content.is_empty() {
            return Ok(());
        }
        let declared = declared.filter(|one| one != "application/octet-stream");
        let format = declared.as_deref().map(ImageFormat::from_media_type);
        if format == Some(None) {
            let fault = Fault::Image(BadImage::NotAnImage);
            self.faults.insert("image".into(), fault);
            return Ok(());
        }
        self.image = Some(Upload {
            file_name,
            declared: format.flatten(),
            content,
            alt: AltTexts::default(),
        });
        Ok(())
    }

    /// The value of a field; the last one of several.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        let mut fields = self.fields.iter().rev();
        let (_, value) = fields.find(|(one, _)| one == name)?;
        Some(value)
    }

    /// The values of a field that is sent several times.
    pub(crate) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        let fields = self.fields.iter().filter(move |(one, _)| one == name);
        fields.map(|(_, value)| value.as_str())
    }
}
