"""The calls of a server on its files, and the responses that it sent, as strace recorded them."""

import pathlib
import re
from dataclasses import dataclass, field

# The system calls by which a program can change files, and those by which it sends responses. The recording refuses the
# calls at the end, which it could not replay.
CALLS = (
    # Some machines do not have those with a question mark.
    "openat,pwrite64,write,writev,fsync,fdatasync,ftruncate,mkdirat,linkat,?renameat,renameat2,unlinkat,sendto,sendmsg,"
    "?mkdir,?link,?rename,?unlink,mmap,"
    "?open,?creat,truncate,fallocate,pwritev,pwritev2,?sync_file_range,copy_file_range,sendfile,?rmdir,io_uring_setup"
)

# Longer than any write of SQLite and than the head of any response.
LONGEST = 20000


def strace(trace: pathlib.Path, failing: str = "") -> list:
    """The arguments of strace that record into a file. The syncs named by `failing` fail."""
    inject = ["-e", f"inject=fsync:error=EIO:when={failing}"] if failing else []
    return ["-f", "-y", "-xx", "--seccomp-bpf", "-s", str(LONGEST), "-e", f"trace={CALLS}", "-o", trace, *inject]


@dataclass
class Write:
    """A change of the content of a file: bytes at an offset, or, without bytes, a length."""

    path: str
    offset: int
    content: bytes | None
    # The position of the first event after its end.
    end: int | None = None


@dataclass
class Sync:
    """The end of an fsync of a file or folder: it covers what had ended before its begin."""

    path: str
    begin: int
    succeeded: bool


@dataclass
class Rename:
    """A change of names: `make`, `mkdir`, `link`, `rename` or `unlink`."""

    kind: str
    old: str | None
    new: str | None


@dataclass
class Response:
    """The first bytes of a response to the request of that name."""

    name: str
    status: int


class Unreadable(Exception):
    """The trace has a line that cannot be replayed."""


@dataclass
class Recording:
    """Events in their order."""

    folder: pathlib.Path
    events: list = field(default_factory=list)
    # Paths of descriptors that were opened without pwrite, and the offset of their next write.
    _offsets: dict = field(default_factory=dict)

    def read(self, trace: pathlib.Path):
        """Appends the events of a trace, which it removes."""
        begun: dict[bytes, tuple] = {}
        self._offsets = {}
        with trace.open("rb") as lines:
            for line in lines:
                pid, _, rest = line.rstrip(b"\n").partition(b" ")
                rest = rest.lstrip(b" ")
                if rest.startswith((b"+++", b"---")):
                    continue
                if resumed := RESUMED.match(rest):
                    if not rest.endswith(KILLED):
                        call, arguments, note = begun.pop(pid)
                        self._end(call, arguments, rest[resumed.end() :], note)
                    continue
                call, _, arguments = rest.partition(b"(")
                if arguments.endswith((UNFINISHED, *KILLED)):
                    arguments = arguments.removesuffix(UNFINISHED)
                    if arguments.endswith(KILLED):
                        arguments = arguments.rpartition(b" = ")[0].rstrip(b" ").removesuffix(b")")
                    begun[pid] = (call, arguments, self._begin(call, arguments))
                else:
                    # The result stands after the last `) = `.
                    arguments, _, result = arguments.rpartition(b" = ")
                    arguments = arguments.rstrip(b" ").removesuffix(b")")
                    self._end(call, arguments, b" = " + result, self._begin(call, arguments))
        for call, arguments, note in begun.values():
            self._settle(call, arguments, note)
        trace.unlink()

    def _settle(self, call: bytes, arguments: bytes, note):
        """Ends a call in which the server was killed: the files show whether it had an effect."""
        if isinstance(note, Write):
            content = pathlib.Path(note.path).read_bytes()
            found = content[note.offset :][: len(note.content)] if note.content is not None else len(content)
            if found == (note.content if note.content is not None else note.offset):
                note.end = len(self.events)
            else:
                self.events[self.events.index(note)] = Response("", 0)
        elif call in NAMES or (call == b"openat" and b"O_CREAT" in arguments):
            old, new = NAMES[call](quoted(arguments)) if call in NAMES else (None, quoted(arguments)[0])
            if pathlib.Path(new).exists() if new else not pathlib.Path(old).exists():
                self._end(call, arguments, b" = 0", note)

    def _is_ours(self, path: str) -> bool:
        # The shared memory of SQLite is made anew after a crash.
        return path.startswith(f"{self.folder}/") and not path.endswith("-shm")

    def _begin(self, call: bytes, arguments: bytes):
        """Adds the event of a call that may have an effect from now on. Returns what `_end` needs."""
        if call in (b"writev", b"sendto", b"sendmsg", b"write"):
            if found := RESPONSE.search(arguments):
                self.events.append(Response(text(found[2]), int(text(found[1]))))
                return None
        if call in (b"pwrite64", b"write"):
            path, content, rest = written(arguments)
            if not self._is_ours(path):
                return None
            if content is None:
                raise Unreadable(f"a long write to {path}")
            offset = int(rest.split(b",")[1]) if call == b"pwrite64" else self._offsets.get(path)
            if offset is None:
                raise Unreadable(f"a write to {path}, which was not opened")
            if call == b"write":
                self._offsets[path] = offset + len(content)
            event = Write(path, offset, content)
        elif call == b"ftruncate":
            path = described(arguments)
            if not self._is_ours(path):
                return None
            event = Write(path, int(arguments.rpartition(b",")[2]), None)
        elif call in (b"fsync", b"fdatasync"):
            return len(self.events)
        else:
            return None
        self.events.append(event)
        return event

    def _end(self, call: bytes, arguments: bytes, result: bytes, note):
        value = result.partition(b" = ")[2]
        failed = value.startswith(b"-1")
        if isinstance(note, Write):
            note.end = len(self.events)
            if failed or (note.content is not None and int(value) != len(note.content)):
                raise Unreadable(f"a write to {note.path} failed: {value}")
        elif call in (b"fsync", b"fdatasync"):
            path = described(arguments)
            if self._is_ours(f"{path}/"):
                self.events.append(Sync(path, note, not failed))
        elif call == b"mmap":
            if b"MAP_SHARED" in arguments and b"PROT_WRITE" in arguments:
                path = described(arguments.rpartition(b"MAP_SHARED")[2].partition(b",")[2])
                if self._is_ours(path):
                    raise Unreadable(f"{path} is written by mmap")
        elif call == b"openat":
            path = quoted(arguments)[0]
            if not failed and self._is_ours(path) and b"O_CREAT" in arguments:
                self.events.append(Rename("make", None, path))
                self._offsets[path] = 0
                if b"O_TRUNC" in arguments:
                    self.events.append(Write(path, 0, None, len(self.events)))
        elif call in NAMES:
            paths = quoted(arguments)
            if not failed and self._is_ours(paths[-1]):
                old, new = NAMES[call](paths)
                kind = call.decode().removesuffix("2").removesuffix("at")
                self.events.append(Rename(kind, old, new))
        elif call in (b"writev", b"write", b"pwrite64", b"sendto", b"sendmsg", b"ftruncate"):
            if call == b"writev" and self._is_ours(described(arguments)):
                raise Unreadable("a writev to a file")
        elif not failed and (call == b"io_uring_setup" or escaped(f"{self.folder}/") in arguments):
            raise Unreadable(f"a call of {call.decode()}")


NAMES = {
    b"mkdir": lambda paths: (None, paths[0]),
    b"mkdirat": lambda paths: (None, paths[-1]),
    b"link": lambda paths: paths,
    b"linkat": lambda paths: paths,
    b"rename": lambda paths: paths,
    b"renameat": lambda paths: paths,
    b"renameat2": lambda paths: paths,
    b"unlink": lambda paths: (paths[0], None),
    b"unlinkat": lambda paths: (paths[-1], None),
}

# The ends of a call in which the server was killed, or another thread ran.
UNFINISHED = b"<unfinished ...>"
KILLED = (b" = ?", b" = ? <unavailable>")

HEX = rb"((?:\\x[0-9a-f]{2})*)"
RESUMED = re.compile(rb"<\.\.\. \w+ resumed>")
DESCRIPTOR = re.compile(rb"\s*\d+<" + HEX + rb">")
STRING = re.compile(rb'"' + HEX + rb'"(\.\.\.)?')


def escaped(plain: str) -> bytes:
    """A text as strace writes it."""
    return b"".join(rb"\x%02x" % byte for byte in plain.encode())


RESPONSE = re.compile(
    re.escape(escaped("HTTP/1.1 "))
    + rb"((?:\\x3[0-9]){3}).*?"
    + re.escape(escaped("\r\nx-request-id: "))
    + rb"((?:\\x(?!0d)[0-9a-f]{2})+)"
)


def raw(hexadecimal: bytes) -> bytes:
    return bytes.fromhex(hexadecimal.replace(rb"\x", b"").decode())


def text(hexadecimal: bytes) -> str:
    return raw(hexadecimal).decode()


def described(arguments: bytes) -> str:
    """The path of the descriptor that is the first argument; empty for a descriptor without a path."""
    found = DESCRIPTOR.match(arguments)
    return text(found[1]) if found else ""


def quoted(arguments: bytes) -> list[str]:
    """All strings among the arguments."""
    return [text(found[1]) for found in STRING.finditer(arguments)]


def written(arguments: bytes) -> tuple[str, bytes | None, bytes]:
    """Path, content and further arguments of a write. The content is `None` if strace cut it."""
    path = described(arguments)
    found = STRING.search(arguments)
    if not found:
        return path, None, b""
    return path, None if found[2] else raw(found[1]), arguments[found.end() + 2 :]
