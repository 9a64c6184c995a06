// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/analyses.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace gputest::model {
namespace {

using enum ValueKind;

constexpr unsigned kInCMake = kInKernel | kInProgram;
constexpr unsigned kInOptions = kInHarness | kInRun;
constexpr unsigned kEverywhere = kInCMake | kInOptions;
constexpr unsigned kOfKernel = kInKernel | kInHarness;

// Columns: name, type, places, default, the value's name in help, help.
constexpr Setting seed(unsigned places, std::string_view help) {
  return {"seed", Count, places, "1", "N", help};
}
constexpr Setting repeat(std::string_view help) {
  return {"repeat", Size, kOfKernel, "3", "N", help};
}
constexpr Setting timeout_factor(unsigned places, std::string_view help) {
  return {"timeout-factor", Factor, places, "10", "F", help};
}
// The time limit of a run (docs/mutation.md, "A time limit").
constexpr Setting time_limit(unsigned places, std::string_view help) {
  return {.name = "time-limit",
          .kind = Duration,
          .places = places,
          .value = "TIME",
          .help = help,
          .in_environment = true};
}
constexpr Setting shards(unsigned places = kInKernel) {
  return {"shards", Size, places, "1"};
}
constexpr Setting shard(std::string_view help, unsigned places = kInHarness) {
  return {"shard", Text, places, "", "K/N", help};
}
constexpr Setting kBaseline{"baseline", Size, kInRun,
                            "3",        "N",  "runs that change nothing, at least 2"};
constexpr Setting kJobs{"jobs", Size, kInRun,
                        "",     "N",  "programs at the same time; default: as many as cores"};

constexpr Setting kCoverage[] = {
    {"statement", Percent, kInCMake},
    {"branch", Percent, kInCMake},
    {"condition", Percent, kInCMake},
    {"loop", Percent, kInCMake},
    {"barrier", Percent, kInCMake},
    {"instantiations", Choice, kInCuda, "merged", "merged|apart"},
    {"launches", Flag, kInRun, "", "", "also of each launch by itself"},
    {"no-compare", Flag, kInRun, "", "",
     "do not run the program without instrumentation to compare what it reads back"},
};

constexpr Setting kMutation[] = {
    // `gputest run` has the --threshold of reports.
    {"threshold", Percent, kInCMake | kInHarness, "", "P",
     "exit with 1 if the score is below P percent"},
    {"operators", Operators, kEverywhere, "", "NAMES",
     "only mutants of these: names, conventional, gpu, all"},
    {"functions", Words, kEverywhere, "", "NAMES", "only mutants in these functions"},
    {"files", Words, kEverywhere, "", "PATTERNS",
     "only mutants in files that match, such as filters/*.h"},
    repeat("runs of each case for each mutant"),
    {"sample", Size, kEverywhere, "", "N", "only so many mutants, drawn by --seed"},
    seed(kInOptions, "seed of the sample"),
    {.name = "since",
     .kind = Commit,
     .places = kEverywhere,
     .value = "REF",
     .help = "only mutants on lines that changed since this commit, branch or tag; none: all lines",
     .in_environment = true},
    time_limit(kEverywhere, "begin no mutant after this time, such as 10min; those that are most "
                            "worth run first"),
    timeout_factor(kEverywhere, "time limit of a mutant, as a multiple of the original's time"),
    kBaseline,
    kJobs,
    {"mutant", Names, kInOptions, "", "ID", "only this mutant; may be repeated"},
    shards(kInCMake),
    shard("only the K-th of N parts, with a store and a folder of its own", kInOptions),
    {"all-cases", Flag, kOfKernel, "", "", "run all cases, also after a kill"},
    {"store", File, kInOptions, "", "FILE",
     "store of outcomes; without it results.db beside the results, for a shard in its folder"},
    {"fresh", Flag, kInOptions, "", "", "run all mutants, whatever is stored"},
    {"whole-runs", Flag, kInRun, "", "",
     "run the program once for each mutant, also where its launches decide"},
    {"no-simulator", Flag, kInOptions, "", "", "do not run survivors in the simulator"},
    {"verify", Limit, kInHarness, "", "N",
     "run N mutants (without a number all) in one kernel and each alone, and compare the verdicts",
     true},
};

constexpr Setting kSchedules[] = {
    {"count", Size, kInCMake, "10"},
    {"strategy", Choice, kEverywhere, "all", "permute|first|serial|reverse|all", "which orders"},
    seed(kEverywhere, "seed of random orders"),
    repeat("runs of each order"),
    time_limit(kEverywhere, "begin no order after this time, such as 10min"),
    timeout_factor(kInRun, "time limit of a run, as a multiple of one that changes nothing"),
    kBaseline,
    kJobs,
    {"tolerance", Real, kInRun, "1e-5", "E",
     "relative difference of floating-point numbers that does not count"},
    shards(),
    shard("only the K-th of N parts of the orders, with a folder of its own"),
    {"schedule", File, kInHarness, "", "FILE", "run the case of this file under its schedule",
     true},
};

constexpr Setting kCheck[] = {
#define GPUTEST_HOST(name, fallback, finds, ...) {#name, Flag, kInProgram, fallback},
#define GPUTEST_CHECK(name, fallback, finds, ...) {#name, Flag, kInCMake, fallback},
#include "model/checks.def"
    {"interleavings", Limit, kOfKernel, "100000", "N",
     "run every interleaving of a case, at most N"},
    {"sub_group_sizes", Flag, kInKernel},
    {"suppressions", File, kEverywhere, "", "FILE",
     "findings that are accepted; default: the gputest.suppressions that is nearest above the "
     "source"},
};

constexpr Setting kFuzz[] = {
    {.name = "seconds", .kind = Size, .places = kInKernel, .fallback = "10", .is_time = true},
    time_limit(kOfKernel, "look for inputs no longer than this, such as 10min"),
    {"seed", Count, kOfKernel, "", "N", "seed of the inputs; default: another one each time"},
    {"no-device", Flag, kOfKernel, "", "", "do not compare the simulator with the device"},
    shards(),
    shard("the K-th of N runs, each with inputs and a folder of its own"),
    {"replay", File, kInHarness, "", "FILE", "only judge the cases of this file", true},
    {"judge", Flag, kInHarness, "", "",
     "answer the questions of `gputest fuzz`, which gives this option", true},
};

constexpr Setting kMemory[] = {
    {"count", Size, kInCMake, "20"},
    {"largest", Size, kInProgram | kInRun, "1", "N",
     "the most launches of a kernel, those with most work-items"},
    {"max-bytes", Size, kInProgram | kInRun, "268435456", "N",
     "leave out launches with more bytes in buffers"},
    {"caches", Choice, kInProgram | kInRun, "cold", "cold|warm",
     "what is in the caches when a launch begins: nothing, or what the launch before has left in "
     "those that all cores share; warm needs a --gpu that has such a cache"},
    {"gpu", Text, kEverywhere, "embedded", "GPU",
     "a preset, as gputest memory --help lists them, or a file beside the kernel's"},
    {"overhead", Percent, kEverywhere, "", "P",
     "exit with 1 if a case loses more than P percent of its cycles because warps disturb each "
     "other"},
    {"issues", Count, kEverywhere, "", "N", "exit with 1 if there are more than N warnings"},
    {"cycles", Size, kEverywhere, "", "N", "exit with 1 if a case takes more than N cycles"},
    {"not-slower-than", Commit, kOfKernel, "", "COMMIT",
     "exit with 1 if a case takes more cycles than with the kernel of this commit, branch or tag"},
    {"slower-by", Percent, kOfKernel, "", "P",
     "with --not-slower-than: up to P percent more are allowed"},
    {"strategy", Choice, kOfKernel, "", "guided|symbolic-random|random",
     "look for inputs and schedules that lose most, beginning with the first case"},
    {.name = "budget",
     .kind = Size,
     .places = kOfKernel,
     .fallback = "60",
     .value = "N",
     .help = "seconds of processor time of the strategy",
     .is_time = true},
    seed(kOfKernel, "seed of the first random schedule of warps, and of the strategy"),
    shards(),
    shard("the K-th of N parts of the schedules, with a seed of its own for the strategy"),
    {"warps", File, kInHarness, "", "FILE", "run the case of this file under its schedule of warps",
     true},
};

constexpr std::string_view kSimulator = "simulator";

constexpr std::array kAnalyses{
    Analysis{.name = "test", .result = "test.json", .device = DeviceUse::Cases, .always = true},
    Analysis{.name = "coverage",
             .help = "measure the coverage of the kernel",
             .settings = kCoverage,
             .result = "coverage.json",
             .variant = {.subcommand = "instrument",
                         .comment = "Instrumenting",
                         .text = "coverage.cl",
                         .table = "sites.json",
                         .others = "interface.json"},
             .reports = "html;json;lcov;cobertura;sarif;junit;threshold;instantiations",
             .device = DeviceUse::Cases,
             .cuda = "coverage",
             .needs_source = true,
             .always = true},
    Analysis{.name = "mutation",
             .help = "run the cases on mutants of the kernel",
             .settings = kMutation,
             .result = "mutation.json",
             .variant = {.subcommand = "mutants",
                         .comment = "Making the mutants of",
                         .text = "mutants.cl",
                         .table = "mutants.json",
                         .others = "original.cl"},
             .reports = "html;json;sarif;junit;viewer;threshold",
             .device = DeviceUse::Cases,
             .cuda = "mutants",
             .needs_source = true,
             .is_long = true},
    Analysis{.name = "schedules",
             .help =
                 "run each case under N orders of groups and work-items, and compare the outputs",
             .settings = kSchedules,
             .value = "count",
             .result = "schedules.json",
             .variant = {.subcommand = "schedule",
                         .comment = "Remapping the ids of",
                         .text = "schedule.cl",
                         .table = "schedule-sites.json",
                         .others = "guarded.cl"},
             .reports = "html;json;sarif;junit",
             .device = DeviceUse::Cases,
             .cuda = kSimulator},
    Analysis{.name = "check",
             .help = "look for races, divergent barriers and more in the simulator",
             .settings = kCheck,
             .value = "*",
             .result = "check.json",
             .reports = "html;json;sarif;junit;write-suppressions",
             .cuda = kSimulator},
    Analysis{.name = "fuzz",
             .help = "look for inputs with which the kernel fails, for N seconds",
             .settings = kFuzz,
             .value = "seconds",
             .result = "fuzz.json",
             .device = DeviceUse::Compare},
    Analysis{.name = "memory",
             .help = "run the cases on the model of a GPU, under N schedules of warps",
             .settings = kMemory,
             .value = "count",
             .result = "memory.json",
             .reports = "html;sarif;junit",
             .cuda = kSimulator},
};

} // namespace

std::span<const Analysis> analyses() {
  return kAnalyses;
}

const Analysis* find_analysis(std::span<const Analysis> all, std::string_view name) {
  const auto found = std::ranges::find(all, name, &Analysis::name);
  return found == all.end() ? nullptr : &*found;
}

const Setting* find_setting(const Analysis& analysis, std::string_view name) {
  const auto found = std::ranges::find(analysis.settings, name, &Setting::name);
  return found == analysis.settings.end() ? nullptr : &*found;
}

const Variant& variant_of(std::string_view analysis) {
  return find_analysis(kAnalyses, analysis)->variant;
}

std::string_view result_file_of(std::string_view analysis) {
  return find_analysis(kAnalyses, analysis)->result;
}

std::string keyword_of(std::string_view name) {
  std::string keyword(name);
  std::ranges::transform(keyword, keyword.begin(), [](unsigned char c) {
    return c == '-' ? '_' : static_cast<char>(std::toupper(c));
  });
  return keyword;
}

} // namespace gputest::model
