// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A copy of a source with instrumented device code. Its tables are in the same folder.
#pragma once

#include "cuda/compiler/command.h"
#include "cuda/compiler/toolkit.h"

#include <filesystem>
#include <string>
#include <vector>

namespace gputest::cuda::compiler {

std::filesystem::path instrumenter(const Toolkit& toolkit); // the program that makes the copies

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
