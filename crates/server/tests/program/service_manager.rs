//! The protocols of a service manager: a socket that it passes, and notifications.

use std::{
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    os::{fd::OwnedFd, unix::net::UnixDatagram},
    process::{Command, Stdio},
};

use crate::{
    TIMEOUT,
    server::{Ended, Installation, PROGRAM, Server},
};

/// A command of the program that gets a socket as a service manager passes it.
fn activated(installation: &Installation, socket: &TcpListener) -> Command {
    let mut command = installation.configured("sh");
    let passed = "exec 3<&0 0</dev/null; LISTEN_PID=$$ LISTEN_FDS=1 exec \"$0\" serve";
    let socket = OwnedFd::from(socket.try_clone().unwrap());
    command
        .args(["-c", passed, PROGRAM])
        .stdin(Stdio::from(socket))
        .stderr(Stdio::null());
    command
}

/// The socket outlives a server: a connection waits for the next one.
#[test]
fn a_server_listens_at_the_socket_of_a_service_manager() {
    let installation = Installation::sqlite();
    let socket = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = socket.local_addr().unwrap().to_string();
    let server = Server::run(&mut activated(&installation, &socket));
    assert_eq!(server.address, address, "--listen does not count");
    assert_eq!(server.get("/healthz").0, 200);
    server.stop();

    let mut waiting = TcpStream::connect(&address).unwrap();
    waiting.set_read_timeout(Some(TIMEOUT)).unwrap();
    let request = "GET /healthz HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n";
    waiting.write_all(request.as_bytes()).unwrap();
    let again = Server::run(&mut activated(&installation, &socket));
    let mut answer = String::new();
    waiting.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    again.stop();
}

#[test]
fn sockets_of_a_service_manager_that_do_not_suit_are_refused() {
    let installation = Installation::sqlite();
    let passed = |fds: &str| {
        let line = format!("exec 3</dev/null; LISTEN_PID=$$ LISTEN_FDS={fds} exec \"$0\" serve");
        let mut command = installation.configured("sh");
        let output = command.args(["-c", &line, PROGRAM]).output();
        Ended::from(output.unwrap()).failed(1)
    };
    let said = passed("2");
    assert!(said.contains("passed 2 sockets"), "{said}");
    let said = passed("1");
    assert!(
        said.contains("cannot listen at the socket of the service manager"),
        "{said}"
    );
    assert!(!installation.path("calendar.db").exists());
}

#[test]
fn a_socket_of_another_process_is_left_alone() {
    let installation = Installation::sqlite();
    let mut serve = installation.server(&[]);
    serve.env("LISTEN_PID", "1").env("LISTEN_FDS", "1");
    let server = Server::run(&mut serve);
    assert_eq!(server.get("/healthz").0, 200);
    server.stop();
}

#[test]
fn a_service_manager_learns_of_start_and_stop() {
    let installation = Installation::sqlite();
    let path = installation.path("notify");
    let socket = UnixDatagram::bind(&path).unwrap();
    socket.set_read_timeout(Some(TIMEOUT)).unwrap();
    let told = || {
        let mut message = [0; 64];
        let length = socket.recv(&mut message).unwrap();
        String::from_utf8(message[..length].to_vec()).unwrap()
    };
    let server = Server::run(installation.server(&[]).env("NOTIFY_SOCKET", &path));
    assert_eq!(told(), "READY=1");
    assert_eq!(server.get("/healthz").0, 200);
    server.stop();
    assert_eq!(told(), "STOPPING=1");
    // Commands notify nobody.
    socket.set_nonblocking(true).unwrap();
    let mut migrate = installation.command(&["migrate"]);
    let migrated = migrate.env("NOTIFY_SOCKET", &path).output().unwrap();
    assert!(migrated.status.success());
    assert!(socket.recv(&mut [0; 64]).is_err());
}
