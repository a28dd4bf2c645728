//! The picture of a form: a new file, the present picture, and its description for people who do not see it.

use app::{
    AppError,
    calendar::Precondition,
    fault::{Fault, Range, ReferenceKind},
    ports::BadImage,
    write::{Change, ImageWrite},
};
use domain::{
    Image, ImageId, Stored,
    image::{AltText, Crop, InvalidAltText, InvalidCrop, InvalidDimensions},
    policy::Capability,
};
use serde_json::{Map, Value};

use super::shown::{self, Shown};
use crate::{body::Form, request::DeskRequest};

/// The most pictures of the library that a form offers.
const OFFERED: u32 = 50;

/// The picture as a form shows it.
#[derive(Debug)]
pub(crate) struct Picture {
    /// The address of the picture that the record has or gets.
    pub(crate) url: Option<String>,
    /// The ID of the picture whose file the form sent before.
    pub(crate) kept: Option<i64>,
    /// The ID of the picture that the record has.
    pub(crate) present: Option<i64>,
    /// Whether the person removed the present picture.
    pub(crate) is_removed: bool,
    /// The description, as typed or as stored.
    pub(crate) alt: String,
    /// Whether the person may change the description of the present picture.
    pub(crate) may_describe: bool,
    pub(crate) is_bad: bool,
    /// The newest pictures of the library, and the one that is chosen.
    pub(crate) library: Vec<(Shown, bool)>,
}

impl Picture {
    /// The picture of a form; nothing for a person who may not upload.
    pub(crate) async fn new(
        request: &DeskRequest,
        present: Option<&Stored<Image>>,
        is_bad: bool,
    ) -> Result<Option<Self>, AppError> {
        let caller = request.caller();
        if !caller.can(Capability::Upload) {
            return Ok(None);
        }
        let form = &request.form;
        let chosen = form.get(CHOSEN).and_then(|id| id.parse().ok());
        let library = shown::newest(request, OFFERED).await?.into_iter();
        let library = library.map(|image| {
            let is_chosen = Some(image.id) == chosen;
            (image, is_chosen)
        });
        let kept = match kept_of(form) {
            Some(id) => shown::find(request, id).await.ok(),
            None => None,
        };
        let image = kept.as_ref().or(present);
        let stored = image.map_or("", |image| image.alt.shown(request.language));
        Ok(Some(Self {
            url: image.map(|image| request.state.site.file(&image.path())),
            kept: kept.as_ref().map(|image| image.id.get()),
            present: present.map(|image| image.id.get()),
            is_removed: form.get(REMOVED).is_some(),
            alt: form.get(ALT).unwrap_or(stored).to_owned(),
            may_describe: image.is_none_or(|image| caller.may_change_image_of(image.uploader)),
            is_bad,
            library: library.collect(),
        }))
    }
}

/// The name of the field with the description.
const ALT: &str = "image_alt";

/// The name of the field with the ID of a picture of the library.
const CHOSEN: &str = "image_id";

/// The name of the field with the ID of the picture whose file the form sent before.
const KEPT: &str = "image_kept";

/// The name of the field by which that picture is not used.
const DROPPED: &str = "drop_kept";

/// The name of the field with the ID of the picture that the record has.
const PRESENT: &str = "image_present";

/// The name of the field by which the record loses its picture.
const REMOVED: &str = "remove_image";

/// The names of the fields that say what is cut off each side, in percent: left, top, right, bottom.
const MARGINS: [&str; 4] = ["crop_left", "crop_top", "crop_right", "crop_bottom"];

/// The description that a form sends: nothing without the field, and no text where it is empty.
pub(super) fn alt_of(form: &Form) -> Option<Result<Option<AltText>, InvalidAltText>> {
    let text = form.get(ALT)?;
    Some(match text.parse::<AltText>() {
        Ok(text) => Ok(Some(text)),
        Err(InvalidAltText::Empty) => Ok(None),
        Err(error) => Err(error),
    })
}

/// Stores the file of a form, with its description, as a picture of the person.
///
/// # Errors
///
/// If the picture cannot be stored. The fault of a bad one is put into the form.
pub(super) async fn upload(request: &mut DeskRequest) -> Result<Option<ImageId>, AppError> {
    let Some(mut file) = request.form.image.take() else {
        return Ok(None);
    };
    if let Some(Ok(alt)) = alt_of(&request.form) {
        file.alt.set(request.language, alt);
    }
    let calendar = &request.state.calendar;
    let uploaded = calendar.upload_image(request.caller(), file).await;
    stored(&mut request.form, uploaded)
}

/// The ID of a picture that was to be stored. The fault of a bad one is put into the form.
fn stored(
    form: &mut Form,
    image: Result<Stored<Image>, AppError>,
) -> Result<Option<ImageId>, AppError> {
    let fault = match image {
        Ok(image) => return Ok(Some(image.id)),
        Err(AppError::BadImage(bad)) => Some(Fault::Image(bad)),
        Err(AppError::Invalid(faults)) => faults.iter().next().map(|(_, fault)| fault.clone()),
        Err(error) => return Err(error),
    };
    if let Some(fault) = fault {
        form.faults.insert("image".into(), fault);
    }
    Ok(None)
}

/// The crop of the picture of a form; `None` where all margins are zero.
fn crop_of(form: &Form) -> Result<Option<Crop>, Fault> {
    let mut margins = [0; 4];
    for (margin, name) in margins.iter_mut().zip(MARGINS) {
        let text = form.get(name).unwrap_or_default().trim();
        if !text.is_empty() {
            let out_of_range = |_| Fault::OutOfRange(Range::Within(0, 99));
            *margin = text.parse().map_err(out_of_range)?;
        }
    }
    let [left, top, right, bottom] = margins;
    match Crop::new(left, top, right, bottom) {
        Ok(crop) => Ok(Some(crop)),
        Err(InvalidCrop::Everything) => Ok(None),
        Err(InvalidCrop::Nothing) => {
            let (width, height) = (0, 0);
            let nothing = InvalidDimensions { width, height };
            Err(Fault::Image(BadImage::Dimensions(nothing)))
        }
    }
}

/// Stores the part of a picture that a form leaves, as a picture of the person. A fault is put into the form.
///
/// # Errors
///
/// If the picture cannot be stored.
pub(super) async fn crop(
    request: &mut DeskRequest,
    image: &str,
) -> Result<Option<ImageId>, AppError> {
    let crop = match crop_of(&request.form) {
        Ok(Some(crop)) => crop,
        Ok(None) => return Ok(None),
        Err(fault) => {
            request.form.faults.insert("image".into(), fault);
            return Ok(None);
        }
    };
    let Ok(image) = shown::find(request, image).await else {
        let fault = Fault::UnknownReference(ReferenceKind::Image);
        request.form.faults.insert("image".into(), fault);
        return Ok(None);
    };
    let calendar = &request.state.calendar;
    let cropped = calendar.crop_image(request.caller(), image.id, crop).await;
    stored(&mut request.form, cropped)
}

/// Puts the ID of a picture of the person into the form, in the place of another choice.
fn choose(form: &mut Form, id: ImageId) {
    let others = [CHOSEN, KEPT, DROPPED];
    let is_left = |name: &str| others.contains(&name) || MARGINS.contains(&name);
    form.fields.retain(|(name, _)| !is_left(name));
    form.fields.push((KEPT.to_owned(), id.to_string()));
}

/// Stores the file of the form of a record, and crops the picture of the form as its margins say. The ID of what was
/// stored stands in its place: the form has it when it comes back. A picture that an earlier sending stored must be one
/// that the person may change.
///
/// # Errors
///
/// As for [`upload`] and [`crop`].
pub(crate) async fn keep(request: &mut DeskRequest) -> Result<(), AppError> {
    let uploaded = upload(request).await?.map(|id| id.to_string());
    let form = &request.form;
    let chosen = form.get(CHOSEN).filter(|id| !id.is_empty());
    let present = form.get(PRESENT).filter(|_| form.get(REMOVED).is_none());
    let own = uploaded.as_deref().or(chosen).or(kept_of(form)).or(present);
    let cropped = match own.map(str::to_owned) {
        Some(id) => crop(request, &id).await?,
        None => None,
    };
    let uploaded = uploaded
        .and_then(|id| id.parse().ok())
        .map(ImageId::from_raw);
    if let Some(id) = cropped.or(uploaded) {
        choose(&mut request.form, id);
    } else if let Some(id) = kept_of(&request.form)
        && shown::find(request, id).await.is_err()
    {
        let fault = Fault::UnknownReference(ReferenceKind::Image);
        request.form.faults.insert("image".into(), fault);
    }
    Ok(())
}

/// The ID of the picture whose file a form sent before, if it is to be used.
fn kept_of(form: &Form) -> Option<&str> {
    let is_used = form.get(DROPPED).is_none();
    form.get(KEPT).filter(|id| is_used && !id.is_empty())
}

/// Adds the fault of a description that is too long.
pub(super) fn check_alt(form: &mut Form) {
    if let Some(Err(_)) = alt_of(form) {
        let fault = Fault::TooLong(AltText::MAX_CHARS);
        form.faults.insert("image".into(), fault);
    }
}

/// Takes the picture out of a form into `body`: one of the library, the one whose file was sent, or that the picture is
/// removed.
pub(crate) fn take(form: &mut Form, body: &mut Map<String, Value>) {
    check_alt(form);
    let chosen = form.get(CHOSEN).filter(|id| !id.is_empty());
    let kept = kept_of(form);
    let removed = form.get(REMOVED).map(|_| "");
    if let Some(image) = chosen.or(kept).or(removed) {
        body.insert("image".to_owned(), Value::from(image));
    }
}

/// Stores the description of the picture that a saved record has, if it was changed.
pub(crate) async fn describe(
    request: &DeskRequest,
    image: Option<&Stored<Image>>,
) -> Result<(), AppError> {
    let Some((image, Some(Ok(alt)))) = image.map(|image| (image, alt_of(&request.form))) else {
        return Ok(());
    };
    // The form had the description of another picture.
    let form = &request.form;
    if form.get(CHOSEN).is_some_and(|id| !id.is_empty()) || form.get(DROPPED).is_some() {
        return Ok(());
    }
    let caller = request.caller();
    let text = alt.as_ref().map_or("", AltText::as_str);
    if text == image.alt.shown(request.language) || !caller.may_change_image_of(image.uploader) {
        return Ok(());
    }
    let write = ImageWrite {
        alt: alt.map_or(Change::Clear, Change::Set),
        language: Some(request.language),
    };
    let calendar = &request.state.calendar;
    calendar
        .update_image(caller, image.id, &write, &Precondition::Any)
        .await?;
    Ok(())
}
