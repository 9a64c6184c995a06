// What a kernel takes, as far as a machine tells or the source says.
#pragma once

#include "model/interface.h"

#include <string>
#include <vector>

namespace gputest::runtime {

struct DeclaredArgument {
  std::string name, type; // type: of the element, without '*'; empty: not told, as in CUDA
  model::AddressSpace address_space = model::AddressSpace::Private;
  bool pointer = false;
  bool constant = false; // of a pointer: its elements are const
  bool writable = true;  // images: write_only or read_write
  std::size_t size = 0;  // of a value whose type is not told, in bytes
};

struct Signature {
  std::size_t arguments = 0;
  std::vector<DeclaredArgument> declared{}; // empty: the machine does not tell
};

} // namespace gputest::runtime
