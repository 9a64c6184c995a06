// mutants.cl as programs that the device's compiler takes: one, or where it rejects that, pieces
// found by bisection.
#pragma once

#include "runtime/analyses/mutation/programs.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace gputest::runtime {

using model::SiteRange;

struct CombinedPiece {
  std::optional<SiteRange> sites; // nullopt: no mutants, the guards alone
  std::string key;                // VariantBuilder::key()
  std::unique_ptr<BuiltKernel> kernel;
};

struct CombinedPrograms {
  std::vector<CombinedPiece>
      pieces;           // in order of sites; none: the compiler takes not even the guards
  std::string rejected; // what the compiler says to mutants.cl; empty: it takes it
  bool bisected() const { return !rejected.empty(); }
};

// A part that the compiler died of, or did not come to an end with.
struct LostBuild {
  std::optional<SiteRange> sites; // nullopt: original.cl
  unsigned times = 0;
  std::string message; // of the latest
};

// So often a part is tried: whoever ended the process, it may not have been the compiler.
constexpr unsigned kBuildTries = 2;

struct BuildHistory {
  std::optional<std::vector<SiteRange>> pieces{}; // that the compiler takes; nullopt: not known
  std::vector<LostBuild> lost{};
  bool optimised = false; // programs that are not optimised have shown to be no good
};

// Builds mutants.cl of `folder`. Where the compiler rejects it, the halves of its sites are built,
// and so on down to single sites: what is in no piece then is a site whose mutants it rejects.
// Where it rejects all of them, the one piece is original.cl. `history`: pieces found before are
// built without looking again, and parts that were lost kBuildTries times count as rejected.
// `on_build` is told of each part before it is built, and `launch` launches what was built: some
// devices compile then. Where that is refused (LaunchRefused), the part counts as rejected. Throws
// as sites_text(), and BuildError for a known piece, or if a quick builder fails.
CombinedPrograms build_combined(const VariantBuilder& builder, const Plan& plan,
                                const model::MutantTable& table,
                                const std::filesystem::path& folder, const BuildHistory& history,
                                const std::function<void(std::optional<SiteRange>)>& on_build,
                                const std::function<void(BuiltKernel&)>& launch);

} // namespace gputest::runtime
