// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/fuzz.h"

#include "model/clock.h"
#include "model/coverage.h"
#include "testgen/inference.h"
#include "testgen/inputs/case_file.h"
#include "testgen/judge.h"
#include "testgen/shrink.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <utility>

namespace gputest::testgen {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kJudged = 64;       // launches that are judged at once
constexpr double kMostShrinkSeconds = 20; // of a failure
// The time is the user's. Where compiling and the judge's start take nearly all of it, so many
// seconds more are for inputs.
constexpr double kMoreSeconds = 0.75;
// The start is the device's affair: its own compiler may take longer than a short run. Up to this
// share of kMoreSeconds is left to it without a word.
constexpr double kStartShare = 2. / 3;
constexpr double kSecondsAfter = 0.25;      // for launches that have begun
constexpr double kSecondsOfLast = 1;        // for the launch of a failure that was shrunk
constexpr const char* kEndless = "endless"; // a finding's kind, too
constexpr const char *kReference = "reference", *kProperty = "property", *kOnDevice = "device";

Failure failure_of(const simulator::Finding& finding) {
  const std::string place = place_text(finding.site);
  return {.kind = finding.kind,
          .what = place.substr(0, place.rfind(':')), // columns differ within a line
          .message = fmt::format("{}: {}", place, finding.message)};
}

Failure failure_of(const runtime::Verdict& verdict) {
  static constexpr std::array names{"", kReference, kProperty, kOnDevice};
  return {.kind = names.at(static_cast<std::size_t>(verdict.kind)),
          .what = verdict.what,
          .message = verdict.message};
}

// Failures of the original with all checks. An endless loop has no place: it is stopped anywhere.
// What the clock has ended may end on a faster machine.
std::vector<Failure> failures_of(const Checked& checked) {
  std::vector<Failure> all;
  for (const simulator::Finding& finding : checked.findings) {
    if (finding.kind == kEndless && checked.late)
      continue;
    all.push_back(failure_of(finding));
    if (finding.kind == kEndless)
      all.back().what = "";
  }
  if (all.empty() && checked.fault != Fault::None && !checked.late)
    all.push_back({.kind = checked.fault == Fault::Endless ? kEndless : "crash",
                   .message = checked.fault == Fault::Endless
                                  ? "the launch does not end"
                                  : "the launch ended the process that it ran in"});
  return all;
}

} // namespace

bool Failure::is_judged() const {
  return kind == kReference || kind == kProperty || kind == kOnDevice;
}

namespace {

class Hunt {
public:
  Hunt(const Target& target, const FuzzSettings& settings, const InputSearch::Report& report,
       const std::function<void(const Failure&)>& found)
      : target_(target), settings_(settings), found_(found), compiled_(target),
        constraints_(constraints_of(target, settings)),
        worker_(target, compiled_.kernels(for_start(0)), settings.limit),
        mutator_(target, constraints_, settings.seed) {
    if (!settings.judge.empty()) {
      start_judge();
      all_.device = judge_->greeting().device;
      if (!judge_->greeting().reference && !judge_->greeting().property && all_.device.empty())
        judge_.reset();
    }
    search_.emplace(target, constraints_, all_outcomes(), nullptr, mutator_, worker_, report);
    all_.before = model::seconds_since(begin_);
    if (settings.replay.empty()) {
      const double until = inputs_until();
      launches_until_ = Deadline::at(clock_, until + kSecondsAfter);
      search_->set_deadline(Deadline::at(clock_, until));
      set_deadlines(launches_until_);
    }
    all_.goals = all_outcomes().size();
  }

  double more() const { return std::min(settings_.seconds, kMoreSeconds); }

  Deadline for_start(double more) const {
    return settings_.replay.empty() ? Deadline::at(clock_, settings_.seconds + more) : Deadline();
  }

  void start_judge() {
    const double compiled = clock_.seconds();
    try {
      judge_.emplace(target_, settings_.judge, for_start(settings_.judge_seconds));
    } catch (const OutOfTime&) {
      throw NoInput(fmt::format(
          "error: the host program, which judges launches of kernel '{}', was not ready {:g} s "
          "after the {:g} seconds were over, {:.1f} of which were for compiling",
          target_.kernel(), settings_.judge_seconds, settings_.seconds, compiled));
    }
  }

  // When the launches have to end. Says so where the judge's start leaves no time for them.
  double inputs_until() {
    const double now = clock_.seconds();
    if (now <= settings_.seconds + kStartShare * more())
      return std::max(settings_.seconds, std::min(settings_.seconds, now) + more());
    all_.notes.push_back(fmt::format(
        "{:.1f} s were over when the host program was ready to judge: inputs had {:g} s more", now,
        more()));
    return now + more();
  }

  Fuzzed run() {
    if (!settings_.replay.empty()) {
      for (const fs::path& file : settings_.replay)
        replay(file);
      if (all_.inputs == 0)
        throw NoInput("error: there is no case to replay: " +
                      (all_.notes.empty() ? "the file has none" : all_.notes.front()));
      return finish();
    }
    try {
      fs::create_directories(settings_.output / "corpus"); // says now that it cannot be written
      infer();
      for (const fs::path& file : case_files(settings_.output, target_))
        replay(file);
      search_->watch([&](const Input& input, const Outcome& outcome) { look(input, outcome); });
      add_known();
      search_->run(~std::uint64_t{0});
      look_at_pending();
    } catch (const Enough&) {
      all_.notes.emplace_back("that is enough: correct these first");
    } catch (const OutOfTime&) { // in a launch
    }
    if (all_.inputs == 0)
      throw NoInput(
          late_ != 0 ? fmt::format("error: no launch of kernel '{}' could be judged; {}",
                                   target_.kernel(), late())
          : looked_  ? fmt::format("error: no launch of kernel '{}' with all checks ended within "
                                    "the {:g} seconds: give it more",
                                   target_.kernel(), settings_.seconds)
                     : fmt::format("error: no input of kernel '{}' was found that obeys "
                                    "ARGUMENTS and REQUIRE: do they contradict each other?",
                                   target_.kernel()));
    return finish();
  }

private:
  struct Enough {};

  std::vector<Goal> all_outcomes() const {
    return goals_of(target_.sites, {model::kCriteria.begin(), model::kCriteria.end()});
  }

  void infer() {
    const bool all_said = [&] {
      for (std::size_t i = 0; i < target_.arguments.size(); ++i)
        if (const auto kind = target_.arguments[i].kind;
            (kind == ir::Parameter::Kind::Buffer || kind == ir::Parameter::Kind::Local) &&
            !constraints_.has_size(i))
          return false;
      return true;
    }();
    if (!all_said) {
      Inferred inferred;
      infer_sizes(target_, constraints_, mutator_, *search_, worker_, inferred);
      mutator_.sizes = inferred.sizes;
    }
  }

  // Runs a case that has failed before, or that the user names.
  void replay(const fs::path& file) {
    for (KnownInput& known : inputs_of(target_, settings_, file, all_.notes)) {
      ++all_.inputs;
      auto [failures, fault, late] = examined(known.input);
      if (failures.empty() && late)
        continue;
      if (failures.empty()) {
        all_.passed.push_back(file);
        continue;
      }
      Failure failure = std::move(failures.front());
      failure.file = file;
      failure.known = true;
      if (!is_known(failure))
        tell(std::move(failure));
    }
  }

  // Adds the cases that people wrote, and the inputs that reached most in earlier runs. Of these,
  // inputs that bring nothing new are removed: other inputs or another kernel have replaced them.
  void add_known() {
    for (const fs::path& file : settings_.cases)
      for (const auto& [name, input, oracle] : inputs_of(target_, settings_, file, all_.notes)) {
        search_->add(input, oracle);
        saved_ = search_->valid().size(); // they are there
        if (constraints_.hold(target_, input))
          look(input, worker_.run(input));
      }
    std::vector<std::string> unusable;
    for (const fs::path& file : case_files(settings_.output / "corpus", target_)) {
      bool brings = false;
      for (const auto& [name, input, oracle] : inputs_of(target_, settings_, file, unusable))
        if (constraints_.hold(target_, input)) {
          const std::size_t before = search_->valid().size();
          brings = search_->offer(input) || brings;
          saved_ = search_->valid().size();
          all_.corpus += search_->valid().size() - before;
        }
      std::error_code ignored;
      if (!brings)
        fs::remove(file, ignored);
    }
  }

  // ---- One input ----

  struct Examined {
    std::vector<Failure> failures;
    bool fault = false, late = false;
  };

  // Returns the failures of an input. With `like`, makes only the launches that can show the same
  // failure. Memory without a given size may grow.
  Examined examined(Input& input, const Failure* like = nullptr) {
    Outcome outcome = worker_.run(input);
    if (outcome.outside)
      if (auto larger = search_->grown(input, outcome))
        input = std::move(*larger);
    const Checked checked = worker_.check(input);
    late_ += checked.late;
    Examined all{failures_of(checked), checked.fault != Fault::None, checked.late};
    const bool ask = !checked.late && (!like || like->is_judged());
    if (all.failures.empty() && judge_ && ask) {
      const Judge::Launched launched{input, checked.after};
      const bool on_device = !like || like->kind == kOnDevice;
      const runtime::Verdict verdict = judge_->ask(std::span(&launched, 1), on_device).front();
      if (verdict.kind != runtime::Verdict::Kind::Right && !is_chance(verdict, launched))
        all.failures.push_back(failure_of(verdict));
    }
    return all;
  }

  // A device runs work-items in an order of its own.
  bool is_chance(const runtime::Verdict& verdict, const Judge::Launched& launched) {
    return verdict.kind == runtime::Verdict::Kind::UnlikeDevice &&
           varying_output(target_, worker_, launched.input, launched.after).has_value();
  }

  // ---- Many inputs ----

  void look(const Input& input, const Outcome& outcome) {
    save_corpus();
    late_ += outcome.late;
    if (outcome.late) // the launch with all checks would take longer
      return;
    if (outcome.fault == Fault::Endless && is_known({.kind = kEndless, .file = {}}))
      return;
    looked_ = true;
    pending_.push_back(input);
    make_writable(target_, pending_.back()); // what is written must be what fails
    // Only one endless launch is looked at, because each takes as long as thousands of others.
    if (pending_.size() >= kJudged || outcome.fault == Fault::Endless)
      look_at_pending();
  }

  void look_at_pending() {
    std::vector<Judge::Launched> sound;
    const std::vector<Input> inputs = std::exchange(pending_, {});
    std::vector<Checked> all = worker_.check(inputs);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const std::vector<Failure> failures = failures_of(all[i]);
      ++(all[i].late ? late_ : all_.inputs);
      if (failures.empty() && !all[i].late)
        sound.push_back({inputs[i], std::move(all[i].after)});
      for (const Failure& failure : failures)
        if (!is_known(failure))
          take(inputs[i], failure);
    }
    if (!judge_ || sound.empty())
      return;
    const std::vector<runtime::Verdict> verdicts = judge_->ask(sound, false);
    for (std::size_t i = 0; i < verdicts.size(); ++i)
      if (verdicts[i].kind != runtime::Verdict::Kind::Right && !is_known(failure_of(verdicts[i])) &&
          !is_chance(verdicts[i], sound[i]))
        take(sound[i].input, failure_of(verdicts[i]));
  }

  void set_deadlines(Deadline until) {
    worker_.set_deadline(until);
    if (judge_)
      judge_->set_deadline(until);
  }

  bool is_known(const Failure& failure) const {
    return std::ranges::any_of(all_.failures,
                               [&](const Failure& other) { return other.is_same(failure); });
  }

  void take(const Input& input, const Failure& failure) {
    search_->tell("shrinking");
    const Deadline shrinking = launches_until_.within(kMostShrinkSeconds);
    set_deadlines(shrinking);
    Shrinker shrinker(target_, constraints_, nullptr, mutator_, worker_, shrinking);
    Input small = shrinker.shrunk(input, [&](Input& candidate) {
      make_writable(target_, candidate);
      return keeps(candidate, failure);
    });
    Failure final_one = failure;
    // A launch is taken for endless sooner while it is shrunk than when it is looked at.
    set_deadlines(Deadline::at(clock_, clock_.seconds() + kSecondsOfLast));
    for (const Input& candidate : {small, input}) {
      Input last = candidate;
      std::vector<Failure> failures;
      try {
        failures = examined(last, &failure).failures;
      } catch (const OutOfTime&) {
        break;
      }
      const auto same = std::ranges::find_if(
          failures, [&](const Failure& other) { return other.is_same(failure); });
      if (same == failures.end())
        continue;
      final_one = *same;
      small = std::move(last);
      break;
    }
    set_deadlines(launches_until_);
    final_one.file =
        write_case(settings_.output, target_, small,
                   {.name = fmt::format("{}-{}", file_part(target_.kernel()), final_one.kind),
                    .fails = final_one.message,
                    .offset_has_default = !settings_.case_global_offset.empty()});
    tell(std::move(final_one));
  }

  Shrinker::Kept keeps(Input& candidate, const Failure& failure) {
    if (failure.kind == kEndless) {
      const Outcome outcome = worker_.run(candidate);
      return {outcome.fault == Fault::Endless && !outcome.late, outcome.fault != Fault::None};
    }
    const Examined all = examined(candidate, &failure);
    return {std::ranges::any_of(all.failures,
                                [&](const Failure& other) { return other.is_same(failure); }),
            all.fault};
  }

  void tell(Failure failure) {
    found_(failure);
    all_.failures.push_back(std::move(failure));
    if (settings_.replay.empty() && all_.failures.size() >= settings_.most_failures)
      throw Enough();
  }

  // Each as soon as it is there: somebody may end this process.
  void save_corpus() {
    for (; saved_ < search_->valid().size(); ++saved_) {
      Input input = search_->valid()[saved_];
      make_writable(target_, input);
      write_case(settings_.output / "corpus", target_, input,
                 {.name = fmt::format("{}-{}", file_part(target_.kernel()), saved_ + 1),
                  .offset_has_default = !settings_.case_global_offset.empty()});
      ++all_.added;
    }
  }

  Fuzzed finish() {
    if (settings_.replay.empty())
      save_corpus();
    if (late_ != 0)
      all_.notes.push_back(late());
    for (const Goal& goal : all_outcomes())
      all_.reached += search_->reached(goal);
    all_.made = worker_.launches();
    all_.seconds = search_->seconds();
    return std::move(all_);
  }

  std::string late() const {
    return fmt::format(
        "launches that the clock has ended: {}. They count neither as endless nor as "
        "right, because they may end on a faster machine",
        late_);
  }

  const Target& target_;
  const FuzzSettings& settings_;
  const std::function<void(const Failure&)>& found_;
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  // Other load on the machine does not count, so that it never makes compiling or inputs
  // impossible.
  const WorkClock clock_{Counts::Time};
  Deadline launches_until_{}; // never where cases are replayed
  CompiledKernel compiled_;
  Constraints constraints_;
  Worker worker_;
  Mutator mutator_;
  std::optional<Judge> judge_;
  std::optional<InputSearch> search_;
  std::vector<Input> pending_;
  std::uint64_t late_ = 0; // launches
  bool looked_ = false;    // at an input that obeys ARGUMENTS and REQUIRE
  std::size_t saved_ = 0;  // of search_->valid()
  Fuzzed all_;
};

} // namespace

Fuzzed fuzz(const Target& target, const FuzzSettings& settings, const InputSearch::Report& report,
            const std::function<void(const Failure&)>& found) {
  try {
    return Hunt(target, settings, report, found).run();
  } catch (const OutOfTime&) {
    throw NoInput(
        fmt::format("error: compiling kernel '{}' takes longer than the {:g} seconds that "
                    "it has: give it more",
                    target.kernel(), settings.seconds));
  }
}

} // namespace gputest::testgen
