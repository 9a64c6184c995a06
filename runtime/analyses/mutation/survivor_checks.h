// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs survivors in the simulator, with its checks. Some faults show in no output of a device, or
// only by luck.
#pragma once

#include "gputest/error.h"
#include "model/mutation/mutants.h"
#include "runtime/analyses/mutation/mutant_runner.h"
#include "runtime/analyses/mutation/programs.h"
#include "runtime/plan/plan.h"
#include "runtime/variants/mutation_state.h"

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gputest::runtime {

// Returns the check that decides about the mutant: "races" for faults of synchronisation,
// "uninitialized" where an assignment to a private variable, or a write to on-chip memory, is left
// out or weakened. Empty: no check does.
std::string survivor_check(const model::Mutant& mutant);

// The simulator cannot run the original, so it has nothing to say of any mutant.
class OriginalNotSimulated : public DeviceError {
public:
  using DeviceError::DeviceError;
};

// The facts about the original's run that a survivor's run needs.
struct SurvivorCase {
  std::size_t index = 0; // in plan.cases
  std::uint32_t iterations = 0;
  std::vector<std::uint32_t> harm; // bits of guards and votes
};

class SurvivorChecks {
public:
  // Starts nothing yet. `folder` holds mutants.cl. All arguments must outlive this object.
  SurvivorChecks(const Plan& plan, const model::MutantTable& table,
                 const std::filesystem::path& folder);
  ~SurvivorChecks();

  // Returns a hash of all that the answer depends on, except the mutant and the case. `program`:
  // the key of the program that the mutant survived in.
  std::string key(const std::string& program, const model::Mutant& mutant);

  // Says which mutants come, in this order. Switched ones share programs; those that are not named
  // here get one each.
  void expect(const std::vector<const model::Mutant*>& mutants);

  // Returns the ids of those whose common program share() builds for this mutant. There are none if
  // it is built, or the mutant needs none.
  std::vector<std::string> together(const model::Mutant& mutant);

  // Builds the common program of switched mutants that are neighbours in expect(), if the simulator
  // can. It has the original too; each is chosen by number. A program with all mutants would take
  // the simulator's compiler some hundred times as long, and few mutants survive. The program of
  // earlier neighbours is freed.
  void share(const model::Mutant& mutant);

  // Builds what run() needs and share() has not built. Throws OriginalNotSimulated, and DeviceError
  // where the simulator cannot build the mutant.
  void build(const model::Mutant& mutant);

  // Runs the mutant and the original. Returns what the check finds in the mutant alone; nullopt:
  // nothing. Throws OriginalNotSimulated, and DeviceError where the simulator cannot run the
  // mutant.
  std::optional<MutantNotice> run(const model::Mutant& mutant, const SurvivorCase& test_case);

  // Returns the seconds that build() and run() may take together.
  double limit() const;

private:
  struct Checked;
  Machine& machine();
  Checked& checked(const std::string& check);
  void build_original(Checked& of);
  void run_original(Checked& of, const SurvivorCase& test_case, const std::string& kind);
  double run_kernel(MutantRunner& runner, BuiltKernel& kernel, unsigned active,
                    const SurvivorCase& test_case, double limit);

  const Plan& plan_;
  const model::MutantTable& table_;
  const std::filesystem::path& folder_;
  std::unique_ptr<Machine> machine_;                        // the simulator
  std::string version_;                                     // the simulator's
  std::map<std::string, std::unique_ptr<Checked>> checked_; // by check
  std::string built_;                                       // the mutant of the latest build
  std::shared_ptr<BuiltKernel> program_;                    // that holds it
  unsigned active_ = 0;                                     // its number in that program
};

} // namespace gputest::runtime
