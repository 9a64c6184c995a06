// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/analyses/mutation/combined.h"

#include "gputest/error.h"
#include "runtime/machine/source_text.h"

#include <fmt/format.h>

namespace gputest::runtime {
namespace {

class Bisection {
public:
  Bisection(const VariantBuilder& builder, const Plan& plan, const model::MutantTable& table,
            const std::filesystem::path& folder, const BuildHistory& history,
            const std::function<void(std::optional<SiteRange>)>& on_build,
            const std::function<void(BuiltKernel&)>& launch)
      : builder_(builder), plan_(plan), table_(table), folder_(folder), history_(history),
        on_build_(on_build), launch_(launch) {}

  // The piece in a file, with the mutants of `sites`.
  CombinedPiece file(const std::string& name, std::optional<SiteRange> sites) const {
    return piece(read_variant(folder_ / name), (folder_ / name).string(), sites);
  }

  CombinedPiece part(const SiteRange& sites) const {
    return piece(sites_text(plan_, table_, {&sites, 1}),
                 fmt::format("{}, sites {} to {}",
                             (folder_ / plan_.variant_file("mutants.cl")).string(), sites.first,
                             sites.last),
                 sites);
  }

  // Halves the piece of `sites`, which cannot be built as a whole.
  void split(const SiteRange& sites, std::vector<CombinedPiece>& pieces) const {
    if (sites.first == sites.last)
      return;
    const unsigned middle = sites.first + (sites.last - sites.first) / 2;
    for (const SiteRange& half :
         {SiteRange{sites.first, middle}, SiteRange{middle + 1, sites.last}})
      try {
        pieces.push_back(part(half));
      } catch (const BuildError&) {
        split(half, pieces);
      }
  }

private:
  CombinedPiece piece(const std::string& text, const std::string& name,
                      std::optional<SiteRange> sites) const {
    for (const LostBuild& lost : history_.lost)
      if (lost.sites == sites && lost.times >= kBuildTries)
        throw BuildError(fmt::format("{}: error: cannot be built", name), lost.message);
    on_build_(sites);
    CombinedPiece made{sites, builder_.key(text), builder_.build(text, name)};
    try {
      launch_(*made.kernel);
    } catch (const LaunchRefused& error) {
      throw BuildError(fmt::format("{}: error: cannot be launched", name), error.what());
    }
    return made;
  }

  const VariantBuilder& builder_;
  const Plan& plan_;
  const model::MutantTable& table_;
  const std::filesystem::path& folder_;
  const BuildHistory& history_;
  const std::function<void(std::optional<SiteRange>)>& on_build_;
  const std::function<void(BuiltKernel&)>& launch_;
};

} // namespace

CombinedPrograms build_combined(const VariantBuilder& builder, const Plan& plan,
                                const model::MutantTable& table,
                                const std::filesystem::path& folder, const BuildHistory& history,
                                const std::function<void(std::optional<SiteRange>)>& on_build,
                                const std::function<void(BuiltKernel&)>& launch) {
  const Bisection bisection(builder, plan, table, folder, history, on_build, launch);
  const std::optional<std::vector<SiteRange>>& known = history.pieces;
  CombinedPrograms result;
  const SiteRange all{0, table.reached_bits == 0 ? 0 : table.reached_bits - 1};
  if (known) {
    for (const SiteRange& sites : *known)
      result.pieces.push_back(bisection.part(sites));
  } else {
    try {
      result.pieces.push_back(bisection.file(plan.variant_file("mutants.cl"), all));
      return result;
    } catch (const BuildError& error) {
      if (builder.is_quick())
        throw;
      result.rejected = error.log;
    }
  }
  if (!result.pieces.empty())
    return result;
  try {
    CombinedPiece guards = bisection.file(plan.variant_file("original.cl"), std::nullopt);
    if (!known)
      bisection.split(all, result.pieces);
    if (result.pieces.empty())
      result.pieces.push_back(std::move(guards));
  } catch (const BuildError&) {
    // original.cl cannot be built either. Each mutant gets a program of its own, if the device
    // takes that.
  }
  return result;
}

} // namespace gputest::runtime
