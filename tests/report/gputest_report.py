"""What the checks of written reports share."""

import json
import pathlib
import subprocess
import sys

SKIPPED = 77
DATA = pathlib.Path(__file__).parent / "data"
SAMPLE = [DATA / run for run in ("reduce", "reduce_large", "classify", "copy")]
HOSTILE_SOURCE = (
    b'// <script>alert("comment")</script> & \xff\xfe caf\xc3\xa9 \xe2\x80\xae reversed\n'
    b"__kernel void hostile(__global int *a) {\n"
    b'\tif (a[0] < 1 && a[1] > "</code><script>alert(1)</script>"[0]) a[0] = \'<\'; // \x1b[31m\r\n}'
)
HOSTILE_NAME = """hostile/<img src=x onerror=alert(1)> & "it's".cl"""


def report(*arguments):
    subprocess.run([sys.argv[1], "report", "--no-terminal", *map(str, arguments)], check=True)


def hostile_root(directory):
    """A source tree with the file that data/hostile/coverage.json names."""
    source = pathlib.Path(directory) / HOSTILE_NAME
    source.parent.mkdir(parents=True)
    source.write_bytes(HOSTILE_SOURCE)
    return directory


def mutation_json(name, source):
    """Results of one survivor, the `alert` of the first line, in a file of this name and text."""
    column = source.index("alert") + 1
    own = {"index": 0, "verdict": "survived", "runs": 3, "seconds": 0.5, "operators": ["<b>operator</b>"],
           "kind": "switched", "function": "hostile", "file": name, "line": 1, "column": column, "end_line": 1,
           "end_column": column + 5, "text": "alert", "number": 1, "site": 0}
    mutant = {"id": "</script>", "mutatorName": "<b>operator</b>", "replacement": "<script>alert(1)</script>",
              "location": {"start": {"line": 1, "column": column}, "end": {"line": 1, "column": column + 5}},
              "status": "Survived", "coveredBy": ["<b>"], "killedBy": [], "gputest": own}
    about = {"format": "gputest-mutation-1", "name": "<b>name</b>", "kernel": "hostile", "device": "<b>device</b>",
             "source": name, "cases": ["<b>"], "operators": [], "repeat": 3, "threshold": None, "deterministic": True,
             "population": 1, "sample_seed": None, "since": "", "seconds": 0.5, "executed": 1, "not_mutated": []}
    return json.dumps({"schemaVersion": "2", "gputest": about,
                       "files": {name: {"language": "opencl", "source": source, "mutants": [mutant]}}})


def expect(condition, message):
    if not condition:
        sys.exit(f"failed: {message}")
