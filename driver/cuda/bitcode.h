// The code of a source whose mutants are to be compared later, beside its table: a file for each
// architecture.
#pragma once

#include <string>

namespace gputest::driver {

inline std::string bitcode_file(unsigned index) {
  return "mutants-" + std::to_string(index) + ".bc";
}

} // namespace gputest::driver
