#include "runtime/harness/options.h"

#include "gputest/error.h"

#include <algorithm>
#include <cmath>
#include <cxxopts.hpp>
#include <fmt/format.h>

namespace gputest::runtime {

Options parse_options(const std::string& name, int argc, const char* const* argv) {
  cxxopts::Options parser(name, "Runs the test cases of the OpenCL kernel '" + name + "'.");
  parser.add_options()("coverage", "run the instrumented kernel and write coverage.json") //
      ("list-devices", "list the OpenCL devices")                                         //
      ("list-cases", "list the test cases")                                               //
      ("device", "part of a device's or platform's name, cpu, gpu, accelerator, or an index",
       cxxopts::value<std::string>(), "NAME|INDEX") //
      ("case", "only this case; may be repeated", cxxopts::value<std::vector<std::string>>(),
       "NAME") //
      ("case-file", "test cases from this file instead; may be repeated",
       cxxopts::value<std::vector<std::string>>(), "FILE") //
      ("compare",
       "run the instrumented kernel, or with --mutation the one with all mutants, with --schedules "
       "the one with remapped ids, beside the original; with --device simulator the simulator "
       "beside "
       "an OpenCL device: same memory? at what cost?",
       cxxopts::value<unsigned>(), "RUNS") //
      ("check",
       "look for races, divergent barriers and more in the simulator; some of races, barriers, "
       "bounds, uninitialized, arithmetic, overflow, interleavings",
       cxxopts::value<std::string>()->implicit_value(""), "LIST") //
      ("interleavings", "with --check interleavings: the most that are run of a case; 100000",
       cxxopts::value<std::uint64_t>(), "N") //
      ("groups", "order of work-groups in the simulator: ascending, descending, random",
       cxxopts::value<std::string>(), "ORDER") //
      ("items", "order of the work-items of a group, likewise", cxxopts::value<std::string>(),
       "ORDER")                                                                              //
      ("order-seed", "of random orders; 1 without it", cxxopts::value<std::uint64_t>(), "N") //
      ("json", "where to write the result", cxxopts::value<std::string>(), "FILE")           //
      ("timeout", "for each case", cxxopts::value<double>(), "SECONDS")                      //
      ("verbose", "each argument, each launch, the build log")                               //
      ("help", "this text");
  add_mutation_options(parser);
  add_schedule_options(parser);
  Options options;
  try {
    const std::vector<std::string> words = with_joined_values(argc, argv);
    std::vector<const char*> pointers;
    for (const std::string& word : words)
      pointers.push_back(word.c_str());
    const auto result = parser.parse(static_cast<int>(pointers.size()), pointers.data());
    if (!result.unmatched().empty())
      throw UsageError(fmt::format("'{}' is no option", result.unmatched().front()));
    options.coverage = result.count("coverage") != 0;
    options.list_devices = result.count("list-devices") != 0;
    options.list_cases = result.count("list-cases") != 0;
    options.verbose = result.count("verbose") != 0;
    if (result.count("device") != 0)
      options.device = result["device"].as<std::string>();
    if (result.count("case") != 0)
      options.cases = result["case"].as<std::vector<std::string>>();
    if (result.count("case-file") != 0)
      options.case_files = result["case-file"].as<std::vector<std::string>>();
    if (result.count("compare") != 0) {
      options.compare = result["compare"].as<unsigned>();
      if (options.compare == 0)
        throw UsageError("--compare needs at least one run");
    }
    if (result.count("json") != 0)
      options.json = result["json"].as<std::string>();
    if (result.count("timeout") != 0)
      options.timeout = result["timeout"].as<double>();
    options.mutation = read_mutation_options(result);
    options.schedules = read_schedule_options(result);
    options.check = result.count("check") != 0;
    if (options.check && !result["check"].as<std::string>().empty())
      options.simulation.checks = parse_checks(result["check"].as<std::string>());
    const std::uint64_t seed =
        result.count("order-seed") != 0 ? result["order-seed"].as<std::uint64_t>() : 1;
    for (const auto& [option, order] : {std::pair{"groups", &options.simulation.groups},
                                        std::pair{"items", &options.simulation.items}})
      if (result.count(option) != 0)
        *order = order_named(result[option].as<std::string>(), seed, option);
    if (result.count("interleavings") != 0)
      options.interleavings = result["interleavings"].as<std::uint64_t>();
    if (options.interleavings == 0u)
      throw UsageError("--interleavings needs at least one");
    if (options.compare > 0 && std::ranges::count(options.simulation.checks, kInterleavings) != 0)
      throw UsageError("--compare runs a case in one order: leave out the check interleavings");
    if (options.coverage + options.mutation.run + options.schedules.run + options.check > 1)
      throw UsageError("--coverage, --mutation, --verify, --schedules, --schedule and --check "
                       "exclude each other");
    if (options.compare > 0 &&
        (options.coverage || (options.check && options.device != "simulator")))
      throw UsageError("--compare excludes --coverage, and --check of other devices than the "
                       "simulator");
    if (result.count("help") != 0)
      options.help = parser.help();
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}; see --help", error.what()));
  } catch (const std::exception& error) { // cxxopts' own differ between its versions
    throw UsageError(fmt::format("{}; see --help", error.what()));
  }
  if (options.timeout && !(*options.timeout > 0 && std::isfinite(*options.timeout)))
    throw UsageError("--timeout must be more than 0 seconds");
  return options;
}

} // namespace gputest::runtime
