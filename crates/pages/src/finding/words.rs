//! The texts of the form that finds events.

use domain::Language;

use crate::words::Word;

impl Word {
    pub(crate) const FIND: Self = Self("البحث عن فعاليات", "Find events", "Trouver un événement");
    pub(crate) const SEARCH: Self = Self("كلمات البحث", "Search", "Rechercher");
    pub(crate) const SEARCH_NOW: Self = Self("بحث", "Search", "Chercher");
    pub(crate) const FILTERS: Self = Self("التصفية", "Filters", "Filtres");
    pub(crate) const APPLY: Self = Self("تطبيق", "Apply", "Appliquer");
    pub(crate) const ANY: Self = Self("الكل", "Any", "Indifférent");
    pub(crate) const CITY: Self = Self("المدينة", "City", "Ville");
    pub(crate) const NOT_FREE: Self = Self("غير مجاني", "Not free", "Non gratuit");
    pub(crate) const WITH_TICKETS: Self = Self("بتذاكر", "With tickets", "Avec billets");
    pub(crate) const WITHOUT_TICKETS: Self = Self("بدون تذاكر", "Without tickets", "Sans billets");
    pub(crate) const FROM: Self = Self("من تاريخ", "From", "À partir du");
    pub(crate) const UNTIL: Self = Self("حتى تاريخ", "Until", "Jusqu’au");
    pub(crate) const RANGES: Self = Self("فترات جاهزة", "Quick dates", "Dates rapides");
    pub(crate) const RANGE_WEEKEND: Self = Self("نهاية هذا الأسبوع", "This weekend", "Ce week-end");
    pub(crate) const RANGE_WEEK: Self = Self(
        "الأيام السبعة القادمة",
        "Next 7 days",
        "Les 7 prochains jours",
    );
    pub(crate) const RANGE_MONTH: Self = Self("الشهر القادم", "Next month", "Le mois prochain");
    pub(crate) const ACTIVE_FILTERS: Self =
        Self("عوامل التصفية الحالية", "Active filters", "Filtres actifs");
    pub(crate) const REMOVE_FILTER: Self = Self("إزالة:", "Remove:", "Retirer :");
    pub(crate) const REMOVE_ALL: Self = Self(
        "إزالة كل عوامل التصفية",
        "Remove all filters",
        "Retirer tous les filtres",
    );
    pub(crate) const TOO_NARROW: Self = Self(
        "لا توجد فعاليات تطابق كل عوامل التصفية. أزل أحدها لتوسيع البحث.",
        "No event matches all filters. Remove one of them to find more.",
        "Aucun événement ne correspond à tous les filtres. Retirez-en un pour élargir la recherche.",
    );
    pub(crate) const ELSEWHERE: Self = Self("فعاليات أخرى", "More events", "Autres événements");
    pub(crate) const WITHOUT: Self = Self("بدون:", "Without:", "Sans :");
    pub(crate) const ALL_UPCOMING: Self = Self(
        "كل الفعاليات القادمة",
        "All upcoming events",
        "Tous les événements à venir",
    );
    pub(crate) const UPCOMING_TOO: Self = Self(
        "الفعاليات القادمة بعوامل التصفية نفسها",
        "Upcoming events with the same filters",
        "Événements à venir avec les mêmes filtres",
    );
    pub(crate) const PAST_TOO: Self = Self(
        "الفعاليات السابقة بعوامل التصفية نفسها",
        "Past events with the same filters",
        "Événements passés avec les mêmes filtres",
    );
    pub(crate) const BAD_FILTERS: Self = Self(
        "تعذّر استخدام عوامل التصفية",
        "These filters cannot be used",
        "Ces filtres ne sont pas utilisables",
    );
    pub(crate) const CORRECT_FILTERS: Self = Self(
        "صحّح القيم المشار إليها.",
        "Please correct the marked values.",
        "Corrigez les valeurs signalées.",
    );
}

/// Words of a search, in quotation marks.
pub(crate) fn quoted(words: &str, language: Language) -> String {
    match language {
        Language::Arabic => format!("«{words}»"),
        Language::English => format!("“{words}”"),
        Language::French => format!("«\u{a0}{words}\u{a0}»"),
    }
}

/// A number of events.
pub(crate) fn events(number: u64, language: Language) -> String {
    match (language, number) {
        (Language::English, 1) => "1 event".to_owned(),
        (Language::English, number) => format!("{number} events"),
        (Language::French, 0 | 1) => format!("{number} événement"),
        (Language::French, number) => format!("{number} événements"),
        (Language::Arabic, 0) => "لا توجد فعاليات".to_owned(),
        (Language::Arabic, 1) => "فعالية واحدة".to_owned(),
        (Language::Arabic, 2) => "فعاليتان".to_owned(),
        (Language::Arabic, number) => match number % 100 {
            3..=10 => format!("{number} فعاليات"),
            _ => format!("{number} فعالية"),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_events() {
        for (number, texts) in [
            (0, ["لا توجد فعاليات", "0 events", "0 événement"]),
            (1, ["فعالية واحدة", "1 event", "1 événement"]),
            (2, ["فعاليتان", "2 events", "2 événements"]),
            (3, ["3 فعاليات", "3 events", "3 événements"]),
            (10, ["10 فعاليات", "10 events", "10 événements"]),
            (11, ["11 فعالية", "11 events", "11 événements"]),
            (100, ["100 فعالية", "100 events", "100 événements"]),
            (102, ["102 فعالية", "102 events", "102 événements"]),
            (103, ["103 فعاليات", "103 events", "103 événements"]),
        ] {
            assert_eq!(Language::ALL.map(|one| events(number, one)), texts);
        }
    }
}
