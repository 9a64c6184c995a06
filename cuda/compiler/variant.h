// A copy of a source whose device code is instrumented, beside which its tables are.
#pragma once

#include "cuda/compiler/command.h"
#include "cuda/compiler/toolkit.h"

#include <filesystem>
#include <string>
#include <vector>

namespace gputest::cuda::compiler {

std::filesystem::path instrumenter(const Toolkit& toolkit); // the program that makes copies

struct InstrumentedSource {
  // Throws std::runtime_error for a name that is none, and where there is no folder.
  InstrumentedSource(const Command& command, std::string name, std::string source);

  std::filesystem::path text() const; // the copy, for the device
  // Whether the host compiles a copy, too.
  bool has_host_text() const { return name == "mutants"; }
  std::filesystem::path host_text() const;
  // The command that makes it. `reading`: Clang's, without the source.
  std::vector<std::string> making(const Toolkit& toolkit,
                                  const std::vector<std::string>& reading) const;

  std::string name, source, unit, source_root;
  bool relocatable = false;
  std::filesystem::path folder; // <that of all>/<unit>
};

} // namespace gputest::cuda::compiler
