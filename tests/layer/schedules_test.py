"""Programs whose launches are made in other orders: which kernel and launch depends on them, and replaying that.

Other devices run work-groups at the same time and work-items in lock-step. What is asserted of them follows from the kernels
alone, each by itself in its program: there a race may vary as launched, and is not compared then."""
import functools
import json
import pathlib
import tempfile

import runs
from runs import LayerTest, SOURCES, WORK, program

# As launched, groups must come one after the other: what varies by itself is compared with nothing.
EVERYTHING = ["independent", "between", "within", "waits", "float_sum", "grid"]
ONE_SEED = ["--seed", "5", "--jobs"]


@functools.cache
def searched(*words):
    """What a search said, and the folder of what it found. Nobody changes that folder: tests share what is the same."""
    output = pathlib.Path(tempfile.mkdtemp(prefix="schedules-", dir=WORK))
    return runs.run([runs.GPUTEST, "run", "--schedules", "2", "--baseline", "2", "--output", str(output),
                     "--cache", str(WORK / "cache"), *words], folder=SOURCES, environment=runs.ONE_BY_ONE), output


class SchedulesTest(LayerTest):
    def run_schedules(self, options, kernels, command=None):
        done, self.output = searched(*options, "--", *(command or [program("orders"), "orders.cl", *kernels]))
        return done

    def results(self):
        files = self.output.glob("*/schedules.json")
        return {file.parent.name: json.loads(file.read_text()) for file in files}

    def verdicts(self):
        return {name: result["cases"][0]["verdict"] for name, result in self.results().items()}

    def finding(self, kernel):
        return self.results()["orders." + kernel]["cases"][0]["findings"][0]

    def replay(self, kernel, *more):
        return self.replay_file(self.output / ("orders." + kernel) / self.finding(kernel)["file"], *more)

    @staticmethod
    def replay_file(file, *more):
        return runs.run([runs.GPUTEST, "replay", str(file), *more], folder=WORK, environment=runs.ONE_BY_ONE)

    def test_every_kernel_by_itself(self):
        if not runs.is_pocl():
            self.skipTest("another order of groups than PoCL's")
        done = self.run_schedules(["--strategy", "reverse"], EVERYTHING)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(self.verdicts(), {
            "orders.independent": "held", "orders.between": "order dependent", "orders.within": "order dependent",
            "orders.waits": "order dependent", "orders.float_sum": "within tolerance", "orders.grid": "held"})
        between = self.finding("between")
        self.assertEqual(between["kind"], "between groups")
        self.assertIn("kernel orders.between, launch 4 of 5 (128 work-items in groups of 16)", between["message"])
        self.assertIn("the program does not notice", between["message"])
        self.assertEqual((between["buffer"], between["groups"]), ("data", [7, 6]))
        self.assertEqual(between["elements"][0]["launched"], "456")
        within = self.finding("within")
        self.assertEqual((within["kind"], within["buffer"]), ("within groups", "out"))
        self.assertIn(within["items"], ([15, 0], [15, 14])) # either pair exchanges values
        waits = self.finding("waits")
        self.assertEqual((waits["kind"], waits["place"]["line"]), ("waits", 26))
        self.assertEqual(self.results()["orders.waits"]["source"], "orders.cl")
        self.assertIn(b"replay: gputest replay ", done.stdout)

    def test_in_the_simulator(self):
        done = self.run_schedules(["--strategy", "reverse", "--device", "simulator"], ["independent", "between", "within"])
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(self.verdicts(), {"orders.independent": "held", "orders.between": "order dependent",
                                           "orders.within": "order dependent"})
        for kernel in ("between", "within")[:2 if runs.LONG else 1]:
            replayed = self.replay(kernel)
            self.assertEqual(replayed.returncode, 1, replayed.stderr)
            self.assertIn(b"order dependent", replayed.stdout)

    def test_the_oracle_of_the_file(self):
        command = ["sh", "-c", f"'{program('orders')}' orders.cl between; exit 3"]
        self.run_schedules(["--strategy", "reverse", "--device", "simulator", "--oracle", "reads"], [], command)
        replayed = self.replay("between")
        self.assertEqual(replayed.returncode, 1, replayed.stderr)
        self.assertIn(b"order dependent", replayed.stdout)

    def test_strategies(self):
        if not runs.is_pocl():
            self.skipTest("another order of groups than PoCL's")
        strategies = [("permute", "between", "between groups"), ("serial", "waits", "waits"), ("first", "between", "between groups")]
        for strategy, kernel, kind in strategies[:3 if runs.LONG else 2]:  # reverse: above
            with self.subTest(strategy):
                done = self.run_schedules(["--strategy", strategy, *ONE_SEED, "1"], ["independent", kernel, "grid"])
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertEqual(self.verdicts(), {
                    "orders.independent": "held", "orders." + kernel: "order dependent", "orders.grid": "held"})
                self.assertEqual(self.finding(kernel)["kind"], kind)

    def test_any_device(self):
        """One kernel in each program."""
        if runs.is_pocl():
            self.skipTest("test_strategies asserts more")
        races = ("between groups", "within groups", "overlapping groups")
        for kernel, strategy, kinds in (("between", "serial", races), ("waits", "serial", ("waits",)), ("within", "reverse", races)):
            with self.subTest(kernel):
                done = self.run_schedules(["--strategy", strategy], [kernel])
                if self.verdicts()["orders." + kernel] == "order dependent":
                    self.assertEqual(done.returncode, 1)
                    self.assertIn(self.finding(kernel)["kind"], kinds)
                else:  # groups that run one at a time show the first two, unless they vary by themselves
                    self.assertTrue(kernel == "within" or b" vary by themselves" in done.stdout, done.stdout)

    def test_same_seed_same_findings(self):
        beside = ["independent", "grid"] if runs.is_pocl() else []  # as in test_strategies
        findings = []
        for jobs in ("1", "3"):
            self.run_schedules(["--strategy", "serial", *ONE_SEED, jobs], [*beside[:1], "waits", *beside[1:]])
            findings.append({name: self.finding("waits")[name] for name in ("kind", "groups", "order", "place")})
        self.assertEqual(findings[0], findings[1])
        if not runs.is_pocl() or not runs.LONG:
            return
        findings = []
        for jobs in ("1", "3"):
            self.run_schedules(["--strategy", "permute", *ONE_SEED, jobs], ["independent", "between", "grid"])
            findings.append(self.finding("between"))
        self.assertEqual(findings[0], findings[1])

    def test_more_groups_than_are_launched_one_at_a_time(self):
        done = self.run_schedules(["--strategy", "serial"], ["many"])
        self.assertIn(b"a launch of 5000 work-groups is too large to be made one group at a time: 2 ", done.stdout)
        if runs.is_pocl():
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertEqual((self.finding("between")["kind"], self.finding("between")["buffer"]), ("between groups", "data"))

    def test_what_holds(self):
        printed = ["float_sum"] if runs.is_pocl() else []  # to four digits, which elsewhere vary by themselves
        done = self.run_schedules(["--no-terminal"], ["independent", "grid", *printed])
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, b"", b""))
        exact = self.run_schedules(["--tolerance", "0", "--strategy", "reverse"], ["float_sum"])
        if exact.returncode == 1 or runs.is_pocl():  # elsewhere the sum may vary by itself
            self.assertEqual(exact.returncode, 1)
            self.assertEqual(self.finding("float_sum")["buffer"], "sum")

    def test_program_that_notices(self):
        self.run_schedules(["--strategy", "serial"], ["waits", "check"])
        self.assertIn("the program notices: exit code 1", self.finding("waits")["message"])
        if runs.is_pocl() and runs.LONG:
            self.run_schedules(["--strategy", "reverse"], ["between", "check"])
            self.assertIn("launch 4 of 5", self.finding("between")["message"])
            self.assertIn("the program notices: exit code 1", self.finding("between")["message"])

    def test_replay(self):
        self.run_schedules(["--strategy", "serial", *ONE_SEED, "1"],
                           ["independent", "waits", "grid"] if runs.is_pocl() else ["waits"])
        again = self.replay("waits")
        self.assertEqual(again.returncode, 1, again.stderr)
        self.assertIn(b"orders.cl:26:5: 'while", again.stdout)
        source = str(SOURCES / "orders.cl")
        other = self.replay("waits", "--", program("orders"), source, "independent")
        self.assertEqual(other.returncode, 1)
        self.assertIn(b"makes no launch that the schedule is of", other.stderr)
        self.assertEqual(self.replay("waits", "--", "/nonexistent").returncode, 2)
        self.assertEqual(self.replay("waits", "--device", "0").returncode, 2)
        found = self.output / "orders.waits" / self.finding("waits")["file"]
        harmless, file = json.loads(found.read_text()), WORK / "changed.json"
        harmless["groups"] = {"order": "as launched"}
        file.write_text(json.dumps(harmless))
        held = self.replay_file(file)
        self.assertEqual(held.returncode, 0, held.stderr)
        self.assertIn(b"held: ", held.stdout)
        harmless.update({"groups": {"order": "listed", "permutation": [0, 0, 1, 2, 3, 4, 5, 6]},
                         "global_size": [128], "local_size": [16], "global_offset": [0]})
        file.write_text(json.dumps(harmless))
        wrong = self.replay_file(file)
        self.assertEqual(wrong.returncode, 2)
        self.assertIn(b"no permutation: 0 is there twice", wrong.stderr)
        if runs.is_pocl():
            self.run_schedules(["--strategy", "reverse"], EVERYTHING)
            for kernel, what in (("between", b"data[112]: 456 as launched"), ("waits", b"orders.cl:26:5: 'while")):
                self.assertIn(what, self.replay(kernel).stdout)

    def test_what_cannot_be_remapped_fails(self):
        source = WORK / "assembly.cl"
        text = (SOURCES / "orders.cl").read_text()
        source.write_text(text.replace("out[i] = in[i] * 2", '__asm__("");\n  out[i] = in[i] * 2'))
        if runs.run([program("orders"), str(source), "independent"]).returncode != 0:
            self.skipTest("the device has no inline assembly")
        done = self.run_schedules(["--strategy", "reverse"], [], [program("orders"), str(source), "independent", "grid"])
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"inline assembly cannot be remapped", done.stderr)
        self.assertIn(b"not all kernels were run in other orders", done.stderr)
        cases = {name.split(".")[1]: result["cases"] for name, result in self.results().items()}
        self.assertEqual((cases["independent"], cases["grid"][0]["verdict"]), ([], "held"))
        self.assertIn(b"not run in other orders: ", done.stdout)

    def test_programs_that_cannot_be_looked_at(self):
        binary = self.run_schedules(["--strategy", "reverse"], [], [program("every_call"), "binaries"])
        self.assertEqual(binary.returncode, 0, binary.stderr)  # of a source that was seen
        failing = self.run_schedules([], [], [program("misbehaves"), "_exit"])
        self.assertEqual(failing.returncode, 1)
        self.assertIn(b"no schedule was run, because as launched it failed: exit code 5", failing.stderr)
        none = self.run_schedules([], [], [program("misbehaves"), "no_opencl"])
        self.assertEqual(none.returncode, 1)
        varying = self.run_schedules(["--strategy", "reverse"], [], [program("misbehaves"), "varies"])
        self.assertEqual(varying.returncode, 0, varying.stderr)
        self.assertIn(b"1 of 1 pieces that it reads back vary", varying.stdout)
        if not runs.LONG:
            return
        untouched = self.run_schedules(["--strategy", "reverse"], [], [program("misbehaves"), "untouched"])
        self.assertEqual(untouched.returncode, 0, untouched.stderr)
        self.assertNotIn(b"vary", untouched.stdout)

    def test_every_call_in_other_orders(self):
        for section in ("out_of_order", "images", *(("clone", "link", "threads") if runs.LONG else ())):
            with self.subTest(section):
                done = self.run_schedules(["--strategy", "reverse"], [], [program("every_call"), section])
                self.assertEqual((done.returncode, done.stderr), (0, b""), done.stdout)

    @runs.long
    def test_more_calls_in_other_orders(self):
        done = self.run_schedules(["--strategy", "reverse"], [], [program("more_calls"), "all"])
        self.assertEqual((done.returncode, done.stderr), (0, b""), done.stdout)
        self.assertEqual(set(self.verdicts().values()), {"held"}, self.verdicts())

    def test_no_device(self):
        done = runs.run([runs.GPUTEST, "run", "--schedules", "--output", str(WORK / "none"), "--", program("orders"),
                         str(SOURCES / "orders.cl"), "grid"], environment={"OCL_ICD_VENDORS": "/nonexistent"})
        self.assertEqual(done.returncode, 77)

    def test_wrong_usage(self):
        for options in (["--strategy", "best"], ["--tolerance", "-1"], ["--baseline", "1"], ["--mutant", "a"], ["--fresh"],
                        ["--threshold", "80"]):
            done = self.run_schedules(options, ["grid"])
            self.assertEqual(done.returncode, 2, (options, done.stderr))
        for command in (["--schedules=0"], ["--schedules", "--coverage"], ["--coverage", "--strategy", "first"]):
            done = runs.run([runs.GPUTEST, "run", *command, "--", program("orders"), str(SOURCES / "orders.cl"), "grid"])
            self.assertEqual(done.returncode, 2, (command, done.stderr))


runs.main()
