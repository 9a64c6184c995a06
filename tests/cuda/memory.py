"""memory.py GPUTEST_CUDA GPUTEST WORK

Launches of CUDA programs on the model of a GPU: what they take is what kernels of OpenCL with the same accesses and
inputs take; memory that only pointers in memory reach; what cannot be modelled.
"""
import json, os, pathlib, shutil, subprocess, sys

COMPILER, GPUTEST = map(os.path.abspath, sys.argv[1:3])
WORK = pathlib.Path(sys.argv[3]).absolute()
shutil.rmtree(WORK, ignore_errors=True)
WORK.mkdir(parents=True)

PROGRAM = r"""
#include <cooperative_groups.h>
#include <cstdio>
#include <cstring>
struct Part { float* values; int size; };
__constant__ float factors[4];
__device__ int steps[64];
template <typename T> __global__ void strided(T* out, const T* in, int stride) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i * stride];
}
__global__ void gather(float* out, const float* in, const int* index) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[index[i]];
}
__global__ void block_sum(float* data) {
  extern __shared__ float part[];
  part[threadIdx.x] = data[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  for (unsigned d = blockDim.x / 2; d > 0; d /= 2) {
    if (threadIdx.x < d)
      part[threadIdx.x] += part[threadIdx.x + d];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    data[blockIdx.x] = part[0];
}
__global__ void by_structure(Part part) {
  const int i = threadIdx.x;
  if (i < part.size)
    part.values[steps[i]] = factors[i % 4];
}
__global__ void rows(float** all) { all[blockIdx.x][threadIdx.x] += 1; }
__global__ void inside(float* middle, const float* all) { middle[-1 - int(threadIdx.x)] = all[threadIdx.x]; }
__global__ void ranked(int* a) { a[cooperative_groups::this_grid().thread_rank()] += 1; }
__global__ void synced(int* a) { a[threadIdx.x] = 1; cooperative_groups::this_grid().sync(); a[threadIdx.x] += 1; }
__global__ void textured(float* out, cudaTextureObject_t from) { out[threadIdx.x] = tex1Dfetch<float>(from, threadIdx.x); }
__global__ void surfaced(float* out, cudaSurfaceObject_t from) { out[threadIdx.x] = surf2Dread<float>(from, threadIdx.x * 4, 1); }
__global__ void ordered(int* next) {
  volatile int* const turn = next;
  if (threadIdx.x == 0) {
    while (*turn != int(gridDim.x - 1 - blockIdx.x)) {
    }
    *turn += 1;
  }
}
__global__ void launched(float* a) { a[threadIdx.x] += 1; }
#ifdef PROGRAM // a kernel by itself launches none
__global__ void launching(float* a) { launched<<<1, 64>>>(a); }
#endif
__global__ void outside(int* a) { a[threadIdx.x + (1 << 24)] = 1; }
__global__ void endless(volatile int* a) { while (a[0] == 0) {} }
int main(int, char** arguments) {
  const char* const what = arguments[1];
  const int n = 1024;
  float *a = nullptr, *b = nullptr, **pointers = nullptr;
  int* index = nullptr;
  cudaMalloc(&a, n * sizeof *a);
  cudaMalloc(&b, 3 * n * sizeof *b);
  cudaMalloc(&index, n * sizeof *index);
  cudaMalloc(&pointers, 8 * sizeof *pointers);
  cudaMemset(a, 0, n * sizeof *a);
  cudaMemset(b, 0, 3 * n * sizeof *b);
  int numbers[n];
  for (int i = 0; i < n; ++i)
    numbers[i] = i * 97 % n;
  cudaMemcpy(index, numbers, sizeof numbers, cudaMemcpyDefault);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  if (std::strcmp(what, "all") == 0) {
    strided<float><<<2, 128>>>(a, b, 1);
    strided<float><<<4, 256, 0, stream>>>(a, b, 3);
    strided<float><<<1, 32>>>(a, b, 2);
    strided<int><<<1, 64, 0, stream>>>(index, index, 1);
    gather<<<4, 256, 0, stream>>>(a, b, index);
    block_sum<<<4, 256, 256 * sizeof(float)>>>(a);
    int where[64];
    for (int i = 0; i < 64; ++i)
      where[i] = 8 * (63 - i);
    cudaMemcpyToSymbol(steps, where, sizeof where);
    by_structure<<<1, 64>>>(Part{a, 64});
    float* hosts[8];
    for (int i = 0; i < 8; ++i)
      hosts[i] = b + 64 * (7 - i);
    cudaMemcpy(pointers, hosts, sizeof hosts, cudaMemcpyDefault);
    rows<<<8, 64>>>(pointers);
    inside<<<1, 64>>>(b + 100, b);
    void* given[] = {&index};
    cudaLaunchCooperativeKernel(reinterpret_cast<void*>(ranked), 2, 64, given, 0, nullptr);
  } else if (std::strcmp(what, "refused") == 0) {
    void* given[] = {&index};
    cudaLaunchCooperativeKernel(reinterpret_cast<void*>(synced), 2, 64, given, 0, nullptr);
    cudaResourceDesc from{};
    from.resType = cudaResourceTypeLinear;
    from.res.linear = {b, cudaCreateChannelDesc<float>(), n * sizeof *b};
    cudaTextureDesc how{};
    cudaTextureObject_t texture;
    cudaCreateTextureObject(&texture, &from, &how, nullptr);
    textured<<<1, 32>>>(a, texture);
    cudaArray_t array;
    cudaMallocArray(&array, &from.res.linear.desc, 32, 32, cudaArraySurfaceLoadStore);
    cudaResourceDesc as_array{};
    as_array.resType = cudaResourceTypeArray;
    as_array.res.array.array = array;
    cudaSurfaceObject_t surface;
    cudaCreateSurfaceObject(&surface, &as_array);
    surfaced<<<1, 32>>>(a, surface);
    cudaMemset(index, 0, sizeof *index);
    ordered<<<4, 32>>>(index);
#ifdef PROGRAM
    launching<<<1, 1>>>(a);
#endif
  } else if (std::strcmp(what, "outside") == 0) {
    outside<<<1, 32>>>(index);
  } else if (std::strcmp(what, "endless") == 0) {
    endless<<<1, 32>>>(index);
  } else if (std::strcmp(what, "trap") == 0) {
    __builtin_trap();
  }
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  return error == cudaSuccess ? 0 : 1;
}
"""
TWINS = """
kernel void strided(global float* out, global const float* in, int stride) {
  out[get_global_id(0)] = in[(int)get_global_id(0) * stride];
}
kernel void gather(global float* out, global const float* in, global const int* index) {
  out[get_global_id(0)] = in[index[get_global_id(0)]];
}
"""
COUNTS = ("variable", "access", "memory", "executions", "work_items", "transactions", "fewest", "hits", "misses", "stride",
          "alone")

(WORK / "program.cu").write_text(PROGRAM)
(WORK / "twins.cl").write_text(TWINS)
subprocess.run([COMPILER, "-DPROGRAM", "-rdc=true", WORK / "program.cu", "-o", WORK / "program"], check=True)


def run(words, code=0):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, stdin=subprocess.DEVNULL,
                          timeout=300, cwd=WORK, check=False)
    said = done.stdout + done.stderr
    assert done.returncode == code, f"{words}: {done.returncode}\n{said}"
    return said


def look(what, *options, code=0):
    shutil.rmtree(WORK / "results", ignore_errors=True)
    return run([GPUTEST, "run", "--memory", "1", "--output", WORK / "results", "--source-root", WORK, *options, "--",
                WORK / "program", what], code)


def expect(said, *texts):
    for text in texts:
        assert text in said, f"'{text}' is missing in\n{said}"


def results(kernel):
    return json.loads((WORK / "results" / f"program.{kernel}" / "memory.json").read_text())


def counts(case):
    return sorted([{key: one.get(key) for key in COUNTS} for one in case["references"]], key=str)


def by_itself(source, kernel, gpu, arguments):
    (WORK / "case.json").write_text(json.dumps({"name": "twin", "global_size": [1024], "local_size": [256],
                                                "arguments": arguments}))
    run([GPUTEST, "memory", source, "-k", kernel, "--case", "case.json", "--gpu", gpu, "--json", "one.json"])
    return json.loads((WORK / "one.json").read_text())["cases"][0]


# What a program's launch takes is what its twin takes, count by count.
for gpu in "embedded", "h200":
    said = look("all", "--gpu", gpu, "--largest", "2", "--html", WORK / "page.html")
    largest = results("strided_float_")["cases"]
    assert [one["name"] for one in largest] == ["program.strided_float_.1", "program.strided_float_.2"], largest
    for kernel, instance, name, arguments in (
            ("strided", "strided<float>", "strided_float_", {"out": {"size": 1024}, "in": {"size": 3072}, "stride": 3}),
            ("gather", "gather", "gather", {"out": {"size": 1024}, "in": {"size": 3072},
                                  "index": [i * 97 % 1024 for i in range(1024)]})):
        ours, alone, twin = (results(name)["cases"][0], by_itself("program.cu", instance, gpu, arguments),
                             by_itself("twins.cl", kernel, gpu, arguments))
        for key in "cycles", "overhead", "instructions", "dram_requests", "caches", "references", "what_if":
            assert ours[key] == alone[key], (kernel, gpu, key, ours[key], alone[key])
        # Counters of CUDA are other instructions.
        assert counts(ours) == counts(twin), (counts(ours), counts(twin))
        assert abs(ours["cycles"] - twin["cycles"]) < 0.02 * twin["cycles"], (kernel, ours["cycles"], twin["cycles"])
expect(said, "no error\nkernel ", "program.strided_int_", "program.block_sum", "program.ranked")
# The costliest kernel comes first.
lines = [line.split() for line in said[said.index("kernel "):].splitlines()[1:]]
first = {}
for line in lines:
    first.setdefault(line[0], int(line[1]))
assert len(first) == 8 and list(first.values()) == sorted(first.values(), reverse=True), said
expect((WORK / "page.html").read_text(), "strided&lt;float&gt;", "program.cu")
# Dynamic shared memory is there, and on the chip.
part = [one for one in results("block_sum")["cases"][0]["references"] if one["variable"] == "part"]
assert part and all(one["memory"] == "local" for one in part), part
# Contents of variables, of memory in memory, and in front of a pointer.
by_structure = results("by_structure")["cases"][0]["references"]
written = next(one for one in by_structure if one["access"] == "write")
assert (written["work_items"], written["stride"]) == (64, -32), written
assert {one["variable"] for one in by_structure} >= {"steps", "factors"}, by_structure
assert sum(one["work_items"] for one in results("rows")["cases"][0]["references"]) == 3 * 512
assert results("inside")["cases"][0]["cycles"] > 0
# A schedule that was found runs again as it was.
expect(run([GPUTEST, "replay", WORK / "results" / "program.gather" / "memory" / "1.json"]), "cycles, as in the file")
# HIP's warps have 64 threads, unless the user says otherwise.
(WORK / "scale.hip").write_text("""#include <hip/hip_runtime.h>
__global__ void scale(float* out, const float* in) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[2 * i] * 3;
}
int main() {
  float *in = nullptr, *out = nullptr;
  hipMalloc(&out, 4096);
  hipMalloc(&in, 8192);
  hipMemset(in, 0, 8192);
  hipLaunchKernelGGL(scale, dim3(4), dim3(256), 0, 0, out, in);
  return hipDeviceSynchronize() == hipSuccess ? 0 : 1;
}
""")
subprocess.run([COMPILER, "-x", "hip", WORK / "scale.hip", "-o", WORK / "scale"], check=True)


def look_at_hip(*options, code=0):
    return run([GPUTEST, "run", "--memory", "1", "--output", WORK / "hip", "--source-root", WORK, *options, "--",
                WORK / "scale"], code)


expect(look_at_hip(code=1), "--gpu embedded: its warps have 32 work-items, and those of the program have 64 threads: run "
       "the program with --warp-size 32, or give a GPU with such warps")
for gpu, threads in ("embedded", 32), ("adreno-640", 64):
    expect(look_at_hip("--warp-size", str(threads), "--gpu", gpu), "scale.scale.1")
    first, second = json.loads((WORK / "hip" / "scale.scale" / "memory.json").read_text())["cases"][0]["references"]
    assert (first["executions"], second["executions"], first["stride"]) == (1024 // threads, 1024 // threads, 8), first
launch = WORK / "results" / "launches" / "program.gather.1.json"
expect(run([GPUTEST, "memory", "--launch", launch, "--source-root", WORK]), "gather, case 'program.gather.1' on embedded")

shutil.copytree(WORK / "results" / "launches", WORK / "earlier")
elsewhere = WORK / "earlier" / "program.gather.1.json"

# Limits, and what is wrong.
expect(look("all", "--cycles", "1", code=1), "error: program.gather: case 'program.gather.1' takes ")
expect(look("all", "--gpu", "none_such", code=1), "error: there is no GPU 'none_such'")
expect(look("all", "--gpu", "mali-g52", code=1), "--gpu mali-g52: its warps have 8 work-items, and those of the program "
       "have 32 threads")
expect(look("all", "--max-bytes", "100", code=1), "program.gather: a launch is left out: the memory that it can reach has "
       "more bytes than --max-bytes 100", "error: no launch of program was modelled: it launched none that could be kept")
expect(look("all", "--device", "gpu", code=2), "error: --memory needs --device simulator: a GPU keeps no launches")
expect(look("none", code=1), "error: no launch of program was modelled: it launched no kernel in the simulator")
expect(look("trap", code=1), "error: no launch of program was modelled: it failed: killed by SIG")
expect(look("outside", code=1), "program.outside: a launch is left out: it failed: ", "writes memory that is no allocation's")
expect(look("endless", code=1), "program.endless: a launch is left out: it failed: ", "the kernel never ends")
said = look("refused")
expect(said, "program.synced: program.cu:", "the blocks of the grid wait for each other here: such a kernel cannot be run "
       "by itself", "program.textured: program.cu:", "a texture or surface is used here", "program.surfaced: program.cu:",
       "program.ordered: ", "the kernel still runs after",
       "program.launching: program.cu:",
       "the kernel launches another one here")
assert "program.launched " in said, said
shutil.copytree(WORK / "results" / "launches", WORK / "kept")
kept = WORK / "kept" / "program.launched.1.json"
expect(run([GPUTEST, "memory", "--launch", kept, "-k", "launched"], 2), "leave out --kernel")
expect(run([GPUTEST, "memory", "--launch", kept, "--launch", elsewhere], 2), "give launches of one kernel")
(WORK / "kept" / "program.launched.1.bytes").write_bytes(b"few")
expect(run([GPUTEST, "memory", "--launch", kept], 2), "its contents are not complete")
(WORK / "kept" / "program.launched.1.bytes").unlink()
expect(run([GPUTEST, "memory", "--launch", kept], 2), "program.launched.1.bytes: error: cannot be read")
kept.write_text("{}")
expect(run([GPUTEST, "memory", "--launch", kept], 2), "program.launched.1.json: error: key 'format'")
print("launches of CUDA programs are modelled")
