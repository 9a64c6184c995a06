"""What `gputest report`, and of their standard output all commands, do where nothing more can be written: exit code 3, the
file and the reason, and no half of a file.

    full_disk_test.py <gputest> <folder of results>
"""
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile
import unittest

GPUTEST, RESULTS = sys.argv[1], pathlib.Path(sys.argv[2])
KINDS = RESULTS / "kinds"
# What is reported, and the options that write a file of it.
WRITTEN = ((RESULTS / "reduce" / "coverage.json", ("--html", "--json", "--lcov", "--cobertura", "--sarif", "--junit")),
           (RESULTS / "mutation" / "reduce" / "mutation.json", ("--html", "--json", "--sarif", "--junit")),
           *((KINDS / "sum" / f"{kind}.json", ("--html", "--sarif", "--junit")) for kind in ("check", "schedules", "memory")),
           (KINDS, ("--html", "--json", "--index", "--badge")))


def nothing_fits():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # write() fails instead, as on a full disk
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


class FullDiskTest(unittest.TestCase):
    def test_options(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "report")
            for results, options in WRITTEN:
                for option in options:
                    with self.subTest(results=results, option=option):
                        command = [GPUTEST, "report", "--no-terminal", str(results), option, str(file)]
                        done = subprocess.run(command, capture_output=True, text=True, check=False, restore_signals=False,
                                              preexec_fn=nothing_fits)
                        self.assertEqual(done.returncode, 3, done.stderr)
                        self.assertRegex(done.stderr, f"{folder}/.*: error: cannot be written: File too large")
                        # The index keeps what it says in a store, which is there before it has content.
                        self.assertLessEqual({one.name for one in pathlib.Path(folder).iterdir()}, {"results.db"})
                        file.write_text("old")  # stays as it was
                        subprocess.run(command, capture_output=True, check=False, restore_signals=False, preexec_fn=nothing_fits)
                        self.assertEqual(file.read_text(), "old")
                        self.assertLessEqual({one.name for one in pathlib.Path(folder).iterdir()}, {"results.db", "report"})
                        file.unlink()

    def test_table(self):
        for words in (*(["report", str(results)] for results, _ in WRITTEN), ["mutants", "--list-operators"], ["report", "--help"],
                      ["help"], ["--version"]):
            with self.subTest(words=words), open("/dev/full", "wb") as full:
                done = subprocess.run([GPUTEST, *words], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
                self.assertEqual(done.returncode, 3, done.stderr)
                # Who filled the buffer first has been told why, and not we.
                self.assertRegex(done.stderr, "^standard output: error: cannot be written: (No space left|Input/output error)")


unittest.main(argv=sys.argv[:1])
