"""The points of an operation: each call of the host at which something can happen to it."""

import dataclasses

import tracing

# What can fail on a full or broken disk, or a broken connection.
FAILING = {
    "EIO": {"openat", "write", "read", "pread64", "fsync", "close", "renameat", "unlinkat", "mkdirat",
            "fchmod", "newfstatat", "accept4", "socket", "connect", "sendto", "recvfrom"},
    "ENOSPC": {"openat", "write", "fsync", "close", "renameat", "mkdirat"},
}
# A disk that stays so. Not write: the host's own event descriptors are written to by it as well.
LASTING = ("openat", "fsync", "renameat")


@dataclasses.dataclass(frozen=True)
class Point:
    """Something that happens to the host at one of its calls."""
    operation: str
    fault: str      # KILL, EIO, ENOSPC, or with a plus: from this call on
    mode: str       # thread: one that is there before; all: the first to get there; held; program
    thread: str     # its name and number; of all threads: that of the one which got there first
    call: str
    ordinal: int
    place: str      # what the call was about

    @property
    def inject(self):
        how = "signal=KILL" if self.fault == "KILL" else "error=" + self.fault.rstrip("+")
        onwards = "+" if self.fault.endswith("+") else ""
        return f"{self.call}:{how}:when={self.ordinal}{onwards}"

    @property
    def key(self):
        return f"{self.operation} {self.fault} {self.mode} {self.thread} {self.call} {self.ordinal}"

    def __str__(self):
        return f"{self.operation}: {self.fault} at {self.call} {self.ordinal} of {self.thread} {self.place}"


def enumerate_points(operation, fault, trace, home):
    """The points of a traced run.

    A thread that was there before the operation is attached to alone. Of the threads that the
    operation starts, strace has to follow all, and the call that gets to an ordinal first is the one
    that it happens to: what comes later in another thread is reached while its request is held.
    """
    found, missed = [], 0
    counts, first, asking = {}, set(), set()
    for tid, call, rest in trace.calls:
        ordinal = counts[tid, call] = counts.get((tid, call), 0) + 1
        is_first = (call, ordinal) not in first
        first.add((call, ordinal))
        place = tracing.place(rest, home)
        if call == "sendto" and place == "tcp" and tid not in trace.threads:
            asking.add(tid)
        if not matters(fault, call, rest):
            continue
        if tid in trace.threads:
            mode, thread = "thread", trace.threads[tid]
        elif is_first:
            mode, thread = "all", "a new one"
        else:
            # The held thread's calls come below.
            missed += not (trace.held and tid in asking)
            continue
        found.append(Point(operation, fault, mode, thread, call, ordinal, place))
    counts = {}
    for _, call, rest in trace.held:
        ordinal = counts[call] = counts.get(call, 0) + 1
        if matters(fault, call, rest):
            found.append(Point(operation, fault, "held", "tv-transfer", call, ordinal,
                               tracing.place(rest, home)))
    return found, missed


def matters(fault, call, rest):
    if fault == "KILL":
        return True
    # An event descriptor, or a socket pair of the library, has no disk and no wire behind it.
    inside = "anon_inode" in rest or "UNIX-STREAM:[" in rest and "host.sock" not in rest
    if fault == "ENOSPC" and call in ("write", "close", "fsync") and "tcp" in tracing.place(rest, "/"):
        return False
    return call in FAILING[fault] and not inside


def lasting_points(operation, fault, trace):
    """A disk that fails from the begin of the operation on, for each kind of call."""
    main, name = next(
        each for each in trace.threads.items() if each[1].startswith("tokenvault-host"))
    made = {call for tid, call, _ in trace.calls if tid == main}
    return [Point(operation, fault, "thread", name, call, 1, "") for call in LASTING if call in made]


def program_points(operation, fault, calls, home):
    """The points of a program by itself: its calls from the first on that is about the home.

    A disk that stays broken is so from the first on that is about the state or the keys.
    """
    found, counts, broken = [], {}, set()
    has_begun = False
    for _, call, rest in calls:
        ordinal = counts[call] = counts.get(call, 0) + 1
        place = tracing.place(rest, home)
        has_begun = has_begun or home in rest
        if fault.endswith("+"):
            matter = call in LASTING and call not in broken and place.startswith(("state", "keys"))
            broken.update([call] if matter else [])
        else:
            matter = has_begun and matters(fault, call, rest)
        if matter:
            found.append(Point(operation, fault, "program", "tokenvault-host", call, ordinal, place))
    return found


def sample(points, size, random):
    """Points from all over an operation: one of each stretch."""
    if not size or size >= len(points):
        return points
    edges = [len(points) * index // size for index in range(size + 1)]
    return [points[random.randrange(low, high)] for low, high in zip(edges, edges[1:])]
