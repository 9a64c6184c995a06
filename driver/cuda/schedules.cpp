// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gputest run-cuda --schedules: the simulator repeats launches under other orders of their blocks
// (simulator/cuda/block_orders.h). What it finds is written as a schedules.json for each kernel.
#include "driver/report/schedules.h"
#include "driver/command_error.h"
#include "driver/cuda/run.h"
#include "model/analyses.h"
#include "model/files.h"
#include "model/schedules/results.h"
#include "program/cuda/judged_run.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

namespace gputest::driver {
namespace {

namespace fs = std::filesystem;

// The results of all launches of a kernel.
struct KernelOrders {
  std::string name, file;
  model::ScheduledCase scheduled;
  std::uint64_t tried = 0;            // launches
  std::vector<std::string> not_tried; // reasons why other launches were not
};

void add(KernelOrders& kernel, const model::ScheduledCase& launch) {
  if (launch.verdict == "error") {
    if (std::ranges::find(kernel.not_tried, launch.message) == kernel.not_tried.end())
      kernel.not_tried.push_back(launch.message);
    return;
  }
  ++kernel.tried;
  kernel.scheduled.schedules = std::max(kernel.scheduled.schedules, launch.schedules);
  kernel.scheduled.runs += launch.runs;
  kernel.scheduled.seconds += launch.seconds;
  if (kernel.scheduled.verdict == "held" || launch.verdict == "order dependent")
    kernel.scheduled.verdict = launch.verdict;
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
    const auto name = json.at("kernel").get<std::string>();
    KernelOrders& kernel = kernels[json.at("file").get<std::string>() + '\n' + name];
    kernel.name = name;
    const auto written = json.at("file").get<std::string>();
    kernel.file = model::name_below(written, root).value_or(written);
    model::ScheduledCase launch = model::scheduled_case_from_json(json.at("scheduled"));
    for (model::ScheduleFinding& finding : launch.findings)
      finding.place_file = model::name_below(finding.place_file, root).value_or(finding.place_file);
    add(kernel, launch);
  }
  return kernels;
}

std::vector<fs::path> write(const std::map<std::string, KernelOrders>& kernels,
                            const program::CudaRun& run, const model::Settings& settings) {
  std::vector<fs::path> files;
  for (const auto& [key, kernel] : kernels) {
    model::Schedules all;
    all.name = run.name;
    all.kernel = kernel.name;
    all.device = run.device;
    all.source = kernel.file;
    all.strategy = settings.text("strategy");
    all.count = static_cast<unsigned>(settings.whole("count"));
    all.repeat = 1;
    all.seed = settings.whole("seed");
    for (const std::string& reason : kernel.not_tried)
      all.notes.push_back("a launch was not run in other orders: " + reason);
    if (kernel.tried > 0) {
      all.cases.push_back(kernel.scheduled);
      all.cases.back().name = run.name;
    }
    const fs::path folder =
        run.output / model::file_name_of(fs::path(kernel.file).stem().string() + "." + kernel.name);
    fs::create_directories(folder);
    files.push_back(folder / model::result_file_of("schedules"));
    model::write_schedules(all, files.back());
  }
  return files;
}

void remove_old(const fs::path& output) {
  for (const auto& entry : fs::directory_iterator(output))
    if (entry.is_directory())
      fs::remove(entry.path() / model::result_file_of("schedules"));
}

bool holds(const KernelOrders& kernel) {
  return kernel.tried > 0 && kernel.scheduled.findings.empty();
}

} // namespace

void check_cuda_schedules(const model::Settings& settings,
                          const cxxopts::ParseResult& /*arguments*/) {
  const std::string strategy = settings.text("strategy");
  if (strategy == "first" || strategy == "serial")
    throw CommandError(
        fmt::format("error: SCHEDULES STRATEGY {} is for OpenCL: in the simulator the blocks of "
                    "CUDA programs run one after the other; give permute, reverse or all",
                    strategy));
}

int run_cuda_schedules(const program::CudaRun& run, const model::Settings& settings,
                       const cxxopts::ParseResult& arguments) {
  if (run.device != "simulator")
    throw CommandError("error: --schedules needs --device simulator: a GPU takes no orders");
  const fs::path lines = run.output / "orders.jsonl";
  remove_old(run.output);
  program::ChildSettings child = run.child;
  child.environment["GPUTEST_CUDA_FINDINGS"] = lines.string();
  child.environment["GPUTEST_CUDA_SCHEDULES"] =
      fmt::format("{} {} {} {}", settings.whole("count"), settings.whole("seed"),
                  settings.text("strategy"), settings.real("tolerance"));
  const program::JudgedRun judged = program::run_judged(run, [&] {
    fs::remove(lines);
    return child;
  });
  const fs::path root = arguments.count("source-root") > 0
                            ? fs::absolute(arguments["source-root"].as<std::string>())
                            : fs::current_path();
  const std::map<std::string, KernelOrders> kernels = read_orders(lines, root);
  fs::remove(lines);
  const std::vector<fs::path> files = write(kernels, run, settings);
  if (!files.empty()) {
    Outputs outputs(arguments);
    report_schedules(arguments, settings, files, outputs);
  }
  if (!judged.passes())
    fmt::print(stderr, "error: {} failed: {}\n", run.name, judged.problem);
  else if (kernels.empty())
    fmt::print(stderr, "error: {}\n", program::nothing_recorded(run, "SCHEDULES"));
  for (const auto& [key, kernel] : kernels)
    if (kernel.tried == 0)
      fmt::print(stderr, "error: {} was not run in other orders: {}\n", kernel.name,
                 kernel.not_tried.front());
  return judged.passes() && !kernels.empty() &&
                 std::ranges::all_of(kernels, [](const auto& named) { return holds(named.second); })
             ? Held
             : Failed;
}

} // namespace gputest::driver
