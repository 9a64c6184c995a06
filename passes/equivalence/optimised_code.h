// Optimises the code of the mutants in a text.
#pragma once

#include "passes/equivalence/canonical_code.h"

#include <llvm/IR/Module.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace gputest::passes::mutation {

// SHA-256 of the canonical text of optimised code. nullopt if there is none, which equals no other.
using CodeDigest = std::optional<std::array<std::uint8_t, 32>>;

using Deadline = std::chrono::steady_clock::time_point;

// Optimises kernels once for each value of gputest_active. Digests of one Optimiser can be compared
// with each other.
class Optimiser {
public:
  Optimiser();
  ~Optimiser();

  // The digests of `kernel` in `module` (compiled_text.h) with each of `numbers` active, in
  // ascending order. `module` does not change. Numbers that are not begun by `until` are left out.
  std::map<unsigned, CodeDigest> optimise(const llvm::Module& module, const std::string& kernel,
                                          const std::vector<unsigned>& numbers,
                                          Deadline until = Deadline::max());

private:
  class Passes;
  std::unique_ptr<Passes> passes_;
  CanonicalCode code_;
};

} // namespace gputest::passes::mutation
