// mutants.cl as programs that the device's compiler takes: one, or where it rejects that, pieces
// found by bisection.
#pragma once

#include "runtime/mutation_programs.h"

#include <optional>
#include <string>
#include <vector>

namespace gputest::runtime {

using model::SiteRange;

struct CombinedPiece {
  std::optional<SiteRange> sites; // nullopt: no mutants, the guards alone
  std::string key;                // program_key()
  std::unique_ptr<BuiltKernel> kernel;
};

struct CombinedPrograms {
  std::vector<CombinedPiece>
      pieces;           // in order of sites; none: the compiler takes not even the guards
  std::string rejected; // what the compiler says to mutants.cl; empty: it takes it
  bool bisected() const { return !rejected.empty(); }
};

// Builds mutants.cl of `folder`. Where the compiler rejects it, the halves of its sites are built,
// and so on down to single sites: what is in no piece then is a site whose mutants it rejects.
// Where it rejects all of them, the one piece is original.cl. `known`: pieces found before, which
// are built without looking again. Throws as sites_text(), and BuildError for a known piece.
CombinedPrograms build_combined(Machine& machine, const Plan& plan, const model::MutantTable& table,
                                const std::filesystem::path& folder,
                                const std::optional<std::vector<SiteRange>>& known);

} // namespace gputest::runtime
