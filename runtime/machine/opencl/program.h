// Building OpenCL C.
#pragma once

#include "runtime/machine/build_settings.h"
#include "runtime/machine/opencl/device.h"

#include <string>

namespace gputest::runtime {

struct BuiltProgram {
  cl::Program program;
  std::string log; // warnings; may be empty
};

// Builds `text` under `settings`; `name` is what messages call the program. Not every compiler
// knows quotes in its options: definitions with unusual characters become #define lines before the
// text, and folders whose names hold spaces are reached through links. Throws BuildError with the
// whole log.
BuiltProgram build_program(const Context& context, const std::string& text,
                           const BuildSettings& settings, const std::string& name);

// Throws UsageError with the names of the kernels that the program has.
cl::Kernel make_kernel(const BuiltProgram& program, const std::string& kernel,
                       const std::string& source);

} // namespace gputest::runtime
