"""pytest's plugin: each test plays the user of a project whose path has a blank."""
import json
import os
import pathlib
import re
import subprocess
import sys

import gputest
import pytest

SAXPY = """kernel void saxpy(global float* y, global const float* x, const float a, const uint n) {
  const size_t i = get_global_id(0);
  if (i < n)
    y[i] += a * x[i];
}
"""
TESTS = """import numpy
import pytest


@pytest.mark.parametrize("n", [3, 8])
def test_saxpy(gputest_kernel, n):
    saxpy = gputest_kernel("saxpy.cl", "saxpy", global_size=8, device="simulator")
    y = numpy.ones(n, numpy.float32)
    saxpy(y, numpy.arange(n, dtype=numpy.float32), numpy.float32(2), numpy.uint32(n))
    assert y.tolist() == [1 + 2 * i for i in range(n)]
"""
TOO_MANY = """

def test_one_too_many(gputest_kernel):
    y = numpy.ones(4, numpy.float32)
    gputest_kernel("saxpy.cl", "saxpy", global_size=8)(y, y.copy(), numpy.float32(2), numpy.uint32(5))


def test_that_it_is_found(gputest_kernel):
    import gputest
    y = numpy.ones(4, numpy.float32)
    with pytest.raises(gputest.CheckError):
        gputest_kernel("saxpy.cl", "saxpy", global_size=8, device="simulator")(y, y.copy(), numpy.float32(2), numpy.uint32(5))
"""


class Project:
    def __init__(self, folder):
        self.folder = folder / "my project"
        self.folder.mkdir()
        self.environment = {**os.environ, "GPUTEST_CACHE_DIR": str(folder / "cache"),
                            "PYTHONPATH": os.pathsep.join([str(pathlib.Path(gputest.__file__).parent), os.environ.get("PYTHONPATH", "")])}
        for name in ("GPUTEST_DEVICE", "GPUTEST_RUN", "GPUTEST_PYTEST", "PYTEST_ADDOPTS", "PYTEST_CURRENT_TEST"):
            self.environment.pop(name, None)

    def write(self, name, text):
        (self.folder / name).write_text(text)

    def run(self, *options, opencl=False):
        environment = self.environment if opencl else {**self.environment, "OCL_ICD_VENDORS": "/nonexistent"}
        ran = subprocess.run([sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *options], cwd=self.folder, env=environment,
                             text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return ran.returncode, ran.stdout

    def result(self, pattern):
        file, = (self.folder / "gputest-results").glob(pattern)
        return json.loads(file.read_text())


@pytest.fixture
def project(tmp_path):
    made = Project(tmp_path)
    made.write("saxpy.cl", SAXPY)
    made.write("test_saxpy.py", TESTS)
    return made


def has_opencl():
    try:
        import pyopencl
        return bool(pyopencl.get_platforms())
    except Exception:
        return False


def test_parametrised_cases_count_apart(project):
    code, said = project.run("-q", "--gputest-coverage", "--gputest-check")
    assert code == 0, said
    assert "gputest: coverage" in said and "gputest: check" in said and "0 findings" in said and "branch" in said
    coverage = project.result("coverage/calls/*.coverage.json")
    assert [(case["name"], case["verdict"]) for case in coverage["cases"]] == [
        ("test_saxpy.py::test_saxpy[3]", "passed"), ("test_saxpy.py::test_saxpy[8]", "passed")]
    outcomes, = (site["outcomes"] for site in coverage["sites"] if site["criterion"] == "branch")
    assert outcomes == {"true": 2, "false": 1}
    check = project.result("check/calls/*.check.json")
    assert [case["launches"] for case in check["cases"]] == [1, 1] and check["findings"] == []
    page = (project.folder / "gputest-results" / "report.html").read_text()
    assert "saxpy" in page and "coverage.html" in page
    assert "SF:" + str(project.folder / "saxpy.cl") in (project.folder / "gputest-results" / "lcov.info").read_text()


def test_findings_are_failures_at_the_kernels_line(project):
    project.write("test_saxpy.py", TESTS + TOO_MANY)
    code, said = project.run("--gputest-check", "--gputest-coverage")
    assert code == 1, said
    part = said[said.index("gputest: check"):]
    assert "3 passed" in part and "1 failed" in part, part
    assert re.search(r">   +y\[i\] \+= a \* x\[i\];\nE +work-item \(4\) of group \(0\) reads 4 bytes", part), part
    assert re.search(r"saxpy\.cl:4: CheckError", part), part
    assert "in test_saxpy.py::test_one_too_many" in part and "3 findings" in part
    assert re.search(r"FAILED test_saxpy.py::test_one_too_many - work-item", part), part
    check = project.result("check/calls/*.check.json")
    assert {(finding["line"], finding["kind"]) for finding in check["findings"]} == {(4, "out_of_bounds")}
    assert {case["name"]: case["findings"] for case in check["cases"]}["test_saxpy.py::test_one_too_many"] == len(check["findings"])


def test_chosen_checks(project):
    project.write("test_saxpy.py", TESTS + TOO_MANY.partition("def test_that")[0])
    code, said = project.run("-q", "--gputest-check", "--gputest-checks", "races", "--gputest-output", "found")
    assert code != 0 and "0 findings" in said and "CheckError" not in said and "[out_of_bounds]" not in said, said
    assert list((project.folder / "found").glob("**/*check.json"))


@pytest.mark.parametrize("options, message", [
    (["--gputest-sample", "3"], "--gputest-sample is for --gputest-mutation"),
    (["--gputest-checks", "races"], "--gputest-checks is for --gputest-check"),
    (["--gputest-mutation", "--gputest-sample", "few"], "'few' is no number of mutants"),
    (["--gputest-mutation"], "--gputest-mutation needs an OpenCL device"),
])
def test_mistakes(project, options, message):
    code, said = project.run(*options)
    assert code == pytest.ExitCode.USAGE_ERROR and message in said, said


def test_arguments_in_the_wrong_call(project):
    project.write("test_saxpy.py", TESTS.replace('"saxpy",', '"saxpy", n,'))
    code, said = project.run("-q")
    assert code == 1 and "gputest_kernel() returns kernel 'saxpy', and takes none of its arguments" in said, said


@pytest.mark.skipif(not has_opencl(), reason="there is no PyOpenCL, or no OpenCL device")
@pytest.mark.parametrize("option", ["--gputest-check", "--gputest-coverage"])
def test_no_call_of_opencl(project, option):
    no_call = "made no OpenCL call"
    code, said = project.run("-q", option, opencl=True)
    assert code == 0 and "2 passed" in said and no_call not in said, said
    project.write("test_saxpy.py", "def test_nothing():\n    pass\n")
    code, said = project.run("-q", option, opencl=True)
    assert code == 0 and no_call in said, said


def test_a_failure_stays_one(project):
    project.write("test_saxpy.py", TESTS.replace("1 + 2 * i", "2 + 2 * i"))
    code, said = project.run("-q", "--gputest-coverage")
    assert code == 1 and "2 failed" in said
    assert {case["verdict"] for case in project.result("coverage/calls/*.coverage.json")["cases"]} == {"failed"}
    page = (project.folder / "gputest-results" / "report.html").read_text()  # the index, also of one kind
    assert "coverage.html" in page and (project.folder / "gputest-results" / "coverage.html").exists()


def test_parallel_workers(project):
    pytest.importorskip("xdist")
    project.write("test_saxpy.py", TESTS + TOO_MANY)
    code, said = project.run("-q", "--gputest-check", "-n", "2")
    assert code == 1 and "3 findings" in said and "saxpy.cl:4: CheckError" in said, said
    check = project.result("check/calls/*.check.json")
    assert len(check["cases"]) == 4 and check["findings"], check


CUDA = '''import numpy
import pytest

CODE = """
struct Body { float x; int id; };
extern "C" __global__ void twice(const float* x, float* y, int n, Body add) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = SCALE * x[i] + add.x;
}
"""
BODY = numpy.dtype([("x", numpy.float32), ("id", numpy.int32)])
ADD = numpy.array([(1, 7)], BODY)[0]


@pytest.mark.parametrize("n", [6, 7])
def test_cupy(n):
    import cupy
    x, y = cupy.arange(6, dtype=cupy.float32), cupy.zeros(6, dtype=cupy.float32)
    cupy.RawKernel(CODE, "twice", options=("-DSCALE=2",))((2,), (4,), (x, y, n, ADD))
    assert cupy.asnumpy(y).tolist() == [1, 3, 5, 7, 9, 11]


def test_pycuda():
    import pycuda.autoinit
    import pycuda.driver as drv
    from pycuda import gpuarray
    from pycuda.compiler import SourceModule
    twice = SourceModule(CODE, options=["-D", "SCALE=2"]).get_function("twice")
    x = numpy.arange(4, dtype=numpy.float32)
    y = numpy.zeros_like(x)
    twice(drv.In(x), drv.Out(y), numpy.int32(4), ADD, block=(4, 1, 1), grid=(2, 1))
    assert y.tolist() == [1, 3, 5, 7]
    made = gpuarray.zeros(4, numpy.float32)
    memory = drv.mem_alloc(x.nbytes)
    drv.memcpy_htod(memory, x)
    twice(memory, made.gpudata, numpy.int32(4), ADD, block=(4, 1, 1), grid=(1, 1))
    assert made.get().tolist() == y.tolist()


def test_wrong_calls():
    import cupy
    import gputest
    x = cupy.zeros(6, dtype=cupy.float32)
    kernel = cupy.RawKernel(CODE, "twice", options=("-DSCALE=2",))
    with pytest.raises(gputest.UsageError, match="takes 4 arguments, 2 were given"):
        kernel((1,), (4,), (x, 6))
    with pytest.raises(gputest.UsageError, match="arguments 0 and 1 of 'twice' share memory that the kernel writes"):
        kernel((1,), (4,), (x, x, 6, ADD))
    with pytest.raises(gputest.UsageError, match="argument 1: 'int' is no memory that the simulator knows"):
        kernel((1,), (4,), (x, 64, 6, ADD))
    kernel((1,), (4,), (None, 0, 0, ADD))  # null pointers, which nobody reads
    with pytest.raises(gputest.UsageError, match="SCALE"):
        cupy.RawKernel(CODE, "twice").compile()
    with pytest.raises(gputest.UsageError, match="thrice"):
        cupy.RawModule(code=CODE, options=("-DSCALE=2",)).get_function("thrice")
    with pytest.raises(AttributeError, match="the simulator's cupy has no 'sparse'"):
        cupy.sparse
'''


def test_cuda_as_users_launch_it(project):
    for name in ("cupy", "pycuda"):
        try:
            __import__(name)
            pytest.skip(f"{name} is installed")
        except ImportError:
            pass
    (project.folder / "test_saxpy.py").unlink()
    project.write("test_cuda.py", CUDA)
    code, said = project.run("--gputest-check", "--gputest-coverage")
    part = said[said.index("gputest: check"):]
    assert code == 1 and "1 failed, 3 passed" in part, said
    line = 1 + CUDA.split("SCALE * x")[0].count("\n")
    assert f"test_cuda.py:{line}: CheckError" in part and "FAILED test_cuda.py::test_cupy[7]" in part, part
    assert re.search(r">   +y\[i\] = SCALE \* x\[i\] \+ add\.x;", part), part
    cases = [case["name"] for case in project.result("coverage/calls/*twice.coverage.json")["cases"]]
    assert "test_cuda.py::test_cupy[6]" in cases and "test_cuda.py::test_pycuda" in cases
    # Without the options, nothing takes CuPy's place.
    code, said = project.run("-q", "-k", "cupy")
    assert code == 1 and "No module named 'cupy'" in said, said


OPENCL = '''import numpy
import pyopencl as cl
import pytest

SOURCE = """
kernel void add(global const float* a, global float* sums, const uint n) {
  const size_t i = get_global_id(0);
  if (i < n)
    sums[i] = a[i] + 1;
}
"""


@pytest.mark.parametrize("n", [3, 4, 5])
def test_add(n):
    context = cl.create_some_context(interactive=False)
    queue = cl.CommandQueue(context)
    a = cl.Buffer(context, cl.mem_flags.READ_ONLY | cl.mem_flags.COPY_HOST_PTR, hostbuf=numpy.arange(4, dtype=numpy.float32))
    sums = cl.Buffer(context, cl.mem_flags.READ_WRITE, 64)
    cl.Program(context, SOURCE).build().add(queue, (8,), None, a, sums, numpy.uint32(n))
    read = numpy.zeros(3, numpy.float32)
    cl.enqueue_copy(queue, read, sums)
    assert read.tolist() == [1, 2, 3]
'''


@pytest.mark.skipif(not has_opencl(), reason="there is no PyOpenCL, or no OpenCL device")
def test_pyopencl_by_the_layer(project):
    (project.folder / "test_saxpy.py").unlink()
    project.write("test_add.py", OPENCL)
    code, said = project.run("--gputest-coverage", "--gputest-check", opencl=True)
    assert code == 1, said
    coverage = project.result("coverage/program/*/coverage.json")
    assert [case["name"] for case in coverage["cases"]] == [f"test_add.py::test_add[{n}]" for n in (3, 4, 5)]
    outcomes, = (site["outcomes"] for site in coverage["sites"] if site["criterion"] == "branch")
    assert outcomes == {"true": 3, "false": 3}
    part = said[said.index("gputest: check"):]
    line = 1 + OPENCL.split("sums[i] = a")[0].count("\n")
    assert "1 failed, 2 passed" in part and f"test_add.py:{line}: CheckError" in part, part
    assert "FAILED test_add.py::test_add[5] - work-item" in part, part
    project.write("test_add.py", OPENCL.replace("[3, 4, 5]", "[3]"))
    project.write("test_cupy.py", "import cupy\n\n\ndef test_zeros():\n    assert cupy.zeros(1).tolist() == [0]\n")
    code, said = project.run("--gputest-mutation", "--gputest-sample", "2", opencl=True)
    assert code == 0 and "score" in said, said
    assert project.result("mutation/program/mutation.json")
    assert "mutation.html" in (project.folder / "gputest-results" / "report.html").read_text()
