"""Each option that a program's --help has is in the documentation, and a test or an example gives it.

usage: documented_options_test.py <checkout> <gputest> <the tests' host program, which reads its description>"""
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT, GPUTEST, HARNESS = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
SHORT = {"--define": "-D", "--include": "-I", "--output": "-o", "--kernel": "-k"}


def help_of(*command):
    return subprocess.run([*command, "--help"], capture_output=True, text=True, check=True).stdout


def options_of(text):
    return sorted(set(re.findall(r"^ +(?:-\w, )?(--[a-z][a-z0-9-]+)", text, re.MULTILINE)))


def named_in(*patterns):
    """The options in all of these files; as bytes, because some tests have files that are no UTF-8."""
    files = sorted(file for pattern in patterns for file in ROOT.glob(pattern) if file.is_file())
    text = b"\n".join(file.read_bytes() for file in files if file != pathlib.Path(__file__))
    return {option.decode() for option in re.findall(rb"(?<![\w-])--?[a-zA-Z][a-z0-9-]*", text)}


commands = re.findall(r"^  ([a-z-]+)  ", help_of(GPUTEST), re.MULTILINE)
assert len(commands) > 15, commands
helps = {f"gputest {command}": options_of(help_of(GPUTEST, command)) for command in commands}
with tempfile.NamedTemporaryFile("w", suffix=".json") as description:
    description.write("{}")
    description.flush()
    helps["a host program"] = options_of(help_of(HARNESS, description.name))
docs = named_in("docs/**/*.md", "README.md")
# CMake functions give some options, and their tests need not name them.
tests = named_in("tests/**/*", "examples/**/*", "cmake/**/*")
MADE_UP = {"--tally", "--at-most"}  # the made-up analysis
missing = []
for program, options in helps.items():
    for option in options:
        if option in MADE_UP:
            continue
        if option not in docs and SHORT.get(option) not in docs:
            missing.append(f"{program}: {option} is in no page of docs/")
        if option not in tests:
            missing.append(f"{program}: no test or example gives {option}")
print("\n".join(missing))
sys.exit(bool(missing))
