"""Programs with and without the layer, for the tests beside this file.

    <test>.py <gputest> <folder of the test programs> <a folder of its own>
"""
import functools
import json
import os
import pathlib
import shutil
import subprocess
import sys
import unittest

GPUTEST, PROGRAMS, WORK = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
SOURCES = pathlib.Path(__file__).parent / "programs"
# What the layer printed must not hide in what the driver says of its run.
SAID = (b"warning: not measured: ", b"warning: the cache ", b"error: no kernel of ", b"note: ")


# Short runs have one of each kind (GPUTEST_LONG_TESTS).
LONG = "GPUTEST_LONG_TESTS" in os.environ or "GPUTEST_RANDOM" in os.environ


def long(test):
    """A test of long runs: what it looks at, others look at as well, or the tests of another room."""
    return test if LONG else None


def program(name):
    return str(PROGRAMS / ("layer_" + name))


ONE_BY_ONE = {"POCL_MAX_PTHREAD_COUNT": "1"}


@functools.cache
def is_pocl():
    """The one device whose work-groups come in an order that is known, with ONE_BY_ONE."""
    return b"Portable Computing Language" in run([program("every_call"), "platform"]).stdout


def run(command, **settings):
    environment = dict(os.environ, **settings.pop("environment", {}))
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=900,
                          cwd=settings.pop("folder", WORK), env=environment, check=False)


class Covered:
    """One run under the layer: its streams, exit code of gputest, run.json, coverage by kernel."""

    def __init__(self, command, options=(), **settings):
        self.output = WORK / "results"
        shutil.rmtree(self.output, ignore_errors=True)
        done = run([GPUTEST, "run", "--coverage", "--output", str(self.output), "--cache", str(WORK / "cache"),
                    *options, "--", *command], **settings)
        self.code, self.stdout, self.all_stderr = done.returncode, done.stdout, done.stderr
        self.stderr = b"".join(line for line in done.stderr.splitlines(keepends=True)
                               if not line.startswith(SAID) and not (line.startswith(b"error: ") and b" failed: " in line))
        summary = self.output / "run.json"
        self.summary = json.loads(summary.read_text()) if summary.exists() else None

    def launches(self):
        found = {}
        for kernel in self.summary["kernels"]:
            found[kernel["kernel"]] = found.get(kernel["kernel"], 0) + kernel["launches"]
        return found

    def reasons(self):
        return " ".join(entry["reason"] for entry in self.summary["not_measured"])

    def missing(self, kernel):
        """Outcomes that did not occur, as 'text:outcome'."""
        found = set()
        for entry in self.summary["kernels"]:
            if entry["kernel"] != kernel:
                continue
            coverage = json.loads((self.output / entry["results"]).read_text())
            for site in coverage["sites"]:
                found |= {f"{site['text']}:{name}" for name, count in site["outcomes"].items() if count == 0}
        return found


class LayerTest(unittest.TestCase):
    def assert_identical(self, command, **settings):
        """Same output, errors and result with the layer; returns the run with it."""
        plain = run(command, **dict(settings))
        covered = Covered(command, ["--no-terminal"], **dict(settings))
        if plain.stdout != covered.stdout:  # a driver that keeps what it built has no build log the second time
            plain = run(command, **dict(settings))
        self.assertEqual(plain.stdout, covered.stdout)
        self.assertEqual(plain.stderr, covered.stderr)
        expected = f"exit code {plain.returncode}" if plain.returncode >= 0 else "killed by "
        self.assertTrue(covered.summary["result"].startswith(expected), covered.summary["result"])
        return covered


def main():
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    # Runs measure themselves, and nobody's cache.
    for name in ("OPENCL_LAYERS", "GPUTEST_RUN", "GPUTEST_LAYER", "GPUTEST_CACHE_DIR", "GPUTEST_DRIVER"):
        os.environ.pop(name, None)
    if run([program("small"), str(SOURCES / "clamp.cl")]).returncode == 77:
        print("skipped: no OpenCL device")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1], verbosity=2)
