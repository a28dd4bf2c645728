//! Texts of the pages themselves, in each language.

pub(super) mod money;

use domain::{Kind, Language};

/// A text of a page in each language: Arabic, English, French.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word(
    pub(super) &'static str,
    pub(super) &'static str,
    pub(super) &'static str,
);

/// Declares texts by their names.
macro_rules! words {
    ($($(#[$doc:meta])* $name:ident: $arabic:literal, $english:literal, $french:literal;)*) => {
        impl Word {
            $($(#[$doc])* pub(crate) const $name: Self = Self($arabic, $english, $french);)*
        }
    };
}
pub(super) use words;

words! {
    /// The name of the site.
    CALENDAR: "تقويم الفعاليات", "Events calendar", "Agenda";
    SKIP: "انتقل إلى المحتوى", "Skip to the content", "Aller au contenu";
    LANGUAGES: "اللغة", "Language", "Langue";
    UPCOMING: "الفعاليات القادمة", "Upcoming events", "À venir";
    UNDER_WAY: "جارية الآن", "Under way", "En cours";
    NOTHING_PLANNED: "لا توجد فعاليات قادمة حاليًا.", "Nothing is planned at the moment.", "Rien n’est prévu pour l’instant.";
    PAGES: "الصفحات", "Pages", "Pages";
    NEXT_PAGE: "الصفحة التالية", "Next page", "Page suivante";
    PREVIOUS_PAGE: "الصفحة السابقة", "Previous page", "Page précédente";
    TIME_ZONE: "المنطقة الزمنية:", "Time zone:", "Fuseau horaire :";
    ALL_DAY: "طوال اليوم", "all day", "toute la journée";
    OVER: "انتهت هذه الفعالية.", "This event is over.", "Cet événement est terminé.";
    CANCELLED: "أُلغيت هذه الفعالية.", "This event is cancelled.", "Cet événement est annulé.";
    WHERE: "المكان", "Where", "Où";
    MAP: "عرض على الخريطة", "Show on a map", "Voir sur une carte";
    MAP_PROGRAM: "فتح في تطبيق الخرائط", "Open in a map app", "Ouvrir dans une appli de cartes";
    ADDRESS: "العنوان", "Address", "Adresse";
    PHONE: "الهاتف", "Phone", "Téléphone";
    EMAIL: "البريد الإلكتروني", "E-mail", "E-mail";
    WEBSITE: "الموقع الإلكتروني", "Website", "Site web";
    COST: "التكلفة", "Cost", "Tarif";
    FREE: "مجانًا", "Free", "Gratuit";
    TICKETS: "التذاكر", "Tickets", "Billets";
    TICKETS_NO_LONGER_SOLD: "انتهى بيع التذاكر.", "Tickets are no longer on sale.", "Les billets ne sont plus en vente.";
    FEATURED: "فعالية مميزة", "Featured", "À la une";
    MORE_AT_THE_VENUE: "المزيد في هذا المكان", "More at this venue", "Au même endroit";
    MORE_OF_THE_ORGANIZER: "المزيد من هذه الجهة", "More from this organizer", "De la même organisation";
    MORE_IN_THE_CATEGORY: "المزيد في هذا التصنيف", "More in this category", "Dans la même catégorie";
    PROGRAMME: "البرنامج", "Programme", "Programme";
    NEXT_DATES: "المواعيد القادمة", "Next dates", "Prochaines dates";
    SERIES: "سلسلة فعاليات", "Series", "Série";
    PART_OF: "جزء من", "Part of", "Fait partie de";
    SUBCATEGORIES: "تصنيفات فرعية", "Subcategories", "Sous-catégories";
    SUBSCRIBE: "اشترك في التقويم", "Subscribe", "S’abonner";
    CALENDAR_FILE: "ملف التقويم", "Calendar file", "Fichier de calendrier";
    ADD_TO_CALENDAR: "أضف إلى التقويم", "Add to calendar", "Ajouter à l’agenda";
    IN_A_PROGRAM: "في برنامج التقويم", "In a calendar program", "Dans un logiciel d’agenda";
    NEWS_FEED: "موجز الأخبار", "News feed", "Flux d’actualités";
    ADDRESS_TO_COPY: "العنوان لنسخه:", "Address to copy:", "Adresse à copier :";
    COPY: "نسخ", "Copy", "Copier";
    COPIED: "نُسخ العنوان.", "Copied.", "Adresse copiée.";
    ALL_OF_DAY: "كل فعاليات هذا اليوم", "All events of the day", "Tous les événements du jour";
    CLOSE: "إغلاق", "Close", "Fermer";
    EMBED: "ضمّن التقويم", "Embed", "Intégrer";
    EMBED_CODE: "شيفرة لنسخها إلى صفحة أخرى:", "Code to copy into another page:", "Code à copier dans une autre page :";
    CALENDAR_OF_EVENTS: "تقويم الفعاليات", "Calendar of events", "Agenda des événements";
    ALL_EVENTS: "كل الفعاليات", "All events", "Tous les événements";
    ALL_DATES: "كل المواعيد", "All dates", "Toutes les dates";
    LOCKED: "هذه الفعالية محمية بكلمة مرور، ولا يظهر هنا سوى عنوانها وموعدها.", "This event is protected by a password. Only its title and its time are shown here.", "Cet événement est protégé par un mot de passe : seuls son titre et sa date figurent ici.";
    PASSWORD: "كلمة المرور", "Password", "Mot de passe";
    UNLOCK: "عرض التفاصيل", "Show the details", "Afficher les détails";
    WRONG_PASSWORD: "كلمة المرور غير صحيحة.", "The password is wrong.", "Le mot de passe est incorrect.";
    TOO_MANY_TRIES: "محاولات كثيرة", "Too many attempts", "Trop de tentatives";
    NOT_SENT_FROM_HERE: "لم يُرسل النموذج من هذه الصفحة", "The form was not sent from its page", "Le formulaire ne vient pas de sa page";
    OPEN_AGAIN: "افتح صفحة الفعالية وأدخل كلمة المرور فيها.", "Open the page of the event and enter the password there.", "Ouvrez la page de l’événement et saisissez-y le mot de passe.";
    PROPOSE: "اقترح فعالية", "Propose an event", "Proposer un événement";
    IMPRINT: "بيانات الناشر", "Imprint", "Mentions légales";
    PRIVACY: "سياسة الخصوصية", "Privacy", "Confidentialité";
    FOR_DEVELOPERS: "للمطورين", "For developers", "Pour les développeurs";
    DOCUMENTATION: "توثيق الواجهة", "Documentation of the interface", "Documentation de l’interface";
    AS_JSON: "هذه الصفحة بصيغة JSON", "This page as JSON", "Cette page en JSON";
    NOT_FOUND: "الصفحة غير موجودة", "Page not found", "Page introuvable";
    NOTHING_HERE: "لا يوجد شيء في هذا العنوان، أو أنه غير متاح للعموم.", "There is nothing at this address, or it is not public.", "Il n’y a rien à cette adresse, ou rien de public.";
    GONE: "لم تعد هذه الفعالية هنا", "This event is gone", "Cet événement n’est plus là";
    WITHDRAWN: "كانت هنا فعالية، وقد سُحبت.", "There was an event at this address. It has been withdrawn.", "Il y avait un événement à cette adresse. Il a été retiré.";
    UNAVAILABLE: "الخدمة غير متاحة حاليًا", "Not available right now", "Momentanément indisponible";
    TRY_AGAIN: "حاول مرة أخرى بعد لحظات.", "Please try again in a moment.", "Réessayez dans un instant.";
}

impl Word {
    pub(super) const fn text(self, language: Language) -> &'static str {
        match language {
            Language::Arabic => self.0,
            Language::English => self.1,
            Language::French => self.2,
        }
    }
}

/// The name of a kind.
pub(super) const fn kind(kind: Kind) -> Word {
    match kind {
        Kind::Event => Word("فعالية", "Event", "Événement"),
        Kind::Venue => Word("مكان", "Venue", "Lieu"),
        Kind::Organizer => Word("الجهة المنظمة", "Organizer", "Organisation"),
        Kind::Category => Word("تصنيف", "Category", "Catégorie"),
        Kind::Tag => Word("وسم", "Tag", "Étiquette"),
    }
}

/// The plural name of a kind.
pub(super) const fn kinds(kind: Kind) -> Word {
    match kind {
        Kind::Event => Word("الفعاليات", "Events", "Événements"),
        Kind::Venue => Word("الأماكن", "Venues", "Lieux"),
        Kind::Organizer => Word("الجهات المنظمة", "Organizers", "Organisation"),
        Kind::Category => Word("التصنيفات", "Categories", "Catégories"),
        Kind::Tag => Word("الوسوم", "Tags", "Étiquettes"),
    }
}

/// The number of a page of a list: `Page 2 of 3`.
pub(super) fn page_of(number: u64, total: u64, language: Language) -> String {
    match language {
        Language::Arabic => format!("الصفحة {number} من {total}"),
        Language::English => format!("Page {number} of {total}"),
        Language::French => format!("Page {number} sur {total}"),
    }
}

/// A list with commas.
pub(super) fn list<'a>(items: impl Iterator<Item = &'a str>, language: Language) -> String {
    let items: Vec<_> = items.collect();
    items.join(match language {
        Language::Arabic => "، ",
        Language::English | Language::French => ", ",
    })
}

/// The button that leads to the shop: with the price of all tickets, or the least of them.
pub(super) fn buy(price: Option<&str>, is_least: bool, language: Language) -> String {
    let tickets = Word::TICKETS.text(language);
    match price {
        None => tickets.to_owned(),
        Some(price) if is_least => format!("{tickets} {}", least_price(price, language)),
        Some(price) => format!("{tickets} · {price}"),
    }
}

/// The least of several prices.
pub(super) fn least_price(price: &str, language: Language) -> String {
    match language {
        Language::Arabic => format!("ابتداءً من {price}"),
        Language::English => format!("from {price}"),
        Language::French => format!("à partir de {price}"),
    }
}

/// The moment from which tickets are sold.
pub(super) fn not_yet_sold(moment: &str, language: Language) -> String {
    match language {
        Language::Arabic => format!("لم يبدأ بيع التذاكر بعد: ابتداءً من {moment}"),
        Language::English => format!("Tickets are not yet on sale: from {moment}"),
        Language::French => format!("Billets pas encore en vente : à partir du {moment}"),
    }
}

/// A text, cut at a word to the 160 characters that search engines show.
pub(super) fn shortened(text: &str) -> String {
    const MAX_CHARS: usize = 160;
    let Some((end, _)) = text.char_indices().nth(MAX_CHARS) else {
        return text.to_owned();
    };
    let start = &text[..end];
    let words = start.rsplit_once(' ').map_or(start, |(words, _)| words);
    format!("{words}…")
}

/// The name of a language in itself.
pub(super) const fn own_name(language: Language) -> &'static str {
    match language {
        Language::Arabic => "العربية",
        Language::English => "English",
        Language::French => "Français",
    }
}

/// A language with its usual region, as Open Graph has it.
pub(super) const fn locale(language: Language) -> &'static str {
    match language {
        Language::Arabic => "ar_AR",
        Language::English => "en_GB",
        Language::French => "fr_FR",
    }
}

/// The writing direction of a language, as in HTML.
pub(super) const fn direction(language: Language) -> &'static str {
    match language {
        Language::Arabic => "rtl",
        Language::English | Language::French => "ltr",
    }
}
