// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/commands.h"

#include "driver/command_error.h"
#include "driver/host_program.h"
#include "driver/layer_file.h"
#include "driver/program_arguments.h"
#include "driver/run/check.h"
#include "driver/run/schedules.h"
#include "model/files.h"
#include "model/json.h"
#include "model/schedules/schedule.h"
#include "program/check_replay.h"

#include <cxxopts.hpp>
#include <fmt/format.h>
#include <string_view>
#include <utility>

namespace gputest::driver {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// Returns the host program that the command line names, or else the file.
fs::path harness_of(const fs::path& file, const cxxopts::ParseResult& arguments) {
  const model::Schedule schedule = model::read_schedule(file);
  const std::string& named = schedule.harness;
  if (arguments.count("harness"))
    return find_harness(arguments["harness"].as<std::string>());
  if (named.empty())
    throw CommandError(
        fmt::format("{}: error: names no host program; give one with --harness", file.string()));
  const fs::path harness = (fs::absolute(file).parent_path() / named).lexically_normal();
  if (!fs::is_regular_file(harness))
    throw CommandError(fmt::format("{}: error: its host program {} is not there; build it, or give "
                                   "one with --harness",
                                   file.string(), harness.string()));
  return harness;
}

// A schedule of warps (docs/reference/formats.md, "Schedules of warps").
constexpr const char* kWarpScheduleFormat = "gputest-memory-schedule-1";

// Returns whether the file has this format, in any version.
bool is_of_kind(const fs::path& file, std::string_view format) {
  const Json json = Json::parse(model::read_text(file).value_or(""), nullptr, false);
  const auto found = json.is_object() ? json.find("format") : json.end();
  return json.is_object() && found != json.end() && found->is_string() &&
         model::kind_of_format(found->get<std::string>()) == model::kind_of_format(format);
}

// Replaces this process by `gputest memory --replay`, in the folder in which the file was written.
// Throws CommandError.
[[noreturn]] void replay_memory(const fs::path& file) {
  const auto [command, directory] = model::read_json_file(file, [](const Json& json) {
    model::expect_format(json, kWarpScheduleFormat);
    return std::pair{model::required<std::vector<std::string>>(json, "command"),
                     model::required<std::string>(json, "directory")};
  });
  std::vector<std::string> words{(own_file().parent_path() / "gputest-memory").string(), "memory"};
  words.insert(words.end(), command.begin(), command.end());
  words.insert(words.end(), {"--replay", fs::absolute(file).string()});
  std::error_code error;
  fs::current_path(directory, error);
  if (error)
    throw CommandError(fmt::format("{}: error: it was written in {}, which is not there; give it "
                                   "to gputest memory --replay, with the kernel and its cases",
                                   file.string(), directory));
  become(words);
}

} // namespace

int replay_command(int argc, char** argv) {
  cxxopts::Options options("gputest replay",
                           "Runs a test case under the schedule of a file, and as launched, and "
                           "compares the outputs");
  options.add_options()("file", "The schedule, as `<name>.schedules` writes one for each finding",
                        cxxopts::value<std::string>())(
      "harness",
      "The host program, or its folder <build>/gputest/<name>; default: as the file says",
      cxxopts::value<std::string>(),
      "PATH")("repeat", "Number of runs; default 3", cxxopts::value<std::string>(),
              "N")("device", "The device, as for the host program", cxxopts::value<std::string>(),
                   "NAME|INDEX")("h,help", "Print this");
  options.parse_positional({"file"});
  options.positional_help("FILE [-- PROGRAM [ARGUMENT…]]");
  ProgramCommand command = split_command(argc, argv);
  const cxxopts::ParseResult arguments =
      options.parse(static_cast<int>(command.options.size()), command.options.data());
  if (arguments.count("help"))
    return print_help(options);
  if (!arguments.count("file"))
    throw CommandError("error: which schedule? Give its file");
  const fs::path file = arguments["file"].as<std::string>();
  const auto repeat = static_cast<unsigned>(
      arguments.count("repeat") ? whole_option(arguments, "repeat", {1, ~0U}) : 3);
  if (is_of_kind(file, kWarpScheduleFormat)) {
    for (const char* option : {"harness", "device", "repeat"})
      if (arguments.count(option))
        throw CommandError(fmt::format("{}: error: is a schedule of the model of a GPU, and runs "
                                       "once, on it: leave out --{}",
                                       file.string(), option));
    replay_memory(file);
  }
  const bool is_of_check = is_of_kind(file, program::kCheckReplayFormat);
  const bool is_of_program = is_of_check || model::read_schedule(file).program.has_value();
  for (const char* option : {"harness", "device"})
    if (is_of_program && arguments.count(option))
      throw CommandError(fmt::format("{}: error: is of a whole program: --{} is for test cases",
                                     file.string(), option));
  if (is_of_check)
    return replay_check(file, command.command);
  if (is_of_program)
    return replay_program(file, command.command, repeat);
  if (!command.command.empty())
    throw CommandError(fmt::format(
        "{}: error: is a schedule of a test case, and no program is named for it: give a host "
        "program with --harness",
        file.string()));
  std::vector<std::string> words{harness_of(file, arguments).string(), "--schedule",
                                 fs::absolute(file).string()};
  if (arguments.count("repeat"))
    words.insert(words.end(), {"--repeat", fmt::format("{}", repeat)});
  if (arguments.count("device"))
    words.insert(words.end(), {"--device", arguments["device"].as<std::string>()});
  become(words);
}

} // namespace gputest::driver
