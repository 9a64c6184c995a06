// What CUDA's GPUs as machines do beyond what every kind must (machine_test.cpp). The GPU is the
// simulator behind the driver API.
#include "runtime/machine/cuda/machine.h"

#include "runtime/harness/registry.h"
#include "runtime/machine/cuda/compiler.h"
#include "runtime/machine/cuda/gpu.h"
#include "runtime/machine/cuda/kernel_text.h"
#include "tests/catch.h"
#include "tests/environment.h"
#include "tests/runtime/simulated_gpu.h"
#include "tests/temporary_folder.h"

#include <cstring>
#include <span>

namespace gputest::runtime {
namespace {

using tests::ContainsSubstring;
using tests::Environment;

struct OnGpu {
  Environment environment{tests::simulated_gpu()};
  std::unique_ptr<Machine> machine = cuda_kind().open({.device = "gpu"});

  std::unique_ptr<BuiltKernel> build(const std::string& text, const std::string& kernel,
                                     BuildSettings settings = {}) const {
    settings.language = model::Language::Cuda;
    return machine->build(text, settings, kernel, "kernels.cu");
  }
};

template <typename Value> LaunchArgument buffer_of(const std::vector<Value>& values) {
  LaunchArgument argument;
  argument.name = "data";
  argument.kind = LaunchArgument::Kind::Buffer;
  const auto bytes = std::as_bytes(std::span(values));
  argument.bytes.assign(bytes.begin(), bytes.end());
  argument.element_size = sizeof(Value);
  argument.read_back = true;
  return argument;
}

template <typename Value> LaunchArgument value_of(const Value& value) {
  LaunchArgument argument;
  argument.name = "value";
  const auto bytes = std::as_bytes(std::span(&value, 1));
  argument.bytes.assign(bytes.begin(), bytes.end());
  return argument;
}

template <typename Value> std::vector<Value> values_of(const LaunchArgument& argument) {
  std::vector<Value> values(argument.bytes.size() / sizeof(Value));
  std::memcpy(values.data(), argument.bytes.data(), argument.bytes.size());
  return values;
}

Launch launch_of(std::size_t threads, std::size_t block, std::size_t shared = 0) {
  return {.global_size = {threads, 1, 1}, .local_size = {block, 1, 1}, .shared_memory = shared};
}

LaunchOutcome run(BuiltKernel& kernel, const Launch& launch,
                  std::vector<LaunchArgument>& arguments) {
  Bytes state;
  return kernel.launch(launch, arguments, state);
}

template <typename Wrong> std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Wrong& error) {
    return error.what();
  }
  return "nothing is wrong";
}

std::string name_of(const char* device, model::Language language = model::Language::Cuda) {
  return std::string(kind_for(registry().machines, device, language).name);
}

} // namespace

TEST_CASE("a device is a GPU of CUDA's for a kernel of a CUDA file, where somebody names one") {
  const Environment nobody({{"GPUTEST_DEVICE", ""}});
  CHECK(name_of("") == "simulator");
  CHECK(name_of("simulator") == "simulator");
  CHECK(name_of("gpu") == "cuda");
  CHECK(name_of("cuda:1") == "cuda");
  CHECK(name_of("H100") == "cuda");
  CHECK(name_of("gpu", model::Language::OpenCL) == "opencl");
  CHECK(name_of("cuda", model::Language::OpenCL) == "opencl");
  for (const auto& [named, kind] :
       {std::pair{"gpu", "cuda"}, std::pair{"cuda:0", "cuda"}, std::pair{"cpu", "simulator"},
        std::pair{"simulator", "simulator"}}) {
    const Environment environment({{"GPUTEST_DEVICE", named}});
    CHECK(name_of("") == kind);
    CHECK(name_of("gpu") == "cuda");
  }
}

TEST_CASE("GPUs are found by type, number, and part of a name in any case") {
  const OnGpu gpu;
  const cuda::Driver driver;
  const auto name_of_gpu = [&](const char* wanted) { return choose_gpu(driver, wanted).name; };
  const std::string name = gpu.machine->name();
  for (const char* const wanted : {"gpu", "cuda", "CUDA:0", "0", "SIMULATOR"})
    CHECK(name_of_gpu(wanted) == name);
  CHECK_THAT(message_of<UsageError>([&] { name_of_gpu("abacus"); }),
             ContainsSubstring("no GPU of CUDA's is called 'abacus'; there are:\ncuda:0: " + name));
  CHECK_THAT(message_of<UsageError>([&] { name_of_gpu("cuda:7"); }),
             ContainsSubstring("there is no device 'cuda:7', and there are only these GPUs:"));
  const Environment allocated(
      {{"CTEST_RESOURCE_GROUP_COUNT", "1"}, {"CTEST_RESOURCE_GROUP_0_GPUS", "id:3,slots:1"}});
  CHECK(name_of_gpu("gpu") == name); // an index among OpenCL's devices
}

TEST_CASE("a machine says what it is: the GPU, its driver and its compiler") {
  const OnGpu gpu;
  const MachineIdentity identity = gpu.machine->identity();
  CHECK(identity.version == "compute capability 8.0");
  CHECK_THAT(identity.driver, ContainsSubstring("CUDA 12.5"));
  CHECK(identity.platform == "nvcc V12.5.0");
  CHECK_THAT(cuda_kind().list({}), ContainsSubstring("cuda:0: " + identity.name +
                                                     " (compute capability 8.0, 16 GiB, CUDA"));
}

TEST_CASE("without a driver, a GPU or a compiler there is no device") {
  const tests::TemporaryFolder folder;
  {
    Environment none(tests::simulated_gpu());
    const Environment driver({{"GPUTEST_CUDA_DRIVER", "/nonexistent/libcuda.so.1"}});
    CHECK_THAT(message_of<NoDevice>([] { cuda_kind().open({.device = "gpu"}); }),
               ContainsSubstring("skipped: no CUDA driver (/nonexistent/libcuda.so.1: "));
    CHECK_THROWS_AS(cuda_kind().list({}), NoDevice);
  }
  {
    const Environment none({{"CUDAToolkit_ROOT", folder.path().string()},
                            {"CUDA_PATH", ""},
                            {"CUDA_HOME", ""},
                            {"PATH", folder.path().string()}});
    if (!std::filesystem::exists("/usr/local/cuda/bin/nvcc"))
      CHECK_THAT(message_of<NoDevice>([] { cuda_kind().open({.device = "gpu"}); }),
                 ContainsSubstring("skipped: no CUDA compiler (nvcc)"));
    else
      CHECK(cuda::Compiler().program() == "/usr/local/cuda/bin/nvcc");
  }
  const Environment other(
      {{"GPUTEST_CUDA_DRIVER", "libc.so.6"}, {"CUDAToolkit_ROOT", GPUTEST_SIMULATED_TOOLKIT}});
  CHECK_THAT(message_of<DeviceError>([] { cuda_kind().open({.device = "gpu"}); }),
             ContainsSubstring("libc.so.6 has no cuInit"));
  CHECK_THAT(cuda_kind().list({}), ContainsSubstring("cuda: cannot be used: libc.so.6"));
}

TEST_CASE("templates, overloads, namespaces and hidden kernels are found by their names") {
  const OnGpu gpu;
  const std::string text = "#include <cmath>\n#include <cstdio>\n"
                           "template <typename T, int N> __global__ void add(T* x) { *x += N; }\n"
                           "__global__ void scale(float* x) { *x *= 2; }\n"
                           "__global__ void scale(int* x, int n) { *x *= n; }\n"
                           "namespace { namespace a { __global__ void hidden(int* x) {\n"
                           "  static int calls = 0; *x = ++calls; } } }\n";
  std::vector<LaunchArgument> numbers{buffer_of<int>({20})};
  run(*gpu.build(text, "add<int, 3>"), launch_of(1, 1), numbers);
  CHECK(values_of<int>(numbers[0]) == std::vector<int>{23});
  std::vector<LaunchArgument> both{buffer_of<int>({20}), value_of(5)};
  run(*gpu.build(text, "scale(int*, int)"), launch_of(1, 1), both);
  CHECK(values_of<int>(both[0]) == std::vector<int>{100});
  run(*gpu.build(text, "a::hidden"), launch_of(1, 1), numbers);
  CHECK(values_of<int>(numbers[0]) == std::vector<int>{1});
  const std::string message = message_of<UsageError>([&] { gpu.build(text, "scale<int>"); });
  CHECK_THAT(message, ContainsSubstring("kernels.cu: error: there is no kernel 'scale<int>'; there "
                                        "are:") &&
                          ContainsSubstring("\n  scale(int*, int)"));
}

TEST_CASE("what does not compile is told with the file and the line") {
  const OnGpu gpu;
  const std::string text =
      "#line 1 \"/some/where/k.cu\"\n__global__ void k(int* x) {\n  *x = y;\n}";
  try {
    gpu.build(text, "k");
    FAIL("it compiles");
  } catch (const BuildError& error) {
    CHECK_THAT(error.log, ContainsSubstring("/some/where/k.cu:2:8: error: "));
    CHECK_THAT(error.what(), ContainsSubstring("kernels.cu: error: does not build for ") &&
                                 ContainsSubstring("-arch=sm_80"));
  }
  CHECK(cuda::with_places("k.cu(3): error: no\nat (4) end\n(12): warning: x\n") ==
        "k.cu:3: error: no\nat (4) end\n:12: warning: x\n");
}

TEST_CASE("PTX says which kernel is meant, and which variables there are") {
  const std::string ptx = ".visible .entry _Z3addPi\n.extern .global .u32 elsewhere;\n"
                          ".global .align 4 .u32 counter = 3;\n"
                          ".visible .global .align 8 .b8 table[16] = {1, 2};\n"
                          ".global .align 8 .u64 gputest_kernel[1] = {_Z3addPi};\n"
                          ".global .align 1 .b8 $str[3] = {97, 0};\n"
                          ".extern .func (.param .b32 x) vprintf\n.entry _Z3addPi(\n"
                          "\tld.global.u32 %r1, [counter];\n";
  const cuda::Declarations declared = cuda::declarations_of(ptx);
  CHECK(declared.kernel == "_Z3addPi");
  CHECK(declared.kernels == std::vector<std::string>{"_Z3addPi"});
  CHECK(declared.variables == std::vector<std::string>{"counter", "table"});
  const std::string assembled = cuda::for_assembler(ptx);
  CHECK(assembled.find("gputest_kernel") == std::string::npos);
  CHECK_THAT(assembled, ContainsSubstring("\n.visible .global .align 4 .u32 counter = 3;\n") &&
                            ContainsSubstring("\n.visible .entry _Z3addPi(\n") &&
                            ContainsSubstring("\n.extern .global .u32 elsewhere;\n"));
  CHECK(cuda::demangled("_Z3addPi") == "add(int*)");
}

TEST_CASE("arguments are checked before a launch: their number, pointers, and sizes") {
  const OnGpu gpu;
  struct Pair {
    char a;
    double b;
  };
  const auto kernel = gpu.build("struct Pair { char a; double b; };\n"
                                "__global__ void k(Pair pair, double* x) { *x = pair.a + pair.b; }",
                                "k");
  const Signature signature = kernel->signature();
  REQUIRE(signature.declared.size() == 2);
  CHECK(signature.declared[0].size == 16);
  CHECK_FALSE(signature.declared[0].pointer);
  CHECK(signature.declared[1].pointer);
  std::vector<LaunchArgument> right{value_of(Pair{2, 0.5}), buffer_of<double>({0})};
  run(*kernel, launch_of(1, 1), right);
  CHECK(values_of<double>(right[1]) == std::vector<double>{2.5});
  const auto wrong = [&](std::vector<LaunchArgument> arguments) {
    return message_of<UsageError>([&] { run(*kernel, launch_of(1, 1), arguments); });
  };
  CHECK_THAT(wrong({right[0]}), ContainsSubstring("has 2 arguments, and 1 are given"));
  CHECK_THAT(wrong({right[1], right[1]}), ContainsSubstring("is a value, and something else"));
  CHECK_THAT(wrong({right[0], right[0]}), ContainsSubstring("is a pointer, and something else"));
  CHECK_THAT(wrong({value_of(1), right[1]}), ContainsSubstring("has 16 bytes, and 4 are given"));
}

TEST_CASE("variables of the device begin each launch as the source says; null pointers are none") {
  const OnGpu gpu;
  const auto kernel = gpu.build("__device__ int calls = 5;\nnamespace { __device__ int more[2]; }\n"
                                "__constant__ int step = 2;\n"
                                "__global__ void k(int* x, int* none) {\n"
                                "  *x = (calls += step) + ++more[1] + (none ? 100 : 0); }",
                                "k");
  std::vector<LaunchArgument> arguments{buffer_of<int>({0}), buffer_of<int>({})};
  arguments[1].is_null = true;
  for (unsigned i = 0; i < 2; ++i) {
    run(*kernel, launch_of(1, 1), arguments);
    CHECK(values_of<int>(arguments[0]) == std::vector<int>{8});
  }
  BoundCase test_case;
  test_case.arguments = arguments;
  test_case.launch = launch_of(1, 1);
  const auto repeated = gpu.machine->repeat(test_case, "k", {0}, 0);
  const auto prepared = repeated->prepare(*kernel, false);
  for (unsigned i = 0; i < 2; ++i) {
    prepared->run(test_case.launch, {});
    int value = 0;
    std::memcpy(&value, repeated->content(0).data(), sizeof value);
    CHECK(value == 8);
  }
}

TEST_CASE("what is written in front of a buffer is found, too") {
  const OnGpu gpu;
  const auto kernel = gpu.build("__global__ void k(short* x) { x[-2] = 1; }", "k");
  std::vector<LaunchArgument> arguments{buffer_of<short>({0, 0, 0})};
  const LaunchOutcome outcome = run(*kernel, launch_of(1, 1), arguments);
  REQUIRE(outcome.out_of_bounds.size() == 1);
  CHECK(outcome.out_of_bounds[0] ==
        "kernel 'k' wrote 2 bytes in front of 'data' (3 elements), the nearest at index -2");
}

TEST_CASE("dynamic __shared__ memory beyond what a GPU gives unasked; blocks that nobody chose") {
  const OnGpu gpu;
  const auto kernel = gpu.build("__global__ void k(int* x) { extern __shared__ int part[];\n"
                                "  part[20000 + threadIdx.x] = blockDim.x; __syncthreads();\n"
                                "  x[blockIdx.x * blockDim.x + threadIdx.x] = part[20000]; }",
                                "k");
  std::vector<LaunchArgument> arguments{buffer_of<int>(std::vector<int>(96))};
  Launch launch = launch_of(96, 0, 20100 * sizeof(int));
  launch.local_size.fill(0);
  run(*kernel, launch, arguments);
  CHECK(values_of<int>(arguments[0]) == std::vector<int>(96, 48));
}

TEST_CASE("a launch that is refused says why") {
  const OnGpu gpu;
  const auto kernel = gpu.build("__global__ void k(int* x) { x[0] = 1; }", "k");
  std::vector<LaunchArgument> arguments{buffer_of<int>({0})};
  const auto refused = [&](const Launch& launch) {
    return message_of<LaunchRefused>([&] { run(*kernel, launch, arguments); });
  };
  CHECK_THAT(refused(launch_of(4096, 4096)),
             ContainsSubstring("kernel 'k': the launch is refused: CUDA_ERROR_INVALID_VALUE") &&
                 ContainsSubstring("a block has 4096 threads, " + gpu.machine->name() +
                                   " runs at most 1024 in a block of this kernel"));
  CHECK_THAT(refused(launch_of(2, 2, std::size_t{1} << 24)),
             ContainsSubstring("it needs 16777216 bytes of __shared__ memory for a block, "));
  CHECK_THAT(refused(launch_of(std::size_t{1} << 40, 1)), ContainsSubstring("is too large"));
  CHECK_THAT(message_of<UsageError>([&] { run(*kernel, launch_of(3, 2), arguments); }),
             ContainsSubstring("3 threads in dimension 0 are no multiple of the 2 of a block"));
  run(*kernel, launch_of(1, 1), arguments); // nothing is the worse for it
  CHECK(values_of<int>(arguments[0]) == std::vector<int>{1});
}

TEST_CASE("code is compiled once, until something that it includes changes") {
  const tests::TemporaryFolder folder;
  const Environment cache({{"GPUTEST_CACHE_DIR", (folder.path() / "cache").string()}});
  const OnGpu gpu;
  folder.write("include here/value.h", "#define VALUE 42\n");
  const BuildSettings settings{.definitions = {"TWICE(x)=((x) + (x))", "ONE"},
                               .include_dirs = {folder.path() / "include here"}};
  const auto value = [&] {
    std::vector<LaunchArgument> arguments{buffer_of<int>({0})};
    run(*gpu.build("#include \"value.h\"\n__global__ void k(int* x) { *x = TWICE(VALUE) + ONE; }",
                   "k", settings),
        launch_of(1, 1), arguments);
    return values_of<int>(arguments[0]).front();
  };
  const auto kept = [&] {
    const auto entries = std::filesystem::directory_iterator(folder.path() / "cache" / "cuda");
    return std::filesystem::last_write_time(entries->path() / "image");
  };
  CHECK(value() == 85);
  const auto first = kept();
  CHECK(value() == 85);
  CHECK(kept() == first);
  folder.write("include here/value.h", "#define VALUE 4\n");
  CHECK(value() == 9);
  CHECK(kept() != first);
}

// The last ones: no launch follows them in this process.
TEST_CASE("a kernel that ends in a fault has spent the process") {
  const OnGpu gpu;
  const auto kernel =
      gpu.build("__global__ void k(int* x) { if (*x == 1) *(int*)8 = 1; *x = 3; }", "k");
  const auto other = gpu.build("__global__ void other(int* x) { *x = 1; }", "other");
  std::vector<LaunchArgument> arguments{buffer_of<int>({1})};
  CHECK_THAT(message_of<KernelFault>([&] { run(*kernel, launch_of(1, 1), arguments); }),
             ContainsSubstring("kernel 'k': CUDA_ERROR_ILLEGAL_ADDRESS: "));
  CHECK_THROWS_AS(run(*other, launch_of(1, 1), arguments), DeviceError);
}

} // namespace gputest::runtime
