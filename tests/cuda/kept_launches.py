"""kept_launches.py GPUTEST_CUDA GPUTEST WORK

Which launches of CUDA programs `gputest run --memory` keeps, what `gputest memory --launch` refuses, and launches that
begin with what the launch before has left in caches.
"""
import json, os, pathlib, shutil, subprocess, sys

COMPILER, GPUTEST = map(os.path.abspath, sys.argv[1:3])
WORK = pathlib.Path(sys.argv[3]).absolute()
shutil.rmtree(WORK, ignore_errors=True)
WORK.mkdir(parents=True)

(WORK / "common.h").write_text(r"""
static __global__ void common(float* a) { a[threadIdx.x * STRIDE] += 1; }
""")
(WORK / "other.cu").write_text(r"""
#define STRIDE 8
#include "common.h"
void launch_other(float* a) { common<<<1, 64>>>(a); }
""")
(WORK / "program.cu").write_text(r"""
#define STRIDE 1
#include "common.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda.h>
#include <filesystem>
#include <nvrtc.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
namespace fs = std::filesystem;
void launch_other(float* a);
template <typename... Names> struct NameThatHasManyLettersInItsNameAsNamesOfTemplatesDo {};
template <typename Name> __global__ void named(float* a) { a[threadIdx.x] += sizeof(Name); }
template <int n> using Twice = NameThatHasManyLettersInItsNameAsNamesOfTemplatesDo<
    NameThatHasManyLettersInItsNameAsNamesOfTemplatesDo<int, float, double, char[n]>,
    NameThatHasManyLettersInItsNameAsNamesOfTemplatesDo<int*, float*, double*, char*>,
    NameThatHasManyLettersInItsNameAsNamesOfTemplatesDo<int**, float**, double**, char**>>;
__global__ void sized(int* a, int limit) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < limit)
    a[i] += 1;
  else
    a[i + (1 << 24)] = 1;
}
__global__ void column(float* to, const float* from) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = from[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  to[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
#ifdef FACTOR
__global__ void needing_options(float* to) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = threadIdx.x * FACTOR;
  __syncthreads();
  to[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
#else
#error "no factor"
#endif
__global__ void produce(float* a) { a[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x; }
__global__ void consume(float* out, const float* a, const float* b) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = a[i] + b[i];
}
__global__ void textured(float* out, cudaTextureObject_t from) { out[threadIdx.x] = tex1Dfetch<float>(from, threadIdx.x); }
__global__ void idle(float* a) { a[threadIdx.x] += 0; }
__global__ void idle_too(float* a) { a[threadIdx.x] += 0; }
__global__ void large(float* all) { all[threadIdx.x] += 1; }

fs::path folder() { // the last word
  const std::string words = std::getenv("GPUTEST_CUDA_KEPT_LAUNCHES");
  return words.substr(words.rfind(' ') + 1);
}
int files() {
  int count = 0;
  for ([[maybe_unused]] const auto& one : fs::directory_iterator(folder()))
    ++count;
  return count;
}
std::string compile(const char* option) {
  nvrtcProgram program;
  nvrtcCreateProgram(&program, "extern \"C\" __global__ void late(float* a) { a[threadIdx.x * STRIDE] += 1; }", "late.cu", 0,
                     nullptr, nullptr);
  nvrtcCompileProgram(program, 1, &option);
  size_t size = 0;
  nvrtcGetPTXSize(program, &size);
  std::string text(size, ' ');
  nvrtcGetPTX(program, text.data());
  return text;
}
void load_and_launch(const std::string& text, void* a) {
  CUmodule module;
  CUfunction function;
  cuModuleLoadData(&module, text.data());
  cuModuleGetFunction(&function, module, "late");
  void* arguments[] = {&a};
  cuLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr);
}
int main(int, char** arguments) {
  const std::string what = arguments[1];
  const int n = 1024;
  if (what == "forks") {
    for (int i : {1, 3, 2, 3})
      if (fork() == 0) {
        int* a = nullptr;
        cudaMalloc(&a, n * sizeof *a);
        cudaMemset(a, 0, n * sizeof *a);
        sized<<<i, 64>>>(a, n);
        _exit(cudaDeviceSynchronize());
      } else {
        int status = 0;
        wait(&status);
        if (status != 0)
          return 1;
      }
    std::printf("%d files\n", files());
    return 0;
  }
  float *a = nullptr, *b = nullptr, *out = nullptr;
  int* index = nullptr;
  cudaMalloc(&a, n * sizeof *a);
  cudaMalloc(&b, n * sizeof *b);
  cudaMalloc(&out, n * sizeof *out);
  cudaMalloc(&index, n * sizeof *index);
  for (void* one : {(void*)a, (void*)b, (void*)out, (void*)index})
    cudaMemset(one, 0, n * sizeof(float));
  if (what == "codes") {
    common<<<1, 64>>>(a);
    launch_other(a);
    const std::string one = compile("-DSTRIDE=1"), four = compile("-DSTRIDE=4");
    load_and_launch(one, a);
    load_and_launch(four, a);
    load_and_launch(one, a); // another module with the same code
  } else if (what == "names") {
    named<Twice<1>><<<1, 32>>>(a);
    named<Twice<2>><<<1, 32>>>(a);
  } else if (what == "many") {
    for (int i = 0; i < 200; ++i)
      produce<<<4, 256>>>(a);
    cudaDeviceSynchronize();
    std::printf("%d files\n", files());
  } else if (what == "fails") {
    sized<<<1, 64>>>(index, n);
    sized<<<2, 64>>>(index, 64);
  } else if (what == "gone") {
    produce<<<1, 64>>>(a);
    cudaDeviceSynchronize();
    fs::remove_all(folder());
    for (int i = 2; i < 9; ++i)
      produce<<<i, 64>>>(a);
  } else if (what == "unwritable") { // no file can take the place of a folder
    produce<<<1, 64>>>(a);
    cudaDeviceSynchronize();
    std::string kept; // "kept-<kernel>-<threads>-<number>-<process>-<contents>.json"
    for (const auto& one : fs::directory_iterator(folder()))
      if (const std::string name = one.path().filename(); name.find("kept-") == 0)
        kept = name;
    for (int dashes = 0; dashes < 4; ++dashes)
      kept.erase(0, kept.find('-') + 1);
    const fs::path next = folder() / ("running-" + kept.substr(0, kept.find('-')) + "-2.json");
    fs::create_directory(next);
    for (int i = 2; i < 9; ++i)
      produce<<<i, 64>>>(a);
    cudaDeviceSynchronize();
    fs::remove(next);
  } else if (what == "patches") {
    column<<<1, dim3(32, 32)>>>(out, b);
    needing_options<<<1, dim3(32, 32)>>>(out);
  } else if (what == "pair") {
    produce<<<4, 256>>>(a);
    consume<<<4, 256>>>(out, a, b);
  } else if (what == "all_there") {
    produce<<<4, 256>>>(a);
    consume<<<4, 256>>>(out, a, a);
  } else if (what == "others") { // no allocation of both
    produce<<<4, 256>>>((float*)index);
    consume<<<4, 256>>>(out, a, b);
  } else if (what == "same") { // they change nothing
    for (int i = 0; i < 4; ++i)
      consume<<<4, 256>>>(out, a, b);
  } else if (what == "after_twins") {
    for (int i = 0; i < 4; ++i) {
      i % 2 == 0 ? idle<<<1, 32>>>(a) : idle_too<<<1, 32>>>(a);
      consume<<<4, 256>>>(out, a, b);
    }
  } else if (what == "after_texture") {
    cudaResourceDesc from{};
    from.resType = cudaResourceTypeLinear;
    from.res.linear = {b, cudaCreateChannelDesc<float>(), n * sizeof *b};
    cudaTextureDesc how{};
    cudaTextureObject_t texture;
    cudaCreateTextureObject(&texture, &from, &how, nullptr);
    textured<<<1, 32>>>(a, texture);
    produce<<<4, 256>>>(a);
  } else if (what == "after_large") {
    float* all = nullptr;
    cudaMalloc(&all, 100'000);
    cudaMemset(all, 0, 100'000);
    large<<<1, 32>>>(all);
    produce<<<4, 256>>>(a);
  }
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  return error == cudaSuccess ? 0 : 1;
}
""")
subprocess.run([COMPILER, "-std=c++17", "-DFACTOR=2", WORK / "program.cu", WORK / "other.cu", "-o", WORK / "program", "-lnvrtc",
                "-lcuda"], check=True)


def run(words, code=0):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, stdin=subprocess.DEVNULL,
                          timeout=300, cwd=WORK, check=False)
    said = done.stdout + done.stderr
    assert done.returncode == code, f"{words}: {done.returncode}\n{said}"
    return said


def look(what, *options, code=0):
    shutil.rmtree(WORK / "results", ignore_errors=True)
    options = ["--source-root", WORK, *options] if "--source-root" not in options else options
    return run([GPUTEST, "run", "--memory", "1", "--output", WORK / "results", *options, "--", WORK / "program", what], code)


def expect(said, *texts):
    for text in texts:
        assert text in said, f"'{text}' is missing in\n{said}"


def results(kernel):
    return json.loads((WORK / "results" / kernel / "memory.json").read_text())


def work_items(kernel):
    return [max(one["work_items"] for one in case["references"]) for case in results(kernel)["cases"]]


def strides(kernel):
    return {one["stride"] for one in results(kernel)["cases"][0]["references"]}


# Kernels of one name have the code of their modules.
look("codes")
assert (strides("common.common"), strides("common.common-2")) in (({4}, {32}), ({32}, {4})), "one has the other's code"
late = sorted(path.name for path in (WORK / "results").glob("*late*"))
assert len(late) == 2 and sorted(map(str, map(strides, late))) == ["{16}", "{4}"], late
launches = WORK / "results" / "launches"
expect(run([GPUTEST, "memory", "--launch", launches / "common.common.1.json", "--launch", launches / "common.common-2.1.json"],
           2), "common.common-2.1.json: error: has other device code than ")

# Names that no file system takes.
look("names")
named = sorted(path.name for path in (WORK / "results").glob("program.named*"))
assert len(named) == 2 and all(len(name) == 120 for name in named), named
assert len({results(name)["kernel"] for name in named}) == 2 and all(len(results(name)["kernel"]) > 255 for name in named)

# What is left out has one file, and is counted.
said = look("many", "--max-bytes", "100", code=1)
expect(said, "program.produce: 200 launches are left out: the memory that it can reach has more bytes than --max-bytes 100")
assert int(said[:said.index(" files")].split()[-1]) < 10, said
said = look("fails", code=1)
expect(said, "program.sized: a launch is left out: it failed: ", "program.sized.1", "error: program failed")
assert work_items("program.sized") == [64]

# All processes of a program share the number of launches that are kept.
said = look("forks", "--largest", "2")
assert work_items("program.sized") == [192, 128], said
assert int(said[:said.index(" files")].split()[-1]) == 6, said  # 2 of each launch, the code, and what says that all is well

# Nothing can be written: the program goes on.
for what in "gone", "unwritable":
    said = look(what, code=3)
    expect(said, "no error\n", "error: not all launches could be kept: ")
    assert said.count("could be kept: /") == 1, said
expect(said, "Is a directory")
assert work_items("program.produce") == [64]

# The source root, however it is written.
for root in ".", "./", f"{WORK}/", f"{WORK}/results/..", f"../{WORK.name}":
    look("fails", "--source-root", root, code=1)
    found = results("program.sized")
    assert (found["source"], found["cases"][0]["references"][0]["file"]) == ("program.cu", "program.cu"), (root, found["source"])

# Patches of the program's source, with what its compiler was told.
look("patches", "--gpu", "h200")
kept = WORK / "results" / "launches"
words = [GPUTEST, "memory", "--gpu", "h200", "--source-root", WORK, "--launch"]
expect(run([*words, kept / "program.column.1.json"]), "no patches were looked for: ", "error", "no factor")
for kernel in "column", "needing_options":
    said = run([*words, kept / f"program.{kernel}.1.json", "-D", "FACTOR=2", "--json", "one.json"])
    expect(said, "patch: ", "--- a/program.cu", "+++ b/program.cu")
    patch = json.loads((WORK / "one.json").read_text())["patches"][0]
    assert patch["cycles"] < patch["cycles_before"], patch

# A consumer finds in L2 what the producer has written: 1,024 numbers are 128 sectors of 32 bytes.
def of_consumer(what, *options):
    look(what, "--gpu", "h200", *options)
    return results("program.consume")["cases"][0]


cold, warm = of_consumer("pair"), of_consumer("pair", "--caches", "warm")
assert "before" not in cold and warm["before"] == "produce", warm.get("before")
assert cold["caches"][0] == warm["caches"][0], (cold["caches"], warm["caches"])
assert cold["caches"][1]["misses"] - warm["caches"][1]["misses"] == 128, (cold["caches"], warm["caches"])
assert warm["caches"][1]["hits"] - cold["caches"][1]["hits"] == 128, (cold["caches"], warm["caches"])
assert cold["dram_requests"] - warm["dram_requests"] == 128 and warm["cycles"] <= cold["cycles"], (cold, warm)
assert "before" not in results("program.produce")["cases"][0]  # the first launch
kept = WORK / "results" / "launches" / "program.consume.1.json"
expect(run([*words, kept, "--caches", "warm"]), f"{warm['cycles']:,} cycles",
       "it begins with what a launch of 'produce' has left in shared caches")
assert f"{cold['cycles']:,} cycles" in run([*words, kept])
expect(run([GPUTEST, "replay", WORK / "results" / "program.consume" / "memory" / "1.json"]), "cycles, as in the file")
cold_others, warm_others = of_consumer("others"), of_consumer("others", "--caches", "warm")
assert cold_others["caches"] == warm_others["caches"] == cold["caches"] and warm_others["before"] == "produce"
expect(run([*words, WORK / "results" / "launches" / "program.consume.1.json", "--caches", "hot"], 2), "--caches 'hot'")
cold_all, warm_all = of_consumer("all_there"), of_consumer("all_there", "--caches", "warm")
assert warm_all["cycles"] < cold_all["cycles"] - 300, "warps need not wait for DRAM, which takes 667 and not 282 cycles"
# Launches are equal if the launches before them are, whatever came before those.
for options, before in ((), [None]), (("--caches", "warm"), [None, "consume"]):
    look("same", "--gpu", "h200", "--largest", "4", *options)
    assert [case.get("before") for case in results("program.consume")["cases"]] == before, options
none, same = results("program.consume")["cases"]
assert same["dram_requests"] < none["dram_requests"] and same["cycles"] < none["cycles"], (none, same)
launches = WORK / "results" / "launches"
assert sorted(path.name for path in launches.glob("*.json")) == [
    f"program.consume.{which}.json" for which in ("1", "2.before", "2")], sorted(launches.iterdir())
for most, before in (1, ["idle"]), (4, ["idle", "idle_too"]):
    look("after_twins", "--gpu", "h200", "--largest", str(most), "--caches", "warm")
    assert [case.get("before") for case in results("program.consume")["cases"]] == before, most


def changed_before(**values):
    launch = json.loads((launches / "program.consume.1.before.json").read_text())
    (launches / "other.json").write_text(json.dumps(launch | values))
    return "other.json"


first = launches / "program.consume.1.json"
good = json.loads(first.read_text())
for before, text in (
        ("", "'' is not the name of a file beside it"),
        ("..", "error: cannot be read"),
        ("none.json", "none.json: error: cannot be read"),
        ("../launches/program.consume.1.before.json", "is not the name of a file beside it"),
        ("program.consume.1.json", "'program.consume.1.json' is not the launch before it: its number is 2, and not 1"),
        ("program.consume.2.before.json", "is not the launch before it: its number is 3, and not 1"),
        (changed_before(warp_size=64), "'other.json' has warps of 64 threads, and it has warps of 32")):
    (launches / "bad.json").write_text(json.dumps(good | {"before": before}))
    said = run([*words, launches / "bad.json", "--caches", "warm"], 2)
    expect(said, text)
look("pair", "--gpu", "h200")
expect(run([*words, kept, "--caches", "warm"], 2), "is kept without the launch before it: run the program with --caches warm")
expect(run([*words[:2], "--launch", kept, "--caches", "warm"], 2), "--caches warm: the cores of embedded share no cache")
said = look("pair", "--caches", "warm", code=2)
expect(said, "--caches warm: the cores of embedded share no cache")
assert "no error" not in said, "the program ran: " + said
# Another version asks the program's simulator.
asked = WORK / "asked by others"
asked.mkdir()
(asked / "given-up").write_text(" " * 4096)
for words_of_others in f"kept-launches-0 1 1000 {asked}", f"1 1000 cold {asked}":
    done = subprocess.run([WORK / "program", "names"], capture_output=True, text=True, timeout=300, check=True, cwd=WORK,
                          env=os.environ | {"GPUTEST_CUDA_KEPT_LAUNCHES": words_of_others})
    expect((asked / "given-up").read_text(), "the program's simulator is of another version of GpuTestCheck")
    (asked / "given-up").write_text(" " * 4096)
assert [path.name for path in asked.iterdir()] == ["given-up"]
expect(look("pair", "--caches", "hot", code=2), "CACHES (--caches): 'hot' is not one of cold, warm")
expect(look("after_texture", "--caches", "warm", "--gpu", "h200", code=1),
       "program.produce: of the launch before it, of 'textured': ", "a texture or surface is used here")
expect(look("after_large", "--caches", "warm", "--gpu", "h200", "--max-bytes", "50000", code=1),
       "program.produce: a launch is left out: of the launch before it, of 'large': the memory that it can reach has more")

# Files that no program has made.
look("pair")
launches = WORK / "results" / "launches"
good = json.loads((launches / "program.consume.1.json").read_text())
window = 0x7d0000000000


def changed(key, value):
    return lambda launch: launch.__setitem__(key, value)


def of_memory(index, **values):
    return lambda launch: launch["memory"][index].update(values)


def of_parameter(**values):
    return lambda launch: launch["parameters"][0].update(values)


for change, text in (
        (changed("format", "gputest-launch-1"), "another version of GpuTestCheck has written it"),
        (lambda launch: launch.pop("grid"), "key 'grid' is missing"),
        (changed("grid", [-1, 1, 1]), "a size of its grid or block is negative or too large"),
        (changed("block", [1, 1, -1]), "a size of its grid or block is negative or too large"),
        (changed("grid", [0, 1, 1]), "a size of its grid or block is 0"),
        (changed("grid", [1 << 63, 1, 1]), "a size of its grid or block is negative or too large"),
        (changed("grid", [1 << 62, 1, 1]), "it has more threads than a launch can have"),
        (changed("block", [2048, 1, 1]), "it has more threads than a launch can have"),
        (changed("warp_size", 31), "its warps have 31 threads: 32 and 64 are possible"),
        (changed("shared_bytes", 1 << 40), "it has more shared memory than a launch can have"),
        (changed("arguments_bytes", 8), "parameter 'a' is not in the block of arguments"),
        (changed("arguments_bytes", 1 << 63), "its contents are not complete"),
        (of_parameter(offset=(1 << 64) - 4), "parameter 'out' is not in the block of arguments"),
        (of_parameter(size=4), "parameter 'out' is a pointer of 4 bytes"),
        (of_parameter(is_pointer=False), "argument 'out': its type is"),
        (lambda launch: launch["parameters"].pop(), "its parameters are not those of 'consume'"),
        (of_parameter(offset=16), "its parameters are not those of 'consume'"),
        (of_memory(0, address=4096), "is not in the memory of a device"),
        (of_memory(0, address=window + (64 << 30)), "is not in the memory of a device"),
        (of_memory(0, size=(1 << 64) - 1), "is not in the memory of a device"),
        (of_memory(0, size=0), "is not in the memory of a device"),
        (of_memory(1, address=good["memory"][0]["address"] + 1), "is not behind the allocation before it"),
        (lambda launch: launch["memory"].reverse(), "is not behind the allocation before it"),
        (of_memory(2, size=8192), "its contents are not complete"),
        (of_memory(2, size=2048), "its contents have 2048 bytes that are no allocation's"),
        (changed("variables", [{"name": "v", "address": window}]), "variable 'v' is in none of its allocations"),
        (changed("contents", "../launches/program.consume.1.bytes"), "is not the name of a file beside it"),
        (changed("code", "none.code"), "none.code: error: cannot be read"),
        (changed("code", good["contents"]), "is not the code of its kernel"),
        (changed("mangled", "none"), "its code has no kernel 'none'")):
    launch = json.loads(json.dumps(good))
    change(launch)
    (launches / "bad.json").write_text(json.dumps(launch))
    said = run([*words, launches / "bad.json"], 2)
    expect(said, "error: ", text)
    assert "terminate" not in said and "internal" not in said, said
print("launches of CUDA programs are kept")
