//! Random writes, for tests of copies. The server may refuse them, and may be away.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use serde_json::Value;

use crate::{TIMEOUT, server::send_form};

/// A word that only private texts have.
pub(crate) const CANARY: &str = "canary";

/// The numbers of acknowledged writes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Done {
    /// Writes of records that happen once.
    records: u32,
    /// Writes of series as a whole.
    series: u32,
    /// Writes of single dates of series.
    dates: u32,
    merged: u32,
    undone: u32,
}

impl Done {
    pub(crate) fn add(&mut self, other: &Self) {
        self.records += other.records;
        self.series += other.series;
        self.dates += other.dates;
        self.merged += other.merged;
        self.undone += other.undone;
    }

    /// Fails unless something of each sort was written.
    pub(crate) fn check(&self) {
        let Self {
            records,
            series,
            dates,
            merged,
            undone,
        } = *self;
        let all = [records, series, dates, merged, undone];
        assert!(all.iter().all(|number| *number > 0), "{self:?}");
    }
}

/// A writer with dice of its own.
struct Writer<'a> {
    address: &'a str,
    token: &'a str,
    number: u64,
}

impl Writer<'_> {
    /// A random number.
    fn roll(&mut self) -> u64 {
        self.number = self
            .number
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        self.number >> 33
    }

    /// Sends a request below the namespace. Returns the answer to a write that was acknowledged.
    fn send(&self, request: &str, form: &str) -> Option<Value> {
        let (method, path) = request.split_once(' ').unwrap();
        let request = format!("{method} /cal/events/v1/{path}");
        match send_form(self.address, &request, self.token, form) {
            Some((200..300, body)) => serde_json::from_str(&body).ok(),
            Some(_) => None,
            None => {
                std::thread::sleep(Duration::from_millis(20));
                None
            }
        }
    }

    /// Changes a series: its rule, its time or its status, or the series stops repeating.
    fn change_series(&mut self, Series { id, day }: Series) -> Option<Value> {
        let path = format!("events/{id}");
        let form = match self.roll() % 6 {
            0 => "recurrence=FREQ%3DWEEKLY%3BCOUNT%3D2".to_owned(),
            1 => format!(
                "start_date=2040-01-{day:02}+12:00&end_date=2040-01-{day:02}+13:00&title=Later"
            ),
            2 => "recurrence=".to_owned(),
            3 => return self.send(&format!("DELETE {path}"), ""),
            4 => "status=publish&description=".to_owned(),
            _ => format!("status=private&description={CANARY}"),
        };
        self.send(&format!("PUT {path}"), &form)
    }

    /// Changes one date of a series, or this and all later ones.
    fn change_date(&mut self, Series { id, day }: Series) -> Option<Value> {
        let week = self.roll() % 3;
        let slot = day + 7 * week;
        let path = format!("events/{id}/occurrences/2040-01-{slot:02}T10:00:00");
        let pick = self.roll();
        let (request, form) = match pick % 6 {
            0 => (format!("DELETE {path}"), String::new()),
            1 => (format!("PUT {path}"), "cancelled=true".to_owned()),
            2 => (
                format!("PUT {path}?scope=following"),
                format!("title=Split+{pick}"),
            ),
            3 => (format!("PUT {path}"), "detach=true".to_owned()),
            4 => (format!("PUT {path}"), format!("title=Special+{pick}")),
            _ => (
                format!("PUT {path}"),
                format!("start_date=2040-02-{slot:02}+18:00&end_date=2040-02-{slot:02}+19:00"),
            ),
        };
        self.send(&request, &form)
    }
}

/// A series that begins on a day of January 2040.
#[derive(Clone, Copy)]
struct Series {
    id: u64,
    day: u64,
}

/// Sends writes of several kinds until the flag is set.
pub(crate) fn write(address: &str, token: &str, seed: u64, is_over: &AtomicBool) -> Done {
    let mut writer = Writer {
        address,
        token,
        number: seed,
    };
    let (mut done, mut series) = (Done::default(), Vec::new());
    while !is_over.load(Ordering::SeqCst) {
        let pick = writer.roll();
        // Events that look alike, and some others.
        let (id, day) = (pick % 80 + 1, pick % 7 + 1);
        let status = ["publish", "draft", "private"][(pick % 3) as usize];
        let secret = if status == "publish" { "" } else { CANARY };
        let event = format!(
            "title=Fair+{pick}&description={secret}&status={status}&start_date=2040-01-{day:02}+10:00\
             &end_date=2040-01-{day:02}+11:00&venue%5Bvenue%5D=Mill+{}&tags=t{}",
            pick % 5,
            pick % 7
        );
        let index = usize::try_from(pick).unwrap() % series.len().max(1);
        let one = series.get(index).copied();
        let (request, form) = match (writer.roll() % 9, one) {
            (0, _) => (format!("DELETE events/{id}"), String::new()),
            (1, _) => (
                format!("DELETE venues/{}?force=true", pick % 5 + 1),
                String::new(),
            ),
            (2, _) => (
                format!("PUT events/{id}"),
                format!("status={status}&description={secret}"),
            ),
            (3, _) => ("POST categories".to_owned(), format!("name=C+{}", pick % 9)),
            (4, Some(one)) => {
                done.series += u32::from(writer.change_series(one).is_some());
                continue;
            }
            (5, Some(one)) => {
                done.dates += u32::from(writer.change_date(one).is_some());
                continue;
            }
            (4..=6, _) => {
                let form = format!("{event}&recurrence=FREQ%3DWEEKLY%3BCOUNT%3D4");
                let made = writer.send("POST events", &form);
                let id = made.and_then(|made| made["id"].as_u64());
                series.extend(id.map(|id| Series { id, day }));
                continue;
            }
            _ => ("POST events".to_owned(), event),
        };
        done.records += u32::from(writer.send(&request, &form).is_some());
    }
    done
}

/// Events that look alike: as many pairs.
const PAIRS: u32 = 28;

/// Adds events that look alike.
pub(crate) fn look_alike(address: &str, token: &str) {
    let writer = Writer {
        address,
        token,
        number: 0,
    };
    for day in 1..=PAIRS {
        let status = if day % 3 == 0 { "draft" } else { "publish" };
        let secret = if day % 3 == 0 { CANARY } else { "" };
        for more in [
            "title=Jazz+night".to_owned(),
            format!("title=Night+of+jazz+in+Lyon&status={status}&description={secret}"),
        ] {
            let form = format!(
                "{more}&start_date=2041-02-{day:02}+19:00&end_date=2041-02-{day:02}+21:00\
                 &venue%5Bvenue%5D=Old+Mill"
            );
            assert!(writer.send("POST events", &form).is_some());
        }
    }
}

/// Merges pairs that were found, and undoes half of the merges, until the flag is set and both were done.
pub(crate) fn merge(address: &str, token: &str, is_over: &AtomicBool) -> Done {
    let mut writer = Writer {
        address,
        token,
        number: 99,
    };
    let mut done = Done::default();
    let started = Instant::now();
    let is_done =
        |done: &Done| is_over.load(Ordering::SeqCst) && done.merged > 0 && done.undone > 0;
    while !is_done(&done) && started.elapsed() < TIMEOUT {
        let list = writer.send("GET duplicates?state=open&per_page=20", "");
        let list = list.as_ref().and_then(|list| list["duplicates"].as_array());
        for pair in list.into_iter().flatten() {
            let (path, pick) = (format!("POST duplicates/{}", pair["id"]), writer.roll());
            let keep = &pair["records"][(pick % 2) as usize]["id"];
            let merged = writer.send(&format!("{path}/merge"), &format!("keep={keep}"));
            done.merged += u32::from(merged.is_some());
            if merged.is_some() && done.merged > 2 * done.undone {
                let undone = writer.send(&format!("{path}/undo"), "");
                done.undone += u32::from(undone.is_some());
            }
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    done
}
