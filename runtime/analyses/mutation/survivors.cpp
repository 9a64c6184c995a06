#include "runtime/analyses/mutation/survivors.h"

#include "model/files.h"
#include "runtime/analyses/mutation/programs.h"

#include <algorithm>
#include <exception>
#include <functional>
#include <nlohmann/json.hpp>

namespace gputest::runtime {

using model::MutantResult;
using model::Verdict;

namespace {

// A launch has no code that could be compared.
bool is_compared(const MutantResult& result) {
  return result.verdict == Verdict::Survived && result.mutant.kind != model::MutantKind::Launch;
}

// Others have more than a value to change.
bool is_proved(const MutantResult& result) {
  return result.verdict == Verdict::Survived && result.mutant.kind == model::MutantKind::Switched &&
         !result.mutant.synchronisation;
}

// A file with the ids of those survivors, beside the results, while `use` reads it. What goes wrong
// is said in `mutation`.
void with_ids(const Plan& plan, const DeviceMutants& mutants, model::Mutation& mutation,
              bool (*is_wanted)(const MutantResult&),
              const std::function<void(const std::filesystem::path&)>& use) {
  std::string ids;
  for (const MutantResult& result : mutation.results)
    if (is_wanted(result))
      ids += result.mutant.id + "\n";
  if (ids.empty())
    return;
  std::filesystem::path list = plan.result;
  list += ".survivors";
  try {
    model::write_atomically(list, ids);
    use(list);
  } catch (const std::exception& error) {
    const std::string text = error.what();
    mutation.not_mutated.push_back(
        {.file = mutants.table.source,
         .line = 1,
         .column = 1,
         .function = "",
         .construct = "equivalent mutants",
         .reason = "not looked for: " + text.substr(0, text.find('\n'))});
  }
  std::error_code ignored;
  std::filesystem::remove(list, ignored);
}

} // namespace

void compare_survivors(const Plan& plan, const DeviceMutants& mutants, model::Mutation& mutation) {
  if (mutants.table.compared)
    return;
  model::MutantTable found;
  with_ids(plan, mutants, mutation, is_compared, [&](const std::filesystem::path& list) {
    found = model::mutant_table_from_json(
        nlohmann::ordered_json::parse(compared_text(plan, mutants.table, list)));
  });
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

void prove_survivors(const Plan& plan, const DeviceMutants& mutants, model::Mutation& mutation) {
  with_ids(plan, mutants, mutation, is_proved, [&](const std::filesystem::path& list) {
    const auto proofs = nlohmann::ordered_json::parse(proofs_text(plan, mutants.table, list));
    for (MutantResult& result : mutation.results) {
      const auto proof = proofs.find(result.mutant.id);
      if (proof == proofs.end() || !is_proved(result))
        continue;
      result.mutant.equivalent = true;
      result.mutant.proof = proof->get<std::string>();
      result.verdict = Verdict::Equivalent;
      result.detail = result.mutant.proof;
    }
  });
}

} // namespace gputest::runtime
