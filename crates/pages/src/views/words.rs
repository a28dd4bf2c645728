//! The texts of views.

use crate::words::Word;

impl Word {
    pub(crate) const TODAY: Self = Self("اليوم", "Today", "Aujourd’hui");
    pub(crate) const PERIODS: Self = Self("التنقل", "Other dates", "Autres dates");
    pub(crate) const EARLIER: Self = Self("السابق", "Earlier", "Précédent");
    pub(crate) const LATER: Self = Self("التالي", "Later", "Suivant");
    pub(crate) const DATE: Self = Self("الانتقال إلى تاريخ", "Go to a date", "Aller à une date");
    pub(crate) const SHOW: Self = Self("عرض", "Show", "Afficher");
    pub(crate) const CONTINUES: Self = Self("تتواصل:", "continues:", "se poursuit :");
    pub(crate) const OVERVIEW: Self = Self(
        "الفعاليات يومًا بيوم",
        "Events day by day",
        "Événements jour par jour",
    );
    pub(crate) const OF_DAY: Self = Self("الفعاليات", "Events", "Événements");
    pub(crate) const NO_EVENTS: Self = Self(
        "لا توجد فعاليات في هذه الفترة.",
        "There are no events in this period.",
        "Aucun événement sur cette période.",
    );
    pub(crate) const TOO_MANY: Self = Self(
        "عدد الفعاليات في هذه الفترة كبير جدًا، ولذلك لا تظهر هنا كلها.",
        "This period has too many events to show them all here.",
        "Cette période compte trop d’événements pour les afficher tous ici.",
    );
    pub(crate) const NEAREST: Self = Self(
        "أقرب فترة فيها فعاليات",
        "The nearest period with events",
        "La période la plus proche avec des événements",
    );
    pub(crate) const PAST_EVENTS: Self =
        Self("الفعاليات السابقة", "Past events", "Événements passés");
    pub(crate) const NO_PAST_EVENTS: Self = Self(
        "لا توجد فعاليات سابقة.",
        "No event is over yet.",
        "Aucun événement n’est encore passé.",
    );
}
