// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/analyses/mutation/survivor_checks.h"

#include "gputest/error.h"
#include "runtime/analyses/mutation/mutant_runner.h"
#include "runtime/machine/source_text.h"
#include "runtime/variants/mutation_launch.h"
#include "store/store.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace gputest::runtime {
namespace {

using model::KillReason;

constexpr const char* kRaces = "races";
constexpr const char* kUninitialized = "uninitialized";

constexpr double kBuildSeconds = 300;
// A mutant may take this many times as long as the original with the check.
constexpr double kFactor = 10;

// Returns the kind of finding that decides. Two work-items that write the same value do no harm on
// any device.
std::string kind_of(const std::string& check) {
  return check == kRaces ? "race" : "uninitialized";
}

KillReason reason_of(const std::string& check) {
  return check == kRaces ? KillReason::Race : KillReason::Uninitialized;
}

} // namespace

std::string survivor_check(const model::Mutant& mutant) {
  if (mutant.kind == model::MutantKind::Launch)
    return "";
  if (mutant.synchronisation)
    return kRaces;
  return mutant.weakens_assignment || mutant.weakens_local_write ? kUninitialized : "";
}

// One check: its simulator, and the original as it is built there.
struct SurvivorChecks::Checked {
  struct Case {
    std::unique_ptr<MutantRunner> runner;
    std::set<std::string> known; // keys of the original's findings of that kind (pair_of())
    double seconds = 0;          // seconds of the original's run
  };

  Checked(const Plan& plan, const std::string& check)
      : machine(plan.open_machine(&MachineKind::checks, {.checks = {check}})) {}

  std::unique_ptr<Machine> machine;
  std::unique_ptr<BuiltKernel> original; // original.cl
  std::map<std::size_t, Case> cases;
};

SurvivorChecks::SurvivorChecks(const Plan& plan, const model::MutantTable& table,
                               const std::filesystem::path& folder)
    : plan_(plan), table_(table), folder_(folder) {}

SurvivorChecks::~SurvivorChecks() = default;

SurvivorChecks::Checked& SurvivorChecks::checked(const std::string& check) {
  std::unique_ptr<Checked>& one = checked_[check];
  if (!one)
    one = std::make_unique<Checked>(plan_, check);
  return *one;
}

std::string SurvivorChecks::key(const std::string& program, const model::Mutant& mutant) {
  const std::string check = survivor_check(mutant);
  if (version_.empty())
    version_ = checked(check).machine->identity().version;
  return store::content_hash("survivor 2\n" + program + '\n' + version_ + '\n' + check);
}

double SurvivorChecks::limit() const {
  return kBuildSeconds + 2 * plan_.timeout;
}

void SurvivorChecks::build(const model::Mutant& mutant) {
  Checked& of = checked(survivor_check(mutant));
  const VariantBuilder builder(*of.machine, plan_, false);
  if (!of.original) {
    const std::filesystem::path file = folder_ / plan_.variant_file("original.cl");
    of.original = builder.build(read_variant(file), file.string());
  }
  if (built_ == mutant.id)
    return;
  own_.reset();
  own_ = builder.build(mutant.kind == model::MutantKind::Program
                           ? read_variant(folder_ / mutant.program)
                           : alone_text(plan_, table_, mutant.id),
                       "mutant " + mutant.id);
  built_ = mutant.id;
}

std::optional<MutantNotice> SurvivorChecks::run(const model::Mutant& mutant,
                                                const SurvivorCase& test_case) {
  const std::string check = survivor_check(mutant), kind = kind_of(check);
  Checked& of = checked(check);
  const auto [entry, is_new] = of.cases.try_emplace(test_case.index);
  Checked::Case& one = entry->second;
  if (is_new) {
    const TestCase& described = plan_.cases[test_case.index];
    one.runner = std::make_unique<MutantRunner>(
        *of.machine, table_, bind_case(described, plan_.interface, plan_.defaults), plan_.kernel,
        std::vector<ExpectedOutput>());
    one.runner->know_harm(test_case.harm);
  }
  MutantRunner& runner = *one.runner;
  const Launch& launch = runner.test_case().launch;
  const auto run = [&](BuiltKernel& kernel, double limit) {
    of.machine->limit_launches(limit);
    const auto prepared = runner.prepare(kernel, true);
    return runner.run(*prepared, {.budget = loop_budget(test_case.iterations)}, launch);
  };
  if (is_new) {
    one.seconds = run(*of.original, plan_.timeout);
    if (const auto fatal = runner.fatal()) {
      const std::string text = text_of(*fatal);
      of.cases.erase(entry);
      throw DeviceError("the original ends early there: " + text);
    }
    for (const model::Finding& finding : runner.findings())
      if (finding.kind == kind)
        one.known.insert(pair_of(finding));
  }
  run(*own_, std::min(plan_.timeout, std::max(kShortestLimit, kFactor * one.seconds)));
  for (const model::Finding& finding : runner.findings())
    if (finding.kind == kind && !one.known.contains(pair_of(finding)))
      return MutantNotice{reason_of(check),
                          fmt::format("in the simulator: {}:{}: {}", finding.site.file,
                                      finding.site.line, finding.message)};
  return std::nullopt;
}

} // namespace gputest::runtime
