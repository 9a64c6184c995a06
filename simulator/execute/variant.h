// Machine code of one kernel for one way to run it.
#pragma once

#include "ir/frontend.h"
#include "ir/kernel.h"
#include "simulator/checks/checks.h"
#include "simulator/execute/optimise.h"

#include <optional>
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
  // How many seconds Effort::Full would take, about, where the code was made with Effort::Quick.
  std::optional<double> full_seconds;
};

// Consumes `module`, the compiled source with its built-ins. `effort` is Full whatever is asked for
// where results depend on it, and of interleaved code, which is run very often. Throws what lower()
// throws.
Code make_code(llvm::Module& module, const CodeVariant& variant, Effort effort);

} // namespace gputest::simulator
