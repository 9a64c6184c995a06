"""Repeats what a page shows: blocks of code are files, and blocks of `console` are typed and compared.

    transcripts.py <page> <folder> <install tree>

The first line of a block of code names its file in a comment, such as `// saxpy/saxpy.cl`. What follows after the name
and a colon is prose. A block of `console` is typed in the folder of the file before it. Lines after `$ ` are commands,
the others are what they print: `…` stands for any text, and alone in a line for any lines. Times in seconds are any.
"""
import os
import pathlib
import re
import subprocess
import sys


def pattern_of(expected):
    """The regular expression of all that a command prints."""
    lines = []
    for line in expected:
        if line == "…":
            lines.append("(?:.*\n)*?")
            continue
        text = re.sub(r"\d+\\\.\d+\\ sec", r"\\d+\\.\\d+\\ sec", re.escape(line).replace("…", ".*"))
        lines.append(text + "\n")
    return "".join(lines)


def commands_of(block):
    """Pairs of a command and what it prints, line by line."""
    commands = []
    for line in block.splitlines():
        if line.startswith("$ "):
            commands.append((line[2:], []))
        else:
            commands[-1][1].append(line)
    return commands


def repeat(page, folder, prefix):
    """Returns what differs, as texts."""
    environment = dict(os.environ, PREFIX=prefix, PATH=prefix + "/bin:" + os.environ["PATH"])
    here, wrong, typed = folder, [], 0
    for language, block in re.findall(r"^```(\w+)\n(.*?)^```$", page, re.DOTALL | re.MULTILINE):
        if language != "console":
            name = re.match(r"(?://|#) ([\w./-]+/[\w.-]+)(?::|\n)", block)
            if not name:
                continue
            file = folder / name.group(1)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(block)
            here = file.parent
            continue
        for command, expected in commands_of(block):
            typed += 1
            ran = subprocess.run(["bash", "-c", command], cwd=here, env=environment, text=True, stdin=subprocess.DEVNULL,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            if not re.fullmatch(pattern_of(expected), ran.stdout.rstrip("\n") + "\n" if ran.stdout else ""):
                wrong.append(f"$ {command}\n{ran.stdout}\ninstead of\n" + "\n".join(expected))
    if not typed:
        wrong.append("there is no block of console")
    return wrong


def test_of_this_tool(folder):
    """A page that lies is found, and a page that does not is not."""
    page = "```c\n// {0}/a.txt: prose\nwords\n```\n```console\n$ cat a.txt; echo 1.23 sec\n{1}\n```\n"
    for name, shown, right in (("a", "…\nwords\n9.00 sec", True), ("b", "// b/a.txt…\nwords\n0.01 sec", True),
                               ("c", "…\nother\n1.23 sec", False), ("d", "…\nwords", False), ("e", "words\n1.23 sec", False)):
        if bool(repeat(page.format(name, shown), folder, "/none")) == right:
            sys.exit(f"transcripts.py: the page that shows {shown!r} is judged wrongly")
    if not repeat("no block", folder, "/none"):
        sys.exit("transcripts.py: a page without transcripts passes")


page, folder, prefix = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
test_of_this_tool(folder / "tool")
differences = repeat(page.read_text(), folder, prefix)
print("\n\n".join(differences))
sys.exit(1 if differences else 0)
