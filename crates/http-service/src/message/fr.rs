//! French.
//!
//! No word agrees in number or gender with a value of the client: a field is the subject of its
//! sentence, and kinds of record have their article. A no-break space precedes `:` and `;`.

mod recurrence;

use app::{
    error::{AppError, CredentialKind},
    fault::{BadFields, ExpectedType, Fault, MAX_LIST, MAX_TEXT_BYTES, Range, ReferenceKind},
    ports::{BadImage, FetchError, MAX_IMAGE_BYTES, StoreError},
};
use domain::{
    Kind, Role,
    cost::{Cost, InvalidCost},
    html::RichText,
    image::{Dimensions, InvalidDimensions},
    source::{InvalidSourceName, SourceName},
    text::{InvalidTitle, Title},
    ticket::{EndsBeforeStart, InvalidPrice, Price},
    time::{InvalidDate, InvalidEventTime, InvalidZone},
    web_url::{InvalidWebUrl, WebUrl},
};

use crate::error::{ApiError, InvalidJson};

pub(super) fn error(error: &ApiError) -> String {
    let text = match error {
        ApiError::NoRoute => "Aucune route ne correspond à ce chemin et à cette méthode.",
        ApiError::UnknownNamespace => "Cet espace de noms n’existe pas.",
        ApiError::NotLoggedIn => "Vous n’êtes pas connecté.",
        ApiError::InvalidJson(_) => "Le corps de la requête n’est pas du JSON valide.",
        ApiError::TooLarge { limit } => {
            return format!("Le corps de la requête dépasse {limit} octets.");
        }
        ApiError::UriTooLong { limit } => {
            return format!("Les paramètres de l’adresse dépassent {limit} octets.");
        }
        ApiError::BadIdempotencyKey => {
            "Idempotency-Key doit comporter de 1 à 255 caractères visibles."
        }
        ApiError::UnreadableForm => "Le formulaire multipart est illisible.",
        ApiError::SeveralHosts => "La requête a plusieurs en-têtes Host.",
        ApiError::UnsupportedBody => {
            "Le service ne lit ni JSON Patch ni un corps avec un Content-Encoding."
        }
        ApiError::NoImage => {
            "Envoyez une image PNG, JPEG, GIF ou WebP comme corps de la requête, ou comme fichier \
             d’un formulaire multipart."
        }
        ApiError::NoCalendarFile => {
            "Envoyez un fichier iCalendar avec le type de contenu text/calendar, ou un tableau avec \
             text/csv."
        }
        ApiError::TooManyEvents { limit } => {
            return format!("Le nombre d’événements du fichier dépasse {limit}.");
        }
        ApiError::TooMuchToImport => {
            "Le fichier contient trop d’événements, d’occurrences, de termes ou de colonnes pour une requête. Importez-le sur le serveur, avec la commande « events-calendar import »."
        }
        ApiError::Overloaded => "Trop de requêtes arrivent à la fois. Réessayez plus tard.",
        ApiError::ReadOnly => "Ce calendrier est ici en lecture seule.",
        ApiError::TooManyWaiting => "Trop de vos requêtes attendent des changements.",
        ApiError::TooSlow => "La requête a pris trop de temps.",
        ApiError::TokenExpired { full_url, .. } => {
            return format!(
                "Le jeton a expiré. Relisez toutes les fiches, à partir de {full_url}."
            );
        }
        ApiError::Moved { kind, to } => {
            return format!(
                "{} n’a plus cette adresse. Adresse actuelle\u{a0}: {to}",
                this(*kind)
            );
        }
        ApiError::App(error) => return app(error),
    };
    text.to_owned()
}

fn app(error: &AppError) -> String {
    let text = match error {
        AppError::Missing(fields) => return missing(fields),
        AppError::Invalid(faults) => {
            let names: Vec<_> = faults.keys().map(|name| &**name).collect();
            let head = match names.len() {
                1 => "Paramètre non valide",
                _ => "Paramètres non valides",
            };
            return format!("{head}\u{a0}: {}", names.join(", "));
        }
        AppError::Unauthenticated => {
            "Connectez-vous pour faire cela, avec un nom d’utilisateur et un mot de passe \
             d’application, ou avec un jeton."
        }
        AppError::BadCredentials(CredentialKind::Basic) => {
            "Le nom d’utilisateur ou le mot de passe est incorrect."
        }
        AppError::BadCredentials(CredentialKind::Bearer) => {
            "Le jeton est inconnu, révoqué ou expiré."
        }
        AppError::TooManyAttempts { .. } => "Trop de tentatives de connexion ont échoué.",
        AppError::TooManyPasswords { .. } => "Trop de mots de passe erronés ont été envoyés.",
        AppError::Forbidden => {
            "Vous n’avez pas le droit de faire cela. Connectez-vous avec un compte qui l’a."
        }
        AppError::NotFound(kind) => return format!("{} n’existe pas.", this(*kind)),
        AppError::NotAccessible(kind) => {
            let login = "Connectez-vous en tant que son auteur ou en tant qu’éditeur.";
            return format!("{} ne vous est pas accessible. {login}", this(*kind));
        }
        AppError::NoLongerAvailable => "Cet événement n’est plus disponible.",
        AppError::PasswordProtected => {
            "Cet événement est protégé par un mot de passe\u{a0}: envoyez-le dans `password`."
        }
        AppError::InTrash(kind) => return format!("{} est déjà dans la corbeille.", this(*kind)),
        AppError::PreconditionFailed => "L’élément a changé entre-temps.",
        AppError::KeyReused => "Cette Idempotency-Key a déjà servi à une autre demande.",
        AppError::PageNotFound(_) => "La liste n’a pas de page à ce numéro.",
        AppError::FeedTooLarge { total, limit } => {
            return format!(
                "{total} événements dépassent les {limit} d’un flux. Envoyez des filtres ou des dates."
            );
        }
        AppError::UnknownEvent(field) => return format!("{field} ne désigne aucun événement."),
        AppError::TermExists { .. } => "Ce nom est déjà utilisé.",
        AppError::DuplicateTermSlug => "Ce slug est déjà utilisé.",
        AppError::EmptyTermName => "Un nom ne doit pas être vide.",
        AppError::NotHierarchical => "Une étiquette ne peut pas avoir de parent.",
        AppError::TokenExpired(_) => "Le jeton a expiré. Relisez toutes les fiches.",
        AppError::FeedNotFound => "Ce flux n’existe pas.",
        AppError::TooManyFeeds(limit) => {
            return format!(
                "Vous avez {limit} flux, le maximum par utilisateur. Supprimez-en un d’abord."
            );
        }
        AppError::SourceNotFound => "Cette source n’existe pas.",
        AppError::SourceRunning => {
            "La source est en cours de lecture. Réessayez quand la lecture sera terminée."
        }
        AppError::TooManySources(limit) => {
            return format!(
                "Un agenda peut avoir au plus {limit} sources. Supprimez-en une d’abord."
            );
        }
        AppError::DuplicateNotFound => "Cette paire de doublons n’existe pas.",
        AppError::DuplicateChanged => {
            "Une fiche de la paire a changé, ou la paire est close. Relisez la liste."
        }
        AppError::RevisionNotFound => {
            "La fiche n’a pas cette révision, ou la révision est trop ancienne."
        }
        AppError::ImageNotFound => "Cette image n’existe pas.",
        AppError::BadImage(bad) => return format!("Le fichier {}.", of_image(bad)),
        AppError::Overloaded
        | AppError::Files(_)
        | AppError::Store(StoreError::Unavailable(_) | StoreError::Conflict) => {
            "Le service ne peut pas répondre pour le moment. Réessayez plus tard."
        }
        AppError::Store(StoreError::Internal(_)) => "Une erreur s’est produite de notre côté.",
    };
    text.to_owned()
}

pub(super) fn field(field: &str, fault: &Fault) -> String {
    match fault {
        Fault::Recurrence(_) | Fault::Member { .. } => {
            format!("{field}\u{a0}: {}", predicate(fault))
        }
        _ => format!("{field} {}", predicate(fault)),
    }
}

#[expect(clippy::too_many_lines, reason = "one arm for each fault")]
fn predicate(fault: &Fault) -> String {
    let text = match fault {
        Fault::Type(wanted) => return format!("doit être {}", a_wanted(*wanted)),
        Fault::Empty
        | Fault::Title(InvalidTitle::Empty)
        | Fault::SourceName(InvalidSourceName::Empty) => "ne doit pas être vide",
        Fault::NotOneOf(words) => {
            return format!("doit être l’une de ces valeurs\u{a0}: {}", words.join(", "));
        }
        Fault::RequiresCapability(capability) => {
            let role = roles(capability.least_role());
            return format!("n’accepte cette valeur que si vous vous connectez en tant que {role}");
        }
        Fault::OutOfRange(Range::From(min)) => {
            return format!("doit être supérieur ou égal à {min}");
        }
        Fault::OutOfRange(Range::Within(min, max)) => {
            return format!("doit être compris entre {min} et {max}");
        }
        Fault::OutOfRange(Range::Above(min, max)) => {
            return format!("doit être supérieur à {min} et ne pas dépasser {max}");
        }
        Fault::RequiresField(other) => return format!("doit être envoyé avec {other}"),
        Fault::TooLong(max) => return at_most(*max, "caractères"),
        Fault::TextsTooLong => {
            return format!(
                "contient, avec les champs précédents, plus de {MAX_TEXT_BYTES} octets de texte"
            );
        }
        Fault::TooMany => return at_most(MAX_LIST, "valeurs"),
        Fault::Title(InvalidTitle::TooLong { chars }) => {
            return exceeds(Title::MAX_CHARS, "caractères", *chars);
        }
        Fault::RichText(long) => return exceeds(RichText::MAX_BYTES, "octets", long.bytes),
        Fault::Date(reason) | Fault::EventTime(InvalidEventTime::OutOfRange(reason)) => {
            date(*reason)
        }
        Fault::EventTime(InvalidEventTime::EndBeforeStart) => "ne doit pas précéder le début",
        Fault::Zone(InvalidZone::Unknown) => "n’est pas un fuseau horaire connu",
        Fault::Zone(InvalidZone::OffsetOutOfRange) => {
            "ne doit pas avoir plus de 12 heures de retard ni plus de 14 heures d’avance sur UTC"
        }
        Fault::WebUrl(InvalidWebUrl::Scheme) => "doit commencer par http:// ou https://",
        Fault::WebUrl(InvalidWebUrl::Character) => {
            "doit se composer de caractères imprimables, sans espace"
        }
        Fault::WebUrl(InvalidWebUrl::Host) => "doit indiquer un hôte",
        Fault::WebUrl(InvalidWebUrl::TooLong { bytes }) => {
            return exceeds(WebUrl::MAX_BYTES, "octets", *bytes);
        }
        Fault::WebUrl(InvalidWebUrl::Credentials) => "ne doit contenir ni nom ni mot de passe",
        Fault::Every(_) => "doit être compris entre 5m et 7d, par exemple 30m, 6h ou 1d",
        Fault::SourceName(InvalidSourceName::TooLong) => {
            return at_most(SourceName::MAX_CHARS, "caractères");
        }
        Fault::SourceName(InvalidSourceName::Control) => {
            "doit tenir sur une ligne, sans caractère de contrôle"
        }
        Fault::Taken => "est déjà pris",
        Fault::Fixed => "ne peut pas changer",
        Fault::HidesPublic => "doit être la fiche publique des deux",
        Fault::NotTakeable => "ne peut pas venir de cette fiche",
        Fault::NotRestorable => "avait une valeur qui ne peut pas être rétablie",
        Fault::OfOneRecord => "ne peut être envoyé que pour la lecture d’une seule fiche",
        Fault::NoAuthor => {
            "doit désigner un utilisateur actif qui est auteur, éditeur ou administrateur"
        }
        Fault::Cost(bad) => return of_cost(bad),
        Fault::TicketPrice(InvalidPrice::Form) => "doit être un nombre décimal, par exemple 12.50",
        Fault::TicketPrice(InvalidPrice::Negative) => "ne doit pas être négatif",
        Fault::TicketPrice(InvalidPrice::TooLong) => {
            return format!(
                "ne doit pas dépasser {} chiffres, dont {} décimales",
                Price::MAX_DIGITS,
                Price::MAX_DECIMALS
            );
        }
        Fault::OnSale(EndsBeforeStart) => "ne doit pas précéder available_from",
        Fault::CircularParent(Kind::Category) => {
            "ne doit désigner ni la catégorie elle-même ni une catégorie au-dessous d’elle"
        }
        Fault::CircularParent(_) => {
            "ne doit désigner ni l’enregistrement lui-même ni l’une de ses parties"
        }
        Fault::Items(items) => {
            let items: Vec<_> = items
                .iter()
                .map(|(index, cause)| format!("[{index}] {}", cause_of(cause)))
                .collect();
            return unusable(&items.join(", "));
        }
        Fault::Recurrence(bad) => return recurrence::fault(bad),
        Fault::Member { name, fault } => return field(name, fault),
        Fault::OfOccurrenceOnly => "n’accepte cette valeur qu’avec scope=this",
        Fault::OfSeriesOnly => "n’accepte cette valeur qu’avec scope=following ou scope=all",
        Fault::ScopeOfSeries => "doit être all, car l’événement est une série",
        Fault::Token => "doit être un jeton issu d’une réponse de ce site",
        Fault::KindsOfToken => "doit nommer les types du jeton, ou être omis",
        Fault::Slug => "doit contenir une lettre ou un chiffre",
        Fault::UnknownReference(named) => return format!("ne désigne {}", no(*named)),
        Fault::UnknownField {
            nearest: Some(name),
        } => return format!("n’est pas connu\u{a0}; vouliez-vous dire {name}\u{a0}?"),
        Fault::UnknownField { nearest: None } => "n’est pas connu",
        Fault::File => {
            "ne peut pas être un fichier\u{a0}; seule l’image d’un événement, d’un lieu ou d’un organisateur le peut"
        }
        Fault::Encoding => {
            "doit être un texte en UTF-8, ou dans le jeu de caractères indiqué par Content-Type"
        }
        Fault::Repeated => "ne doit être envoyé qu’une fois",
        Fault::TooManyImageUrls(max) => {
            return format!("dépasse le nombre d’adresses d’images par requête ({max})");
        }
        Fault::TooManyGone => {
            "ne doit pas être envoyé\u{a0}: le fichier est incomplet ou contient moins de la moitié des \
             événements à venir"
        }
        Fault::Fetch(reason) => return not_fetched(reason),
        Fault::Image(bad) => {
            return format!(
                "n’est pas utilisable comme image\u{a0}: il {}",
                of_image(bad)
            );
        }
        Fault::Inline { kind, cause } => {
            let (_, _, name) = noun(*kind);
            return format!(
                "n’est pas utilisable comme {name}\u{a0}: {}",
                cause_of(cause)
            );
        }
    };
    text.to_owned()
}

fn unusable(cause: &str) -> String {
    format!("n’est pas utilisable\u{a0}: {cause}")
}

fn of_cost(bad: &InvalidCost) -> String {
    match bad {
        InvalidCost::Negative { amount } => {
            format!("ne doit pas être négatif (reçu\u{a0}: -{amount})")
        }
        InvalidCost::TooLong { chars } => exceeds(Cost::MAX_CHARS, "caractères", *chars),
        InvalidCost::TooMany { amounts } => exceeds(Cost::MAX_AMOUNTS, "montants", *amounts),
    }
}

/// A role and the higher roles.
fn roles(least: Role) -> &'static str {
    match least {
        Role::Subscriber => "utilisateur",
        Role::Contributor => "contributeur, auteur, éditeur ou administrateur",
        Role::Author => "auteur, éditeur ou administrateur",
        Role::Editor => "éditeur ou administrateur",
        Role::Administrator => "administrateur",
    }
}

/// Why an image could not be fetched; the subject is its address.
fn not_fetched(reason: &FetchError) -> String {
    match reason {
        FetchError::Forbidden => {
            "doit être une adresse publique, sans utilisateur ni mot de passe".to_owned()
        }
        FetchError::NoAnswer => "ne répond pas".to_owned(),
        FetchError::NotAnImage => "ne mène pas à une image PNG, JPEG, GIF ou WebP".to_owned(),
        FetchError::TooLarge(max) => format!("mène à un fichier de plus de {max} octets"),
    }
}

/// Why a file is refused; the subject is the file.
fn of_image(bad: &BadImage) -> String {
    match bad {
        BadImage::TooLarge => format!("dépasse {MAX_IMAGE_BYTES} octets"),
        BadImage::NotAnImage => "n’est pas une image PNG, JPEG, GIF ou WebP".to_owned(),
        BadImage::Misnamed { said, is } => {
            format!("est annoncé comme {said}, mais son contenu est {is}")
        }
        BadImage::Dimensions(InvalidDimensions { width, height }) => format!(
            "doit avoir de 1 à {} pixels de côté et {} pixels au plus, et non {width} × {height}",
            Dimensions::MAX_SIDE,
            Dimensions::MAX_PIXELS
        ),
        BadImage::Memory => "demande trop de mémoire pour être lu".to_owned(),
        BadImage::Broken(_) => "est abîmé".to_owned(),
    }
}

fn cause_of(bad: &BadFields) -> String {
    match bad {
        BadFields::Missing(fields) => missing(fields),
        BadFields::Invalid(faults) => {
            let texts: Vec<_> = faults
                .iter()
                .map(|(name, fault)| field(name, fault))
                .collect();
            texts.join("\u{a0}; ")
        }
    }
}

fn missing(fields: &[&str]) -> String {
    let head = match fields.len() {
        1 => "Paramètre manquant",
        _ => "Paramètres manquants",
    };
    format!("{head}\u{a0}: {}", fields.join(", "))
}

/// An upper limit. Every limit is greater than 1, so the noun is plural.
fn at_most(max: usize, what: &str) -> String {
    format!("ne doit pas dépasser {max} {what}")
}

fn exceeds(max: usize, what: &str, number: usize) -> String {
    format!("{} (reçu\u{a0}: {number})", at_most(max, what))
}

const fn date(reason: InvalidDate) -> &'static str {
    match reason {
        InvalidDate::Empty => "ne doit pas être vide",
        InvalidDate::Unreadable => "n’est pas une date dans un format connu",
        InvalidDate::NotUnixTime => {
            "est un nombre, mais pas un horodatage Unix d’au moins neuf chiffres"
        }
        InvalidDate::ImpossibleDay => "est un jour qui n’existe pas",
        InvalidDate::ImpossibleTime => "est une heure qui n’existe pas",
        InvalidDate::OutOfRange => "doit se situer entre les années 1 et 9999",
    }
}

const fn a_wanted(wanted: ExpectedType) -> &'static str {
    match wanted {
        ExpectedType::Text => "un texte",
        ExpectedType::Boolean => "true (vrai) ou false (faux)",
        ExpectedType::WholeNumber => "un nombre entier",
        ExpectedType::Number => "un nombre",
        ExpectedType::Date => "une date",
        ExpectedType::Price => "un texte, un nombre ou une liste de ceux-ci",
        ExpectedType::Currency => "le code d’une devise en trois lettres",
        ExpectedType::ImageId => "l’identifiant ou l’adresse d’une image",
        ExpectedType::IdsAndNames => "une liste d’identifiants et de noms",
        ExpectedType::Tickets => "une liste de billets",
        ExpectedType::Recurrence => "une règle, une liste de lignes ou un objet",
        ExpectedType::FieldSources => "un objet de noms de champs et d’identifiants de fiches",
        ExpectedType::FieldNames => "true (vrai) ou une liste de noms de champs",
        ExpectedType::Email => "une adresse e-mail",
    }
}

/// The demonstrative, the negation and the name of a kind.
const fn noun(kind: Kind) -> (&'static str, &'static str, &'static str) {
    match kind {
        Kind::Event => ("Cet", "aucun", "événement"),
        Kind::Venue => ("Ce", "aucun", "lieu"),
        Kind::Organizer => ("Cet", "aucun", "organisateur"),
        Kind::Category => ("Cette", "aucune", "catégorie"),
        Kind::Tag => ("Cette", "aucune", "étiquette"),
    }
}

fn this(kind: Kind) -> String {
    let (this, _, name) = noun(kind);
    format!("{this} {name}")
}

fn no(named: ReferenceKind) -> String {
    match named {
        ReferenceKind::Record(kind) => {
            let (_, no, name) = noun(kind);
            format!("{no} {name}")
        }
        ReferenceKind::User => "aucun utilisateur".to_owned(),
        ReferenceKind::Image => "aucune image".to_owned(),
    }
}

pub(super) fn json(reason: InvalidJson) -> String {
    match reason {
        InvalidJson::Syntax { line, column } => {
            format!("Erreur de syntaxe à la ligne {line}, colonne {column}.")
        }
        InvalidJson::TooDeep => "Les valeurs sont trop imbriquées.".to_owned(),
        InvalidJson::BrokenOff => "Le corps de la requête s’est interrompu.".to_owned(),
    }
}
