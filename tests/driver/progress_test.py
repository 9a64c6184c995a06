"""gputest progress, in a terminal and without one. What reports is played by a few lines of Python."""

import faulthandler
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
import unittest

GPUTEST = sys.argv.pop()

# tell(text): as a harness tells how far it is.
TELL = """
import os, signal, socket, sys, time
socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
socket.connect("\\0" + os.environ["GPUTEST_PROGRESS"])
def tell(text, name="sum", process=os.getpid()):
    socket.send(f"{process}\\t{name}\\t{text}".encode())
def out(text):
    sys.stdout.write(text)
    sys.stdout.flush()
"""


class Screen:
    """What a terminal of so many columns shows of the few sequences that are used."""

    def __init__(self):
        self.lines, self.row, self.column = [""], 0, 0

    def write(self, text):
        for part in re.findall(r"\x1b\[\d*[A-Z]|[\r\n]|[^\x1b\r\n]+", text):
            if part == "\r":
                self.column = 0
            elif part == "\n":
                self.row += 1
                if self.row == len(self.lines):
                    self.lines.append("")
            elif part.endswith("A") and part.startswith("\x1b"):
                self.row -= int(part[2:-1] or 1)
            elif part == "\x1b[J":
                del self.lines[self.row + 1 :]
                self.lines[self.row] = self.lines[self.row][: self.column]
            else:
                assert not part.startswith("\x1b"), repr(part)
                line = self.lines[self.row].ljust(self.column)
                self.lines[self.row] = line[: self.column] + part + line[self.column + len(part) :]
                self.column += len(part)


class Terminal:
    """A command in a terminal of its own, read until it ends or a line is there."""

    def __init__(self, command, columns=60):
        self.screen, self.history = Screen(), ""
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            settings = termios.tcgetattr(0)
            settings[3] &= ~termios.ECHO  # what is typed is not to be seen
            termios.tcsetattr(0, termios.TCSANOW, settings)
            os.execvp(command[0], command)
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))

    def read(self, seconds=0.05):
        if not select.select([self.terminal], [], [], seconds)[0]:
            return True
        try:
            text = os.read(self.terminal, 1 << 16).decode()
        except OSError:  # all who had it open are gone
            return False
        self.history += text
        self.screen.write(text)
        return text != ""

    def until(self, condition, seconds=120):
        end = time.monotonic() + seconds
        while not condition(self.screen.lines):
            if time.monotonic() > end or not self.read():
                raise AssertionError(f"never seen; the screen is {self.screen.lines}")

    def end(self):
        while self.read():
            pass
        os.close(self.terminal)
        return os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1])


def python(code):
    return [GPUTEST, "progress", "--", sys.executable, "-c", TELL + code]


class ProgressTest(unittest.TestCase):
    def test_below_what_is_printed(self):
        terminal = Terminal(python("""
out("first\\nsecond ")
tell("1/9")
sys.stdin.readline()
out("goes on\\n")
tell("2/9")
sys.stdin.readline()
tell("")
out("end")
sys.exit(3)
"""))
        terminal.until(lambda lines: lines == ["first", "sum: 1/9"])  # nothing but whole lines
        os.write(terminal.terminal, b"\n")
        terminal.until(lambda lines: lines == ["first", "second goes on", "sum: 2/9"])
        os.write(terminal.terminal, b"\n")
        self.assertEqual(terminal.end(), 3)
        self.assertEqual(terminal.screen.lines, ["first", "second goes on", "end"])

    def test_several(self):
        terminal = Terminal(python("""
children = []
for i in range(11):
    child = os.fork()
    if child == 0:
        tell("at work", f"kernel {i}", os.getpid())
        time.sleep(100)
    children.append(child)
    time.sleep(0.05)
sys.stdin.readline()
for child in children[1:]: # without a word
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
sys.stdin.readline()
os.kill(children[0], signal.SIGKILL)
"""))
        terminal.until(lambda lines: len(lines) == 8 and lines[7] == "and 4 more")
        os.write(terminal.terminal, b"\n")
        terminal.until(lambda lines: lines[-1] == "kernel 0: at work" and "and 4 more" not in lines)
        os.write(terminal.terminal, b"\n")
        self.assertEqual(terminal.end(), 0)
        self.assertFalse([line for line in terminal.screen.lines if line])

    def test_bad_messages(self):
        """Lines fit, and nothing in them moves the cursor."""
        terminal = Terminal(python("""
socket.send(b"")
socket.send(b"no message")
socket.send(b"x\\ty\\tz")
tell("a\\x1b[2Jb" + "é" * 100)
sys.stdin.readline()
"""))
        shown = "sum: a [2Jb" + "é" * 48
        terminal.until(lambda lines: lines == [shown])
        os.write(terminal.terminal, b"\n")
        self.assertEqual(terminal.end(), 0)

    def test_interrupted(self):
        """The command decides what becomes of it."""
        terminal = Terminal(python("""
def stop(*_):
    out("stopping\\n")
    sys.exit(5)
signal.signal(signal.SIGINT, stop)
tell("1/9")
while True: # one long sleep might begin just after the signal, which Python then handles at its end
    time.sleep(0.1)
"""))
        terminal.until(lambda lines: lines == ["sum: 1/9"])
        os.write(terminal.terminal, b"\x03")
        self.assertEqual(terminal.end(), 5)
        self.assertIn("stopping", terminal.screen.lines)
        self.assertNotIn("sum: 1/9", terminal.screen.lines)

    def test_killed(self):
        terminal = Terminal([GPUTEST, "progress", "--", "sh", "-c", "kill -9 $$"])
        self.assertEqual(terminal.end(), 128 + signal.SIGKILL)

    def test_no_terminal(self):
        done = subprocess.run([GPUTEST, "progress", "--", "sh", "-c", "echo ${GPUTEST_PROGRESS-none}; exit 4"],
                              capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (4, "none\n", ""))

    def test_wrong_commands(self):
        for words in [[], ["ctest"], ["--"], ["--", "/no/such/command"]]:
            for run in [self.plain, self.in_terminal]:
                code, output = run(words)
                self.assertEqual(code, 2, words)
                self.assertIn("error: ", output)

    def plain(self, words):
        done = subprocess.run([GPUTEST, "progress", *words], capture_output=True, text=True)
        return done.returncode, done.stderr

    def in_terminal(self, words):
        terminal = Terminal([GPUTEST, "progress", *words])
        return terminal.end(), terminal.history


if __name__ == "__main__":
    faulthandler.dump_traceback_later(50)  # says where it hangs, before the test's time is over
    unittest.main()
