// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/analyses/mutation/survivor_checks.h"

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

  // Returns the position of the mutant in `expected`, or its end.
  std::vector<const model::Mutant*>::iterator position(const model::Mutant& mutant) {
    return std::ranges::find(expected, &mutant);
  }
  // The mutants from `position` on that share the next program.
  std::span<const model::Mutant* const>
  neighbours(std::vector<const model::Mutant*>::iterator position) {
    return {position, std::min(kTogether, static_cast<std::size_t>(expected.end() - position))};
  }

  std::shared_ptr<BuiltKernel> original;        // a program without an active mutant
  std::vector<const model::Mutant*> expected{}; // switched, not built yet
  std::set<std::string> sharing{};              // ids of those in `shared`
  std::shared_ptr<BuiltKernel> shared{};        // the latest of several; null: it cannot be built
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

std::vector<std::string> SurvivorChecks::together(const model::Mutant& mutant) {
  Checked& of = checked(survivor_check(mutant));
  std::vector<std::string> ids;
  for (const model::Mutant* neighbour : of.neighbours(of.position(mutant)))
    ids.push_back(neighbour->id);
  return ids;
}

void SurvivorChecks::share(const model::Mutant& mutant) {
  Checked& of = checked(survivor_check(mutant));
  const auto first = of.position(mutant);
  const auto neighbours = of.neighbours(first);
  if (neighbours.empty())
    return;
  machine().simulation()->checks = {survivor_check(mutant)};
  built_.clear();
  program_.reset();
  of.shared.reset();
  of.sharing.clear();
  std::set<unsigned> sites;
  for (const model::Mutant* neighbour : neighbours) {
    sites.insert(neighbour->site);
    of.sharing.insert(neighbour->id);
  }
  std::vector<model::SiteRange> ranges;
  for (const unsigned site : sites)
    if (!ranges.empty() && ranges.back().last + 1 == site)
      ranges.back().last = site;
    else
      ranges.push_back({.first = site, .last = site});
  try {
    of.shared = VariantBuilder(machine(), plan_, false)
                    .build(sites_text(plan_, table_, ranges),
                           fmt::format("{} survivors beside '{}'", neighbours.size(), mutant.id));
  } catch (const Error&) { // each by itself may do, and says why not
  }
  of.expected.erase(of.expected.begin(), first + static_cast<std::ptrdiff_t>(neighbours.size()));
}

void SurvivorChecks::build_original(Checked& of) try {
  const std::filesystem::path file = folder_ / plan_.variant_file("original.cl");
  of.original = VariantBuilder(machine(), plan_, false).build(read_variant(file), file.string());
} catch (const Error& error) {
  throw OriginalNotSimulated(error.what());
}

void SurvivorChecks::build(const model::Mutant& mutant) {
  if (built_ == mutant.id)
    return;
  Checked& of = checked(survivor_check(mutant));
  machine().simulation()->checks = {survivor_check(mutant)};
  built_.clear();
  program_.reset();
  active_ = 0;
  if (of.sharing.contains(mutant.id)) {
    program_ = of.shared;
    active_ = program_ ? mutant.number : 0;
  }
  if (!of.original && program_)
    of.original = program_;
  if (!of.original)
    build_original(of);
  if (!program_)
    program_ = VariantBuilder(machine(), plan_, false)
                   .build(mutant.kind == model::MutantKind::Program
                              ? read_variant(folder_ / mutant.program)
                              : alone_text(plan_, table_, mutant.id),
                          "mutant " + mutant.id);
  built_ = mutant.id;
}

void SurvivorChecks::run_original(Checked& of, const SurvivorCase& test_case,
                                  const std::string& kind) try {
  Checked::Case one;
  one.runner = std::make_unique<MutantRunner>(
      machine(), table_, bind_case(plan_.cases[test_case.index], plan_.interface, plan_.defaults),
      plan_.kernel, std::vector<ExpectedOutput>());
  one.runner->know_harm(test_case.harm);
  one.seconds = run_kernel(*one.runner, *of.original, 0, test_case, plan_.timeout);
  if (const auto fatal = one.runner->fatal())
    throw DeviceError("the original ends early there: " + text_of(*fatal));
  for (const model::Finding& finding : one.runner->findings())
    if (finding.kind == kind)
      one.known.insert(pair_of(finding));
  of.cases.emplace(test_case.index, std::move(one));
} catch (const Error& error) {
  throw OriginalNotSimulated(error.what());
}

// Returns seconds.
double SurvivorChecks::run_kernel(MutantRunner& runner, BuiltKernel& kernel, unsigned active,
                                  const SurvivorCase& test_case, double limit) {
  machine().limit_launches(limit);
  const auto prepared = runner.prepare(kernel, true);
  return runner.run(*prepared, {.active = active, .budget = loop_budget(test_case.iterations)},
                    runner.test_case().launch);
}

std::optional<MutantNotice> SurvivorChecks::run(const model::Mutant& mutant,
                                                const SurvivorCase& test_case) {
  const std::string check = survivor_check(mutant), kind = kind_of(check);
  Checked& of = checked(check);
  machine().simulation()->checks = {check};
  if (!of.cases.contains(test_case.index))
    run_original(of, test_case, kind);
  const Checked::Case& one = of.cases.at(test_case.index);
  run_kernel(*one.runner, *program_, active_, test_case,
             std::min(plan_.timeout, std::max(kShortestLimit, kFactor * one.seconds)));
  for (const model::Finding& finding : one.runner->findings())
    if (finding.kind == kind && !one.known.contains(pair_of(finding)))
      return MutantNotice{reason_of(check),
                          fmt::format("in the simulator: {}:{}: {}", finding.site.file,
                                      finding.site.line, finding.message)};
  return std::nullopt;
}

} // namespace gputest::runtime
