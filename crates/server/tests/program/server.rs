//! The program as a running process.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
    sync::{
        Mutex,
        mpsc::{Receiver, channel},
    },
    time::Duration,
};

use serde_json::Value;
use tempfile::TempDir;
use tests::db::TestDb;

pub(crate) fn program(folder: &Path, database: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_events-calendar"));
    command
        .current_dir(folder)
        .env("EVENTS_CALENDAR_DATABASE_URL", database)
        .env("EVENTS_CALENDAR_LISTEN", "127.0.0.1:0")
        .stdin(Stdio::null());
    command
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A running server, which is killed when it is dropped.
pub(crate) struct Server {
    pub(crate) child: Child,
    pub(crate) address: String,
    pub(crate) said: String,
    /// The rest of its output at the start.
    pub(crate) rest: Mutex<Receiver<String>>,
}

impl Server {
    pub(crate) fn start(folder: &Path, database: &str) -> Self {
        Self::run(program(folder, database).arg("serve").stderr(Stdio::null()))
    }

    /// Starts a server by a command.
    pub(crate) fn run(command: &mut Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut said = String::new();
        let address = loop {
            let line = lines
                .next()
                .expect("the server says where it listens")
                .unwrap();
            said.push_str(&line);
            said.push('\n');
            if let Some((_, address)) = line.split_once("listening on ") {
                break address.to_owned();
            }
        };
        let (sender, rest) = channel();
        // Later output must not fill the pipe.
        std::thread::spawn(move || {
            let mut start = String::new();
            for line in lines.map_while(Result::ok) {
                start.push_str(&line);
                start.push('\n');
                if line.contains("  Images ") {
                    let _ = sender.send(start.clone());
                }
            }
        });
        Self {
            child,
            address,
            said,
            rest: Mutex::new(rest),
        }
    }

    /// Status and body of a `GET`.
    pub(crate) fn get(&self, path: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(30)))
            .unwrap();
        write!(
            stream,
            "GET {path} HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n"
        )
        .unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let answer = text(&answer);
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        (status, body.to_owned())
    }

    pub(crate) fn list(&self, query: &str) -> Value {
        let (status, body) = self.get(&format!("/cal/events/v1/{query}"));
        assert_eq!(status, 200, "{query}: {body}");
        serde_json::from_str(&body).unwrap()
    }

    /// Sends SIGTERM to the server, and waits for its end.
    pub(crate) fn stop(mut self) -> ExitStatus {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").arg(pid).status().unwrap().success());
        self.child.wait().unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(crate) fn sqlite() -> (TempDir, String) {
    let folder = TempDir::new().unwrap();
    let url = format!("sqlite://{}/calendar.db", folder.path().display());
    (folder, url)
}

/// A database of the PostgreSQL server for tests, if there is one.
pub(crate) fn postgres() -> Option<TestDb> {
    tokio::runtime::Runtime::new()
        .unwrap()
        .block_on(TestDb::postgres())
}
