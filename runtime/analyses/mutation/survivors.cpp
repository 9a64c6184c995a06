#include "runtime/analyses/mutation/survivors.h"

#include "model/files.h"
#include "runtime/analyses/mutation/programs.h"

#include <algorithm>
#include <exception>
#include <nlohmann/json.hpp>

namespace gputest::runtime {

using model::MutantResult;
using model::Verdict;

namespace {

// A launch has no code that could be compared.
bool is_compared(const MutantResult& result) {
  return result.verdict == Verdict::Survived && result.mutant.kind != model::MutantKind::Launch;
}

} // namespace

void compare_survivors(const Plan& plan, const DeviceMutants& mutants, model::Mutation& mutation) {
  if (mutants.table.compared || std::ranges::none_of(mutation.results, is_compared))
    return;
  std::string ids;
  for (const MutantResult& result : mutation.results)
    if (is_compared(result))
      ids += result.mutant.id + "\n";
  std::filesystem::path list = plan.result;
  list += ".survivors";
  model::MutantTable found;
  try {
    model::write_atomically(list, ids);
    found = model::mutant_table_from_json(
        nlohmann::ordered_json::parse(compared_text(plan, mutants.table, list)));
  } catch (const std::exception& error) {
    const std::string text = error.what();
    found.not_mutated.push_back({.file = mutants.table.source,
                                 .line = 1,
                                 .column = 1,
                                 .function = "",
                                 .construct = "equivalent mutants",
                                 .reason = "not looked for: " + text.substr(0, text.find('\n'))});
  }
  std::error_code ignored;
  std::filesystem::remove(list, ignored);
  for (MutantResult& result : mutation.results) {
    const model::Mutant* same = is_compared(result) ? found.find(result.mutant.id) : nullptr;
    if (!same || (!same->equivalent && same->duplicate_of.empty()))
      continue;
    result.mutant.equivalent = same->equivalent;
    result.mutant.duplicate_of = same->duplicate_of;
    result.verdict = same->equivalent ? Verdict::Equivalent : Verdict::Duplicate;
    result.detail = same->equivalent ? "" : "of " + same->duplicate_of;
  }
  for (const model::NotInstrumented& entry : found.not_mutated)
    if (entry.construct == "equivalent mutants")
      mutation.not_mutated.push_back(entry);
}

} // namespace gputest::runtime
