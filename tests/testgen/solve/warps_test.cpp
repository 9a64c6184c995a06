// Conditions on what threads of a warp or block told each other, each answer seen in a run.
#include "tests/catch.h"
#include "tests/testgen/solve/traced_kernel.h"

#include <numeric>

using namespace gputest::testgen;
using namespace gputest::testgen::tests;

namespace {

constexpr std::size_t kThreads = 32;

// 1, 2, 3, …
Argument numbers(std::size_t count) {
  std::vector<int> all(count);
  std::iota(all.begin(), all.end(), 1);
  return buffer(all);
}

struct WarpGoal {
  std::string before, condition;
};

// A kernel `k(const int* in, int* out)` with a branch for each goal, which is not taken with 1, 2,
// 3, …, and is taken with an answer: then the goal's place in `out` is 1.
void check_goals(const std::vector<WarpGoal>& goals, std::size_t threads = kThreads) {
  std::string text = "__global__ void k(const int* in, int* out) { int t = threadIdx.x;\n";
  for (std::size_t i = 0; i < goals.size(); ++i)
    text += "  { " + goals[i].before + "\n    if (" + goals[i].condition + ") out[" +
            std::to_string(i) + "] = 1; }\n";
  text += "}\n";
  INFO(text);
  Tracer tracer = cuda_tracer_of(text);
  CHECK(tracer.lost().empty());
  const Traced traced =
      tracer.trace(line(threads, threads), {numbers(threads), buffer(std::vector<int>(threads))});
  REQUIRE(traced.result.findings.empty());
  CHECK(traced.complete);
  check_events(traced);
  for (std::size_t i = 0; i < goals.size(); ++i) {
    Solver solver;
    const auto at = static_cast<unsigned>(3 + 2 * i);
    const Reached reached =
        solver.reach(tracer, traced, {.event = event_at(traced, at, 0)}, {}, {}, 5);
    INFO("goal " << i << ": " << reached.answer.condition << ": " << reached.answer.reason << " by "
                 << name_of(reached.answer.method));
    // Found, or what is decided depends on inputs no more with those that take part now.
    REQUIRE(reached.traced);
    CHECK(values<int>(reached.traced->left[1])[i] == 1);
  }
}

std::string label_text(const Traced& traced, std::size_t event) {
  return text_of(traced.table, traced.events.at(event).label, traced.unit_names(), 4000);
}

} // namespace

TEST_CASE("A shuffle returns the value that the other lane had") {
  Tracer tracer = cuda_tracer_of("__global__ void k(const int* in, int* out) {\n"
                                 "  int t = threadIdx.x, v = in[t] * 3;\n"
                                 "  if (__shfl_sync(~0u, v, t + 2, 8) == 5) out[0] = 1;\n"
                                 "  if (__shfl_up_sync(~0u, v, 3, 8) == 5) out[1] = 1;\n"
                                 "  if (__shfl_down_sync(~0u, v, 3) == 5) out[2] = 1;\n"
                                 "  if (__shfl_xor_sync(~0u, v, 1) == 5) out[3] = 1;\n"
                                 "}\n");
  const Traced traced = tracer.trace(line(8, 8), {numbers(8), buffer(std::vector<int>(8))});
  REQUIRE(traced.events.size() == 29);
  check_events(traced);
  const auto of = [&](unsigned line, unsigned lane) {
    for (std::size_t i = 0; i < traced.events.size(); ++i)
      if (traced.events[i].item == lane &&
          (*traced.sites)[traced.events[i].site].place.line == line)
        return label_text(traced, i);
    return std::string();
  };
  CHECK(of(3, 7) == "((in[1] * 3) == 5)");
  CHECK(of(4, 5) == "((in[2] * 3) == 5)");
  CHECK(of(4, 1) == "((in[1] * 3) == 5)");
  CHECK(of(5, 2) == "((in[5] * 3) == 5)");
  CHECK(of(5, 6).empty()); // nobody is there: 0
  CHECK(of(6, 6) == "((in[7] * 3) == 5)");
}

TEST_CASE("The solver reaches goals behind a sum over a warp") {
  check_goals({{"int s = in[t] * (t + 1); for (int d = 16; d > 0; d /= 2) "
                "s += __shfl_down_sync(~0u, s, d);",
                "t == 0 && s == 123457"},
               {"int s = __reduce_add_sync(~0u, in[t] ^ t);", "s == -77"}});
}

TEST_CASE("The solver reaches goals behind votes of a warp") {
  check_goals({{"unsigned b = __ballot_sync(~0u, in[t] == 1000 + t * 17);", "b == 0x80010002u"},
               {"unsigned b = __ballot_sync(~0u, in[t] > 1000000);", "__popc(b) == 19"},
               {"bool a = __all_sync(~0u, in[t] * 5 == 77 + t * 5);", "a"},
               {"bool a = __any_sync(~0u, in[t] == 123456);", "a"},
               {"int a = __uni_sync(~0u, in[t] > 10) * 2 + (in[0] > 10);", "a == 3"},
               {"int a = __uni_sync(~0u, in[t] > 10) * 2 + (in[0] > 10);", "a == 2"}});
}

TEST_CASE("The solver reaches goals behind matches in a warp") {
  if (has_z3())
    check_goals(
        {{"unsigned m = __match_any_sync(~0u, in[t] & 0xffff);", "t == 3 && m == 0x1008008u"},
         {"int p; __match_all_sync(~0u, in[t] * 7, &p);", "p"}});
}

TEST_CASE("The solver reaches goals behind reductions in hardware") {
  check_goals({{"int s = __reduce_min_sync(~0u, in[t]);", "s == -4711"},
               {"int s = __reduce_max_sync(~0u, in[t]);", "s == -5"},
               {"unsigned s = __reduce_max_sync(~0u, (unsigned)in[t]);", "s == 0xfffffff0"},
               {"unsigned s = __reduce_min_sync(~0u, (unsigned)in[t]);", "s == 90001"},
               {"unsigned s = __reduce_and_sync(~0u, (unsigned)in[t]);", "s == 0xabcd"},
               {"unsigned s = __reduce_or_sync(~0u, (unsigned)in[t]);", "s == 0xabcdef"},
               {"unsigned s = __reduce_xor_sync(~0u, (unsigned)in[t]);", "s == 0xabcd"}});
}

TEST_CASE("The solver reaches goals behind votes of a block") {
  check_goals({{"int c = __syncthreads_count(in[t] == 4096 + t);", "c == 3"},
               {"int c = __syncthreads_or(in[t] == 123456);", "c"},
               {"int c = __syncthreads_and(in[t] > 1000);", "c"}},
              40);
}

TEST_CASE("A lane that depends on inputs is any lane") {
  check_goals({{"int v = __shfl_sync(~0u, t * t + 7, in[t]);", "t == 5 && v == 632"},
               {"int v = __shfl_up_sync(~0u, t * t + 7, in[t]);", "t == 30 && v == 7"},
               {"int v = __shfl_xor_sync(~0u, t * t + 7, in[t], 8);", "t == 1 && v == 56"},
               {"int v = __shfl_sync(~0u, t, 7, in[31] & 64 ? 4 : 8);", "t == 24 && v == 27"}});
}

TEST_CASE("Lanes that are not named, and those that have left") {
  check_goals(
      {{"if (t >= 20) return; int s = __shfl_down_sync(~0u, in[t], 1);", "t == 18 && s == 4711"},
       {"if (t == 4) return; unsigned b = __ballot_sync(~0u, in[t] == 77);", "b == 0xfffef"},
       {"int s = 0; if (t < 7) s = __reduce_add_sync(0x7f, in[t]); else if (t < 11) "
        "s = __reduce_max_sync(0x780, in[t]);",
        "t == 9 && s == 4711"},
       {"if (t % 2) return; int s = __reduce_add_sync(0x55555555, in[t]);", "s == 4711"}});
}

TEST_CASE("A mask that depends on inputs leaves out whom it does not name") {
  // Another mask for each: on the way to a goal those before it are not reached.
  const auto goal = [](const std::string& asked, const std::string& condition) {
    return WarpGoal{"unsigned m = __ballot_sync(~0u, in[t] < 9000); int s = 0; int p = 0; "
                    "if (in[t] < 9000) s = " +
                        asked + ";",
                    "t == 1 && " + condition};
  };
  check_goals({goal("__reduce_add_sync(m, 1)", "s == 30"),
               goal("__reduce_min_sync(m, 100 - t)", "s == 90"),
               goal("__reduce_max_sync(m, t - 100)", "s == -88"),
               goal("__reduce_min_sync(m, 100u - t)", "s == 86"),
               goal("__reduce_max_sync(m, 5u + t)", "s == 21"),
               goal("__reduce_and_sync(m, ~(1u << t))", "s == ~7"),
               goal("__reduce_or_sync(m, 1u << t)", "s == 10"),
               goal("__reduce_xor_sync(m, 1u << t)", "s == 18")});
  check_goals({goal("__ballot_sync(m, 1)", "s == 34"), goal("__all_sync(m, t < 3)", "s"),
               goal("!__any_sync(m, t > 3)", "s"), goal("__uni_sync(m, t > 5)", "s"),
               goal("__match_any_sync(m, t / 8)", "s == 7"),
               goal("__match_all_sync(m, t / 8, &p)", "s == 67"),
               goal("__shfl_sync(m, t * t, 3)", "s == 0")});
}

TEST_CASE("Who has come by is what each lane decided") {
  check_goals({{"__syncwarp(); unsigned m = 0; if (in[t] > 3) m = __activemask();",
                "t == 9 && m == 0xff0u"},
               {"__syncwarp(); int s = 0; if ((in[t] & 63) > 5) s = "
                "__reduce_add_sync(__activemask(), t + 100);",
                "t == 9 && s == 339"},
               {"__syncwarp(); unsigned m = 0; if (t < 20) if (in[t] > t - 5) m = __activemask();",
                "t == 7 && m == 0x8084u"},
               {"__syncwarp(); unsigned m = 0; switch (in[t] & 12) { case 4: m = __activemask(); }",
                "t == 6 && m == 0x141u"}});
}

TEST_CASE("Threads that stop for others that do not come are a finding, and no crash") {
  Tracer tracer = cuda_tracer_of("__global__ void k(const int* in, int* out) {\n"
                                 "  int t = threadIdx.x, v = in[t];\n"
                                 "  if (t < 16) v = __shfl_xor_sync(0xffffffff, v, 1);\n"
                                 "  else v = __ballot_sync(0xffffffff, v);\n"
                                 "  if (v == 77) out[t] = 1;\n"
                                 "}\n");
  const Traced traced = tracer.trace(line(32, 32), {numbers(32), buffer(std::vector<int>(32))});
  CHECK(!traced.result.findings.empty());
}

TEST_CASE("Sizes of the launch as inputs of a kernel with shuffles") {
  Tracer tracer = cuda_tracer_of("__global__ void k(const int* in, int* out) {\n"
                                 "  int s = __reduce_add_sync(0xffffffff, in[threadIdx.x]);\n"
                                 "  if (blockDim.x == 24 && s == 4711) out[0] = 1;\n"
                                 "}\n",
                                 true);
  const TraceOptions options{.launch_sizes = true, .solve_launch_sizes = true};
  Traced traced = tracer.trace(line(8, 8), {numbers(32), buffer(std::vector<int>(32))}, options);
  check_events(traced);
  for (const Event& event : traced.events)
    CHECK((*traced.sites)[event.site].place.line >= 2);
  Solver solver;
  for (unsigned round = 0; round < 4 && values<int>(traced.left[1])[0] == 0; ++round) {
    std::size_t last = 0;
    for (std::size_t i = 0; i < traced.events.size(); ++i)
      last = traced.events[i].item == 0 ? i : last;
    const Reached reached =
        solver.reach(tracer, traced, {.event = last, .keep_addresses = false}, {}, options);
    INFO(reached.answer.condition << ' ' << reached.answer.reason);
    REQUIRE(reached.answer.kind == Answer::Kind::Found);
    traced = *reached.traced;
  }
  CHECK(values<int>(traced.left[1])[0] == 1);
  CHECK(traced.launch.sizes.local[0] == 24);
}
