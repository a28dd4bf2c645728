//! The names of the views.

use crate::pages::words::Word;

impl Word {
    pub(in crate::pages) const VIEWS: Self =
        Self("عروض التقويم", "Calendar views", "Vues de l’agenda");
    pub(in crate::pages) const VIEW_LIST: Self = Self("قائمة", "List", "Liste");
    pub(in crate::pages) const VIEW_MONTH: Self = Self("شهر", "Month", "Mois");
    pub(in crate::pages) const VIEW_WEEK: Self = Self("أسبوع", "Week", "Semaine");
    pub(in crate::pages) const VIEW_DAY: Self = Self("يوم", "Day", "Jour");
    pub(in crate::pages) const VIEW_PAST: Self = Self("سابقة", "Past", "Passés");
}
