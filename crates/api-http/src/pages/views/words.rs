//! The texts of views.

use crate::pages::words::Word;

impl Word {
    pub(in crate::pages) const TODAY: Self = Self("اليوم", "Today", "Aujourd’hui");
    pub(in crate::pages) const PERIODS: Self = Self("التنقل", "Other dates", "Autres dates");
    pub(in crate::pages) const EARLIER: Self = Self("السابق", "Earlier", "Précédent");
    pub(in crate::pages) const LATER: Self = Self("التالي", "Later", "Suivant");
    pub(in crate::pages) const DATE: Self =
        Self("الانتقال إلى تاريخ", "Go to a date", "Aller à une date");
    pub(in crate::pages) const SHOW: Self = Self("عرض", "Show", "Afficher");
    pub(in crate::pages) const CONTINUES: Self = Self("تتواصل:", "continues:", "se poursuit :");
    pub(in crate::pages) const OVERVIEW: Self = Self(
        "الفعاليات يومًا بيوم",
        "Events day by day",
        "Événements jour par jour",
    );
    pub(in crate::pages) const OF_DAY: Self = Self("الفعاليات", "Events", "Événements");
    pub(in crate::pages) const NO_EVENTS: Self = Self(
        "لا توجد فعاليات في هذه الفترة.",
        "There are no events in this period.",
        "Aucun événement sur cette période.",
    );
    pub(in crate::pages) const TOO_MANY: Self = Self(
        "عدد الفعاليات في هذه الفترة كبير جدًا، ولذلك لا تظهر هنا كلها.",
        "This period has too many events to show them all here.",
        "Cette période compte trop d’événements pour les afficher tous ici.",
    );
    pub(in crate::pages) const NEAREST: Self = Self(
        "أقرب فترة فيها فعاليات",
        "The nearest period with events",
        "La période la plus proche avec des événements",
    );
    pub(in crate::pages) const PAST_EVENTS: Self =
        Self("الفعاليات السابقة", "Past events", "Événements passés");
    pub(in crate::pages) const NO_PAST_EVENTS: Self = Self(
        "لا توجد فعاليات سابقة.",
        "No event is over yet.",
        "Aucun événement n’est encore passé.",
    );
}
