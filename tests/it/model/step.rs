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
    Create {
        user: usize,
        kind: Kind,
        fields: Fields,
    },
    Update {
        user: usize,
        kind: Kind,
        number: Number,
        fields: Fields,
    },
    Delete {
        user: usize,
        kind: Kind,
        number: Number,
        force: bool,
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

impl Step {
    pub(super) fn random(dice: &mut Dice, model: &Model) -> Self {
        match dice.roll(20) {
            0 => Self::Wait { seconds: dice.pick(&[1, 59, 61, 3600, 30_000]) },
            1 if dice.once_in(3) => Self::Restart,
            2 | 3 => Self::Fault {
                row: 1 + dice.roll(12),
                write: Box::new(Self::random_write(dice, model, &[1, 1, 2, 3])),
            },
            4 => Self::Look,
            _ => Self::random_write(dice, model, &[0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 6, 7]),
        }
    }

    /// A write of one of these users.
    fn random_write(dice: &mut Dice, model: &Model, users: &[usize]) -> Self {
        let kind = dice.pick(&[
            Kind::Event,
            Kind::Event,
            Kind::Event,
            Kind::Event,
            Kind::Venue,
            Kind::Organizer,
            Kind::Category,
            Kind::Tag,
        ]);
        let user = dice.pick(users);
        let number = any_number(dice, model, kind);
        match dice.roll(10) {
            0..4 => Self::Create { user, kind, fields: Fields::new(dice, kind, model) },
            4..8 => Self::Update { user, kind, number, fields: Fields::some(dice, kind, model) },
            8 => Self::Delete { user, kind, number, force: false },
            _ => Self::Delete { user, kind, number, force: dice.once_in(2) },
        }
    }

    /// The write of a step that fails first; the step itself otherwise.
    pub(super) fn write(&self) -> &Self {
        match self {
            Self::Fault { write, .. } => write,
            step => step,
        }
    }
}
