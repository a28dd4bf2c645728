//! The texts of views.

use crate::words::{Word, words};

words! {
    TODAY: "اليوم", "Today", "Aujourd’hui";
    PERIODS: "التنقل", "Other dates", "Autres dates";
    EARLIER: "السابق", "Earlier", "Précédent";
    LATER: "التالي", "Later", "Suivant";
    DATE: "الانتقال إلى تاريخ", "Go to a date", "Aller à une date";
    SHOW: "عرض", "Show", "Afficher";
    CONTINUES: "تتواصل:", "continues:", "se poursuit :";
    OVERVIEW: "الفعاليات يومًا بيوم", "Events day by day", "Événements jour par jour";
    OF_DAY: "الفعاليات", "Events", "Événements";
    NO_EVENTS: "لا توجد فعاليات في هذه الفترة.", "There are no events in this period.", "Aucun événement sur cette période.";
    TOO_MANY: "عدد الفعاليات في هذه الفترة كبير جدًا، ولذلك لا تظهر هنا كلها.", "This period has too many events to show them all here.", "Cette période compte trop d’événements pour les afficher tous ici.";
    NEAREST: "أقرب فترة فيها فعاليات", "The nearest period with events", "La période la plus proche avec des événements";
    PAST_EVENTS: "الفعاليات السابقة", "Past events", "Événements passés";
    NO_PAST_EVENTS: "لا توجد فعاليات سابقة.", "No event is over yet.", "Aucun événement n’est encore passé.";
}
