"""A Python program that uses PyOpenCL, where some Python here has it."""
import json
import shutil
import sys

import runs
from runs import LayerTest, SOURCES, WORK

PYTHONS = [sys.executable, shutil.which("python3") or "", "/usr/bin/python3"]
PYTHON = next((python for python in PYTHONS if python and
               runs.subprocess.run([python, "-c", "import pyopencl, numpy"], capture_output=True, check=False).returncode == 0), None)
if PYTHON is None:
    print("skipped: no Python with PyOpenCL (Debian: python3-pyopencl)")
    sys.exit(77)


class PythonTest(LayerTest):
    def test_arrays(self):
        settings = {"PYOPENCL_COMPILER_OUTPUT": "0", "XDG_CACHE_HOME": str(WORK / "home")}
        for _ in range(2):  # PyOpenCL keeps what it has built
            covered = self.assert_identical([PYTHON, str(SOURCES / "arrays.py")], environment=settings)
            self.assertEqual(covered.launches()["count_down"], 1)
            self.assertGreater(len(covered.summary["kernels"]), 2)
            self.assertEqual(covered.code, 0, covered.all_stderr)
        self.assertEqual(covered.summary["name"], "arrays")
        kernel = next(kernel for kernel in covered.summary["kernels"] if kernel["kernel"] == "count_down")
        self.assertEqual(kernel["results"], "arrays.count_down/coverage.json")
        coverage = json.loads((covered.output / kernel["results"]).read_text())
        lines = (SOURCES / "arrays.py").read_text().splitlines()
        for site in coverage["sites"]:
            self.assertIn(site["text"][:10], lines[site["line"] - 1])


runs.main()
