"""Programs whose launches run in the simulator: they see what they would see on their device, and faults are found."""
import json
import pathlib
import re
import shutil

import runs
from runs import Covered, LayerTest, SOURCES, WORK, program

# Sections of every_call.c in which launches can run in the simulator.
SECTIONS = ["svm", "images", "link", "threads", "references", "sub_buffers", "clone", "same_names", "kernels"][:9 if runs.LONG else 4]


class CheckTest(LayerTest):
    def check(self, command, options=("--check",), folder=SOURCES, **settings):
        self.output = WORK / "checks"
        shutil.rmtree(self.output, ignore_errors=True)
        return runs.run([runs.GPUTEST, "run", *options, "--output", str(self.output), "--cache", str(WORK / "cache"),
                         "--", *command], folder=folder, **settings)

    def results(self):
        return {file.parent.name: json.loads(file.read_text()) for file in self.output.glob("*/check.json")}

    def kinds(self):
        return {name: sorted({finding["kind"] for finding in result["findings"]}) for name, result in self.results().items()}

    def assert_as_on_device(self, command, options=("--check",), **settings):
        plain = runs.run(command, **dict(settings))
        done = self.check(command, options, **dict(settings))
        self.assertEqual((done.returncode, done.stderr), (0, b""), done.stdout)
        self.assertTrue(done.stdout.startswith(plain.stdout), (plain.stdout, done.stdout))
        return done

    def test_every_call(self):
        for section in SECTIONS:
            with self.subTest(section):
                done = runs.run([program("every_call"), section])
                if b"no SVM" in done.stdout:
                    continue
                self.assert_as_on_device([program("every_call"), section], folder=WORK)
                self.assertTrue(all(result["cases"][0]["launches"] > 0 for result in self.results().values()))

    def test_more_calls(self):
        self.assert_as_on_device([program("more_calls"), "all"], folder=WORK)

    def test_prints_once(self):
        """Though each launch runs again in descending order."""
        says, line = WORK / "says.cl", "out[i] = in[i] * 2 + (int)get_group_id(0);"
        says.write_text((SOURCES / "orders.cl").read_text().replace(line, line + 'if (i == 0) printf("says %d\\n", in[0]);'))
        command = [program("orders"), str(says), "independent"]
        self.assertEqual(self.check(command).stdout.count(b"says "), runs.run(command).stdout.count(b"says "))

    def test_modules(self):
        """Programs that bring SPIR-V run in the simulator, whatever their device takes."""
        if not shutil.which("spirv-as") or not any(shutil.which(f"llvm-spirv{version}") for version in ("-15", "-16", "-17", "-18", "-19", "")):
            self.skipTest("there is no SPIR-V here")
        text = (SOURCES.parents[1] / "cmake/spirv/sum.spvasm").read_text()
        racy = "".join(line for line in text.splitlines(keepends=True) if "OpControlBarrier" not in line)
        modules = {"sum": text, "racy": racy}
        for name, content in modules.items():
            (WORK / f"{name}.spvasm").write_text(content)
            runs.run(["spirv-as", "--target-env", "spv1.2", f"{name}.spvasm", "-o", f"{name}.spv"])
        sums = "".join(f"{3 * sum(range(i, i + 8))}\n" for i in range(0, 64, 8)).encode()
        for way in ([], ["khr"]):
            done = self.check([program("module"), "sum.spv", *way], folder=WORK)
            self.assertEqual(done.returncode, 0, done.stdout)
            self.assertTrue(done.stdout.startswith(sums), done.stdout)
        done = self.check([program("module"), "racy.spv"], ["--check", "races"], folder=WORK)
        self.assertRegex(done.stdout, rb"program-\w+\.spv:\d+:1: error: data race on byte 4 of 'part'")
        for name, code in (("sum", 0), ("racy", 1)):
            done = self.check([program("module"), f"{name}.spv"],
                              ["--schedules", "1", "--strategy", "reverse", "--baseline", "2", "--device", "simulator"], folder=WORK)
            self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        self.assertIn(b"work-items of a group race", done.stdout)

    def test_device_queues(self):
        """Kernels that enqueue blocks run in the simulator, whatever their device has."""
        command = [program("device_queue"), str(SOURCES / "device_queue.cl")]
        doubled = "".join(f"{2 * i}\n" for i in range(8)).encode()
        self.assertIn(runs.run(command).stdout, (b"no queues of devices\n", doubled))
        done = self.check(command, folder=WORK)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertTrue(done.stdout.startswith(doubled), done.stdout)
        outside = WORK / "outside.cl"
        outside.write_text((SOURCES / "device_queue.cl").read_text().replace("(0)]", "(0) + 1]"))
        done = self.check([program("device_queue"), str(outside)], folder=WORK)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertRegex(done.stdout, rb"outside.cl:3:\d+: error: .*out_of_bounds")

    def test_pipes(self):
        """Pipes keep their packets from one launch to the next, whatever their device has."""
        command = [program("pipes"), str(SOURCES / "pipes.cl")]
        total = 2 * (1 + 2 + 3 + 4 + 4 * 9)
        right = f"built 1, 3 kernels; 6 packets of 4 bytes, type 10f7\n4 of 6\n6 of 6\n{total}\n".encode()
        self.assertIn(runs.run(command).stdout, (b"no pipes\n", right))
        done = self.check(command, folder=WORK)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertTrue(done.stdout.startswith(right), done.stdout)
        reserved = WORK / "reserved.cl"
        reserved.write_text((SOURCES / "pipes.cl").read_text().replace("write_pipe(out, &value)", "reserve_write_pipe(out, 1)"))
        done = self.check([program("pipes"), str(reserved)], folder=WORK)
        self.assertRegex(done.stdout, rb"reserved.cl:3:\d+: error: .*missing_commit")

    def test_refused_pipes(self):
        """A stand-in hides no error of a program, nor does it outlive a rebuild that fails."""
        right = (b"largest packet: made\nlarger packet: of no size\nno packets: of no size\n"
                 b"more than memory: refused\n24 bytes, flags as given\n"
                 b"first: built, success, a kernel\nbroken: failed, error, no kernel\n"
                 b"mended: built, success, a kernel\nlacks more: failed, error, no kernel\n")
        if runs.run([program("refused_pipes")]).stdout != b"no pipes\n":
            self.skipTest("the device has pipes of its own")
        done = self.check([program("refused_pipes")], folder=WORK)
        self.assertTrue(done.stdout.startswith(right), (done.stdout, done.stderr))

    def test_stand_ins(self):
        """Programs that no device takes have binaries that tell them apart, and are linked of parts."""
        right = (b"source: 3 6 9 12\nsource: -2 -1 0 1\n0 bytes of source\nbinary: 3 6 9 12\n0 bytes of source\nbinary: -2 -1 0 1\n"
                 b"compiled\nlinked: 11 12 13 14\na library\nexecutable\nof a library: 11 12 13 14\n")
        if runs.run([program("stand_ins")]).stdout != b"no queues of devices\n":
            self.skipTest("the device has queues of its own")
        done = self.check([program("stand_ins")], folder=WORK)
        self.assertTrue(done.stdout.startswith(right), (done.stdout, done.stderr))

    def test_what_images_hold(self):
        command = [program("images"), str(SOURCES / "images.cl")]
        done = self.check(command)
        self.assertEqual(done.returncode, 0, done.stdout)
        whole_numbers = (b"kinds:", b"paint:", b"row:", b"sum:")  # others may differ by a rounding
        on_device, simulated = [[line for line in output.splitlines() if line.startswith(whole_numbers)]
                                for output in (runs.run(command).stdout, done.stdout)]
        self.assertEqual(on_device, simulated)
        if b"no images" not in done.stdout:
            self.assertEqual(self.kinds(), {"images." + kernel: [] for kernel in ("sample", "kinds", "paint", "sum")})
            self.assertIn(b"'to' is memory that another argument is as well, and the kernel writes there", done.stderr)

    def test_faults(self):
        done = self.check([program("orders"), "orders.cl", "independent", "between", "within", "waits", "float_sum", "grid", "shift"])
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(self.kinds(), {
            "orders.independent": [], "orders.between": ["race"], "orders.within": ["race"],
            "orders.waits": ["inter_group_dependency", "race"], "orders.float_sum": [], "orders.grid": [], "orders.shift": []})
        between = self.results()["orders.between"]
        self.assertEqual(between["cases"][0]["launches"], 5)
        self.assertEqual([(f["file"], f["line"], f["other_line"], f["launch"]) for f in between["findings"]], [("orders.cl", 12, 12, 1)])
        self.assertIn(b"orders.cl:12:16: error: data race on byte 64 of 'data', between work-groups", done.stdout)
        file = self.output / "orders.between" / between["findings"][0]["replay"]
        self.assertIn(f"replay: gputest replay {file}\n".encode(), done.stdout)
        replayed = runs.run([runs.GPUTEST, "replay", str(file)], folder=WORK)
        self.assertEqual(replayed.returncode, 1, replayed.stderr)
        self.assertIn(b"orders.cl:12:16: error: data race", replayed.stdout)
        harmless = json.loads(file.read_text())
        harmless["kernel"] = "orders.independent"
        file.write_text(json.dumps(harmless))
        replayed = runs.run([runs.GPUTEST, "replay", str(file)], folder=WORK)
        self.assertEqual(replayed.returncode, 0, replayed.stderr)
        self.assertRegex(replayed.stdout, rb"not found again in \d+ launches of orders\.independent")
        self.assertIn(b"in launch 1 of orders.between (128 work-items in groups of 16)", done.stdout)
        self.assertIn(b"4 findings in 14 launches of 7 kernels; checked: races, barriers, bounds", done.stdout)

    def test_only_what_is_asked_for(self):
        page, sarif = WORK / "check.html", WORK / "check.sarif"
        done = self.check([program("orders"), "orders.cl", "between"],
                          ["--check", "bounds", "--html", str(page), "--sarif", str(sarif)])
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("Checks of ", page.read_text())
        self.assertEqual(json.loads(sarif.read_text())["runs"][0]["results"], [])
        self.assertEqual(self.results()["orders.between"]["checks"], ["bounds"])

    def test_host(self):
        """Comments of host.c name the findings. Without debug information they are in functions."""
        right = self.assert_as_on_device([program("host_g"), "right"], ["--check=host"])
        self.assertIn(b"0 findings in 5 launches of 1 kernel; checked: host", right.stdout)
        lines = (SOURCES / "host.c").read_text().splitlines()
        wanted = {(number, match[1]) for number, line in enumerate(lines, 1)
                  if (match := re.search(r"/\* (queue_race|early_access|transfer_size) \*/$", line))}
        self.assertEqual(len(wanted), 9)
        sarif = WORK / "host.sarif"
        wrong = self.check([program("host_g"), "wrong"], ["--check", "host", "--sarif", str(sarif)])
        self.assertEqual(wrong.returncode, 1, wrong.stderr)
        host = self.results()["host"]["findings"]
        self.assertEqual({(one["line"], one["kind"]) for one in host if one["file"].endswith("/host.c")}, wanted)
        self.assertEqual([one["message"] for one in host if one["kind"] == "leak"], [
            "2 memory objects, 65936 bytes in all, that the program has made here and not released when it ends; "
            "clReleaseMemObject() does that"])
        race = next(one for one in host if "kernel 'add'" in one["message"])
        self.assertRegex(lines[race["other_line"] - 1], r"/\* add \*/$")
        self.assertIn(b"10 findings in 1 launch of 1 kernel; checked: host\n", wrong.stdout)
        self.assertEqual(len(json.loads(sarif.read_text())["runs"][0]["results"]), 10)
        plain = self.check([program("host_g0"), "wrong"], ["--check", "host"])
        self.assertEqual(plain.returncode, 1, plain.stderr)
        self.assertEqual(sorted({one["kind"] for one in self.results()["host"]["findings"]}),
                         ["early_access", "leak", "queue_race", "transfer_size"])
        self.assertRegex(plain.stdout, rb"kernel 'add' in add\+0x[0-9a-f]+ writes in another queue.*\(called in \w+\+0x[0-9a-f]+\)")

    def test_unwritten_buffers(self):
        """HOST tells UNINITIALIZED which elements of buffers nobody has written."""
        for options, which, findings in (("host,uninitialized", "right", 0), ("host,uninitialized", "wrong", 1), ("uninitialized", "wrong", 0)):
            with self.subTest(options=options, which=which):
                done = self.check([program("host_g"), "unwritten", which], [f"--check={options}"])
                self.assertEqual(done.returncode, findings, (done.stdout, done.stderr))
                found = [one for result in self.results().values() for one in result["findings"]]
                self.assertEqual([one["kind"] for one in found], ["uninitialized"] * findings)
                for one in found:
                    self.assertRegex(one["message"], "uses a value of 'from' here that nobody has written: it is stored to "
                                                     "global memory.*; it is element 12")

    def test_same_run_again(self):
        first = self.check([program("orders"), "orders.cl", "within"], ["--check", "--items", "random", "--order-seed", "7"])
        self.assertEqual(first.returncode, 1)
        findings = self.results()["orders.within"]["findings"]
        again = self.check([program("orders"), "orders.cl", "within"], ["--check", "--items", "random", "--order-seed", "7"])
        self.assertEqual(first.stdout, again.stdout)
        self.assertEqual(findings, self.results()["orders.within"]["findings"])

    def test_orders_without_checks(self):
        """In descending order of its work-items, what lacks a barrier comes out wrong."""
        plain = self.check([program("orders"), "orders.cl", "within"], ["--device", "simulator"])
        self.assertEqual(plain.returncode, 0, plain.stderr)
        other = self.check([program("orders"), "orders.cl", "within"], ["--device", "simulator", "--items", "descending"])
        self.assertNotEqual(plain.stdout, other.stdout)
        self.assertIn(b"not checked, only run", other.stdout)

    def test_coverage_in_the_simulator(self):
        device = Covered([program("small"), str(SOURCES / "clamp.cl")])
        missing = {kernel["kernel"]: device.missing(kernel["kernel"]) for kernel in device.summary["kernels"]}
        simulated = Covered([program("small"), str(SOURCES / "clamp.cl")], ["--device", "simulator"])
        self.assertEqual(simulated.code, 0, simulated.all_stderr)
        self.assertEqual(simulated.summary["not_measured"], [])
        self.assertEqual({kernel: simulated.missing(kernel) for kernel in missing}, missing)
        self.assertEqual(simulated.launches(), device.launches())

    def test_mutants_in_the_simulator(self):
        """The same are noticed, stopped and seen in what is read back as on the device; none of these leaves memory unwritten."""
        said = []
        for options in ([], ["--device", "simulator"]):
            done = self.check([program("small"), str(SOURCES / "clamp.cl")],
                              ["--mutation", "--operators", "arithmetic_replacement,relational_replacement", "--sample", "30" if runs.LONG else "12",
                               "--baseline", "2", *options])
            self.assertEqual(done.returncode, 0, done.stderr)
            lines = done.stdout[done.stdout.index(b"the program noticed"):].splitlines()
            # Whether mutants are tried on launches, or runs of the program are faster, depends on the machine's load.
            said.append([line for line in lines if not line.startswith((b"for ", b"mutants not tried on launches"))])
        self.assertEqual(said[0], said[1])
        self.assertGreater(len(said[0]), 5)

    def test_processes(self):
        """Children and threads have a simulator of their own, and wait() sees none of them."""
        for what in ("fork", "reaper", "exec", *(("fork_after", "children", "_exit") if runs.LONG else ())):
            with self.subTest(what):
                plain = runs.run([program("misbehaves"), what])
                done = self.check([program("misbehaves"), what], folder=WORK)
                self.assertTrue(done.stdout.startswith(plain.stdout), (plain.stdout, done.stdout))
                self.assertEqual(done.returncode, 0 if plain.returncode == 0 else 1, done.stderr)

    def test_wrong_use(self):
        small = [program("small"), str(SOURCES / "clamp.cl")]
        for options, message in (
                (["--check", "rases"], b"'rases' is no check"),
                (["--check", "interleavings"], b"gputest capture makes them of launches"),
                (["--device", "gpu"], b"the program chooses its devices by itself"),
                (["--coverage", "--groups", "random"], b"--groups is for --check and --device simulator"),
                (["--check", "--items", "sideways"], b"'sideways' is none of ascending"),
                (["--check", "--launch-timeout", "0"], b"is not a number of seconds above 0"),
                (["--check", "--coverage"], b"exclude each other"),
                (["--schedules", "--device", "simulator", "--groups", "random"], b"are orders of their own")):
            with self.subTest(options):
                done = self.check(small, options)
                self.assertEqual(done.returncode, 2)
                self.assertIn(message, done.stderr)
        missing = self.check(small, environment={"GPUTEST_SIMULATOR": "/no/simulator"})
        self.assertEqual(missing.returncode, 3)
        self.assertIn(b"/no/simulator is not the simulator", missing.stderr)

    def test_launches_whose_turn_comes_later(self):
        for section in ("out_of_order", "gate"):
            command = [program("every_call"), section]
            plain = runs.run(command, folder=WORK).stdout.replace(b"kernel: 1", b"kernel: 0")  # the event is a marker's
            for options in (["--check"], ["--coverage", "--device", "simulator"]):
                with self.subTest(section, options=options):
                    later = self.check(command, options, folder=WORK)
                    self.assertTrue(later.stdout.startswith(plain), later.stdout)
                    self.assertEqual(later.stderr, b"")
            self.assertIn(b"4/4 100 %", later.stdout)

    def test_what_cannot_run_there(self):
        none = self.check([program("misbehaves"), "no_opencl"], folder=WORK)
        self.assertEqual(none.returncode, 1)
        self.assertIn(b"made no OpenCL call", none.stderr)


runs.main()
