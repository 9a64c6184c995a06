// The constants of a kernel's source: values that its conditions are likely to be about.
#pragma once

#include "ir/frontend.h"

#include <cstdint>
#include <vector>

namespace gputest::testgen {

struct Dictionary {
  std::vector<std::int64_t> integers; // ascending, each once; 64-bit unsigned ones wrap
  std::vector<double> reals;          // ascending, each once
  unsigned dimensions = 1;            // that the source asks work-item functions about, 1 to 3
  bool launch_sizes = false;          // the source asks for sizes of the launch
};

// The constants of all functions of the source, because macros and helpers hold them. Throws what
// compile_for() throws.
Dictionary dictionary_of(const simulator::Source& source, const std::string& kernel);

} // namespace gputest::testgen
