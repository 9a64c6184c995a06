# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What pytest's plugin does with --gputest-coverage, --gputest-check and --gputest-mutation (docs/pytest.md).

Measured is in the pytest that the user starts. It runs the same pytest once more as a program of its own, under `gputest run`
where there is an OpenCL device, so launches of PyOpenCL are measured by the layer. Inside is in that program: it says which
test makes a launch, and turns findings into failures. Results of all of them are one page."""
import glob
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

import gputest
import gputest_cuda
import gputest_launches
from gputest_pytest import INSIDE, MEASURES

FINDING = re.compile(r"^(?P<file>.+?):(?P<line>\d+):(?P<column>\d+): (?:error|warning): (?P<message>.*)$", re.DOTALL)


# What `gputest run` says where no test calls OpenCL by itself: other launches may have been measured.
NO_CALL = b": it made no OpenCL call"


def run_without(text, command, **where):
    """Runs a command. Returns its exit code, and the lines with the text, which it does not print to standard error."""
    left_out = []
    with subprocess.Popen(command, stderr=subprocess.PIPE, **where) as ran:
        for line in ran.stderr:
            if text in line:
                left_out.append(line.decode(errors="replace"))
            else:
                os.write(2, line)
    return ran.returncode, "".join(left_out)


class Measured:
    """Runs pytest for each measure, and makes the reports."""

    def __init__(self, config, measures):
        self.config, self.measures, self.root = config, measures, pathlib.Path(str(config.rootdir))
        self.folder = pathlib.Path(config.getoption("gputest_output") or self.root / "gputest-results").absolute()
        self.gputest = gputest_launches.command()

    def run(self):
        code = 0
        has_device = self.has_opencl()
        for measure in self.measures:
            folder = self.folder / measure
            shutil.rmtree(folder / "calls", ignore_errors=True)
            (folder / "calls").mkdir(parents=True)
            print(f"gputest: {measure}", flush=True)
            if measure == "mutation" and not has_device:
                raise pytest.UsageError("--gputest-mutation needs an OpenCL device, and there is none (Debian: apt install "
                                        "pocl-opencl-icd)")
            code = self.run_measure(measure, folder, has_device) or code
        self.report()
        return code

    def has_opencl(self):
        asked = subprocess.run([self.gputest, "resources"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        return asked.returncode == 0

    def words(self, measure):
        """The command line of the pytest inside."""
        words = [word for word in map(str, self.config.invocation_params.args)]
        if measure != "mutation":
            return [sys.executable, "-m", "pytest", *words]
        words = [word for word in words if not word.startswith(("--junit-xml=", "--junitxml="))]  # of each mutant
        return [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *words]

    def run_measure(self, measure, folder, has_device):
        environment = dict(os.environ)
        environment[INSIDE] = json.dumps({"measure": measure, "folder": str(folder)})
        environment["GPUTEST_DRIVER"] = self.gputest
        environment["GPUTEST_SOURCE_ROOT"] = str(self.root)
        if measure == "check":
            environment["GPUTEST_DEVICE"] = "simulator"
            checks = self.config.getoption("gputest_checks")
            environment["GPUTEST_PYTEST_CHECKS"] = checks
        command = self.words(measure)
        if has_device:
            command = [self.gputest, "run", *self.run_options(measure, folder), "--", *command]
        for old in ("status", "outcomes.json"):
            (folder / old).unlink(missing_ok=True)
        where = {"cwd": str(self.config.invocation_params.dir), "env": environment}
        if measure == "mutation":
            return subprocess.run(command, check=False, **where).returncode
        returncode, no_call = run_without(NO_CALL, command, **where)
        try:
            code = int((folder / "status").read_text())
        except (OSError, ValueError):  # pytest did not come to its end
            return returncode or int(pytest.ExitCode.INTERNAL_ERROR)
        self.read_calls(measure, folder)
        if not any((folder / "calls").iterdir()):
            sys.stderr.write(no_call)
        # The exit code of `gputest run` says more only where it measured something.
        measured = glob.glob(str(folder / "program" / "*" / f"{measure}.json"))
        return code or (returncode if measured else 0)

    def run_options(self, measure, folder):
        options = [f"--{measure}", "--output", str(folder / "program"), "--name", "pytest", "--source-root", str(self.root)]
        if measure == "check" and self.config.getoption("gputest_checks"):
            options[0] += "=" + self.config.getoption("gputest_checks")
        if measure == "coverage":
            options += ["--no-terminal", "--no-compare"]  # the tests compare
        if measure == "mutation" and self.config.getoption("gputest_sample"):
            options += ["--sample", self.config.getoption("gputest_sample")]
        return options

    def read_calls(self, measure, folder):
        """Adds what calls of gputest.run_kernel have left, and the verdicts of the tests."""
        outcomes = json.loads((folder / "outcomes.json").read_text())
        for file in (folder / "program").glob("*/check.json"):  # a finding has failed its test, and not the program
            result = json.loads(file.read_text())
            for case in result["cases"]:
                case["verdict"], case["message"] = "passed", ""
            file.write_text(json.dumps(result))
        if measure == "coverage":
            for file in folder.glob("**/*coverage.json"):
                result = json.loads(file.read_text())
                for case in result["cases"]:  # "pytest" is for launches that belong to no test
                    case["verdict"], case["message"] = outcomes.get(case["name"], ("passed", ""))
                result["name"] = "pytest"
                file.write_text(json.dumps(result))
            return
        kernels = {}
        for file in (folder / "calls").glob("launches.*"):
            for line in file.read_text().splitlines():
                call = json.loads(line)
                if call["simulated"]:
                    kernels.setdefault((call["source"], call["kernel"]), []).append(call)
        for (source, kernel), calls in kernels.items():
            self.write_check(folder, source, kernel, calls, outcomes)

    def write_check(self, folder, source, kernel, calls, outcomes):
        findings, cases = {}, {}
        for call in calls:
            verdict, message = outcomes.get(call["case"], ("passed", ""))
            case = cases.setdefault(call["case"], {"name": call["case"], "verdict": verdict, "message": message, "seconds": 0,
                                                   "findings": 0, "launches": 0})
            case["launches"] += 1
            for text in call["findings"]:
                found = FINDING.match(text)
                if not found:
                    continue
                kind = re.search(r"\[([a-z_]+)\]\s*$", text)
                key = (found["file"], found["line"], found["column"], kind and kind[1])
                finding = findings.setdefault(key, {
                    "kind": kind[1] if kind else "error", "file": found["file"], "line": int(found["line"]),
                    "column": int(found["column"]), "message": re.sub(r"\s*\[[a-z_]+\]\s*$", "", found["message"]), "count": 0,
                    "cases": []})
                finding["count"] += 1
                case["verdict"], case["message"] = "passed", ""  # the finding says why the test has failed
                if call["case"] not in finding["cases"]:
                    finding["cases"].append(call["case"])
                    case["findings"] += 1
        name = re.sub(r"[^A-Za-z0-9_.-]", "_", f"{pathlib.Path(source).stem}.{kernel}")
        (folder / "calls" / f"{name}.check.json").write_text(json.dumps({
            "format": "gputest-check-2", "name": "pytest", "kernel": kernel, "device": "simulator", "source": source,
            "checks": [check for check in self.config.getoption("gputest_checks").split(",") if check],
            "cases": list(cases.values()), "findings": list(findings.values())}))

    def report(self):
        say = lambda *words, **more: subprocess.run([self.gputest, "report", *map(str, words), "--source-root", str(self.root)],
                                                    cwd=str(self.root), check=False, **more)
        covered = sorted((self.folder / "coverage").glob("**/*coverage.json")) if "coverage" in self.measures else []
        if covered:
            say(*covered, "--lcov", self.folder / "lcov.info")
        elif "coverage" in self.measures:
            print("gputest: the tests launched no kernel that could be measured")
        kinds = [kind for kind in MEASURES if any((self.folder / kind).glob(f"**/*{kind}.json"))]
        page = self.folder / "report.html"
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "text": True}
        if len(kinds) == 1:  # whose page is not the index
            say(self.folder, "--html", self.folder / f"{kinds[0]}.html", "--back", page.name, "--no-terminal", **quiet)
        if kinds:
            made = say(self.folder, "--html" if len(kinds) > 1 else "--index", page, "--no-terminal", **quiet)
            print(f"gputest: {page}" if made.returncode == 0 or page.exists() else made.stderr, flush=True)


class Inside:
    def __init__(self, config, measure, folder):
        self.measure, self.folder = measure, folder
        self.is_worker = hasattr(config, "workerinput")
        self.outcomes, self.findings, self.read_until, self.known = {}, {}, {}, {}
        coverage = folder / "calls" if measure == "coverage" else None
        self.launches = gputest_launches.Launches(folder / "calls" / "launches", coverage)
        self.launches.install()
        checks = [check for check in os.environ.get("GPUTEST_PYTEST_CHECKS", "").split(",") if check]
        gputest_cuda.install()
        if measure == "check" and checks:
            self.checks_of_calls(checks)

    @staticmethod
    def checks_of_calls(checks):
        for name in ("run_kernel", "run_function"):
            def run(source, kernel, *arguments, original=getattr(gputest, name), **options):
                __tracebackhide__ = True
                options.setdefault("checks", checks)
                return original(source, kernel, *arguments, **options)
            setattr(gputest, name, run)

    def pytest_unconfigure(self):
        self.launches.remove()

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item):
        before = os.environ.get("GPUTEST_CASE")
        os.environ["GPUTEST_CASE"] = item.nodeid
        yield
        gputest_launches.restore("GPUTEST_CASE", before)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, item, call):
        outcome = yield
        report = outcome.get_result()
        found = self.new_findings()
        if call.excinfo is not None and isinstance(call.excinfo.value, gputest.CheckError) and report.failed:
            found = list(call.excinfo.value.findings) + found
        if not found or getattr(report, "wasxfail", None) is not None:
            return
        report.outcome = "failed"
        report.longrepr = with_findings(report.longrepr, found)
        report.user_properties.extend(("gputest", gputest_launches.shown(text)) for text in found)

    def new_findings(self):
        """What the layer has found since the last call, in launches of this process."""
        run = os.environ.get("GPUTEST_RUN")
        found = []
        for file in sorted(glob.glob(os.path.join(glob.escape(run), f"{os.getpid()}-*.jsonl"))) if run else []:
            with open(file, "rb") as stream:
                stream.seek(self.read_until.get(file, 0))
                lines = stream.read()
            whole = lines[:lines.rfind(b"\n") + 1]
            self.read_until[file] = self.read_until.get(file, 0) + len(whole)
            for line in whole.splitlines():
                event = json.loads(line)
                for told in event.get("findings", []) if event.get("event") == "simulated" else []:
                    if "finding" in told:
                        self.known[file, told["number"]] = text_of(told["finding"])
                    text = self.known.get((file, told["number"]))
                    if text and text not in found:
                        found.append(text)
        return found

    def pytest_runtest_logreport(self, report):
        if report.failed:
            self.outcomes[report.nodeid] = ("failed", message_of(report))
            for name, finding in report.user_properties:
                if name == "gputest":
                    self.findings.setdefault(finding, []).append(report.nodeid)
        else:
            self.outcomes.setdefault(report.nodeid, ("passed", ""))

    def pytest_terminal_summary(self, terminalreporter):
        if self.measure != "check":
            return
        terminalreporter.section("gputest check")
        for finding, tests in self.findings.items():
            terminalreporter.write_line(finding)
            terminalreporter.write_line(f"  in {', '.join(dict.fromkeys(tests))}")
        number = len(self.findings)
        terminalreporter.write_line(f"{number} {'finding' if number == 1 else 'findings'}")

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, exitstatus):
        if self.is_worker or self.measure == "mutation" or (self.folder / "status").exists():
            return
        (self.folder / "outcomes.json").write_text(json.dumps(self.outcomes))
        (self.folder / "status").write_text(str(int(exitstatus)))


def text_of(finding):
    """A finding of the run folder as a line of text."""
    return f"{finding['file']}:{finding['line']}:{finding['column']}: error: {finding['message']} [{finding['kind']}]"


def message_of(report):
    crash = getattr(report.longrepr, "reprcrash", None)
    return (getattr(crash, "message", None) or str(report.longrepr)).partition("\n")[0]


def with_findings(longrepr, findings):
    """The representation of a failure, whose traceback ends in the lines of kernels."""
    from _pytest._code.code import ExceptionChainRepr, ReprEntry, ReprFileLocation, ReprTraceback

    entries, crash = [], None
    for text in findings:
        found = FINDING.match(text)
        if not found:
            continue
        file, line = gputest_launches.SHOWN.get(found["file"], found["file"]), int(found["line"])
        crash = crash or ReprFileLocation(file, line, found["message"])
        entries.append(ReprEntry(source_lines(file, line) + [f"E   {part}" for part in found["message"].split("\n")], None, None,
                                 ReprFileLocation(file, line, "CheckError"), "long"))
    if not entries:
        return longrepr or "\n".join(findings)
    if isinstance(longrepr, ExceptionChainRepr):
        longrepr.reprtraceback.reprentries.extend(entries)
        *before, (last, _, description) = longrepr.chain
        longrepr.chain, longrepr.reprcrash = [*before, (last, crash, description)], crash
        return longrepr
    return ExceptionChainRepr([(ReprTraceback(entries, None, "long"), crash, None)])


def source_lines(file, line):
    """Some lines before the line, and the line with a mark, as pytest shows functions."""
    try:
        lines = pathlib.Path(file).read_text(errors="replace").splitlines()
    except OSError:
        return []
    shown = [f"    {text}" for text in lines[max(0, line - 4):line]]
    if shown and line <= len(lines):
        shown[-1] = ">" + shown[-1][1:]
    return shown
