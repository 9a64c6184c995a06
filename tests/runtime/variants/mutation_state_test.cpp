#include "runtime/variants/mutation_state.h"

#include "runtime/analyses/mutation/baseline.h"
#include "runtime/variants/mutation_launch.h"
#include "templates/state.h"
#include "tests/catch.h"

using namespace gputest;
using namespace gputest::runtime;
using model::KillReason;
using tests::ContainsSubstring;

namespace {

model::MutantTable table_of() {
  model::MutantTable table;
  table.arguments = 3;
  table.reached_bits = 33;
  table.guards = {{"k", "k.cl", 3, 5, "a[i]"}};
  table.votes = {{0, "k", "k.cl", 9, 7, "i < n", {}}};
  return table;
}

std::uint32_t word(const Bytes& state, std::size_t at) {
  return load<std::uint32_t>(state.data() + at * 4);
}

void set(Bytes& state, std::size_t at, std::uint32_t value) {
  runtime::store(state.data() + at * 4, value);
}

} // namespace

TEST_CASE("the state says how large arguments are") {
  std::vector<LaunchArgument> arguments(2);
  arguments[0].kind = LaunchArgument::Kind::Buffer;
  arguments[0].bytes.resize(24);
  arguments[1].kind = LaunchArgument::Kind::Local;
  arguments[1].local_size = (std::size_t{1} << 32) + 8;
  const Bytes state = make_mutant_state(table_of(), argument_sizes(arguments));
  CHECK(state.size() == (GPUTEST_STATE_HEADER_WORDS + 2 * 3 + 2 + 1) * 4);
  CHECK(word(state, GPUTEST_STATE_MAGIC_WORD) == GPUTEST_STATE_MAGIC);
  CHECK(word(state, GPUTEST_STATE_BUDGET) == kNoBudget);
  const std::size_t sizes = GPUTEST_STATE_HEADER_WORDS;
  CHECK(word(state, sizes) == 24);
  CHECK(word(state, sizes + 1) == 0);
  CHECK(word(state, sizes + 2) == 8);
  CHECK(word(state, sizes + 3) == 1);
  CHECK(word(state, sizes + 4) == 0);
}

TEST_CASE("events are reasons, the gravest first, with the place that reported one") {
  Bytes state = make_mutant_state(table_of(), {});
  const MutantControl control{.active = 7, .budget = 42, .schedule = 1};
  const auto notice = [&](std::uint32_t events, std::uint32_t guard) {
    set_control(std::span(state).first(kStateHeaderBytes), control);
    set(state, GPUTEST_STATE_EVENTS, events);
    set(state, GPUTEST_STATE_GUARD, guard);
    return read_notice(std::span(state).first(kStateHeaderBytes), table_of());
  };
  CHECK(!notice(0, 1));
  CHECK(word(state, GPUTEST_STATE_ACTIVE) == 7);
  CHECK(word(state, GPUTEST_STATE_SCHEDULE) == 1);
  CHECK(notice(GPUTEST_EVENT_OUT_OF_BOUNDS, 1) ==
        MutantNotice{KillReason::OutOfBounds, "an access out of bounds at k.cl:3:5: 'a[i]'"});
  CHECK(notice(GPUTEST_EVENT_DIVERGENCE, 2) ==
        MutantNotice{KillReason::DivergentBarrier,
                     "work-items of a group part before a barrier at k.cl:9:7: 'i < n'"});
  CHECK(notice(GPUTEST_EVENT_DIVISION, 9) ==
        MutantNotice{KillReason::DivisionByZero,
                     "an integer is divided by zero, or the smallest one by -1"});
  CHECK(notice(GPUTEST_EVENT_BUDGET, 0) ==
        MutantNotice{KillReason::BudgetExhausted, "a work-item ran more than 42 loop iterations"});
  CHECK(notice(15, 0)->reason == KillReason::OutOfBounds);
  CHECK(notice(14, 0)->reason == KillReason::DivisionByZero);
  CHECK(notice(6, 0)->reason == KillReason::DivergentBarrier);
  set(state, GPUTEST_STATE_MAGIC_WORD, 1);
  CHECK(read_notice(std::span(state).first(kStateHeaderBytes), table_of())->reason ==
        KillReason::OutOfBounds);
}

TEST_CASE("reached sites and iterations are read back") {
  Bytes state = make_mutant_state(table_of(), {});
  set(state, GPUTEST_STATE_HEADER_WORDS + 6, 0x80000001);
  set(state, GPUTEST_STATE_HEADER_WORDS + 7, 1);
  set(state, GPUTEST_STATE_ITERATIONS, 12);
  const auto reached = read_reached(state, table_of());
  CHECK(is_reached(reached, 0));
  CHECK(!is_reached(reached, 1));
  CHECK(is_reached(reached, 31));
  CHECK(is_reached(reached, 32));
  CHECK(!is_reached(reached, 64));
  CHECK(read_iterations(std::span(state).first(kStateHeaderBytes)) == 12);
}

TEST_CASE("orders have names") {
  CHECK(order_name(0).empty());
  CHECK(order_name(1) == "reversed");
  CHECK(order_name(3) == "shuffled 3");
}

TEST_CASE("budget and time limit leave room above what the original needs") {
  CHECK(loop_budget(0) == 1000);
  CHECK(loop_budget(50) == 1500);
  CHECK(loop_budget((kNoBudget - 1001) / 10) == 4294967290);
  CHECK(loop_budget((kNoBudget - 1001) / 10 + 1) == kNoBudget - 1);
  CHECK(loop_budget(~std::uint64_t{0}) == kNoBudget - 1);
  CHECK(loop_budget(50, 96) == 96 * 1500);
  CHECK(loop_budget(1, ~std::uint64_t{0}) == kNoBudget - 1);
  CHECK(loop_budget(50'000'000, 96) == kNoBudget - 1);
  CHECK(scaled_budget(1500, 96) == 96 * 1500);
  CHECK(scaled_budget(kNoBudget, 96) == kNoBudget);
  CHECK(scaled_budget(kNoBudget - 1, 2) == kNoBudget - 1);
  CaseBaseline baseline;
  baseline.seconds = 0.001;
  baseline.first_seconds = 2;
  CHECK(time_limit(baseline, 10, 3, false, 1) == 5);
  CHECK(time_limit(baseline, 10, 3, true, 1) == 25);
  baseline.seconds = 1;
  CHECK(time_limit(baseline, 10, 3, false, 1) == 30);
}

TEST_CASE("a baseline goes through shared memory unchanged") {
  CaseBaseline baseline;
  baseline.content = "abc";
  baseline.deterministic = false;
  baseline.reached = {1, 0xffffffff};
  baseline.iterations = 5;
  baseline.seconds = 0.25;
  baseline.outputs = {
      {2, {{Bytes(3, std::byte{255}), "the test case"}}, {Bytes(3), Bytes(3, std::byte{1})}}};
  const BaselineMemory memory;
  memory.save(std::vector{baseline, CaseBaseline{}});
  const auto loaded = memory.load();
  REQUIRE(loaded.size() == 2);
  CHECK(loaded[0].content == "abc");
  CHECK(!loaded[0].deterministic);
  CHECK(loaded[0].reached == baseline.reached);
  CHECK(loaded[0].iterations == 5);
  CHECK(loaded[0].seconds == 0.25);
  REQUIRE(loaded[0].outputs.size() == 1);
  CHECK(loaded[0].outputs[0].position == 2);
  CHECK(loaded[0].outputs[0].right[0].bytes == Bytes(3, std::byte{255}));
  CHECK(loaded[0].outputs[0].right[0].oracle == "the test case");
  CHECK(loaded[0].outputs[0].originals == baseline.outputs[0].originals);
}

namespace {

Launch launch_of(std::array<std::size_t, 3> global, std::array<std::size_t, 3> local,
                 unsigned dimensions) {
  Launch launch;
  launch.global_size = global;
  launch.local_size = local;
  launch.dimensions = dimensions;
  return launch;
}

using Sizes = std::array<std::size_t, 3>;

} // namespace

TEST_CASE("launch mutants change local size and number of groups") {
  const Launch launch = launch_of({12, 8, 1}, {4, 2, 1}, 2);
  const auto changed = [&](const model::Mutant& mutant) { return *changed_launch(launch, mutant); };
  model::Mutant mutant;
  mutant.more_items = 1;
  CHECK(changed(mutant).local_size == Sizes{5, 2, 1});
  CHECK(changed(mutant).global_size == Sizes{15, 8, 1});
  mutant.dimension = 1;
  mutant.more_items = -1;
  CHECK(changed(mutant).local_size == Sizes{4, 1, 1});
  CHECK(changed(mutant).global_size == Sizes{12, 4, 1});
  mutant.more_items = 0;
  mutant.more_groups = 1;
  CHECK(changed(mutant).local_size == Sizes{4, 2, 1});
  CHECK(changed(mutant).global_size == Sizes{12, 10, 1});
  mutant.dimension = 2;
  CHECK(!changed_launch(launch, mutant));
  mutant = {};
  mutant.swapped = true;
  CHECK(changed(mutant).local_size == Sizes{3, 4, 1});
  CHECK(changed(mutant).global_size == Sizes{12, 8, 1});
  CHECK(!changed_launch(launch_of({9, 1, 1}, {3, 1, 1}, 1), mutant));
}

TEST_CASE("how much more work-items may have to do under a changed launch") {
  const Launch launch = launch_of({96, 4, 1}, {96, 2, 1}, 2); // 2 groups of 192
  CHECK(work_factor(launch, launch) == 1);
  CHECK(work_factor(launch, launch_of({96, 4, 1}, {1, 2, 1}, 2)) == 96 * 96);
  CHECK(work_factor(launch_of({96, 1, 1}, {1, 1, 1}, 1), launch_of({96, 1, 1}, {96, 1, 1}, 1)) ==
        96 * 96);
  CHECK(work_factor(launch_of({12, 1, 1}, {4, 1, 1}, 1), launch_of({15, 1, 1}, {5, 1, 1}, 1)) == 2);
  CHECK(work_factor(launch_of({7, 1, 1}, {0, 0, 0}, 1), launch_of({6, 1, 1}, {0, 0, 0}, 1)) == 2);
  CHECK(work_factor(launch, launch_of({0, 4, 1}, {0, 2, 1}, 2)) > 0); // not launched
}

TEST_CASE("the harm that the original does is listed") {
  const model::MutantTable table = table_of();
  Bytes state = make_mutant_state(table, {});
  CHECK(read_harm(state, table) == std::vector<std::uint32_t>{0});
  set(state, harm_offset(table), 2 | 4); // guard 1, and the vote
  const auto entries = harm_entries(read_harm(state, table), table);
  REQUIRE(entries.size() == 2);
  CHECK(entries[0].line == 3);
  CHECK_THAT(entries[0].reason, ContainsSubstring("'a[i]': the original accesses memory out of"));
  CHECK(entries[1].line == 9);
  CHECK_THAT(entries[1].reason, ContainsSubstring("'i < n': work-items of the original part here"));
}

TEST_CASE("launch mutants where the device chooses the local size, a group is not full, or one is "
          "left") {
  model::Mutant mutant;
  mutant.more_groups = -1;
  CHECK(changed_launch(launch_of({7, 1, 1}, {0, 0, 0}, 1), mutant)->global_size == Sizes{6, 1, 1});
  CHECK(changed_launch(launch_of({7, 1, 1}, {4, 1, 1}, 1), mutant)->global_size == Sizes{3, 1, 1});
  const auto none = changed_launch(launch_of({4, 1, 1}, {4, 1, 1}, 1), mutant);
  CHECK(empty_dimension(*none) == "a size of 0 in dimension 0");
  mutant = {};
  mutant.more_items = 1;
  CHECK(!changed_launch(launch_of({7, 1, 1}, {0, 0, 0}, 1), mutant));
  mutant = {};
  mutant.swapped = true;
  CHECK(!changed_launch(launch_of({7, 1, 1}, {0, 0, 0}, 1), mutant));
  CHECK(empty_dimension(launch_of({7, 1, 1}, {0, 0, 0}, 1)).empty());
}
