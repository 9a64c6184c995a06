// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The programs that mutants run in, and where their texts come from.
#pragma once

#include "model/mutation/mutants.h"
#include "runtime/analyses/mutation/plan.h"
#include "runtime/machine/machine.h"
#include "runtime/plan/case_runner.h"
#include "runtime/plan/plan.h"

#include <filesystem>
#include <span>
#include <string>

namespace gputest::runtime {

// Returns the plan of --mutation. `plan` must be that of this analysis.
const MutationPlan& mutation_plan(const Plan& plan);

// The program that a mutant runs in.
enum class Route {
  // mutants.cl or a piece of it, which chooses the mutant by its number. Mutants of the launch:
  // original.cl.
  Combined,
  Own,  // a text beside mutants.cl
  Alone // a text that the gputest command makes for it
};

// Returns the folder with mutants.cl and mutants.json for this machine. That is the one that the
// build made, or a new one if the machine's macros differ from those of `built`. Call it in a
// worker.
std::filesystem::path mutants_folder(const Plan& plan, const model::MutantTable& built,
                                     Machine& machine);

// Reads mutants.json of `folder`. Throws UsageError where there is none.
model::MutantTable read_mutants(const std::filesystem::path& folder);

// Returns mutants.cl of `folder`, without any mutant.
Subject mutants_subject(const Plan& plan, const std::filesystem::path& folder);

// Returns a switched mutant as a program of its own. Starts the gputest command; throws as
// instrument() does. So do the functions below.
std::string alone_text(const Plan& plan, const model::MutantTable& table, const std::string& id);

// Returns mutants.cl with the switched mutants of these sites alone.
std::string sites_text(const Plan& plan, const model::MutantTable& table,
                       std::span<const model::SiteRange> sites);

// Returns the text of mutants.json for the mutants whose ids are in the file `ids`, one in a line.
// These are compared with each other and with the original.
std::string compared_text(const Plan& plan, const model::MutantTable& table,
                          const std::filesystem::path& ids);

// Returns proofs that some of these mutants are equivalent, as JSON by id (`gputest prove`).
std::string proofs_text(const Plan& plan, const model::MutantTable& table,
                        const std::filesystem::path& ids);

// Builds variants for one machine.
//
// For small test cases, compilers take most of the time: half of PoCL's goes into optimising code
// that then runs for a millisecond. So such cases get programs without optimisation
// (Machine::quick_build_option()).
class VariantBuilder {
public:
  // `quick`: builds without optimisation, if the machine has an option for that.
  VariantBuilder(Machine& machine, const Plan& plan, bool quick);

  bool is_quick() const { return !option_.empty(); }

  // Builds a text of mutants.cl, alone_text() or sites_text(), which is preprocessed. `name` is
  // what messages call it. Throws BuildError.
  std::unique_ptr<BuiltKernel> build(const std::string& text, const std::string& name) const;

  // Returns a hash of all that the outcomes of a program depend on, except the mutant and the case.
  std::string key(const std::string& text) const;

private:
  Machine& machine_;
  const Plan& plan_;
  MachineIdentity identity_;
  std::string option_; // empty: optimised
};

} // namespace gputest::runtime
