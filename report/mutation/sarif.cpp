// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/operators.h"
#include "model/time/over.h"
#include "report/common/line_hashes.h"
#include "report/common/mutant_text.h"
#include "report/common/sarif_log.h"
#include "report/common/text.h"
#include "report/mutation/outputs.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>

namespace gputest::report {
namespace fs = std::filesystem;
namespace {

using model::Verdict;

// One rule for each operator that made a mutant, in the order of tables.
std::vector<std::string> rule_names(const MutationReport& report) {
  std::vector<std::string> names;
  for (const auto& [name, tallies] : model::tally_by_operator(report.kernels))
    names.push_back(name);
  return names;
}

Json rule(const std::string& name) {
  const model::MutationOperator* const known = model::find_operator(name);
  Json json = sarif_rule(
      {.id = name,
       .summary =
           "A mutant that no test case notices: " + (known ? std::string(known->summary) : name),
       .more = "The kernel has been changed there, and all cases pass nevertheless: add a case "
               "that tells the two apart, or ignore the mutant by a comment with the reason.",
       .level = "warning",
       .page = known ? "operator-" + name : ""});
  if (known)
    json["properties"] = {
        {"tags",
         Json::array(
             {"mutation", known->group == model::OperatorGroup::Gpu ? "gpu" : "conventional"})}};
  return json;
}

// Hashes of the lines of the texts that have mutants.
class Hashes {
public:
  // Returns the hash of the line at which the mutant is shown; empty: its text is not known.
  std::string of(const Entry& entry) {
    const auto text = entry.kernel->sources.find(entry.place.name);
    if (text == entry.kernel->sources.end())
      return "";
    const auto [known, is_new] = of_texts_.try_emplace(&text->second);
    if (is_new)
      known->second = line_hashes(text->second);
    return entry.place.line <= known->second.size() ? known->second[entry.place.line - 1] : "";
  }

private:
  std::map<const std::string*, std::vector<std::string>> of_texts_;
};

Json result_of(const Entry& entry, const std::vector<std::string>& rules, const fs::path& root,
               Hashes& hashes) {
  const model::MutantResult& result = *entry.result;
  const model::Places::Place& place = entry.place;
  const std::string& name = result.mutant.operators.front();
  Json json{{"ruleId", clean(name)},
            {"ruleIndex", std::ranges::find(rules, name) - rules.begin()},
            {"level", result.verdict == Verdict::NoCoverage ? "note" : "warning"}};
  json["message"] = sarif_message(fmt::format("'{}' → '{}' {}", result.mutant.text,
                                              result.mutant.replacement, outcome_text(result)));
  json["locations"] = Json::array(
      {{{"physicalLocation",
         {{"artifactLocation", sarif_artifact(place.name, root)},
          {"region",
           {{"startLine", place.line},
            {"startColumn", place.utf16_column},
            {"endLine", place.end_line},
            {"endColumn", place.utf16_end_column}}}}},
        {"logicalLocations",
         Json::array({{{"name", clean(result.mutant.function)}, {"kind", "function"}}})}}});
  json["partialFingerprints"] = {
      {"gputestMutant/v1", clean(entry.kernel->name) + "/" + clean(result.mutant.id)}};
  if (const std::string hash = hashes.of(entry); !hash.empty())
    json["partialFingerprints"][kLineHash] = hash;
  if (result.verdict == Verdict::Ignored)
    json["suppressions"] = sarif_suppression(result.mutant.ignore_reason);
  json["properties"] = {{"kernel", clean(entry.kernel->kernel)},
                        {"verdict", model::name_of(result.verdict)},
                        {"operators", result.mutant.operators},
                        {"reachedBy", result.reached_by}};
  return json;
}

} // namespace

std::string sarif(const MutationReport& report, const fs::path& root) {
  const std::vector<std::string> names = rule_names(report);
  SarifRun run{.kind = "mutation"};
  for (const std::string& name : names)
    run.rules.push_back(rule(name));
  Hashes hashes;
  for (const Entry& entry : entries_of(report))
    if (const Verdict verdict = entry.result->verdict;
        !entry.result->mutant.operators.empty() && !model::is_indistinct(*entry.result) &&
        (verdict == Verdict::Survived || verdict == Verdict::Undecided ||
         verdict == Verdict::NoCoverage || verdict == Verdict::Ignored))
      run.results.push_back(result_of(entry, names, root, hashes));
  for (const model::Mutation& kernel : report.kernels)
    if (const auto left = model::tally(kernel.results).of(Verdict::NotRun); left > 0)
      run.notes.push_back(fmt::format("{}: {} not run: {}", label_of(kernel),
                                      plural(left, "mutant"), model::over_text(kernel.time_limit)));
  return sarif_log(std::move(run));
}

} // namespace gputest::report
