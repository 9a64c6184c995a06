// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/cuda/coverage.h"

#include <algorithm>
#include <fmt/format.h>

namespace gputest::program {
namespace {

// Adds the outcomes of a site. One program is one case, so an outcome counts once.
void add_outcomes(const UnitRecord& unit, const model::Site& site, unsigned distance,
                  std::vector<std::uint64_t>& hits) {
  for (std::size_t i = 0; i < site.outcomes.size(); ++i) {
    const unsigned bit = site.outcomes[i].bit + distance;
    hits[i] |= bit / 32 < unit.state.size() && (unit.state[bit / 32] >> bit % 32 & 1) ? 1U : 0U;
  }
}

model::Coverage coverage_of(const UnitRecord& unit, const std::string& name) {
  const model::SiteTable table = model::read_site_table(unit.folder / "sites.json");
  model::Coverage coverage{.kernel = name,
                           .name = name,
                           .device = unit.device,
                           .source = table.source,
                           .sites = {},
                           .divergent_barriers = {},
                           .not_instrumented = table.not_instrumented,
                           .not_counted = table.not_counted,
                           .cases = {},
                           .sources = table.sources};
  for (const model::Site& site : table.sites) {
    model::SiteCoverage& covered =
        coverage.sites.emplace_back(site, std::vector<std::uint64_t>(site.outcomes.size()));
    if (site.instances.empty())
      add_outcomes(unit, site, 0, covered.hits);
    for (const model::Instance& instance : site.instances) {
      model::InstanceCoverage& own = covered.instances.emplace_back(
          instance.function, std::vector<std::uint64_t>(site.outcomes.size()));
      add_outcomes(unit, site, instance.distance, own.hits);
      add_outcomes(unit, site, instance.distance, covered.hits);
    }
  }
  return coverage;
}

// Merges the coverage of a unit. One program is one case, however many sources and processes it
// has.
void merge_unit(model::Coverage& into, const model::Coverage& unit) {
  model::merge(into, unit);
  into.name = unit.name;
  into.kernel = unit.kernel;
  into.device = unit.device;
  const auto once = [](std::vector<std::uint64_t>& all) {
    for (std::uint64_t& hits : all)
      hits = std::min<std::uint64_t>(hits, 1);
  };
  for (model::SiteCoverage& site : into.sites) {
    once(site.hits);
    for (model::InstanceCoverage& instance : site.instances)
      once(instance.hits);
  }
}

void note_never_launched(const std::vector<UnitRecord>& units, const model::Coverage& coverage,
                         std::vector<std::string>& notes) {
  for (const UnitRecord& unit : units)
    for (const model::InstrumentedKernel& kernel :
         model::read_site_table(unit.folder / "sites.json").kernels) {
      const auto is_of = [&](const model::SiteCoverage& site) {
        return site.site.function == kernel.name;
      };
      const bool ran = std::ranges::any_of(coverage.sites, [&](const model::SiteCoverage& site) {
        return is_of(site) &&
               std::ranges::any_of(site.hits, [](std::uint64_t hits) { return hits > 0; });
      });
      if (!ran && std::ranges::any_of(coverage.sites, is_of))
        notes.push_back(fmt::format("kernel '{}' was never launched, or did nothing", kernel.name));
    }
}

} // namespace

ProgramCoverage cuda_coverage(const CudaRun& run, const std::vector<UnitRecord>& units,
                              const JudgedRun& judged) {
  ProgramCoverage all{.processes = 1};
  KernelCoverage program;
  for (const UnitRecord& unit : units)
    program.launches = std::max(program.launches, unit.launches);
  if (program.launches == 0) {
    all.nothing = nothing_recorded(run, "COVERAGE");
    return all;
  }
  program.coverage = coverage_of(units.front(), run.name);
  for (std::size_t i = 1; i < units.size(); ++i)
    merge_unit(program.coverage, coverage_of(units[i], run.name));
  program.coverage.cases = {{run.name, judged.verdict(), judged.problem, judged.result.seconds}};
  note_never_launched(units, program.coverage, all.notes);
  for (const UnitRecord& unit : units)
    if (all.lost.empty() && !unit.lost.empty())
      all.lost = "the GPU has lost it: " + unit.lost;
  all.kernels.push_back(std::move(program));
  return all;
}

} // namespace gputest::program
