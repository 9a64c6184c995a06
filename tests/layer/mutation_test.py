"""Mutants of the kernels of a program: what the program notices, what only its outputs show, and going on later."""
import json
import shutil
import signal
import subprocess
import time

import runs
from runs import LayerTest, SOURCES, WORK, program

# The program checks what clamp_values computes, and does not check the sums.
CHECKED = [program("small"), "clamp.cl", "20", "check"]
ONE_OPERATOR = ["--operators", "statement_deletion", "--baseline", "2"]
FEW = ["--operators", "relational_replacement", "--sample", "14", "--baseline", "2"]


def command(options, checked=None, output="results"):
    return [runs.GPUTEST, "run", "--mutation", "--output", str(WORK / output), "--cache", str(WORK / "cache"),
            *options, "--", *(checked or CHECKED)]


def mutants(output="results"):
    results = json.loads((WORK / output / "mutation.json").read_text())
    return {mutant["id"]: mutant for file in results["files"].values() for mutant in file["mutants"]}


def executed(done):
    """How many mutants were run, which the report says."""
    for line in done.stdout.decode().splitlines():
        if " run in " in line:
            return int(line.split("; ")[1].split()[0])
    return 0


class MutationTest(LayerTest):
    def run_mutation(self, options, checked=None, output="results", environment=()):
        return runs.run(command(options, checked, output), folder=SOURCES, environment=dict(environment))

    def test_oracles(self):
        done = self.run_mutation(["--fresh", *ONE_OPERATOR])
        self.assertEqual(done.returncode, 0, done.stderr)
        found = mutants()
        by_line = {}
        for mutant in found.values():
            by_line.setdefault(mutant["location"]["start"]["line"], []).append(mutant)
        deleted = [mutant for mutant in by_line[10] if mutant["replacement"] == ";"]
        self.assertEqual([mutant["status"] for mutant in deleted], ["Killed"])
        self.assertIn("program failed", json.dumps(deleted))
        # The sums are read back and not looked at.
        weak = [mutant for mutant in by_line[19] if mutant["replacement"] == ";"]
        self.assertEqual([mutant["status"] for mutant in weak], ["Survived"])
        self.assertIn("weak oracle: ", json.dumps(weak))
        text = done.stdout.decode()
        self.assertIn("Weak oracle", text)
        self.assertIn("clamp.cl:19:7: statement_deletion", text[text.index("Weak oracle"):])
        self.assertNotIn("clamp.cl:10:", text[text.index("Weak oracle"):])
        # Nothing launches the last kernel, and the others are reached everywhere.
        self.assertTrue({mutant["status"] for mutant in by_line.get(27, [])} <= {"NoCoverage", "Ignored"})
        self.assertFalse([mutant for line in range(23) for mutant in by_line.get(line, [])
                          if mutant["status"] == "NoCoverage"])

    def test_chosen_oracles(self):
        """A program that prints FAILED and exits with 0: what looks at its output, or at what it reads, kills."""
        says = [program("small"), "clamp.cl", "20", "say"]
        def killed(*options, code=0):
            done = self.run_mutation([*ONE_OPERATOR, *options], says, "oracles")
            self.assertEqual(done.returncode, code, done.stderr)
            lines = {mutant["location"]["start"]["line"] for mutant in mutants("oracles").values()
                     if mutant["status"] == "Killed" and ("program failed" in mutant["statusReason"]
                                                          or "wrong output" in mutant["statusReason"])}
            oracle = json.loads((WORK / "oracles" / "mutation.json").read_text())["gputest"]["oracle"]
            return lines, done.stdout.decode(), done.stderr.decode(), oracle
        lines, text, errors, oracle = killed()
        self.assertEqual((lines, oracle), (set(), "exit code"))
        self.assertIn("note: layer_small prints 'PASSED'", errors)
        self.assertIn("add ORACLE OUTPUT to gputest_add_program()", errors)
        self.assertLess(text.index("this test has no oracle"), text.index("operator"))
        self.assertIn("oracle: exit code", text)
        self.assertNotIn("Test PASSED", text)
        # Verdicts of one oracle are none of another's.
        lines, text, errors, oracle = killed("--oracle", "output", "--fail-regex", "FAILED$")
        self.assertEqual((lines & {10, 19}, oracle), ({10}, "output (FAIL_REGULAR_EXPRESSION 'FAILED$')"))
        self.assertNotIn("note: ", errors)
        self.assertNotIn("has no oracle", text)
        if runs.LONG:
            self.assertEqual(killed("--oracle", "output", "--pass-regex", "^Test PASSED")[0] & {10, 19}, {10})
            self.assertEqual(killed("--oracle", "output")[0] & {10, 19}, {10, 19})  # it prints the sums
        lines, text, _, oracle = killed("--oracle=exit-code,reads")
        self.assertEqual((lines & {10, 19}, oracle), ({10, 19}, "exit code and reads"))
        self.assertNotIn("Weak oracle", text)
        self.assertIn("changed what it reads back, which the oracle compares", text)
        if runs.LONG:
            self.assertEqual(killed("--oracle=reads", "--oracle-tolerance=1e-5")[0] & {10, 19}, {10, 19})
        self.assertEqual(executed(self.run_mutation(ONE_OPERATOR, says, "oracles")), 0)  # the first one's are stored
        for options, said in ((["--oracle", "stdout"], "'stdout' is not known: give exit-code, output, reads"),
                              (["--oracle", "output", "--fail-regex", "("], "'(' is no regular expression"),
                              (["--pass-regex", "x"], "--pass-regex is for --oracle output"),
                              (["--oracle-tolerance", "1"], "--oracle-tolerance is for --oracle reads")):
            done = self.run_mutation(options, says, "oracles")
            self.assertEqual((done.returncode, said in done.stderr.decode()), (2, True), done.stderr)
        for options, said in ((["--fail-regex", "PASS"], "its own output matches FAIL_REGULAR_EXPRESSION 'PASS'"),
                              (["--pass-regex", "OK"], "its own output does not match PASS_REGULAR_EXPRESSION 'OK'")):
            done = self.run_mutation(["--oracle", "output", *options], says, "oracles")
            self.assertEqual((done.returncode, said in done.stderr.decode()), (1, True), done.stderr)
        # The verdict on a single run, and on runs in other orders.
        for analysis in ("--coverage", "--check")[:2 if runs.LONG else 1]:
            for expression, code in (("FAILED", 0), ("PASSED", 1)):
                done = runs.run([runs.GPUTEST, "run", analysis, "--output", str(WORK / "single"), "--oracle", "output",
                                 "--fail-regex", expression, "--", *says], folder=SOURCES)
                self.assertEqual(done.returncode, code, done.stderr)
                self.assertIn(b"Test PASSED", done.stdout)
                self.assertEqual(b"failed: its own output matches" in done.stderr, code == 1)

    def test_mutants_of_the_launch(self):
        done = self.run_mutation(["--fresh", "--operators", "alloc_swap,alloc_increment,alloc_decrement", "--baseline", "2"])
        self.assertEqual(done.returncode, 0, done.stderr)
        found = {name: (mutant["status"], mutant.get("statusReason")) for name, mutant in mutants().items()}
        self.assertEqual(found["clamp_values.launch.groups-1.0"][0], "Killed")
        self.assertIn("program failed: exit code 1", found["clamp_values.launch.groups-1.0"][1])
        self.assertIn("out of bounds", found["clamp_values.launch.groups+1.0"][1])
        self.assertEqual(found["group_sum.launch.items-1.0"][0], "Survived")
        self.assertIn("weak oracle: ", found["group_sum.launch.items-1.0"][1])
        self.assertEqual(found["never_launched.launch.groups-1.0"][0], "NoCoverage")
        # It asks for no group, so other groups change nothing.
        self.assertEqual(found["never_launched.launch.swap"][0], "Ignored")
        # The device chooses the groups, and there is one dimension.
        self.assertFalse({"clamp_values.launch.items+1.0", "clamp_values.launch.swap", "group_sum.launch.groups+1.1"} & set(found))
        # The call fails, as for any program that launches nothing.
        self.run_mutation(["--operators", "alloc_decrement", "--baseline", "2"], [program("every_call"), "kernels"])
        nothing = mutants()["one.launch.groups-1.0"]
        self.assertEqual((nothing["status"], nothing["statusReason"][:27]), ("Killed", "program failed: exit code 1"))

    def test_more_calls(self):
        """The program without a mutant behaves as it does by itself, or no mutant would run."""
        done = self.run_mutation(["--fresh", "--operators", "relational_replacement", "--sample", "1", "--baseline", "2",
                                  "--no-simulator"], [program("more_calls"), "all"], "more")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([one["status"] in ("Killed", "Survived") for one in mutants("more").values()
                          if one["status"] not in ("Ignored", "Pending")], [True], done.stdout)

    def test_mutants_of_synchronisation(self):
        options = ["--operators", "barrier_deletion", "--baseline", "2"]
        checked = [program("orders"), "orders.cl", "shift", "check"]
        done = self.run_mutation(["--fresh", *options], checked)
        self.assertEqual(done.returncode, 0, done.stderr)
        (mutant,) = mutants().values()
        if runs.is_pocl():
            self.assertEqual((mutant["status"], mutant["gputest"]["order"], executed(done)), ("Killed", "reversed", 2), mutant)
        else:  # where work-items run in lock-step, no order shows it, and all are tried
            self.assertTrue(mutant["status"] == "Killed" or executed(done) == 5, mutant)
        again = self.run_mutation(options, checked)
        self.assertEqual((executed(again), list(mutants().values())[0]["status"]), (0, mutant["status"]))

    def test_launches_tell_verdicts(self):
        options = ["--fresh", "--baseline", "2", "--operators",
                   "relational_replacement,statement_deletion,barrier_deletion,alloc_increment,gpu_index_replacement",
                   *([] if runs.LONG else ["--sample", "12"])]
        told = b"no run of the program was needed: its launches told"
        for checked in (CHECKED, [program("orders"), "orders.cl", "shift", "check"]):
            # Which of several threads is stopped first, and so the place, differs from run to run.
            tried = self.run_mutation(options, checked, "tried", runs.ONE_BY_ONE)
            self.assertEqual(tried.returncode, 0, tried.stderr)
            whole = self.run_mutation([*options, "--whole-runs"], checked, "whole", runs.ONE_BY_ONE)
            self.assertNotIn(told, whole.stdout)

            def verdicts(output):
                return {name: (one["status"], one["gputest"].get("reason"), one["gputest"].get("order"),
                               one.get("statusReason", "").split("; ")[0]) for name, one in mutants(output).items()}
            self.assertEqual(verdicts("tried"), verdicts("whole"))
            if checked == CHECKED:
                self.assertIn(told, tried.stdout)
                by_launch = [one for one in mutants("tried").values() if "a launch by itself tells" in one.get("statusReason", "")]
                self.assertTrue(by_launch)
        wrong = runs.run([runs.GPUTEST, "run", "--coverage", "--whole-runs", "--", *CHECKED])
        self.assertEqual(wrong.returncode, 2)

    def test_launches_that_tell_nothing(self):
        says = WORK / "says.cl"
        says.write_text((SOURCES / "clamp.cl").read_text() + '__kernel void says(__global int* x) { printf("%d", x[0]); }\n')
        options = ["--fresh", "--baseline", "2", "--operators", "relational_replacement", "--sample", "6"]
        done = self.run_mutation([*options, "--kernels", str(says)], [program("small"), str(says), "20", "check"], "says")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("mutants not tried on launches: says.clamp_values: its source calls printf", done.stdout.decode())
        self.assertNotIn("launches told", done.stdout.decode())
        varying = self.run_mutation(options, [program("misbehaves"), "varies"], "varies")
        self.assertIn("mutants not tried on launches: what the program reads back is not the same in each run",
                      varying.stdout.decode())

    def test_harm_of_the_original(self):
        done = self.run_mutation(["--fresh", "--operators", "statement_deletion,relational_replacement", "--baseline", "2"],
                                 [program("small"), "past_end.cl", "20", "check"])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("past_end.cl:4:20: warning: harm of the original: 'in[i + 1]': the original accesses memory out of "
                      "bounds", done.stdout.decode())
        found = mutants().values()
        self.assertFalse([one for one in found if "past_end.cl:4:20" in one.get("statusReason", "")])
        self.assertTrue([one for one in found if one["status"] == "Survived" and one["location"]["start"]["line"] == 10])
        self.assertTrue([one for one in found if one["status"] == "Killed"])

    @runs.long
    def test_programs_that_somebody_kills(self):
        # The first two that have a mutant kill themselves, and one mutant's always does.
        marks = WORK / "marks"
        shutil.rmtree(marks, ignore_errors=True)
        marks.mkdir()
        mortal = WORK / "mortal.sh"
        mortal.write_text('#!/bin/sh\n[ -n "$GPUTEST_MUTANT" ] && [ $(ls %s | wc -l) -lt 2 ] && mktemp -p %s >&2 && kill -9 $$\n'
                          'case "$GPUTEST_MUTANT" in *"$DOOMED") [ -n "$DOOMED" ] && kill -9 $$;; esac\nexec "$@"\n'
                          % (marks, marks))
        mortal.chmod(0o755)
        few = ["--operators", "statement_deletion", "--baseline", "2", "--jobs", "1"]
        self.run_mutation(["--fresh", *few], output="undisturbed")
        expected = {name: one["status"] for name, one in mutants("undisturbed").items()}
        done = self.run_mutation(["--fresh", *few], [str(mortal), *CHECKED], output="mortal")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(list(marks.iterdir())), 2)
        self.assertEqual({name: one["status"] for name, one in mutants("mortal").items()}, expected)
        # One that always is has no verdict, and nothing of it is stored.
        doomed = [name for name, status in expected.items() if status == "Killed"][0]
        self.assertEqual(runs.run(command(["--fresh", *few], [str(mortal), *CHECKED], "doomed"), folder=SOURCES,
                                  environment={"DOOMED": doomed}).returncode, 0)
        self.assertEqual(mutants("doomed")[doomed]["gputest"]["verdict"], "undecided")
        again = self.run_mutation(few, [str(mortal), *CHECKED], output="doomed")
        self.assertEqual((executed(again), mutants("doomed")[doomed]["status"]), (1, "Killed"))

    def test_sizes_of_launches(self):
        done = self.run_mutation(["--fresh", "--operators", "dimension_replacement", "--baseline", "2"],
                                 [program("orders"), "orders.cl", "grid"])
        self.assertEqual(done.returncode, 0, done.stderr)
        (mutant,) = [mutant for mutant in mutants().values() if mutant["replacement"] == "get_global_size(1)"]
        self.assertEqual(mutant["status"], "Survived")  # the program only prints what it reads
        self.assertIn("weak oracle: ", mutant["statusReason"])

    @runs.long
    def test_goes_on_where_it_stopped(self):
        first = self.run_mutation(["--fresh", *FEW], output="again")
        before = mutants("again")
        self.assertGreater(executed(first), 5)
        second = self.run_mutation(FEW, output="again")
        self.assertEqual(executed(second), 0)
        after = mutants("again")
        self.assertEqual({name: mutant["status"] for name, mutant in before.items()},
                         {name: mutant["status"] for name, mutant in after.items()})

    def test_a_time_limit_leaves_the_rest_to_the_next_run(self):
        self.run_mutation(["--fresh", *FEW, "--time-limit", "1ms"], output="limited")
        limited = [mutant["status"] for mutant in mutants("limited").values()]
        self.assertIn("Pending", limited)
        self.assertFalse({"Survived", "Killed"} & set(limited))
        rest = self.run_mutation([*FEW, "--time-limit", "1h"], output="limited")
        self.assertEqual(executed(rest), limited.count("Pending"))
        self.assertNotIn("Pending", [mutant["status"] for mutant in mutants("limited").values()])
        wrong = self.run_mutation(["--time-limit", "soon"], output="limited")
        self.assertEqual(wrong.returncode, 2)

    def test_only_what_has_changed(self):
        project = WORK / "project"
        project.mkdir()
        shutil.copy(SOURCES / "clamp.cl", project)
        for words in (["init", "-q"], ["add", "clamp.cl"], ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "one"]):
            subprocess.run(["git", *words], cwd=project, check=True)
        def since(commit):
            return runs.run(command([*ONE_OPERATOR, "--since", commit], output="since"), folder=project)
        self.assertIn(b"0 mutants, 1 test case; of lines changed since HEAD", since("HEAD").stdout)
        text = (project / "clamp.cl").read_text()
        (project / "clamp.cl").write_text(text.replace("out[i] = value", "out[i] =  value"))
        done = since("HEAD")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual({mutant["location"]["start"]["line"] for mutant in mutants("since").values()}, {10})
        unknown = since("nothing")
        self.assertEqual(unknown.returncode, 2)
        self.assertIn(b"error: --since 'nothing': the git work tree of ", unknown.stderr)
        self.assertIn(b" has no such commit", unknown.stderr)
        # Below the project, no file has the text that the program reads: it keeps the name that it gets, and is shown.
        (project / "build").mkdir()
        checked = [program("small"), "../clamp.cl", "20", "check"]
        done = runs.run(command([*ONE_OPERATOR, "--source-root", "..", "--since", "HEAD"], checked, "below"), folder=project / "build")
        self.assertEqual(done.returncode, 0, done.stderr)
        ((name, file),) = json.loads((WORK / "below" / "mutation.json").read_text())["files"].items()
        self.assertRegex(name, "^program-[0-9a-f]*[.]cl$")
        self.assertEqual(file["source"].strip(), (project / "clamp.cl").read_text().strip())

    @runs.long
    def test_parts_make_the_whole(self):
        few = [*FEW, "--files", "clamp.cl", "--functions", "clamp_*"]
        whole = self.run_mutation(["--fresh", *few], output="whole")
        stores = [str(WORK / f"part{number}.db") for number in (1, 2)]
        parts = []
        for number, store in enumerate(stores, 1):
            self.run_mutation([*few, "--shard", f"{number}/2", "--store", store], output="part")
            parts.append(mutants("part"))
        self.assertFalse(parts[0].keys() & parts[1].keys())
        self.assertEqual(parts[0].keys() | parts[1].keys(), mutants("whole").keys())
        self.assertGreater(executed(whole), 2)
        joined = runs.run([runs.GPUTEST, "merge", "--output", str(WORK / "joined.db"), *stores])
        self.assertEqual(joined.returncode, 0, joined.stderr)
        after = self.run_mutation([*few, "--store", str(WORK / "joined.db")], output="part")
        self.assertEqual(executed(after), 0)
        self.assertEqual({name: mutant["status"] for name, mutant in mutants("part").items()},
                         {name: mutant["status"] for name, mutant in mutants("whole").items()})
        for wrong in ("0/2", "3/2", "half"):
            refused = self.run_mutation([*few, "--shard", wrong], output="part")
            self.assertEqual(refused.returncode, 2)
            self.assertIn("give K/N", refused.stderr.decode())

    def test_survives_kill(self):
        running = subprocess.Popen(command(["--jobs", "1", *FEW], output="killed"), cwd=SOURCES,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        store = WORK / "killed" / "results.db-wal"
        until = time.monotonic() + 60
        while time.monotonic() < until and not (store.exists() and store.stat().st_size > 20000):
            time.sleep(0.05)
        running.send_signal(signal.SIGKILL)
        running.wait()
        rest = self.run_mutation(FEW, output="killed")
        self.assertEqual(rest.returncode, 0, rest.stderr)
        everything = self.run_mutation(["--fresh", *FEW], output="everything")
        self.assertLess(executed(rest), executed(everything))
        self.assertEqual({name: mutant["status"] for name, mutant in mutants("killed").items()},
                         {name: mutant["status"] for name, mutant in mutants("everything").items()})

    def test_threshold(self):
        missed = self.run_mutation([*ONE_OPERATOR, "--threshold", "100"])
        self.assertEqual(missed.returncode, 1)
        self.assertIn(b"below the threshold", missed.stderr)

    def test_program_that_fails_by_itself(self):
        failing = self.run_mutation([], [program("misbehaves"), "_exit"])
        self.assertEqual(failing.returncode, 1)
        self.assertIn(b"no mutant was run, because without a mutant it failed: exit code 5", failing.stderr)
        self.assertFalse((WORK / "results" / "mutation.json").exists())

    def test_other_results_without_any_mutant(self):
        differing = self.run_mutation(FEW, [program("misbehaves"), "measured"])
        self.assertEqual(differing.returncode, 3, differing.stdout)  # the simulator has the same difference
        self.assertIn(b"computes something else than the original, in the simulator as well, so that no mutant was run: the "
                      b"1st of 1 pieces that it reads back differs", differing.stderr)
        self.assertIn(b"This is an error of gputest", differing.stderr)
        self.assertFalse((WORK / "results" / "mutation.json").exists())

    def test_device_that_translates_wrongly(self):
        for wrong, code, said in (("original", 1, b"the device's compiler translates the kernel wrongly"),
                                  ("mutants", 3, b"the device's compiler translates the text with all mutants of its kernels "
                                                 b"wrongly")):
            with self.subTest(wrong):
                done = self.run_mutation(FEW, [program("misbehaves"), "translated", wrong])
                self.assertEqual(done.returncode, code, done.stderr)
                self.assertIn(said, done.stderr)
                self.assertNotIn(b"error of gputest", done.stderr)
                self.assertFalse((WORK / "results" / "mutation.json").exists())

    def test_program_without_kernels(self):
        none = self.run_mutation([], [program("every_call"), "native"])
        self.assertEqual(none.returncode, 1)
        self.assertIn(b"launches no kernel", none.stderr)

    def test_outputs_that_vary_by_themselves(self):
        varying = self.run_mutation(FEW, [program("misbehaves"), "varies"])
        self.assertEqual(varying.returncode, 0, varying.stderr)
        self.assertIn(b"1 of 1 pieces", varying.stdout)
        self.assertNotIn(b"Weak oracle:", varying.stdout)

    def test_wrong_usage(self):
        for options in (["--operators", "nonsense"], ["--baseline", "1"], ["--jobs", "0"], ["--threshold", "branch=3"],
                        ["--timeout-factor", "0.5"]):
            self.assertEqual(self.run_mutation(options).returncode, 2, options)
        both = runs.run([runs.GPUTEST, "run", "--mutation", "--coverage", "--", *CHECKED])
        self.assertEqual(both.returncode, 2)
        other = runs.run([runs.GPUTEST, "run", "--coverage", "--jobs", "2", "--", *CHECKED])
        self.assertEqual(other.returncode, 2)


runs.main()
