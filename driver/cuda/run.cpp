// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/cuda/run.h"

#include "driver/command_error.h"
#include "driver/layer_file.h"
#include "driver/oracle_arguments.h"
#include "driver/report/report.h"
#include "model/analyses.h"
#include "model/cuda_environment.h"

#include <array>
#include <cstdlib>
#include <fmt/format.h>
#include <string_view>

namespace gputest::driver {
namespace {

namespace fs = std::filesystem;

constexpr std::array kOptionsOfCuda{"tables", "zero-shared", "warp-size"};
constexpr std::array kOptionsOfOpenCL{"kernels", "exclude",    "cache",         "groups",
                                      "items",   "order-seed", "launch-timeout"};

// Settings of `gputest run` that mean nothing for a CUDA program.
struct Unused {
  std::string_view analysis, setting, why;
};
constexpr std::array kUnused{
    Unused{"coverage", "launches", "coverage is that of all launches together"},
    Unused{"coverage", "no-compare", "nothing is compared"},
    Unused{"schedules", "time-limit", "launches are repeated in one run, which has --timeout"},
    Unused{"schedules", "timeout-factor", "launches are repeated in one run"},
    Unused{"schedules", "baseline", "launches are repeated in one run"},
    Unused{"schedules", "jobs", "launches are repeated in one run"},
};

// Returns whether a variable gives the time limit of a whole target, which is for others as well.
bool is_for_all(std::string_view setting) {
  const char* const limit = std::getenv("GPUTEST_TIME_LIMIT");
  return setting == "time-limit" && limit && *limit;
}

void refuse_unused(const model::Settings& settings) {
  for (const Unused& unused : kUnused)
    if (settings.analysis().name == unused.analysis && settings.given(unused.setting) &&
        !is_for_all(unused.setting))
      throw CommandError(fmt::format("error: --{} is for OpenCL programs: of a CUDA program {}",
                                     unused.setting, unused.why));
}

} // namespace

void add_cuda_options(cxxopts::Options& options) {
  options.add_options("CUDA programs")(
      "tables", "the folder of the compiler's tables, if the program was built somewhere else",
      cxxopts::value<std::string>(),
      "DIR")("zero-shared", "simulator: __shared__ memory begins with zeros")(
      "warp-size", "simulator: threads of a warp, 32 or 64", cxxopts::value<std::string>(), "N");
}

void refuse_cuda_options(const cxxopts::ParseResult& arguments) {
  for (const char* const option : kOptionsOfCuda)
    if (arguments.count(option) > 0)
      throw CommandError(fmt::format("error: --{} is for CUDA programs", option));
}

int run_cuda(const cxxopts::ParseResult& arguments, const ProgramCommand& command,
             const std::optional<model::Settings>& asked, const CudaAnalysis& analysis) {
  if (!arguments.unmatched().empty())
    throw CommandError(fmt::format("error: '{}': the program to run comes behind '--'",
                                   arguments.unmatched().front()));
  for (const char* const option : kOptionsOfOpenCL)
    if (arguments.count(option) > 0)
      throw CommandError(fmt::format("error: --{} is for OpenCL programs", option));
  if (!asked)
    throw CommandError("error: what is to be measured? See gputest run --help");
  const model::Settings& settings = *asked;
  refuse_other_reports(arguments, {&settings.analysis()});
  refuse_unused(settings);
  if (analysis.refuse)
    analysis.refuse(settings, arguments);
  if (command.command.empty())
    throw CommandError("error: no program: gputest run [OPTION…] -- PROGRAM [ARGUMENT…]");
  program::CudaRun what{
      .output = fs::absolute(arguments["output"].as<std::string>()),
      .name = arguments.count("name") > 0 ? arguments["name"].as<std::string>()
                                          : fs::path(command.command.front()).filename().string(),
      .child = {.command = command.command, .environment = {}, .output = {}},
      .quiet = arguments["no-terminal"].as<bool>(),
      .device = arguments.count("device") > 0 ? arguments["device"].as<std::string>() : "simulator",
      .tables = {},
      .oracle = oracle_of(arguments),
      .simulator = place_of_simulator(),
      .passes = own_file().parent_path() / "gputest-passes"};
  if (what.device != "simulator" && what.device != "gpu")
    throw CommandError(
        fmt::format("error: --device: '{}' is not known: simulator or gpu", what.device));
  if (what.oracle.reads && what.device == "gpu")
    throw CommandError("error: --oracle reads is for the simulator: on a GPU nobody records what "
                       "the program reads back; give --oracle output");
  if (arguments.count("zero-shared") > 0) {
    if (what.device == "gpu")
      throw CommandError("error: --zero-shared is for the simulator: a GPU leaves any values");
    what.child.environment[model::kZeroShared] = "1";
  }
  if (arguments.count("warp-size") > 0) {
    const auto size = arguments["warp-size"].as<std::string>();
    if (what.device == "gpu")
      throw CommandError("error: --warp-size is for the simulator: a GPU has its own");
    if (size != "32" && size != "64")
      throw CommandError(
          fmt::format("error: --warp-size: '{}' is no size of a warp: 32 and 64 are", size));
    what.child.environment[model::kWarpSize] = size;
  }
  if (arguments.count("tables") > 0)
    what.tables = fs::absolute(arguments["tables"].as<std::string>());
  if (arguments.count("timeout") > 0)
    what.child.timeout = seconds_option(arguments, "timeout");
  const program::OutputLock lock(what.output);
  if (program::lacks_device(what))
    return program::kSkipped;
  return analysis.run(what, settings, arguments);
}

} // namespace gputest::driver
