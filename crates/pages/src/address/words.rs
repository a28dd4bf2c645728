//! The names of the views.

use crate::words::Word;

impl Word {
    pub(crate) const VIEWS: Self = Self("عروض التقويم", "Calendar views", "Vues de l’agenda");
    pub(crate) const VIEW_LIST: Self = Self("قائمة", "List", "Liste");
    pub(crate) const VIEW_MONTH: Self = Self("شهر", "Month", "Mois");
    pub(crate) const VIEW_WEEK: Self = Self("أسبوع", "Week", "Semaine");
    pub(crate) const VIEW_DAY: Self = Self("يوم", "Day", "Jour");
    pub(crate) const VIEW_PAST: Self = Self("سابقة", "Past", "Passés");
}
