//! Users, kept by administrators.

use app::auth::{AccountError, KeptUser, UserKeeping};
use askama::Template;
use axum::{http::StatusCode, response::Response};
use domain::{Id, Role, Stored, User};
use http_service::Endpoint;

use crate::{
    page::{self, Answer, Frame, status_of_form},
    request::{DeskRequest, PathText},
    words::Word,
};

/// The path of the list.
const USERS: &str = "/desk/users";

/// The users of a page of the list.
const PER_PAGE: usize = 50;

/// The pages of users.
pub(crate) fn endpoints() -> [Endpoint; 5] {
    [
        Endpoint::get(USERS, list),
        Endpoint::get("/desk/users/new", new),
        Endpoint::post("/desk/users/new", create),
        Endpoint::get("/desk/users/{id}", edit),
        Endpoint::post("/desk/users/{id}", act),
    ]
}

/// A row of the list.
#[derive(Debug)]
struct Row {
    url: String,
    name: String,
    email: String,
    role: &'static str,
    is_disabled: bool,
    last_session: String,
}

/// The list of users.
#[derive(Debug, Template)]
#[template(path = "users.html")]
struct UsersPage {
    frame: Frame,
    new: String,
    rows: Vec<Row>,
    previous: Option<String>,
    next: Option<String>,
}

/// The form of a new user, or of a stored one.
#[derive(Debug, Template)]
#[template(path = "user.html")]
struct UserPage {
    frame: Frame,
    name: String,
    email: String,
    /// Name, words, and whether it is chosen.
    roles: Vec<(&'static str, &'static str, bool)>,
    /// The fault: the ID of its input, and the text.
    fault: Option<(&'static str, String)>,
    stored: Option<StoredUser>,
}

impl UserPage {
    /// Whether a field has the fault.
    fn is_bad(&self, input: &str) -> bool {
        self.fault.as_ref().is_some_and(|(one, _)| *one == input)
    }
}

/// The parts of a stored user beside the form.
#[derive(Debug)]
struct StoredUser {
    is_disabled: bool,
    /// Whether it is the person who reads the page.
    is_own: bool,
}

/// The link of a new invitation.
#[derive(Debug, Template)]
#[template(path = "invitation_link.html")]
struct LinkPage {
    frame: Frame,
    name: String,
    link: String,
    expires: String,
    back: String,
}

/// The users as the person keeps them.
fn keeping(request: &DeskRequest) -> Result<UserKeeping<'_>, AccountError> {
    request.state.accounts.kept_by(request.caller())
}

/// The page of an error.
fn failed(request: &DeskRequest, error: AccountError) -> Response {
    match error {
        AccountError::Forbidden => {
            let status = StatusCode::FORBIDDEN;
            page::message(request, status, Word::FORBIDDEN, Word::ASK_AN_ADMINISTRATOR)
        }
        AccountError::Store(error) => request.failed(error.into(), Word::NO_SUCH_USER),
        _ => request.not_found(Word::NO_SUCH_USER),
    }
}

/// `GET` of the list.
async fn list(request: DeskRequest) -> Answer {
    let page = load(&request).await;
    let page = page.map_err(|error| failed(&request, error))?;
    Ok(page::response(StatusCode::OK, request.language, &page))
}

async fn load(request: &DeskRequest) -> Result<UsersPage, AccountError> {
    let keeping = keeping(request)?;
    let number = request.parameter("page").and_then(|page| page.parse().ok());
    let number: usize = number.unwrap_or(1).max(1);
    let offset = (number - 1).saturating_mul(PER_PAGE);
    // One more tells whether there is another page.
    let users = keeping.users(offset, PER_PAGE + 1).await?;
    let address = |number: usize| request.url(&format!("{USERS}?page={number}"));
    Ok(UsersPage {
        frame: Frame::new(request, request.word(Word::USERS)),
        new: request.url("/desk/users/new"),
        previous: (number > 1).then(|| address(number - 1)),
        next: (users.len() > PER_PAGE).then(|| address(number + 1)),
        rows: users
            .iter()
            .take(PER_PAGE)
            .map(|user| row(request, user))
            .collect(),
    })
}

fn row(request: &DeskRequest, kept: &KeptUser) -> Row {
    let KeptUser { user, last_session } = kept;
    let since = last_session.map(|begun| format!("{begun} UTC"));
    Row {
        url: request.url(&format!("{USERS}/{}", user.id)),
        name: user.name.to_string(),
        email: email(user),
        role: request.word(Word::of_role(user.role)),
        is_disabled: user.disabled,
        last_session: since.unwrap_or_default(),
    }
}

fn email(user: &User) -> String {
    user.email
        .as_ref()
        .map_or_else(String::new, ToString::to_string)
}

/// `GET` of the form of a new user.
async fn new(request: DeskRequest) -> Answer {
    keeping(&request).map_err(|error| failed(&request, error))?;
    Ok(form(&request, None, None, None))
}

/// `POST` of a new user.
async fn create(request: DeskRequest) -> Response {
    let added = async {
        let [name, email] = typed(&request);
        let email = (!email.is_empty()).then_some(email);
        let role = role(&request).unwrap_or(Role::Contributor);
        keeping(&request)?.add(name, role, email).await
    };
    match added.await {
        Ok(user) => request.see(&format!("{USERS}/{}?saved=1", user.id)),
        Err(error) => refused(&request, None, error),
    }
}

/// The name and the address that were typed.
fn typed(request: &DeskRequest) -> [&str; 2] {
    ["name", "email"].map(|name| request.form.get(name).unwrap_or_default().trim())
}

fn role(request: &DeskRequest) -> Option<Role> {
    request.form.get("role")?.parse().ok()
}

/// `GET` of the form of a user.
async fn edit(path: PathText, request: DeskRequest) -> Answer {
    let user = find(&request, &path).await?;
    let saved = request.parameter("saved").map(|_| Word::SAVED);
    Ok(form(&request, Some(&user), None, saved))
}

/// The user of a path, or the page of an error.
async fn find(request: &DeskRequest, path: &PathText) -> Result<Stored<User>, Response> {
    let found = async {
        let keeping = keeping(request)?;
        let unknown = || AccountError::UnknownUser(String::new());
        let id = path.id().ok_or_else(unknown)?;
        keeping.user(Id::from_raw(id)).await
    };
    found.await.map_err(|error| failed(request, error))
}

/// `POST` of a change of a user.
async fn act(path: PathText, request: DeskRequest) -> Answer {
    let user = find(&request, &path).await?;
    let done = change(&request, &user).await;
    done.map_err(|error| refused(&request, Some(&user), error))
}

/// Does what the button says, and returns the page that follows.
async fn change(request: &DeskRequest, user: &Stored<User>) -> Result<Response, AccountError> {
    let keeping = keeping(request)?;
    match request.form.get("action").unwrap_or_default() {
        "invite" => return invite(request, user).await,
        "disable" => keeping.set_disabled(user.id, true).await?,
        "enable" => keeping.set_disabled(user.id, false).await?,
        "end-sessions" => drop(keeping.end_sessions(user.id).await?),
        _ => save(request, &keeping, user).await?,
    }
    Ok(request.see(&format!("{USERS}/{}?saved=1", user.id)))
}

/// Stores the role and the address, where they differ.
async fn save(
    request: &DeskRequest,
    keeping: &UserKeeping<'_>,
    user: &Stored<User>,
) -> Result<(), AccountError> {
    let [_, sent] = typed(request);
    if request.form.get("email").is_some() && sent != email(user) {
        let address = (!sent.is_empty()).then_some(sent);
        keeping.set_email(user.id, address).await?;
    }
    match role(request) {
        Some(role) if role != user.role => keeping.set_role(user.id, role).await,
        _ => Ok(()),
    }
}

/// The page with the link of a new invitation, which no other page shows again.
async fn invite(request: &DeskRequest, user: &Stored<User>) -> Result<Response, AccountError> {
    let invitation = keeping(request)?.invite(user.id).await?;
    let text = invitation.text.expose();
    let page = LinkPage {
        frame: Frame::new(request, request.word(Word::INVITATION)),
        name: user.name.to_string(),
        link: request.url(&format!("/desk/invitation/{text}")),
        expires: format!("{} UTC", invitation.expires),
        back: request.url(&format!("{USERS}/{}", user.id)),
    };
    Ok(page::response(StatusCode::OK, request.language, &page))
}

/// The form again, with what is wrong.
fn refused(request: &DeskRequest, user: Option<&Stored<User>>, error: AccountError) -> Response {
    let (input, word) = match &error {
        AccountError::Taken(_) => ("name", Word::USER_TAKEN),
        AccountError::InvalidName(_) => ("name", Word::BAD_USER_NAME),
        AccountError::InvalidEmail(_) => ("email", Word::BAD_EMAIL),
        AccountError::LastAdministrator(_) => ("role", Word::LAST_ADMINISTRATOR),
        AccountError::OwnAccount => ("", Word::OWN_ACCOUNT),
        _ => return failed(request, error),
    };
    // The name of a stored user does not change: its address is taken.
    let input = if user.is_some() && input == "name" {
        "email"
    } else {
        input
    };
    form(request, user, Some((input, word)), None)
}

fn form(
    request: &DeskRequest,
    user: Option<&Stored<User>>,
    fault: Option<(&'static str, Word)>,
    notice: Option<Word>,
) -> Response {
    let title = match user {
        Some(user) => user.name.to_string(),
        None => request.word(Word::NEW_USER).to_owned(),
    };
    let own = |name: &str, stored: String| match request.form.get(name) {
        Some(typed) => typed.to_owned(),
        None => stored,
    };
    let stored = user.map_or(Role::Contributor, |user| user.role);
    let chosen = role(request).unwrap_or(stored);
    let roles = Role::ALL.iter().map(|role| {
        let word = request.word(Word::of_role(*role));
        (role.name(), word, *role == chosen)
    });
    let page = UserPage {
        frame: Frame::new(request, title).told(notice),
        name: own("name", String::new()),
        email: own("email", user.map_or_else(String::new, |user| email(user))),
        roles: roles.collect(),
        fault: fault.map(|(input, word)| (input, request.word(word).to_owned())),
        stored: user.map(|user| StoredUser {
            is_disabled: user.disabled,
            is_own: user.id == request.user.id,
        }),
    };
    page::response(status_of_form(fault.is_some()), request.language, &page)
}
