"""The module gputest in the simulator, which needs no OpenCL device."""
import gputest
import numpy
import pytest

TEXT = gputest.source_text("""
typedef struct { float x; int id; } Body;
kernel void scale(global float* data, const float factor, local float* scratch, global float* copy) {
  const size_t i = get_global_id(0);
  scratch[get_local_id(0)] = data[i] * factor;
  data[i] = scratch[get_local_id(0)];
  copy[i] = data[i];
}
kernel void move(global Body* bodies, const Body by, const float2 more, global const Body* unread) {
  const size_t i = get_global_id(0);
  bodies[i].x += by.x + more.y;
  bodies[i].id += by.id;
}
int square(const int n) { return n * n; }
""", "kernels.cl")
BODY = numpy.dtype([("x", numpy.float32), ("id", numpy.int32)])


@pytest.fixture(autouse=True)
def cache(tmp_path_factory, monkeypatch):
    monkeypatch.setenv("GPUTEST_CACHE_DIR", str(tmp_path_factory.getbasetemp()))


def scale(data, factor=numpy.float32(2), **options):
    return gputest.run_kernel(TEXT, "scale", data, factor, gputest.local(numpy.float32, 1),
                              gputest.out(numpy.float32, len(data)),
                              **{"global_size": len(data), "local_size": 1, "device": "simulator", **options})


def test_arrays_come_back():
    data = numpy.array([1, 2, 3], numpy.float32)
    result = scale(data)
    assert data.tolist() == [2, 4, 6]
    assert result.output(3).dtype == numpy.float32
    assert result.output("copy").tolist() == [2, 4, 6]
    assert result.device == "simulator" and result.seconds > 0
    with pytest.raises(gputest.UsageError, match="'data' is no gputest.out"):
        result.output("data")


def test_structs_are_dtypes():
    bodies = numpy.array([(1, 1), (2, 2)], BODY)
    gputest.run_kernel(TEXT, "move", bodies, numpy.array([(10, 5)], BODY)[0],
                       gputest.value(numpy.array([0, 100], numpy.float32)), bodies.copy(),
                       global_size=[2], device="simulator")
    assert bodies.tolist() == [(111, 6), (112, 7)]


def test_none_is_a_null_pointer():
    text = gputest.source_text("kernel void choose(global int* out, global const int* mask, const int n) {\n"
                               "  out[0] = n > 0 || mask ? mask ? mask[0] : n : mask[0];\n}\n", "choose.cl")
    out = numpy.zeros(1, numpy.int32)
    options = {"global_size": 1, "device": "simulator"}
    gputest.run_kernel(text, "choose", out, None, numpy.int32(7), **options)
    assert out.tolist() == [7]
    gputest.run_kernel(text, "choose", out, numpy.array([3], numpy.int32), numpy.int32(7), **options)
    assert out.tolist() == [3]
    with pytest.raises(gputest.CheckError, match="through a null pointer, the argument 'mask'"):
        gputest.run_kernel(text, "choose", out, None, numpy.int32(0), **options)
    with pytest.raises(gputest.UsageError, match="argument 2 'n' is 'int', but a null pointer was given"):
        gputest.run_kernel(text, "choose", out, None, None, **options)


def test_functions():
    result = gputest.run_function(TEXT, "square", numpy.array([2, 3], numpy.int32),
                                  gputest.out(numpy.int32, 2), global_size=2, device="simulator")
    assert result.output("result").tolist() == [4, 9]


def test_what_the_checks_find():
    data = numpy.ones(3, numpy.float32)
    with pytest.raises(gputest.CheckError) as error:
        scale(data, global_size=4)
    assert "kernels.cl:5:" in error.value.findings[0]
    assert isinstance(error.value, gputest.KernelError) and isinstance(error.value, gputest.Error)
    assert data.tolist() == [1, 1, 1]


def test_what_is_not_writeable_is_const():
    data = numpy.ones(2, numpy.float32)
    data.flags.writeable = False
    with pytest.raises(gputest.UsageError, match="writes its argument 'data', which was given as const"):
        scale(data)


@pytest.mark.parametrize("factor, message", [
    (2.0, r"argument 1: a Python float does not say which type .* numpy.int32"),
    (numpy.int32(2), "argument 1 'factor' is 'float', but 'int' by value was given"),
    (numpy.bool_(True), "argument 1: OpenCL C has no type for elements of 'bool'"),
    (numpy.zeros((2, 2), numpy.float32)[:, 0], "argument 1: the array is not contiguous"),
    (numpy.array(1, ">f4"), "argument 1: elements must have this machine's byte order"),
    ("2", "argument 1: 'str' is no kernel argument"),
])
def test_what_is_no_argument(factor, message):
    with pytest.raises(gputest.UsageError, match=message):
        scale(numpy.ones(2, numpy.float32), factor)


def test_options():
    with pytest.raises(TypeError, match="'glob' is no option"):
        scale(numpy.ones(2, numpy.float32), glob=2)
    with pytest.raises(gputest.UsageError, match="global_size has 0 dimensions"):
        gputest.run_kernel(TEXT, "scale", device="simulator")
    with pytest.raises(gputest.UsageError, match="/no/such.cl: error: cannot be read"):
        gputest.run_kernel("/no/such.cl", "k", global_size=1)


def test_lock_step():
    text = gputest.source_text("""kernel void swap(global int* data, local volatile int* part) {
  const int l = get_local_id(0);
  part[l] = data[l];
  data[l] = part[l ^ 1];
}
""", "swap.cl")
    data = numpy.arange(8, dtype=numpy.int32)
    options = {"global_size": 8, "local_size": 8, "device": "simulator"}
    with pytest.raises(gputest.CheckError, match="race"):
        gputest.run_kernel(text, "swap", data, gputest.local(numpy.int32, 8), **options)
    gputest.run_kernel(text, "swap", data, gputest.local(numpy.int32, 8), lock_step=8, **options)
    assert data.tolist() == [1, 0, 3, 2, 5, 4, 7, 6]
    with pytest.raises(gputest.UsageError, match="3 work-items cannot be in lock step"):
        gputest.run_kernel(text, "swap", data, gputest.local(numpy.int32, 8), lock_step=3, **options)


def test_messages_of_compilers_are_told():
    text = gputest.source_text('#error "gr\u00fc\u00dfe"\nkernel void k() {}\n', "k.cl")
    with pytest.raises(gputest.Error) as failure:
        gputest.run_kernel(text, "k", global_size=1, device="simulator")
    assert "k.cl:1" in str(failure.value)


def test_elements_that_are_python_objects():
    holds_objects = numpy.zeros(2, [("x", numpy.float32), ("name", object)])
    with pytest.raises(gputest.UsageError, match="must not be Python objects"):
        gputest.run_kernel(TEXT, "scale", holds_objects, numpy.float32(1), gputest.local(numpy.float32, 1),
                           gputest.out(numpy.float32, 1), global_size=1, device="simulator")


def test_options_of_a_wrong_type():
    with pytest.raises(TypeError, match="option 'timeout' has the wrong type"):
        scale(numpy.ones(1, numpy.float32), timeout="soon")


def test_cuda_files(tmp_path):
    file = tmp_path / "sum.cu"
    file.write_text("""
template <typename T> __global__ void sum(const T* in, T* out) {
  extern __shared__ float part[];
  part[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0)
    for (unsigned i = 0; i < blockDim.x; ++i)
      *out += part[i];
}
""")
    numbers = numpy.arange(4, dtype=numpy.float32)
    numbers.flags.writeable = False
    result = gputest.run_kernel(file, "sum<float>", numbers, gputest.out(numpy.float32, 1),
                                global_size=4, local_size=4, shared_memory=16)
    assert result.output(1).tolist() == [6]
