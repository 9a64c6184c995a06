// Kernels of CUDA files, called from C++ and run in the simulator.
#include "gputest/run_kernel.h"
#include "model/coverage.h"
#include "runtime/api/cuda.h"
#include "tests/catch.h"
#include "tests/environment.h"
#include "tests/temporary_folder.h"

#include <cstdlib>
#include <set>
#include <utility>

using namespace gputest;
using namespace gputest::tests;

namespace {

constexpr const char* kText = R"(
#include "factor.h"

#include <cassert>

template <typename T> __global__ void scale(int n, T factor, const T* in, T* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i] * factor * FACTOR;
}

struct Pair {
  float a;
  double b;
};

namespace sums {
__global__ void add(Pair pair, float* out) {
  extern __shared__ float part[];
  part[threadIdx.x] = pair.a + static_cast<float>(pair.b) * threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0)
    for (unsigned i = 0; i < blockDim.x; ++i)
      *out += part[i];
}
} // namespace sums

__device__ int counter = 5;
__global__ void count(int* out) {
  *out = ++counter;
}

__global__ void over(float* x) {
  *x = 1;
}
__global__ void over(int* x, int n) {
  *x = n;
}

__global__ void chain(int* done) {
  if (blockIdx.x > 0)
    while (atomicAdd(&done[blockIdx.x - 1], 0) == 0)
      ;
  atomicExch(&done[blockIdx.x], 1);
}

namespace shapes {
template <typename T> __device__ T clamped(T x, T low, const T& high) {
  return x < low ? low : x > high ? high : x;
}
__device__ void split(float x, int* whole, float& rest) {
  *whole = static_cast<int>(x);
  rest += x - *whole;
}
} // namespace shapes

__global__ void wrong(int* out, int at) {
  assert(at >= 0);
  out[at] = 1;
}
)";

// One for all tests: what is compiled is kept.
const TemporaryFolder& shared_folder() {
  static const TemporaryFolder folder;
  return folder;
}

struct Setup {
  const TemporaryFolder& folder = shared_folder();
  std::filesystem::path source = folder.write("kernels.cu", kText);
  std::vector<float> in{1, 2, 3}, out = std::vector<float>(4, -1);

  Setup() {
    folder.write("factor.h", "#define FACTOR 2\n");
    ::setenv("GPUTEST_SIMULATOR", GPUTEST_SIMULATOR_PROGRAM, 1);
    ::setenv("GPUTEST_DRIVER", GPUTEST_DRIVER, 1);
    ::setenv("GPUTEST_CACHE_DIR", (folder.path() / "cache").c_str(), 1);
    ::setenv("GPUTEST_DEVICE", "no such device", 1); // which is for OpenCL
  }
  ~Setup() {
    for (const char* name : {"GPUTEST_COVERAGE_DIR", "GPUTEST_CACHE_DIR", "GPUTEST_DEVICE"})
      ::unsetenv(name);
  }

  template <class... Arguments>
  Result run(const std::string& kernel, const RunOptions& options, Arguments&&... arguments) const {
    return run_kernel(source, kernel, options, std::forward<Arguments>(arguments)...);
  }
  template <class Error, class... Arguments>
  std::string message_of(const std::string& kernel, const RunOptions& options,
                         Arguments&&... arguments) const {
    try {
      run(kernel, options, std::forward<Arguments>(arguments)...);
    } catch (const Error& error) {
      return error.what();
    }
    return "nothing was thrown";
  }
};

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE_METHOD(Setup, "run_kernel runs kernels of CUDA files") {
  const RunOptions four{.global_size = {4}, .local_size = {2}};
  run("scale<float>", four, cl_int{3}, 1.5f, std::as_const(in), out);
  CHECK(out == std::vector<float>{3, 6, 9, -1});

  struct Pair {
    float a;
    double b;
  };
  const Result sum = run("sums::add", {.global_size = {4}, .local_size = {4}, .shared_memory = 16},
                         Pair{1, 0.5}, gputest::out<float>(1));
  CHECK(sum.output<float>("out") == std::vector<float>{7});
  CHECK(sum.device == "simulator");

  for (int i = 0; i < 2; ++i) // variables begin each launch with their first values
    CHECK(run("count", {.global_size = {1}}, gputest::out<int>(1)).output<int>(0) ==
          std::vector<int>{6});
  CHECK(run("over(int*, int)", {.global_size = {1}}, gputest::out<int>(1), cl_int{3})
            .output<int>(0) == std::vector<int>{3});
}

TEST_CASE_METHOD(Setup, "run_function runs device functions of CUDA files element by element") {
  const std::vector<float> low{0, 2, 0}, high{9, 9, 2};
  out = std::vector<float>(3);
  run_function(source, "shapes::clamped<float>", {.global_size = {3}}, std::as_const(in), low, high,
               out);
  CHECK(out == std::vector<float>{1, 2, 2});

  std::vector<float> given{1.5f, -2.25f}, rest{10, 0};
  std::vector<int> whole(2);
  run_function(source, "shapes::split", {.global_size = {2}}, std::as_const(given), whole, rest);
  CHECK(whole == std::vector<int>{1, -2});
  CHECK(rest == std::vector<float>{10.5f, -0.25f});

  std::string message;
  try {
    run_function(source, "shapes::clamped", {.global_size = {3}}, out);
  } catch (const UsageError& error) {
    message = error.what();
  }
  CHECK(contains(message, "no device function 'shapes::clamped' with a body"));
  CHECK(contains(message, "shapes::split"));
}

TEST_CASE_METHOD(Setup, "mistakes in calls of CUDA kernels are told") {
  const RunOptions four{.global_size = {4}, .local_size = {2}};
  const std::string unknown = message_of<UsageError>("scale", four, out);
  CHECK(contains(unknown, "no kernel 'scale'; there are:"));
  CHECK(contains(unknown, "note: kernel 'sums::add'"));
  CHECK(contains(unknown, "note: template 'scale'"));
  CHECK(contains(message_of<UsageError>("over", four, out), "note: kernel 'over(float *)'"));
  CHECK(contains(message_of<UsageError>("count", four), "takes 1 arguments, 0 were given"));
  CHECK(contains(message_of<UsageError>("count", four, cl_int{1}),
                 "is a pointer, but 'int' by value was given"));
  CHECK(contains(message_of<UsageError>("over(int*, int)", four, out, 1.0),
                 "'n' is a value of 4 bytes, but 'double' by value was given"));
  CHECK(contains(message_of<UsageError>("count", {.global_size = {4}, .local_size = {3}}, out),
                 "multiple"));
  const Environment no_driver({{"GPUTEST_CUDA_DRIVER", "/nonexistent"}});
  CHECK_THAT(message_of<NoDevice>("count", {.global_size = {4}, .device = "gpu"}, out),
             Catch::Contains("skipped: no CUDA compiler (nvcc)") ||
                 Catch::Contains("skipped: no CUDA driver (/nonexistent: "));
  CHECK(contains(message_of<UsageError>("count", four, gputest::local<int>(4)), "shared_memory"));

  folder.write("kernels.cu", "__global__ void count(int* out) {\n  *out = one;\n}\n");
  CHECK(contains(message_of<BuildError>("count", four, out),
                 "kernels.cu:2:10: error: use of undeclared identifier 'one'"));
}

TEST_CASE_METHOD(Setup, "a CUDA kernel that does harm is an error, and the next one runs") {
  std::vector<int> data(3, 7);
  const std::string beyond = message_of<KernelError>("wrong", {.global_size = {1}}, data, 1 << 20);
  CHECK(contains(beyond, "kernels.cu:"));
  CHECK(contains(beyond, "writes "));
  CHECK(contains(message_of<KernelError>("wrong", {.global_size = {1}}, data, -1),
                 "Assertion `at >= 0` failed"));
  CHECK(contains(message_of<KernelError>("wrong", {.global_size = {1}}, data, 3), "'out'"));
  CHECK(data == std::vector<int>(3, 7));
  run("wrong", {.global_size = {1}}, data, 1);
  CHECK(data == std::vector<int>{7, 1, 7});
}

TEST_CASE_METHOD(Setup, "a block that waits for an earlier one is told of in CUDA's words") {
  std::vector<int> done(2);
  const std::string message =
      message_of<KernelError>("chain", {.global_size = {2}, .local_size = {1}}, done);
  CHECK(contains(message, "with blocks in descending order the kernel does not end within"));
  CHECK(contains(message, "waits for a block that has not run"));
}

TEST_CASE("each kernel has a file name of its own") {
  CHECK(runtime::as_file_name("clip_2") == "clip_2");
  CHECK(runtime::as_file_name("f<int*>") == "f%3Cint%2A%3E");
  std::set<std::string> names;
  for (const char* kernel : {"f<int*>", "f<int&>", "f<int>", "f_int_", "f<int, 1>", "f<int,1>"})
    names.insert(runtime::as_file_name(kernel));
  CHECK(names.size() == 6);
}

TEST_CASE_METHOD(Setup, "coverage of CUDA kernels adds up over calls") {
  ::setenv("GPUTEST_COVERAGE_DIR", (folder.path() / "coverage").c_str(), 1);
  const auto branches = [&] {
    const auto file = folder.path() / "coverage" / "kernels.scale%3Cfloat%3E.coverage.json";
    return model::tally(model::read_coverage(file)).branch;
  };
  run("scale<float>", {.global_size = {2}}, cl_int{3}, 1.5f, std::as_const(in), out);
  CHECK((branches().covered == 1 && branches().total == 2));
  CHECK(out == std::vector<float>{3, 6, -1, -1});
  run("scale<float>", {.global_size = {4}}, cl_int{3}, 1.5f, std::as_const(in), out);
  CHECK(branches().covered == 2);
}
