// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/analyses/check/interleavings.h"

#include "model/text/plural.h"
#include "runtime/analyses/schedules/runner.h"
#include "runtime/cases/comparison.h"
#include "runtime/variants/schedule_state.h"

#include <fmt/format.h>
#include <map>

namespace gputest::runtime {
namespace {

// Once outputs differ, exploration stops after this many more accesses.
constexpr std::uint64_t kMoreAccesses = 2'000'000;

bool is_exact(const Tolerance& tolerance) {
  return tolerance.absolute.value_or(0) == 0 && tolerance.relative.value_or(0) == 0 &&
         tolerance.ulp.value_or(0) == 0;
}

class Explorer {
public:
  Explorer(Machine& machine, BuiltKernel& kernel, const std::string& kernel_name,
           BoundCase test_case)
      : machine_(machine), kernel_(kernel), kernel_name_(kernel_name),
        test_case_(std::move(test_case)), outputs_(outputs_of(test_case_)) {
    test_case_.launch = with_local_size(test_case_.launch, machine.largest_group());
    for (const std::size_t output : outputs_)
      test_case_.arguments[output].read_back = true;
  }

  InterleavedCase run(ExplorationBounds bounds) {
    // Exploring a little more may show other pairs of lines that race; exploring the rest proves
    // nothing. With a tolerance, a difference may be none, so exploration goes on.
    if (is_exact(test_case_.tolerance))
      bounds.more = kMoreAccesses;
    exploration_ = kernel_.explore(test_case_.launch, test_case_.arguments, outputs_, bounds);
    InterleavedCase result;
    result.seconds = exploration_.seconds;
    if (!exploration_.too_large.empty()) {
      result.message = fmt::format("the interleavings are not explored: {}; give a smaller case",
                                   exploration_.too_large);
      return result;
    }
    result.findings = exploration_.findings;
    const bool fatal = !result.findings.empty() && result.findings.back().fatal;
    for (const Exploration::Dependence& dependence : exploration_.dependences)
      add(dependence, result.findings);
    result.message = message(result.findings.size(), fatal);
    const bool known = exploration_.outcomes <= exploration_.schedules.size();
    result.proved =
        result.findings.empty() && exploration_.end == Exploration::End::Exhausted && known;
    return result;
  }

private:
  using Outputs = std::vector<Bytes>;

  // Returns what an interleaving leaves, by its number.
  const Outputs& left_by(std::size_t outcome) {
    const auto known = left_.find(outcome);
    if (known != left_.end())
      return known->second;
    std::vector<LaunchArgument> arguments = test_case_.arguments;
    Bytes state;
    const Simulation before = *machine_.simulation();
    machine_.simulation()->turns = exploration_.schedules.at(outcome);
    kernel_.launch(test_case_.launch, arguments, state);
    *machine_.simulation() = before;
    Outputs& outputs = left_[outcome];
    for (const std::size_t output : outputs_)
      outputs.push_back(std::move(arguments[output].bytes));
    return outputs;
  }

  // Returns "; 'out' differs in 1 of 4 values, out[0]: 3 or 5"; empty: they differ within the
  // tolerance.
  std::string difference(std::size_t one, std::size_t other) {
    const Outputs &left = left_by(one), &right = left_by(other);
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
      const std::size_t position = outputs_[i];
      const Comparison comparison =
          compare(test_case_.types[position], left[i], right[i], test_case_.tolerance);
      if (comparison.equal())
        continue;
      const std::string& name = test_case_.arguments[position].name;
      const Mismatch& first = comparison.first.front();
      return fmt::format("; '{}' differs in {} of {}, {}[{}]{}: {} or {}", name,
                         comparison.differing, model::plural(comparison.compared, "value"), name,
                         first.index, first.path, first.expected, first.actual);
    }
    return "";
  }

  void add(const Exploration::Dependence& dependence, std::vector<model::Finding>& findings) {
    const std::string what = difference(dependence.before, dependence.after);
    if (what.empty()) {
      ++within_tolerance_;
      return;
    }
    left_other_ = true;
    model::Finding finding = dependence.finding;
    finding.message += what;
    // Keeps the first of the two that differs from what the simulator does by itself.
    const bool after = dependence.after != 0 && !difference(0, dependence.after).empty();
    model::Schedule schedule{.kernel = kernel_name_,
                             .test_case = test_case_.name,
                             .harness = "",
                             .device = machine_.name()};
    schedule.sizes = sizes_of(test_case_.launch);
    schedule.strategy = model::Strategy::Interleave;
    schedule.turns = exploration_.schedules.at(after ? dependence.after : dependence.before);
    finding.schedule = std::move(schedule);
    findings.push_back(std::move(finding));
  }

  std::string message(std::size_t findings, bool fatal) const {
    const std::uint64_t count = exploration_.interleavings;
    if (fatal)
      return "the interleavings are not explored: the kernel ends in one of them";
    if (exploration_.end == Exploration::End::Visits)
      return exploration_.stopped_at +
             ": a loop that waits for another work-item has interleavings without end, and so has "
             "a case that is too large";
    if (findings != 0)
      return fmt::format("{} inequivalent {} run, {}", count,
                         count == 1 ? "interleaving was" : "interleavings were",
                         left_other_ ? "and some left other outputs"
                                     : "with what is said here in some of them");
    if (exploration_.end != Exploration::End::Exhausted)
      return fmt::format(
          "not all interleavings are explored: after {} there is no {} left, and all of these left "
          "the same outputs; {}",
          count,
          exploration_.end == Exploration::End::Seconds ? "time" : "interleaving of those allowed",
          exploration_.end == Exploration::End::Seconds
              ? "raise TIMEOUT (--timeout), or give a smaller case"
              : "allow more with CHECK INTERLEAVINGS <number> "
                "(--interleavings), or give a smaller case");
    if (exploration_.outcomes > exploration_.schedules.size())
      return fmt::format("{} inequivalent interleavings leave {} different outputs, and only the "
                         "first {} of these were compared within the tolerance",
                         count, exploration_.outcomes, exploration_.schedules.size());
    return count == 1 ? "there is one interleaving: no two accesses depend on each other's order"
                      : fmt::format("all {} inequivalent interleavings leave the same outputs{}",
                                    count, within_tolerance_ > 0 ? ", within the tolerance" : "");
  }

  Machine& machine_;
  BuiltKernel& kernel_;
  std::string kernel_name_;
  BoundCase test_case_;
  std::vector<std::size_t> outputs_;
  Exploration exploration_;
  std::map<std::size_t, Outputs> left_;
  std::size_t within_tolerance_ = 0;
  bool left_other_ = false; // an interleaving left other outputs
};

} // namespace

InterleavedCase explore_case(Machine& machine, BuiltKernel& kernel, const std::string& kernel_name,
                             BoundCase test_case, const ExplorationBounds& bounds) {
  return Explorer(machine, kernel, kernel_name, std::move(test_case)).run(bounds);
}

} // namespace gputest::runtime
