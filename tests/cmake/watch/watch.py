"""watch.py <gputest> <source> <build>: saves files as an editor would, and reads what `gputest watch` says."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
import urllib.request

gputest, source, build = sys.argv[1:]


def path(name):
    return os.path.join(source, name)


def save(name, old, new):
    with open(path(name), encoding="utf-8") as file:
        text = file.read()
    assert old in text, name
    with open(path(name) + ".tmp", "w", encoding="utf-8") as file:
        file.write(text.replace(old, new))
    os.rename(path(name) + ".tmp", path(name))


class Watch:
    def __init__(self, *options, build=build, before=None):
        self.process = subprocess.Popen([gputest, "watch", build, *options], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                        text=True)
        self.said = self.until(before) if before else ""
        self.until("watch: waiting")

    def until(self, end):
        text = ""
        for line in self.process.stdout:
            text += line
            if line.startswith(end):
                return text
        raise AssertionError(f"no '{end}' in\n{text}")

    def expect(self, *parts, without=()):
        text = self.until("watch: waiting")
        for part in parts:
            assert part in text, f"no '{part}' in\n{text}"
        for part in without:
            assert part not in text, f"'{part}' in\n{text}"
        return text

    def end(self):
        self.process.send_signal(signal.SIGINT)
        rest = self.process.stdout.read()
        assert "watch: ended" in rest, rest
        assert self.process.wait() == 0, self.process.returncode


def processes_of(folder):
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                words = file.read().decode(errors="replace").split("\0")
        except OSError:
            continue
        if int(pid) != os.getpid() and any(word.startswith(folder) for word in words) and "watch.py" not in str(words):
            found.append(words)
    return found


watch = Watch()

# A burst is one run, and what depends on the kernel is its tests alone.
for factor in (3, 5, 2):
    with open(path("twice.cl"), "a", encoding="utf-8") as file:
        file.write(f"// {factor}\n")
text = watch.expect("watch: twice.cl changed", "twice.test", "twice.coverage", "since the last run:",
                    "test of twice: 1/1 (new)", "watch: all tests passed", without=("other.test",))
assert text.count(" changed\n") == 1, text

# A case, which nothing is built from.
save("other.json", '"size": 8', '"size":  8')
watch.expect("watch: other.json changed", "other.test", "watch: all tests passed", without=("twice.test",))

# A reference, with a fault; and the difference to the last run.
save("twice_reference.cpp", "*= 2", "*= 3")
watch.expect("twice.test", "test of twice: 1/1 → 0/1; 1 new, 0 gone", "new: case 'twice' failed",
             "watch: a test failed", without=("other.test",))
save("twice_reference.cpp", "*= 3", "*= 2")
watch.expect("test of twice: 0/1 → 1/1; 0 new, 1 gone", "watch: all tests passed")

# Coverage that is lost.
save("twice.json", '"n": 4', '"n": 8')
watch.expect("coverage of twice: ", "new: twice.cl:3:7: ", without=("other.test",))
save("twice.json", '"n": 8', '"n": 4')
watch.expect("coverage of twice: ")

# Nothing runs that cannot be built, and nothing for what no test depends on.
save("twice.cl", "v[i] *= 2;", "v[i] *= 2")
watch.expect("watch: the build failed: no test ran", "twice.cl:", without=("Test project",))
save("twice.cl", "v[i] *= 2", "v[i] *= 2;")
watch.expect("watch: all tests passed")
os.makedirs(path("notes"))
with open(path("notes/read.me"), "w", encoding="utf-8") as file:
    file.write("nothing\n")
watch.expect("watch: notes/read.me changed", "watch: no test depends on it")
watch.end()

# Ended in the middle of a build, it leaves nothing behind. The build waits as long as there is a file.
watch = Watch()
hold = os.path.join(build, "hold")
with open(hold, "w", encoding="utf-8"):
    pass
save("twice.cl", "if (i < n)", "if (i <  n)")
watch.until("watch: twice.cl changed")
while not any("hold" in str(words) for words in processes_of(build)):
    time.sleep(0.05)
watch.end()
assert not processes_of(build), processes_of(build)
os.remove(hold)
subprocess.run(["cmake", "--build", build], stdout=subprocess.DEVNULL, check=True)

# Links lead to what is read, and to the build folder.
outside = os.path.join(os.path.dirname(source), "outside")
shutil.rmtree(outside, ignore_errors=True)
os.makedirs(outside)
os.rename(path("other.json"), os.path.join(outside, "linked.json"))
os.symlink(os.path.join(outside, "linked.json"), path("other.json"))
os.symlink(build, os.path.join(outside, "build"))
watch = Watch("--runs", "1", build=os.path.join(outside, "build"))
save(os.path.join(outside, "linked.json"), '"size":  8', '"size": 8')
said = watch.until("watch: ended")
assert "linked.json changed" in said and "other.test" in said, said
assert "all tests passed" in said and "twice.coverage" not in said, said

# Tests with a label, until one change has been looked at.
watch = Watch("--label", "^coverage$", "--parallel", "2", "--runs", "1")
save("twice.json", '"n": 4', '"n": 3')
said = watch.until("watch: ended")
assert "twice.coverage" in said and "twice.test" not in said, said
assert watch.process.wait(900) == 0
wrong = subprocess.run([gputest, "watch", build, "--runs", "some"], capture_output=True, text=True, check=False)
assert wrong.returncode == 2 and "some" in wrong.stderr, wrong

# Pages in the browser: they load again after a change, the port is the server's alone, and it ends with the watch.
watch = Watch("--server", "--runs", "1", before="watch: pages: ")
address = re.search(r"http://127\.0\.0\.1:([0-9]+)/", watch.said)
with urllib.request.urlopen(address.group()) as page:
    assert "new EventSource" in page.read().decode(), address
with urllib.request.urlopen(address.group() + "coverage.html") as page:
    assert "twice" in page.read().decode()
taken = subprocess.run([gputest, "watch", build, "--server", "--port", address.group(1)], capture_output=True, text=True, check=False)
assert taken.returncode == 2 and "the port is taken" in taken.stderr, taken
events = urllib.request.urlopen(address.group() + "gputest-events", timeout=900)
save("twice.json", '"n": 3', '"n": 4')
said = b""
while b"data: reload" not in said:
    line = events.readline()
    assert line, f"the server ended without a reload: {said}"
    said += line
watch.until("watch: ended")
try:
    urllib.request.urlopen(address.group())
    raise AssertionError("the server is still there")
except OSError:
    pass
alone = subprocess.run([gputest, "watch", build, "--port", "0"], capture_output=True, text=True, check=False)
assert alone.returncode == 2 and "--port is for --server" in alone.stderr, alone
print("all is well")
