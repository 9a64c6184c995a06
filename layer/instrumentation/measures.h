// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of what the layer can do with a program.
#pragma once

#include <memory>
#include <string_view>

namespace gputest::layer {

class Instrumentation;
struct Settings;

struct Measure {
  std::string_view name; // in settings.json
  // Returns what the program's kernels become.
  std::unique_ptr<Instrumentation> (*instrument)(const Settings& settings);
  // The same of modules in SPIR-V, which run in the simulator. Where there is none, a measure needs
  // the source.
  std::unique_ptr<Instrumentation> (*instrument_module)(const Settings& settings) = nullptr;
  bool hashes_reads = false;   // pieces read back are hashed, whatever the settings say
  bool one_source = false;     // except for traces, only programs of the named source are replaced
  bool captures = false;       // launches are recorded as test cases
  bool checks = false;         // launches in the simulator are checked in more than one order
  bool leaves_kernels = false; // the program's own kernels run
};

// Returns nullptr where there is none of that name.
const Measure* measure_named(std::string_view name);

} // namespace gputest::layer
