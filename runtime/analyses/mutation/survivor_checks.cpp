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
// The most survivors in one program.
constexpr std::size_t kTogether = 32;

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

// One check, with the programs that run under it.
struct SurvivorChecks::Checked {
  struct Case {
    std::unique_ptr<MutantRunner> runner;
    std::set<std::string> known; // keys of the original's findings of that kind (pair_of())
    double seconds = 0;          // seconds of the original's run
  };

  std::shared_ptr<BuiltKernel> original;        // a program without an active mutant
  std::vector<const model::Mutant*> expected{}; // switched, not built yet
  std::map<std::string, std::shared_ptr<BuiltKernel>> shared{}; // by id; null: it cannot be built
  std::map<std::size_t, Case> cases{};
};

SurvivorChecks::SurvivorChecks(const Plan& plan, const model::MutantTable& table,
                               const std::filesystem::path& folder)
    : plan_(plan), table_(table), folder_(folder) {}

SurvivorChecks::~SurvivorChecks() = default;

Machine& SurvivorChecks::machine() {
  if (!machine_)
    machine_ = plan_.open_machine(&MachineKind::checks, {});
  return *machine_;
}

SurvivorChecks::Checked& SurvivorChecks::checked(const std::string& check) {
  std::unique_ptr<Checked>& one = checked_[check];
  if (!one)
    one = std::make_unique<Checked>();
  return *one;
}

std::string SurvivorChecks::key(const std::string& program, const model::Mutant& mutant) {
  const std::string check = survivor_check(mutant);
  if (version_.empty())
    version_ = machine().identity().version;
  return store::content_hash("survivor 3\n" + program + '\n' + version_ + '\n' + check);
}

double SurvivorChecks::limit() const {
  return kBuildSeconds + 2 * plan_.timeout;
}

void SurvivorChecks::expect(const std::vector<const model::Mutant*>& mutants) {
  for (const model::Mutant* mutant : mutants)
    if (mutant->kind == model::MutantKind::Switched)
      checked(survivor_check(*mutant)).expected.push_back(mutant);
}

// Returns the program that holds the mutant with its neighbours; nullptr: the simulator does not
// build it.
std::shared_ptr<BuiltKernel> SurvivorChecks::shared_program(Checked& of,
                                                            const model::Mutant& mutant) {
  if (const auto known = of.shared.find(mutant.id); known != of.shared.end())
    return known->second;
  std::vector<const model::Mutant*>& expected = of.expected;
  expected.erase(expected.begin(), std::ranges::find(expected, &mutant));
  if (expected.empty())
    expected.push_back(&mutant);
  const std::size_t count = std::min(expected.size(), kTogether);
  std::set<unsigned> sites;
  for (std::size_t i = 0; i < count; ++i)
    sites.insert(expected[i]->site);
  std::vector<model::SiteRange> ranges;
  for (const unsigned site : sites)
    if (!ranges.empty() && ranges.back().last + 1 == site)
      ranges.back().last = site;
    else
      ranges.push_back({.first = site, .last = site});
  std::shared_ptr<BuiltKernel> program;
  try {
    program = VariantBuilder(machine(), plan_, false)
                  .build(sites_text(plan_, table_, ranges),
                         fmt::format("{} survivors beside '{}'", count, mutant.id));
  } catch (const Error&) { // each by itself may do, and says why not
  }
  for (std::size_t i = 0; i < count; ++i)
    of.shared[expected[i]->id] = program;
  expected.erase(expected.begin(), expected.begin() + static_cast<std::ptrdiff_t>(count));
  return program;
}

void SurvivorChecks::build(const model::Mutant& mutant) {
  if (built_ == mutant.id)
    return;
  Checked& of = checked(survivor_check(mutant));
  machine().simulation()->checks = {survivor_check(mutant)};
  const VariantBuilder builder(machine(), plan_, false);
  program_.reset();
  active_ = 0;
  if (mutant.kind == model::MutantKind::Switched) {
    program_ = shared_program(of, mutant);
    active_ = program_ ? mutant.number : 0;
  }
  if (!of.original && program_)
    of.original = program_;
  if (!of.original) {
    const std::filesystem::path file = folder_ / plan_.variant_file("original.cl");
    of.original = builder.build(read_variant(file), file.string());
  }
  if (!program_)
    program_ = builder.build(mutant.kind == model::MutantKind::Program
                                 ? read_variant(folder_ / mutant.program)
                                 : alone_text(plan_, table_, mutant.id),
                             "mutant " + mutant.id);
  built_ = mutant.id;
}

std::optional<MutantNotice> SurvivorChecks::run(const model::Mutant& mutant,
                                                const SurvivorCase& test_case) {
  const std::string check = survivor_check(mutant), kind = kind_of(check);
  Checked& of = checked(check);
  machine().simulation()->checks = {check};
  const auto [entry, is_new] = of.cases.try_emplace(test_case.index);
  Checked::Case& one = entry->second;
  if (is_new) {
    const TestCase& described = plan_.cases[test_case.index];
    one.runner = std::make_unique<MutantRunner>(
        machine(), table_, bind_case(described, plan_.interface, plan_.defaults), plan_.kernel,
        std::vector<ExpectedOutput>());
    one.runner->know_harm(test_case.harm);
  }
  MutantRunner& runner = *one.runner;
  const Launch& launch = runner.test_case().launch;
  const auto run = [&](BuiltKernel& kernel, unsigned active, double limit) {
    machine().limit_launches(limit);
    const auto prepared = runner.prepare(kernel, true);
    return runner.run(*prepared, {.active = active, .budget = loop_budget(test_case.iterations)},
                      launch);
  };
  if (is_new) {
    one.seconds = run(*of.original, 0, plan_.timeout);
    if (const auto fatal = runner.fatal()) {
      const std::string text = text_of(*fatal);
      of.cases.erase(entry);
      throw DeviceError("the original ends early there: " + text);
    }
    for (const model::Finding& finding : runner.findings())
      if (finding.kind == kind)
        one.known.insert(pair_of(finding));
  }
  run(*program_, active_, std::min(plan_.timeout, std::max(kShortestLimit, kFactor * one.seconds)));
  for (const model::Finding& finding : runner.findings())
    if (finding.kind == kind && !one.known.contains(pair_of(finding)))
      return MutantNotice{reason_of(check),
                          fmt::format("in the simulator: {}:{}: {}", finding.site.file,
                                      finding.site.line, finding.message)};
  return std::nullopt;
}

} // namespace gputest::runtime
