//! Texts of the pages themselves, in each language.

use domain::{Kind, Language};

/// A text of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word {
    /// The name of the site.
    Calendar,
    Skip,
    Languages,
    Upcoming,
    UnderWay,
    NothingPlanned,
    Pages,
    NextPage,
    PreviousPage,
    TimeZone,
    AllDay,
    Over,
    Where,
    Map,
    Address,
    Phone,
    Email,
    Website,
    Cost,
    Tickets,
    Programme,
    PartOf,
    Subcategories,
    Locked,
    AsJson,
    NotFound,
    NothingHere,
    Unavailable,
    TryAgain,
}

impl Word {
    pub(super) const fn text(self, language: Language) -> &'static str {
        let (arabic, english, french) = match self {
            Self::Calendar => ("تقويم الفعاليات", "Events calendar", "Agenda"),
            Self::Skip => (
                "انتقل إلى المحتوى",
                "Skip to the content",
                "Aller au contenu",
            ),
            Self::Languages => ("اللغة", "Language", "Langue"),
            Self::Upcoming => ("الفعاليات القادمة", "Upcoming events", "À venir"),
            Self::UnderWay => ("جارية الآن", "Under way", "En cours"),
            Self::NothingPlanned => (
                "لا توجد فعاليات قادمة حاليًا.",
                "Nothing is planned at the moment.",
                "Rien n’est prévu pour l’instant.",
            ),
            Self::Pages => ("الصفحات", "Pages", "Pages"),
            Self::NextPage => ("الصفحة التالية", "Next page", "Page suivante"),
            Self::PreviousPage => ("الصفحة السابقة", "Previous page", "Page précédente"),
            Self::TimeZone => ("المنطقة الزمنية:", "Time zone:", "Fuseau horaire :"),
            Self::AllDay => ("طوال اليوم", "all day", "toute la journée"),
            Self::Over => (
                "انتهت هذه الفعالية.",
                "This event is over.",
                "Cet événement est terminé.",
            ),
            Self::Where => ("المكان", "Where", "Où"),
            Self::Map => ("عرض على الخريطة", "Show on a map", "Voir sur une carte"),
            Self::Address => ("العنوان", "Address", "Adresse"),
            Self::Phone => ("الهاتف", "Phone", "Téléphone"),
            Self::Email => ("البريد الإلكتروني", "E-mail", "E-mail"),
            Self::Website => ("الموقع الإلكتروني", "Website", "Site web"),
            Self::Cost => ("التكلفة", "Cost", "Tarif"),
            Self::Tickets => ("التذاكر", "Tickets", "Billets"),
            Self::Programme => ("البرنامج", "Programme", "Programme"),
            Self::PartOf => ("جزء من", "Part of", "Fait partie de"),
            Self::Subcategories => ("تصنيفات فرعية", "Subcategories", "Sous-catégories"),
            Self::Locked => (
                "هذه الفعالية محمية بكلمة مرور، ولا يظهر هنا سوى عنوانها وموعدها.",
                "This event is protected by a password. Only its title and its time are shown here.",
                "Cet événement est protégé par un mot de passe : seuls son titre et sa date figurent ici.",
            ),
            Self::AsJson => (
                "هذه الصفحة بصيغة JSON",
                "This page as JSON",
                "Cette page en JSON",
            ),
            Self::NotFound => ("الصفحة غير موجودة", "Page not found", "Page introuvable"),
            Self::NothingHere => (
                "لا يوجد شيء في هذا العنوان، أو أنه غير متاح للعموم.",
                "There is nothing at this address, or it is not public.",
                "Il n’y a rien à cette adresse, ou rien de public.",
            ),
            Self::Unavailable => (
                "الخدمة غير متاحة حاليًا",
                "Not available right now",
                "Momentanément indisponible",
            ),
            Self::TryAgain => (
                "حاول مرة أخرى بعد لحظات.",
                "Please try again in a moment.",
                "Réessayez dans un instant.",
            ),
        };
        pick(language, arabic, english, french)
    }
}

/// The name of a kind.
pub(super) const fn kind(kind: Kind, language: Language) -> &'static str {
    let (arabic, english, french) = match kind {
        Kind::Event => ("فعالية", "Event", "Événement"),
        Kind::Venue => ("مكان", "Venue", "Lieu"),
        Kind::Organizer => ("الجهة المنظمة", "Organizer", "Organisation"),
        Kind::Category => ("تصنيف", "Category", "Catégorie"),
        Kind::Tag => ("وسم", "Tag", "Étiquette"),
    };
    pick(language, arabic, english, french)
}

/// The plural name of a kind.
pub(super) const fn kinds(kind: Kind, language: Language) -> &'static str {
    let (arabic, english, french) = match kind {
        Kind::Event => ("الفعاليات", "Events", "Événements"),
        Kind::Venue => ("الأماكن", "Venues", "Lieux"),
        Kind::Organizer => ("الجهات المنظمة", "Organizers", "Organisation"),
        Kind::Category => ("التصنيفات", "Categories", "Catégories"),
        Kind::Tag => ("الوسوم", "Tags", "Étiquettes"),
    };
    pick(language, arabic, english, french)
}

/// The number of a page of a list: `Page 2 of 3`.
pub(super) fn page_of(number: u64, total: u64, language: Language) -> String {
    match language {
        Language::Arabic => format!("الصفحة {number} من {total}"),
        Language::English => format!("Page {number} of {total}"),
        Language::French => format!("Page {number} sur {total}"),
    }
}

/// The name of a language in itself.
pub(super) const fn own_name(language: Language) -> &'static str {
    match language {
        Language::Arabic => "العربية",
        Language::English => "English",
        Language::French => "Français",
    }
}

/// The writing direction of a language, as in HTML.
pub(super) const fn direction(language: Language) -> &'static str {
    match language {
        Language::Arabic => "rtl",
        Language::English | Language::French => "ltr",
    }
}

/// Selects the text of a language.
pub(super) const fn pick(
    language: Language,
    arabic: &'static str,
    english: &'static str,
    french: &'static str,
) -> &'static str {
    match language {
        Language::Arabic => arabic,
        Language::English => english,
        Language::French => french,
    }
}
