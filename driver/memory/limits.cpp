// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/memory/limits.h"

#include "driver/command_error.h"
#include "memory/text.h"

#include <fmt/format.h>

namespace gputest::driver {
namespace {

void add_missed_cycles(const memory::CaseReport& report, const MemoryLimits& limits,
                       std::vector<std::string>& missed) {
  const memory::Cycles cycles = report.count.cycles;
  if (limits.cycles && cycles > *limits.cycles)
    missed.push_back(fmt::format("case '{}' takes {} cycles, more than {}", report.name,
                                 memory::grouped(cycles), memory::grouped(*limits.cycles)));
  if (!limits.earlier)
    return;
  const auto before = limits.earlier->cycles.find(report.name); // generated cases have none
  if (before == limits.earlier->cycles.end() ||
      static_cast<double>(cycles) <=
          static_cast<double>(before->second) * (1 + limits.earlier->percent / 100))
    return;
  missed.push_back(fmt::format(
      "case '{}' takes {} cycles, and {} with the kernel of {}{}", report.name,
      memory::grouped(cycles), memory::grouped(before->second), limits.earlier->commit,
      limits.earlier->percent > 0 ? fmt::format("; {} % more are allowed", limits.earlier->percent)
                                  : ""));
}

} // namespace

MemoryLimits memory_limits(const cxxopts::ParseResult& arguments) {
  MemoryLimits limits;
  limits.overhead = real_option(arguments, "overhead", 100);
  if (arguments.count("issues"))
    limits.issues = whole_option(arguments, "issues");
  if (arguments.count("cycles"))
    limits.cycles = whole_option(arguments, "cycles", {1, 1'000'000'000'000});
  if (arguments.count("slower-by") && !arguments.count("not-slower-than"))
    throw CommandError("error: --slower-by needs --not-slower-than: give it");
  if (arguments.count("not-slower-than"))
    limits.earlier = EarlierCycles{
        .commit = arguments["not-slower-than"].as<std::string>(),
        .percent = arguments.count("slower-by") ? real_option(arguments, "slower-by", 100) : 0,
        .cycles = {}};
  for (const char* option : {"cycles", "not-slower-than"})
    for (const char* other : {"replay", "shard"})
      if (arguments.count(option) && arguments.count(other))
        throw CommandError(
            fmt::format("error: --{} is no limit of a run with --{}: leave out one of "
                        "them",
                        option, other));
  return limits;
}

std::vector<std::string> missed_limits(const memory::KernelReport& result,
                                       const MemoryLimits& limits) {
  const double most = limits.overhead;
  const std::optional<std::size_t> issues = limits.issues;
  const memory::CaseReport& worst = result.worst();
  std::vector<std::string> missed;
  for (const memory::CaseReport& report : result.cases)
    add_missed_cycles(report, limits, missed);
  if (worst.overhead_percent() > most)
    missed.push_back(fmt::format("case '{}' loses {:.1f} % of its cycles, more than {} %",
                                 worst.name, worst.overhead_percent(), most));
  std::size_t warnings = 0;
  for (const memory::CaseReport& report : result.cases)
    warnings += report.warnings.size();
  if (issues && warnings > *issues)
    missed.push_back(fmt::format("{} {}, more than {}", warnings,
                                 warnings == 1 ? "warning" : "warnings", *issues));
  return missed;
}

} // namespace gputest::driver
