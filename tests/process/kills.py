"""Kills processes that a command has started, at random moments with fixed seeds."""
import os
import signal
import subprocess
import threading
import time


def descendants(of, names):
    """(process, name) of all processes below one that have one of these names, which the system cuts off."""
    parents = {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/stat") as stat:
                text = stat.read()
        except OSError:
            continue
        name, rest = text[text.index("(") + 1:text.rindex(")")], text[text.rindex(")") + 2:].split()
        parents.setdefault(int(rest[1]), []).append((int(pid), name))
    found, left = [], [of]
    while left:
        for pid, name in parents.get(left.pop(), []):
            left.append(pid)
            if name.startswith(names):
                found.append((pid, name))
    return found


def run(command, names, kills, chance, wait=0.05, **options):
    """Runs it, and kills `kills` of its descendants. Returns its exit code, output and the names of what was killed."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    output, killed = [], []
    reader = threading.Thread(target=lambda: output.append(process.stdout.read()))
    reader.start()
    while process.poll() is None:
        time.sleep(chance.uniform(0, wait))
        candidates = descendants(process.pid, names) if len(killed) < kills else []
        if candidates and chance.random() < 0.5:
            pid, name = chance.choice(candidates)
            try:
                os.kill(pid, chance.choice([signal.SIGKILL, signal.SIGTERM]))
                killed.append(name)
            except OSError:
                pass
    reader.join()
    return process.returncode, output[0], killed


def must(holds, message):
    if not holds:
        raise SystemExit(message)
