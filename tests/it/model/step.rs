//! The steps of a run.

use domain::Kind;
use port_tests::Dice;

use super::{
    fields::{Fields, Number, any_number},
    state::Model,
};

/// One step. Users are numbered from 1; 0 is an anonymous caller.
#[derive(Clone, Debug)]
pub(super) enum Step {
    /// A new record; an event with [`Fields::days`] is a series, whose occurrences get the next numbers.
    Create {
        user: usize,
        kind: Kind,
        fields: Fields,
    },
    Update {
        user: usize,
        kind: Kind,
        number: Number,
        condition: Condition,
        fields: Fields,
    },
    /// The series of an occurrence splits before it (`scope=following`), and the second half, a new series, changes.
    Split {
        user: usize,
        number: Number,
        condition: Condition,
        fields: Fields,
    },
    Delete {
        user: usize,
        kind: Kind,
        number: Number,
        condition: Condition,
        force: bool,
    },
    /// A client notes the entity tag of a record.
    Note {
        kind: Kind,
        number: Number,
    },
    /// The clock moves.
    Wait {
        seconds: i64,
    },
    /// The service starts anew, over the same store.
    Restart,
    /// A write of which the n-th change of a row fails, and that the client sends again.
    Fault {
        row: usize,
        write: Box<Step>,
    },
    /// Nothing is written; each step is followed by random reads.
    Look,
}

/// The state of the record that a write expects: `If-Match`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Condition {
    /// Any, without the header.
    None,
    /// Any: `*`.
    Exists,
    /// The state with the entity tag that was noted last.
    Noted,
    /// A state that no record has.
    Unknown,
}

impl Condition {
    fn random(dice: &mut Dice) -> Self {
        match dice.roll(8) {
            0 | 1 => Self::Noted,
            2 => Self::Exists,
            3 if dice.once_in(3) => Self::Unknown,
            _ => Self::None,
        }
    }
}

impl Step {
    /// A step that a state [admits](Self::is_possible).
    pub(super) fn random(dice: &mut Dice, model: &Model) -> Self {
        let step = match dice.roll(20) {
            0 => Self::Wait { seconds: dice.pick(&[1, 59, 61, 3600, 30_000]) },
            1 if dice.once_in(3) => Self::Restart,
            2 | 3 => Self::Fault {
                row: 1 + dice.roll(12),
                write: Box::new(Self::random_write(dice, model, &[1, 1, 2, 3])),
            },
            4 => Self::Look,
            5 | 6 => {
                let kind = random_kind(dice);
                Self::Note { kind, number: any_number(dice, model, kind) }
            }
            _ => Self::random_write(dice, model, &[0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 6, 7]),
        };
        if step.is_possible(model) { step } else { Self::Look }
    }

    /// A write of one of these users.
    fn random_write(dice: &mut Dice, model: &Model, users: &[usize]) -> Self {
        let kind = random_kind(dice);
        let user = dice.pick(users);
        let number = any_number(dice, model, kind);
        let condition = Condition::random(dice);
        let is_occurrence = kind == Kind::Event && model.is_occurrence(number);
        match dice.roll(10) {
            0..4 => Self::Create { user, kind, fields: Fields::new(dice, kind, model) },
            4..8 => {
                let splits = is_occurrence && dice.once_in(3);
                let mut fields = Fields::some(dice, kind, model);
                if is_occurrence && !splits {
                    fields.keep_own();
                } else if model.is_series(kind, number) || splits {
                    fields.when = None;
                }
                if model.language(kind, number).is_some_and(|one| one != fields.language()) {
                    fields.set_apart(model);
                }
                if splits {
                    Self::Split { user, number, condition, fields }
                } else {
                    Self::Update { user, kind, number, condition, fields }
                }
            }
            8 => Self::Delete { user, kind, number, condition, force: false },
            _ => Self::Delete { user, kind, number, condition, force: dice.once_in(2) },
        }
    }

    /// The write of a step that fails first; the step itself otherwise.
    pub(super) fn write(&self) -> &Self {
        match self {
            Self::Fault { write, .. } => write,
            step => step,
        }
    }

    /// Whether the model knows the result of a step. It does not know moved series, series that begin in the trash, and
    /// writes on occurrences in the trash.
    pub(super) fn is_possible(&self, model: &Model) -> bool {
        match self.write() {
            Self::Create { fields, .. } => fields.days.is_none() || !fields.is_trash(),
            Self::Update { kind: Kind::Event, number, fields, .. } => {
                if model.is_occurrence(*number) {
                    fields.are_own() && model.is_held(*number)
                } else {
                    fields.when.is_none() || !model.is_series(Kind::Event, *number)
                }
            }
            Self::Split { number, fields, .. } => {
                fields.when.is_none() && model.is_held(*number) && model.splits(*number)
            }
            Self::Delete { kind: Kind::Event, number, .. } => {
                !model.is_occurrence(*number) || model.is_held(*number)
            }
            _ => true,
        }
    }
}

fn random_kind(dice: &mut Dice) -> Kind {
    dice.pick(&[
        Kind::Event,
        Kind::Event,
        Kind::Event,
        Kind::Event,
        Kind::Venue,
        Kind::Organizer,
        Kind::Category,
        Kind::Tag,
    ])
}
