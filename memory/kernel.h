// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel of a file and its test cases, prepared for the tracer.
#pragma once

#include "frontend/source_options.h"
#include "memory/trace/tracer.h"
#include "model/interface.h"
#include "runtime/cases/bound_case.h"

#include <filesystem>
#include <string>
#include <vector>

namespace gputest::memory {

struct Kernel {
  std::string file; // below the source root
  model::KernelInterface interface;
  ir::Source source;
  bool remainder = false; // the last group of a dimension may be smaller
  bool shared = false;    // CUDA: dynamic __shared__ memory is an additional last argument

  const std::string& name() const { return interface.name; }
  model::Language language() const {
    return source.by_itself ? model::Language::Cuda : model::Language::OpenCL;
  }
};

// Throws UsageError, with the words of `--gpu`, for a language whose warps have another size than
// those of the GPU.
void check_warps(const Gpu& gpu, model::Language language);

// Returns the kernel of that name; an empty name: the file's only kernel. Throws UsageError with
// compiler-style messages, and SourceError for a CUDA kernel that cannot run by itself.
Kernel kernel_of(const frontend::SourceOptions& options, const std::string& name);

// Completes a CUDA kernel whose source has its device code. Throws SourceError if it cannot run by
// itself.
void use_compiled(Kernel& kernel);

struct NamedLaunch {
  std::string name; // of the test case
  TracedLaunch launch;
};

// Values for cases that do not give them.
struct LaunchDefaults {
  std::vector<std::size_t> global_size{}, local_size{}, global_offset{};
  std::vector<std::string> arguments{}; // "n=64", for parse_argument_spec()
  std::size_t shared_memory = 0;        // CUDA: bytes of dynamic __shared__ memory
  std::size_t lock_step = 0;            // of so many work-items, as the kernel is compiled for
};

// Returns all cases of the files. The default local size is the largest that is at most 64 and
// divides the first dimension. Throws UsageError with file, case and argument.
std::vector<NamedLaunch> launches_of(const Kernel& kernel,
                                     const std::vector<std::filesystem::path>& files,
                                     const LaunchDefaults& defaults);

} // namespace gputest::memory
