"""Subjects of commits are what CONTRIBUTING.md says.

    history_test.py <checkout>

Looks at the commits since the rule was made. A checkout without this history is skipped.
"""

import subprocess
import sys

SINCE = "2466cc0cc65e7c1c9de9c7666951adbffe8a45f0"
MOST = 72


def problems(subject):
    if len(subject) > MOST:
        yield f"has {len(subject)} characters, and {MOST} are allowed"
    if ";" in subject:
        yield "has a ';': a commit is one change"
    if subject.endswith("."):
        yield "ends with a period"
    if not subject[:1].isupper():
        yield "does not begin with a capital letter"


def main():
    mistakes = {
        "x": ["does not begin with a capital letter"],
        "Add a; remove b.": ["has a ';': a commit is one change", "ends with a period"],
        "A" * 73: ["has 73 characters, and 72 are allowed"],
    }
    for subject, expected in mistakes.items():
        if list(problems(subject)) != expected:
            sys.exit(f"{subject}: {list(problems(subject))}")
    if list(problems("Report new survivors")):
        sys.exit("a good subject is refused")

    log = subprocess.run(
        ["git", "-C", sys.argv[1], "log", "--format=%h %s", f"{SINCE}.."],
        capture_output=True, text=True)
    if log.returncode != 0:
        print(f"skipped: there is no history since {SINCE}")
        sys.exit(77)
    found = 0
    for entry in log.stdout.splitlines():
        commit, subject = entry.split(" ", 1)
        for problem in problems(subject):
            print(f"{commit} '{subject}' {problem}")
            found += 1
    sys.exit(1 if found else 0)


main()
