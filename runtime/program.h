// Building OpenCL C.
#pragma once

#include "runtime/device.h"

#include <filesystem>
#include <string>
#include <vector>

namespace gputest::runtime {

struct BuildSettings {
  std::vector<std::string> build_options{}; // passed on as they are
  std::vector<std::string> definitions{};   // "NAME" or "NAME=VALUE"
  std::vector<std::filesystem::path> include_dirs{};
  std::string cl_std{}; // "CL1.2"; empty: the compiler's default
};

// For a text that is preprocessed, made under `settings`.
BuildSettings preprocessed(BuildSettings settings);

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

// The text of a variant that the build wrote. Throws UsageError.
std::string read_variant(const std::filesystem::path& file);

// The text of a source file under a #line that lets the device's compiler name the file. Throws
// UsageError.
std::string read_source(const std::filesystem::path& file);

// Throws UsageError with the names of the kernels that the program has.
cl::Kernel make_kernel(const BuiltProgram& program, const std::string& kernel,
                       const std::string& source);

} // namespace gputest::runtime
