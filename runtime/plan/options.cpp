// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/options.h"

#include "gputest/error.h"
#include "model/help.h"

#include <algorithm>
#include <cmath>
#include <cxxopts.hpp>
#include <fmt/format.h>

namespace gputest::runtime {

Options parse_options(const std::string& name, std::span<const model::Analysis> analyses, int argc,
                      const char* const* argv) {
  cxxopts::Options parser(name, "Runs the test cases of the kernel '" + name + "'.");
  parser.add_options()("list-devices", "list the devices") //
      ("list-cases", "list the test cases; json: with their files and lines",
       cxxopts::value<std::string>()->implicit_value("text"), "text|json") //
      ("device", "part of a device's or platform's name, cpu, gpu, accelerator, or an index",
       cxxopts::value<std::string>(), "NAME|INDEX") //
      ("case", "run only this case; may be repeated", cxxopts::value<std::vector<std::string>>(),
       "NAME") //
      ("case-file", "take test cases from this file instead; may be repeated",
       cxxopts::value<std::vector<std::string>>(), "FILE") //
      ("compare",
       "run the variant of the analysis (default: the instrumented kernel), or with --device "
       "simulator the simulator, beside the original on a device, and compare memory and times",
       cxxopts::value<std::string>(), "RUNS") //
      ("groups", "order of work-groups in the simulator: ascending, descending, random",
       cxxopts::value<std::string>(), "ORDER") //
      ("items", "order of the work-items of a group", cxxopts::value<std::string>(),
       "ORDER") //
      ("recall",
       "say what the last run of all cases found about those of --case; run them where it is older "
       "than what they test")                                                                 //
      ("order-seed", "seed of random orders; default: 1", cxxopts::value<std::string>(), "N") //
      ("json", "the file for the result", cxxopts::value<std::string>(), "FILE")              //
      ("timeout", "seconds for each case", cxxopts::value<std::string>(), "SECONDS")          //
      ("no-weak", "do not look for weak cases, which takes launches with other values")       //
      ("verbose", "print each argument, each launch, the build log")                          //
      ("help", "this text");
  model::add_analysis_options(parser, analyses, model::kInHarness);
  Options options;
  try {
    const std::vector<std::string> words = model::with_joined_values(analyses, argc, argv);
    std::vector<const char*> pointers;
    for (const std::string& word : words)
      pointers.push_back(word.c_str());
    const auto result = parser.parse(static_cast<int>(pointers.size()), pointers.data());
    if (!result.unmatched().empty())
      throw UsageError(fmt::format("'{}' is no option", result.unmatched().front()));
    const auto given = [&](const char* option) -> std::optional<std::string> {
      if (result.count(option) == 0 || result[option].as<std::string>().empty())
        return std::nullopt;
      return result[option].as<std::string>();
    };
    options.list_devices = result.count("list-devices") != 0;
    options.list_cases = result.count("list-cases") != 0;
    if (options.list_cases) {
      const auto format = result["list-cases"].as<std::string>();
      options.as_json = format == "json";
      if (!options.as_json && format != "text")
        throw UsageError(fmt::format("--list-cases: '{}' is neither text nor json", format));
    }
    options.recall = result.count("recall") != 0;
    options.no_weak = result.count("no-weak") != 0;
    options.verbose = result.count("verbose") != 0;
    options.device = given("device");
    if (result.count("case") != 0)
      options.cases = result["case"].as<std::vector<std::string>>();
    if (result.count("case-file") != 0)
      options.case_files = result["case-file"].as<std::vector<std::string>>();
    if (result.count("compare") != 0)
      options.compare = static_cast<unsigned>(
          model::whole_of("--compare", result["compare"].as<std::string>(), {1, ~0U}));
    options.json = given("json");
    if (result.count("timeout") != 0)
      options.timeout = model::seconds_of("timeout", result["timeout"].as<std::string>());
    options.analysis = model::asked_analysis(result, analyses, model::kInHarness);
    if (options.recall && (options.cases.empty() || options.analysis || options.compare))
      throw UsageError(
          "--recall is for --case, without an analysis: the verdicts of tests are kept");
    const std::uint64_t seed =
        result.count("order-seed") != 0
            ? model::whole_of("--order-seed", result["order-seed"].as<std::string>())
            : 1;
    for (const auto& [option, order] : {std::pair{"groups", &options.simulation.groups},
                                        std::pair{"items", &options.simulation.items}})
      if (result.count(option) != 0)
        *order = order_named(result[option].as<std::string>(), seed, option);
    if (result.count("help") != 0)
      options.help = model::help_page(parser, model::help_format());
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}; see --help", error.what()));
  } catch (const std::exception& error) { // cxxopts' own differ between its versions
    throw UsageError(fmt::format("{}; see --help", error.what()));
  }
  return options;
}

} // namespace gputest::runtime
