// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds programs of OpenCL C.
#pragma once

#include "runtime/machine/build_settings.h"
#include "runtime/machine/opencl/device.h"

#include <string>

namespace gputest::runtime {

struct BuiltProgram {
  cl::Program program;
  std::string log; // warnings; may be empty
};

// Builds `text` under `settings`. `name` is what messages call the program. Not every compiler
// understands quotes in options. So definitions with unusual characters become #define lines before
// the text, and folders with spaces in their names are reached through links. Throws BuildError
// with the whole log.
BuiltProgram build_program(const Context& context, const std::string& text,
                           const BuildSettings& settings, const std::string& name);

// Returns the kernel. Throws UsageError with the names of the kernels that the program has.
// `source` is what messages call the program.
cl::Kernel make_kernel(const BuiltProgram& program, const std::string& kernel,
                       const std::string& source);

} // namespace gputest::runtime
