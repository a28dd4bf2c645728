"""The processes: a primary, a replica, three servers and nginx, with all files in one folder."""

import getpass
import http.client
import os
import pathlib
import pwd
import random
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time

ADDRESS = "127.0.0.1"
SERVERS = ("a", "b", "c")
# The server that reads from the replica.
READS_ELSEWHERE = "c"


class Missing(Exception):
    """A program is missing."""


def find_postgres() -> pathlib.Path:
    """The folder of the newest PostgreSQL, which Debian installs off the PATH."""
    folders = sorted(
        (folder for folder in pathlib.Path("/usr/lib/postgresql").glob("*/bin") if (folder / "pg_basebackup").exists()),
        key=lambda folder: int(folder.parent.name),
    )
    if folders:
        return folders[-1]
    found = shutil.which("pg_basebackup")
    if found and (pathlib.Path(found).resolve().parent / "initdb").exists():
        return pathlib.Path(found).resolve().parent
    raise Missing("PostgreSQL is missing (initdb, pg_basebackup): apt-get install postgresql, or .ci/postgres install")


def find_nginx() -> str:
    found = shutil.which("nginx", path=os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/sbin")
    if not found:
        raise Missing("nginx is missing: apt-get install nginx-light (it need not run as a service)")
    return found


def free_port() -> int:
    """A free port, below the ports of outgoing connections."""
    while True:
        port = random.randrange(20000, 32000)
        with socket.socket() as probe:
            try:
                probe.bind((ADDRESS, port))
                return port
            except OSError:
                continue


class Cluster:
    """All processes. `with` starts and stops them."""

    def __init__(self, program: pathlib.Path):
        self.program = program
        self.postgres = find_postgres()
        self.nginx_program = find_nginx()
        # PostgreSQL refuses to run as root.
        self.user = None
        if os.geteuid() == 0:
            names = {entry.pw_name for entry in pwd.getpwall()}
            self.user = pwd.getpwnam("postgres" if "postgres" in names else "nobody")
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="events-calendar-many.", dir="/tmp"))
        self.ports = {name: free_port() for name in ("primary", "replica", "nginx", "metrics", *SERVERS)}
        self.processes: dict[str, subprocess.Popen] = {}

    @property
    def url(self) -> str:
        """The address of nginx, for clients."""
        return f"{ADDRESS}:{self.ports['nginx']}"

    def __enter__(self):
        try:
            if self.user:
                os.chown(self.folder, self.user.pw_uid, self.user.pw_gid)
            self._start_primary()
            self._make_replica()
            self.start_replica()
            for name in SERVERS:
                self._start_server(name)
            for name in SERVERS:
                self._wait_for_server(name)
            self._start_nginx()
            self.token = self._command("token", "create", "--user", "admin", "--name", "check").strip()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for process in reversed(self.processes.values()):
            if process.poll() is None:
                process.terminate()
        for process in self.processes.values():
            try:
                process.wait(15)
            except subprocess.TimeoutExpired:
                process.kill()
        for name in ("replica", "primary"):
            if (self.folder / name / "postmaster.pid").exists():
                self._pg_ctl("stop", name, "--mode=immediate", check=False)
        shutil.rmtree(self.folder, ignore_errors=True)

    # --- PostgreSQL -------------------------------------------------------------------------------------------------

    def _as_user(self) -> dict:
        """Arguments of `subprocess` for a process that must not run as root."""
        if not self.user:
            return {"cwd": self.folder}
        groups = os.getgrouplist(self.user.pw_name, self.user.pw_gid)
        return {"cwd": self.folder, "user": self.user.pw_uid, "group": self.user.pw_gid, "extra_groups": groups}

    def _run(self, *command, check=True) -> int:
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
        with open(self.folder / "postgres.log", "ab") as log:
            done = subprocess.run(
                [str(word) for word in command],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=environment | {"LC_ALL": "C"},
                **self._as_user(),
            )
        if check and done.returncode != 0:
            raise SystemExit(f"{command[0]} failed:\n{(self.folder / 'postgres.log').read_text()}")
        return done.returncode

    def _pg_ctl(self, action: str, name: str, *more, check=True) -> int:
        data = self.folder / name
        return self._run(
            self.postgres / "pg_ctl", action, f"--pgdata={data}", f"--log={data}.log", "--wait", "--silent", *more,
            check=check,
        )

    def _start_primary(self):
        data = self.folder / "primary"
        self._run(
            self.postgres / "initdb", f"--pgdata={data}", "--username=postgres", "--auth=trust", "--encoding=UTF8",
            "--locale=C", "--no-sync", "--no-instructions",
        )
        # Without fsync, as the machine does not crash; all other settings as in production.
        with open(data / "postgresql.conf", "a") as settings:
            settings.write(
                f"listen_addresses = '{ADDRESS}'\nport = {self.ports['primary']}\n"
                f"unix_socket_directories = '{self.folder}'\nfsync = off\nwal_level = replica\n"
                "max_wal_senders = 5\nmax_connections = 100\nhot_standby = on\n"
                # A replica that was stopped meanwhile finds what it has not read.
                "wal_keep_size = 2GB\n"
            )
        self.start_primary()
        self.sql("primary", "CREATE DATABASE calendar")

    def _client(self, program: str, name: str, *more, check=True) -> int:
        """Runs a client program of PostgreSQL on the primary or the replica."""
        program = shutil.which(program) or self.postgres / program
        return self._run(program, "-h", ADDRESS, "-p", self.ports[name], "-U", "postgres", *more, check=check)

    def sql(self, name: str, statement: str):
        """Runs a statement on the primary or the replica."""
        self._client("psql", name, "-c", statement)

    def start_primary(self):
        """Starts the primary and waits until it answers."""
        self._pg_ctl("start", "primary")

    def stop_primary(self):
        """Stops the primary immediately, without notice to its connections."""
        self._pg_ctl("stop", "primary", "--mode=immediate")

    def kill_primary(self):
        """Kills all processes of the primary, as a crash of the machine does."""
        first = int((self.folder / "primary" / "postmaster.pid").read_text().split()[0])
        children = pathlib.Path(f"/proc/{first}/task/{first}/children").read_text().split()
        for process in (first, *map(int, children)):
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                continue

    def start_killed_primary(self):
        """Starts the primary again."""
        self._start_after_kill("primary")

    def _start_after_kill(self, name: str, *more):
        """Starts a server of PostgreSQL in the place of a killed one, once the processes of that are gone."""
        deadline = time.monotonic() + 30
        while self._pg_ctl("start", name, *more, check=False) != 0:
            if time.monotonic() > deadline:
                raise SystemExit(f"the {name} does not start:\n{(self.folder / f'{name}.log').read_text()[-2000:]}")
            time.sleep(0.1)

    def dump(self):
        """Copies the database into a file."""
        self._client("pg_dump", "primary", "-Fc", "-f", self.folder / "dump", "calendar")

    def restore(self):
        """Restores the dump in the place of the database, as docs/OPERATION.md describes it: the servers do not run."""
        self.sql("primary", "DROP DATABASE calendar WITH (FORCE)")
        self.sql("primary", "CREATE DATABASE calendar")
        self._client("pg_restore", "primary", "-d", "calendar", self.folder / "dump")
        self._command("migrate")

    def replay_all(self):
        """Waits until the replica has replayed all that was written."""
        deadline = time.monotonic() + 30
        end = self._value("primary", "SELECT pg_current_wal_lsn()")
        while self._value("replica", f"SELECT pg_last_wal_replay_lsn() >= '{end}'") != "t":
            if time.monotonic() > deadline:
                raise SystemExit(f"the replica falls behind:\n{(self.folder / 'replica.log').read_text()[-2000:]}")
            time.sleep(0.05)

    def _value(self, name: str, statement: str) -> str:
        psql = str(shutil.which("psql") or self.postgres / "psql")
        command = [psql, "-h", ADDRESS, "-p", str(self.ports[name]), "-U", "postgres", "-d", "postgres", "-Atc", statement]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        return done.stdout.strip()

    def promote_replica(self):
        """Lets the replica take the place of the primary, which is gone, at its address."""
        self._start_after_kill("replica", "-o", f"-c port={self.ports['primary']} -c primary_conninfo=")
        self._pg_ctl("promote", "replica")

    def _make_replica(self):
        data = self.folder / "replica"
        self._run(
            self.postgres / "pg_basebackup", f"--pgdata={data}", "--write-recovery-conf", "--wal-method=stream",
            "--checkpoint=fast", "--no-sync", f"--host={ADDRESS}", f"--port={self.ports['primary']}",
            "--username=postgres",
        )
        with open(data / "postgresql.conf", "a") as settings:
            settings.write(f"port = {self.ports['replica']}\n")

    def start_replica(self):
        """Starts the replica and waits until it answers."""
        self._pg_ctl("start", "replica")

    def stop_replica(self):
        """Stops the replica immediately, without notice to its connections."""
        self._pg_ctl("stop", "replica", "--mode=immediate")

    def database(self, name: str = "primary") -> str:
        return f"postgres://postgres@{ADDRESS}:{self.ports[name]}/calendar"

    # --- The servers ------------------------------------------------------------------------------------------------

    def _environment(self) -> dict:
        ours = {
            "EVENTS_CALENDAR_DATABASE_URL": self.database(),
            "EVENTS_CALENDAR_PUBLIC_URL": f"http://{self.url}",
            "EVENTS_CALENDAR_MEDIA": str(self.folder / "media"),
        }
        return {name: value for name, value in os.environ.items() if not name.startswith("EVENTS_CALENDAR_")} | ours

    def _start_server(self, name: str):
        folder = self.folder / f"server-{name}"
        folder.mkdir(exist_ok=True)
        environment = self._environment() | {"EVENTS_CALENDAR_LISTEN": f"{ADDRESS}:{self.ports[name]}"}
        if name == READS_ELSEWHERE:
            environment["EVENTS_CALENDAR_READ_DATABASE_URL"] = self.database("replica")
            environment["EVENTS_CALENDAR_METRICS_LISTEN"] = f"{ADDRESS}:{self.ports['metrics']}"
        with open(folder / "log", "wb") as log:
            self.processes[name] = subprocess.Popen(
                [self.program, "serve"], cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )

    def log(self, name: str) -> str:
        return (self.folder / f"server-{name}" / "log").read_text()

    def _wait_for_server(self, name: str):
        deadline = time.monotonic() + 60
        while "listening on" not in self.log(name):
            if self.processes[name].poll() is not None or time.monotonic() > deadline:
                raise SystemExit(f"server {name} does not start: {self.log(name)}")
            time.sleep(0.05)

    def metric(self, name: str) -> float | None:
        """A metric without labels of the server that reads from the replica."""
        connection = http.client.HTTPConnection(ADDRESS, self.ports["metrics"], timeout=5)
        connection.request("GET", "/metrics")
        lines = connection.getresponse().read().decode().splitlines()
        connection.close()
        return next((float(line.split()[1]) for line in lines if line.startswith(f"{name} ")), None)

    def tokens(self) -> int:
        """The number of servers that created an administrator."""
        return len(list(self.folder.glob("server-*/events-calendar.token")))

    def stop(self, name: str):
        """Stops a server."""
        self.processes[name].terminate()
        self.processes[name].wait(15)

    def start(self, *names: str):
        """Starts servers again that were stopped."""
        for name in names:
            self._start_server(name)
        for name in names:
            self._wait_for_server(name)

    def kill(self, name: str):
        """Kills a server without warning."""
        self.processes[name].send_signal(signal.SIGKILL)
        self.processes[name].wait()

    def said_of_replica(self) -> list[str]:
        """Returns the log lines about the replica's loss and return that the server did not write."""
        log = re.sub(r"\x1b\[[0-9;]*m", "", self.log(READS_ELSEWHERE))
        failures = []
        for words in ("the replica is not used", "the replica is used again"):
            times = log.count(words)
            print(f"  server {READS_ELSEWHERE} said {times} times that {words}")
            if times == 0:
                failures.append(f"server {READS_ELSEWHERE} did not say that {words}: {log[-2000:]}")
        return failures

    def doctor(self) -> list[str]:
        """The differences that `doctor` finds in the database."""
        done = subprocess.run([self.program, "doctor"], cwd=self.folder, env=self._environment(), capture_output=True, text=True)
        print(f"  doctor: {done.stdout[-200:].strip()}")
        return [] if done.returncode == 0 else [f"doctor: {done.stdout[-4000:]}{done.stderr}"]

    def _command(self, *words: str) -> str:
        done = subprocess.run(
            [self.program, *words], cwd=self.folder, env=self._environment(), capture_output=True, text=True, check=True
        )
        return done.stdout

    # --- nginx ------------------------------------------------------------------------------------------------------

    def _start_nginx(self):
        def upstream(name: str, servers) -> str:
            lines = "".join(f"    server {ADDRESS}:{self.ports[one]} max_fails=1 fail_timeout=2s;\n" for one in servers)
            return f"  upstream {name} {{\n{lines}    keepalive 64;\n  }}\n"

        upstreams = upstream("all", SERVERS) + upstream("strict", [one for one in SERVERS if one != READS_ELSEWHERE])
        upstreams += "".join(upstream(name, [name]) for name in SERVERS)
        names = "".join(f"    {name} {name};\n" for name in (*SERVERS, "strict"))
        folder = self.folder / "nginx"
        folder.mkdir()
        temporary = "".join(
            f"  {kind}_temp_path {folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        (folder / "nginx.conf").write_text(
            f"daemon off;\npid {folder}/pid;\nerror_log {folder}/error.log;\nworker_processes 1;\n"
            "events { worker_connections 1024; }\n"
            f"http {{\n  access_log off;\n{temporary}{upstreams}"
            # A client may choose a server: `X-Server: a`. By default all servers take turns.
            f"  map $http_x_server $chosen {{\n    default all;\n{names}  }}\n"
            f"  server {{\n    listen {ADDRESS}:{self.ports['nginx']};\n    keepalive_requests 1000000;\n"
            "    location / {\n      proxy_pass http://$chosen;\n      proxy_http_version 1.1;\n"
            '      proxy_set_header Connection "";\n      proxy_set_header Host $http_host;\n'
            "      add_header X-Served-By $upstream_addr always;\n    }\n  }\n}\n"
        )
        if self.user:
            for path in (folder, folder / "nginx.conf"):
                os.chown(path, self.user.pw_uid, self.user.pw_gid)
        with open(folder / "log", "wb") as log:
            self.processes["nginx"] = subprocess.Popen(
                [self.nginx_program, "-p", folder, "-e", folder / "error.log", "-c", folder / "nginx.conf"],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                **self._as_user(),
            )
        deadline = time.monotonic() + 10
        while True:
            with socket.socket() as probe:
                if probe.connect_ex((ADDRESS, self.ports["nginx"])) == 0:
                    return
            if self.processes["nginx"].poll() is not None or time.monotonic() > deadline:
                said = (folder / "log").read_text() + (folder / "error.log").read_text()
                raise SystemExit(f"nginx does not start as {getpass.getuser()}: {said}")
            time.sleep(0.05)
