// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of OpenCL's functions in LLVM's code.
#pragma once

#include <llvm/ADT/StringRef.h>

namespace gputest::frontend {

// A function _Z3sind: "sin" and "d". Empty names: no function of C++.
struct MangledName {
  llvm::StringRef name, parameters;
};
inline MangledName parts_of_mangled(llvm::StringRef mangled) {
  unsigned length = 0;
  if (!mangled.consume_front("_Z") || mangled.consumeInteger(10, length) || length > mangled.size())
    return {};
  return {mangled.take_front(length), mangled.drop_front(length)};
}

} // namespace gputest::frontend
