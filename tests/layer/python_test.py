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

    def test_old_languages(self):
        # Programs that are built as OpenCL C 1.1 are measured in every way. (PoCL refuses 1.0.)
        command = [PYTHON, str(SOURCES / "halves.py"), "-cl-std=CL1.1"]
        settings = {"PYOPENCL_NO_CACHE": "1", "PYOPENCL_COMPILER_OUTPUT": "0"}
        covered = runs.Covered(command, environment=settings)
        self.assertEqual(covered.code, 0, covered.all_stderr)
        self.assertEqual(covered.reasons(), "")
        self.assertIn(b"100 %", covered.stdout)
        for options in (["--mutation", "--sample", "5", "--baseline", "2"], ["--schedules=1", "--baseline", "2"], ["--check"]):
            done = runs.run([runs.GPUTEST, "run", *options, "--output", str(WORK / "old"), "--cache",
                             str(WORK / "cache"), "--", *command], environment=settings)
            said = done.stdout + done.stderr
            self.assertEqual(done.returncode, 0, (options, said))
            self.assertNotIn(b"not measured", said)
            self.assertIn(b"halves", done.stdout)

    def test_captured_strings(self):
        # The source is what was built, not the Python file. Macros that CMake reads in its own way are lines of it.
        settings = {"PYOPENCL_NO_CACHE": "1", "PYOPENCL_COMPILER_OUTPUT": "0"}
        shutil.rmtree(WORK / "captured", ignore_errors=True)
        odd = ["A=a;b", "B=[", "C=]", "D=$<1:2>", "E=${A}", "F=1#2", "G(x)=x;x", "H", "NAME=count"]
        for name, macros in (("plain", []), ("given", ["NAME=count", "N=(1+2)"]), ("odd", odd)):
            folder = WORK / "captured" / name  # apart: a text is looked for in files beside it
            folder.mkdir(parents=True)
            shutil.copy(SOURCES / "halves.py", folder / f"{name}.py")
            done = runs.run([runs.GPUTEST, "capture", "--cmake", "--output", f"of_{name}", "--cache", str(WORK / "cache"),
                             "--", PYTHON, f"{name}.py", *("-D" + macro for macro in macros)],
                            folder=folder, environment=settings)
            self.assertEqual(done.returncode, 0, done.stderr)
            lines, source = done.stdout.decode(), (folder / f"of_{name}" / f"{name}.cl").read_text()
            self.assertIn(f'SOURCE "of_{name}/{name}.cl"', lines)
            self.assertIn("kernel void halves", source)
            self.assertNotIn("import", source)
            self.assertEqual("DEFINITIONS" in lines, name == "given", lines)
            for macro in odd:
                before, _, value = macro.partition("=")
                self.assertEqual(f"#define {before} {value or 1}\n" in source, name == "odd", macro)

    def test_nothing_measured(self):
        # The name is that of the inserted text, so the device refuses it: that is not 0 %.
        covered = runs.Covered([PYTHON, str(SOURCES / "halves.py"), "-DNAME=gputest"],
                               environment={"PYOPENCL_NO_CACHE": "1", "PYOPENCL_COMPILER_OUTPUT": "0"})
        self.assertEqual(covered.code, 1, covered.all_stderr)
        self.assertNotIn(b" %", covered.stdout)
        self.assertIn(b"no kernel of halves was measured", covered.all_stderr)
        self.assertEqual(covered.summary["kernels"], [])
        self.assertNotEqual(covered.reasons(), "")


runs.main()
