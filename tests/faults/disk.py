"""Files as a power cut can leave them.

The model:
  - A completed fsync of a file makes all writes durable that had ended before it began. fsync of a file says nothing
    about another file.
  - An fsync that fails makes nothing durable. No later fsync makes the writes durable that it should have: Linux takes
    them for clean then.
  - Each other write may be on disk, wholly, in part (any of its sectors of 512 bytes), or not at all, in any order.
  - A file may have the length that a write gave it without the bytes of that write: they are zeros then.
  - Changes of names are durable in their order, as file systems with a journal have them. A completed fsync of a folder
    makes all changes of names durable that had ended before it began; fsync of a file makes none durable.
"""

import pathlib
import random

from recording import Recording, Rename, Sync, Write

SECTOR = 512


class File:
    """A file, whatever its names: its durable content, and later writes in their order."""

    def __init__(self, made: int):
        # The position of the recording at which it was made.
        self.made = made
        self.durable = bytearray()
        # Each write with its state: `True` if it is synced, `False` if a sync of it failed, else `None`.
        self.later: list[tuple[Write, bool | None]] = []
        # How often a sync changed a state.
        self.syncs = 0

    def sync(self, before: int, succeeded: bool):
        """Changes the state of the writes that ended before a position."""
        changed = False
        for index, (write, state) in enumerate(self.later):
            if state is None and write.end is not None and write.end <= before:
                self.later[index] = (write, succeeded)
                changed = True
        self.syncs += changed
        # Of a write that a later synced one covers nothing is left.
        covered: dict[int, int] = {}
        left = []
        for write, state in reversed(self.later):
            length = len(write.content or b"")
            if state is False and 0 < length <= covered.get(write.offset, 0):
                continue
            if state:
                covered[write.offset] = max(length, covered.get(write.offset, 0))
            left.append((write, state))
        left.reverse()
        count = next((index for index, (_, state) in enumerate(left) if not state), len(left))
        for write, _ in left[:count]:
            apply(self.durable, write)
        self.later = left[count:]

    def is_certain(self) -> bool:
        """Whether a cut has one outcome."""
        return all(state for _, state in self.later)


def apply(content: bytearray, write: Write):
    """Applies a whole write."""
    if write.content is None:
        del content[write.offset :]
        lengthen(content, write.offset)
        return
    lengthen(content, write.offset)
    content[write.offset : write.offset + len(write.content)] = write.content


def lengthen(content: bytearray, length: int):
    """Gives a file at least that length, as `apply` of a write does, with zeros."""
    content.extend(bytes(max(0, length - len(content))))


def apply_length(content: bytearray, write: Write, chance: random.Random):
    """Applies the length of a write alone, without its bytes."""
    lengthen(content, write.offset + len(write.content or b""))


def apply_sectors(content: bytearray, write: Write, chance: random.Random):
    """Applies each sector of a write with probability 1/2. A change of the length is applied or not."""
    if write.content is None:
        if chance.random() < 0.5:
            apply(content, write)
        return
    end = write.offset + len(write.content)
    begin = write.offset
    while begin < end:
        until = min(end, (begin // SECTOR + 1) * SECTOR)
        if chance.random() < 0.5:
            part = write.content[begin - write.offset : until - write.offset]
            apply(content, Write(write.path, begin, part))
        begin = until


def apply_whole(content: bytearray, write: Write, chance: random.Random):
    apply(content, write)


def apply_nothing(content: bytearray, write: Write, chance: random.Random):
    pass


# Ways in which a cut treats the writes that are not synced: what is applied of each, in their order.
def none(count: int, chance: random.Random) -> list:
    """None is on disk."""
    return [apply_nothing] * count


def everything(count: int, chance: random.Random) -> list:
    """All are on disk."""
    return [apply_whole] * count


def half(count: int, chance: random.Random) -> list:
    """Each is on disk with probability 1/2."""
    return chance.choices([apply_nothing, apply_whole], k=count)


def first(count: int, chance: random.Random) -> list:
    """The first ones are on disk, and the next one in part."""
    whole = chance.randrange(count)
    return [apply_whole] * whole + [apply_sectors] + [apply_nothing] * (count - whole - 1)


def last(count: int, chance: random.Random) -> list:
    """The last ones are on disk, and the one before in part: the disk reordered them."""
    return first(count, chance)[::-1]


def torn(count: int, chance: random.Random) -> list:
    """Each sector is on disk with probability 1/2."""
    return [apply_sectors] * count


def zeros(count: int, chance: random.Random) -> list:
    """The lengths are on disk, without the bytes."""
    return [apply_length] * count


WAYS = [none, everything, half, first, last, torn, zeros]


def obeys(position: int) -> bool:
    """A disk that obeys each sync."""
    return True


def ignores(position: int) -> bool:
    """A disk that obeys no sync."""
    return False


class Disk:
    """The files of a recording at one of its positions. Paths are relative to the folder of the recording."""

    def __init__(self, recording: Recording, honours=obeys):
        """A disk that obeys the syncs at those positions of the recording that `honours` accepts."""
        self._events, self._prefix = recording.events, len(str(recording.folder)) + 1
        self._honours = honours
        self.position = 0
        # The names now, and those that are durable; a folder is `None`.
        self.names: dict[str, File | None] = {}
        self.durable: dict[str, File | None] = {}
        self._changes: list[tuple[int, Rename]] = []
        self._made: dict[int, File] = {}

    def advance(self, position: int):
        """Replays the recording up to a position, without the event there."""
        while self.position < position:
            self._replay(self._events[self.position])
            self.position += 1

    def _replay(self, event):
        match event:
            case Write():
                self.names[self._short(event.path)].later.append((event, None))
            case Rename():
                if event.kind == "make":
                    if self._short(event.new) in self.names:
                        return
                    self._made[self.position] = File(self.position)
                self._changes.append((self.position, event))
                self._change(self.names, self.position, event)
            case Sync():
                if not self._honours(self.position):
                    return
                file = self.names.get(self._short(event.path))
                if file:
                    file.sync(event.begin, event.succeeded)
                    return
                while event.succeeded and self._changes and self._changes[0][0] < event.begin:
                    self._change(self.durable, *self._changes.pop(0))

    def _short(self, path: str) -> str:
        return path[self._prefix :].removesuffix(" (deleted)")

    def _change(self, names: dict, position: int, change: Rename):
        old, new = change.old and self._short(change.old), change.new and self._short(change.new)
        match change.kind:
            case "make":
                names[new] = self._made[position]
            case "mkdir":
                names[new] = None
            case "link":
                names[new] = names[old]
            case "rename":
                names[new] = names.pop(old)
            case "unlink":
                del names[old]

    def current(self) -> dict[str, bytes]:
        """The content of all files as the operating system shows it."""
        return {path: bytes(filled(file, everything, None)) for path, file in self.names.items() if file}

    def has_pending(self) -> bool:
        """Whether a cut now has more than one outcome."""
        return bool(self._changes) or not all(file is None or file.is_certain() for file in self.names.values())

    def cut(self, way, chance: random.Random) -> tuple[dict[str, bytearray | None], int]:
        """The files after a power cut now, where a folder is `None`, and a number that tells them from other cuts."""
        names = dict(self.durable)
        count = len(self._changes)
        if way is none:
            count = 0
        elif way is not everything:
            count = chance.randint(0, count)
        for position, change in self._changes[:count]:
            self._change(names, position, change)
        files = {path: filled(file, way, chance) if file else None for path, file in names.items()}
        return files, hash(tuple(identity(path, names[path], content) for path, content in files.items()))


def filled(file: File, way, chance: random.Random) -> bytearray:
    content = bytearray(file.durable)
    uncertain = sum(not state for _, state in file.later)
    applied = iter(way(uncertain, chance) if uncertain else [])
    for write, state in file.later:
        (apply_whole if state else next(applied))(content, write, chance)
    return content


def identity(path: str, file: File | None, content: bytearray | None) -> tuple:
    """A file after a cut: its last sync, and the bytes that later writes may have changed."""
    if file is None:
        return (path,)
    changed = [bytes(content[write.offset : write.offset + len(write.content or b"")]) for write, _ in file.later]
    return path, file.made, file.syncs, len(content), *changed


def save(files: dict[str, bytearray | None], folder: pathlib.Path):
    """Writes files into an empty folder."""
    for path, content in files.items():
        place = folder / path
        if content is None:
            place.mkdir(parents=True, exist_ok=True)
        else:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content)
