// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/opencl/program.h"

#include "model/cache.h"
#include "model/files.h"
#include "program/opencl/check.h"
#include "program/opencl/coverage.h"
#include "program/opencl/kernel_files.h"
#include "program/opencl/launch_keeper.h"
#include "program/opencl/mutants.h"
#include "program/opencl/no_device.h"
#include "program/opencl/plain_comparison.h"
#include "program/opencl/scheduled_program.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fmt/format.h>
#include <set>
#include <unistd.h>

namespace gputest::program {
namespace {

namespace fs = std::filesystem;

constexpr std::array kOpenClOptions{
    KindOption{"kernels",
               "measure only programs with the text of these files (or patterns); default: all, "
               "with files found below the working directory and the program's folder",
               "FILE",
               {},
               true},
    KindOption{"exclude",
               "leave out code in files that match this pattern, such as '*/vendor/*'; may be "
               "repeated",
               "PATTERN",
               {},
               true},
    KindOption{"cache",
               "the folder that keeps instrumented kernels (default: GPUTEST_CACHE_DIR, else "
               "$XDG_CACHE_HOME/gputest, else ~/.cache/gputest)",
               "DIR"},
    KindOption{"groups", "order of work-groups in the simulator: ascending, descending, random",
               "ORDER", "ascending"},
    KindOption{"items", "order of the work-items of a group", "ORDER", "ascending"},
    KindOption{"order-seed", "seed of random orders", "N", "1"},
    KindOption{"launch-timeout",
               "seconds after which a launch in the simulator is ended as endless", "S", "60"},
};
constexpr std::array kOrderOptions{"groups", "items", "order-seed"};

std::vector<std::string> names_of(const std::vector<fs::path>& files) {
  std::vector<std::string> names;
  for (const fs::path& file : files)
    names.push_back(file.string());
  return names;
}

bool is_writable(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    return false;
  std::string file = (folder / ".gputest-XXXXXX").string();
  const int descriptor = ::mkstemp(file.data());
  if (descriptor < 0)
    return false;
  ::close(descriptor);
  ::unlink(file.c_str());
  return true;
}

fs::path cache_folder(const GivenOptions& options, const fs::path& instead) {
  fs::path folder = options.has("cache") ? fs::path(options.text("cache")) : model::cache_folder();
  if (folder.empty())
    return instead;
  folder = fs::absolute(folder).lexically_normal();
  if (is_writable(folder))
    return folder;
  fmt::print(stderr,
             "warning: the cache {} cannot be written: kernels are instrumented anew in each run; "
             "name another with --cache\n",
             folder.string());
  return instead;
}

std::string layers(const fs::path& layer) {
  if (layer.string().find(':') != std::string::npos)
    throw std::runtime_error(
        fmt::format("{}: OPENCL_LAYERS parts paths at colons, so the layer cannot be loaded from "
                    "there; set GPUTEST_LAYER to a copy of it",
                    layer.string()));
  const char* others = std::getenv("OPENCL_LAYERS");
  return others && *others ? fmt::format("{}:{}", others, layer.string()) : layer.string();
}

std::unique_ptr<TestedProgram> open_opencl(ProgramTask task, const GivenOptions& options,
                                           const model::Settings* analysis) {
  return std::make_unique<OpenClProgram>(std::move(task), options, analysis);
}

} // namespace

ProgramKind opencl_kind() {
  return {.name = "opencl",
          .title = "OpenCL",
          .options = kOpenClOptions,
          .plain_analysis = "check",
          .open = open_opencl};
}

std::span<const KindOption> opencl_file_options() {
  return std::span(kOpenClOptions).first(3);
}

OpenClProgram::OpenClProgram(ProgramTask given, const GivenOptions& options,
                             const model::Settings* analysis)
    : TestedProgram(std::move(given)),
      has_orders_(
          std::ranges::any_of(kOrderOptions, [&](const char* name) { return options.has(name); })),
      run_folder_(task().output / "run") {
  const bool is_check = analysis && analysis->analysis().name == "check";
  set_simulator(options, is_check ? analysis : nullptr);
  settings_.driver = task().files.own;
  settings_.source_root = fs::canonical(task().source_root);
  if (options.has("kernels"))
    set_named_files(settings_, options.all("kernels"));
  else
    set_likely_files(settings_, task());
  settings_.exclude = options.all("exclude");
  environment_ = {{"OPENCL_LAYERS", layers(task().files.layer())},
                  {"GPUTEST_RUN", run_folder_.string()},
                  // otherwise PyOpenCL creates programs from binaries that it keeps
                  {"PYOPENCL_NO_CACHE", "1"}};
  settings_.cache = cache_folder(options, task().output / "cache");
}

// Sets how the program's launches run in the simulator, if the options or the checks ask for it.
void OpenClProgram::set_simulator(const GivenOptions& options, const model::Settings* checks) {
  if (options.has("device") && options.text("device") != "simulator")
    throw model::SettingError("--device: the program chooses its devices by itself; what it can be "
                              "made to run on is 'simulator'");
  if (!options.has("device") && !checks) {
    for (const char* option : {"groups", "items", "order-seed", "launch-timeout"})
      if (options.has(option))
        throw model::SettingError(
            fmt::format("--{} is for --check and --device simulator", option));
    return;
  }
  const auto text = [&](const char* name) {
    return options.text(name, std::ranges::find(kOpenClOptions, name, &KindOption::name)->fallback);
  };
  settings_.simulator = runtime::SimulatedProgram{task().files.needed_simulator(), {}};
  runtime::Simulation& simulation = settings_.simulator->simulation;
  const auto seed = model::whole_of("--order-seed", text("order-seed"));
  if (checks)
    simulation.checks = checks->flags();
  try {
    simulation.groups = runtime::order_named(text("groups"), seed, "groups");
    simulation.items = runtime::order_named(text("items"), seed, "items");
  } catch (const std::exception& error) {
    throw model::SettingError(error.what());
  }
  for (const char* const check : {runtime::kInterleavings, runtime::kSubGroupSizes})
    if (std::ranges::count(simulation.checks, check) > 0)
      throw model::SettingError(fmt::format("--check {} is for test cases: gputest capture makes "
                                            "them of launches",
                                            check));
  simulation.limit = model::seconds_of("launch-timeout", text("launch-timeout"));
}

void OpenClProgram::refuse(const model::Settings& settings) const {
  if (settings.analysis().name == "schedules" && has_orders_)
    throw model::SettingError("--groups, --items and --order-seed are orders of their own: leave "
                              "them out with --schedules");
  if (settings.analysis().name == "memory" && settings.text("caches") == "warm")
    throw model::SettingError("CACHES warm is for CUDA and HIP: launches of OpenCL programs are "
                              "kept as test cases, which no launch comes before");
}

ChildSettings OpenClProgram::under_layer(ChildSettings child) const {
  for (const auto& [name, value] : environment_)
    child.environment[name] = value;
  return child;
}

fs::path OpenClProgram::judge() const {
  const fs::path& simulator = task().files.simulator;
  return fs::is_regular_file(simulator) ? simulator : fs::path();
}

ChildResult OpenClProgram::run_for_coverage(const ChildSettings& child,
                                            const CoverageSettings& settings) {
  input_from_ = repeatable_input();
  ran_ = settings_;
  ran_.each_launch = settings.each_launch;
  ran_.reads = settings.compares;
  return run_recorded(under_layer(child), run_folder_, ran_);
}

ChildResult OpenClProgram::run_for_checks(const ChildSettings& child,
                                          const std::vector<std::string>& checks) {
  ran_ = settings_;
  ran_.measure = "check";
  ran_.simulator.value().simulation.checks = checks;
  return run_recorded(under_layer(child), run_folder_, ran_);
}

ProgramCoverage OpenClProgram::read_coverage(const JudgedRun& run) {
  records_ = read_run_folder(run_folder_);
  ProgramCoverage coverage = program_coverage(records_, ran_, task().name, run);
  coverage.sources = run_folder_ / "sources";
  if (coverage.kernels.empty()) {
    coverage.nothing = why_nothing(records_, task().files.own);
    coverage.skipped = is_skipped(run.result, records_);
  }
  coverage.checked = checked_launches(records_);
  return coverage;
}

ProgramChecks OpenClProgram::read_checks(const JudgedRun& run) {
  records_ = read_run_folder(run_folder_);
  ProgramChecks checks{.launches = checked_launches(records_),
                       .not_measured = records_.not_measured};
  if (checks.launches.empty()) {
    checks.nothing = why_nothing(records_, task().files.own);
    checks.skipped = is_skipped(run.result, records_);
  }
  return checks;
}

std::optional<Comparison> OpenClProgram::compare(const JudgedRun& run,
                                                 const ProgramCoverage& coverage) {
  std::set<std::string> launched;
  for (const KernelCoverage& kernel : coverage.kernels)
    if (kernel.launches > 0)
      launched.insert(kernel.folder);
  if (launched.empty())
    return std::nullopt;
  return compare_with_plain({run_folder_, ran_, child(), run.result, input_from_, judge()},
                            records_, launched);
}

bool OpenClProgram::add_to_replay(CheckReplay& replay) const {
  replay.kind = opencl_kind().name;
  replay.source_root = settings_.source_root.string();
  if (settings_.only_kernel_files)
    replay.kernel_files = names_of(settings_.kernel_files);
  replay.simulator = ran_.simulator.value();
  replay.checks.clear(); // the simulator has them
  return true;
}

// Only the finding's kernel runs in the simulator.
void OpenClProgram::prepare_replay(const CheckReplay& replay) {
  if (!replay.kernel_files.empty())
    set_named_files(settings_, replay.kernel_files);
  settings_.simulator = replay.simulator.value();
  settings_.only_kernels = {replay.kernel};
  settings_.source_root = replay.source_root; // names of files are those in the finding
}

void OpenClProgram::settle(RepeatedProgram& program, const RepeatedRuns& runs) const {
  static_cast<RepeatedRuns&>(program) = runs;
  program.name = task().name;
  program.run_folder = run_folder_;
  program.run = settings_;
  program.child = child();
  program.oracle = task().oracle;
}

std::unique_ptr<MutatedProgram> OpenClProgram::mutants(const MutationSettings& settings) {
  OpenClMutation mutation;
  settle(mutation, settings);
  mutation.wanted = settings.wanted;
  mutation.threshold = settings.threshold;
  mutation.judge = judge();
  mutation.checks_races = settings.checks_races;
  return std::make_unique<OpenClMutants>(std::move(mutation));
}

std::unique_ptr<LaunchKeeper> OpenClProgram::launch_keeper() {
  return std::make_unique<OpenClLaunches>(settings_, run_folder_, environment_, task().files.own);
}

std::unique_ptr<ScheduledProgram> OpenClProgram::schedules(const ScheduleSettings& settings) {
  OpenClSchedules schedules;
  settle(schedules, settings);
  schedules.tolerance = settings.tolerance;
  schedules.launches = {.command = task().child.command, .directory = fs::current_path().string()};
  schedules.launches.oracle = task().oracle;
  if (settings_.only_kernel_files)
    schedules.launches.kernel_files = names_of(settings_.kernel_files);
  return std::make_unique<OpenClScheduled>(std::move(schedules));
}

std::string OpenClProgram::hint() const {
  return no_device_hint(task().files.own);
}

} // namespace gputest::program
