// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/comparison/compare.h"

#include "gputest/error.h"
#include "testgen/comparison/equality.h"
#include "testgen/comparison/joint_questions.h"
#include "testgen/fuzz.h"
#include "testgen/inputs/case_file.h"
#include "testgen/inputs/shapes.h"
#include "testgen/shrink.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <tuple>

namespace gputest::testgen {
namespace {

namespace fs = std::filesystem;
using Unlike = KernelDifference::Kind;

constexpr std::uint64_t kFuzzedLaunches = 500, kHuntedLaunches = 700; // without progress
constexpr std::size_t kOrdered = 12; // inputs of each kernel, in other orders
constexpr double kShrinkSeconds = 10;
constexpr double kExampleSeconds = 2; // after the end of the time, too
constexpr double kProofSeconds = 2;   // in steps of Z3 (kStepsOfSecond)
// Inputs from which the solver starts, for both kernels at once. Larger ones are taken where only
// they reach an outcome.
constexpr std::size_t kJointStarts = 10, kJointItems = 8, kJointBytes = 2'048;
constexpr std::size_t kMostStarts = 24, kMostStartItems = 64, kMostStartBytes = 16'384;
constexpr unsigned kJointRounds = 3;

// The shares of the time that is left when a stage begins. So each has some, however long those
// before it took. Stages end by what they count, such as launches. So the verdict depends on the
// time only if a stage uses up its share.
constexpr double kInfer = 0.15, kFuzz = 0.2, kSolveBoth = 0.35, kSolve = 0.2, kHunt = 0.5;

// Launches for both kernels: those of the one that is more particular about them.
std::vector<Shape> common_shapes(const Target& first, const Target& second,
                                 const ComparisonSettings& settings) {
  if (!settings.pairing.global_size.empty() || !settings.global_size.empty())
    return {};
  const auto demands = [](const Target& target) {
    return std::pair(target.interface.required_work_group_size.has_value() ||
                         target.interface.most_work_items.has_value(),
                     target.dictionary.dimensions);
  };
  const Target& one = demands(first) > demands(second) ? first : second;
  return shapes_of(one, {});
}

// The settings for the first kernel. What users say is about arguments of the second, so it holds
// for the first where these have the same names.
ComparisonSettings for_first(const Target& first, const Target& second, const Pairing& pairing,
                             ComparisonSettings settings) {
  for (std::size_t i = 0; i < first.arguments.size(); ++i)
    if (const auto other = pairing.second_of()[i];
        other && second.arguments[*other].name != first.arguments[i].name) {
      settings.arguments.clear();
      settings.requirements.clear();
    }
  const auto names_local = [&](const std::string& text) {
    const std::string name = text.substr(0, text.find_first_of(":="));
    return std::ranges::find(first.arguments, name, &KernelArgument::name) == first.arguments.end();
  };
  std::erase_if(settings.arguments, names_local);
  if (!pairing.same_launch())
    settings.global_size.clear(), settings.local_size.clear();
  return settings;
}

class Comparer {
public:
  Comparer(const Target& first, const Target& second, const ComparisonSettings& settings,
           const InputSearch::Report& report)
      : settings_(settings),
        pairing_(first, second, constraints_of(second, settings), settings.pairing),
        shapes_(common_shapes(first, second, settings)),
        second_(second, settings, shapes_, settings.limit, report),
        first_(first, for_first(first, second, pairing_, settings), shapes_, settings.limit,
               report),
        examiner_(first_, second_, pairing_, settings), solver_(first, second, pairing_) {
    all_.notes = pairing_.notes();
    begin_ = clock_.seconds();
  }

  KernelComparison run() {
    try {
      if (settings_.replay.empty())
        look();
      else
        replay();
      add_examples();
    } catch (const Enough&) {
    } catch (const OutOfTime&) { // in the launches of examples; what was found stays
      all_.out_of_time = true;
    }
    if (all_.inputs == 0)
      throw NoInput(nothing_compared());
    all_.enough = !settings_.replay.empty() || examiner_.has_written();
    for (const Side* side : {&first_, &second_}) {
      all_.goals += side->goals.size();
      all_.reached += side->reached();
      all_.mutants += side->mutants();
      all_.killed += side->killed();
    }
    all_.largest_ulp = examiner_.outputs().largest_ulp();
    all_.largest_relative = examiner_.outputs().largest_relative();
    all_.seconds = clock_.seconds() - begin_;
    return std::move(all_);
  }

private:
  struct Enough {};

  double seconds_left() const {
    return std::max(0.0, begin_ + settings_.seconds - clock_.seconds());
  }

  Deadline share(double of_what_is_left) const {
    return Deadline::at(clock_, clock_.seconds() + of_what_is_left * seconds_left());
  }

  template <typename Does> void stage(double of_what_is_left, const Does& does) {
    const Deadline until = share(of_what_is_left);
    if (until.over()) {
      all_.out_of_time = true;
      return;
    }
    first_.set_deadline(until);
    second_.set_deadline(until);
    try {
      does(until);
    } catch (const OutOfTime&) { // what was found stays
      all_.out_of_time = true;
    }
  }

  void look() {
    stage(kInfer, [&](Deadline) { second_.infer(); });
    stage(kInfer, [&](Deadline) { first_.infer(); });
    stage(kFuzz, [&](Deadline) {
      for (const fs::path& file : settings_.cases)
        for (const KnownInput& known : inputs_of(second_.target, settings_, file, all_.notes)) {
          second_.search.add(known.input, known.oracle);
          compare(known.input);
          given_.emplace_back(fmt::format("{} of {}", known.name, file.string()), known.input);
        }
    });
    second_.search.watch(
        [&](const Input& input, const Outcome& outcome) { made_for_second(input, outcome); });
    first_.search.watch([&](const Input& input, const Outcome& outcome) {
      if (outcome.fault == Fault::None)
        made_for_first(input);
    });
    const bool both = pairing_.same_launch();
    stage(kFuzz, [&](Deadline) { second_.fuzz(kFuzzedLaunches); });
    second_.search.tell("proving");
    const bool offsets = has_offsets(first_.target, first_.constraints) ||
                         has_offsets(second_.target, second_.constraints);
    const EqualityProof proof =
        prove_equal(first_.target, second_.target, pairing_, offsets, kProofSeconds);
    all_.proved = proof.proved;
    all_.not_proved = proof.why;
    if (proof.proved)
      return;
    if (both)
      stage(kFuzz, [&](Deadline) { first_.fuzz(kFuzzedLaunches); });
    stage(kSolveBoth, [&](Deadline until) { solve_both(until); });
    stage(kSolve, [&](Deadline until) { second_.solve(until); });
    if (both)
      stage(kSolve, [&](Deadline until) { first_.solve(until); });
    stage(kSolveBoth, [&](Deadline until) { solve_both(until); }); // from what is new
    hunt(second_, settings_.second_mutants);
    if (both)
      hunt(first_, settings_.first_mutants);
    stage(1, [&](Deadline) { run_in_other_orders(); });
  }

  // What makes and compiles the mutants takes no time, as all that compiles.
  void hunt(Side& side, const ComparisonSettings::Mutants& mutants) {
    if (!mutants)
      return;
    const double before = clock_.seconds();
    second_.search.tell("making mutants");
    try {
      side.add_mutants(mutants(), share(1));
    } catch (const UsageError& error) {
      all_.notes.push_back(fmt::format("no mutants of the {} kernel: {}",
                                       &side == &first_ ? "first" : "second", error.what()));
      return;
    } catch (const OutOfTime&) {
      all_.out_of_time = true;
    }
    begin_ += clock_.seconds() - before;
    stage(kHunt, [&](Deadline until) { side.hunt(kHuntedLaunches, until); });
  }

  void replay() {
    for (const fs::path& file : settings_.replay)
      for (const KnownInput& known : inputs_of(second_.target, settings_, file, all_.notes)) {
        Examiner::Looked looked = examiner_.looked_at(known.input);
        if (!looked.left_out.empty()) {
          ++all_.left_out[looked.left_out];
          continue;
        }
        ++all_.inputs;
        if (!looked.difference)
          looked.difference = examiner_.in_other_orders(known.input);
        if (looked.difference && !all_.difference) {
          all_.difference = looked.difference;
          all_.difference->file = file;
        }
      }
  }

  std::string nothing_compared() const {
    std::string reasons;
    for (const auto& [reason, count] : all_.left_out)
      reasons += fmt::format("\n  {}: {}", count, reason);
    for (const std::string& note : all_.notes)
      reasons += "\n  " + note;
    return fmt::format("error: no input of kernel '{}' ({}) could be compared{}{}",
                       second_.target.kernel(), second_.target.file,
                       reasons.empty() ? "" : "; inputs left out:", reasons);
  }

  // ---- Many inputs ----

  void made_for_second(const Input& input, const Outcome& outcome) {
    if (outcome.fault != Fault::None)
      ++all_.left_out[Examiner::why_left_out(outcome.fault, outcome.late)];
    else
      compare(input);
  }

  // With memory of the size that the second kernel needs. nullopt: it ends its process, or the
  // constraints do not allow the input.
  std::optional<Input> fitted(Input input) {
    second_.mutator.set_sizes(input, true);
    Outcome outcome = second_.worker.run(input);
    std::optional<Input> larger;
    if (outcome.outside)
      larger = second_.search.grown(input, outcome);
    if (larger)
      input = std::move(*larger);
    if (outcome.fault != Fault::None || !second_.constraints.hold(second_.target, input))
      return std::nullopt;
    return input;
  }

  void made_for_first(const Input& input) {
    std::optional<Input> theirs = pairing_.to_second(input);
    if (theirs)
      theirs = fitted(std::move(*theirs));
    if (theirs)
      compare(*theirs);
  }

  // Small inputs, so that each outcome that was reached in one of the kernels is in one of them if
  // it can be. Those from which the solver has started are left out.
  std::vector<Input> starts() {
    struct Start {
      Input input;
      std::vector<unsigned> bits; // of outcomes; the first kernel's come after those of the second
    };
    std::vector<Start> all;
    unsigned shift = 0;
    for (Side* side : {&second_, &first_}) {
      for (std::size_t i = 0; i < side->search.valid().size(); ++i) {
        const Input& input = side->search.valid()[i];
        std::optional<Input> theirs = input;
        if (side == &first_)
          theirs = pairing_.to_second(input);
        if (!theirs || !second_.constraints.hold(second_.target, *theirs) ||
            theirs->shape.items() > kMostStartItems || theirs->bytes() > kMostStartBytes)
          continue;
        Start& start = all.emplace_back(Start{.input = std::move(*theirs), .bits = {}});
        for (const Goal& goal : side->goals)
          if (side->search.outcomes()[i].has(goal.bit))
            start.bits.push_back(shift + goal.bit);
      }
      for (const Goal& goal : side->goals)
        shift = std::max(shift, goal.bit + 1);
    }
    std::ranges::stable_sort(all, {}, [](const Start& start) {
      return std::pair(start.input.shape.items(), start.input.bytes());
    });
    std::vector<Input> chosen;
    const auto choose = [&](const Input& input) {
      if (chosen.size() < kMostStarts && std::ranges::find(chosen, input) == chosen.end())
        chosen.push_back(input);
    };
    std::set<unsigned> covered;
    for (const Start& start : all) {
      const std::size_t before = covered.size();
      covered.insert(start.bits.begin(), start.bits.end());
      if (covered.size() != before)
        choose(start.input);
    }
    for (const Start& start : all)
      if (chosen.size() < kJointStarts && start.input.shape.items() <= kJointItems &&
          start.input.bytes() <= kJointBytes)
        choose(start.input);
    std::erase_if(chosen, [&](const Input& input) { return !started_.insert(input).second; });
    return chosen;
  }

  // Asks the solver for inputs with which the kernels differ, and goes on from those that it finds.
  void solve_both(Deadline until) {
    std::vector<Input> inputs = starts();
    std::set<Input> known(inputs.begin(), inputs.end());
    for (unsigned round = 0; round < kJointRounds && !inputs.empty(); ++round) {
      second_.search.tell("solving for both");
      std::vector<Input> next;
      const JointAnswers answers = solver_.ask(inputs, until, [&](const Input& found) {
        const std::optional<Input> input = fitted(found);
        if (!input || !known.insert(*input).second)
          return;
        compare(*input);
        if (next.size() < kJointStarts && input->bytes() <= kJointBytes)
          next.push_back(*input);
      });
      all_.asked += answers.asked;
      all_.excluded += answers.excluded;
      answers.add_notes(all_.notes);
      inputs = std::move(next);
    }
  }

  void compare(const Input& made) {
    Input input = made;
    make_writable(second_.target, input); // what is written must be what differs
    const Examiner::Looked looked = examiner_.looked_at(input);
    if (!looked.left_out.empty()) {
      ++all_.left_out[looked.left_out];
      return;
    }
    ++all_.inputs;
    if (looked.difference)
      take(input, *looked.difference);
    const auto size = [&](const Input& one) {
      return std::tuple(examiner_.has_usual_numbers(one), one.bytes(), one.shape.items());
    };
    if (!largest_ || size(*largest_) < size(input))
      largest_ = input;
  }

  void add_examples() {
    const Deadline until = Deadline::at(clock_, clock_.seconds() + kExampleSeconds);
    first_.set_deadline(until);
    second_.set_deadline(until);
    if (given_.empty() && largest_)
      given_.emplace_back(
          fmt::format("the largest input, of {} work-items", largest_->shape.items()), *largest_);
    for (const auto& [name, input] : given_)
      if (auto ours = examiner_.input_of_first(input))
        all_.examples.push_back({name, std::move(*ours), input});
  }

  void run_in_other_orders() {
    for (Side* side : {&second_, &first_}) {
      const auto& valid = side->search.valid();
      for (std::size_t i = 0; i < std::min(valid.size(), kOrdered); ++i) {
        const Input& input = valid[valid.size() - 1 - i];
        std::optional<Input> theirs =
            side == &second_ ? std::optional(input) : pairing_.to_second(input);
        if (theirs && side == &first_) // which does not know what the second kernel requires
          theirs = fitted(std::move(*theirs));
        if (!theirs)
          continue;
        if (const auto difference = examiner_.in_other_orders(*theirs))
          take(*theirs, *difference);
      }
    }
  }

  // Shrinks the input, writes it and ends the comparison.
  [[noreturn]] void take(const Input& input, const KernelDifference& difference) {
    second_.search.tell("shrinking");
    const Deadline until = Deadline::after(kShrinkSeconds);
    first_.set_deadline(until);
    second_.set_deadline(until);
    const auto same = [&](const Input& candidate) -> std::optional<KernelDifference> {
      auto found = difference.kind == Unlike::Order ? examiner_.in_other_orders(candidate)
                                                    : examiner_.looked_at(candidate).difference;
      if (!found || found->kind != difference.kind || found->what != difference.what)
        return std::nullopt;
      return found;
    };
    const bool slow = difference.kind == Unlike::Endless || difference.kind == Unlike::Crash;
    Shrinker shrinker(second_.target, second_.constraints, nullptr, second_.mutator, second_.worker,
                      until);
    Input small = shrinker.shrunk(input, [&](Input& candidate) -> Shrinker::Kept {
      make_writable(second_.target, candidate);
      Outcome outcome = second_.worker.run(candidate);
      if (outcome.outside) {
        auto larger = second_.search.grown(candidate, outcome);
        if (!larger)
          return {};
        candidate = std::move(*larger);
      }
      const bool kept = same(candidate).has_value();
      return {kept, kept && slow};
    });
    first_.set_deadline({});
    second_.set_deadline({});
    all_.difference = difference;
    if (auto final_one = same(small))
      all_.difference = std::move(*final_one);
    else
      small = input;
    all_.difference->file =
        write_case(settings_.output, second_.target, small,
                   {.name = file_part(second_.target.kernel()) + "-differs",
                    .fails = all_.difference->message,
                    .offset_has_default = !settings_.case_global_offset.empty()});
    throw Enough();
  }

  const ComparisonSettings& settings_;
  WorkClock clock_;
  double begin_ = 0;
  Pairing pairing_;
  std::vector<Shape> shapes_;
  Side second_, first_;
  Examiner examiner_;
  JointSolver solver_;
  std::vector<std::pair<std::string, Input>> given_; // cases of people
  std::optional<Input> largest_;
  std::set<Input> started_; // from these, the solver was asked about both kernels
  KernelComparison all_;
};

} // namespace

KernelComparison compare_kernels(const Target& first, const Target& second,
                                 const ComparisonSettings& settings,
                                 const InputSearch::Report& report) {
  return Comparer(first, second, settings, report).run();
}

} // namespace gputest::testgen
