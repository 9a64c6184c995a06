// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/cuda/program.h"

#include "model/cuda_environment.h"
#include "process/undisturbed.h"
#include "program/cuda/coverage.h"
#include "program/cuda/findings.h"
#include "program/cuda/launches.h"
#include "program/cuda/mutation.h"
#include "program/cuda/recognise.h"
#include "program/cuda/schedules.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace gputest::program {
namespace {

namespace fs = std::filesystem;

constexpr unsigned kJobsOfGpu = 8; // processes that share one GPU; more are no faster

constexpr std::array kCudaOptions{
    KindOption{"tables",
               "the folder of the compiler's tables, if the program was built somewhere "
               "else",
               "DIR"},
    KindOption{"zero-shared", "simulator: __shared__ memory begins with zeros"},
    KindOption{"warp-size", "simulator: threads of a warp, 32 or 64", "N"},
};

constexpr std::array kUnused{
    UnusedSetting{"coverage", "launches", "coverage is that of all launches together"},
    UnusedSetting{"coverage", "no-compare", "nothing is compared"},
    UnusedSetting{"schedules", "time-limit",
                  "launches are repeated in one run, which has --timeout"},
    UnusedSetting{"schedules", "timeout-factor", "launches are repeated in one run"},
    UnusedSetting{"schedules", "baseline", "launches are repeated in one run"},
    UnusedSetting{"schedules", "jobs", "launches are repeated in one run"},
};

// Returns the run that the options describe.
CudaRun run_of(const ProgramTask& task, const GivenOptions& options) {
  CudaRun run{.output = task.output,
              .name = task.name,
              .child = task.child,
              .quiet = task.quiet,
              .device = options.text("device", "simulator"),
              .tables = {},
              .oracle = task.oracle,
              .simulator = task.files.simulator,
              .passes = task.files.own.parent_path() / "gputest-passes"};
  const bool is_gpu = run.device == "gpu";
  if (!is_gpu && run.device != "simulator")
    throw model::SettingError(
        fmt::format("--device: '{}' is not known: simulator or gpu", run.device));
  if (options.has("zero-shared")) {
    if (is_gpu)
      throw model::SettingError("--zero-shared is for the simulator: a GPU leaves any values");
    run.child.environment[model::kZeroShared] = "1";
  }
  if (options.has("warp-size")) {
    const std::string size = options.text("warp-size");
    if (is_gpu)
      throw model::SettingError("--warp-size is for the simulator: a GPU has its own");
    if (size != "32" && size != "64")
      throw model::SettingError(
          fmt::format("--warp-size: '{}' is no size of a warp: 32 and 64 are", size));
    run.child.environment[model::kWarpSize] = size;
  }
  if (options.has("tables"))
    run.tables = fs::absolute(options.text("tables"));
  return run;
}

class CudaProgram : public TestedProgram {
public:
  CudaProgram(ProgramTask given, const GivenOptions& options)
      : TestedProgram(std::move(given)), run_(run_of(task(), options)),
        records_(task().output / "coverage-records"), lines_(task().output / "findings.jsonl") {}

  void refuse(const model::Settings& settings) const override {
    const std::string_view analysis = settings.analysis().name;
    if (run_.device == "gpu" && analysis == "check")
      throw model::SettingError("--check needs --device simulator: a GPU checks nothing");
    if (run_.device == "gpu" && analysis == "memory")
      throw model::SettingError("--memory needs --device simulator: a GPU keeps no launches");
    if (analysis != "schedules")
      return;
    if (const std::string strategy = settings.text("strategy");
        strategy == "first" || strategy == "serial")
      throw model::SettingError(
          fmt::format("SCHEDULES STRATEGY {} is for OpenCL: in the simulator the blocks of CUDA "
                      "programs run one after the other; give permute, reverse or all",
                      strategy));
    if (run_.device == "gpu")
      throw model::SettingError("--schedules needs --device simulator: a GPU takes no orders");
  }

  bool lacks_device() override { return program::lacks_device(run_); }

  ChildResult run_for_coverage(const ChildSettings& child,
                               const CoverageSettings& settings) override {
    apart_ = settings.apart;
    return run_in_peace(child, [&] { return child_with(run_, "coverage", records_); });
  }

  ProgramCoverage read_coverage(const JudgedRun& run) override {
    ProgramCoverage coverage = cuda_coverage(run_, read_records(records_, run_.tables), run);
    fs::remove_all(records_);
    if (apart_ && run_.device == "gpu")
      coverage.notes.insert(coverage.notes.begin(),
                            "on a GPU all that is made of a template is recorded together");
    for (KernelCoverage& kernel : coverage.kernels)
      kernel.coverage.apart = apart_ && run_.device != "gpu";
    return coverage;
  }

  ChildResult run_for_checks(const ChildSettings& child,
                             const std::vector<std::string>& checks) override {
    return run_in_peace(child, [&] {
      return with_findings({{"GPUTEST_CUDA_CHECKS", fmt::format("{}", fmt::join(checks, " "))}});
    });
  }

  ProgramChecks read_checks(const JudgedRun& run) override {
    CudaFindings read = read_cuda_findings(lines_);
    fs::remove(lines_);
    return {.launches = {{.folder = "",
                          .kernel = run_.name,
                          .source = "",
                          .launches = read.launches,
                          .seconds = run.result.seconds,
                          .findings = std::move(read.findings)}},
            .library_calls = read.library_calls,
            .nothing = "it launched no kernel in the simulator and called no library: is it built "
                       "with gputest-cuda "
                       "(cmake --toolchain gputest-cuda.cmake)?"};
  }

  bool add_to_replay(CheckReplay& replay) const override {
    replay.kind = cuda_kind().name;
    for (const char* const variable : {model::kZeroShared, model::kWarpSize})
      if (const auto set = run_.child.environment.find(variable);
          set != run_.child.environment.end())
        replay.environment.insert(*set);
    return true;
  }
  void prepare_replay(const CheckReplay& replay) override {
    run_.child.environment.insert(replay.environment.begin(), replay.environment.end());
  }

  // Columns tell findings apart, too, and messages those without a line.
  std::string key_of(const model::Finding& finding) const override {
    return fmt::format("{} {} {}:{} {}", finding.kind, place_text(finding.site), finding.other.file,
                       finding.other.line, finding.site.line == 0 ? finding.message : "");
  }

  std::unique_ptr<LaunchKeeper> launch_keeper() override {
    const auto run = [this](const ChildSettings& child, const CudaLaunches::Prepare& prepare) {
      return run_in_peace(child, [&] {
        ChildSettings with = run_.child;
        const auto environment = prepare();
        with.environment.insert(environment.begin(), environment.end());
        return with;
      });
    };
    return std::make_unique<CudaLaunches>(run, run_.output / "launch-records", task().source_root);
  }

  std::unique_ptr<MutatedProgram> mutants(const MutationSettings& settings) override {
    mutation_ = {.wanted = settings.wanted,
                 .root = task().source_root,
                 .threshold = settings.threshold,
                 .timeout_factor = settings.timeout_factor,
                 .baseline = settings.baseline.value_or(2),
                 .jobs = settings.jobs,
                 .checks_races = settings.checks_races};
    return cuda_mutants(run_, mutation_);
  }

  unsigned jobs(unsigned cores) const override {
    return run_.device == "gpu" ? std::min(cores, kJobsOfGpu) : cores;
  }

  std::optional<ProgramSchedules> repeat_launches(const ScheduleSettings& settings) override {
    const JudgedRun judged = run_judged(task(), [&](const ChildSettings& child) {
      return run_in_peace(child, [&] {
        return with_findings(
            {{"GPUTEST_CUDA_SCHEDULES", fmt::format("{} {} {} {}", settings.count, settings.seed,
                                                    settings.strategy, settings.tolerance)}});
      });
    });
    ProgramSchedules found = cuda_schedules(run_, settings, lines_, task().source_root, judged);
    fs::remove(lines_);
    return found;
  }

private:
  // Runs what `prepare` returns, with the streams of `child`, until others leave the program and
  // its simulator alone.
  ChildResult run_in_peace(const ChildSettings& child,
                           const std::function<ChildSettings()>& prepare) const {
    return process::run_undisturbed(run_.name, run_.output / "simulator-lost", [&] {
      ChildSettings prepared = prepare();
      prepared.output = child.output;
      prepared.input_from = child.input_from;
      return prepared;
    });
  }

  ChildSettings with_findings(const std::map<std::string, std::string>& environment) const {
    fs::remove(lines_);
    ChildSettings child = run_.child;
    child.environment.insert(environment.begin(), environment.end());
    child.environment["GPUTEST_CUDA_FINDINGS"] = lines_.string();
    return child;
  }

  CudaRun run_;
  fs::path records_, lines_;
  CudaMutationSettings mutation_{};
  bool apart_ = false;
};

std::unique_ptr<TestedProgram> open_cuda(ProgramTask task, const GivenOptions& options,
                                         const model::Settings* /*analysis*/) {
  return std::make_unique<CudaProgram>(std::move(task), options);
}

} // namespace

ProgramKind cuda_kind() {
  return {.name = "cuda",
          .title = "CUDA",
          .recognises = is_cuda_program,
          .options = kCudaOptions,
          .unused = kUnused,
          .places = model::kInCuda,
          .prints_findings = true,
          .open = open_cuda};
}

} // namespace gputest::program
