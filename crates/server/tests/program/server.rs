//! The program as a process, with a folder and a database of its own.

use std::{
    ffi::OsStr,
    fs::File,
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

use serde_json::Value;
use tempfile::TempDir;
use tests::db::TestDb;

/// The program.
pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_events-calendar");

/// The file with the log of servers, in the working folder.
const SERVER_LOG: &str = "server.log";

/// The working folder of the program and its database. Both are deleted after the test.
pub(crate) struct Installation {
    folder: TempDir,
    pub(crate) database: String,
    _postgres: Option<TestDb>,
}

/// The result of a command that has ended.
pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ended {
    /// The only line of a command that failed with this code.
    #[track_caller]
    pub(crate) fn failed(self, code: i32) -> String {
        assert_eq!(self.code, Some(code), "{}", self.stderr);
        assert_eq!(self.stderr.lines().count(), 1, "{}", self.stderr);
        assert_eq!(self.stdout, "");
        self.stderr
    }
}

impl From<Output> for Ended {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: text(&output.stdout),
            stderr: text(&output.stderr),
        }
    }
}

impl Installation {
    /// An installation with an SQLite file that does not exist yet.
    pub(crate) fn sqlite() -> Self {
        let mut installation = Self::over(String::new());
        let file = installation.path("calendar.db");
        installation.database = format!("sqlite://{}", file.display());
        installation
    }

    /// An installation with a database of the PostgreSQL server for tests, if there is one.
    pub(crate) fn postgres() -> Option<Self> {
        let db = block_on(TestDb::postgres())?;
        let url = db.url.clone();
        Some(Self {
            _postgres: Some(db),
            ..Self::over(url)
        })
    }

    /// An installation over a database that exists.
    pub(crate) fn over(database: String) -> Self {
        Self {
            folder: TempDir::new().unwrap(),
            database,
            _postgres: None,
        }
    }

    /// The URL of the database.
    pub(crate) fn database(&self) -> &str {
        &self.database
    }

    /// A file in the folder.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The text of a file in the folder.
    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    /// The token of the first administrator.
    pub(crate) fn token(&self) -> String {
        self.read("events-calendar.token").trim().to_owned()
    }

    /// A command in the folder, with the settings of this installation in its environment.
    pub(crate) fn configured(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(&self.folder)
            .env("EVENTS_CALENDAR_DATABASE_URL", &self.database)
            .env("EVENTS_CALENDAR_LISTEN", "127.0.0.1:0")
            .stdin(Stdio::null());
        command
    }

    /// A command of the program.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.configured(PROGRAM);
        command.args(arguments);
        command
    }

    /// Runs a command to its end.
    pub(crate) fn run(&self, arguments: &[&str]) -> Ended {
        self.command(arguments).output().unwrap().into()
    }

    /// The output of a command that succeeds.
    #[track_caller]
    pub(crate) fn said(&self, arguments: &[&str]) -> String {
        let ended = self.run(arguments);
        assert_eq!(ended.code, Some(0), "{arguments:?}: {}", ended.stderr);
        ended.stdout
    }

    /// The command of a server, which writes its log into a file.
    pub(crate) fn server(&self, arguments: &[&str]) -> Command {
        let mut command = self.command(&[&["serve"], arguments].concat());
        let log = self.path(SERVER_LOG);
        command.stderr(File::options().create(true).append(true).open(log).unwrap());
        command
    }

    /// Starts a server.
    pub(crate) fn serve(&self, arguments: &[&str]) -> Server {
        Server::run(&mut self.server(arguments))
    }

    /// A new file in the folder, for the log of a server.
    pub(crate) fn log(&self, name: &str) -> File {
        File::create(self.path(name)).unwrap()
    }
}

/// A running server, which is killed when it is dropped.
pub(crate) struct Server {
    pub(crate) child: Child,
    pub(crate) address: String,
    /// Its output at the start.
    pub(crate) said: String,
    folder: PathBuf,
}

impl Server {
    /// Starts a server by a command, and waits until it listens.
    pub(crate) fn run(command: &mut Command) -> Self {
        Self::spawn(command).listening()
    }

    /// Starts servers at once.
    pub(crate) fn run_all<const N: usize>(commands: [Command; N]) -> [Self; N] {
        let spawned = commands.map(|mut command| Self::spawn(&mut command));
        spawned.map(Self::listening)
    }

    fn spawn(command: &mut Command) -> Self {
        Self {
            child: command.stdout(Stdio::piped()).spawn().unwrap(),
            address: String::new(),
            said: String::new(),
            folder: command.get_current_dir().unwrap().to_owned(),
        }
    }

    /// Waits for the lines about the address and the storage.
    fn listening(mut self) -> Self {
        let mut out = BufReader::new(self.child.stdout.take().unwrap());
        while !self.said.contains("  Images ") {
            let length = out.read_line(&mut self.said).unwrap();
            assert_ne!(length, 0, "the server did not start: {}", self.log());
        }
        let (_, address) = self.said.split_once("listening on ").unwrap();
        self.address = address.lines().next().unwrap().to_owned();
        // Later output must not fill the pipe.
        std::thread::spawn(move || std::io::copy(&mut out, &mut std::io::sink()));
        self
    }

    /// The log, unless the test writes it elsewhere.
    fn log(&self) -> String {
        std::fs::read_to_string(self.folder.join(SERVER_LOG)).unwrap_or_default()
    }

    pub(crate) fn port(&self) -> &str {
        self.address.rsplit(':').next().unwrap()
    }

    /// Status and body of a `GET`.
    pub(crate) fn get(&self, path: &str) -> (u16, String) {
        self.get_with(path, "")
    }

    /// Status and body of a `GET` with further headers.
    pub(crate) fn get_with(&self, path: &str, headers: &str) -> (u16, String) {
        let answer = send(&self.address, &format!("GET {path}"), headers, "");
        answer.expect("an answer")
    }

    pub(crate) fn list(&self, query: &str) -> Value {
        let (status, body) = self.get(&format!("/cal/events/v1/{query}"));
        assert_eq!(status, 200, "{query}: {body}");
        serde_json::from_str(&body).unwrap()
    }

    /// The number of records in a list.
    pub(crate) fn total(&self, query: &str) -> u64 {
        self.list(query)["total"].as_u64().unwrap()
    }

    /// The events on all pages of a list.
    pub(crate) fn events(&self, query: &str) -> Vec<Value> {
        let mut events = Vec::new();
        for page in 1.. {
            let mut list = self.list(&format!("events?{query}&per_page=100&page={page}"));
            events.append(list["events"].as_array_mut().unwrap());
            if list["next_rest_url"].is_null() {
                break;
            }
        }
        events
    }

    /// Sends SIGTERM to the server, and waits for its end, which must be graceful.
    #[track_caller]
    pub(crate) fn stop(mut self) {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").arg(pid).status().unwrap().success());
        assert!(self.child.wait().unwrap().success());
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Sends a request over a connection of its own. `request` is the method and the path. Returns
/// status and body; nothing if the server has gone.
pub(crate) fn send(
    address: &str,
    request: &str,
    headers: &str,
    body: &str,
) -> Option<(u16, String)> {
    let answer = exchange(address, request, headers, body)?;
    let (head, body) = answer.split_once("\r\n\r\n")?;
    let status = head.split(' ').nth(1)?.parse().ok()?;
    Some((status, body.to_owned()))
}

/// The same; returns the whole response.
pub(crate) fn exchange(address: &str, request: &str, headers: &str, body: &str) -> Option<String> {
    let mut stream = TcpStream::connect(address).ok()?;
    stream
        .set_read_timeout(Some(Duration::from_secs(30)))
        .unwrap();
    let length = body.len();
    let sent = format!(
        "{request} HTTP/1.1\r\nHost: test\r\nConnection: close\r\n{headers}\
         Content-Length: {length}\r\n\r\n{body}"
    );
    stream.write_all(sent.as_bytes()).ok()?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).ok()?;
    Some(text(&answer))
}

/// Sends a form with a token.
pub(crate) fn send_form(
    address: &str,
    request: &str,
    token: &str,
    form: &str,
) -> Option<(u16, String)> {
    let headers = format!(
        "Authorization: Bearer {token}\r\nContent-Type: application/x-www-form-urlencoded\r\n"
    );
    send(address, request, &headers, form)
}

/// An address for a server that is killed and started again while clients try to connect.
///
/// Its port is below the ports that Linux gives to connections and to other servers (32,768 and up): none of them takes
/// it while the server is away.
pub(crate) fn lasting_address() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    loop {
        let offset = std::process::id() ^ NEXT.fetch_add(1, Ordering::Relaxed);
        let address = format!("127.0.0.1:{}", 16_384 + offset % 16_384);
        if TcpListener::bind(&address).is_ok() {
            return address;
        }
    }
}

/// The permissions of a file.
pub(crate) fn mode(file: &Path) -> u32 {
    std::fs::metadata(file).unwrap().permissions().mode() & 0o777
}

pub(crate) fn block_on<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Runtime::new().unwrap().block_on(work)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
