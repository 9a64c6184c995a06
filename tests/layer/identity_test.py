"""A program cannot tell that there is a layer, and what it launches is measured."""
import ctypes
import os
import subprocess

import runs
from runs import Covered, LayerTest, SOURCES, program

# What each section of every_call.c launches.
SECTIONS = {
    "queries": {"add": 1, "one": 0},
    "references": {"add": 2, "one": 0},
    "out_of_order": {"add": 2, "one": 0},
    "sub_buffers": {"add": 1, "one": 0},
    "images": {"flip": 1},
    "clone": {"add": 4, "one": 0},
    "link": {"twice_each": 1},
    "same_names": {"set": 3},
    "kernels": {"add": 0, "one": 1},
    "native": {"add": 0, "one": 0},
    "threads": {"add": 80, "one": 0},
    "unfinished": {"add": 1, "one": 0},
}


FEW = ("out_of_order", "images", "link", "native", "threads", "unfinished")  # of short runs


class IdentityTest(LayerTest):
    def test_every_call(self):
        for section, launches in SECTIONS.items():
            if not runs.LONG and section not in FEW:
                continue
            with self.subTest(section):
                covered = self.assert_identical([program("every_call"), section])
                self.assertEqual(covered.launches(), launches)
                self.assertEqual(covered.summary["not_measured"], [])

    def test_more_calls(self):
        covered = self.assert_identical([program("more_calls"), "all"])
        # A library's, three of a graph, one of a part and two of SVM, where a device can do it.
        launches = 7 - (b"no parts" in covered.stdout) - 2 * (b"no SVM" in covered.stdout)
        self.assertEqual(covered.launches(), {"lose": launches})

    def test_binaries_of_another_process_are_named(self):
        binary = str(runs.WORK / "binary")
        self.assertEqual(runs.run([program("more_calls"), "binary_to", binary]).stdout, b"1\n")
        covered = self.assert_identical([program("more_calls"), "binary_from", binary])
        self.assertIn("it was created from a binary", covered.reasons())
        runs.run([runs.GPUTEST, "run", "--coverage", "--output", str(runs.WORK / "source"), "--cache",
                  str(runs.WORK / "cache"), "--", program("more_calls"), "binary_to", binary])
        covered = self.assert_identical([program("more_calls"), "binary_from", binary])
        self.assertEqual(covered.launches(), {"lose": 1})

    def test_svm_where_there_is_some(self):
        covered = self.assert_identical([program("every_call"), "svm"])
        self.assertEqual(covered.launches()["add"], 0 if b"no SVM" in covered.stdout else 1)

    def test_two_devices(self):
        two = {"POCL_DEVICES": "pthread basic"}  # other platforms have the devices they have
        covered = self.assert_identical([program("every_call"), "devices"], environment=two)
        if b"one device" not in covered.stdout:
            self.assertEqual(covered.launches(), {"add": 2, "one": 0})

    def test_programs_from_binaries_of_their_own(self):
        covered = self.assert_identical([program("every_call"), "binaries"])
        self.assertEqual(covered.launches(), {"add": 1, "one": 0})
        self.assertEqual(covered.reasons(), "")

    def test_command_buffers_are_named(self):
        covered = self.assert_identical([program("every_call"), "command_buffer"])
        self.assertEqual(covered.summary["result"], "exit code 0")
        if b"no command buffers" not in covered.stdout:
            self.assertEqual(covered.launches(), {"one": 0})  # `add` was launched, and not measured
            self.assertEqual([entry["kernel"] for entry in covered.summary["not_measured"]], ["add"])
            self.assertIn("cl_khr_command_buffer", covered.reasons())

    def test_build_errors_name_the_programs_own_lines(self):
        covered = self.assert_identical([program("every_call"), "build_errors"])
        self.assertIn(b"names the line: 1", covered.stdout)
        self.assertEqual(covered.code, 1)

    def test_cpp(self):
        covered = self.assert_identical([program("vector")])
        self.assertEqual(covered.launches(), {"saxpy": 1, "scale": 1})
        self.assertEqual(covered.summary["result"], "exit code 3")
        self.assertEqual(covered.code, 1)

    def test_what_is_covered(self):
        covered = self.assert_identical([program("small"), str(SOURCES / "clamp.cl"), "50"])
        self.assertEqual(covered.code, 0)
        self.assertEqual(covered.launches(), {"clamp_values": 1, "group_sum": 1, "never_launched": 0})
        self.assertEqual(covered.missing("clamp_values"), set())
        self.assertTrue(all("zero" in outcome or "one" in outcome for outcome in covered.missing("group_sum")))
        self.assertTrue(covered.missing("never_launched"))

    def test_each_launch(self):
        # Two of these kernels are at fault: with one thread they do the same each time.
        covered = Covered([program("orders"), str(SOURCES / "orders.cl"), "between", "waits", "grid"], ["--launches"],
                          environment={"POCL_MAX_PTHREAD_COUNT": "1"})
        self.assertEqual(covered.code, 0, covered.all_stderr)
        kernels = {kernel["kernel"]: kernel for kernel in covered.summary["kernels"]}
        shares = kernels["between"]["shares"]
        self.assertEqual([share["launch"] for share in shares], [1, 2, 3, 4, 5])
        self.assertEqual([share["added"] > 0 for share in shares], [True, False, False, False, False])
        self.assertEqual((shares[3]["global_size"], shares[3]["local_size"]), ([128], [16]))
        self.assertEqual(shares[4]["branch"], {"covered": 2, "total": 2})
        self.assertNotIn("local_size", kernels["grid"]["shares"][0])
        self.assertNotIn("shares", kernels["within"])
        text = covered.stdout.decode()
        self.assertIn(".between: what launches cover by themselves\n  launch 1 (128 in groups of 16): statement ", text)
        self.assertIn("  4 launches covered nothing that was not covered before", text)
        small = Covered([program("orders"), str(SOURCES / "orders.cl"), "between"])
        self.assertNotIn("shares", small.summary["kernels"][0])
        for launches in (["--launches", "--mutation"], ["--launches", "--schedules"]):
            self.assertEqual(runs.run([runs.GPUTEST, "run", *launches, "--", program("orders")]).returncode, 2)

    def test_report_names_the_file(self):
        covered = Covered([program("small"), "clamp.cl"], folder=SOURCES)
        self.assertIn(b"clamp.cl:8:12: branch 'value > high' was never true", covered.stdout)
        self.assertEqual(covered.code, 0)

    def test_report_shows_source_that_is_no_file(self):
        page = runs.WORK / "page.html"
        Covered([program("vector")], ["--html", str(page), "--no-terminal"])
        self.assertIn("saxpy", page.read_text())
        self.assertNotIn("not found", page.read_text())

    def test_thresholds(self):
        command = [program("small"), str(SOURCES / "clamp.cl")]
        self.assertEqual(Covered(command, ["--threshold", "branch=70"]).code, 0)
        missed = Covered(command, ["--threshold", "branch=95"])
        self.assertEqual(missed.code, 1)
        self.assertIn(b"branch coverage is", missed.all_stderr)

    def test_only_named_files(self):
        other = runs.WORK / "other.cl"
        other.write_text("__kernel void other(__global int* a) { a[0] = 1; }\n")
        command = [program("small"), str(SOURCES / "clamp.cl")]
        self.assertEqual(len(Covered(command, ["--kernels", str(SOURCES / "*.cl")]).summary["kernels"]), 3)
        none = Covered(command, ["--kernels", str(other)])
        self.assertEqual((none.summary["kernels"], none.code), ([], 1))
        self.assertIn(b"none of its OpenCL programs", none.all_stderr)

    def test_layer_without_a_run(self):
        layer = os.path.join(os.path.dirname(runs.GPUTEST), "libgputest_layer.so")
        plain = runs.run([program("vector")])
        for run_folder in ("", "/nonexistent"):
            layered = runs.run([program("vector")], environment={"OPENCL_LAYERS": layer, "GPUTEST_RUN": run_folder})
            self.assertEqual((plain.stdout, plain.stderr, plain.returncode),
                             (layered.stdout, layered.stderr, layered.returncode))

    def test_both_ways_to_begin(self):
        """Loaders call one of two functions; the loader of this machine may know the older one alone."""
        layer = ctypes.CDLL(os.path.join(os.path.dirname(runs.GPUTEST), "libgputest_layer.so"))
        target = (ctypes.c_void_p * 200)(*range(1, 201))
        for begin, more in ((layer.clInitLayer, []), (layer.clInitLayerWithProperties, [None])):
            count, dispatch = ctypes.c_uint(), ctypes.POINTER(ctypes.c_void_p)()
            self.assertEqual(begin(200, target, ctypes.byref(count), ctypes.byref(dispatch), *more), 0)
            self.assertGreater(count.value, 100)
            self.assertEqual(dispatch[:count.value], target[:count.value])
            self.assertLess(begin(200, None, ctypes.byref(count), ctypes.byref(dispatch), *more), 0)

    def test_layer_exports_nothing_else(self):
        layer = os.path.join(os.path.dirname(runs.GPUTEST), "libgputest_layer.so")
        names = subprocess.run(["nm", "-D", "--defined-only", layer], capture_output=True, text=True, check=True).stdout
        self.assertEqual([line.split()[-1] for line in names.splitlines()], ["clGetLayerInfo", "clInitLayer", "clInitLayerWithProperties"])
        needed = subprocess.run(["ldd", runs.GPUTEST, layer], capture_output=True, text=True, check=True).stdout
        self.assertNotIn("OpenCL", needed)
        self.assertNotIn("sqlite", needed[needed.index("libgputest_layer.so:"):])


runs.main()
