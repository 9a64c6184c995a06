// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds mutants.cl as one program. If the device's compiler rejects that, bisection finds the
// pieces that it accepts.
#pragma once

#include "runtime/analyses/mutation/programs.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace gputest::runtime {

using model::SiteRange;

struct CombinedPiece {
  std::optional<SiteRange> sites; // nullopt: original.cl, which has guards and no mutants
  std::string key;                // VariantBuilder::key()
  std::unique_ptr<BuiltKernel> kernel;
};

struct CombinedPrograms {
  // In order of sites. Empty: the compiler rejects even the guards.
  std::vector<CombinedPiece> pieces;
  std::string rejected; // the compiler's log for mutants.cl; empty: it accepts mutants.cl
  bool bisected() const { return !rejected.empty(); }
};

// A part on which the compiler died or did not finish.
struct LostBuild {
  std::optional<SiteRange> sites; // nullopt: original.cl
  unsigned times = 0;
  std::string message; // of the latest
};

// A part is tried this often. Something else than the compiler may have ended the process.
constexpr unsigned kBuildTries = 2;

struct BuildHistory {
  // The pieces that the compiler accepts; nullopt: unknown.
  std::optional<std::vector<SiteRange>> pieces{};
  std::vector<LostBuild> lost{};
  bool optimised = false; // programs without optimisation did not work
};

// Builds mutants.cl of `folder`. If the compiler rejects it, builds the halves of its sites, and so
// on down to single sites. A site that is in no piece has mutants that the compiler rejects. If all
// sites are rejected, the one piece is original.cl.
//
// `history` tells what earlier workers found. Known pieces are built without a new search, and
// parts that were lost kBuildTries times count as rejected. `on_build` gets each part before it is
// built. `launch` launches what was built, because some devices compile only then; LaunchRefused
// makes the part count as rejected.
//
// Throws what sites_text() throws. Throws BuildError for a known piece, and where `builder` is
// quick and mutants.cl cannot be built.
CombinedPrograms build_combined(const VariantBuilder& builder, const Plan& plan,
                                const model::MutantTable& table,
                                const std::filesystem::path& folder, const BuildHistory& history,
                                const std::function<void(std::optional<SiteRange>)>& on_build,
                                const std::function<void(BuiltKernel&)>& launch);

} // namespace gputest::runtime
