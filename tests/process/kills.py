"""Kills processes that a command has started, at random moments with fixed seeds."""
import ctypes
import os
import signal
import subprocess
import threading
import time


def bytes_of(pid, file):
    try:
        with open(f"/proc/{pid}/{file}", "rb") as read:
            return read.read()
    except OSError:
        return b""


def kind_of(pid, name, parent):
    """What a process does: its name, or more than that where processes of one name do different work."""
    if b"--judge" in bytes_of(pid, "cmdline").split(b"\0"):
        return "judge"
    if name == parent:
        return f"fork of {name}"
    if b"_FORKS=" in bytes_of(pid, "environ"):  # GPUTEST_CUDA_SIMULATOR_FORKS, GPUTEST_CUDA_FORKS
        return f"fork server {name}"
    return name


def descendants(of, but, names):
    """(process, kind) of the processes below `of`, except `but`, whose names begin with one of these, or whose kind is
    one of these, and that have not ended. The system cuts names off after 15 characters."""
    parents = {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/stat") as stat:
                text = stat.read()
        except OSError:
            continue
        name, rest = text[text.index("(") + 1:text.rindex(")")], text[text.rindex(")") + 2:].split()
        if rest[0] == "Z":  # an adopted one is nobody else's to wait for
            if int(rest[1]) == os.getpid() and int(pid) != but:
                os.waitpid(int(pid), os.WNOHANG)
            continue
        parents.setdefault(int(rest[1]), []).append((int(pid), name))
    found, left = [], [(of, "")]
    while left:
        of, parent = left.pop()
        for pid, name in parents.get(of, []):
            left.append((pid, name))
            kind = kind_of(pid, name, parent)
            if pid != but and (name.startswith(names) or kind in names):
                found.append((pid, kind))
    return found


def run(command, names, kills, chance, wait=0.05, **options):
    """Runs it, and kills `kills` of its descendants. Returns its exit code, output and the kinds of what was killed.
    What it starts as nobody's child becomes a child of this process."""
    ctypes.CDLL(None).prctl(36, 1)  # PR_SET_CHILD_SUBREAPER
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    output, killed = [], []
    reader = threading.Thread(target=lambda: output.append(process.stdout.read()))
    reader.start()
    while process.poll() is None:
        time.sleep(chance.uniform(0, wait))
        candidates = descendants(os.getpid(), process.pid, names) if len(killed) < kills else []
        if candidates and chance.random() < 0.5:
            pid, kind = chance.choice(candidates)
            try:
                os.kill(pid, chance.choice([signal.SIGKILL, signal.SIGTERM]))
                killed.append(kind)
            except OSError:
                pass
    reader.join()
    return process.returncode, output[0], killed


def meet(kinds, total, attempt):
    """Tries until one of each of these kinds has been killed. `attempt` gets the kind."""
    for kind in kinds:
        for _ in range(20):
            if not total[kind]:
                attempt(kind)
        must(total[kind], f"no '{kind}' was killed: {dict(total)}")


def must(holds, message):
    if not holds:
        raise SystemExit(message)
