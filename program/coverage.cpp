// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/coverage.h"

#include "model/analyses.h"
#include "model/files.h"
#include "program/kind.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

namespace gputest::program {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// Removes old files, which must not pass for results of this run. Files of schedules and checks are
// in the same folders, and stay.
void remove_old_coverage(const fs::path& output) {
  const std::string_view file = model::result_file_of("coverage");
  fs::remove(output / "run.json");
  fs::remove(output / file);
  for (const auto& entry : fs::directory_iterator(output))
    if (entry.is_directory() && fs::remove(entry.path() / file) &&
        !fs::exists(entry.path() / model::result_file_of("schedules")) &&
        !fs::exists(entry.path() / model::result_file_of("check")))
      fs::remove_all(entry.path());
}

// Copies text that no file of the project holds beside the results that name it.
void copy_sources(const fs::path& sources, const model::Coverage& coverage, const fs::path& to) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(sources, error)) {
    const std::string name = entry.path().filename().string();
    const bool is_named =
        coverage.source == name || std::ranges::any_of(coverage.sites, [&](const auto& site) {
          return site.site.file == name;
        });
    if (is_named)
      fs::copy_file(entry.path(), to / name, fs::copy_options::overwrite_existing);
  }
}

Json sizes_json(const std::array<std::uint64_t, 3>& sizes, unsigned dimensions) {
  return std::vector<std::uint64_t>(sizes.begin(), sizes.begin() + dimensions);
}

Json share_json(const LaunchShare& share) {
  Json json{{"process", share.process},
            {"launch", share.launch},
            {"launches", share.launches},
            {"global_size", sizes_json(share.sizes.global, share.sizes.dimensions)}};
  if (share.sizes.local[0] != 0)
    json["local_size"] = sizes_json(share.sizes.local, share.sizes.dimensions);
  for (const model::Criterion criterion : model::kCriteria) {
    const model::Tally& tally = share.criteria.of(criterion);
    json[std::string(model::name_of(criterion))] = {{"covered", tally.covered},
                                                    {"total", tally.total}};
  }
  json["added"] = share.added;
  return json;
}

Json comparison_json(const std::optional<Comparison>& comparison) {
  if (!comparison)
    return nullptr;
  return {{"difference", comparison->difference},
          {"kernels", comparison->kernels},
          {"pieces", comparison->pieces},
          {"varying", comparison->varying},
          {"runs", comparison->runs},
          {"known", comparison->is_known}};
}

void write_summary(const ProgramTask& task, const CoverageRun& run) {
  Json json{{"format", "gputest-run-1"},
            {"name", task.name},
            {"command", task.child.command},
            {"result", run.judged.result.text()},
            {"seconds", run.judged.result.seconds},
            {"processes", run.coverage.processes},
            {"compared", comparison_json(run.comparison)},
            {"kernels", Json::array()},
            {"not_measured", Json::array()}};
  for (const KernelCoverage& kernel : run.coverage.kernels) {
    json["kernels"].push_back(
        {{"kernel", kernel.coverage.kernel},
         {"source", kernel.coverage.source},
         {"launches", kernel.launches},
         {"results", (fs::path(kernel.folder) / model::result_file_of("coverage")).string()}});
    for (const LaunchShare& share : kernel.shares)
      json["kernels"].back()["shares"].push_back(share_json(share));
  }
  for (const NotMeasured& entry : run.coverage.not_measured)
    json["not_measured"].push_back(
        {{"program", entry.program}, {"kernel", entry.kernel}, {"reason", entry.reason}});
  model::write_atomically(task.output / "run.json", model::pretty(json));
}

} // namespace

CoverageRun run_coverage(TestedProgram& program, const CoverageSettings& settings) {
  const ProgramTask& task = program.task();
  remove_old_coverage(task.output);
  CoverageRun run{.judged = run_judged(task, [&](const ChildSettings& child) {
                    return program.run_for_coverage(child, settings);
                  })};
  run.coverage = program.read_coverage(run.judged);
  for (const KernelCoverage& kernel : run.coverage.kernels) {
    const fs::path folder = task.output / kernel.folder;
    fs::create_directories(folder);
    copy_sources(run.coverage.sources, kernel.coverage, folder);
    const fs::path file = folder / model::result_file_of("coverage");
    model::write_coverage(kernel.coverage, file);
    if (!kernel.coverage.sites.empty())
      run.files.push_back(file);
  }
  if (settings.compares && !run.judged.result.timed_out)
    run.comparison = program.compare(run.judged, run.coverage);
  write_summary(task, run);
  return run;
}

} // namespace gputest::program
