"""Mutants of what run_kernel launches, in C++ and in Python: launches tell what runs of the program tell."""
import json
import shutil
import sys

import runs
from runs import LayerTest, SOURCES, WORK, program

KERNEL = str(SOURCES.parents[1] / "cmake" / "python" / "clip.cl")
PYTHONS = [sys.executable, shutil.which("python3") or "", "/usr/bin/python3"]
PYTHON = next((python for python in PYTHONS if python and
               runs.subprocess.run([python, "-c", "import gputest, numpy"], capture_output=True, check=False).returncode == 0), None)


class RunKernelTest(LayerTest):
    def verdicts(self, command, *options):
        done = runs.run([runs.GPUTEST, "run", "--mutation", "--output", str(WORK / "results"), "--cache", str(WORK / "cache"),
                         "--fresh", "--baseline", "2", "--operators", "relational_replacement,statement_deletion", *options,
                         "--", *command, KERNEL])
        self.assertEqual(done.returncode, 0, done.stderr)
        files = json.loads((WORK / "results" / "mutation.json").read_text())["files"]
        found = {one["replacement"]: (one["status"], one["gputest"].get("reason"), one.get("statusReason", "").split("; ")[0])
                 for file in files.values() for one in file["mutants"]}
        return found, b"no run of the program was needed: its launches told" in done.stdout

    def assert_told(self, command):
        tried, told = self.verdicts(command)
        self.assertTrue(told)
        # Nobody looks at what the second launch leaves.
        self.assertEqual(tried["data[i] >= top"][:2], ("Survived", None))
        self.assertEqual(tried[";"][0], "Killed")
        return tried

    def test_in_c(self):
        tried = self.assert_told([program("runs_kernel")])
        self.assertEqual((tried, False), self.verdicts([program("runs_kernel")], "--whole-runs"))

    @runs.unittest.skipUnless(PYTHON, "no Python has the module gputest")
    def test_in_python(self):
        self.assert_told([PYTHON, str(SOURCES / "runs_kernel.py")])


runs.main()
