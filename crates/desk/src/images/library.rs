//! The library of pictures: the own ones of an author, all of them for editors.

use app::{
    AppError,
    write::{Change, ImageWrite},
};
use askama::Template;
use axum::{http::StatusCode, response::Response};
use domain::{Image, Stored};
use http_service::{Endpoint, message};

use super::{
    picture,
    shown::{self, IMAGES, Shown, read},
};
use crate::{
    page::{self, Answer, Frame},
    request::{DeskRequest, PathText},
    words::Word,
};

/// The pictures of a page of the library.
const PER_PAGE: u32 = 50;

/// The pages of the library.
pub(crate) fn endpoints() -> [Endpoint; 4] {
    [
        Endpoint::get(IMAGES, list),
        Endpoint::post(IMAGES, upload),
        Endpoint::get("/desk/images/{id}", edit),
        Endpoint::post("/desk/images/{id}", act),
    ]
}

/// The library.
#[derive(Debug, Template)]
#[template(path = "images.html")]
struct LibraryPage {
    frame: Frame,
    search: String,
    images: Vec<Shown>,
    fault: Option<String>,
    total: u64,
    previous: Option<String>,
    next: Option<String>,
}

/// A picture with its description.
#[derive(Debug, Template)]
#[template(path = "image.html")]
struct ImagePage {
    frame: Frame,
    url: String,
    width: u32,
    height: u32,
    alt: String,
    revision: i64,
    fault: Option<String>,
    /// The input with the fault.
    faulty: &'static str,
    back: String,
    /// Whether the page asks before the deletion.
    asks: bool,
}

/// `GET` of the library.
async fn list(request: DeskRequest) -> Answer {
    show(&request, StatusCode::OK, None).await
}

async fn show(request: &DeskRequest, status: StatusCode, fault: Option<String>) -> Answer {
    let page = request.found(load(request, fault).await, Word::NO_SUCH_IMAGE)?;
    Ok(page::response(status, request.language, &page))
}

async fn load(request: &DeskRequest, fault: Option<String>) -> Result<LibraryPage, AppError> {
    let search = request.parameter("search").unwrap_or_default();
    let page = request.page(PER_PAGE);
    let found = read(request, &search, page).await?;
    let address = |number: u64| {
        let mut query = form_urlencoded::Serializer::new(String::new());
        if !search.is_empty() {
            query.append_pair("search", &search);
        }
        query.append_pair("page", &number.to_string());
        request.url(&format!("{IMAGES}?{}", query.finish()))
    };
    let number = page.number();
    let done = match request.parameter("done").as_deref() {
        Some("uploaded") => Some(Word::SAVED),
        Some("deleted") => Some(Word::IMAGE_DELETED),
        _ => None,
    };
    let images = found.rows.iter().map(|image| Shown::new(request, image));
    Ok(LibraryPage {
        frame: Frame::new(request, request.word(Word::IMAGES)).told(done),
        images: images.collect(),
        fault,
        total: found.total,
        previous: (number > 1).then(|| address(number - 1)),
        next: found.has_next().then(|| address(number + 1)),
        search,
    })
}

/// `POST` of a new picture.
async fn upload(mut request: DeskRequest) -> Answer {
    picture::check_alt(&mut request.form);
    // A file that is refused has a fault, a file that is missing has none.
    let uploaded = if request.form.faults.is_empty() {
        picture::upload(&mut request).await
    } else {
        Ok(None)
    };
    if request.found(uploaded, Word::NO_SUCH_IMAGE)?.is_some() {
        return Ok(request.see(&format!("{IMAGES}?done=uploaded")));
    }
    let text = fault_of(&request);
    show(&request, StatusCode::BAD_REQUEST, Some(text)).await
}

/// The fault of the picture of a form, or that there is none.
fn fault_of(request: &DeskRequest) -> String {
    let title = request.word(Word::PICTURE);
    match request.form.faults.iter().next() {
        Some((_, fault)) => message::fault(title, fault, request.language),
        None => format!("{title}: {}", request.word(Word::MISSING)),
    }
}

/// `POST` of the part of a picture that is to be stored.
async fn crop(request: &mut DeskRequest, image: &Stored<Image>) -> Answer {
    let cropped = picture::crop(request, &image.id.to_string()).await;
    if let Some(id) = request.found(cropped, Word::NO_SUCH_IMAGE)? {
        return Ok(request.see(&format!("{IMAGES}/{id}?saved=1")));
    }
    let fault = ImageFault {
        status: StatusCode::BAD_REQUEST,
        input: "crop_left",
        text: fault_of(request),
    };
    Ok(page_of(request, image, Some(fault), false))
}

/// The picture of a path, or the page of an error.
async fn find(request: &DeskRequest, path: &PathText) -> Result<Stored<Image>, Response> {
    request.found(shown::find(request, &path.0).await, Word::NO_SUCH_IMAGE)
}

/// The fault of the form of a picture.
struct ImageFault {
    status: StatusCode,
    input: &'static str,
    text: String,
}

impl ImageFault {
    fn of_alt(request: &DeskRequest, status: StatusCode, word: Word) -> Self {
        Self {
            status,
            input: "image_alt",
            text: request.word(word).to_owned(),
        }
    }
}

fn page_of(
    request: &DeskRequest,
    image: &Stored<Image>,
    fault: Option<ImageFault>,
    asks: bool,
) -> Response {
    let title = if asks { Word::REALLY } else { Word::PICTURE };
    let is_saved = request.parameter("saved").is_some() && fault.is_none();
    let stored = image.alt.shown(request.language);
    let status = fault.as_ref().map_or(StatusCode::OK, |fault| fault.status);
    let page = ImagePage {
        frame: Frame::new(request, request.word(title)).told(is_saved.then_some(Word::SAVED)),
        url: request.state.site.file(&image.path()),
        width: image.dimensions.width(),
        height: image.dimensions.height(),
        alt: request.form.get("image_alt").unwrap_or(stored).to_owned(),
        revision: image.revision,
        faulty: fault.as_ref().map_or("image_alt", |fault| fault.input),
        fault: fault.map(|fault| fault.text),
        back: request.url(IMAGES),
        asks,
    };
    page::response(status, request.language, &page)
}

/// `GET` of a picture.
async fn edit(path: PathText, request: DeskRequest) -> Answer {
    let image = find(&request, &path).await?;
    Ok(page_of(&request, &image, None, false))
}

/// `POST` of another description, or of the deletion, which the desk asks about first.
async fn act(path: PathText, mut request: DeskRequest) -> Answer {
    let image = find(&request, &path).await?;
    if request.form.get("action") == Some("crop") {
        return crop(&mut request, &image).await;
    }
    let is_deletion = request.form.get("action") == Some("delete");
    if is_deletion && request.form.get("confirmed").is_none() {
        return Ok(page_of(&request, &image, None, true));
    }
    let expected = request.expected();
    let (calendar, caller) = (&request.state.calendar, request.caller());
    let (done, to) = if is_deletion {
        let done = calendar.delete_image(caller, image.id, &expected).await;
        (done, format!("{IMAGES}?done=deleted"))
    } else {
        let alt = match picture::alt_of(&request.form) {
            None => Change::Keep,
            Some(Ok(None)) => Change::Clear,
            Some(Ok(Some(text))) => Change::Set(text),
            Some(Err(_)) => {
                let status = StatusCode::BAD_REQUEST;
                let fault = ImageFault::of_alt(&request, status, Word::ALT_TOO_LONG);
                return Ok(page_of(&request, &image, Some(fault), false));
            }
        };
        let write = ImageWrite {
            alt,
            language: Some(request.language),
        };
        let done = calendar
            .update_image(caller, image.id, &write, &expected)
            .await;
        (done, format!("{IMAGES}/{}?saved=1", image.id))
    };
    match done {
        Ok(_) => Ok(request.see(&to)),
        Err(AppError::PreconditionFailed) => {
            let status = StatusCode::CONFLICT;
            let fault = ImageFault::of_alt(&request, status, Word::IMAGE_CONFLICT);
            Ok(page_of(&request, &image, Some(fault), false))
        }
        Err(error) => Err(request.failed(error, Word::NO_SUCH_IMAGE)),
    }
}
