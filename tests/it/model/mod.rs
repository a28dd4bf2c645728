//! A model behind the tests: random steps of several callers drive the service, and a plain model of the calendar answers every
//! write, list, filter, total and right too.
//!
//! The steps create, change and delete records, series with single occurrences among them, split series, write texts in
//! each language, expect states of records by `If-Match`, move the clock, start the service anew, and let the n-th changed
//! row of a write fail. After each step, reads of random callers in random languages are compared. A run that diverges is shortened, and its seed is kept in
//! `proptest-regressions`, from where it runs first.

mod faults;
mod fields;
mod query;
mod series;
mod service;
mod state;
mod step;
mod writes;

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::Instant,
};

use domain::Kind;
use port_tests::{Dice, rounds, steps};
use proptest::{
    prelude::{BoxedStrategy, Just, Strategy, any},
    test_runner::Config,
};
use proptest_state_machine::{ReferenceStateMachine, StateMachineTest};
use serde_json::json;
use tests::{
    app::TestApp,
    both_stores,
    db::{TestDb, postgres_server},
};

use self::{faults::Faults, service::Driven, state::Model, step::Step};

/// The greatest number of steps of a run.
const LONGEST: usize = 200;

/// The longest time for which a failed run is shrunk, in milliseconds.
const MAX_SHRINK_TIME: u32 = 120_000;

/// The name of the lists of a kind.
const fn list_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Event => "events",
        Kind::Venue => "venues",
        Kind::Organizer => "organizers",
        Kind::Category => "categories",
        Kind::Tag => "tags",
    }
}

/// The steps, and the model that follows them.
#[derive(Debug)]
struct Calendar;

impl ReferenceStateMachine for Calendar {
    type State = Model;
    type Transition = Step;

    fn init_state() -> BoxedStrategy<Model> {
        Just(Model::new()).boxed()
    }

    fn transitions(model: &Model) -> BoxedStrategy<Step> {
        let model = model.clone();
        // A shorter run is a simpler one; another number would only be another step.
        let step = any::<u64>().prop_map(move |seed| Step::random(&mut Dice(seed), &model));
        step.no_shrink().boxed()
    }

    fn preconditions(model: &Model, step: &Step) -> bool {
        step.is_possible(model)
    }

    fn apply(model: Model, step: &Step) -> Model {
        model.after(step)
    }
}

/// The kinds of stores.
trait Stores {
    async fn driven() -> Driven;
}

#[derive(Debug)]
struct InMemory;

impl Stores for InMemory {
    async fn driven() -> Driven {
        Driven::in_memory().await
    }
}

#[derive(Debug)]
struct Sqlite;

impl Stores for Sqlite {
    async fn driven() -> Driven {
        Driven::over(TestDb::sqlite().await).await
    }
}

#[derive(Debug)]
struct Postgres;

impl Stores for Postgres {
    async fn driven() -> Driven {
        Driven::over(TestDb::postgres().await.unwrap()).await
    }
}

/// The service over one kind of store, driven by the steps.
#[derive(Debug)]
struct Machine<S>(std::marker::PhantomData<S>);

/// A service with its runtime.
struct Running {
    runtime: tokio::runtime::Runtime,
    service: Driven,
}

impl<S: Stores> StateMachineTest for Machine<S> {
    type SystemUnderTest = Running;
    type Reference = Calendar;

    fn init_test(_: &Model) -> Running {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let service = runtime.block_on(S::driven());
        Running { runtime, service }
    }

    fn apply(mut running: Running, model: &Model, step: Step) -> Running {
        running.runtime.block_on(running.service.take(model, &step));
        running
    }
}

/// Drives a service over a kind of store; `usual` is the number of runs, unless [`port_tests::STEPS`] asks for a number of steps.
fn drive<S: Stores>(usual: usize) {
    let (wanted, cases) = match steps() {
        Some(wanted) => (wanted, wanted / LONGEST + 1),
        None => (0, rounds(usual)),
    };
    let cases = u32::try_from(cases).unwrap();
    let config = Config {
        cases,
        source_file: Some(file!()),
        max_shrink_time: MAX_SHRINK_TIME,
        ..Config::default()
    };
    let (begin, taken) = (Instant::now(), AtomicUsize::new(0));
    loop {
        let mut runner = proptest::test_runner::TestRunner::new(config.clone());
        let runs = Calendar::sequential_strategy(1..LONGEST);
        let done = runner.run(&runs, |(model, steps, seen)| {
            taken.fetch_add(steps.len(), Ordering::Relaxed);
            Machine::<S>::test_sequential(config.clone(), model, steps, seen);
            Ok(())
        });
        if let Err(error) = done {
            panic!("the service and its model differ: {error}");
        }
        let (taken, seconds) = (taken.load(Ordering::Relaxed), begin.elapsed().as_secs_f64());
        eprintln!("{taken} steps in {seconds:.0} s");
        if taken >= wanted {
            break;
        }
    }
}

#[test]
fn the_service_in_memory_follows_its_model() {
    drive::<InMemory>(16);
}

#[test]
fn the_service_on_sqlite_follows_its_model() {
    drive::<Sqlite>(8);
}

#[test]
fn the_service_on_postgres_follows_its_model() {
    if postgres_server().is_some() {
        drive::<Postgres>(4);
    }
}

/// A changed row that fails refuses the write, whichever row it is, and nothing of the write stays.
#[both_stores]
async fn a_row_that_fails_refuses_the_write(app: &TestApp) {
    let faults = Faults::install(&app.db.url).await;
    let fair = json!({"title": "Fair", "venue": {"venue": "Old Mill"}, "tags": ["Loud"]});
    let mut refused = 0;
    for row in 1.. {
        faults.arm(row).await;
        let answer = app.admin().try_event(fair.clone()).await;
        faults.disarm().await;
        if answer.status == 201 {
            break;
        }
        assert_eq!(answer.status, 500, "{}", answer.text());
        for list in ["events", "venues", "tags?hide_empty=false"] {
            let list = app.admin().get(&format!("/{list}")).await;
            assert_eq!(list.json()["total"], 0, "{row}: {}", list.text());
        }
        refused += 1;
    }
    assert!(refused > 5, "{refused}");
}
