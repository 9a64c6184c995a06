// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/analyses/compare/side_by_side.h"

#include "model/files.h"
#include "runtime/process/worker.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <set>
#include <vector>

namespace gputest::runtime {
namespace {

double median(std::vector<double> values) {
  if (values.empty())
    return 0;
  std::ranges::sort(values);
  return values[values.size() / 2];
}

// What a worker sends about a case.
struct ComparedCase {
  enum class Verdict { Identical, WithinTolerance, Differs, InvalidCase };
  Verdict verdict = Verdict::Identical;
  std::string difference{}; // Differs, InvalidCase
  bool identical = false;
  std::string varies{};                // the arguments that vary from run to run
  std::vector<double> left{}, right{}; // seconds
};
constexpr auto names_of(ComparedCase::Verdict) {
  return std::to_array<std::string_view>(
      {"identical", "within tolerance", "differs", "invalid case"});
}
constexpr auto fields_of_comparison() {
  using T = ComparedCase;
  using model::field;
  return std::tuple{field("verdict", &T::verdict), field("difference", &T::difference),
                    field("identical", &T::identical), field("varies", &T::varies)};
}
constexpr auto fields_of(const ComparedCase*) {
  using T = ComparedCase;
  return std::tuple_cat(fields_of_comparison(), std::tuple{model::field("left", &T::left),
                                                           model::field("right", &T::right)});
}
using model::from_json, model::to_json;

// Further runs of each side before a difference is blamed on one of them.
constexpr unsigned kRuns = 4;

// One case on both sides. What a kernel does wrong is in the message; other errors are thrown.
class CaseComparison {
public:
  CaseComparison(const Sides& sides, const SideBySide& what, const std::string& kernel,
                 const BoundCase& test_case, const WorkerChannel& channel)
      : sides_(sides), what_(what), kernel_(kernel), case_(test_case), channel_(channel) {}

  ComparedCase run(unsigned runs) {
    using Verdict = ComparedCase::Verdict;
    ComparedCase result;
    const auto fail = [&](Verdict verdict, const std::string& text) {
      result.verdict = verdict;
      result.difference = text;
      return result;
    };
    std::optional<BoundCase> left, right;
    try {
      left = launched(sides_.left, what_.left);
    } catch (const KernelError& error) {
      return fail(Verdict::InvalidCase,
                  fmt::format("the {} is wrong by itself, so there is nothing to "
                              "compare with: {}",
                              what_.left, error.what()));
    }
    const auto left_again = [&] { return launched(sides_.left, what_.left); };
    std::set<std::size_t> chance = varying(*left, 1, left_again);
    try {
      right = launched(sides_.right, what_.right);
    } catch (const KernelError& error) {
      return fail(Verdict::Differs, fmt::format("{}: {}", what_.right, error.what()));
    }
    const Likeness likeness = what_.compare(*left, *right);
    const auto is_chance = [&](const MemoryDifference& difference) {
      return chance.contains(difference.position);
    };
    if (!std::ranges::all_of(likeness.differences, is_chance)) {
      chance.merge(varying(*left, kRuns, left_again));
      chance.merge(varying(*right, kRuns, [&] { return launched(sides_.right, what_.right); }));
    }
    const auto own = std::ranges::find_if_not(likeness.differences, is_chance);
    if (own != likeness.differences.end())
      fail(Verdict::Differs, describe(own->comparison, case_.arguments[own->position].name));
    else
      result.verdict =
          likeness.identical || !chance.empty() ? Verdict::Identical : Verdict::WithinTolerance;
    result.identical = result.verdict == Verdict::Identical;
    result.varies = quoted_names(chance, case_);
    for (unsigned run = 0; run < runs; ++run) {
      BoundCase left_copy = case_, right_copy = case_;
      result.left.push_back(sides_.left(left_copy));
      result.right.push_back(sides_.right(right_copy));
    }
    return result;
  }

private:
  BoundCase launched(const std::function<double(BoundCase&)>& side, const std::string& name) const {
    channel_.phase(fmt::format("kernel '{}' ({})", kernel_, name));
    BoundCase result = case_;
    side(result);
    return result;
  }

  const Sides& sides_;
  const SideBySide& what_;
  const std::string& kernel_;
  const BoundCase& case_;
  const WorkerChannel& channel_;
};

ComparedCase compare_case(const Plan& plan, const SideBySide& what, const Sides& sides,
                          unsigned runs, const WorkerChannel& channel, std::size_t index) {
  channel.start(index);
  channel.phase(kMakingArguments);
  BoundCase test_case = bind_case(plan.cases[index], plan.interface, plan.defaults);
  read_back_all(test_case);
  if (sides.prepare)
    sides.prepare(test_case);
  try {
    return CaseComparison(sides, what, plan.kernel, test_case, channel).run(runs);
  } catch (const DeviceError& error) {
    channel.lose(error.what()); // the device may be unusable after that
  }
}

} // namespace

int run_side_by_side(const Plan& plan, unsigned runs, const SideBySide& what) {
  Json cases = Json::array();
  std::string device;
  int exit_code = 0;
  const auto lose = [&](std::size_t index, std::string_view verdict, const std::string& message) {
    fmt::print("{}: {}\n  {}\n", verdict, plan.cases[index].name, message);
    exit_code = 1;
  };
  const auto work = [&](const WorkerChannel& channel, std::size_t first) {
    const Sides sides = what.open();
    channel.info({{"device", sides.device}});
    for (std::size_t i = first; i < plan.cases.size(); ++i)
      channel.done(i, compare_case(plan, what, sides, runs, channel, i));
  };
  const auto on_done = [&](std::size_t index, const Json& message) {
    const std::string& name = plan.cases[index].name;
    const auto done = received<ComparedCase>(message);
    Json& result = cases.emplace_back(Json{{"name", name}});
    write_fields(result, done, fields_of_comparison());
    if (done.difference.empty() || !done.left.empty()) { // both sides ran
      result[what.left] = done.left;
      result[what.right] = done.right;
    }
    if (!done.difference.empty()) {
      lose(index, name_of(done.verdict), done.difference);
    } else {
      const double left = median(done.left), right = median(done.right);
      fmt::print("{}: {}", name_of(done.verdict), name);
      if (left > 0)
        fmt::print(" ({} {:.3f} ms, {} {:.3f} ms, ratio {:.2f})", what.left, left * 1e3, what.right,
                   right * 1e3, right / left);
      fmt::print("\n");
    }
    if (!done.varies.empty())
      fmt::print("  {} varies from run to run on one side alone, and was not compared\n",
                 done.varies);
  };
  run_isolated({
      .cases = plan.cases.size(),
      .timeout = plan.timeout,
      .work = work,
      .on_info = [&](const Json& info) { device = info.at("device").get<std::string>(); },
      .on_done = on_done,
      .on_lost =
          [&](std::size_t index, Loss loss, const std::string& message, double) {
            lose(index, name_of(loss), message);
            if (loss == Loss::Disturbed) // another process ended the worker
              exit_code = 3;
          },
  });
  model::write_atomically(plan.result, model::pretty({{"format", what.format},
                                                      {"name", plan.name},
                                                      {"device", device},
                                                      {"checks", plan.simulation.checks},
                                                      {"cases", cases}}));
  return exit_code;
}

} // namespace gputest::runtime
