// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel that `gputest memory` looks at, and its launches: test cases, or launches that a
// program made.
#pragma once

#include "frontend/source_options.h"
#include "memory/kernel.h"

#include <cxxopts.hpp>
#include <filesystem>
#include <vector>

namespace gputest::driver {

struct MemorySubject {
  memory::Kernel kernel;
  std::vector<std::filesystem::path> files{}; // of cases
  memory::LaunchDefaults defaults{};
  std::vector<memory::NamedLaunch> launches{}; // at least one
};

// Returns the options for a kernel of a file. With --launch, they have no file.
frontend::SourceOptions memory_source(const cxxopts::ParseResult& arguments);

// Throws CommandError and UsageError for what does not go together, and for a GPU whose warps have
// another size than the kernel's.
MemorySubject memory_subject(const cxxopts::ParseResult& arguments,
                             const frontend::SourceOptions& source, const memory::Gpu& gpu);

} // namespace gputest::driver
