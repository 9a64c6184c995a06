// A copy of a source with instrumented device code. Its tables are in the same folder.
#pragma once

#include "cuda/compiler/command.h"
#include "cuda/compiler/toolkit.h"

#include <filesystem>
#include <string>
#include <vector>

namespace gputest::cuda::compiler {

// Returns the 64-bit FNV-1a hash in hexadecimal, without leading zeros.
std::string hash_of(const std::string& text);

std::filesystem::path instrumenter(const Toolkit& toolkit); // the program that makes the copies

// Returns the file of -MF, or "" if there is none.
std::string dependency_file(const Command& command);
// Adds files to the rule in the compiler's dependency file.
void add_dependencies(const std::filesystem::path& dependency_file,
                      const std::vector<std::string>& more);

struct InstrumentedSource {
  // `name`: "coverage" or "mutants". Throws std::runtime_error for another name, or if the command
  // has no --gputest-folder.
  InstrumentedSource(const Command& command, std::string name, std::string source);

  std::filesystem::path text() const; // the copy, for the device
  // Whether host code is compiled from a copy, too.
  bool has_host_text() const { return name == "mutants"; }
  std::filesystem::path host_text() const;
  // Returns the command that makes the copies. `reading`: Clang's command, without the source.
  std::vector<std::string> making(const Toolkit& toolkit,
                                  const std::vector<std::string>& reading) const;

  std::string name, source, unit, source_root;
  bool relocatable = false;
  std::filesystem::path folder; // <--gputest-folder>/<unit>
};

} // namespace gputest::cuda::compiler
