// What is found does not depend on which schedule shows a difference first.
#include "runtime/analyses/schedules/search.h"
#include "tests/catch.h"
#include "tests/runtime/interface_builder.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <fmt/format.h>
#include <set>

namespace gputest::runtime {
namespace {

using model::FindingKind;
using model::Schedule;

// Four groups of eight work-items that leave what depends on the orders of both, on one of them, or
// on neither; and as many threads as there are groups, whose outcome is another each time, where
// they are not run one at a time.
class OrderedMemory final : public ScheduleRunner {
public:
  struct Depends {
    bool items = false, groups = false;
  };

  OrderedMemory(Depends depends, bool by_chance) : depends_(depends), by_chance_(by_chance) {
    sizes_ = {.dimensions = 1, .global = {32, 1, 1}, .local = {8, 1, 1}};
    case_.name = "case";
    case_.arguments.emplace_back();
    case_.arguments.back().name = "left";
    case_.arguments.back().kind = LaunchArgument::Kind::Buffer;
    case_.types.push_back(tests::kInt);
    case_.outputs.push_back(true);
  }

  const BoundCase& test_case() const override { return case_; }
  const std::vector<std::size_t>& outputs() const override { return outputs_; }
  std::uint64_t runs() const override { return runs_; }

  ScheduleRun run(const Schedule& schedule, std::uint32_t /*budget*/, bool /*trace*/) override {
    ++runs_;
    std::int32_t left[3] = {};
    if (depends_.items)
      left[0] = static_cast<std::int32_t>(model::permutation(schedule.items, 8).back());
    if (depends_.groups)
      left[1] = static_cast<std::int32_t>(model::stages(schedule).back().back());
    if (by_chance_ && schedule.strategy != model::Strategy::Serial)
      left[2] = static_cast<std::int32_t>(runs_);
    ScheduleRun result;
    result.outputs.emplace_back(sizeof left);
    std::memcpy(result.outputs.back().data(), left, sizeof left);
    return result;
  }

  std::unique_ptr<ScheduleRunner> like(BoundCase /*test_case*/) const override {
    return std::make_unique<OrderedMemory>(depends_, by_chance_);
  }

private:
  Depends depends_;
  bool by_chance_;
  BoundCase case_;
  std::vector<std::size_t> outputs_{0};
  std::uint64_t runs_ = 0;
};

std::multiset<FindingKind> kinds(OrderedMemory::Depends depends, bool by_chance) {
  OrderedMemory memory(depends, by_chance);
  const model::ScheduleSites sites;
  ScheduleSearch search(memory, sites, "kernel", {}, 1000, [](const Schedule&) {});
  std::multiset<FindingKind> result;
  for (const auto& found : search.run([](const DiffersWith&) { return std::nullopt; }).found)
    result.insert(found.finding.kind);
  return result;
}

} // namespace

TEST_CASE("all kinds of dependence are found, whichever schedule shows a difference first") {
  const bool by_chance = GENERATE(false, true);
  CAPTURE(by_chance);
  using Kinds = std::multiset<FindingKind>;
  CHECK(kinds({.items = true}, by_chance) == Kinds{FindingKind::WithinGroups});
  CHECK(kinds({.groups = true}, by_chance) == Kinds{FindingKind::BetweenGroups});
  CHECK(kinds({.items = true, .groups = true}, by_chance) ==
        Kinds{FindingKind::WithinGroups, FindingKind::BetweenGroups});
  CHECK(kinds({}, by_chance) == (by_chance ? Kinds{FindingKind::Overlapping} : Kinds{}));
}

TEST_CASE("outputs that differ and are right as well are no difference") {
  const auto verdict = [](const std::vector<bool>& right) {
    OrderedMemory memory({.items = true, .groups = true}, false);
    const model::ScheduleSites sites;
    ScheduleSearch search(memory, sites, "kernel", {}, 1000, [](const Schedule&) {});
    std::size_t asked = 0;
    search.judge_by(
        [&](const std::vector<Bytes>&) { return right[std::min(asked++, right.size() - 1)]; });
    return search.run([](const DiffersWith&) { return std::nullopt; }).scheduled.verdict;
  };
  CHECK(verdict({true}) == model::ScheduleVerdict::Held);
  CHECK(verdict({false}) == model::ScheduleVerdict::OrderDependent); // not right as launched
  CHECK(verdict({true, true, true, false}) == model::ScheduleVerdict::OrderDependent);
}

TEST_CASE("orders for which a time limit leaves no time are counted as not run") {
  const auto run = [](bool is_over) {
    OrderedMemory memory({.items = true}, false);
    const model::ScheduleSites sites;
    SearchSettings settings;
    if (is_over)
      settings.end = std::chrono::steady_clock::now();
    ScheduleSearch search(memory, sites, "kernel", settings, 1000, [](const Schedule&) {});
    return search.run([](const DiffersWith&) { return std::nullopt; }).scheduled;
  };
  const model::ScheduledCase all = run(false), none = run(true);
  CHECK(all.not_run == 0);
  CHECK(all.verdict == model::ScheduleVerdict::OrderDependent);
  CHECK(none.schedules == 0);
  CHECK(none.not_run == all.schedules);
  CHECK(none.verdict == model::ScheduleVerdict::Held);
  model::Schedules results;
  results.cases = {none};
  CHECK(model::not_run_text(results) ==
        fmt::format("{} orders not run: the time limit was over", none.not_run));
  results.cases = {all};
  CHECK(model::not_run_text(results).empty());
}

} // namespace gputest::runtime
