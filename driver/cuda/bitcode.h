// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The files with the bitcode of a source whose mutants are compared later. They are beside its
// table, one for each architecture.
#pragma once

#include <string>

namespace gputest::driver {

inline std::string bitcode_file(unsigned index) {
  return "mutants-" + std::to_string(index) + ".bc";
}

} // namespace gputest::driver
