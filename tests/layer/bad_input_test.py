"""Programs that do unusual things, and places that are not as they should be: the program behaves as without the
layer, and the report says what was not measured and why."""
import json
import os
import pathlib
import shutil
import subprocess
import time

import runs
from runs import Covered, LayerTest, SOURCES, WORK, program

SMALL = [program("small"), str(SOURCES / "clamp.cl")]


def misbehaves(how):
    return [program("misbehaves"), how]


class ProgramTest(LayerTest):
    def test_no_opencl(self):
        covered = self.assert_identical(misbehaves("no_opencl"))
        self.assertEqual((covered.summary["processes"], covered.code), (0, 1))
        self.assertIn(b"made no OpenCL call", covered.all_stderr)

    def test_no_device(self):
        for kind in ("--coverage", "--mutation", "--schedules", "--check"):
            with self.subTest(kind):
                none = runs.run([runs.GPUTEST, "run", kind, "--output", str(WORK / "no device"), "--", *SMALL],
                                environment={"OCL_ICD_VENDORS": "/nonexistent"})
                self.assertRegex(none.stderr, b"no (OpenCL )?device")
                self.assertNotIn(b"made no OpenCL call", none.stderr)

    def test_no_executable(self):
        script = WORK / "text"
        script.write_text("no program")
        for command in ([str(script)], ["/nonexistent/program"], ["no-such-program-anywhere"]):
            covered = Covered(command)
            self.assertEqual(covered.code, 2, command)
            self.assertIn(b"error: ", covered.all_stderr)

    def test_two_at_once(self):
        """They share --output, so one waits for the other, and both have what each has alone."""
        output = WORK / "shared"
        shutil.rmtree(output, ignore_errors=True)
        started = []
        for analysis in (["--coverage"], ["--mutation", "--sample", "3", "--baseline", "2"], ["--coverage"]):
            started.append(subprocess.Popen([runs.GPUTEST, "run", *analysis, "--output", str(output), "--no-terminal", "--",
                                             *SMALL], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, cwd=WORK))
        for one in started:
            errors = one.communicate(timeout=900)[1]
            self.assertIn(one.returncode, (0, 1), errors)
            self.assertNotIn(b"error: ", errors)
        self.assertEqual(json.loads((output / "run.json").read_text())["result"], "exit code 0")
        self.assertTrue((output / "mutation.json").exists())

    def test_ends_by_itself(self):
        results = {"abort": "killed by SIGABRT", "_exit": "exit code 5", "crash": "killed by SIGSEGV"}
        for how, result in list(results.items())[:3 if runs.LONG else 2]:
            with self.subTest(how):
                covered = self.assert_identical(misbehaves(how))
                self.assertEqual((covered.summary["result"], covered.code), (result, 1))
                self.assertEqual(covered.launches(), {"set": 1})
                missing = {"value > 3:true"} if how == "abort" else {"value > 3:false"}
                self.assertTrue(missing <= covered.missing("set"))

    def test_hangs(self):
        start = time.monotonic()
        covered = Covered(misbehaves("hang"), ["--timeout", "3", "--no-terminal"])
        self.assertLess(time.monotonic() - start, 300)
        self.assertTrue(covered.summary["result"].startswith("still running after 3"))
        self.assertEqual((covered.launches(), covered.code), ({"set": 1}, 1))

    def test_children(self):
        covered = self.assert_identical(misbehaves("fork"))
        self.assertEqual((covered.launches(), covered.summary["processes"]), ({"set": 3}, 3))
        self.assertEqual(covered.missing("set"), set())
        covered = self.assert_identical(misbehaves("fork_after"))
        self.assertEqual(covered.launches(), {"set": 1})
        covered = self.assert_identical(misbehaves("exec"))
        self.assertEqual((covered.launches(), covered.summary["processes"]), ({"set": 2}, 2))
        self.assertEqual(covered.missing("set"), set())

    def test_knows_of_no_child_but_its_own(self):
        shutil.rmtree(WORK / "cache", ignore_errors=True)  # so that there is something to start
        self.assertEqual(self.assert_identical(misbehaves("children")).launches(), {"set": 1})

    def test_children_are_not_seen_by_a_reaper(self):
        self.assert_identical(misbehaves("reaper"))  # the device's compiler has its results now
        shutil.rmtree(WORK / "cache", ignore_errors=True)
        covered = self.assert_identical(misbehaves("reaper"))
        self.assertIn(b"reaped: 0, signals: 0", covered.stdout)
        self.assertEqual(covered.launches(), {"set": 1})

    def test_other_results_with_coverage(self):
        covered = Covered(misbehaves("measured"))
        compared = covered.summary["compared"]
        self.assertEqual((covered.code, compared["difference"]), (1, "the 1st of 1 pieces that it reads back differs"))
        self.assertEqual(len(compared["kernels"]), 1)
        self.assertIn(b"error: layer_misbehaves does something else with its kernels instrumented", covered.all_stderr)
        self.assertIn(b"in the simulator as well, so that what it covers is not known", covered.all_stderr)
        covered = Covered(misbehaves("translated") + ["original"])
        self.assertEqual(covered.code, 1)
        self.assertIn(b"the device's compiler translates the kernel wrongly", covered.all_stderr)
        covered = Covered(misbehaves("measured"))  # what is known of it hides nothing
        self.assertEqual((covered.code, covered.summary["compared"]["known"]), (1, False))
        covered = Covered(misbehaves("measured") + ["fails"])
        self.assertEqual(covered.summary["compared"]["difference"], "it ends with exit code 1 instead of exit code 0")
        covered = Covered(misbehaves("measured"), ["--no-compare"])
        self.assertEqual((covered.code, covered.summary["compared"]), (0, None))

    def test_same_results_with_coverage(self):
        shutil.rmtree(WORK / "cache", ignore_errors=True)
        for known in (False, True):
            covered = Covered(SMALL)
            compared = covered.summary["compared"]
            self.assertEqual((covered.code, compared["difference"], compared["pieces"]), (0, "", 3))
            self.assertEqual((compared["known"], compared["runs"]), (known, 0 if known else 1))

    def test_varies_by_itself(self):
        covered = Covered(misbehaves("varies"))
        self.assertEqual((covered.code, covered.summary["compared"]["varying"]), (0, 1))
        self.assertIn(b"note: 1 of 1 pieces that layer_misbehaves reads back vary by themselves", covered.all_stderr)

    def test_own_binaries(self):
        shutil.rmtree(WORK / "cache", ignore_errors=True)
        binary = WORK / "program.bin"
        binary.unlink(missing_ok=True)
        for run in (Covered, self.assert_identical):  # from source, then from the binary
            covered = run(misbehaves("binary") + [str(binary)])
            self.assertEqual(covered.launches(), {"set": 1})
            self.assertEqual(covered.missing("set"), {"value > 3:false"})
        shutil.rmtree(WORK / "cache")  # where its source stood
        covered = Covered(misbehaves("binary") + [str(binary)])
        self.assertEqual(covered.code, 1)
        self.assertIn(b"whose source gputest has not seen: let the program build it from source once", covered.all_stderr)

    def test_gputest_that_crashes(self):
        shutil.rmtree(WORK / "cache", ignore_errors=True)
        driver = WORK / "driver"
        driver.write_text("#!/bin/sh\nkill -SEGV $$\n")
        driver.chmod(0o755)
        covered = Covered(SMALL, ["--kernels", SMALL[1]], environment={"GPUTEST_DRIVER": str(driver)})
        self.assertEqual(covered.code, 1)
        self.assertRegex(covered.all_stderr, rb"warning: not measured: clamp: \S+/clamp.cl: error: 'gputest instrument' was "
                         rb"killed by SIGSEGV while it read this source, which is a fault of gputest: please report it")

    def test_files_that_are_left_out(self):
        covered = Covered(SMALL, ["--kernels", SMALL[1], "--exclude", "*/clamp.cl"])
        self.assertEqual((covered.code, covered.summary["kernels"]), (1, []))
        folder = WORK / "included"
        folder.mkdir(exist_ok=True)
        (folder / "library.h").write_text("int lowered(int value) { return value > 3 ? 3 : value; }\n")
        text = (SOURCES / "clamp.cl").read_text().replace("out[i] = value;", "out[i] = lowered(value);")
        (folder / "clamp.cl").write_text(f'#include "{folder / "library.h"}"\n{text}')
        command = [program("small"), str(folder / "clamp.cl")]
        for options, is_there in (([], True), (["--exclude", "library.h"], False)):
            covered = Covered(command, options, folder=folder)
            self.assertEqual((covered.code, covered.launches()["clamp_values"]), (0, 1), covered.all_stderr)
            files = {site["file"] for site in json.loads((covered.output / "clamp.clamp_values/coverage.json").read_text())["sites"]}
            self.assertEqual(files, {"clamp.cl", "library.h"} if is_there else {"clamp.cl"})

    def test_kernels_in_literals(self):
        covered = Covered(misbehaves("fork"), ["--kernels", str(SOURCES / "misbehaves.c")])
        kernel = covered.summary["kernels"][0]
        self.assertEqual((covered.code, kernel["results"]), (0, "misbehaves.set/coverage.json"))
        self.assertTrue(kernel["source"].endswith("misbehaves.c"))
        coverage = json.loads((covered.output / kernel["results"]).read_text())
        lines = (SOURCES / "misbehaves.c").read_text().splitlines()
        for site in coverage["sites"]:
            self.assertIn(site["text"][:10], lines[site["line"] - 1])

    def test_kernels_with_nothing_to_cover(self):
        covered = self.assert_identical(misbehaves("empty"))
        self.assertEqual((covered.launches(), covered.code), ({"set": 1}, 0))
        self.assertIn(b"nothing to cover", covered.all_stderr)

    def test_assembled_source(self):
        covered = self.assert_identical(misbehaves("assembled"))
        self.assertEqual([kernel["launches"] for kernel in covered.summary["kernels"]], [1, 1, 1])

    def test_source_that_clang_rejects(self):
        if runs.run(misbehaves("rejected")).returncode != 0:
            self.skipTest("only PoCL accepts that source")
        covered = self.assert_identical(misbehaves("rejected"))
        self.assertIn("error:", covered.reasons())
        self.assertIn(b"not measured", covered.all_stderr)


class PlaceTest(LayerTest):
    def test_unwritable_cache(self):
        place = WORK / "no folder"
        place.write_text("a file")
        covered = Covered(SMALL, ["--cache", str(place / "cache")])
        self.assertEqual(covered.code, 0)
        self.assertIn(b"cannot be written", covered.all_stderr)
        self.assertEqual(covered.launches()["group_sum"], 1)

    def test_cache_that_breaks_meanwhile(self):
        plain = runs.run(SMALL)
        run_folder = WORK / "by hand"
        covered = Covered(SMALL, ["--no-terminal"])
        shutil.copytree(covered.output / "run", run_folder)
        settings = (run_folder / "settings.json").read_text()
        (run_folder / "settings.json").write_text(settings.replace(str(WORK / "cache"), "/proc/nothing"))
        layer = os.path.join(os.path.dirname(runs.GPUTEST), "libgputest_layer.so")
        layered = runs.run(SMALL, environment={"OPENCL_LAYERS": layer, "GPUTEST_RUN": str(run_folder)})
        self.assertEqual((plain.stdout, plain.stderr, plain.returncode),
                         (layered.stdout, layered.stderr, layered.returncode))
        logs = "".join(log.read_text() for log in run_folder.glob("*.jsonl"))
        self.assertIn("not_measured", logs)

    def test_settings_of_another_version(self):
        run_folder = WORK / "of another version"
        covered = Covered(SMALL, ["--no-terminal"])
        shutil.copytree(covered.output / "run", run_folder)
        for log in run_folder.glob("*.jsonl"):
            log.unlink()
        settings = run_folder / "settings.json"
        settings.write_text(settings.read_text().replace("gputest-run-settings-1", "gputest-run-settings-0"))
        layer = os.path.join(os.path.dirname(runs.GPUTEST), "libgputest_layer.so")
        layered = runs.run(SMALL, environment={"OPENCL_LAYERS": layer, "GPUTEST_RUN": str(run_folder)})
        self.assertEqual(layered.returncode, 0)
        self.assertEqual(layered.stderr.decode(),
                         f"{settings}: error: format is 'gputest-run-settings-0', expected 'gputest-run-settings-1': "
                         "use the gputest command that the layer came with\n")
        self.assertEqual(list(run_folder.glob("*.jsonl")), [])

    def test_results_that_cannot_be_written(self):
        covered = runs.run([runs.GPUTEST, "run", "--coverage", "--output", "/proc/nothing", "--", *SMALL])
        self.assertNotEqual(covered.returncode, 0)
        self.assertIn(b"cannot be written", covered.stderr)

    def test_layer_path_with_spaces(self):
        folder = WORK / "a folder: with spaces"
        place = WORK / "with spaces"
        for made in (folder, place):
            made.mkdir(exist_ok=True)
            shutil.copy(pathlib.Path(runs.GPUTEST).parent / "libgputest_layer.so", made)
        spaced = Covered(SMALL, environment={"GPUTEST_LAYER": str(place / "libgputest_layer.so")})
        self.assertEqual((spaced.code, spaced.launches()["group_sum"]), (0, 1))
        colon = Covered(SMALL, environment={"GPUTEST_LAYER": str(folder / "libgputest_layer.so")})
        self.assertEqual(colon.code, 3)
        self.assertIn(b"at colons", colon.all_stderr)
        missing = Covered(SMALL, environment={"GPUTEST_LAYER": str(WORK / "nothing.so")})
        self.assertEqual(missing.code, 3)

    def test_no_driver(self):
        nothing = {"OCL_ICD_VENDORS": "/nonexistent"}
        covered = self.assert_identical(SMALL, environment=nothing)
        self.assertEqual((covered.summary["result"], covered.code), ("exit code 77", 77))

    def test_wrong_usage(self):
        for options in (["--threshold", "branches=3"], ["--kernels", "none*.cl"], ["--timeout", "0"], ["--name", "a/b"],
                        ["--nonsense"]):
            covered = Covered(SMALL, options)
            self.assertEqual((covered.code, covered.stdout), (2, b""), options)
        self.assertEqual(runs.run([runs.GPUTEST, "run", "--coverage"]).returncode, 2)
        self.assertEqual(runs.run([runs.GPUTEST, "run", "--", *SMALL]).returncode, 2)


runs.main()
