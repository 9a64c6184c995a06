# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""pytest's plugin of GpuTestCheck (docs/pytest.md): the fixture gputest_kernel, and

    pytest --gputest-coverage --gputest-check --gputest-mutation

This file is loaded by each pytest that finds the module, so it imports nothing before it is needed."""
import json
import os
import pathlib

import pytest

MEASURES = ("coverage", "check", "mutation")
INSIDE = "GPUTEST_PYTEST"  # in the environment of the pytest that is measured: what it is to do, as JSON


def pytest_addoption(parser):
    group = parser.getgroup("gputest", "kernels of GPUs (GpuTestCheck)")
    group.addoption("--gputest-coverage", action="store_true", help="what the tests cover of the kernels that they launch")
    group.addoption("--gputest-check", action="store_true",
                    help="run the launches in the simulator; a data race, an access out of bounds and so on fails its test")
    group.addoption("--gputest-checks", metavar="LIST", default="", help="the checks of --gputest-check: races,bounds")
    group.addoption("--gputest-mutation", action="store_true",
                    help="run the tests once for each mutant of the kernels that they launch on OpenCL devices")
    group.addoption("--gputest-sample", metavar="N", default="", help="with --gputest-mutation: only N of the mutants")
    group.addoption("--gputest-output", metavar="DIR", default="",
                    help="the folder of the results; default: gputest-results in pytest's root folder")


class Kernel:
    """A kernel with options for its launches. A call launches it, as gputest.run_kernel does."""

    def __init__(self, source, name, options):
        self.source, self.name, self.options = source, name, options

    def __call__(self, *arguments, **options):
        __tracebackhide__ = True
        import gputest

        return gputest.run_kernel(self.source, self.name, *arguments, **{**self.options, **options})


@pytest.fixture
def gputest_kernel(request):
    """gputest_kernel(source, kernel, **options): a kernel to call. A path is relative to the test's file."""
    folder = pathlib.Path(str(request.fspath)).parent

    def make(source, kernel, *arguments, **options):
        __tracebackhide__ = True
        if arguments:
            raise TypeError(f"gputest_kernel() returns kernel '{kernel}', and takes none of its arguments; call what it returns "
                            f"with them: gputest_kernel(…, '{kernel}', global_size=…)(…)")
        is_path = isinstance(source, (str, os.PathLike))
        return Kernel(folder / source if is_path else source, kernel, options)

    return make


def wanted(config):
    return [measure for measure in MEASURES if config.getoption(f"gputest_{measure}")]


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config):
    if INSIDE in os.environ or hasattr(config, "workerinput") or config.option.help or getattr(config.option, "collectonly", False):
        return None
    for option, needed in (("gputest_checks", "check"), ("gputest_sample", "mutation")):
        if config.getoption(option) and needed not in wanted(config):
            raise pytest.UsageError(f"--{option.replace('_', '-')} is for --gputest-{needed}")
    if config.getoption("gputest_sample") and not config.getoption("gputest_sample").isdigit():
        raise pytest.UsageError(f"--gputest-sample: '{config.getoption('gputest_sample')}' is no number of mutants")
    if not wanted(config):
        return None
    from gputest_measured import Measured

    return Measured(config, wanted(config)).run()


def pytest_configure(config):
    if INSIDE in os.environ:
        from gputest_measured import Inside

        told = json.loads(os.environ[INSIDE])
        config.pluginmanager.register(Inside(config, told["measure"], pathlib.Path(told["folder"])), "gputest-inside")
