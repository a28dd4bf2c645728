//! Faults of recurrences, in French. The names of parts are those of RFC 5545.

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
        RecurrenceFault::UnknownMember(name) => format!("le membre {name} est inconnu"),
        RecurrenceFault::RuleTwice => {
            "il faut rrule ou les éléments d’une règle, mais pas les deux".to_owned()
        }
    }
}

fn rule(bad: &InvalidRule) -> String {
    let text = match bad {
        InvalidRule::TooLong { chars } => {
            let bound = super::exceeds(Rule::MAX_CHARS, "caractères", *chars);
            return format!("la règle {bound}");
        }
        InvalidRule::Unknown { name } if name.is_empty() => "un élément de la règle est vide",
        InvalidRule::Unknown { name } => return format!("l’élément {name} est inconnu"),
        InvalidRule::Missing(part) => return format!("{part} manque"),
        InvalidRule::Twice(part) => return format!("{part} ne doit pas figurer deux fois"),
        InvalidRule::Value(part) => return format!("{part} doit être {}", allowed(*part)),
        InvalidRule::NotWith(one, other) => {
            return format!("{one} ne doit pas être combiné avec {other}");
        }
        InvalidRule::NotWithFrequency(part, frequency) => {
            let frequency = frequency.name().to_ascii_uppercase();
            return if *part == Part::Days {
                format!("{part} ne doit pas contenir de numéros avec FREQ={frequency}")
            } else {
                format!("{part} ne doit pas être combiné avec FREQ={frequency}")
            };
        }
        InvalidRule::PositionsAlone => "BYSETPOS doit être combiné avec un autre élément BY",
        InvalidRule::TooManyTimes => {
            let max = Rule::MAX_TIMES_PER_DAY;
            return format!(
                "BYHOUR et BYMINUTE ne doivent pas donner plus de {max} horaires par jour"
            );
        }
        InvalidRule::NoMissingDay => {
            "le dernier jour ne peut remplacer qu’un seul jour, de 29 à 31, d’un mois ou d’un mois par an"
        }
    };
    text.to_owned()
}

/// The values that a part takes.
const fn allowed(part: Part) -> &'static str {
    match part {
        Part::Frequency => "DAILY, WEEKLY, MONTHLY ou YEARLY",
        Part::Interval => "un nombre entier de 1 à 1000",
        Part::Count => "un nombre entier de 1 à 5000",
        Part::Until => "un jour, une heure locale ou une heure UTC suivie de Z",
        Part::Months => "une liste de nombres entiers de 1 à 12",
        Part::Weeks => "une liste de nombres entiers de 1 à 53, ou négatifs",
        Part::DaysOfYear | Part::Positions => {
            "une liste de nombres entiers de 1 à 366, ou négatifs"
        }
        Part::DaysOfMonth => "une liste de nombres entiers de 1 à 31, ou négatifs",
        Part::Days => {
            "MO, TU, WE, TH, FR, SA ou SU, avec un numéro de 1 à 5 dans un mois ou de 1 à 53 dans une année"
        }
        Part::Hours => "une liste de nombres entiers de 0 à 23",
        Part::Minutes | Part::Seconds => "une liste de nombres entiers de 0 à 59",
        Part::WeekStart => "MO, TU, WE, TH, FR, SA ou SU",
        Part::Scale => "GREGORIAN",
        Part::Skip => "OMIT",
    }
}

fn line(bad: &InvalidLine) -> String {
    match bad {
        InvalidLine::Unknown { name } => format!("la propriété {name} est inconnue"),
        InvalidLine::TwoRules => "une seule RRULE est permise".to_owned(),
        InvalidLine::Rule(bad) => rule(bad),
        InvalidLine::Parameter { name } => format!("le paramètre {name} est inconnu"),
        InvalidLine::Zone { name } => format!("le fuseau horaire {name} est inconnu"),
        InvalidLine::Period => "les périodes ne sont pas permises".to_owned(),
        InvalidLine::Value { name } => {
            format!("{name} doit être une liste de dates comme 20270316T190000")
        }
    }
}

fn dates(bad: InvalidRecurrence) -> String {
    let text = match bad {
        InvalidRecurrence::UntilBeforeStart => "UNTIL ne doit pas précéder le début",
        InvalidRecurrence::NotForAllDay(part) => return not_for_all_day(part),
        InvalidRecurrence::OtherSecond => "BYSECOND doit être la seconde du début",
        InvalidRecurrence::Never => "la règle doit donner une date en plus du début",
        InvalidRecurrence::TooManySlots => {
            let max = Recurrence::MAX_SLOTS;
            return format!("il ne doit pas y avoir plus de {max} dates");
        }
        InvalidRecurrence::TooManyDates => {
            let max = Recurrence::MAX_DATES;
            return format!(
                "il ne doit pas y avoir plus de {max} dates supplémentaires ni plus de {max} dates supprimées"
            );
        }
        InvalidRecurrence::NoneLeft => "il doit rester au moins une date",
        InvalidRecurrence::OutOfRange(reason) => {
            return format!("une des dates {}", super::date(reason));
        }
    };
    text.to_owned()
}

fn moved(bad: InvalidMove) -> String {
    match bad {
        InvalidMove::Contradicts(part) => {
            format!("{part} de la récurrence ne suit pas ce changement")
        }
        InvalidMove::NotForAllDay(part) => not_for_all_day(part),
        InvalidMove::OutOfRange => {
            "une date de la récurrence sortirait des années 1 à 9999".to_owned()
        }
    }
}

fn not_for_all_day(part: Part) -> String {
    format!("{part} ne convient pas à un événement de journées entières")
}

const fn split(bad: InvalidSplit) -> &'static str {
    match bad {
        InvalidSplit::First => "cette occurrence est la première date",
        InvalidSplit::Extra => "cette occurrence est une date supplémentaire",
        InvalidSplit::NoSlot => "cette occurrence n’est pas une date de la récurrence",
    }
}
