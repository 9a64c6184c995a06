// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/commands.h"

#include "driver/command_error.h"
#include "model/analyses.h"
#include "model/files.h"
#include "model/json.h"
#include "model/mutation/mutation.h"
#include "model/text/plural.h"

#include <algorithm>
#include <cxxopts.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <set>

namespace gputest::driver {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using model::MutantResult;
using model::Mutation;
using model::Verdict;

struct Side {
  std::string device;                       // the folder's name, as DEVICES says it
  std::map<std::string, std::string> cases; // verdicts
  std::optional<Mutation> mutation;
};

// A case or mutant whose verdicts differ between devices.
struct Difference {
  std::string what;
  std::vector<std::pair<std::string, std::string>> verdicts; // by device
};

Side read_side(const fs::path& folder) {
  Side side;
  side.device = fs::absolute(folder / ".").lexically_normal().parent_path().filename().string();
  const fs::path test = folder / model::result_file_of("test"),
                 mutation = folder / model::result_file_of("mutation");
  if (!fs::is_directory(folder))
    throw CommandError(fmt::format("{}: error: no such folder; give those of the devices, such as "
                                   "<build>/gputest/<name>/devices/*",
                                   folder.string()));
  if (fs::exists(test))
    side.cases = model::read_json_file(test, [](const auto& json) {
      std::map<std::string, std::string> cases;
      for (const auto& one : json.at("cases"))
        cases[one.at("name")] = one.at("verdict");
      return cases;
    });
  if (fs::exists(mutation))
    side.mutation = model::read_mutation(mutation);
  if (side.cases.empty() && !side.mutation)
    throw CommandError(fmt::format("{}: error: has neither {} nor {}: run the "
                                   "tests of this device first",
                                   folder.string(), test.filename().string(),
                                   mutation.filename().string()));
  return side;
}

bool differs(const Difference& difference) {
  return std::ranges::any_of(difference.verdicts, [&](const auto& one) {
    return one.second != difference.verdicts.front().second;
  });
}

std::vector<Difference> different_cases(const std::vector<Side>& sides) {
  std::set<std::string> names;
  for (const Side& side : sides)
    for (const auto& [name, verdict] : side.cases)
      names.insert(name);
  std::vector<Difference> found;
  for (const std::string& name : names) {
    Difference difference{name, {}};
    for (const Side& side : sides)
      if (const auto verdict = side.cases.find(name); verdict != side.cases.end())
        difference.verdicts.emplace_back(side.device, verdict->second);
    if (differs(difference))
      found.push_back(std::move(difference));
  }
  return found;
}

bool is_detected(const MutantResult& result) {
  return result.verdict == Verdict::Killed || result.verdict == Verdict::Timeout;
}

std::string verdict_of(const MutantResult& result) {
  return fmt::format("{}{}", model::name_of(result.verdict),
                     result.reason ? fmt::format(" ({})", model::name_of(*result.reason)) : "");
}

// Mutants that some devices detect and others do not. Other differences, such as a crash on one and
// a wrong output on the other, say nothing about the tests.
std::vector<Difference> different_mutants(const std::vector<Side>& sides) {
  std::map<std::string, std::vector<std::pair<const Side*, const MutantResult*>>> by_id;
  std::vector<std::string> order;
  for (const Side& side : sides)
    for (const MutantResult& result : side.mutation
                                          ? std::span<const MutantResult>(side.mutation->results)
                                          : std::span<const MutantResult>()) {
      auto& all = by_id[result.mutant.id];
      if (all.empty())
        order.push_back(result.mutant.id);
      all.emplace_back(&side, &result);
    }
  std::vector<Difference> found;
  for (const std::string& id : order) {
    const auto& all = by_id[id];
    const bool first = is_detected(*all.front().second);
    if (std::ranges::all_of(all,
                            [&](const auto& one) { return is_detected(*one.second) == first; }))
      continue;
    const model::Mutant& mutant = all.front().second->mutant;
    Difference difference{fmt::format("{}:{}:{}: {}: '{}' → '{}'", mutant.file, mutant.line,
                                      mutant.column, fmt::join(mutant.operators, ", "), mutant.text,
                                      mutant.replacement),
                          {}};
    for (const auto& [side, result] : all)
      difference.verdicts.emplace_back(side->device, verdict_of(*result));
    found.push_back(std::move(difference));
  }
  return found;
}

void print(const Difference& difference, std::string_view what) {
  std::string verdicts;
  for (const auto& [device, verdict] : difference.verdicts)
    verdicts += fmt::format("{}{} on {}", verdicts.empty() ? "" : ", ", verdict, device);
  fmt::print("{}{}: {}\n", what, difference.what, verdicts);
}

Json to_json(const std::vector<Difference>& differences, const char* what) {
  Json all = Json::array();
  for (const Difference& difference : differences) {
    Json verdicts = Json::object();
    for (const auto& [device, verdict] : difference.verdicts)
      verdicts[device] = verdict;
    all.push_back({{what, difference.what}, {"verdicts", verdicts}});
  }
  return all;
}

void print_scores(const std::vector<Side>& sides) {
  for (const Side& side : sides) {
    if (!side.mutation)
      continue;
    const auto score = model::tally(side.mutation->results).score();
    fmt::print("  {:<16}{}  ({})\n", side.device,
               score ? fmt::format("{:.1f} %", *score) : "no score", side.mutation->device);
  }
}

} // namespace

int compare_command(int argc, char** argv) {
  cxxopts::Options options(
      "gputest compare",
      "Lists cases and mutants whose verdicts differ between devices. Exits with 1 if a case "
      "differs. A mutant that only one device notices shows a fault that tests on the others "
      "miss.\n");
  options.positional_help("FOLDER…").show_positional_help();
  options.add_options()("json", "Write the differences here", cxxopts::value<std::string>(),
                        "FILE")("h,help", "Print this")(
      "folders", "Of devices: <build>/gputest/<name>/devices/<device>",
      cxxopts::value<std::vector<std::string>>());
  options.parse_positional({"folders"});
  const cxxopts::ParseResult arguments = options.parse(argc, argv);
  if (arguments.count("help"))
    return print_help(options);
  std::vector<Side> sides;
  if (arguments.count("folders"))
    for (const std::string& folder : arguments["folders"].as<std::vector<std::string>>())
      sides.push_back(read_side(folder));
  if (sides.size() < 2)
    throw CommandError(
        "error: give the folders of two devices or more; see gputest compare --help");
  const std::vector<Difference> cases = different_cases(sides), mutants = different_mutants(sides);
  for (const Difference& difference : cases)
    print(difference, "case ");
  for (const Difference& difference : mutants)
    print(difference, "");
  std::vector<std::string> names;
  for (const Side& side : sides)
    names.push_back(side.device);
  fmt::print("{}: {} and {} differ\n", fmt::join(names, ", "), model::plural(cases.size(), "case"),
             model::plural(mutants.size(), "mutant"));
  print_scores(sides);
  if (arguments.count("json"))
    model::write_atomically(arguments["json"].as<std::string>(),
                            Json{{"format", "gputest-devices-1"},
                                 {"devices", names},
                                 {"cases", to_json(cases, "case")},
                                 {"mutants", to_json(mutants, "mutant")}}
                                    .dump(2) +
                                '\n');
  return cases.empty() ? Held : Failed;
}

} // namespace gputest::driver
