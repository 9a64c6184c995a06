// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches mutants.cl in this process to see whether one input distinguishes mutants from the
// original.
#pragma once

#include "gputest/launch.h"
#include "runtime/variants/mutation_state.h"
#include "testgen/launcher.h"

#include <optional>
#include <vector>

namespace gputest::testgen {

// The expected outputs of an input.
struct Oracle {
  Tolerance tolerance{};
  // By argument: the expected bytes. No bytes: those that the original leaves. nullopt: the
  // argument is not compared. An empty vector: all outputs are compared with the original's.
  std::vector<std::optional<runtime::Bytes>> right{};
};

enum class Fate : std::uint8_t {
  NotReached,
  Survived,
  Differed, // its expression had, or may have had, another value, but no output did
  Killed,
  Endless
};

class Trial {
public:
  // `ready`: mutants.cl, which has its own guards, without the simulator's checks. `differences`:
  // differences.cl of the same mutants; null: weak kills are not recorded. References must outlive
  // the trial.
  Trial(const Target& target, const model::MutantTable& table,
        const simulator::Program::Ready& ready, const simulator::Program::Ready* differences);

  // Launches the original, to learn which mutants the input reaches, how often loops iterate and
  // what the outputs are. Returns false after a fault; then the process must end.
  bool begin(const Input& input, const Oracle& oracle, LaunchLimit limit);

  // Launches the mutant if the input reaches it and its expression may have another value. Sets
  // `fault` if the process must end.
  Fate run(const model::Mutant& mutant, LaunchLimit limit, bool& fault);

  // Whether any launch has ended by LaunchLimit::seconds.
  bool is_late() const { return launcher_.is_late() || (comparing_ && comparing_->is_late()); }

private:
  bool look_for_differences(LaunchLimit limit);
  bool differs() const;
  Fate judge(const Ended& ended, bool& fault) const;

  const Target& target_;
  const model::MutantTable& table_;
  const passes::mutation::Differences& differences_;
  Launcher launcher_;
  std::optional<Launcher> comparing_;
  std::vector<std::uint32_t> different_; // bits of `differences_` that are set
  Input input_;
  Oracle oracle_;
  runtime::Bytes state_;
  std::vector<runtime::Bytes> original_; // by argument; empty: not compared
  std::vector<std::uint32_t> reached_;
  std::uint32_t iterations_ = 0;
  bool harmful_ = false; // guards report already with the original
};

} // namespace gputest::testgen
