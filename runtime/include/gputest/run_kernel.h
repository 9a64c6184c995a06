// Runs a kernel from a Catch2 or GoogleTest test in one call.
//
//     std::vector<float> a = …, b = …, c(n);
//     gputest::run_kernel("vector_add.cl", "vector_add", {.global_size = {n}, .local_size = {64}},
//                         std::as_const(a), std::as_const(b), c, cl_int(n));
//     REQUIRE(c == expected);
//
// | pass                                       | for                                            |
// |--------------------------------------------|------------------------------------------------|
// | span, vector or array of const elements    | __global or __constant pointer, read           |
// | the same of elements that are not const    | __global pointer, copied back after the launch |
// | gputest::out<float>(n)                     | __global pointer, in Result::output            |
// | gputest::local<float>(64)                  | __local pointer                                |
// | a number, cl_float4, a struct              | the same by value                              |
// | gputest::image2d(pixels, w, h), image3d, … | image                                          |
// | gputest::Sampler{…}                        | sampler                                        |
//
// Host numbers must have the kernel's own type (cl_int for int). A float for an int is an error,
// not a conversion. A vector's components may be given as scalars, and a half as cl_half.
//
// Kernels of .cu files run in the simulator. A kernel is named as in C++, "saxpy<float>".
//
// If the environment variable GPUTEST_COVERAGE_DIR is set, the same call runs an instrumented build
// of the kernel. It adds what the kernel reached to <GPUTEST_COVERAGE_DIR>/<file's
// stem>.<kernel>.coverage.json.
#pragma once

#include "gputest/error.h"
#include "gputest/kernel_argument.h"

#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gputest {

struct RunOptions {
  std::vector<std::size_t> global_size{};   // 1 to 3 numbers
  std::vector<std::size_t> local_size{};    // as many; empty: the device chooses
  std::vector<std::size_t> global_offset{}; // as many; empty: 0

  std::vector<std::string> definitions{};            // "NAME" or "NAME=VALUE"
  std::vector<std::filesystem::path> include_dirs{}; // the source's own folder is searched first
  std::vector<std::string> build_options{};
  std::string cl_std{};          // "CL1.2"; empty: the compiler's default
  std::size_t shared_memory = 0; // of CUDA: bytes of dynamic __shared__ memory of a block
  std::string device{}; // part of a name, cpu, gpu, accelerator or an index; empty: GPUTEST_DEVICE,
                        // else the first

  // Forks a child of this process for the call. A kernel that crashes or hangs is then a
  // KernelCrash and does not end the program. A program that sets this must set it in each call and
  // must not use OpenCL otherwise, because what an OpenCL implementation has set up does not
  // survive a fork.
  bool own_process = false;
  double timeout = 60; // seconds, with own_process

  std::filesystem::path driver{}; // the gputest command, for coverage; also GPUTEST_DRIVER
  // gputest-simulator, for CUDA files; also GPUTEST_SIMULATOR, else the one beside the command
  std::filesystem::path simulator{};
};

class Result {
public:
  struct Output {
    std::size_t position;
    std::string name; // empty where the device does not tell names
    std::vector<std::byte> bytes;
  };

  Result(double launch_seconds, std::string device_name, std::vector<Output> outputs)
      : seconds(launch_seconds), device(std::move(device_name)), outputs_(std::move(outputs)) {}

  // The content of the gputest::out argument at `position` (from 0), or called `name`. Throws
  // UsageError if there is none.
  template <class T> std::vector<T> output(std::size_t position) const {
    for (const Output& output : outputs_)
      if (output.position == position)
        return elements<T>(output);
    throw UsageError("argument " + std::to_string(position) + " is no gputest::out");
  }
  template <class T> std::vector<T> output(std::string_view name) const {
    for (const Output& output : outputs_)
      if (output.name == name)
        return elements<T>(output);
    throw UsageError("'" + std::string(name) + "' is no gputest::out");
  }

  const std::vector<Output>& outputs() const { return outputs_; } // in order of position

  double seconds;     // the time of the launch, on the host's clock
  std::string device; // the device that ran it

private:
  template <class T> static std::vector<T> elements(const Output& output) {
    static_assert(std::is_trivially_copyable_v<T>);
    std::vector<T> result(output.bytes.size() / sizeof(T));
    std::memcpy(result.data(), output.bytes.data(), result.size() * sizeof(T));
    return result;
  }

  std::vector<Output> outputs_;
};

namespace detail {
Result run_kernel(const std::filesystem::path& source, const std::string& kernel,
                  const RunOptions& options, std::vector<KernelArgument> arguments);
}

// Builds `source`, launches `kernel` and waits for it. Throws UsageError (no such kernel, wrong
// number or types of arguments, sizes that cannot be launched, a file that cannot be read),
// BuildError with the whole log, NoDevice, DeviceError, KernelError if the kernel wrote past the
// end of a buffer, and with RunOptions::own_process KernelCrash.
template <class... Arguments>
Result run_kernel(const std::filesystem::path& source, const std::string& kernel,
                  const RunOptions& options, Arguments&&... arguments) {
  return detail::run_kernel(source, kernel, options, {detail::kernel_argument(arguments)...});
}

} // namespace gputest
