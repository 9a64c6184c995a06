// Whether one input tells mutants from the original: launches of mutants.cl, in this process.
#pragma once

#include "gputest/launch.h"
#include "runtime/variants/mutation_state.h"
#include "testgen/launcher.h"

#include <optional>
#include <vector>

namespace gputest::testgen {

// What the outputs of an input are compared with.
struct Oracle {
  Tolerance tolerance{};
  // By argument: what is right there; no bytes: what the original leaves. nullopt: nobody looks at
  // it. Empty: all outputs are compared with the original's.
  std::vector<std::optional<runtime::Bytes>> right{};
};

enum class Fate : std::uint8_t {
  NotReached,
  Survived,
  Differed, // its expression had another value, or may have had, and no output did
  Killed,
  Endless
};

class Trial {
public:
  // `ready`: mutants.cl without checks of the simulator, for it has its own guards. `differences`:
  // differences.cl of the same mutants; null: there is none, and nobody knows of weak kills.
  Trial(const Target& target, const model::MutantTable& table,
        const simulator::Program::Ready& ready, const simulator::Program::Ready* differences);

  // Launches the original, which says what the input reaches, how often loops turn and what is
  // right. False: it faults. As with Launcher, a fault means: end the process.
  bool begin(const Input& input, const Oracle& oracle, double limit);

  // Launches the mutant, if the input reaches it and its expression may have another value.
  // `fault`: the process is to end.
  Fate run(const model::Mutant& mutant, double limit, bool& fault);

private:
  bool look_for_differences(double limit);
  bool differs() const;
  Fate judge(const Ended& ended, bool& fault) const;

  const Target& target_;
  const model::MutantTable& table_;
  const passes::mutation::Differences& differences_;
  Launcher launcher_;
  std::optional<Launcher> comparing_;
  std::vector<std::uint32_t> different_; // bits of `differences_`
  Input input_;
  Oracle oracle_;
  runtime::Bytes state_;
  std::vector<runtime::Bytes> original_; // by argument; empty: not compared
  std::vector<std::uint32_t> reached_;
  std::uint32_t iterations_ = 0;
  bool harmful_ = false; // the original alone makes guards report
};

} // namespace gputest::testgen
