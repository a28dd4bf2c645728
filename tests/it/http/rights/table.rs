//! The tables of rights: the outcome of each operation for each role.

use axum::http::Method;

use Operation::{Create, Delete, List, Read, Update};
use Outcome::{Absent, Done, Forbidden, Hidden, InTrash, Login, Nobody, TrashHidden, TrashShown};
use Whose::{Others, Own};

/// The roles in the order of the columns, each with its user ID.
pub(super) const ROLES: [(&str, Option<usize>); 6] = [
    ("anonymous", None),
    ("subscriber", Some(5)),
    ("contributor", Some(4)),
    ("author", Some(3)),
    ("editor", Some(2)),
    ("administrator", Some(1)),
];

/// An author without a column.
pub(super) const OTHER_AUTHOR: usize = 6;

/// The owners of records of other users: an administrator, an author and a contributor.
pub(super) const OWNERS: [usize; 3] = [1, OTHER_AUTHOR, 7];

/// Every status of a record.
pub(super) const ALL: &[&str] = &["publish", "future", "draft", "pending", "private", "trash"];

/// Every status but the trash.
pub(super) const BEFORE_TRASH: &[&str] = &["publish", "future", "draft", "pending", "private"];

/// An absent record.
pub(super) const ABSENT: &[&str] = &["absent"];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    List,
    Create,
    Read,
    Update,
    Delete,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Whose {
    Own,
    Others,
}

/// The outcome of a request; for [`List`], whether the record is in the list of the caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// Success.
    Done,
    /// Impossible: anonymous callers own no record.
    Nobody,
    /// 401: the caller must authenticate.
    Login,
    /// 403: the caller lacks the right.
    Forbidden,
    /// 403: the caller may not read the record.
    Hidden,
    /// 403 for an event; success for a venue or an organizer.
    TrashShown,
    /// 403 with a code of its own for an event; 403 for a venue or an organizer.
    TrashHidden,
    /// 410: the record is in the trash already.
    InTrash,
    /// 404: the record does not exist.
    Absent,
}

/// A row: operation, states of the record, its owner, and the outcome by role.
pub(super) type Row = (Operation, &'static [&'static str], Whose, [Outcome; 6]);

/// Events, venues and organizers.
#[rustfmt::skip]
pub(super) const ENTRIES: &[Row] = &[
    //                                                            anonymous    subscriber   contributor  author       editor      administrator
    (Read,   &["publish"],                               Own,    [Nobody,      Done,        Done,        Done,        Done,       Done]),
    (Read,   &["publish"],                               Others, [Done,        Done,        Done,        Done,        Done,       Done]),
    (Read,   &["draft", "pending", "future"],            Own,    [Nobody,      Hidden,      Done,        Done,        Done,       Done]),
    (Read,   &["private"],                               Own,    [Nobody,      Hidden,      Hidden,      Done,        Done,       Done]),
    (Read,   &["draft", "pending", "future", "private"], Others, [Hidden,      Hidden,      Hidden,      Hidden,      Done,       Done]),
    (Read,   &["trash"],                                 Own,    [Nobody,      TrashHidden, TrashShown,  TrashShown,  TrashShown, TrashShown]),
    (Read,   &["trash"],                                 Others, [TrashHidden, TrashHidden, TrashHidden, TrashHidden, TrashShown, TrashShown]),
    (Read,   ABSENT,                                     Others, [Absent,      Absent,      Absent,      Absent,      Absent,     Absent]),
    (List,   &["publish"],                               Own,    [Nobody,      Done,        Done,        Done,        Done,       Done]),
    (List,   &["publish"],                               Others, [Done,        Done,        Done,        Done,        Done,       Done]),
    (List,   &["draft", "pending", "future"],            Own,    [Nobody,      Hidden,      Done,        Done,        Done,       Done]),
    (List,   &["private"],                               Own,    [Nobody,      Hidden,      Hidden,      Done,        Done,       Done]),
    (List,   &["draft", "pending", "future", "private"], Others, [Hidden,      Hidden,      Hidden,      Hidden,      Done,       Done]),
    (List,   &["trash"],                                 Own,    [Nobody,      Hidden,      Done,        Done,        Done,       Done]),
    (List,   &["trash"],                                 Others, [Hidden,      Hidden,      Hidden,      Hidden,      Done,       Done]),
    (Update, &["draft", "pending", "trash"],             Own,    [Nobody,      Forbidden,   Done,        Done,        Done,       Done]),
    (Update, &["publish", "future", "private"],          Own,    [Nobody,      Forbidden,   Forbidden,   Done,        Done,       Done]),
    (Update, ALL,                                        Others, [Login,       Forbidden,   Forbidden,   Forbidden,   Done,       Done]),
    (Update, ABSENT,                                     Others, [Login,       Forbidden,   Absent,      Absent,      Absent,     Absent]),
    (Delete, &["draft", "pending"],                      Own,    [Nobody,      Forbidden,   Done,        Done,        Done,       Done]),
    (Delete, &["publish", "future", "private"],          Own,    [Nobody,      Forbidden,   Forbidden,   Done,        Done,       Done]),
    (Delete, &["trash"],                                 Own,    [Nobody,      Forbidden,   InTrash,     InTrash,     InTrash,    InTrash]),
    (Delete, BEFORE_TRASH,                               Others, [Login,       Forbidden,   Forbidden,   Forbidden,   Done,       Done]),
    (Delete, &["trash"],                                 Others, [Login,       Forbidden,   Forbidden,   Forbidden,   InTrash,    InTrash]),
    (Delete, ABSENT,                                     Others, [Login,       Forbidden,   Absent,      Absent,      Absent,     Absent]),
];

/// The requested status, and the outcome: the status of the new record, or the error code.
#[rustfmt::skip]
pub(super) const CREATIONS: &[(Option<&str>, [&str; 6])] = &[
    //                anonymous subscriber contributor author     editor     administrator
    (None,            ["401",   "403",     "draft",    "publish", "publish", "publish"]),
    (Some("publish"), ["401",   "403",     "pending",  "publish", "publish", "publish"]),
    (Some("future"),  ["401",   "403",     "pending",  "future",  "future",  "future"]),
    (Some("draft"),   ["401",   "403",     "draft",    "draft",   "draft",   "draft"]),
    (Some("pending"), ["401",   "403",     "pending",  "pending", "pending", "pending"]),
    (Some("private"), ["401",   "403",     "400",      "private", "private", "private"]),
    (Some("trash"),   ["401",   "403",     "400",      "trash",   "trash",   "trash"]),
];

/// The outcome when a record is created for another user or assigned to one.
pub(super) const GIVING_AWAY: [Outcome; 6] = [Login, Forbidden, Forbidden, Forbidden, Done, Done];

/// Categories and tags: kind, operation, existence, outcome by role.
#[rustfmt::skip]
pub(super) const TERMS: &[(&str, Operation, bool, [Outcome; 6])] = &[
    //                             anonymous subscriber contributor author     editor  administrator
    ("categories", List,   true,  [Done,     Done,      Done,       Done,      Done,   Done]),
    ("categories", Create, true,  [Login,    Forbidden, Forbidden,  Done,      Done,   Done]),
    ("categories", Read,   true,  [Done,     Done,      Done,       Done,      Done,   Done]),
    ("categories", Read,   false, [Absent,   Absent,    Absent,     Absent,    Absent, Absent]),
    ("categories", Update, true,  [Login,    Forbidden, Forbidden,  Done,      Done,   Done]),
    ("categories", Update, false, [Login,    Forbidden, Forbidden,  Absent,    Absent, Absent]),
    ("categories", Delete, true,  [Login,    Forbidden, Forbidden,  Done,      Done,   Done]),
    ("categories", Delete, false, [Login,    Forbidden, Forbidden,  Absent,    Absent, Absent]),
    ("tags",       List,   true,  [Done,     Done,      Done,       Done,      Done,   Done]),
    ("tags",       Create, true,  [Login,    Forbidden, Forbidden,  Forbidden, Done,   Done]),
    ("tags",       Read,   true,  [Done,     Done,      Done,       Done,      Done,   Done]),
    ("tags",       Read,   false, [Absent,   Absent,    Absent,     Absent,    Absent, Absent]),
    ("tags",       Update, true,  [Login,    Forbidden, Forbidden,  Forbidden, Done,   Done]),
    ("tags",       Update, false, [Login,    Forbidden, Forbidden,  Forbidden, Absent, Absent]),
    ("tags",       Delete, true,  [Login,    Forbidden, Forbidden,  Forbidden, Done,   Done]),
    ("tags",       Delete, false, [Login,    Forbidden, Forbidden,  Forbidden, Absent, Absent]),
];

/// Public operations: method and path.
pub(super) const OPEN: &[(Method, &str)] = &[
    (Method::GET, "/healthz"),
    (Method::GET, "/livez"),
    (Method::GET, "/readyz"),
    (Method::GET, "/cal/events/v1"),
    (Method::GET, "/cal/events/v1/doc"),
    (Method::GET, "/cal/events/v1/changes"),
];

/// Forms of pages, which are for all callers.
pub(super) const FORMS: &[(Method, &str)] = &[(Method::POST, "/event/{slug}")];

/// Pages of the desk for everybody.
pub(super) const SIGN_IN: &[(Method, &str)] = &[
    (Method::GET, "/desk/sign-in"),
    (Method::POST, "/desk/sign-in"),
    (Method::GET, "/desk/sign-in/code"),
    (Method::POST, "/desk/sign-in/code"),
    (Method::POST, "/desk/sign-out"),
    (Method::GET, "/desk/invitation/{text}"),
    (Method::POST, "/desk/invitation/{text}"),
    (Method::GET, "/desk/assets/{file}"),
    (Method::GET, "/admin"),
    (Method::GET, "/login"),
    (Method::GET, "/propose"),
    (Method::POST, "/propose"),
    (Method::GET, "/propose/{text}"),
    (Method::POST, "/propose/{text}"),
];

/// Pages of the desk for people who signed in and may write events.
pub(super) const DESK: &[(Method, &str)] = &[
    (Method::GET, "/desk"),
    (Method::GET, "/desk/account"),
    (Method::POST, "/desk/account/password"),
    (Method::POST, "/desk/account/language"),
    (Method::POST, "/desk/account/sessions"),
    (Method::POST, "/desk/account/second-factor"),
    (Method::POST, "/desk/account/second-factor/add"),
    (Method::POST, "/desk/account/second-factor/end"),
    (Method::GET, "/desk/events/{list}"),
    (Method::POST, "/desk/events/{list}"),
    (Method::GET, "/desk/event/new"),
    (Method::POST, "/desk/event/new"),
    (Method::GET, "/desk/event/fill"),
    (Method::POST, "/desk/event/fill"),
    (Method::GET, "/desk/event/{id}"),
    (Method::POST, "/desk/event/{id}"),
    (Method::GET, "/desk/venues"),
    (Method::GET, "/desk/venues/new"),
    (Method::POST, "/desk/venues/new"),
    (Method::GET, "/desk/venues/{id}"),
    (Method::POST, "/desk/venues/{id}"),
    (Method::POST, "/desk/venues/{id}/action"),
    (Method::GET, "/desk/organizers"),
    (Method::GET, "/desk/organizers/new"),
    (Method::POST, "/desk/organizers/new"),
    (Method::GET, "/desk/organizers/{id}"),
    (Method::POST, "/desk/organizers/{id}"),
    (Method::POST, "/desk/organizers/{id}/action"),
    (Method::GET, "/desk/categories"),
    (Method::GET, "/desk/categories/new"),
    (Method::POST, "/desk/categories/new"),
    (Method::GET, "/desk/categories/{id}"),
    (Method::POST, "/desk/categories/{id}"),
    (Method::POST, "/desk/categories/{id}/action"),
    (Method::GET, "/desk/tags"),
    (Method::GET, "/desk/tags/new"),
    (Method::POST, "/desk/tags/new"),
    (Method::GET, "/desk/tags/{id}"),
    (Method::POST, "/desk/tags/{id}"),
    (Method::POST, "/desk/tags/{id}/action"),
    (Method::GET, "/desk/images"),
    (Method::POST, "/desk/images"),
    (Method::GET, "/desk/images/{id}"),
    (Method::POST, "/desk/images/{id}"),
    (Method::GET, "/desk/imports"),
    (Method::POST, "/desk/imports"),
    (Method::GET, "/desk/feeds"),
    (Method::POST, "/desk/feeds"),
    (Method::GET, "/desk/site"),
    (Method::POST, "/desk/site"),
    (Method::GET, "/desk/duplicates"),
    (Method::GET, "/desk/duplicates/{id}"),
    (Method::POST, "/desk/duplicates/{id}"),
    (Method::GET, "/desk/sources"),
    (Method::GET, "/desk/sources/new"),
    (Method::POST, "/desk/sources/new"),
    (Method::GET, "/desk/sources/{id}"),
    (Method::POST, "/desk/sources/{id}"),
    (Method::GET, "/desk/users"),
    (Method::GET, "/desk/users/new"),
    (Method::POST, "/desk/users/new"),
    (Method::GET, "/desk/users/{id}"),
    (Method::POST, "/desk/users/{id}"),
    (Method::GET, "/desk/event/{id}/history"),
    (Method::POST, "/desk/event/{id}/history"),
    (Method::GET, "/desk/venues/{id}/history"),
    (Method::POST, "/desk/venues/{id}/history"),
    (Method::GET, "/desk/organizers/{id}/history"),
    (Method::POST, "/desk/organizers/{id}/history"),
    (Method::GET, "/desk/categories/{id}/history"),
    (Method::POST, "/desk/categories/{id}/history"),
    (Method::GET, "/desk/tags/{id}/history"),
    (Method::POST, "/desk/tags/{id}/history"),
    (Method::GET, "/desk/trail"),
    (Method::GET, "/desk/event/{id}/dates"),
    (Method::POST, "/desk/event/{id}/dates"),
    (Method::GET, "/desk/event/{id}/translations"),
    (Method::POST, "/desk/event/{id}/translations"),
];

/// Pages, which are the same for all callers.
pub(super) const PAGES: &[&str] = &[
    "/",
    "/event/{slug}",
    "/event/{slug}/{day}",
    "/venue/{slug}",
    "/organizer/{slug}",
    "/events/category/{*path}",
    "/tag/{slug}",
    "/events/list",
    "/events/past",
    "/embed/list",
    "/embed/month",
    "/embed/month/{date}",
    "/events/month",
    "/events/month/{date}",
    "/events/week",
    "/events/week/{date}",
    "/events/day",
    "/events/day/{date}",
    "/events",
    "/events/{*rest}",
    "/series/{slug}",
    "/venues",
    "/organizers",
    "/categories",
    "/tags",
    "/assets/{file}",
    "/assets/doc/{file}",
    "/robots.txt",
    "/sitemap.xml",
    "/sitemap/{file}",
];

/// Operations on images: method, path, and outcome by role; `images_refused` checks each cell.
#[rustfmt::skip]
pub(super) const IMAGES: &[(Method, &str, [Outcome; 6])] = &[
    //                                                    anonymous subscriber contributor author editor administrator
    (Method::POST,   "/cal/events/v1/images",      [Login,    Forbidden, Forbidden,  Done,  Done,  Done]),
    (Method::GET,    "/cal/events/v1/images/{id}", [Absent,   Absent,    Absent,     Done,  Done,  Done]),
    (Method::POST,   "/cal/events/v1/images/{id}", [Login,    Forbidden, Forbidden,  Done,  Done,  Done]),
    (Method::PUT,    "/cal/events/v1/images/{id}", [Login,    Forbidden, Forbidden,  Done,  Done,  Done]),
    (Method::PATCH,  "/cal/events/v1/images/{id}", [Login,    Forbidden, Forbidden,  Done,  Done,  Done]),
    (Method::DELETE, "/cal/events/v1/images/{id}", [Login,    Forbidden, Forbidden,  Done,  Done,  Done]),
    (Method::GET,    "/media/{*path}",             [Done,     Done,      Done,       Done,  Done,  Done]),
];

/// Imports: method, path, and outcome by role.
#[rustfmt::skip]
pub(super) const IMPORTS: &[(Method, &str, [Outcome; 6])] = &[
    //                                             anonymous subscriber contributor author     editor administrator
    (Method::POST, "/cal/events/v1/imports",      [Login,    Forbidden, Forbidden,  Forbidden, Done,  Done]),
];

/// Operations on sources: method, path, status of success, and outcome by role.
#[rustfmt::skip]
pub(super) const SOURCES: &[(Method, &str, u16, [Outcome; 6])] = &[
    //                                                          anonymous subscriber contributor author     editor     administrator
    (Method::GET,    "/cal/events/v1/sources",             200, [Login,    Forbidden, Forbidden,  Forbidden, Done,      Done]),
    (Method::POST,   "/cal/events/v1/sources",             201, [Login,    Forbidden, Forbidden,  Forbidden, Forbidden, Done]),
    (Method::GET,    "/cal/events/v1/sources/{id}",        200, [Login,    Forbidden, Forbidden,  Forbidden, Done,      Done]),
    (Method::POST,   "/cal/events/v1/sources/{id}",        200, [Login,    Forbidden, Forbidden,  Forbidden, Forbidden, Done]),
    (Method::PUT,    "/cal/events/v1/sources/{id}",        200, [Login,    Forbidden, Forbidden,  Forbidden, Forbidden, Done]),
    (Method::PATCH,  "/cal/events/v1/sources/{id}",        200, [Login,    Forbidden, Forbidden,  Forbidden, Forbidden, Done]),
    (Method::POST,   "/cal/events/v1/sources/{id}/run",    202, [Login,    Forbidden, Forbidden,  Forbidden, Done,      Done]),
    (Method::POST,   "/cal/events/v1/sources/{id}/pause",  202, [Login,    Forbidden, Forbidden,  Forbidden, Forbidden, Done]),
    (Method::POST,   "/cal/events/v1/sources/{id}/resume", 202, [Login,    Forbidden, Forbidden,  Forbidden, Forbidden, Done]),
    (Method::DELETE, "/cal/events/v1/sources/{id}",        200, [Login,    Forbidden, Forbidden,  Forbidden, Forbidden, Done]),
];

/// Operations on pairs of records that look alike: method, path, and outcome by role.
#[rustfmt::skip]
pub(super) const DUPLICATES: &[(Method, &str, [Outcome; 6])] = &[
    //                                                         anonymous subscriber contributor author     editor administrator
    (Method::GET,  "/cal/events/v1/duplicates",              [Login,    Forbidden, Forbidden,  Forbidden, Done,  Done]),
    (Method::POST, "/cal/events/v1/duplicates/{id}/merge",   [Login,    Forbidden, Forbidden,  Forbidden, Done,  Done]),
    (Method::POST, "/cal/events/v1/duplicates/{id}/dismiss", [Login,    Forbidden, Forbidden,  Forbidden, Done,  Done]),
    (Method::POST, "/cal/events/v1/duplicates/{id}/undo",    [Login,    Forbidden, Forbidden,  Forbidden, Done,  Done]),
];

/// Operations on the audit trail: method, path, and outcome by role.
#[rustfmt::skip]
pub(super) const AUDIT: &[(Method, &str, [Outcome; 6])] = &[
    //                                   anonymous subscriber contributor author     editor     administrator
    (Method::GET,  "/cal/events/v1/audit", [Login,  Forbidden, Forbidden,  Forbidden, Forbidden, Done]),
];

/// Operations on the revisions of a record of an author: method, path, and outcome by role.
#[rustfmt::skip]
pub(super) const REVISIONS: &[(Method, &str, [Outcome; 6])] = &[
    //                                                                            anonymous subscriber contributor author     editor administrator
    (Method::GET,  "/cal/events/v1/events/{id}/revisions",                      [Login,    Forbidden, Forbidden,  Done,      Done,  Done]),
    (Method::POST, "/cal/events/v1/events/{id}/revisions/{n}/restore",          [Login,    Forbidden, Forbidden,  Done,      Done,  Done]),
    (Method::GET,  "/cal/events/v1/venues/{id}/revisions",                      [Login,    Forbidden, Forbidden,  Done,      Done,  Done]),
    (Method::POST, "/cal/events/v1/venues/{id}/revisions/{n}/restore",          [Login,    Forbidden, Forbidden,  Done,      Done,  Done]),
    (Method::GET,  "/cal/events/v1/organizers/{id}/revisions",                  [Login,    Forbidden, Forbidden,  Done,      Done,  Done]),
    (Method::POST, "/cal/events/v1/organizers/{id}/revisions/{n}/restore",      [Login,    Forbidden, Forbidden,  Done,      Done,  Done]),
    (Method::GET,  "/cal/events/v1/categories/{id}/revisions",                  [Login,    Forbidden, Forbidden,  Done,      Done,  Done]),
    (Method::POST, "/cal/events/v1/categories/{id}/revisions/{n}/restore",      [Login,    Forbidden, Forbidden,  Done,      Done,  Done]),
    (Method::GET,  "/cal/events/v1/tags/{id}/revisions",                        [Login,    Forbidden, Forbidden,  Forbidden, Done,  Done]),
    (Method::POST, "/cal/events/v1/tags/{id}/revisions/{n}/restore",            [Login,    Forbidden, Forbidden,  Forbidden, Done,  Done]),
];

/// Operations on an own secret feed: method, path, and outcome by role.
#[rustfmt::skip]
pub(super) const FEEDS: &[(Method, &str, [Outcome; 6])] = &[
    //                                            anonymous subscriber contributor author editor administrator
    (Method::GET,    "/cal/events/v1/feeds",      [Login,   Done,      Done,       Done,  Done,  Done]),
    (Method::POST,   "/cal/events/v1/feeds",      [Login,   Done,      Done,       Done,  Done,  Done]),
    (Method::GET,    "/cal/events/v1/feeds/{id}", [Login,   Done,      Done,       Done,  Done,  Done]),
    (Method::DELETE, "/cal/events/v1/feeds/{id}", [Login,   Done,      Done,       Done,  Done,  Done]),
];

/// Operations on the occurrences of a published series of an author: method, path, and outcome by
/// role; the author is that of the series.
#[rustfmt::skip]
pub(super) const OCCURRENCES: &[(Method, &str, [Outcome; 6])] = &[
    //                                                                              anonymous subscriber contributor author editor administrator
    (Method::GET,    "/cal/events/v1/events/{id}/occurrences",                 [Done,  Done,      Done,      Done, Done, Done]),
    (Method::GET,    "/cal/events/v1/events/{id}/occurrences/{recurrence_id}", [Done,  Done,      Done,      Done, Done, Done]),
    (Method::POST,   "/cal/events/v1/events/{id}/occurrences/{recurrence_id}", [Login, Forbidden, Forbidden, Done, Done, Done]),
    (Method::PUT,    "/cal/events/v1/events/{id}/occurrences/{recurrence_id}", [Login, Forbidden, Forbidden, Done, Done, Done]),
    (Method::PATCH,  "/cal/events/v1/events/{id}/occurrences/{recurrence_id}", [Login, Forbidden, Forbidden, Done, Done, Done]),
    (Method::POST,   "/cal/events/v1/events/{id}/verify",                      [Login, Forbidden, Forbidden, Done, Done, Done]),
    (Method::DELETE, "/cal/events/v1/events/{id}/occurrences/{recurrence_id}", [Login, Forbidden, Forbidden, Done, Done, Done]),
];

/// A kind of record.
#[derive(Clone, Copy)]
pub(super) struct Kind {
    /// The part of error codes that names the kind.
    pub(super) name: &'static str,
    pub(super) plural: &'static str,
    /// The name of its title field.
    pub(super) title: &'static str,
}

pub(super) const KINDS: [Kind; 3] = [
    Kind { name: "event", plural: "events", title: "title" },
    Kind { name: "venue", plural: "venues", title: "venue" },
    Kind { name: "organizer", plural: "organizers", title: "organizer" },
];

/// The routes of an operation on a kind of record, with or without paths by slug.
pub(super) fn routes_of(
    operation: Operation,
    plural: &str,
    by_slug: bool,
) -> Vec<(Method, String)> {
    let collection = format!("/cal/events/v1/{plural}");
    let mut records = vec![format!("{collection}/{{id}}")];
    records.extend(by_slug.then(|| format!("{collection}/by-slug/{{slug}}")));
    let (methods, paths) = match operation {
        List => (vec![Method::GET], vec![collection]),
        Create => (vec![Method::POST], vec![collection]),
        Read => (vec![Method::GET], records),
        Update => (vec![Method::POST, Method::PUT, Method::PATCH], records),
        Delete => (vec![Method::DELETE], records),
    };
    let routes =
        paths.iter().flat_map(|path| methods.iter().map(|method| (method.clone(), path.clone())));
    routes.collect()
}

/// The outcome of the only row with a cell for this operation, state, owner and role.
pub(super) fn expected(operation: Operation, state: &str, whose: Whose, role: usize) -> Outcome {
    let rows =
        ENTRIES.iter().filter(|row| row.0 == operation && row.1.contains(&state) && row.2 == whose);
    let rows: Vec<_> = rows.collect();
    assert_eq!(rows.len(), 1, "rows for {operation:?} {state} {whose:?}");
    rows[0].3[role]
}
