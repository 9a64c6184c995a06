// Machine code of one kernel for one way to run it.
#pragma once

#include "ir/frontend.h"
#include "ir/kernel.h"
#include "simulator/checks/checks.h"

#include <string>

namespace gputest::simulator {

// Everything that the code depends on besides the source.
struct CodeVariant {
  std::string kernel;
  bool ordered = false; // work-items in an order given at run time, not ascending
  Checks checks{};
  bool interleaved = false; // work-items stop at visits (visits.h), without checks

  std::string name() const; // of no two variants the same
};

struct Code {
  KernelShape shape;
  std::string object; // ELF; defines gputest_group, or interleaved gputest_step (loader.h)
};

// Consumes `module`, the compiled source with its built-ins. Throws what lower() throws.
Code make_code(llvm::Module& module, const CodeVariant& variant);

} // namespace gputest::simulator
