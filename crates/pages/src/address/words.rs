//! The names of the views.

use crate::words::{Word, words};

words! {
    VIEWS: "عروض التقويم", "Calendar views", "Vues de l’agenda";
    VIEW_LIST: "قائمة", "List", "Liste";
    VIEW_MONTH: "شهر", "Month", "Mois";
    VIEW_WEEK: "أسبوع", "Week", "Semaine";
    VIEW_DAY: "يوم", "Day", "Jour";
    VIEW_PAST: "سابقة", "Past", "Passés";
}
