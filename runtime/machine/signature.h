// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arguments that a kernel takes, as far as a machine or the source tells.
#pragma once

#include "model/interface.h"

#include <string>
#include <vector>

namespace gputest::runtime {

struct DeclaredArgument {
  std::string name, type; // type: of the element, without '*'; empty: unknown, as for CUDA
  model::AddressSpace address_space = model::AddressSpace::Private;
  bool pointer = false;
  bool constant = false; // pointers: the elements are const
  bool writable = true;  // images: write_only or read_write
  std::size_t size = 0;  // values of an unknown type or one of the program: bytes; 0: unknown
};

struct Signature {
  std::size_t arguments = 0;
  std::vector<DeclaredArgument> declared{}; // empty: the machine does not tell
};

} // namespace gputest::runtime
