"""Subjects of commits are what CONTRIBUTING.md says.

    history_test.py <checkout>

Looks at the commits since the rule was made. A checkout without this history is skipped.
"""

import subprocess
import sys

SINCE = "2466cc0cc65e7c1c9de9c7666951adbffe8a45f0"
MOST = 72


def problems(subject, body):
    if len(subject) > MOST:
        yield f"has {len(subject)} characters, and {MOST} are allowed"
    if ";" in subject:
        yield "has a ';': a commit is one change"
    if subject.endswith("."):
        yield "ends with a period"
    if not subject[:1].isupper():
        yield "does not begin with a capital letter"
    if not body and not subject.startswith("Merge "):
        yield "has no body that says why"


def main():
    mistakes = {
        "x": ["does not begin with a capital letter", "has no body that says why"],
        "Add a; remove b.": ["has a ';': a commit is one change", "ends with a period", "has no body that says why"],
        "A" * 73: ["has 73 characters, and 72 are allowed", "has no body that says why"],
    }
    for subject, expected in mistakes.items():
        if list(problems(subject, "")) != expected:
            sys.exit(f"{subject}: {list(problems(subject, ''))}")
    if list(problems("Report new survivors", "Why.")):
        sys.exit("a good subject is refused")

    log = subprocess.run(
        ["git", "-C", sys.argv[1], "log", "-z", "--format=%h%n%s%n%b", f"{SINCE}.."],
        capture_output=True, text=True)
    if log.returncode != 0:
        print(f"skipped: there is no history since {SINCE}")
        sys.exit(77)
    found = 0
    for entry in filter(None, log.stdout.split("\0")):
        commit, subject, body = entry.split("\n", 2)
        for problem in problems(subject, body.strip()):
            print(f"{commit} '{subject}' {problem}")
            found += 1
    sys.exit(1 if found else 0)


main()
