// Conditions that need each way of solving, each answer seen in a run.
#include "tests/catch.h"
#include "tests/environment.h"
#include "tests/testgen/solver.h"

#include "process/scratch_folder.h"
#include "testgen/solve/smtlib.h"
#include "tests/testgen/solve/traced_kernel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

using namespace gputest::testgen;
using namespace gputest::testgen::tests;
using gputest::tests::ContainsSubstring;

namespace {

struct Goal {
  std::string text;
  Launch launch = tests::line(1, 1);
  std::vector<Argument> arguments{};
  unsigned line = 0;       // of the decision
  std::uint64_t value = 0; // that it has now
};

Reached reach(const Goal& goal, const SolverLimits& limits = {}, Wanted wanted = {}) {
  Tracer tracer = tracer_of(goal.text);
  const Traced traced = tracer.trace(goal.launch, goal.arguments);
  wanted.event = event_at(traced, goal.line, goal.value);
  Solver solver;
  return solver.reach(tracer, traced, wanted, limits, {}, 5);
}

// Found, and seen in a run: the kernel left a 1 in its first argument.
void check_reached(const Reached& reached, std::size_t place = 0) {
  INFO(reached.answer.condition << ": " << reached.answer.reason << " by "
                                << name_of(reached.answer.method) << ", "
                                << reached.answer.evaluations << " evaluations; "
                                << (reached.traced ? path(*reached.traced) : ""));
  REQUIRE(reached.answer.kind == Answer::Kind::Found);
  REQUIRE(reached.traced);
  CHECK(values<int>(reached.traced->left[0]).at(place) == 1);
}

Argument zeros(std::size_t count) {
  return buffer(std::vector<int>(count));
}

} // namespace

TEST_CASE("Magic numbers of 32 and 64 bits") {
  const std::string text = "kernel void k(global int* out, uint a, ulong b) {\n"
                           "  if ((a ^ 0x5bd1e995u) * 3u == 0xdeadbeefu) out[0] = 1;\n"
                           "  if (b == 0x0123456789abcdefUL) out[1] = 1;\n"
                           "}\n";
  const std::vector<Argument> arguments{zeros(2), value(1u), value(std::uint64_t{1})};
  const Reached narrow = reach({.text = text, .arguments = arguments, .line = 2});
  check_reached(narrow);
  CHECK(narrow.answer.method == Method::InputToState);
  const Reached wide = reach({.text = text, .arguments = arguments, .line = 3});
  check_reached(wide, 1);
  CHECK(wide.answer.method == Method::InputToState);
}

TEST_CASE("The solver reaches what a checksum over a buffer guards") {
  check_reached(reach({.text = "kernel void k(global int* out, global const uint* in) {\n"
                               "  uint sum = 17;\n"
                               "  for (int i = 0; i < 8; ++i)\n"
                               "    sum = sum * 31u + in[i];\n"
                               "  if (sum == 0xcafebabeu) out[0] = 1;\n"
                               "}\n",
                       .arguments = {zeros(1), buffer(std::vector<std::uint32_t>(8, 1))},
                       .line = 5}));
}

TEST_CASE("The solver reaches what a hash guards that is no sum", "[needs][needs-solver]") {
  gputest::tests::require_solver();
  const Reached reached = reach(
      {.text = "kernel void k(global int* out, global const uchar* in) {\n"
               "  uint hash = 2166136261u;\n"
               "  for (int i = 0; i < 4; ++i)\n"
               "    hash = (hash ^ in[i]) * 16777619u;\n"
               "  if (in[0] > in[1] && in[2] == in[3] + 9 && (hash ^ hash >> 15) % 1021u == 77u)\n"
               "    out[0] = 1;\n"
               "}\n",
       .arguments = {zeros(1), buffer(std::vector<std::uint8_t>{9, 1, 10, 1})},
       .line = 5});
  check_reached(reached);
}

TEST_CASE("Nested comparisons over the content of a buffer") {
  const std::string text = "kernel void k(global int* out, global const uchar* in) {\n"
                           "  if (in[0] == 'G')\n"
                           "    if (in[1] == 'P')\n"
                           "      if (in[2] == 'U')\n"
                           "        if (in[3] > in[0] && in[3] < in[2])\n"
                           "          out[0] = 1;\n"
                           "}\n";
  Tracer tracer = tracer_of(text);
  Solver solver;
  Traced traced = tracer.trace(line(1, 1), {zeros(1), buffer(std::vector<std::uint8_t>(4))});
  for (unsigned round = 0; round < 8 && values<int>(traced.left[0])[0] == 0; ++round) {
    const Reached reached = solver.reach(tracer, traced, {.event = traced.events.size() - 1});
    INFO(path(traced) << ": " << reached.answer.reason);
    REQUIRE(reached.answer.kind == Answer::Kind::Found);
    traced = *reached.traced;
  }
  CHECK(values<int>(traced.left[0])[0] == 1);
}

TEST_CASE("The solver follows a value that another work-item has written") {
  check_reached(reach({.text = "kernel void k(global int* out, global const int* in) {\n"
                               "  local int shared[8];\n"
                               "  int i = get_local_id(0);\n"
                               "  shared[i] = in[i] * 7 - 3;\n"
                               "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                               "  if (i == 0 && shared[5] == 700004)\n"
                               "    out[0] = 1;\n"
                               "}\n",
                       .launch = line(8, 8),
                       .arguments = {zeros(8), zeros(8)},
                       .line = 6}));
}

TEST_CASE("The solver finds a value for one field of a struct") {
  struct S {
    float x;
    std::int32_t id;
    std::uint8_t flags, more[3];
  } const s{0, 3, 0, {}};
  const std::string text = "typedef struct { float x; int id; uchar flags; } S;\n"
                           "kernel void k(global int* out, global const S* in, S s) {\n"
                           "  if (in[1].id == -5) out[0] = 1;\n"
                           "  if ((s.flags & 0x24) == 0x24) out[1] = 1;\n"
                           "}\n";
  check_reached(
      reach({.text = text, .arguments = {zeros(2), buffer<S>({s, s}), value(s)}, .line = 3}));
  check_reached(
      reach({.text = text, .arguments = {zeros(2), buffer<S>({s, s}), value(s)}, .line = 4}), 1);
}

TEST_CASE("The solver reaches conditions on floating-point numbers") {
  const std::string text = "kernel void k(global int* out, float x, double d) {\n"
                           "  if (sin(x) > 0.999f) out[0] = 1;\n"
                           "  if (fabs(x * x - 2.0f) <= 1e-6f) out[1] = 1;\n"
                           "  if (x != x) out[2] = 1;\n"
                           "  if (d * d * d - d == 6.0) out[3] = 1;\n"
                           "  if (x / 3.0f + 1.0f == 4.5f && exp(x) > 1000.0f) out[4] = 1;\n"
                           "}\n";
  for (std::size_t i = 0; i < 5; ++i) {
    INFO("condition " << i);
    const Reached reached = reach({.text = text,
                                   .arguments = {zeros(5), value(0.25f), value(7.5)},
                                   .line = static_cast<unsigned>(2 + i)});
    if (i < 4) {
      check_reached(reached, i);
    } else { // the first half, and from there the second
      REQUIRE(reached.traced);
      CHECK(values<int>(reached.traced->left[0])[4] == 1);
    }
  }
}

TEST_CASE("A loop that must run 17 times") {
  const std::string text = "kernel void k(global int* out, global const uchar* in) {\n"
                           "  int n = in[0] * 2 + in[1];\n"
                           "  int count = 0;\n"
                           "  for (int i = 0; i < n; ++i)\n"
                           "    ++count;\n"
                           "  if (count == 17) out[0] = 1;\n"
                           "}\n";
  // The count itself depends on no input; which iteration is the last does. Each answer is the
  // nearest to what is wanted, so that no number of iterations is left out.
  Tracer tracer = tracer_of(text);
  Solver solver;
  Traced traced = tracer.trace(line(1, 1), {zeros(1), buffer<std::uint8_t>({1, 1})});
  unsigned rounds = 0;
  for (; rounds < 20 && values<int>(traced.left[0])[0] == 0; ++rounds) {
    std::size_t last = 0;
    for (std::size_t i = 0; i < traced.events.size(); ++i)
      last = (*traced.sites)[traced.events[i].site].place.line == 4 ? i : last;
    const Reached reached = solver.reach(tracer, traced, {.event = last});
    REQUIRE(reached.answer.kind == Answer::Kind::Found);
    traced = *reached.traced;
  }
  CHECK(values<int>(traced.left[0])[0] == 1);
  CHECK(rounds == 14);
}

TEST_CASE("A condition on a product of scalars") {
  check_reached(reach({.text = "kernel void k(global int* out, int n, int m) {\n"
                               "  if (n > 1 && m > 1 && n * m == 1001) out[0] = 1;\n"
                               "}\n",
                       .arguments = {zeros(1), value(2), value(2)},
                       .line = 2,
                       .value = 0}));
}

TEST_CASE("The solver reaches each case of a switch") {
  const std::string text = "kernel void k(global int* out, int x) {\n"
                           "  switch (x * 5 + 3) {\n"
                           "  case 18: out[0] = 1; break;\n"
                           "  case 53: out[1] = 1; break;\n"
                           "  default: out[2] = 1;\n"
                           "  }\n"
                           "}\n";
  for (const std::size_t way : {0, 1, 2}) {
    const Reached reached = reach({.text = text,
                                   .arguments = {zeros(3), value(way == 2 ? 3 : 1)},
                                   .line = 2,
                                   .value = way == 2 ? 18u : 8u},
                                  {}, {.way = way});
    check_reached(reached, way);
  }
}

TEST_CASE("Sizes of the launch that may be chosen") {
  Tracer tracer = tracer_of("kernel void k(global int* out, int n) {\n"
                            "  if (get_global_size(0) == 24 && get_local_size(0) == 6)\n"
                            "    out[get_global_id(0) & 3] = 1;\n"
                            "}\n",
                            true);
  const TraceOptions options{.launch_sizes = true, .solve_launch_sizes = true};
  Solver solver;
  Traced traced = tracer.trace(line(4, 2), {zeros(4), value(3)}, options);
  for (unsigned round = 0; round < 3 && values<int>(traced.left[0])[0] == 0; ++round) {
    std::size_t last = 0;
    for (std::size_t i = 0; i < traced.events.size(); ++i)
      last = traced.events[i].item == 0 ? i : last;
    const Reached reached = solver.reach(tracer, traced, {.event = last}, {}, options);
    INFO(reached.answer.condition << ' ' << reached.answer.reason);
    REQUIRE(reached.answer.kind == Answer::Kind::Found);
    traced = *reached.traced;
  }
  CHECK(traced.launch.sizes.global[0] == 24);
  CHECK(traced.launch.sizes.local[0] == 6);
}

TEST_CASE("Only dimensions of which a condition speaks get other sizes") {
  Tracer tracer = tracer_of(
      "kernel void k(global int* out, int n) {\n"
      "  if (get_num_groups(1) * get_local_size(1) * get_local_size(1) == 700) out[0] = n;\n"
      "}\n",
      true);
  const TraceOptions options{.launch_sizes = true, .solve_launch_sizes = true};
  const Launch launch{.sizes = {.dimensions = 2, .global = {4, 8, 1}, .local = {2, 4, 1}}};
  const Traced traced = tracer.trace(launch, {zeros(1), value(3)}, options);
  Solver solver;
  const Reached reached = solver.reach(tracer, traced, {.event = 0}, {}, options);
  INFO(reached.answer.condition << ' ' << reached.answer.reason);
  REQUIRE(reached.answer.kind == Answer::Kind::Found);
  CHECK(reached.traced->launch.sizes.global == std::array<std::uint64_t, 3>{4, 70, 1});
  CHECK(reached.traced->launch.sizes.local == std::array<std::uint64_t, 3>{2, 10, 1});
  // The numbers up to 70 with their divisors; those of the first dimension would be 3,000 more.
  CHECK(reached.answer.evaluations < 1'000);
}

TEST_CASE("What no input can do on this way is not called open", "[needs][needs-solver]") {
  gputest::tests::require_solver();
  const Reached reached = reach({.text = "kernel void k(global int* out, uint x) {\n"
                                         "  if (x % 6u == 5u && x % 3u == 1u) out[0] = 1;\n"
                                         "}\n",
                                 .arguments = {zeros(1), value(5u)},
                                 .line = 2});
  CHECK(reached.answer.kind == Answer::Kind::Infeasible);
  CHECK(reached.answer.method == Method::BitVectors);
}

TEST_CASE("Without Z3 the rest works, and says so") {
  const gputest::tests::Environment environment({{"GPUTEST_SOLVER", "/no/such/program"}});
  const Reached easy = reach({.text = "kernel void k(global int* out, uint x) {\n"
                                      "  if (x == 77u) out[0] = 1;\n"
                                      "  if (x % 6u == 5u && x % 3u == 1u) out[1] = 1;\n"
                                      "}\n",
                              .arguments = {zeros(2), value(5u)},
                              .line = 2});
  check_reached(easy);
  const Reached hard = reach({.text = "kernel void k(global int* out, uint x) {\n"
                                      "  if (x % 6u == 5u && x % 3u == 1u) out[0] = 1;\n"
                                      "}\n",
                              .arguments = {zeros(1), value(5u)},
                              .line = 2});
  CHECK(hard.answer.kind == Answer::Kind::Open);
  CHECK_THAT(hard.answer.reason, ContainsSubstring("/no/such/program"));
}

TEST_CASE("Z3 is held to its limits, and asked again after it was stopped",
          "[needs][needs-solver]") {
  gputest::tests::require_solver();
  Z3Process z3;
  const std::string hard = "(declare-const u0 (_ BitVec 64))(declare-const u1 (_ BitVec 64))"
                           "(assert (= (bvmul ((_ zero_extend 64) u0) ((_ zero_extend 64) u1))"
                           " (_ bv170141183460469231731687303715884105727 128)))"
                           "(assert (bvugt u0 #x0000000000000001))"
                           "(assert (bvugt u1 #x0000000000000001))";
  const Verdict late = z3.ask({.text = hard, .names = {"u0"}, .seconds = 0.2});
  CHECK(late.kind == Verdict::Kind::Unknown);
  CHECK_FALSE(late.lost);
  // The limit is one of steps, so another attempt ends at the same one, but for the few steps
  // between two looks at the limit.
  CHECK(late.steps >= 0.2 * kStepsOfSecond);
  const double again = z3.ask({.text = hard, .names = {"u0"}, .seconds = 0.2}).steps;
  CHECK(std::abs(again - late.steps) <= 0.001 * late.steps);
  CHECK_FALSE(z3.has_lost());
  const Verdict small =
      z3.ask({.text = "(declare-const u0 (_ BitVec 8))(assert (= (bvmul u0 #x03) #x15))",
              .names = {"u0"}});
  REQUIRE(small.kind == Verdict::Kind::Satisfiable);
  CHECK(small.values.at("u0") == 7);
  CHECK(z3.ask({.text = "(this is no question", .names = {}}).kind == Verdict::Kind::Unknown);
  CHECK(z3.ask({.text = "(assert false)", .names = {}}).kind == Verdict::Kind::Unsatisfiable);
}

TEST_CASE("Divisions of numbers with limits have the quotients that they have without",
          "[needs][needs-solver]") {
  gputest::tests::require_solver();
  Z3Process z3;
  const std::array<std::uint8_t, 2> widths{64, 64};
  for (const auto& [x, y] : std::initializer_list<std::pair<std::uint64_t, std::uint64_t>>{
           {0, 0}, {4'095, 0}, {4'096, 1}, {4'096, 1'024}, {1'000, 1'001}, {77, 8}})
    for (const Op op : {Op::UDiv, Op::URem})
      for (const std::uint64_t by : {std::uint64_t{0}, std::uint64_t{16}, std::uint64_t{12}}) {
        Table table(widths);
        const auto number = [&](std::uint64_t value) { return table.constant(value, 64); };
        const Label divisor = by == 0 ? table.input(1) : number(by);
        const std::uint64_t against = by == 0 ? y : by;
        const std::uint64_t right = op == Op::UDiv
                                        ? (against == 0 ? ~std::uint64_t{0} : x / against)
                                        : (against == 0 ? x : x % against);
        const Label result = table.make(op, 64, table.input(0), divisor);
        const Label is_right = table.make(Op::Equal, 1, result, number(right));
        std::vector<Label> conditions{table.make(Op::ULessEqual, 1, table.input(0), number(4'096)),
                                      table.make(Op::ULess, 1, table.input(1), number(1'025)),
                                      table.make(Op::Equal, 1, table.input(0), number(x)),
                                      table.make(Op::Equal, 1, table.input(1), number(y)),
                                      is_right};
        CHECK(z3.ask(script_of(table, conditions, Theory::BitVectors).question).kind ==
              Verdict::Kind::Satisfiable);
        conditions.back() = table.negation(is_right);
        CHECK(z3.ask(script_of(table, conditions, Theory::BitVectors).question).kind ==
              Verdict::Kind::Unsatisfiable);
      }
}

TEST_CASE("Doubts that some values violate are left out, and no others", "[needs][needs-solver]") {
  gputest::tests::require_solver();
  Z3Process z3;
  const std::array<std::uint8_t, 2> widths{32, 32};
  Table table(widths);
  const auto below = [&](unsigned input, std::uint64_t value) {
    return table.make(Op::ULess, 1, table.input(input), table.constant(value, 32));
  };
  const auto wrong = [&](const std::vector<Label>& doubts) {
    Verdict verdict =
        z3.ask(script_of(table, {below(0, 6)}, Theory::BitVectors, {}, doubts).question);
    CHECK(verdict.kind == Verdict::Kind::Unsatisfiable);
    std::ranges::sort(verdict.wrong);
    return verdict.wrong;
  };
  using Numbers = std::vector<std::size_t>;
  const Label same = table.make(Op::Equal, 1, table.input(0), table.input(1));
  CHECK(wrong({below(0, 7), below(0, 5), below(0, 6), same, below(1, 7)}) == Numbers{1, 3, 4});
  CHECK(wrong({below(0, 5), below(0, 4)}) == Numbers{0, 1});
  CHECK(wrong({below(0, 6)}).empty());
  const Script both = script_of(table, {below(0, 6), below(0, 3)}, Theory::BitVectors);
  CHECK(z3.ask(both.question).kind == Verdict::Kind::Satisfiable);
  CHECK(wrong({below(0, 3)}) == Numbers{0}); // of the same text
}

TEST_CASE("A question that was asked before is not asked again", "[needs][needs-solver]") {
  gputest::tests::require_solver();
  Z3Process z3;
  const Question question{.text = "(declare-const u0 (_ BitVec 8))(assert (= u0 #x07))",
                          .names = {"u0"}};
  const Verdict first = z3.ask(question), again = z3.ask(question);
  CHECK(again.values == first.values);
  CHECK(again.seconds == 0);
  CHECK(z3.steps() == 2 * first.steps);
}

TEST_CASE("A solver that somebody ends has no answer, and one that ends itself has none to find") {
  const gputest::process::ScratchFolder folder("solvers");
  const auto verdict = [&](const char* end) {
    const std::filesystem::path solver = folder.path() / "solver";
    std::ofstream(solver) << "#!/bin/sh\nread line\n" << end << '\n';
    std::filesystem::permissions(solver, std::filesystem::perms::owner_all);
    const gputest::tests::Environment environment({{"GPUTEST_SOLVER", solver.string()}});
    Z3Process z3;
    const Verdict found = z3.ask({.text = "(assert false)", .names = {}});
    CHECK(found.kind == Verdict::Kind::Unknown);
    CHECK(z3.has_lost() == found.lost);
    return found;
  };
  for (const char* end : {"kill -KILL $$", "kill -TERM $$", "kill -INT $$", "kill -HUP $$"})
    CHECK(verdict(end).lost);
  for (const char* end : {"kill -SEGV $$", "kill -ABRT $$", "exit 3"})
    CHECK_FALSE(verdict(end).lost);
}

TEST_CASE("Z3 outlives the thread that has asked it first", "[needs][needs-solver]") {
  gputest::tests::require_solver();
  const gputest::process::ScratchFolder folder("threads");
  const std::filesystem::path solver = folder.path() / "solver", starts = folder.path() / "starts";
  std::ofstream(solver) << "#!/bin/sh\necho started >>'" << starts.string() << "'\nexec '"
                        << solver_program() << "'\n";
  std::filesystem::permissions(solver, std::filesystem::perms::owner_all);
  const gputest::tests::Environment environment({{"GPUTEST_SOLVER", solver.string()}});
  Z3Process z3;
  for (int i = 0; i < 3; ++i) {
    Verdict verdict;
    const std::string text = "(assert false)" + std::string(i, ' '); // a question of its own
    std::thread([&] { verdict = z3.ask({.text = text, .names = {}}); }).join();
    CHECK(verdict.kind == Verdict::Kind::Unsatisfiable);
  }
  std::ifstream file(starts);
  CHECK(std::string(std::istreambuf_iterator<char>(file), {}) == "started\n");
}
