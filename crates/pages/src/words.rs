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

impl Word {
    /// The name of the site.
    pub(super) const CALENDAR: Self = Self("تقويم الفعاليات", "Events calendar", "Agenda");
    pub(super) const SKIP: Self = Self(
        "انتقل إلى المحتوى",
        "Skip to the content",
        "Aller au contenu",
    );
    pub(super) const LANGUAGES: Self = Self("اللغة", "Language", "Langue");
    pub(super) const UPCOMING: Self = Self("الفعاليات القادمة", "Upcoming events", "À venir");
    pub(super) const UNDER_WAY: Self = Self("جارية الآن", "Under way", "En cours");
    pub(super) const NOTHING_PLANNED: Self = Self(
        "لا توجد فعاليات قادمة حاليًا.",
        "Nothing is planned at the moment.",
        "Rien n’est prévu pour l’instant.",
    );
    pub(super) const PAGES: Self = Self("الصفحات", "Pages", "Pages");
    pub(super) const NEXT_PAGE: Self = Self("الصفحة التالية", "Next page", "Page suivante");
    pub(super) const PREVIOUS_PAGE: Self =
        Self("الصفحة السابقة", "Previous page", "Page précédente");
    pub(super) const TIME_ZONE: Self = Self("المنطقة الزمنية:", "Time zone:", "Fuseau horaire :");
    pub(super) const ALL_DAY: Self = Self("طوال اليوم", "all day", "toute la journée");
    pub(super) const OVER: Self = Self(
        "انتهت هذه الفعالية.",
        "This event is over.",
        "Cet événement est terminé.",
    );
    pub(super) const CANCELLED: Self = Self(
        "أُلغيت هذه الفعالية.",
        "This event is cancelled.",
        "Cet événement est annulé.",
    );
    pub(super) const WHERE: Self = Self("المكان", "Where", "Où");
    pub(super) const MAP: Self = Self("عرض على الخريطة", "Show on a map", "Voir sur une carte");
    pub(super) const MAP_PROGRAM: Self = Self(
        "فتح في تطبيق الخرائط",
        "Open in a map app",
        "Ouvrir dans une appli de cartes",
    );
    pub(super) const ADDRESS: Self = Self("العنوان", "Address", "Adresse");
    pub(super) const PHONE: Self = Self("الهاتف", "Phone", "Téléphone");
    pub(super) const EMAIL: Self = Self("البريد الإلكتروني", "E-mail", "E-mail");
    pub(super) const WEBSITE: Self = Self("الموقع الإلكتروني", "Website", "Site web");
    pub(super) const COST: Self = Self("التكلفة", "Cost", "Tarif");
    pub(super) const FREE: Self = Self("مجانًا", "Free", "Gratuit");
    pub(super) const TICKETS: Self = Self("التذاكر", "Tickets", "Billets");
    pub(super) const TICKETS_NO_LONGER_SOLD: Self = Self(
        "انتهى بيع التذاكر.",
        "Tickets are no longer on sale.",
        "Les billets ne sont plus en vente.",
    );
    pub(super) const FEATURED: Self = Self("فعالية مميزة", "Featured", "À la une");
    pub(super) const MORE_AT_THE_VENUE: Self = Self(
        "المزيد في هذا المكان",
        "More at this venue",
        "Au même endroit",
    );
    pub(super) const MORE_OF_THE_ORGANIZER: Self = Self(
        "المزيد من هذه الجهة",
        "More from this organizer",
        "De la même organisation",
    );
    pub(super) const MORE_IN_THE_CATEGORY: Self = Self(
        "المزيد في هذا التصنيف",
        "More in this category",
        "Dans la même catégorie",
    );
    pub(super) const PROGRAMME: Self = Self("البرنامج", "Programme", "Programme");
    pub(super) const NEXT_DATES: Self = Self("المواعيد القادمة", "Next dates", "Prochaines dates");
    pub(super) const SERIES: Self = Self("سلسلة فعاليات", "Series", "Série");
    pub(super) const PART_OF: Self = Self("جزء من", "Part of", "Fait partie de");
    pub(super) const SUBCATEGORIES: Self =
        Self("تصنيفات فرعية", "Subcategories", "Sous-catégories");
    pub(super) const SUBSCRIBE: Self = Self("اشترك في التقويم", "Subscribe", "S’abonner");
    pub(super) const CALENDAR_FILE: Self =
        Self("ملف التقويم", "Calendar file", "Fichier de calendrier");
    pub(super) const ADD_TO_CALENDAR: Self =
        Self("أضف إلى التقويم", "Add to calendar", "Ajouter à l’agenda");
    pub(super) const IN_A_PROGRAM: Self = Self(
        "في برنامج التقويم",
        "In a calendar program",
        "Dans un logiciel d’agenda",
    );
    pub(super) const NEWS_FEED: Self = Self("موجز الأخبار", "News feed", "Flux d’actualités");
    pub(super) const ADDRESS_TO_COPY: Self =
        Self("العنوان لنسخه:", "Address to copy:", "Adresse à copier :");
    pub(super) const COPY: Self = Self("نسخ", "Copy", "Copier");
    pub(super) const COPIED: Self = Self("نُسخ العنوان.", "Copied.", "Adresse copiée.");
    pub(super) const ALL_OF_DAY: Self = Self(
        "كل فعاليات هذا اليوم",
        "All events of the day",
        "Tous les événements du jour",
    );
    pub(super) const CLOSE: Self = Self("إغلاق", "Close", "Fermer");
    pub(super) const EMBED: Self = Self("ضمّن التقويم", "Embed", "Intégrer");
    pub(super) const EMBED_CODE: Self = Self(
        "شيفرة لنسخها إلى صفحة أخرى:",
        "Code to copy into another page:",
        "Code à copier dans une autre page :",
    );
    pub(super) const CALENDAR_OF_EVENTS: Self = Self(
        "تقويم الفعاليات",
        "Calendar of events",
        "Agenda des événements",
    );
    pub(super) const ALL_EVENTS: Self = Self("كل الفعاليات", "All events", "Tous les événements");
    pub(super) const ALL_DATES: Self = Self("كل المواعيد", "All dates", "Toutes les dates");
    pub(super) const LOCKED: Self = Self(
        "هذه الفعالية محمية بكلمة مرور، ولا يظهر هنا سوى عنوانها وموعدها.",
        "This event is protected by a password. Only its title and its time are shown here.",
        "Cet événement est protégé par un mot de passe : seuls son titre et sa date figurent ici.",
    );
    pub(super) const PASSWORD: Self = Self("كلمة المرور", "Password", "Mot de passe");
    pub(super) const UNLOCK: Self =
        Self("عرض التفاصيل", "Show the details", "Afficher les détails");
    pub(super) const WRONG_PASSWORD: Self = Self(
        "كلمة المرور غير صحيحة.",
        "The password is wrong.",
        "Le mot de passe est incorrect.",
    );
    pub(super) const TOO_MANY_TRIES: Self =
        Self("محاولات كثيرة", "Too many attempts", "Trop de tentatives");
    pub(super) const NOT_SENT_FROM_HERE: Self = Self(
        "لم يُرسل النموذج من هذه الصفحة",
        "The form was not sent from its page",
        "Le formulaire ne vient pas de sa page",
    );
    pub(super) const OPEN_AGAIN: Self = Self(
        "افتح صفحة الفعالية وأدخل كلمة المرور فيها.",
        "Open the page of the event and enter the password there.",
        "Ouvrez la page de l’événement et saisissez-y le mot de passe.",
    );
    pub(super) const PROPOSE: Self =
        Self("اقترح فعالية", "Propose an event", "Proposer un événement");
    pub(super) const IMPRINT: Self = Self("بيانات الناشر", "Imprint", "Mentions légales");
    pub(super) const PRIVACY: Self = Self("سياسة الخصوصية", "Privacy", "Confidentialité");
    pub(super) const FOR_DEVELOPERS: Self =
        Self("للمطورين", "For developers", "Pour les développeurs");
    pub(super) const DOCUMENTATION: Self = Self(
        "توثيق الواجهة",
        "Documentation of the interface",
        "Documentation de l’interface",
    );
    pub(super) const AS_JSON: Self = Self(
        "هذه الصفحة بصيغة JSON",
        "This page as JSON",
        "Cette page en JSON",
    );
    pub(super) const NOT_FOUND: Self =
        Self("الصفحة غير موجودة", "Page not found", "Page introuvable");
    pub(super) const NOTHING_HERE: Self = Self(
        "لا يوجد شيء في هذا العنوان، أو أنه غير متاح للعموم.",
        "There is nothing at this address, or it is not public.",
        "Il n’y a rien à cette adresse, ou rien de public.",
    );
    pub(super) const GONE: Self = Self(
        "لم تعد هذه الفعالية هنا",
        "This event is gone",
        "Cet événement n’est plus là",
    );
    pub(super) const WITHDRAWN: Self = Self(
        "كانت هنا فعالية، وقد سُحبت.",
        "There was an event at this address. It has been withdrawn.",
        "Il y avait un événement à cette adresse. Il a été retiré.",
    );
    pub(super) const UNAVAILABLE: Self = Self(
        "الخدمة غير متاحة حاليًا",
        "Not available right now",
        "Momentanément indisponible",
    );
    pub(super) const TRY_AGAIN: Self = Self(
        "حاول مرة أخرى بعد لحظات.",
        "Please try again in a moment.",
        "Réessayez dans un instant.",
    );

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
