#include "runtime/analyses/schedules/options.h"

#include "gputest/error.h"

#include <cxxopts.hpp>

namespace gputest::runtime {

void add_schedule_options(cxxopts::Options& parser) {
  parser.add_options("Schedules")(
      "schedules",
      "run each case under N orders of groups and work-items: same outputs? default 10",
      cxxopts::value<unsigned>()->implicit_value("0"),
      "N")("strategy", "permute, first, serial, reverse or all (the default)",
           cxxopts::value<std::string>(),
           "NAME")("schedule", "run the case of this file under its schedule",
                   cxxopts::value<std::string>(), "FILE");
}

ScheduleOptions read_schedule_options(const cxxopts::ParseResult& result) {
  ScheduleOptions options;
  const bool search = result.count("schedules") != 0;
  options.run = search || result.count("schedule") != 0;
  if (search && result.count("schedule") != 0)
    throw UsageError("--schedule runs one schedule, and --schedules many: give one of them");
  if (!search && result.count("strategy") != 0)
    throw UsageError("--strategy is for --schedules");
  if (search && result["schedules"].as<unsigned>() > 0)
    options.count = result["schedules"].as<unsigned>();
  if (result.count("strategy") != 0)
    options.strategy = result["strategy"].as<std::string>();
  if (options.run && result.count("seed") != 0)
    options.seed = result["seed"].as<unsigned>();
  if (options.run && result.count("repeat") != 0)
    options.repeat = result["repeat"].as<unsigned>();
  if (result.count("schedule") != 0)
    options.replay = result["schedule"].as<std::string>();
  return options;
}

} // namespace gputest::runtime
