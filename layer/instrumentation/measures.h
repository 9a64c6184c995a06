// What the layer can be told to do with a program: a row for each.
#pragma once

#include <memory>
#include <string_view>

namespace gputest::layer {

class Instrumentation;
struct Settings;

struct Measure {
  std::string_view name; // in settings.json
  // What the program's kernels become.
  std::unique_ptr<Instrumentation> (*instrument)(const Settings& settings);
  bool hashes_reads = false;   // pieces read back are hashed, whatever the settings say
  bool one_source = false;     // but for traces, only programs of the source named are replaced
  bool captures = false;       // launches are recorded as test cases
  bool checks = false;         // launches in the simulator are looked at in more than one order
  bool leaves_kernels = false; // the program's own kernels run
};

// nullptr: there is none of that name.
const Measure* measure_named(std::string_view name);

} // namespace gputest::layer
