"""What the checks of written reports share."""

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


def expect(condition, message):
    if not condition:
        sys.exit(f"failed: {message}")
