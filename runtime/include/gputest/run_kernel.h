// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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
// run_function does the same with a function that is no kernel, element by element. The source may
// also be a text: source_text("kernel void …"). Kernels of .cu files run in the simulator, or with
// device "gpu" on a CUDA GPU. They are named as in C++: "saxpy<float>".
//
// If the environment variable GPUTEST_COVERAGE_DIR is set, the same call runs an instrumented build
// of the kernel, and adds what the kernel reached to <GPUTEST_COVERAGE_DIR>/<file's
// stem>.<kernel>.coverage.json.
#pragma once

#include "gputest/error.h"
#include "gputest/kernel_argument.h"

#include <concepts>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gputest {

// The source of a kernel: a file, or a text.
struct Source {
  template <std::convertible_to<std::filesystem::path> Path>
  Source(const Path& name) : file(name) {}
  Source(std::filesystem::path name, std::optional<std::string> content)
      : file(std::move(name)), text(std::move(content)) {}

  std::filesystem::path file;        // its name in messages and results
  std::optional<std::string> text{}; // replaces the file's content
};

// Returns a source that is a text. `name` is its name in messages and results; empty:
// "text-<fingerprint>.cl".
inline Source source_text(std::string text, std::filesystem::path name = {}) {
  return {std::move(name), std::move(text)};
}

struct RunOptions {
  std::vector<std::size_t> global_size{};   // 1 to 3 numbers
  std::vector<std::size_t> local_size{};    // as many; empty: the device chooses
  std::vector<std::size_t> global_offset{}; // as many; empty: 0
  // So many neighbouring work-items run in lock step, which the kernel relies on: 2, 4, 8, 16, 32
  // or 64; 0: none. A device that does not promise it is a NoDevice.
  unsigned lock_step = 0;

  std::vector<std::string> definitions{};            // "NAME" or "NAME=VALUE"
  std::vector<std::filesystem::path> include_dirs{}; // the source's own folder is searched first
  std::vector<std::string> build_options{};
  std::string cl_std{};          // "CL1.2", for CUDA "c++20"; empty: the compiler's default
  std::size_t shared_memory = 0; // CUDA: bytes of dynamic __shared__ memory in a block
  // The device. For OpenCL C: a part of its name, "cpu", "gpu", "accelerator" or an index, or
  // "simulator" for GpuTestCheck's own. Empty: GPUTEST_DEVICE, else the first device. For CUDA
  // files: "simulator", "gpu", "cuda:<number>" or a part of a GPU's name. Empty: GPUTEST_DEVICE
  // where it names one of the first three, else the simulator.
  std::string device{};
  // The simulator's checks: "races", "barriers", … A finding is a CheckError. Empty: the checks
  // that --check makes. {"none"}: no checks.
  std::vector<std::string> checks{};

  // Runs the call in a child of this process. A kernel that crashes or hangs then throws
  // KernelCrash and does not end the program. A program that sets this must set it in each call,
  // and must not use OpenCL otherwise: what an OpenCL implementation has set up does not survive a
  // fork.
  bool own_process = false;
  double timeout = 60; // seconds, with own_process or in the simulator

  // The gputest command, for coverage, run_function and the simulator, which is beside it.
  // GPUTEST_DRIVER overrides it. Empty: the command that this library was built or installed with.
  std::filesystem::path driver{};
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

  // Returns the content of the gputest::out argument at `position` (from 0), or of the one called
  // `name`. Throws UsageError if there is none.
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

  const std::vector<Output>& outputs() const { return outputs_; } // sorted by position

  double seconds;     // duration of the launch, by the host's clock
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
enum class Entry { Kernel, Function };
Result run(const Source& source, Entry entry, const std::string& name, const RunOptions& options,
           std::vector<KernelArgument> arguments);
} // namespace detail

// Builds `source`, launches `kernel` and waits for it. Throws
// - UsageError: no such kernel, wrong number or types of arguments, const elements that the kernel
//   writes, sizes that cannot be launched, a file that cannot be read;
// - BuildError, with the whole log;
// - NoDevice and DeviceError;
// - KernelError: the kernel wrote past the end of a buffer, or ended in a fault on a CUDA GPU,
//   which this process then can no longer use;
// - CheckError: the simulator's checks found something;
// - KernelCrash, with RunOptions::own_process: the kernel crashed or took too long.
template <class... Arguments>
Result run_kernel(const Source& source, const std::string& kernel, const RunOptions& options,
                  Arguments&&... arguments) {
  return detail::run(source, detail::Entry::Kernel, kernel, options,
                     {detail::kernel_argument(arguments)...});
}

// Calls a function that is no kernel, element by element: work-item i passes element i of each
// buffer. Results go to one more argument, the last one, called "result". Throws as run_kernel()
// does.
template <class... Arguments>
Result run_function(const Source& source, const std::string& function, const RunOptions& options,
                    Arguments&&... arguments) {
  return detail::run(source, detail::Entry::Function, function, options,
                     {detail::kernel_argument(arguments)...});
}

} // namespace gputest
