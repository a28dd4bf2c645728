//! Names of weekdays and months, in each language.

use domain::{Language, recurrence::Weekday};

/// A name in each language: Arabic, English, French.
struct Name(&'static str, &'static str, &'static str);

impl Name {
    const fn text(&self, language: Language) -> &'static str {
        match language {
            Language::Arabic => self.0,
            Language::English => self.1,
            Language::French => self.2,
        }
    }
}

/// The name of a weekday; in Arabic with its article.
pub fn weekday_name(weekday: Weekday, language: Language) -> &'static str {
    WEEKDAYS[weekday.num_days_from_monday() as usize].text(language)
}

/// The name of a month from 1 to 12.
pub fn month_name(month: u32, language: Language) -> &'static str {
    let names = MONTHS.get(month.wrapping_sub(1) as usize);
    names.map_or("", |name| name.text(language))
}

const WEEKDAYS: [Name; 7] = [
    Name("الاثنين", "Monday", "lundi"),
    Name("الثلاثاء", "Tuesday", "mardi"),
    Name("الأربعاء", "Wednesday", "mercredi"),
    Name("الخميس", "Thursday", "jeudi"),
    Name("الجمعة", "Friday", "vendredi"),
    Name("السبت", "Saturday", "samedi"),
    Name("الأحد", "Sunday", "dimanche"),
];

const MONTHS: [Name; 12] = [
    Name("يناير", "January", "janvier"),
    Name("فبراير", "February", "février"),
    Name("مارس", "March", "mars"),
    Name("أبريل", "April", "avril"),
    Name("مايو", "May", "mai"),
    Name("يونيو", "June", "juin"),
    Name("يوليو", "July", "juillet"),
    Name("أغسطس", "August", "août"),
    Name("سبتمبر", "September", "septembre"),
    Name("أكتوبر", "October", "octobre"),
    Name("نوفمبر", "November", "novembre"),
    Name("ديسمبر", "December", "décembre"),
];
