"""completion_test.py <zsh|fish> <gputest> <folder of completions>: types command lines and looks what the shell makes of
them. 77: the shell is not installed."""

import os
import pty
import select
import shutil
import subprocess
import sys
import tempfile
import time

shell, gputest, completions = sys.argv[1:]
if not shutil.which(shell):
    print(f"skipped: {shell} is not installed")
    sys.exit(77)

# What is typed, and what Tab makes of it; several candidates are shown.
CASES = [
    ("gputest rep", ["gputest replay", "gputest report"]),
    ("gputest merg", ["gputest merge"]),
    ("gputest help merg", ["gputest help merge"]),
    ("gputest report --ht", ["gputest report --html"]),
    ("gputest report --html page --cob", ["gputest report --html page --cobertura"]),
    ("gputest merge --wrong", ["gputest merge --wrong"]),
    ("gputest merge stor", ["gputest merge store1.db"]),
    ("gputest run -- no_such_program --ht", ["gputest run -- no_such_program --ht"]),
    ("gputest run --check -- no_such_program stor", ["gputest run --check -- no_such_program store1.db"]),
]


def in_fish(folder, environment, line):
    said = subprocess.run([shell, "--no-config", "-c", f"source {completions}/gputest.fish; complete -C '{line}'"], cwd=folder,
                          env=environment, capture_output=True, text=True, check=True).stdout
    words = [candidate.split("\t")[0] for candidate in said.splitlines()]
    return [f"{line[:line.rindex(' ')]} {word}" for word in words] or [line]


class Zsh:
    """A terminal with zsh: ^X writes what the line has become to a file."""

    def __init__(self, folder, environment):
        self.line = os.path.join(folder, ".line")
        process, self.terminal = pty.fork()
        if process == 0:
            os.chdir(folder)
            os.execvpe(shell, [shell, "-f", "-i"], environment)
        self.type("fpath=(%s $fpath); autoload -Uz compinit; compinit -u -D; unsetopt beep; zstyle ':completion:*' menu no\n"
                  % completions)
        self.type("show() { print -rn -- $BUFFER >%s.new; mv %s.new %s; BUFFER= }; zle -N show; bindkey '^X' show\n"
                  % ((self.line,) * 3))

    def type(self, keys):
        os.write(self.terminal, keys.encode())

    def complete(self, keys):
        self.type(keys + "\t\x18")
        shown, end = b"", time.monotonic() + 200
        while not os.path.exists(self.line):
            assert time.monotonic() < end, shown.decode(errors="replace")
            if select.select([self.terminal], [], [], 0.05)[0]:
                shown += os.read(self.terminal, 65536)
        with open(self.line, encoding="utf-8") as file:
            text = file.read().rstrip()
        os.remove(self.line)
        while select.select([self.terminal], [], [], 0.05)[0]:
            shown += os.read(self.terminal, 65536)
        return text, shown.decode(errors="replace")


with tempfile.TemporaryDirectory() as folder:
    os.makedirs(os.path.join(folder, "bin"))
    os.symlink(gputest, os.path.join(folder, "bin/gputest"))
    with open(os.path.join(folder, "store1.db"), "w", encoding="utf-8"):
        pass
    environment = dict(os.environ, PATH=os.path.join(folder, "bin") + ":" + os.environ["PATH"], HOME=folder, TERM="xterm")
    zsh = Zsh(folder, environment) if shell == "zsh" else None
    for typed, expected in CASES:
        if zsh:
            text, shown = zsh.complete(typed)
            if len(expected) == 1:
                assert text == expected[0], f"'{typed}' became '{text}'\n{shown}"
            else:
                for one in expected:
                    assert one.split()[-1] in shown.replace(typed, ""), f"'{typed}': no '{one}' in\n{shown}"
        else:
            found = in_fish(folder, environment, typed)
            assert found == expected, f"'{typed}': {found}"
print("all is well")
