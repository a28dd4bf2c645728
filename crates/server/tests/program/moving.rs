//! `import tec` as an operator runs it.

use std::process::Stdio;

use serde_json::json;
use tests::old_site::{LOGIN, OldSite};
use tokio::runtime::Runtime;

use super::server::Installation;

/// A dry run, a run that is killed, and a run that ends, beside a server on the same database.
#[test]
fn a_site_moves_beside_a_server() {
    let runtime = Runtime::new().unwrap();
    let site = runtime.block_on(OldSite::start());
    site.fill(120);
    site.add(
        "events",
        json!({"id": 1, "title": "Draft", "status": "draft"}),
    );
    let installation = Installation::sqlite();
    let server = installation.serve(&[]);
    let [name, password] = LOGIN;
    let url = site.url();
    let import = [
        "import",
        "tec",
        &url,
        "--allow-private-hosts",
        "--login",
        name,
    ];
    let run = |more: &[&str]| {
        let mut command = installation.command(&[&import, more].concat());
        command.env("EVENTS_CALENDAR_SITE_PASSWORD", password);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    };
    let said = |more: &[&str]| {
        let ended = run(more).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (ended.status.code(), text(ended.stdout), text(ended.stderr))
    };
    let all = || server.total("events?start_date=1900-01-01&end_date=2999-01-01&per_page=1");

    let (code, report, remarks) = said(&["--dry-run"]);
    assert_eq!((code, all()), (Some(0), 0), "{report}{remarks}");
    assert!(
        report.contains("events      121      0        0          0\n"),
        "{report}"
    );
    assert!(
        report.ends_with("Nothing was written: this was a dry run.\n"),
        "{report}"
    );

    let mut process = run(&[]).spawn().unwrap();
    while all() < 5 {
        assert!(
            process.try_wait().unwrap().is_none(),
            "it is killed in the middle"
        );
    }
    process.kill().unwrap();
    process.wait().unwrap();
    assert!((5..120).contains(&all()));

    let (code, report, remarks) = said(&[]);
    assert_eq!((code, all()), (Some(0), 120), "{report}{remarks}");
    let (code, report, _) = said(&[]);
    assert_eq!(code, Some(0));
    assert!(
        report.contains("events      0        0        121        0\n"),
        "{report}"
    );
    assert!(report.ends_with("Nothing changed.\n"), "{report}");

    let (code, _, remarks) = said(&["--map-author", "ada"]);
    assert_eq!(code, Some(2), "{remarks}");
    let public = installation.run(&["import", "tec", &url]);
    assert_eq!(public.code, Some(1));
    assert!(
        public.stderr.contains("at a public address"),
        "{}",
        public.stderr
    );
    server.stop();
}
