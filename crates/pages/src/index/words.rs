//! The texts of indexes.

use domain::{Kind, Language};

use crate::words::{Word, words};

words! {
    INDEXES: "تصفح", "Browse", "Parcourir";
    NOTHING_TO_LIST: "لا يوجد شيء هنا بعد.", "There is nothing here yet.", "Il n’y a encore rien ici.";
    NO_UPCOMING: "لا فعاليات قادمة", "no upcoming events", "aucun événement à venir";
}

/// The content of an index in one sentence.
pub(super) const fn summary(kind: Kind) -> Word {
    match kind {
        Kind::Event => Word::UPCOMING,
        Kind::Venue => Word(
            "كل الأماكن، مع عدد الفعاليات القادمة في كل منها.",
            "All venues, each with the number of its upcoming events.",
            "Tous les lieux, chacun avec le nombre de ses événements à venir.",
        ),
        Kind::Organizer => Word(
            "كل الجهات المنظمة، مع عدد الفعاليات القادمة لكل منها.",
            "All organizers, each with the number of its upcoming events.",
            "Toutes les organisations, chacune avec le nombre de ses événements à venir.",
        ),
        Kind::Category => Word(
            "كل التصنيفات وتصنيفاتها الفرعية، مع عدد الفعاليات القادمة في كل منها.",
            "All categories and their subcategories, each with the number of its upcoming events.",
            "Toutes les catégories et leurs sous-catégories, chacune avec le nombre de ses événements à venir.",
        ),
        Kind::Tag => Word(
            "كل الوسوم، مع عدد الفعاليات القادمة لكل منها.",
            "All tags, each with the number of its upcoming events.",
            "Toutes les étiquettes, chacune avec le nombre de ses événements à venir.",
        ),
    }
}

/// The number of upcoming events: `3 upcoming events`.
pub(super) fn upcoming(number: u64, language: Language) -> String {
    match (language, number) {
        (_, 0) => Word::NO_UPCOMING.text(language).to_owned(),
        (Language::Arabic, 1) => "فعالية قادمة واحدة".to_owned(),
        (Language::Arabic, 2) => "فعاليتان قادمتان".to_owned(),
        (Language::Arabic, _) => match number % 100 {
            3..=10 => format!("{number} فعاليات قادمة"),
            _ => format!("{number} فعالية قادمة"),
        },
        (Language::English, 1) => "1 upcoming event".to_owned(),
        (Language::English, _) => format!("{number} upcoming events"),
        (Language::French, 1) => "1 événement à venir".to_owned(),
        (Language::French, _) => format!("{number} événements à venir"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_events() {
        for (number, texts) in [
            (
                0,
                [
                    "لا فعاليات قادمة",
                    "no upcoming events",
                    "aucun événement à venir",
                ],
            ),
            (
                1,
                [
                    "فعالية قادمة واحدة",
                    "1 upcoming event",
                    "1 événement à venir",
                ],
            ),
            (
                2,
                [
                    "فعاليتان قادمتان",
                    "2 upcoming events",
                    "2 événements à venir",
                ],
            ),
            (
                3,
                [
                    "3 فعاليات قادمة",
                    "3 upcoming events",
                    "3 événements à venir",
                ],
            ),
            (
                11,
                [
                    "11 فعالية قادمة",
                    "11 upcoming events",
                    "11 événements à venir",
                ],
            ),
            (
                103,
                [
                    "103 فعاليات قادمة",
                    "103 upcoming events",
                    "103 événements à venir",
                ],
            ),
        ] {
            assert_eq!(Language::ALL.map(|one| upcoming(number, one)), texts);
        }
    }
}
