// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/cuda/schedules.h"

#include "model/files.h"
#include "model/json.h"
#include "model/text/file_name.h"
#include "program/read_baseline.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <map>

namespace gputest::program {
namespace {

namespace fs = std::filesystem;

// The results of all launches of a kernel.
struct KernelOrders {
  std::string name, file;
  model::ScheduledCase scheduled;
  std::uint64_t tried = 0;            // launches
  std::vector<std::string> not_tried; // reasons why other launches were not
};

// A line of the program's: what a launch showed.
struct OrderedLaunchLine {
  std::string kernel{}, file{};
  model::ScheduledCase scheduled{};
};
constexpr auto fields_of(const OrderedLaunchLine*) {
  using T = OrderedLaunchLine;
  using model::field;
  return std::tuple{field("kernel", &T::kernel), field("file", &T::file),
                    field("scheduled", &T::scheduled)};
}
using model::from_json, model::to_json;

void add(KernelOrders& kernel, const model::ScheduledCase& launch) {
  if (launch.verdict == model::ScheduleVerdict::Error) {
    if (std::ranges::find(kernel.not_tried, launch.message) == kernel.not_tried.end())
      kernel.not_tried.push_back(launch.message);
    return;
  }
  ++kernel.tried;
  kernel.scheduled.schedules = std::max(kernel.scheduled.schedules, launch.schedules);
  kernel.scheduled.runs += launch.runs;
  kernel.scheduled.seconds += launch.seconds;
  kernel.scheduled.verdict = std::max(kernel.scheduled.verdict, launch.verdict);
  for (const model::ScheduleFinding& finding : launch.findings)
    kernel.scheduled.findings.push_back(finding);
}

// By file and name.
std::map<std::string, KernelOrders> read_orders(const fs::path& file, const fs::path& root) {
  std::map<std::string, KernelOrders> kernels;
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    const auto json = nlohmann::ordered_json::parse(line, nullptr, false);
    if (json.is_discarded() || !json.contains("scheduled")) // the program was killed meanwhile
      continue;
    auto launch = json.get<OrderedLaunchLine>();
    KernelOrders& kernel = kernels[launch.file + '\n' + launch.kernel];
    kernel.name = launch.kernel;
    kernel.file = model::name_below(launch.file, root).value_or(launch.file);
    for (model::ScheduleFinding& finding : launch.scheduled.findings)
      finding.place_file = model::name_below(finding.place_file, root).value_or(finding.place_file);
    add(kernel, launch.scheduled);
  }
  return kernels;
}

KernelSchedules described(const KernelOrders& kernel, const CudaRun& run,
                          const ScheduleSettings& settings) {
  KernelSchedules result{
      .label = model::file_name_of(fs::path(kernel.file).stem().string() + "." + kernel.name),
      .schedules = {},
      .files = {}};
  model::Schedules& all = result.schedules;
  all.name = run.name;
  all.kernel = kernel.name;
  all.device = run.device;
  all.source = kernel.file;
  all.strategy = settings.strategy;
  all.count = settings.count;
  all.repeat = 1;
  all.seed = settings.seed;
  for (const std::string& reason : kernel.not_tried)
    all.notes.push_back("a launch was not run in other orders: " + reason);
  if (kernel.tried > 0) {
    all.cases.push_back(kernel.scheduled);
    all.cases.back().name = run.name;
  }
  return result;
}

} // namespace

ProgramSchedules cuda_schedules(const CudaRun& run, const ScheduleSettings& settings,
                                const fs::path& lines, const fs::path& root,
                                const JudgedRun& judged) {
  const std::map<std::string, KernelOrders> kernels = read_orders(lines, root);
  ProgramSchedules result;
  if (!judged.passes())
    result.failures.push_back(fmt::format("{} failed: {}", run.name, judged.problem));
  else if (kernels.empty())
    throw RunRefused(nothing_recorded(run, "SCHEDULES"));
  for (const auto& [key, kernel] : kernels) {
    result.kernels.push_back(described(kernel, run, settings));
    if (kernel.tried == 0)
      result.failures.push_back(
          fmt::format("{} was not run in other orders: {}", kernel.name, kernel.not_tried.front()));
  }
  return result;
}

} // namespace gputest::program
