// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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

namespace gputest::passes {

// SHA-256 of the canonical text of optimised code. nullopt if there is none, which equals no other.
using CodeDigest = std::optional<std::array<std::uint8_t, 32>>;

// The limit of comparing mutants. `instructions` are counted when code is copied, and kOptimising
// times when it is optimised, so that the same mutants are compared on a busy machine. `until` is
// for people who cannot wait.
struct WorkLimit {
  double instructions = 1e300;
  std::chrono::steady_clock::time_point until = std::chrono::steady_clock::time_point::max();

  static constexpr double kOptimising = 20;
  // About what an idle machine does in a second.
  static constexpr double kOfSecond = 2e6;
  static WorkLimit of_seconds(double seconds) { return {.instructions = seconds * kOfSecond}; }

  bool over() const { return instructions <= 0 || std::chrono::steady_clock::now() > until; }
  void copied(const llvm::Module& module) { instructions -= module.getInstructionCount(); }
  void optimised(const llvm::Module& module) {
    instructions -= kOptimising * module.getInstructionCount();
  }
};

// Optimises kernels once for each value of gputest_active. Digests of one Optimiser can be compared
// with each other.
class Optimiser {
public:
  Optimiser();
  ~Optimiser();

  // The digests of `kernel` in `module` (compiled_text.h) with each of `numbers` active, in
  // ascending order. `module` does not change. Counts the work. Numbers that are left when the
  // limit is reached are left out.
  std::map<unsigned, CodeDigest> optimise(const llvm::Module& module, const std::string& kernel,
                                          const std::vector<unsigned>& numbers, WorkLimit& limit);

private:
  class Passes;
  std::unique_ptr<Passes> passes_;
  CanonicalCode code_;
};

} // namespace gputest::passes
