// The options of a harness that belong to --schedules; docs/command-line.md.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace cxxopts {
class Options;
class ParseResult;
} // namespace cxxopts

namespace gputest::runtime {

// What is not given is as described (gputest::Schedules).
struct ScheduleOptions {
  bool run = false;
  std::optional<unsigned> count{}; // 0: as described
  std::optional<std::string> strategy{};
  std::optional<unsigned> seed{}, repeat{};
  std::filesystem::path replay{}; // --schedule: only this one; empty: a search
};

void add_schedule_options(cxxopts::Options& parser);

// Throws UsageError for options given without --schedules.
ScheduleOptions read_schedule_options(const cxxopts::ParseResult& result);

} // namespace gputest::runtime
