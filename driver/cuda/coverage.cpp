// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gputest run-cuda --coverage.
#include "model/coverage.h"
#include "driver/command_error.h"
#include "driver/cuda/run.h"
#include "driver/report/coverage.h"
#include "model/analyses.h"
#include "program/cuda/judged_run.h"
#include "program/cuda/records.h"

#include <algorithm>
#include <fmt/format.h>

namespace gputest::driver {
namespace {

namespace fs = std::filesystem;

// Adds the outcomes of a site. One program is one case, so an outcome counts once.
void add_outcomes(const program::UnitRecord& unit, const model::Site& site, unsigned distance,
                  std::vector<std::uint64_t>& hits) {
  for (std::size_t i = 0; i < site.outcomes.size(); ++i) {
    const unsigned bit = site.outcomes[i].bit + distance;
    hits[i] |= bit / 32 < unit.state.size() && (unit.state[bit / 32] >> bit % 32 & 1) ? 1U : 0U;
  }
}

model::Coverage coverage_of(const program::UnitRecord& unit, const std::string& name) {
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

void print_never_launched(const std::vector<program::UnitRecord>& units,
                          const model::Coverage& coverage) {
  for (const program::UnitRecord& unit : units)
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
        fmt::print(stderr, "note: kernel '{}' was never launched, or did nothing\n", kernel.name);
    }
}

} // namespace

int run_cuda_coverage(const program::CudaRun& run, const model::Settings& settings,
                      const cxxopts::ParseResult& arguments) {
  const bool wants_apart = settings.text("instantiations") == "apart",
             apart = wants_apart && run.device != "gpu";
  if (wants_apart && !apart)
    fmt::print(stderr, "note: on a GPU all that is made of a template is recorded together\n");
  const fs::path file = run.output / model::result_file_of("coverage"),
                 records = run.output / "coverage-records";
  fs::remove(file);
  const program::JudgedRun judged =
      program::run_judged(run, [&] { return program::child_with(run, "coverage", records); });
  const std::vector<program::UnitRecord> units = program::read_records(records, run.tables);
  fs::remove_all(records);
  const bool launched =
      std::ranges::any_of(units, [](const program::UnitRecord& unit) { return unit.launches > 0; });
  if (!launched) {
    if (!judged.passes())
      fmt::print(stderr, "error: {} failed: {}\n", run.name, judged.problem);
    fmt::print(stderr, "error: {}\n", program::nothing_recorded(run, "COVERAGE"));
    return Failed;
  }
  model::Coverage all = coverage_of(units.front(), run.name);
  for (std::size_t i = 1; i < units.size(); ++i)
    merge_unit(all, coverage_of(units[i], run.name));
  all.cases = {{run.name, judged.verdict(), judged.problem, judged.result.seconds}};
  all.apart = apart;
  model::write_coverage(all, file);
  ExitCode outcome = Held;
  if (all.sites.empty())
    fmt::print(stderr, "note: the device code of {} has nothing to cover\n", run.name);
  Outputs outputs(arguments);
  if (!all.sites.empty())
    outcome = report_coverage(arguments, settings, {file}, outputs);
  print_never_launched(units, all);
  for (const program::UnitRecord& unit : units)
    if (!unit.lost.empty()) {
      fmt::print(stderr, "error: what {} covers is not known: the GPU has lost it: {}\n", run.name,
                 unit.lost);
      return Failed;
    }
  if (!judged.passes()) {
    fmt::print(stderr, "error: {} failed: {}\n", run.name, judged.problem);
    return Failed;
  }
  return outcome;
}

} // namespace gputest::driver
