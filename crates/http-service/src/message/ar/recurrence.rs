//! Faults of recurrences, in Arabic. The names of parts are those of RFC 5545.

use app::fault::RecurrenceFault;
use domain::recurrence::{
    InvalidLine, InvalidMove, InvalidRecurrence, InvalidRule, InvalidSplit, Part, Recurrence, Rule,
};

pub(super) fn fault(bad: &RecurrenceFault) -> String {
    match bad {
        RecurrenceFault::Rule(bad) => rule(bad),
        RecurrenceFault::Line(bad) => line(bad),
        RecurrenceFault::Dates(bad) => dates(*bad),
        RecurrenceFault::Move(bad) => moved(*bad),
        RecurrenceFault::Split(bad) => split(*bad).to_owned(),
        RecurrenceFault::UnknownMember(name) => format!("العنصر {name} غير معروف"),
        RecurrenceFault::RuleTwice => "يجب إرسال rrule أو أجزاء القاعدة، لا كليهما".to_owned(),
    }
}

fn rule(bad: &InvalidRule) -> String {
    let text = match bad {
        InvalidRule::TooLong { chars } => {
            return super::exceeds("عدد أحرف القاعدة", Rule::MAX_CHARS, *chars);
        }
        InvalidRule::Unknown { name } if name.is_empty() => "أحد أجزاء القاعدة فارغ",
        InvalidRule::Unknown { name } => return format!("الجزء {name} غير معروف"),
        InvalidRule::Missing(part) => return format!("الجزء {part} مفقود"),
        InvalidRule::Twice(part) => return format!("يجب ألا يرد الجزء {part} مرتين"),
        InvalidRule::Value(part) => {
            return format!("يجب أن تكون قيمة {part} {}", allowed(*part));
        }
        InvalidRule::NotWith(one, other) => {
            return format!("يجب ألا يجتمع الجزءان {one} و{other}");
        }
        InvalidRule::NotWithFrequency(part, frequency) => {
            let frequency = frequency.name().to_ascii_uppercase();
            return if *part == Part::Days {
                format!("يجب ألا يحتوي {part} على أرقام مع FREQ={frequency}")
            } else {
                format!("يجب ألا يجتمع {part} مع FREQ={frequency}")
            };
        }
        InvalidRule::PositionsAlone => "يجب أن يقترن BYSETPOS بجزء آخر من أجزاء BY",
        InvalidRule::TooManyTimes => {
            let max = Rule::MAX_TIMES_PER_DAY;
            return format!("يجب ألا يتجاوز عدد المواعيد في اليوم من BYHOUR وBYMINUTE {max}");
        }
        InvalidRule::NoMissingDay => {
            "لا يحل آخر يوم إلا محل يوم واحد من 29 إلى 31، في كل شهر أو في شهر واحد من السنة"
        }
    };
    text.to_owned()
}

/// The values that a part takes.
const fn allowed(part: Part) -> &'static str {
    match part {
        Part::Frequency => "DAILY أو WEEKLY أو MONTHLY أو YEARLY",
        Part::Interval => "عددًا صحيحًا من 1 إلى 1000",
        Part::Count => "عددًا صحيحًا من 1 إلى 5000",
        Part::Until => "يومًا أو وقتًا محليًا أو وقتًا بالتوقيت العالمي UTC ينتهي بالحرف Z",
        Part::Months => "أعدادًا صحيحة من 1 إلى 12",
        Part::Weeks => "أعدادًا صحيحة من 1 إلى 53 أو سالبة",
        Part::DaysOfYear | Part::Positions => "أعدادًا صحيحة من 1 إلى 366 أو سالبة",
        Part::DaysOfMonth => "أعدادًا صحيحة من 1 إلى 31 أو سالبة",
        Part::Days => {
            "MO أو TU أو WE أو TH أو FR أو SA أو SU، مع رقم من 1 إلى 5 في الشهر أو من 1 إلى 53 في السنة"
        }
        Part::Hours => "أعدادًا صحيحة من 0 إلى 23",
        Part::Minutes | Part::Seconds => "أعدادًا صحيحة من 0 إلى 59",
        Part::WeekStart => "MO أو TU أو WE أو TH أو FR أو SA أو SU",
        Part::Scale => "GREGORIAN",
        Part::Skip => "OMIT",
    }
}

fn line(bad: &InvalidLine) -> String {
    match bad {
        InvalidLine::Unknown { name } => format!("الخاصية {name} غير معروفة"),
        InvalidLine::TwoRules => "يُسمح بقاعدة RRULE واحدة فقط".to_owned(),
        InvalidLine::Rule(bad) => rule(bad),
        InvalidLine::Parameter { name } => format!("المعامل {name} غير معروف"),
        InvalidLine::Zone { name } => format!("المنطقة الزمنية {name} غير معروفة"),
        InvalidLine::Period => "الفترات غير مسموح بها".to_owned(),
        InvalidLine::Value { name } => {
            format!("يجب أن تكون قيمة {name} تواريخ مثل 20270316T190000")
        }
    }
}

fn dates(bad: InvalidRecurrence) -> String {
    let text = match bad {
        InvalidRecurrence::UntilBeforeStart => "يجب ألا يسبق UNTIL البداية",
        InvalidRecurrence::NotForAllDay(part) => return not_for_all_day(part),
        InvalidRecurrence::OtherSecond => "يجب أن تكون قيمة BYSECOND ثانية البداية",
        InvalidRecurrence::Never => "يجب أن تعطي القاعدة موعدًا غير موعد البداية",
        InvalidRecurrence::TooManySlots => {
            return super::at_most("عدد المواعيد", Recurrence::MAX_SLOTS);
        }
        InvalidRecurrence::TooManyDates => {
            let max = Recurrence::MAX_DATES;
            return format!(
                "يجب ألا يتجاوز عدد المواعيد الإضافية {max} ولا عدد المواعيد المحذوفة {max}"
            );
        }
        InvalidRecurrence::NoneLeft => "يجب أن يبقى موعد واحد على الأقل",
        InvalidRecurrence::OutOfRange(reason) => {
            return format!("أحد التواريخ: {}", super::date(reason));
        }
    };
    text.to_owned()
}

fn moved(bad: InvalidMove) -> String {
    match bad {
        InvalidMove::Contradicts(part) => format!("لا يتبع {part} في قاعدة التكرار هذا التغيير"),
        InvalidMove::NotForAllDay(part) => not_for_all_day(part),
        InvalidMove::OutOfRange => "سيخرج أحد مواعيد التكرار عن السنوات من 1 إلى 9999".to_owned(),
    }
}

fn not_for_all_day(part: Part) -> String {
    format!("لا يناسب {part} فعالية تستغرق أيامًا كاملة")
}

const fn split(bad: InvalidSplit) -> &'static str {
    match bad {
        InvalidSplit::First => "هذا الموعد هو الأول في السلسلة",
        InvalidSplit::Extra => "هذا موعد إضافي",
        InvalidSplit::NoSlot => "ليس هذا من مواعيد السلسلة",
    }
}
