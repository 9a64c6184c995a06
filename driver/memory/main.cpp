// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gputest-memory: says what makes kernels slow. gputest starts it.
#include "driver/command_error.h"
#include "driver/lock_step_option.h"
#include "driver/memory/earlier.h"
#include "driver/memory/generation.h"
#include "driver/memory/limits.h"
#include "driver/memory/replays.h"
#include "driver/memory/shards.h"
#include "driver/memory/subject.h"
#include "driver/source_arguments.h"
#include "gputest/error.h"
#include "ir/error.h"
#include "ir/words.h"
#include "memory/generate/result.h"
#include "memory/generate/time.h"
#include "memory/kernel.h"
#include "memory/local_sizes.h"
#include "memory/replay.h"
#include "memory/search.h"
#include "memory/text.h"
#include "memory/timeline.h"
#include "model/analyses.h"
#include "model/files.h"
#include "model/language.h"
#include "model/shard.h"
#include "model/shell.h"
#include "testgen/goals/work_clock.h"

#include <algorithm>
#include <array>
#include <cxxopts.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <optional>

namespace {

constexpr gputest::model::WholeRange kCount{1, 1'000'000'000};

namespace fs = std::filesystem;
using namespace gputest;
using driver::CommandError;
using driver::Failed;
using driver::Held;
using driver::list_of;
using driver::run_command;

// Returns the default of a setting of MEMORY, which this command uses as well.
std::string fallback_of(std::string_view setting) {
  const model::Analysis* const memory = model::find_analysis(model::analyses(), "memory");
  return std::string(model::find_setting(*memory, setting)->fallback);
}

cxxopts::Options all_options() {
  cxxopts::Options options("gputest memory",
                           "Runs test cases on the model of a GPU and says what makes them slow");
  options.positional_help("SOURCE");
  options.add_options()("k,kernel", "The kernel; default: the only one of the file",
                        cxxopts::value<std::string>()->default_value(""))(
      "case", "A file of test cases; may be repeated", cxxopts::value<std::vector<std::string>>())(
      "launch",
      "A launch of a CUDA program that gputest run has kept, instead of SOURCE and --case; may be "
      "repeated for one kernel",
      cxxopts::value<std::vector<std::string>>(), "FILE")(
      "caches",
      "What is in the caches when a launch of --launch begins: nothing, or what the launch before "
      "has left in those that all cores share; warm needs a --gpu that has such a cache",
      cxxopts::value<std::string>()->default_value(fallback_of("caches")), "cold|warm")(
      "gpu", fmt::format("a preset: {}; or a file", fmt::join(memory::preset_names(), ", ")),
      cxxopts::value<std::string>()->default_value(fallback_of("gpu")))(
      "schedule",
      "Which warp continues when one waits: round-robin, oldest, random, priorities or guided",
      cxxopts::value<std::string>()->default_value("round-robin"))(
      "seed", "Seed of the random schedule, of the first one of --schedules, and of --strategy",
      cxxopts::value<std::string>()->default_value("1"))(
      "schedules",
      "Try so many schedules of each case, round-robin, guided, oldest and random ones, and report "
      "the one that loses most",
      cxxopts::value<std::string>())("issues",
                                     "Exit with 1 if there are more than so many warnings",
                                     cxxopts::value<std::string>())(
      "cycles", "Exit with 1 if a case takes more than so many cycles",
      cxxopts::value<std::string>())(
      "not-slower-than",
      "Exit with 1 if a case takes more cycles than with the kernel of this commit, branch or tag",
      cxxopts::value<std::string>(), "COMMIT")(
      "slower-by", "With --not-slower-than: up to so many percent more are allowed; default: 0",
      cxxopts::value<std::string>(),
      "P")("replays", "A folder for the schedules of the cases, which can be replayed",
           cxxopts::value<std::string>())(
      "replay",
      "Run the case of this file under its schedule; exit with 1 if it takes other cycles",
      cxxopts::value<std::string>())(
      "overhead",
      "Exit with 1 if a case loses more than so many percent of its cycles because warps disturb "
      "each other",
      cxxopts::value<std::string>()->default_value("100"))("json", "Write memory.json to this file",
                                                           cxxopts::value<std::string>())(
      "strategy",
      "Look for inputs and schedules that lose most, beginning with the first case: guided, "
      "symbolic-random or random",
      cxxopts::value<std::string>())(
      "budget", "Seconds of processor time of --strategy",
      cxxopts::value<std::string>()->default_value(fallback_of("budget")))(
      "executions", "End --strategy after so many executions",
      cxxopts::value<std::string>())("keep", "Report so many of the worst cases of --strategy",
                                     cxxopts::value<std::string>()->default_value("5"))(
      "worst-by",
      "With --strategy: what the worst case loses most of, cycles, or the share of its own cycles",
      cxxopts::value<std::string>()->default_value("cycles"), "cycles|share")(
      "compare",
      "Run the other strategies, too, with the same budget; the page has a curve for each")(
      "timeline", "Write what the warps of the worst case do, as a trace for Perfetto",
      cxxopts::value<std::string>())("argument", "Value for cases that give none: n=64",
                                     cxxopts::value<std::vector<std::string>>())(
      "require", "A condition that every input of --strategy obeys: ascending(row_start)",
      cxxopts::value<std::vector<std::string>>())(
      "global-size", "Global size for cases that give none: 64 or 64,8",
      cxxopts::value<std::string>())("local-size", "Local size for cases that give none",
                                     cxxopts::value<std::string>())(
      "global-offset", "Global offset for cases that give none", cxxopts::value<std::string>())(
      driver::kLockStepOption, driver::kLockStepHelp, cxxopts::value<std::string>())(
      "shared-memory", "For CUDA: bytes of dynamic __shared__ memory for cases that give none",
      cxxopts::value<std::string>()->default_value("0"))(
      "shard",
      "Try only the K-th of N parts of --schedules, K/N; with --strategy, use a seed of its own",
      cxxopts::value<std::string>())(
      "content", "What the result of a shard belongs to; host programs give this",
      cxxopts::value<std::string>())("take",
                                     "The memory.json of a shard, with its --replays in memory/ "
                                     "beside it: take the worst cases that it has; give all shards",
                                     cxxopts::value<std::vector<std::string>>());
  driver::add_source_options(options);
  return options;
}

// Prints the result. `replays`: the folder of replays; empty: there are none.
void print(const memory::KernelReport& result, const memory::Gpu& gpu, const fs::path& replays) {
  const memory::ReferenceCoverage coverage = memory::coverage_of(result);
  for (const memory::CaseReport& report : result.cases) {
    fmt::print("{}{}{}", memory::warnings_text(report), memory::notes_text(report),
               memory::summary_text(report, result.kernel, gpu));
    if (!report.replay.empty())
      fmt::print("  replay: {}\n", model::replay_command(replays / report.replay));
    fmt::print("\n");
  }
  for (const memory::Patch& patch : result.patches.found)
    fmt::print("{}\n", memory::patch_text(patch));
  if (result.patches.note)
    fmt::print("{}\n", *result.patches.note);
  if (result.generation) {
    const memory::Generated& found = result.generation->found;
    fmt::print("{}: {} executions in {:.1f} s, {} states of warps seen, {} solved; {} issues\n",
               memory::name_of(result.generation->settings.strategy), found.executions,
               found.seconds, found.states, found.solved,
               found.progress.empty() ? 0 : found.progress.back().issues);
    if (found.faulty != 0)
      fmt::print("{} generated inputs are left out, because the kernel fails with them\n",
                 found.faulty);
    if (found.left_out != 0)
      fmt::print("{} of {} cases are left out, because the time is over; a larger --budget or a "
                 "smaller --keep leaves time for them\n",
                 found.left_out, found.left_out + found.cases.size());
    if (!found.note.empty())
      fmt::print("no paths were looked for: {}\n", found.note);
  }
  fmt::print("{} of {} references that may wait for memory were run\n", coverage.explored,
             coverage.total);
}

std::vector<std::uint8_t> sure_hits(const memory::StaticReport& known,
                                    const memory::LaunchTrace& trace,
                                    const memory::TracedLaunch& launch) {
  return memory::sure_hits_of(known, trace, launch.sizes.items_of_group());
}

// Runs the case of a file under its schedule.
int replay(const fs::path& file, const memory::Gpu& gpu, const memory::Tracer& tracer,
           const memory::Kernel& kernel, const memory::LaunchDefaults& defaults,
           std::vector<memory::NamedLaunch> launches) {
  const memory::Replay replay = memory::read_replay(file);
  if (!replay.case_file.empty())
    launches = memory::launches_of(kernel, {file.parent_path() / replay.case_file}, defaults);
  const auto named = std::ranges::find(launches, replay.test_case, &memory::NamedLaunch::name);
  if (named == launches.end())
    throw CommandError(
        fmt::format("{}: error: is a schedule of the case '{}', and --case has none of "
                    "that name",
                    file.string(), replay.test_case));
  const memory::LaunchTrace trace = tracer.trace(named->launch, gpu.warps());
  memory::check_replay(replay, file.string(), gpu, trace);
  const memory::Cycles cycles =
      memory::run(gpu, trace,
                  {.choice = {.kind = memory::WarpChoice::Kind::Listed, .listed = replay.choices}})
          .cycles;
  const memory::StaticReport known = tracer.classify(named->launch, gpu);
  memory::CaseReport report = memory::analyse(gpu, trace, named->name, replay.choice,
                                              sure_hits(known, trace, named->launch));
  memory::add_static(report, known);
  memory::say_in_words_of(kernel.language(), report);
  fmt::print("{}{}", memory::warnings_text(report),
             memory::summary_text(report, trace.kernel, gpu));
  const bool same = cycles == replay.cycles;
  fmt::print("{} cycles, {}\n", memory::grouped(cycles),
             same ? "as in the file" : "and " + memory::grouped(replay.cycles) + " in the file");
  return same ? Held : Failed;
}

memory::WorstBy worst_by_of(const cxxopts::ParseResult& arguments) {
  const auto name = arguments["worst-by"].as<std::string>();
  if (const auto by = model::named<memory::WorstBy>(name))
    return *by;
  throw CommandError(fmt::format("error: --worst-by '{}' is none of cycles, share", name));
}

memory::GenerateSettings generate_settings(const cxxopts::ParseResult& arguments) {
  return {.strategy = memory::strategy_named(arguments["strategy"].as<std::string>()),
          .seconds = driver::seconds_option(arguments, "budget"),
          .executions = arguments.count("executions")
                            ? driver::whole_option(arguments, "executions", kCount)
                            : 0,
          .seed = driver::whole_option(arguments, "seed"),
          .cases = driver::whole_option(arguments, "keep", kCount),
          .worst_by = worst_by_of(arguments)};
}

// Returns the part that this run is. Shards have seeds of their own.
model::Shard shard_of(const cxxopts::ParseResult& arguments) {
  if (!arguments.count("shard"))
    return {};
  const auto text = arguments["shard"].as<std::string>();
  const std::optional<model::Shard> shard = model::shard_in(text);
  if (!shard)
    throw CommandError(
        fmt::format("error: --shard '{}': give K/N, the K-th of N parts, such as 1/4", text));
  return *shard;
}

// Adds what the warps of the worst case do over time.
void add_spans(const memory::Gpu& gpu, const memory::Tracer& tracer, memory::KernelReport& result,
               const std::vector<memory::NamedLaunch>& launches,
               const std::optional<driver::CaseGeneration>& generation) {
  memory::CaseReport& worst =
      *std::ranges::max_element(result.cases, {}, &memory::CaseReport::overhead_percent);
  const auto named = std::ranges::find(launches, worst.name, &memory::NamedLaunch::name);
  const memory::TracedLaunch& launch =
      named != launches.end() ? named->launch : generation.value().launch(worst.name);
  const memory::LaunchTrace trace = tracer.trace(launch, gpu.warps());
  memory::RunCount count = memory::run(
      gpu, trace,
      {.choice = worst.choice, .spans = true, .step = memory::step_of(worst.count.cycles)});
  worst.count.spans = std::move(count.spans);
  worst.count.sets = std::move(count.sets);
}

// Whether the run looks for patches. Of shards, the one that merges does; gates print none, and
// memory.json has them.
bool wants_patches(const cxxopts::ParseResult& arguments) {
  const bool has_gate =
      std::ranges::any_of(std::array{"cycles", "issues", "not-slower-than"},
                          [&](const char* option) { return arguments.count(option) != 0; });
  return !arguments.count("shard") && (!has_gate || arguments.count("json") != 0);
}

// Returns the seconds that looking for patches may take: of --budget a tenth at most.
double seconds_of_patches(const cxxopts::ParseResult& arguments) {
  const double most = memory::PatchTime().seconds;
  return arguments.count("strategy")
             ? std::min(most, driver::seconds_option(arguments, "budget") / 10)
             : most;
}

int run_cases(const cxxopts::ParseResult& arguments, const frontend::SourceOptions& source) {
  const testgen::WorkClock clock;
  const memory::Gpu gpu = memory::gpu_named(arguments["gpu"].as<std::string>());
  memory::KernelReport result;
  result.gpu = gpu.name;
  if (arguments.count("content"))
    result.content = arguments["content"].as<std::string>();
  const memory::WarpChoice choice{.kind =
                                      memory::choice_named(arguments["schedule"].as<std::string>()),
                                  .seed = driver::whole_option(arguments, "seed")};
  const std::size_t schedules =
      arguments.count("schedules") ? driver::whole_option(arguments, "schedules", kCount) : 1;
  for (const char* option : {"schedules", "replay", "shard", "take"})
    if (arguments.count(option) && arguments.count("schedule"))
      throw CommandError(fmt::format("error: --{} and --schedule: give one of them", option));
  if (arguments.count("take") && arguments.count("shard"))
    throw CommandError("error: --take is for the run that merges: leave out --shard");
  const model::Shard shard = shard_of(arguments);
  const memory::TriedSchedules tried{.count = schedules,
                                     .seed = choice.seed,
                                     .first = (shard.number - 1) % schedules,
                                     .step = shard.of};
  for (const char* option : {"schedules", "replays", "json", "shard", "take"})
    if (arguments.count("replay") && arguments.count(option))
      throw CommandError(fmt::format("error: --replay runs one schedule: leave out --{}", option));
  driver::MemoryLimits limits = driver::memory_limits(arguments);
  for (const char* option : {"budget", "executions", "keep", "worst-by", "compare", "require"})
    if (arguments.count(option) && !arguments.count("strategy"))
      throw CommandError(fmt::format("error: --{} needs --strategy: give it", option));
  const driver::MemorySubject subject = driver::memory_subject(arguments, source, gpu);
  const memory::Kernel& kernel = subject.kernel;
  const memory::LaunchDefaults& defaults = subject.defaults;
  const std::vector<memory::NamedLaunch>& launches = subject.launches;
  result.kernel = kernel.name();
  result.source = kernel.file;
  const memory::Tracer tracer(kernel.source, kernel.name());
  if (arguments.count("replay"))
    return replay(arguments["replay"].as<std::string>(), gpu, tracer, kernel, defaults, launches);
  std::vector<std::pair<memory::Replay, std::size_t>> replays;
  std::optional<driver::TakenShards> taken;
  if (arguments.count("take"))
    taken.emplace(list_of(arguments, "take"), launches, kernel, defaults);
  const double before_reports = clock.seconds();
  for (const memory::NamedLaunch& named : launches) {
    const memory::LaunchTrace trace = tracer.trace(named.launch, gpu.warps());
    const memory::StaticReport known = tracer.classify(named.launch, gpu);
    const std::vector<std::uint8_t> sure = sure_hits(known, trace, named.launch);
    const memory::WarpChoice worst = taken ? taken->worst_of(result.cases.size(), tried)
                                     : schedules == 1
                                         ? choice
                                         : memory::worst_schedule(gpu, trace, tried, sure);
    memory::CaseReport& report =
        result.cases.emplace_back(memory::analyse(gpu, trace, named.name, worst, sure));
    memory::try_local_sizes(gpu, tracer, named.launch, report);
    report.schedules_tried = (schedules - tried.first + tried.step - 1) / tried.step;
    memory::add_static(report, known);
    if (arguments.count("replays"))
      replays.emplace_back(memory::replay_of(gpu, trace, report), result.cases.size() - 1);
  }
  const double of_reports = clock.seconds() - before_reports;
  if (wants_patches(arguments))
    result.patches = memory::verified_patches(
        gpu, source, kernel, tracer, launches, result.cases,
        {.seconds = seconds_of_patches(arguments), .clock = [&] { return clock.seconds(); }});
  std::optional<driver::CaseGeneration> generation;
  if (arguments.count("strategy")) {
    generation.emplace(source, kernel, defaults.arguments, list_of(arguments, "require"));
    memory::GenerateSettings settings = generate_settings(arguments);
    settings.seed += shard.number - 1;
    const double used = clock.seconds();
    const memory::TimeForCases time{.budget = settings.seconds,
                                    .of_report = of_reports / static_cast<double>(launches.size())};
    const bool has_limit = !taken && settings.executions == 0 && arguments.count("compare") == 0;
    if (has_limit)
      settings.seconds = time.of_search(used, settings.cases);
    memory::Generation found =
        taken ? memory::Generation{.settings = settings, .found = taken->generated(settings)}
              : generation->look(tracer, launches.front(), gpu, settings,
                                 arguments.count("compare") != 0);
    found.settings.seconds = time.budget;
    generation->report(std::move(found), tracer, gpu, result, replays,
                       [&] { return has_limit && time.is_over(clock.seconds()); });
  }
  for (memory::CaseReport& report : result.cases)
    memory::say_in_words_of(kernel.language(), report);
  if (arguments.count("replays")) {
    if (generation)
      generation->write(arguments["replays"].as<std::string>(), !defaults.global_offset.empty());
    driver::write_replays(arguments["replays"].as<std::string>(), std::move(replays),
                          driver::words_of(arguments), result);
  }
  if (arguments.count("timeline") || arguments.count("json"))
    add_spans(gpu, tracer, result, launches, generation);
  if (arguments.count("timeline"))
    model::write_atomically(arguments["timeline"].as<std::string>(),
                            memory::timeline_json(result.worst().count, result.worst()).dump() +
                                "\n");
  print(result, gpu, driver::text_option(arguments, "replays"));
  if (limits.earlier) {
    const driver::EarlierKernel earlier(source, kernel.name(), limits.earlier->commit);
    for (const memory::NamedLaunch& named : earlier.launches(subject.files, defaults)) {
      const memory::LaunchTrace trace = earlier.tracer().trace(named.launch, gpu.warps());
      const std::vector<std::uint8_t> sure =
          sure_hits(earlier.tracer().classify(named.launch, gpu), trace, named.launch);
      limits.earlier->cycles[named.name] =
          memory::run(
              gpu, trace,
              {.choice = schedules == 1 ? choice : memory::worst_schedule(gpu, trace, tried, sure)})
              .cycles;
    }
  }
  result.missed = driver::missed_limits(result, limits);
  if (arguments.count("json"))
    model::write_atomically(arguments["json"].as<std::string>(),
                            model::pretty(model::to_json(memory::results_of(result)), 3));
  for (const std::string& limit : result.missed)
    fmt::print("{}\n", limit);
  return result.missed.empty() ? Held : Failed;
}

int run(int argc, char** argv) {
  cxxopts::Options options = all_options();
  const cxxopts::ParseResult arguments = options.parse(argc, argv);
  if (arguments.count("help"))
    return driver::print_help(options);
  const frontend::SourceOptions source = driver::memory_source(arguments);
  try {
    return run_cases(arguments, source);
  } catch (const ir::InputError& error) {
    const std::string text = ir::in_words_of(model::language_of(source.file), error.what());
    throw CommandError(text.find("error: ") == std::string::npos ? "error: " + text : text);
  }
}

} // namespace

int main(int argc, char** argv) {
  if (argc < 2 || std::string_view(argv[1]) != "memory")
    return driver::refuse_by_hand("gputest-memory");
  return run_command("memory", [&] {
    try {
      return run(argc - 1, argv + 1);
    } catch (const UsageError& error) {
      throw CommandError(error.what());
    } catch (const ir::SourceError& error) {
      throw CommandError(error.what());
    }
  });
}
