// The programs that mutants are run in, and where their texts come from.
#pragma once

#include "model/mutation/mutants.h"
#include "runtime/analyses/mutation/plan.h"
#include "runtime/machine/machine.h"
#include "runtime/plan/plan.h"

#include <filesystem>
#include <string>

namespace gputest::runtime {

// What --mutation is to do. Precondition: the plan is of that analysis.
const MutationPlan& mutation_plan(const Plan& plan);

// The program a mutant is run in.
enum class Route {
  Combined, // mutants.cl or a piece of it, the mutant chosen by its number; launch mutants:
            // original.cl
  Own,      // a text beside mutants.cl
  Alone     // one made for it by the gputest command
};

// The folder with mutants.cl and mutants.json for this machine: the one built, or another, made
// now, if its macros differ from those `built` was made for. In a worker.
std::filesystem::path mutants_folder(const Plan& plan, const model::MutantTable& built,
                                     Machine& machine);

// mutants.json of `folder`. Throws UsageError where there is none.
model::MutantTable read_mutants(const std::filesystem::path& folder);

// A switched mutant as a program of its own. Starts the gputest command; throws as instrument().
std::string alone_text(const Plan& plan, const model::MutantTable& table, const std::string& id);

// mutants.cl with the switched mutants of these sites alone, both ends included.
std::string sites_text(const Plan& plan, const model::MutantTable& table, unsigned first,
                       unsigned last);

// mutants.json of the mutants that the file `ids` names, one in a line, compared with each other
// and the original.
std::string compared_text(const Plan& plan, const model::MutantTable& table,
                          const std::filesystem::path& ids);

// Proofs, by id as JSON, that some of these mutants are equivalent (`gputest prove`).
std::string proofs_text(const Plan& plan, const model::MutantTable& table,
                        const std::filesystem::path& ids);

// Builds variants for one machine.
//
// Compilers take most of the time in which mutants of small test cases run: half of PoCL's goes
// into optimising code that then runs for a millisecond. So such cases get programs that are not
// optimised (Machine::quick_build_option).
class VariantBuilder {
public:
  // `quick`: without optimisation, if the machine has an option for that.
  VariantBuilder(Machine& machine, const Plan& plan, bool quick);

  bool is_quick() const { return !option_.empty(); }

  // Builds what one of the functions above but the last two returns, which is preprocessed. Throws
  // BuildError.
  std::unique_ptr<BuiltKernel> build(const std::string& text, const std::string& name) const;

  // Everything that the outcomes of a program depend on, but the mutant and the case.
  std::string key(const std::string& text) const;

private:
  Machine& machine_;
  const Plan& plan_;
  MachineIdentity identity_;
  std::string option_; // empty: optimised
};

} // namespace gputest::runtime
