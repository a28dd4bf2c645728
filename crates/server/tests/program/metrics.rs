//! The metrics, and the readiness.

use std::{
    collections::BTreeSet,
    io::{Read, Write},
    net::TcpStream,
};

use crate::server::Installation;

/// The text that `/metrics` answers at the address in the banner.
fn scrape(said: &str) -> String {
    let (_, rest) = said
        .split_once("Metrics")
        .expect("the address of the metrics");
    let url = rest.split_whitespace().next().unwrap();
    let address = url
        .strip_prefix("http://")
        .unwrap()
        .strip_suffix("/metrics")
        .unwrap();
    let mut stream = TcpStream::connect(address).unwrap();
    stream
        .write_all(b"GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    assert!(head.contains("text/plain; version=0.0.4"), "{head}");
    body.to_owned()
}

/// The value of a series.
fn value(metrics: &str, series: &str) -> f64 {
    let line = metrics
        .lines()
        .find_map(|line| line.strip_prefix(series)?.strip_prefix(' '));
    let line = line.unwrap_or_else(|| panic!("no {series} in {metrics}"));
    line.parse().unwrap()
}

/// Requests are counted by the template of their route, in the cache and behind it; each metric is in the documentation.
fn are_counted(installation: &Installation) {
    let server = installation.serve(&["--metrics-listen", "127.0.0.1:0"]);
    for _ in 0..3 {
        assert_eq!(server.get("/cal/events/v1/events").0, 200);
        assert_eq!(server.get("/cal/events/v1/events/99").0, 404);
        assert_eq!(server.get("/nowhere/at/all").0, 404);
    }
    assert_eq!(server.get("/readyz").0, 200);
    let metrics = scrape(&server.said);
    let requests = |route: &str, status: u16| {
        let labels = format!("route=\"{route}\",method=\"GET\",status=\"{status}\"");
        value(
            &metrics,
            &format!("events_calendar_http_requests_total{{{labels}}}"),
        )
    };
    assert!((requests("/cal/events/v1/events", 200) - 3.0).abs() < f64::EPSILON);
    assert!((requests("/cal/events/v1/events/{id}", 404) - 3.0).abs() < f64::EPSILON);
    assert!((requests("none", 404) - 3.0).abs() < f64::EPSILON);
    assert!(value(&metrics, "events_calendar_database_up") > 0.5);
    assert!(value(&metrics, "events_calendar_writes_failing") < 0.5);
    assert!(value(&metrics, "process_resident_memory_bytes") > 1e6);

    let names: BTreeSet<_> = metrics
        .lines()
        .filter_map(|line| line.strip_prefix("# TYPE ")?.split(' ').next())
        .collect();
    let page = include_str!("../../../../docs/METRICS.md");
    for name in &names {
        assert!(
            page.contains(&format!("`{name}`")),
            "{name} is not in docs/METRICS.md"
        );
    }
    let series = metrics
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty());
    assert!(series.count() < 500);
    server.stop();
}

#[test]
fn requests_are_counted_on_sqlite() {
    are_counted(&Installation::sqlite());
}

#[test]
fn requests_are_counted_on_postgres() {
    if let Some(installation) = Installation::postgres() {
        are_counted(&installation);
    }
}
