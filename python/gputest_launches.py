# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the launches of a test run are: the command beside the module, and a record of each call of gputest.run_kernel and
gputest.run_function in this process, for the pytest plugin and the adapters (docs/pytest.md)."""
import json
import os
import pathlib
import shutil

import gputest

SHOWN = {}  # names of texts in messages, and the files of Python that they stand in


def command():
    """The gputest command that belongs to the module. Raises gputest.UsageError where there is none."""
    named = os.environ.get("GPUTEST_DRIVER")
    if named:
        return named
    with open("/proc/self/maps") as maps:
        libraries = {line.split(maxsplit=5)[5].strip() for line in maps if "libgputest_runtime.so" in line}
    for library in libraries:
        for place in ("gputest", "../bin/gputest", "../../bin/gputest"):  # built, installed, and installed for several machines
            file = os.path.normpath(os.path.join(os.path.dirname(library), place))
            if os.path.isfile(file):
                return file
    found = shutil.which("gputest")
    if not found:
        raise gputest.UsageError("the gputest command is not beside the module's library: set GPUTEST_DRIVER to its path")
    return found


def is_simulated(source, options):
    """Does this call run in the simulator, and not on an OpenCL device or a GPU?"""
    device = options.get("device") or os.environ.get("GPUTEST_DEVICE", "")
    is_cuda = str(getattr(source, "name", source)).endswith((".cu", ".hip"))
    return device == "simulator" or (is_cuda and not device)


class Launches:
    """Stands before gputest.run_kernel and gputest.run_function, and writes a line of JSON for each call."""

    def __init__(self, file, coverage_folder):
        self.file, self.coverage_folder = pathlib.Path(file), coverage_folder
        self.originals = {}

    def install(self):
        for name in ("run_kernel", "run_function"):
            self.originals[name] = getattr(gputest, name)
            setattr(gputest, name, self.recorded(self.originals[name]))

    def remove(self):
        for name, original in self.originals.items():
            setattr(gputest, name, original)

    def recorded(self, original):
        def run(source, kernel, *arguments, **options):
            __tracebackhide__ = True
            entry = {"case": os.environ.get("GPUTEST_CASE", ""), "source": source_name(source), "kernel": kernel,
                     "simulated": is_simulated(source, options), "findings": []}
            # Under the layer, calls on its devices are measured there.
            covers = self.coverage_folder and (entry["simulated"] or "GPUTEST_RUN" not in os.environ)
            before = os.environ.get("GPUTEST_COVERAGE_DIR")
            if covers:
                os.environ["GPUTEST_COVERAGE_DIR"] = str(self.coverage_folder)
            try:
                return original(getattr(source, "text", source), kernel, *arguments, **options)
            except gputest.CheckError as error:
                entry["findings"] = [shown(finding) for finding in error.findings]
                raise
            finally:
                if covers:
                    restore("GPUTEST_COVERAGE_DIR", before)
                self.write(entry)

        run.__doc__, run.__name__ = original.__doc__, original.__name__
        return run

    def write(self, entry):
        with open(f"{self.file}.{os.getpid()}", "a") as file:
            file.write(json.dumps(entry) + "\n")


def shown(finding):
    """The text of a finding with the file of Python in which its text stands."""
    name = finding.partition(":")[0]
    return SHOWN.get(name, name) + finding[len(name):]


def restore(variable, value):
    if value is None:
        os.environ.pop(variable, None)
    else:
        os.environ[variable] = value


class NamedText:
    """A source of text whose name is known; gputest.Source does not tell it."""

    def __init__(self, text, name):
        self.text, self.name = gputest.source_text(text, name), name


def source_name(source):
    if isinstance(source, gputest.Source):
        return "text"
    name = getattr(source, "name", None)
    return SHOWN.get(name, name) if isinstance(source, NamedText) else os.path.abspath(os.fspath(source))
