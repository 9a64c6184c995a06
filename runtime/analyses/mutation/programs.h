// The programs that mutants are run in, and where their texts come from.
#pragma once

#include "model/mutants.h"
#include "runtime/harness/plan.h"
#include "runtime/machine/machine.h"

#include <filesystem>
#include <string>

namespace gputest::runtime {

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

// Builds what one of the functions above but the last returns, which is preprocessed. Throws
// BuildError.
std::unique_ptr<BuiltKernel> build_variant(Machine& machine, const Plan& plan,
                                           const std::string& text, const std::string& name);

// Everything that the outcomes of a program depend on, but the mutant and the case.
std::string program_key(const MachineIdentity& machine, const Plan& plan, const std::string& text);

} // namespace gputest::runtime
