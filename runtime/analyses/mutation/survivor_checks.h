// Survivors in the simulator, with its checks: some faults show in no output of a device, or in
// one by luck alone.
#pragma once

#include "model/mutation/mutants.h"
#include "runtime/analyses/mutation/programs.h"
#include "runtime/plan/plan.h"
#include "runtime/variants/mutation_state.h"

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace gputest::runtime {

// The check that decides about the mutant: "races" for faults of synchronisation, "uninitialized"
// where an assignment is left out or weakened; empty: none does.
std::string survivor_check(const model::Mutant& mutant);

// What a survivor's run needs to know of the original's.
struct SurvivorCase {
  std::size_t index = 0; // of the plan's cases
  std::uint32_t iterations = 0;
  std::vector<std::uint32_t> harm; // of guards and votes
};

class SurvivorChecks {
public:
  // Starts nothing yet. `folder`: of mutants.cl. All must outlive this.
  SurvivorChecks(const Plan& plan, const model::MutantTable& table,
                 const std::filesystem::path& folder);
  ~SurvivorChecks();

  // Everything that the answer depends on, but the mutant and the case. `program`: key of the
  // program that the mutant survived in.
  std::string key(const std::string& program, const model::Mutant& mutant);

  // Builds what run() needs: the original, and the mutant in a program of its own. All mutants in
  // one take the simulator's compiler some hundred times as long, and few survive. Throws
  // DeviceError where the simulator cannot build it.
  void build(const model::Mutant& mutant);

  // What the check finds in a run of the mutant, and not in one of the original; nullopt: nothing.
  // Throws DeviceError where the simulator cannot run the original.
  std::optional<MutantNotice> run(const model::Mutant& mutant, const SurvivorCase& test_case);

  // Seconds that build() and run() may take, all in all.
  double limit() const;

private:
  struct Checked;
  Checked& checked(const std::string& check);

  const Plan& plan_;
  const model::MutantTable& table_;
  const std::filesystem::path& folder_;
  std::string version_;                                     // of the simulator
  std::map<std::string, std::unique_ptr<Checked>> checked_; // by check
  std::string built_;                                       // the mutant of the latest build
  std::unique_ptr<BuiltKernel> own_;                        // and its program
};

} // namespace gputest::runtime
