// Outcomes that are proved impossible, and that nothing is proved that happens.
#include "tests/catch.h"
#include "tests/environment.h"
#include "tests/random_count.h"
#include "tests/testgen/solve/proved_kernel.h"
#include "tests/testgen/solve/traced_kernel.h"
#include "tests/testgen/solver.h"

#include "templates/state.h"

#include <algorithm>
#include <cstdlib>
#include <random>

using namespace gputest::testgen;
using namespace gputest::testgen::tests;
using gputest::tests::ContainsSubstring;
namespace model = gputest::model;

TEST_CASE("Impossible outcomes are proved", "[needs][needs-solver]") {
  gputest::tests::require_solver();
  Proved k("kernel void k(global int* out, int n, uint x, global const int* in) {\n"
           "  int i = get_global_id(0);\n"
           "  if (x >= (x & 0u)) out[i] = 1;\n"
           "  if (n < 4)\n"
           "    if (n > 8)\n"
           "      out[i] = 2;\n"
           "  if (n * 2 == 7) out[i] = 3;\n"
           "  if (get_local_id(0) >= get_local_size(0)) out[i] = 4;\n"
           "  int y = n < 0 ? 1 : 2;\n"
           "  if (y == 3) out[i] = 5;\n"
           "  if (in[i] > 5 && in[i] < 5) out[i] = 6;\n"
           "  int v = in[i];\n"
           "  if (v > 5 && v < 5) out[i] = 7;\n"
           "  if (v % 2 == 0) { if (v & 1) out[i] = 8; }\n"
           "  if (get_global_id(0) >= (size_t)n) out[i] = 9;\n"
           "}\n");
  CHECK(k.is_impossible(3, "false"));
  CHECK_FALSE(k.is_impossible(3, "true"));
  CHECK_FALSE(k.is_impossible(4, "true"));
  CHECK(k.is_impossible(5, "true"));
  CHECK_FALSE(k.is_impossible(5, "false"));
  CHECK(k.is_impossible(7, "true"));
  CHECK(k.is_impossible(8, "true"));
  CHECK(k.is_impossible(10, "true"));
  CHECK(k.is_impossible(13, "true"));
  CHECK(k.is_impossible(11, "true"));
  const auto reason = [&](unsigned line, const char* outcome) {
    return k.prover.outcome(k.bit_of(line, outcome), k.z3).reason;
  };
  CHECK(reason(5, "true") == "what is decided there, or on the way, excludes it for all inputs");
  CHECK(reason(8, "true") == "no values satisfy get_local_size(0) <= get_local_id(0)");

  const unsigned beyond = k.bit_of(15, "true");
  CHECK_FALSE(k.is_impossible(beyond));
  Prover restricted(source_of(k.kernel.coverage.text, false), "k");
  restricted.require(restricted.table().make(Op::Equal, 1, restricted.number("n"),
                                             restricted.size(Unit::Kind::GlobalSize, 0)));
  restricted.require(restricted.table().make(Op::Equal, 1,
                                             restricted.size(Unit::Kind::GlobalOffset, 0),
                                             restricted.table().constant(0, 64)));
  const Proof allowed = restricted.outcome(beyond, k.z3, kPatient);
  CHECK(allowed.kind == Proof::Kind::Impossible);
  CHECK_THAT(allowed.reason, ContainsSubstring("that are allowed"));
}

TEST_CASE("A group has work-items and sub-groups, and linear ids are below their number",
          "[needs][needs-solver]") {
  gputest::tests::require_solver();
  Proved k("#pragma OPENCL EXTENSION cl_khr_subgroups : enable\n"
           "kernel void k(global int* out) {\n"
           "  size_t x = get_local_size(0), y = get_local_size(1), z = get_local_size(2);\n"
           "  size_t items = x * y * z;\n"
           "  size_t id = (get_local_id(2) * y + get_local_id(1)) * x + get_local_id(0);\n"
           "  if (items == 0) out[0] = 1;\n"
           "  if (items == 3) out[0] = 2;\n"
           "  if ((uint)x * (uint)y * (uint)z == 0) out[0] = 3;\n"
           "  if (get_num_sub_groups() == 0) out[0] = 4;\n"
           "  if (id >= items) out[0] = 5;\n"
           "  if (id + 1 == items) out[0] = 6;\n"
           "  for (uint i = 0; i < get_num_sub_groups(); ++i) out[0] += i;\n"
           "}\n");
  CHECK(k.is_impossible(6, "true"));
  CHECK_FALSE(k.is_impossible(7, "true"));
  CHECK(k.is_impossible(8, "true"));
  CHECK(k.is_impossible(9, "true"));
  CHECK(k.is_impossible(10, "true"));
  CHECK_FALSE(k.is_impossible(11, "true"));
  CHECK_FALSE(k.is_impossible(11, "false"));
  CHECK(k.is_impossible(12, "zero", model::Criterion::Loop));
  CHECK_FALSE(k.is_impossible(12, "one", model::Criterion::Loop));
}

TEST_CASE("What one group can do is possible without the products of sizes",
          "[needs][needs-solver]") {
  gputest::tests::require_solver();
  Proved all("kernel void k(global int* out, uint n) {\n"
             "  uint i = get_global_id(0);\n"
             "  uint items = get_local_size(0) * get_local_size(1) * get_local_size(2);\n"
             "  if (get_local_id(0) + get_group_id(0) * items + n == 77)\n" // 4
             "    out[i] = 1;\n"
             "  if (get_num_groups(0) * items > get_global_size(0) + 5)\n" // 6: several rows
             "    out[i] = 2;\n"
             "  if (get_num_groups(0) > get_global_size(0))\n" // 8: never
             "    out[i] = 3;\n"
             "  if (get_group_id(0) > 0)\n" // 10: several groups
             "    out[i] = 4;\n"
             "}\n");
  for (const auto& [line, outcome] :
       {std::pair{4U, "true"}, {4U, "false"}, {6U, "true"}, {8U, "false"}, {10U, "true"}}) {
    const Proof proof = all.prover.outcome(all.bit_of(line, outcome), all.z3, kPatient);
    CHECK(proof.kind == Proof::Kind::Open);
    CHECK_FALSE(proof.unknown);
    CHECK_THAT(proof.reason, ContainsSubstring("it may happen where"));
  }
  CHECK(all.prover.outcome(all.bit_of(8, "true"), all.z3, kPatient).kind ==
        Proof::Kind::Impossible);
}

TEST_CASE("How often loops turn is known where something is counted beside it",
          "[needs][needs-solver]") {
  gputest::tests::require_solver();
  Proved k("kernel void k(global int* out, uint data, int n) {\n"
           "  int s = 0;\n"
           "  for (int bit = 0; bit < 31; bit++, data >>= 1) if (data & 1) s += bit;\n"
           "  for (uint d = 8; d > 0; d /= 2) if (data & d) s += d;\n"
           "  for (int i = 5; i < 40; i += 7) if (data & i) s += i;\n"
           "  for (int i = 5; i < n; i += 7) if (data & i) s += i;\n"
           "  uint width = 32;\n"
           "  do { if (data & width) s += width; width /= 2; } while (width > 0);\n"
           "  out[get_global_id(0)] = s;\n"
           "}\n");
  const auto turns = [&](unsigned line, const char* times) {
    for (const model::Site& site : k.sites()) // what is never so may be no outcome at all
      if (site.line == line && site.criterion == model::Criterion::Loop)
        for (const model::Outcome& one : site.outcomes)
          if (one.name == times)
            return !k.is_impossible(one.bit);
    return false;
  };
  for (const unsigned line : {3u, 4u, 5u, 8u}) {
    INFO(line);
    CHECK_FALSE(turns(line, "one"));
    CHECK(turns(line, "many"));
  }
  for (const char* times : {"zero", "one", "many"})
    CHECK(turns(6, times));
}

TEST_CASE("Whoever is in a loop took its first iteration", "[needs][needs-solver]") {
  gputest::tests::require_solver();
  Proved k("kernel void k(global int* out, int r, int n, global const int* in) {\n"
           "  int s = 0;\n"
           "  for (int y = -r; y <= r; ++y)\n"
           "    for (int x = -r; x <= r; ++x)\n"
           "      s += in[x];\n"
           "  for (int i = 0; i < n; ++i)\n"
           "    for (int j = i; j < n - 1; ++j)\n"
           "      s += in[j];\n"
           "  for (int i = 0; in[i] < n; ++i)\n" // memory is another one each time
           "    if (in[0] >= n)\n"
           "      s += 1;\n"
           "  for (int i = r; i == r || s < 9; i += 2)\n" // two ways to stay
           "    if (i != r)\n"
           "      s += 2;\n"
           "  out[get_global_id(0)] = s;\n"
           "}\n");
  const auto loop = model::Criterion::Loop;
  CHECK(k.is_impossible(4, "zero", loop));
  CHECK_FALSE(k.is_impossible(3, "zero", loop));
  CHECK_FALSE(k.is_impossible(7, "zero", loop));
  CHECK_FALSE(k.is_impossible(10, "true"));
  CHECK_FALSE(k.is_impossible(13, "true"));
}

TEST_CASE("What happens early in one group or two is refuted without invariants and products",
          "[needs][needs-solver]") {
  gputest::tests::require_solver();
  for (const char* text :
       {"kernel void k(global int* out, global const int* in, int n, int r) {\n"
        "  for (int y = -r; y <= r; ++y) for (int x = -r; x <= r; ++x) {\n"
        "    if (n + x < 0) out[0] = 1;\n"
        "    if (x > r) out[0] = 2;\n" // never
        "  }\n}\n",
        "kernel void k(global int* out, local int* tile) {\n"
        "  for (uint w = get_local_size(0) / 2; w > 0; w /= 2) tile[w] = 1;\n"
        "  if (get_local_id(0) == 0 && get_group_id(0) != get_local_id(0)) out[0] = 1;\n"
        "  if (get_local_id(0) == 0 && get_global_id(0) < get_global_offset(0)) out[0] = 2;\n"
        "}\n"}) {
    Proved k(text);
    CHECK(k.prover.outcome(k.bit_of(3, "true"), k.z3, kRefuting).kind == Proof::Kind::Open);
    const double quick = k.z3.steps();
    CHECK_FALSE(k.is_impossible(3, "true")); // asks for invariants
    CHECK(quick * 4 < k.z3.steps());
    CHECK(k.is_impossible(4, "true"));
  }
}

TEST_CASE("Without Z3 nothing is proved that must be asked") {
  const gputest::tests::Environment environment({{"GPUTEST_SOLVER", "/no/such/program"}});
  Proved k("kernel void k(global int* out, uint n) {\n"
           "  if (n % 6 == 5)\n"
           "    if (n % 3 == 1)\n"
           "      out[0] = 2;\n"
           "}\n");
  const Proof proof = k.prover.outcome(k.bit_of(3, "true"), k.z3);
  CHECK(proof.kind == Proof::Kind::Open);
  CHECK_THAT(proof.reason, ContainsSubstring("cannot be started"));
}

TEST_CASE("What holds where values meet is not taken to hold elsewhere") {
  Proved k("kernel void k(global int* out, global const uchar* in) {\n"
           "  int x = get_local_id(0), y = get_local_id(1), a = in[0];\n"
           "  switch (a) {\n"
           "  case 1: x = 5; break;\n"
           "  case 3: y = 6;\n"
           "  case 7: x = y; break;\n"
           "  default: x = 9;\n"
           "  }\n"
           "  if (a == 50 && x == 9) out[0] = a;\n"
           "}\n");
  CHECK_FALSE(k.is_impossible(9, "true"));
  CHECK_FALSE(k.is_impossible(9, "false"));
}

TEST_CASE("Nothing that happens is proved impossible") {
  const std::size_t kernels = gputest::tests::random_count(2);
  std::size_t proved = 0, never = 0;
  for (std::size_t seed = 0; seed < kernels; ++seed) {
    std::mt19937_64 random(7000 + seed);
    const auto pick = [&](std::size_t count) { return random() % count; };
    const auto number = [&] {
      const std::string a = std::vector<std::string>{"a", "b", "x", "y", "n"}[pick(5)];
      return std::vector<std::string>{a,
                                      "(" + a + " & " + std::to_string(pick(32)) + ")",
                                      "(" + a + " % " + std::to_string(2 + pick(9)) + ")",
                                      "(" + a + " >> " + std::to_string(pick(6)) + ")",
                                      std::to_string(pick(256)),
                                      "(a ^ b)"}[pick(6)];
    };
    // The parts of braces are evaluated in order, with every compiler.
    const auto joined = [](std::initializer_list<std::string> parts) {
      std::string all;
      for (const std::string& part : parts)
        all += part;
      return all;
    };
    const auto condition = [&] {
      const char* const comparisons[] = {" == ", " < ", " > ", " <= "};
      return joined({number(), comparisons[pick(4)], number()});
    };
    std::string text = "kernel void k(global int* out, global const uchar* in, int n) {\n"
                       "  int i = get_global_id(0), x = 0, y = get_local_id(0);\n"
                       "  int a = in[2 * i], b = in[2 * i + 1];\n";
    for (int statement = 0; statement < 5; ++statement) {
      const std::string target = pick(2) ? "x" : "y";
      switch (pick(5)) {
      case 0:
        text += joined({"  if (", condition(), ") ", target, " = ", number(), "; else ", target,
                        " = ", number(), ";\n"});
        break;
      case 1:
        text += joined({"  if (", condition(), " && ", condition(), ") { if (", condition(), ") ",
                        target, " += 3; }\n"});
        break;
      case 2:
        text += joined({"  for (int j = 0; j < (", number(), " & 3); ++j) { if (", condition(),
                        ") break; ", target, " += j; }\n"});
        break;
      case 3:
        text += joined(
            {"  ", target, " = ", condition(), " || ", condition(), " ? ", number(), " : 4;\n"});
        break;
      default:
        text += joined({"  switch (", number(),
                        ") { case 1: x = 5; break; case 300: y = 6; case 7: ", target,
                        " = 1; break; default: x ^= 1; }\n"});
        break;
      }
    }
    text += "  out[i] = x + y;\n}\n";
    INFO("seed " << seed << "\n" << text);
    Proved k(text);

    // Every input at once: a work-item for each.
    const std::size_t words = k.kernel.coverage.sites.coverage_words;
    std::vector<std::uint32_t> state(GPUTEST_STATE_HEADER_WORDS + words +
                                     k.kernel.coverage.sites.divergence_words);
    std::vector<std::uint8_t> in;
    for (unsigned i = 0; i < 65536; ++i) {
      in.push_back(static_cast<std::uint8_t>(i));
      in.push_back(static_cast<std::uint8_t>(i >> 8));
    }
    Tracer tracer(source_of(k.kernel.coverage.text, false), "k");
    std::vector<std::uint32_t> seen(words);
    for (const int n : {-3, 1, 255}) {
      const Traced ran = tracer.trace(
          line(65536, 16), {buffer(std::vector<int>(65536)), buffer(in), value(n), buffer(state)},
          {.symbolic = {{.argument = 0, .size = 0}}});
      REQUIRE(ran.result.findings.empty());
      REQUIRE(ran.events.empty());
      const auto left = values<std::uint32_t>(ran.left[3]);
      for (std::size_t i = 0; i < words; ++i)
        seen[i] |= left[GPUTEST_STATE_HEADER_WORDS + i];
    }

    std::size_t bits = 0;
    for (const model::Site& site : k.sites())
      for (const model::Outcome& outcome : site.outcomes)
        bits = std::max<std::size_t>(bits, outcome.bit + 1);
    for (unsigned bit = 0; bit < bits; ++bit) {
      const bool happens = (seen[bit / 32] >> bit % 32 & 1) != 0;
      if (happens && bit % 3 != 0) // some of them
        continue;
      const Proof proof = k.prover.outcome(bit, k.z3);
      INFO("bit " << bit << ": " << proof.reason);
      CHECK(is_readable(proof.reason));
      if (happens)
        REQUIRE(proof.kind == Proof::Kind::Open);
      never += !happens;
      proved += proof.kind == Proof::Kind::Impossible;
    }
  }
  INFO(proved << " of " << never << " that never happen");
  if (!solver_program().empty())
    CHECK(2 * proved >= never);
}

TEST_CASE("What a thread is told by its warp or block agrees with what it said itself",
          "[needs][needs-solver]") {
  gputest::tests::require_solver();
  ::setenv("GPUTEST_CUDA_TOOLKIT", GPUTEST_CUDA_TOOLKIT, 1);
  Proved proved("__global__ void k(const int* in, int* out) {\n"
                "  int v = in[threadIdx.x];\n"
                "  if (__all_sync(~0u, v > 3))\n"
                "    if (v == 3) out[0] = 1;\n"
                "  if (!__any_sync(~0u, v > 3))\n"
                "    if (v == 4) out[1] = 1;\n"
                "  if (__ballot_sync(~0u, v == 5) == 0)\n"
                "    if (v == 5) out[2] = 1;\n"
                "  if (__reduce_min_sync(~0u, v) > v) out[3] = 1;\n"
                "  if (__reduce_max_sync(~0u, v) < v) out[4] = 1;\n"
                "  if (__match_any_sync(~0u, v) == 0) out[5] = 1;\n"
                "  if (__syncthreads_count(v) == 0)\n"
                "    if (v) out[6] = 1;\n"
                "  if (__syncthreads_and(v))\n"
                "    if (!v) out[7] = 1;\n"
                "  if (__shfl_sync(~0u, v, 3) != v) out[8] = 1;\n"
                "  if (__reduce_add_sync(~0u, v) < v) out[9] = 1;\n"
                "}\n",
                true);
  for (const unsigned line : {4u, 6u, 8u, 9u, 10u, 11u, 13u, 15u}) {
    INFO("line " << line);
    CHECK(proved.is_impossible(line, "true"));
    CHECK_FALSE(proved.is_impossible(line, "false"));
  }
  for (const unsigned line : {3u, 5u, 7u, 12u, 14u, 16u, 17u})
    for (const char* way : {"true", "false"}) {
      INFO("line " << line << " " << way);
      CHECK_FALSE(proved.is_impossible(line, way));
    }
}

TEST_CASE("Proofs about CUDA kernels are in CUDA's words", "[needs][needs-solver]") {
  gputest::tests::require_solver();
  ::setenv("GPUTEST_CUDA_TOOLKIT", GPUTEST_CUDA_TOOLKIT, 1);
  Proved proved("__global__ void k(int* out, unsigned n) {\n"
                "  if (threadIdx.x >= blockDim.x) out[0] = 1;\n"
                "  if (n < gridDim.x * blockDim.x)\n"
                "    if (n / 2 > gridDim.x * blockDim.x) out[1] = 1;\n"
                "}\n",
                true);
  const std::string reason =
      proved.prover.outcome(proved.bit_of(2, "true"), proved.z3, kPatient).reason;
  CHECK_THAT(reason, ContainsSubstring("threadIdx.x"));
  CHECK_THAT(reason, ContainsSubstring("blockDim.x"));
  const std::string other =
      proved.prover.outcome(proved.bit_of(4, "true"), proved.z3, kPatient).reason;
  CHECK_THAT(other, ContainsSubstring("gridDim.x"));
  CHECK(other == "no values satisfy (unsigned)n < (int)gridDim.x * (int)blockDim.x && "
                 "(int)gridDim.x * (int)blockDim.x < (unsigned)n / 2");
  for (const std::string& text : {reason, other})
    for (const char* word : {"get_", "work-item", "group"})
      CHECK_THAT(text, !ContainsSubstring(word));
}

TEST_CASE("Names of functions and variables do not make numbers natural", "[needs][needs-solver]") {
  gputest::tests::require_solver();
  Proved k("__attribute__((noinline)) int get_level(global const int* in) { return in[3]; }\n"
           "kernel void k(global int* out, global const int* in) {\n"
           "  int level = get_level(in);\n"
           "  if (level % 6 == -5)\n"
           "    if (level % 3 == -1) out[0] = 1;\n"
           "}\n");
  const Proof proof = k.prover.outcome(k.bit_of(5, "true"), k.z3, kPatient);
  CHECK_THAT(proof.reason, !ContainsSubstring("(int)get_level"));
  CHECK(proof.kind == Proof::Kind::Impossible);
}
