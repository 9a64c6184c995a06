// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/analyses/mutation/survivors.h"

#include "model/files.h"
#include "runtime/analyses/mutation/programs.h"
#include "runtime/machine/source_text.h"
#include "runtime/variants/instrument.h"
#include "store/store.h"

#include <algorithm>
#include <exception>
#include <fmt/format.h>
#include <functional>

namespace gputest::runtime {

using model::MutantResult;
using model::Verdict;

namespace {

// A launch has no code that could be compared.
bool is_compared(const MutantResult& result) {
  return result.verdict == Verdict::Survived && result.mutant.kind != model::MutantKind::Launch;
}

// Returns whether proofs are for such mutants. Others change more than a value.
bool is_proved(const MutantResult& result) {
  return result.verdict == Verdict::Survived && result.mutant.kind == model::MutantKind::Switched &&
         !result.mutant.synchronisation;
}

// Writes a file with the ids of those survivors beside the results, while `use` reads it.
// `mutation` gets what goes wrong.
void with_ids(const Plan& plan, const DeviceMutants& mutants, model::Mutation& mutation,
              const std::function<bool(const MutantResult&)>& is_wanted,
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
        model::not_compared(mutants.table.source, text.substr(0, text.find('\n'))));
  }
  std::error_code ignored;
  std::filesystem::remove(list, ignored);
}

constexpr const char* kProofs = "proofs";

// Returns when the programs of the gputest command were built last, because another build may prove
// more or less. Empty: the command is missing.
std::string age_of_command(const Plan& plan) try {
  std::filesystem::file_time_type latest{};
  for (const auto& entry :
       std::filesystem::directory_iterator(find_driver(plan.driver).parent_path()))
    if (entry.path().filename().string().starts_with("gputest"))
      latest = std::max(latest, entry.last_write_time());
  return std::to_string(latest.time_since_epoch().count());
} catch (const std::exception&) {
  return "";
}

// Returns {"of", "proofs"}: what earlier runs proved about the same mutants, by id. An empty text:
// nothing.
Json known_proofs(const Plan& plan, const DeviceMutants& mutants, const store::Store& store) {
  const std::string of = fingerprint(
      read_variant(mutants.folder / plan.variant_file("mutants.cl")) + age_of_command(plan));
  if (!mutation_plan(plan).fresh) {
    Json known = Json::parse(store.document(plan.name, kProofs), nullptr, false);
    if (known.is_object() && known.value("of", "") == of && known.contains("proofs") &&
        known["proofs"].is_object())
      return known;
  }
  return {{"of", of}, {"proofs", Json::object()}};
}

} // namespace

void compare_survivors(const Plan& plan, const DeviceMutants& mutants, model::Mutation& mutation) {
  if (mutants.table.compared)
    return;
  model::MutantTable found;
  with_ids(plan, mutants, mutation, is_compared, [&](const std::filesystem::path& list) {
    found = model::mutant_table_from_json(Json::parse(compared_text(plan, mutants.table, list)));
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
    if (entry.construct == model::kNotCompared)
      mutation.not_mutated.push_back(entry);
}

void prove_survivors(const Plan& plan, const DeviceMutants& mutants, model::Mutation& mutation) {
  if (std::ranges::none_of(mutation.results, is_proved))
    return;
  const MutationPlan& settings = mutation_plan(plan);
  store::Store store(settings.store);
  Json known = known_proofs(plan, mutants, store);
  Json& proofs = known["proofs"];
  const auto is_new = [&](const MutantResult& result) {
    return is_proved(result) && !proofs.contains(result.mutant.id);
  };
  with_ids(plan, mutants, mutation, is_new, [&](const std::filesystem::path& list) {
    const Json found = Json::parse(proofs_text(plan, mutants.table, list));
    for (const auto& [id, proof] : found.items())
      proofs[id] = proof;
    store.put_document(plan.name, kProofs, known.dump());
    if (const auto open = std::ranges::count_if(mutation.results, is_new); open != 0)
      mutation.not_mutated.push_back(model::not_compared(
          mutants.table.source,
          fmt::format("the search for proofs of {} survivor{} did not end; the next run goes on",
                      open, open == 1 ? "" : "s")));
  });
  for (MutantResult& result : mutation.results) {
    const std::string proof =
        is_proved(result) ? proofs.value(result.mutant.id, std::string()) : std::string();
    if (proof.empty())
      continue;
    result.mutant.equivalent = true;
    result.mutant.proof = proof;
    result.verdict = Verdict::Equivalent;
    result.detail = proof;
  }
}

} // namespace gputest::runtime
