// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/comparison/compare.h"

#include "runtime/cases/scalar.h"
#include "testgen/comparison/rounding.h"
#include "testgen/comparison/side.h"
#include "testgen/fuzz.h"
#include "testgen/inputs/case_file.h"
#include "testgen/inputs/shapes.h"
#include "testgen/shrink.h"

#include <algorithm>
#include <fmt/format.h>

namespace gputest::testgen {
namespace {

namespace fs = std::filesystem;
using Unlike = KernelDifference::Kind;

constexpr std::uint64_t kFuzzedLaunches = 1'000, kHuntedLaunches = 1'500; // without progress
constexpr std::size_t kMostDifferences = 4'096;                           // scalars of one argument
constexpr std::size_t kOrdered = 12; // inputs of each kernel, in other orders
constexpr std::uint64_t kOrders = 3;
constexpr double kShrinkSeconds = 10;

// The shares of the time at which stages end.
constexpr double kInferred = 0.2, kFuzzedSecond = 0.35, kFuzzedFirst = 0.5, kSolved = 0.7,
                 kHunted = 0.95;

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
           const Fuzzer::Report& report)
      : settings_(settings), pairing_(first, second, settings.pairing),
        shapes_(common_shapes(first, second, settings)),
        second_(second, settings, shapes_, report, at(1)),
        first_(first, for_first(first, second, pairing_, settings), shapes_, report, at(1)),
        outputs_(second, settings.tolerance), random_(settings.seed) {
    all_.notes = pairing_.notes();
    begin_ = clock_.seconds();
  }

  KernelComparison run() {
    try {
      if (settings_.replay.empty())
        look();
      else
        replay();
    } catch (const Enough&) {
    }
    if (all_.inputs == 0)
      throw NoInput(nothing_compared());
    for (const Side* side : {&first_, &second_}) {
      all_.goals += side->goals.size();
      all_.reached += side->reached();
      all_.mutants += side->mutants();
      all_.killed += side->killed();
    }
    all_.largest_ulp = outputs_.largest_ulp();
    all_.largest_relative = outputs_.largest_relative();
    all_.seconds = clock_.seconds() - begin_;
    return std::move(all_);
  }

private:
  struct Enough {};

  Deadline at(double share) const {
    return Deadline::at(clock_, begin_ + share * settings_.seconds);
  }

  template <typename Does> void stage(double share, const Does& does) {
    const Deadline until = at(share);
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
    stage(kInferred, [&](Deadline) { second_.infer(); });
    stage(kInferred, [&](Deadline) { first_.infer(); });
    stage(kFuzzedSecond, [&](Deadline) {
      for (const fs::path& file : settings_.cases)
        for (const KnownInput& known : inputs_of(second_.target, settings_, file, all_.notes)) {
          second_.fuzzer.add(known.input, known.oracle);
          compare(known.input);
        }
    });
    second_.fuzzer.watch(
        [&](const Input& input, const Outcome& outcome) { made_for_second(input, outcome); });
    first_.fuzzer.watch([&](const Input& input, const Outcome& outcome) {
      if (outcome.fault == Fault::None)
        made_for_first(input);
    });
    const bool both = pairing_.same_launch();
    stage(kFuzzedSecond, [&](Deadline) { second_.fuzz(kFuzzedLaunches); });
    if (both)
      stage(kFuzzedFirst, [&](Deadline) { first_.fuzz(kFuzzedLaunches); });
    stage(kSolved, [&](Deadline until) { second_.solve(until); });
    if (both)
      stage(kSolved, [&](Deadline until) { first_.solve(until); });
    stage(kHunted, [&](Deadline until) { second_.hunt(kHuntedLaunches, until); });
    if (both)
      stage(kHunted, [&](Deadline until) { first_.hunt(kHuntedLaunches, until); });
    stage(1, [&](Deadline) { run_in_other_orders(); });
  }

  void replay() {
    for (const fs::path& file : settings_.replay)
      for (const KnownInput& known : inputs_of(second_.target, settings_, file, all_.notes)) {
        Looked looked = looked_at(known.input);
        if (!looked.left_out.empty()) {
          ++all_.left_out[looked.left_out];
          continue;
        }
        ++all_.inputs;
        if (!looked.difference)
          looked.difference = in_other_orders(known.input);
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

  // ---- One input, of the second kernel ----

  struct Looked {
    std::optional<KernelDifference> difference{};
    std::string left_out{}; // why the input does not count
  };

  bool is_own(std::size_t argument) const { return !pairing_.second_of()[argument]; }

  std::optional<Input> input_of_first(const Input& input) {
    std::optional<Input> ours = pairing_.to_first(input);
    if (ours && pairing_.first_has_local())
      first_.fit_own_memory(*ours, [&](std::size_t i) { return is_own(i); });
    return ours;
  }

  static std::string text_of(const simulator::Finding& finding) {
    return fmt::format("{}: {}: {}", place_text(finding.site), finding.kind, finding.message);
  }

  Looked looked_at(const Input& input) {
    const Checked right = second_.worker.check(input);
    if (!right.valid())
      return {.left_out = right.fault == Fault::Endless ? "the second kernel does not end"
                          : right.findings.empty()
                              ? "the second kernel ends its process"
                              : "the second kernel: " + text_of(right.findings.front())};
    const std::optional<Input> ours = input_of_first(input);
    if (!ours)
      return {.left_out = "the first kernel cannot get the input"};
    const Checked checked = first_.worker.check(*ours);
    if (checked.fault == Fault::Endless && has_large_numbers(input))
      return {.left_out = "the first kernel takes too long, with large numbers"};
    if (!checked.valid())
      return {.difference = fault_of(checked)};
    return looked_at_outputs(input, checked.after, right.after, Unlike::Output);
  }

  // Whether the input has an integer that may be the length of a long loop.
  bool has_large_numbers(const Input& input) const {
    constexpr std::uint64_t kLarge = 1 << 16;
    for (std::size_t i = 0; i < second_.target.arguments.size(); ++i) {
      const KernelArgument& argument = second_.target.arguments[i];
      const runtime::Bytes& bytes = input.arguments[i].bytes;
      const std::size_t element = std::max<std::size_t>(argument.type.size, 1);
      for (std::size_t at = 0; at + element <= bytes.size(); at += element)
        for (const model::Leaf& leaf : argument.leaves)
          if (!model::is_floating(leaf.scalar)) {
            const std::uint64_t number =
                runtime::read_integer(leaf.scalar, bytes.data() + at + leaf.offset);
            if (number >= kLarge && ~number >= kLarge)
              return true;
          }
    }
    return false;
  }

  KernelDifference fault_of(const Checked& checked) const {
    const auto bad = std::ranges::find_if(checked.findings, [](const auto& finding) {
      return finding.kind != "race_same_value" && finding.kind != "endless";
    });
    if (bad != checked.findings.end()) {
      const std::string place = place_text(bad->site);
      bool sizes_given = true;
      for (std::size_t i = 0; i < second_.target.arguments.size(); ++i)
        if (second_.target.arguments[i].kind == simulator::Parameter::Kind::Buffer)
          sizes_given = sizes_given && second_.constraints.has_size(i);
      return {.kind = Unlike::Finding,
              .what = bad->kind + place.substr(0, place.rfind(':')),
              .message = "the first kernel alone has a finding: " + text_of(*bad),
              .is_outside = bad->kind == "out_of_bounds" && !sizes_given};
    }
    if (checked.fault == Fault::Endless)
      return {.kind = Unlike::Endless,
              .what = {},
              .message = "the first kernel does not end, the second does"};
    return {.kind = Unlike::Crash,
            .what = {},
            .message = "the first kernel ends the process that it runs in"};
  }

  // Compares what both left. `kind`: what a difference is.
  Looked looked_at_outputs(const Input& input, const std::vector<runtime::Bytes>& first,
                           const std::vector<runtime::Bytes>& second, Unlike kind) {
    std::vector<OutputDifference> differences;
    for (std::size_t i = 0; i < first_.target.arguments.size(); ++i) {
      const auto other = pairing_.second_of()[i];
      if (!other ||
          (!first_.target.arguments[i].output && !second_.target.arguments[*other].output))
        continue;
      auto some = outputs_.compare(*other, first[i], second[*other], kMostDifferences);
      std::ranges::move(some, std::back_inserter(differences));
    }
    if (differences.empty())
      return {};
    const std::string& name = second_.target.arguments[differences.front().argument].name;
    if (depends_on_order(second_.target, second_.worker, input, second) == name)
      return {.left_out = fmt::format("'{}' of the second kernel depends on the order of "
                                      "work-items",
                                      name)};
    if (is_rounding(second_.target, second_.worker, input, differences, random_))
      return {.left_out = "outputs differ, and no more than if the last digits of inputs change"};
    const OutputError& error = differences.front().error;
    return {
        .difference = KernelDifference{
            .kind = kind,
            .what = name,
            .message = fmt::format(
                "{} is {} by the first kernel{}, and {} by the second", error.place, error.first,
                kind == Unlike::Order ? " in another order of work-items" : "", error.second)}};
  }

  std::optional<KernelDifference> in_other_orders(const Input& input) {
    if (input.shape.items() < 2)
      return std::nullopt;
    const Checked right = second_.worker.check(input);
    const std::optional<Input> ours = input_of_first(input);
    if (!right.valid() || !ours)
      return std::nullopt;
    for (std::uint64_t seed = 0; seed < kOrders; ++seed)
      if (const auto after = first_.worker.run_ordered(*ours, seed)) {
        Looked looked = looked_at_outputs(input, *after, right.after, Unlike::Order);
        if (looked.difference)
          return std::move(looked.difference);
      }
    return std::nullopt;
  }

  // ---- Many inputs ----

  void made_for_second(const Input& input, const Outcome& outcome) {
    if (outcome.fault != Fault::None)
      ++all_.left_out[outcome.fault == Fault::Endless ? "the second kernel does not end"
                                                      : "the second kernel ends its process"];
    else
      compare(input);
  }

  void made_for_first(const Input& input) {
    std::optional<Input> theirs = pairing_.to_second(input);
    if (!theirs)
      return;
    second_.mutator.set_sizes(*theirs, true);
    Outcome outcome = second_.worker.run(*theirs);
    if (outcome.outside)
      theirs = second_.fuzzer.grown(std::move(*theirs), outcome);
    if (theirs && outcome.fault == Fault::None && second_.constraints.hold(second_.target, *theirs))
      compare(*theirs);
  }

  void compare(const Input& made) {
    Input input = made;
    make_writable(second_.target, input); // what is written must be what differs
    const Looked looked = looked_at(input);
    if (!looked.left_out.empty()) {
      ++all_.left_out[looked.left_out];
      return;
    }
    ++all_.inputs;
    if (looked.difference)
      take(input, *looked.difference);
  }

  void run_in_other_orders() {
    for (Side* side : {&second_, &first_}) {
      const auto& valid = side->fuzzer.valid();
      for (std::size_t i = 0; i < std::min(valid.size(), kOrdered); ++i) {
        const Input& input = valid[valid.size() - 1 - i];
        const std::optional<Input> theirs =
            side == &second_ ? std::optional(input) : pairing_.to_second(input);
        if (!theirs)
          continue;
        if (const auto difference = in_other_orders(*theirs))
          take(*theirs, *difference);
      }
    }
  }

  // Shrinks the input, writes it and ends the comparison.
  [[noreturn]] void take(const Input& input, const KernelDifference& difference) {
    second_.fuzzer.tell("shrinking");
    const Deadline until = Deadline::after(kShrinkSeconds);
    first_.set_deadline(until);
    second_.set_deadline(until);
    const auto same = [&](const Input& candidate) -> std::optional<KernelDifference> {
      auto found = difference.kind == Unlike::Order ? in_other_orders(candidate)
                                                    : looked_at(candidate).difference;
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
        auto larger = second_.fuzzer.grown(candidate, outcome);
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
    all_.difference->file = write_case(settings_.output, second_.target, small,
                                       {.name = file_part(second_.target.kernel()) + "-differs",
                                        .fails = all_.difference->message});
    throw Enough();
  }

  const ComparisonSettings& settings_;
  WorkClock clock_;
  double begin_ = 0;
  Pairing pairing_;
  std::vector<Shape> shapes_;
  Side second_, first_;
  OutputComparison outputs_;
  Random random_;
  KernelComparison all_;
};

} // namespace

const char* name_of(KernelDifference::Kind kind) {
  constexpr std::array kNames{"output", "finding", "endless", "crash", "order"};
  return kNames.at(static_cast<std::size_t>(kind));
}

KernelComparison compare_kernels(const Target& first, const Target& second,
                                 const ComparisonSettings& settings, const Fuzzer::Report& report) {
  return Comparer(first, second, settings, report).run();
}

} // namespace gputest::testgen
