// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/input_search.h"

#include "model/clock.h"
#include "runtime/cases/scalar.h"
#include "testgen/weak.h"

#include <algorithm>
#include <bit>

namespace gputest::testgen {
namespace {

// Launches in a batch: kCarefulBatch at first, and after launches that did not end.
constexpr std::size_t kBatch = 64, kCarefulBatch = 4;
constexpr std::size_t kMostSeeds = 256, kRagged = 24;
constexpr std::size_t kProbes = 24;
constexpr unsigned kMostGrowths = 8;
// For a source of at most this many characters, a launch that brings nothing counts once. Launches
// of longer sources take longer and count more.
constexpr std::size_t kShortSource = 4'000;
// A launch that does not end counts as 1/20 of the launches that may bring nothing, and one that
// had fewer steps (Worker::try_run()) as 1/160.
constexpr std::uint64_t kEndlessShare = 20, kTriedShare = 160;
constexpr std::uint64_t kWatchedEndless = 12; // launches that take as long as one without end
// So many invalid inputs of an outcome are all checked; after that, one in 16 is.
constexpr std::uint64_t kRefusals = 64;
constexpr std::size_t kMostSeen = 2'000;         // inputs that conditions must separate
constexpr std::uint64_t kTiedChecks = 500;       // in vain: each takes as long as many launches
constexpr std::size_t kLargeExample = 64 * 1024; // of a finding, in bytes: a smaller one is better

std::size_t size_of(const Input& input) {
  std::size_t bytes = 0;
  for (const Content& content : input.arguments)
    bytes += content.bytes.size();
  return bytes;
}

} // namespace

InputSearch::InputSearch(const Target& target, const Constraints& constraints,
                         std::vector<Goal> goals, Kills* kills, Mutator& mutator, Worker& worker,
                         Report report)
    : target_(target), constraints_(constraints), goals_(std::move(goals)), kills_(kills),
      mutator_(mutator), worker_(worker), report_(std::move(report)),
      interesting_(kills ? kills->words() : target.sites.coverage_words), reached_(interesting_),
      reached_invalid_(interesting_), reached_later_(interesting_), reached_silently_(interesting_),
      features_(target, nullable(target, constraints)) {
  for (const model::Site& site : target.sites.sites)
    for (const model::Outcome& outcome : site.outcomes)
      interesting_[outcome.bit / 32] |= 1u << outcome.bit % 32;
  if (kills_)
    look_for_kills();
}

void InputSearch::look_for_kills() {
  for (auto* const words :
       {&interesting_, &reached_, &reached_invalid_, &reached_later_, &reached_silently_})
    words->resize(kills_->words());
  for (const Goal& goal : kills_->goals())
    for (const unsigned bit : {goal.bit, kills_->weak_bit(goal)})
      interesting_[bit / 32] |= 1u << bit % 32;
}

void InputSearch::add_kills(Kills& kills) {
  kills_ = &kills;
  look_for_kills();
  for (std::size_t i = 0; i < valid_.size() && !out_of_time(); ++i) {
    if (!outcomes_[i].clean())
      continue;
    kills_->add(valid_[i], outcomes_[i], [&](const Goal& goal) { return !reached(goal); });
    add_reached(outcomes_[i], silent_[i]);
  }
}

void InputSearch::add_reached(const Outcome& outcome, bool silent) {
  for (std::size_t i = 0; i < outcome.words.size(); ++i) {
    reached_[i] |= outcome.words[i] & interesting_[i];
    if (silent)
      reached_silently_[i] |= outcome.words[i] & interesting_[i];
  }
}

bool InputSearch::is_new(const Outcome& outcome, const std::vector<std::uint32_t>& known) const {
  for (std::size_t i = 0; i < outcome.words.size(); ++i)
    if ((outcome.words[i] & interesting_[i] & ~known[i]) != 0)
      return true;
  return false;
}

std::vector<unsigned> InputSearch::new_bits(const Outcome& outcome) const {
  std::vector<unsigned> bits;
  for (unsigned i = 0; i < outcome.words.size(); ++i)
    for (std::uint32_t left = outcome.words[i] & interesting_[i] & ~reached_[i]; left != 0;
         left &= left - 1)
      bits.push_back(32 * i + static_cast<unsigned>(std::countr_zero(left)));
  return bits;
}

bool InputSearch::all_reached() const {
  return std::ranges::all_of(goals_, [&](const Goal& goal) { return reached(goal); });
}

bool InputSearch::all_killed() const {
  return !kills_ || std::ranges::all_of(kills_->goals(), [&](const Goal& goal) {
    return reached(goal) || kills_->dropped(goal);
  });
}

double InputSearch::seconds() const {
  return model::seconds_since(start_);
}

const Found* InputSearch::obstacle(const Goal& goal) const {
  const auto known = obstacles_.find(goal.bit);
  if (known == obstacles_.end())
    return nullptr;
  const auto found = found_.find(known->second);
  return found == found_.end() ? nullptr : &found->second;
}

bool InputSearch::grow(Input& input, const Outcome& outcome) {
  bool any = false;
  for (std::size_t i = 0; i < outcome.extents.size(); ++i) {
    const auto& extent = outcome.extents[i];
    if (extent == simulator::Monitor::Extent{} || input.arguments[i].is_null)
      continue;
    const std::size_t element = target_.arguments[i].element_size();
    const Content& content = input.arguments[i];
    const std::size_t size = target_.arguments[i].kind == ir::Parameter::Kind::Local
                                 ? content.local_size
                                 : content.bytes.size();
    if (extent.begin < 0 || constraints_.has_size(i) ||
        extent.end > static_cast<std::int64_t>(kMostBytes))
      return false;
    if (static_cast<std::size_t>(extent.end) <= size)
      continue;
    if (!mutator_.resize(input, i, (static_cast<std::size_t>(extent.end) + element - 1) / element))
      return false;
    any = true;
  }
  if (any)
    mutator_.obey(input, true);
  return any;
}

std::optional<Input> InputSearch::grown(Input input, Outcome& outcome) {
  for (unsigned i = 0; i < kMostGrowths && outcome.outside && outcome.fault == Fault::None; ++i) {
    if (!grow(input, outcome))
      return std::nullopt;
    outcome = worker_.run(input);
  }
  if (outcome.outside)
    return std::nullopt;
  return input;
}

bool InputSearch::is_at_limit(const Input& input, const Outcome& outcome) const {
  for (std::size_t i = 0; i < outcome.extents.size(); ++i)
    if (outcome.extents[i] != simulator::Monitor::Extent{} && !constraints_.has_size(i) &&
        input.arguments[i].bytes.size() + target_.arguments[i].type.size > kMostBytes)
      return true;
  return false;
}

const Found* InputSearch::note(const Checked& checked, const Input& input) {
  const Found* first = nullptr;
  Seen seen{features_.of(input), {}};
  for (const simulator::Finding& finding : checked.findings) {
    if (finding.kind == "race_same_value")
      continue;
    seen.findings.emplace(finding.kind, finding.site.line);
    Found& found = found_[{finding.kind, finding.site.line}];
    if (found.inputs++ == 0)
      found.finding = finding;
    const std::size_t size = found.inputs == 1 ? ~std::size_t{0} : size_of(found.example);
    if (size > kLargeExample && size_of(input) < size)
      found.example = input; // variations of it are launched
    if (!first)
      first = &found;
  }
  if (checked.fault == Fault::None && seen_.size() < kMostSeen)
    seen_.push_back(std::move(seen));
  return first;
}

void InputSearch::made_progress() {
  last_progress_ = worker_.launches();
  lost_since_ = 0;
}

void InputSearch::take(const Input& input, const Outcome& outcome, Taken taken) {
  add_reached(outcome, taken.silent);
  made_progress();
  worker_.was_of_use(outcome.steps);
  corpus_.push_back({input, true, 0});
  valid_.push_back(input);
  outcomes_.push_back(outcome);
  weak_.push_back(taken.weak);
  silent_.push_back(taken.silent);
}

void InputSearch::take_invalid(const Input& input, const Outcome& outcome, const Found* found) {
  const bool leads_on = is_new(outcome, reached_invalid_) && is_new(outcome, reached_);
  for (const unsigned bit : new_bits(outcome)) {
    ++refused_[bit];
    if (found)
      obstacles_[bit] = {found->finding.kind, found->finding.site.line};
  }
  for (std::size_t i = 0; i < reached_invalid_.size() && i < outcome.words.size(); ++i)
    reached_invalid_[i] |= outcome.words[i] & interesting_[i];
  if (leads_on) {
    corpus_.push_back({input, false, 0});
    made_progress();
  }
}

void InputSearch::handle(const Input& input, const Outcome& outcome, bool is_offered) {
  if (outcome.fault == Fault::Endless) {
    mutator_.be_careful();
    ++endless_;
  }
  if (outcome.outside && outcome.fault == Fault::None && grown_ < kMostGrowths) {
    Input larger = input;
    if (grow(larger, outcome)) {
      again_.emplace_back(std::move(larger), grown_ + 1);
      return;
    }
  }
  if (watch_ && constraints_.hold(target_, input))
    watch_(input, outcome);
  if (outcome.fault != Fault::None)
    return;
  const bool may_kill = hunting_ || (is_offered && kills_);
  if (!is_new(outcome, reached_) && !(may_kill && outcome.clean()))
    return;
  if (!constraints_.hold(target_, input) || (tying_ && !outcome.clean()))
    return;
  Outcome did = outcome;
  if (kills_ && outcome.clean())
    kills_->add(input, did, [&](const Goal& goal) { return !reached(goal); });
  const std::vector<unsigned> bits = new_bits(did);
  if (bits.empty())
    return;
  std::uint64_t least = ~std::uint64_t{0};
  for (const unsigned bit : bits)
    least = std::min(least, refused_[bit]);
  if (!tying_ && !is_offered && least > kRefusals && !mutator_.random().once_in(16))
    return;
  const Checked checked = worker_.check(input);
  const Found* const found = is_at_limit(input, outcome) ? nullptr : note(checked, input);
  if (tying_ && !keep_near(input, checked))
    lost_since_ += may_be_in_vain_ / kTiedChecks;
  if (assumes_fixed_ && can_be_assumed_fixed(checked))
    take_behind(input, did);
  else if (!checked.valid() || !outcome.clean())
    take_invalid(input, did, found);
  else if (checked.silent() || watch_)
    take(input, did, {.weak = is_weak(target_, input, checked)});
  else
    take_later(input, did, is_weak(target_, input, checked));
}

bool InputSearch::add(const Input& input, const Oracle& oracle) {
  Outcome outcome = worker_.run(input);
  if (outcome.fault != Fault::None || outcome.words.empty())
    return false;
  if (kills_ && outcome.clean())
    kills_->add(input, outcome, [](const Goal&) { return true; }, oracle);
  take(input, outcome, {});
  return outcome.clean();
}

bool InputSearch::offer(Input input) {
  const std::size_t before = valid_.size();
  mutator_.obey(input, false);
  Outcome outcome = worker_.run(input);
  if (outcome.outside) {
    auto larger = grown(std::move(input), outcome);
    if (!larger)
      return false;
    input = std::move(*larger);
  }
  grown_ = kMostGrowths;
  handle(input, outcome, true);
  take_second_choice();
  return valid_.size() != before;
}

// Picks one of the latest inputs, or of three random ones the one that was picked least. Invalid
// inputs are picked less often.
const InputSearch::Entry& InputSearch::pick() {
  Random& random = mutator_.random();
  std::size_t best = random.below(corpus_.size());
  if (random.once_in(3)) // the latest lead on
    best = corpus_.size() - 1 - random.below(std::min<std::size_t>(corpus_.size(), 3));
  else
    for (int i = 0; i < 2; ++i) {
      const std::size_t other = random.below(corpus_.size());
      if ((!corpus_[best].valid && random.once_in(2)) ||
          corpus_[other].picked < corpus_[best].picked)
        best = other;
    }
  ++corpus_[best].picked;
  return corpus_[best];
}

void InputSearch::tell(const char* doing) {
  const auto now = std::chrono::steady_clock::now();
  if (!report_ || now - told_ < std::chrono::milliseconds(100))
    return;
  told_ = now;
  const auto count = [&](const std::vector<Goal>& goals) {
    return static_cast<std::size_t>(
        std::ranges::count_if(goals, [&](const Goal& goal) { return reached(goal); }));
  };
  report_({.goals = goals_.size(),
           .reached = count(goals_),
           .mutants = kills_ ? kills_->goals().size() : 0,
           .killed = kills_ ? count(kills_->goals()) : 0,
           .launches = worker_.launches(),
           .seconds = seconds(),
           .doing = doing});
}

// Inputs from nothing: first all scalars 0 or 1, and sizes that do not fit; then each launch with
// scalars that are its sizes, and with any scalars.
Input InputSearch::seed() {
  const auto& shapes = mutator_.shapes();
  if (seeds_ >= 2 && seeds_ < 2 + kRagged) {
    const std::size_t number = seeds_++ - 2;
    return mutator_.ragged(shapes[number % std::min<std::size_t>(shapes.size(), 5)], number);
  }
  const Shape& shape = shapes[seeds_ % shapes.size()];
  Input input = mutator_.fresh(shape, seeds_ / shapes.size() % 2 == 0);
  if (seeds_ < 2 && shapes.size() > 1)
    for (std::size_t i = 0; i < target_.arguments.size(); ++i)
      if (const KernelArgument& argument = target_.arguments[i];
          argument.is_integer() && !constraints_.domain(i)) {
        runtime::store_integer(argument.type.scalar, seeds_, input.arguments[i].bytes.data());
        mutator_.set_sizes(input, false);
        mutator_.obey(input, true);
      }
  ++seeds_;
  return input;
}

void InputSearch::probe() {
  const auto& shapes = mutator_.shapes();
  for (std::size_t i = 0; i < kProbes && !out_of_time(); ++i) {
    Input input = mutator_.plain(shapes[i % std::min<std::size_t>(shapes.size(), 8)]);
    if (!constraints_.hold(target_, input))
      continue;
    Outcome outcome = worker_.try_run(input);
    if (const auto larger = grown(input, outcome))
      input = *larger;
    if (outcome.fault == Fault::None && !is_at_limit(input, outcome))
      note(worker_.check(input), input);
  }
}

// However a search ends, inputs of second choice are taken for what no other input reached.
void InputSearch::search(std::uint64_t without_progress, const std::function<Input()>& make,
                         const char* doing) {
  try {
    search_first_choice(without_progress, make, doing);
  } catch (const OutOfTime&) {
    take_second_choice();
    throw;
  }
  take_second_choice();
}

void InputSearch::run(std::uint64_t without_progress) {
  search(without_progress, [this] { return next(); }, "fuzzing");
}

void InputSearch::hunt(std::uint64_t without_progress) {
  hunting_ = true;
  search(without_progress, [this] { return next(); }, "hunting mutants");
  hunting_ = false;
}

// One of the first inputs, one from nothing, or a change of one that brought something.
Input InputSearch::next() {
  const auto& shapes = mutator_.shapes();
  Random& random = mutator_.random();
  if (seeds_ < std::min(kMostSeeds, 8 * shapes.size()))
    return seed();
  if (corpus_.empty() || random.once_in(12)) {
    const Shape& shape = shapes[random.below(shapes.size())];
    return mutator_.fresh(shape, random.once_in(2));
  }
  const Input& parent = pick().input;
  return mutator_.mutated(parent, corpus_[random.below(corpus_.size())].input);
}

void InputSearch::search_first_choice(std::uint64_t without_progress,
                                      const std::function<Input()>& make, const char* doing) {
  if (const std::size_t size = target_.original.text.size(); size > kShortSource)
    without_progress = std::max<std::uint64_t>(
        kBatch, static_cast<std::uint64_t>(static_cast<double>(without_progress) * kShortSource /
                                           static_cast<double>(size)));
  may_be_in_vain_ = without_progress;
  made_progress();
  std::vector<Input> batch;
  std::vector<unsigned> growths;
  std::size_t size = kCarefulBatch;
  while ((watch_ || !(hunting_ ? all_killed() : all_reached())) && !out_of_time() &&
         worker_.launches() - last_progress_ + lost_since_ < without_progress) {
    batch.clear();
    growths.clear();
    for (auto& [input, times] : again_) {
      batch.push_back(std::move(input));
      growths.push_back(times);
    }
    again_.clear();
    while (batch.size() < size) {
      batch.push_back(make());
      growths.push_back(0);
      const bool obeys =
          !constraints_.has_requirements() || constraints_.hold(target_, batch.back());
      obeyed_ = obeyed_ || obeys;
      if (!obeys && !mutator_.random().once_in(64)) { // which also ends where nothing can hold
        batch.pop_back();
        growths.pop_back();
      }
    }
    // With a watch, a launch that does not end is a failure, which needs all of its steps.
    const std::uint64_t used_up = worker_.used_up();
    const std::vector<Outcome> outcomes = watch_ ? worker_.run(batch) : worker_.try_run(batch);
    for (std::size_t i = 0; i < outcomes.size() && !out_of_time(); ++i) {
      grown_ = growths[i];
      handle(batch[i], outcomes[i]);
    }
    // A launch that does not end takes as long as thousands that do.
    const auto endless =
        static_cast<std::uint64_t>(std::ranges::count(outcomes, Fault::Endless, &Outcome::fault));
    // With a watch, which takes time itself, fuzzing goes on in spite of some of them.
    const std::uint64_t full = std::min(endless, worker_.used_up() - used_up);
    lost_since_ += watch_ ? endless * kWatchedEndless
                          : full * (without_progress / kEndlessShare + 1) +
                                (endless - full) * (without_progress / kTriedShare + 1);
    size = endless == 0 ? std::min(kBatch, 2 * size) : kCarefulBatch;
    tell(doing);
  }
}

} // namespace gputest::testgen
