//! The texts of the form that finds events.

use domain::Language;

use crate::words::{Word, words};

words! {
    FIND: "البحث عن فعاليات", "Find events", "Trouver un événement";
    SEARCH: "كلمات البحث", "Search", "Rechercher";
    SEARCH_NOW: "بحث", "Search", "Chercher";
    FILTERS: "التصفية", "Filters", "Filtres";
    APPLY: "تطبيق", "Apply", "Appliquer";
    ANY: "الكل", "Any", "Indifférent";
    CITY: "المدينة", "City", "Ville";
    NOT_FREE: "غير مجاني", "Not free", "Non gratuit";
    WITH_TICKETS: "بتذاكر", "With tickets", "Avec billets";
    WITHOUT_TICKETS: "بدون تذاكر", "Without tickets", "Sans billets";
    FROM: "من تاريخ", "From", "À partir du";
    UNTIL: "حتى تاريخ", "Until", "Jusqu’au";
    RANGES: "فترات جاهزة", "Quick dates", "Dates rapides";
    RANGE_WEEKEND: "نهاية هذا الأسبوع", "This weekend", "Ce week-end";
    RANGE_WEEK: "الأيام السبعة القادمة", "Next 7 days", "Les 7 prochains jours";
    RANGE_MONTH: "الشهر القادم", "Next month", "Le mois prochain";
    ACTIVE_FILTERS: "عوامل التصفية الحالية", "Active filters", "Filtres actifs";
    REMOVE_FILTER: "إزالة:", "Remove:", "Retirer :";
    REMOVE_ALL: "إزالة كل عوامل التصفية", "Remove all filters", "Retirer tous les filtres";
    TOO_NARROW: "لا توجد فعاليات تطابق كل عوامل التصفية. أزل أحدها لتوسيع البحث.", "No event matches all filters. Remove one of them to find more.", "Aucun événement ne correspond à tous les filtres. Retirez-en un pour élargir la recherche.";
    ELSEWHERE: "فعاليات أخرى", "More events", "Autres événements";
    WITHOUT: "بدون:", "Without:", "Sans :";
    ALL_UPCOMING: "كل الفعاليات القادمة", "All upcoming events", "Tous les événements à venir";
    UPCOMING_TOO: "الفعاليات القادمة بعوامل التصفية نفسها", "Upcoming events with the same filters", "Événements à venir avec les mêmes filtres";
    PAST_TOO: "الفعاليات السابقة بعوامل التصفية نفسها", "Past events with the same filters", "Événements passés avec les mêmes filtres";
    BAD_FILTERS: "تعذّر استخدام عوامل التصفية", "These filters cannot be used", "Ces filtres ne sont pas utilisables";
    CORRECT_FILTERS: "صحّح القيم المشار إليها.", "Please correct the marked values.", "Corrigez les valeurs signalées.";
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
