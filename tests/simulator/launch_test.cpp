// What kernels compute, and what becomes of those that no device would survive.
#include "tests/catch.h"
#include "tests/simulator/simulated.h"

#include "ir/error.h"
#include "simulator/memory/guard.h"

#include <algorithm>
#include <chrono>
#include <climits>
#include <cmath>
#include <csignal>
#include <limits>
#include <numeric>
#include <thread>

using namespace gputest::ir;
using namespace gputest::simulator;
using namespace gputest::simulator::tests;
using gputest::tests::ContainsSubstring;

namespace {

std::vector<int> iota(std::size_t count) {
  std::vector<int> values(count);
  std::iota(values.begin(), values.end(), 0);
  return values;
}

std::string error_of(const Run& what) {
  try {
    run(what);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

} // namespace

TEST_CASE("The work-item functions say where a work-item is in its launch") {
  const Ran ran = run({.text = "kernel void k(global int* out) {\n"
                               "  int i = get_global_id(0);\n"
                               "  out[i] = get_local_id(0) + 10 * get_group_id(0) + 100 * "
                               "get_local_size(0) + 1000 * get_num_groups(0) + 10000 * "
                               "get_work_dim() + get_global_id(1) + get_global_offset(2);\n"
                               "}\n",
                       .global_size = 4,
                       .local_size = 2,
                       .arguments = {buffer(iota(4))}});
  CHECK(ran.values<int>(0) == std::vector<int>{12200, 12201, 12210, 12211});
  CHECK(ran.findings().empty());
}

TEST_CASE("Functions that are called in many places compute what inlined ones do") {
  // A helper with private memory that knows nothing of the work-item, and two that do.
  std::string text = "float mean(float* values, int count) {\n"
                     "  float sum = 0;\n"
                     "  for (int i = 0; i < count; ++i)\n"
                     "    sum += values[i] * values[(i + 1) % count] + 0.1f;\n"
                     "  return sum / count;\n"
                     "}\n"
                     "float mine(float x) { return sin(x * get_local_id(0)); }\n"
                     "float late(float x) { barrier(CLK_LOCAL_MEM_FENCE); return cos(x); }\n"
                     "kernel void k(global float* data) {\n"
                     "  int i = get_global_id(0);\n"
                     "  float x = data[i], s = 0, some[4] = {x, x, x, x};\n";
  for (int i = 1; i <= 8; ++i)
    text += "  s += sin(x * " + std::to_string(i) +
            ".5f) + mine(s) + mean(some, 4);\n"
            "  some[" +
            std::to_string(i % 4) + "] = cos(s);\n";
  text += "  data[i] = s + late(x);\n}\n";
  Run what{.text = text,
           .global_size = 4,
           .local_size = 4,
           .arguments = {buffer(std::vector<float>{0.5f, 1.25f, -3, 1e4f})}};
  const std::vector<float> kept = run(what).values<float>(0);
  CHECK(std::ranges::none_of(kept, [](float value) { return value != value; }));
  for (const std::vector<std::string>& checks :
       {std::vector<std::string>{"bounds", "races"}, {"uninitialized"}}) { // the last inlines all
    what.checks = checks;
    const Ran ran = run(what);
    CHECK(ran.values<float>(0) == kept);
    CHECK(ran.findings().empty());
  }
}

TEST_CASE("A helper that is called in many places is still checked") {
  std::string text = "float pick(float* values, int i) {\n"
                     "  return values[i] * values[0] + values[1] * values[2] + values[1];\n"
                     "}\n"
                     "kernel void k(global float* data, int bad) {\n"
                     "  float some[3] = {data[0], data[1], data[2]};\n"
                     "  float s = 0;\n";
  for (int i = 0; i < 200; ++i)
    text += "  s += pick(some, " + std::string(i == 150 ? "bad" : "1") + ");\n";
  text += "  data[0] = s;\n}\n";
  const Ran ran = run({.text = text,
                       .arguments = {buffer(std::vector<float>{1, 2, 3}), value(3)},
                       .checks = {"bounds"}});
  CHECK(ran.findings() == "out_of_bounds 2\n");
}

TEST_CASE("Barriers, local memory and async copies in any order of work-items") {
  const std::string text = "kernel void k(global int* data, local int* tile) {\n"
                           "  event_t e = async_work_group_copy(tile, data + 8 * get_group_id(0), "
                           "8, 0);\n"
                           "  wait_group_events(1, &e);\n"
                           "  int l = get_local_id(0), sum = 0;\n"
                           "  for (int i = 0; i < 3; ++i) {\n"
                           "    sum += tile[(l + i) % 8];\n"
                           "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                           "  }\n"
                           "  data[get_global_id(0)] = sum;\n"
                           "}\n";
  using gputest::model::Order;
  const std::vector<std::uint32_t> listed{7, 1, 6, 0, 5, 2, 4, 3};
  for (const Order& items :
       {Order{}, Order{.kind = Order::Kind::Reverse}, Order{.kind = Order::Kind::Random, .seed = 3},
        Order{.kind = Order::Kind::Listed, .listed = listed}}) {
    Run what{.text = text,
             .global_size = 16,
             .local_size = 8,
             .arguments = {buffer(iota(16)), local(32)}};
    what.order.groups.kind = Order::Kind::Reverse;
    what.order.items = items;
    const Ran ran = run(what);
    CHECK(ran.values<int>(0) ==
          std::vector<int>{3, 6, 9, 12, 15, 18, 13, 8, 27, 30, 33, 36, 39, 42, 37, 32});
  }
}

TEST_CASE("A kernel whose only barrier is in code that never runs") {
  const Ran ran = run({.text = "kernel void k(global int* out) {\n"
                               "  if (0)\n"
                               "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                               "  const int two = 2;\n"
                               "  if (two > 3)\n"
                               "    barrier(CLK_GLOBAL_MEM_FENCE);\n"
                               "  out[get_global_id(0)] = get_local_id(0) + 5;\n"
                               "}\n",
                       .global_size = 4,
                       .local_size = 2,
                       .arguments = {buffer(iota(4))}});
  CHECK(ran.values<int>(0) == std::vector<int>{5, 6, 5, 6});
  CHECK(ran.findings().empty());
}

TEST_CASE("Work-groups and work-items run in the order of a list") {
  using gputest::model::Order;
  const auto listed = [](std::vector<std::uint32_t> groups, std::vector<std::uint32_t> items) {
    Run what{.text = "kernel void k(global int* out, volatile global int* next) {\n"
                     "  out[atomic_inc(next)] = get_global_id(0);\n"
                     "}\n",
             .global_size = 5, // the last group has one
             .local_size = 2,
             .arguments = {buffer(iota(5)), buffer(std::vector<int>{0})},
             .cl_std = "CL2.0"};
    what.order.groups = {.kind = Order::Kind::Listed, .listed = std::move(groups)};
    what.order.items = {.kind = Order::Kind::Listed, .listed = std::move(items)};
    return run(what).values<int>(0);
  };
  CHECK(listed({0, 1, 2}, {0, 1}) == std::vector<int>{0, 1, 2, 3, 4});
  CHECK(listed({2, 0, 1}, {1, 0}) == std::vector<int>{4, 1, 0, 3, 2});
  CHECK_THROWS_WITH(listed({2, 0}, {0, 1}),
                    "order of work-groups: no permutation: 2 numbers for 3");
  CHECK_THROWS_WITH(listed({2, 0, 2}, {0, 1}),
                    "order of work-groups: no permutation: 2 is there twice");
  CHECK_THROWS_WITH(listed({2, 0, 1}, {0, 2}),
                    ContainsSubstring("order of work-items: no permutation: 2 is not below 2"));
}

TEST_CASE("Local memory that nobody has written is the same in each group") {
  for (const std::vector<std::string>& checks : {std::vector<std::string>{}, {"bounds"}}) {
    const Ran ran = run({.text = "kernel void k(global int* out, local int* more) {\n"
                                 "  local int one;\n"
                                 "  out[get_global_id(0)] = one + *more;\n"
                                 "  one = *more = 5;\n"
                                 "}\n",
                         .global_size = 3,
                         .arguments = {buffer(iota(3)), local(4)},
                         .checks = checks});
    CHECK(ran.values<int>(0) == std::vector<int>(3, -1751672938));
  }
}

TEST_CASE("The same order for the same seed, another for another") {
  const auto order = [](std::uint64_t seed) {
    Run what{.text = "kernel void k(global int* out, volatile global int* next) {\n"
                     "  out[get_global_id(0)] = atomic_inc(next);\n"
                     "}\n",
             .global_size = 64,
             .local_size = 8,
             .arguments = {buffer(iota(64)), buffer(std::vector<int>{0})}};
    what.order.groups =
        what.order.items = {.kind = gputest::model::Order::Kind::Random, .seed = seed};
    return run(what).values<int>(0);
  };
  CHECK(order(1) == order(1));
  CHECK(order(1) != order(2));
}

TEST_CASE("Functions of libclc that look past the ends of their tables") {
  for (const std::vector<std::string>& checks :
       {std::vector<std::string>{}, {"bounds"}, {"bounds", "uninitialized"}}) {
    const Ran ran = run({.text = "kernel void k(global double* x) {\n"
                                 "  x[0] = cosh(x[0]); x[1] = sinh(x[1]); x[2] = sin(x[2]);\n}\n",
                         .arguments = {buffer(
                             std::vector<double>{std::numeric_limits<double>::infinity(),
                                                 -std::numeric_limits<double>::infinity(), -1e30})},
                         .checks = checks});
    CHECK(ran.findings().empty());
    const std::vector<double> values = ran.values<double>(0);
    CHECK(values[0] == std::numeric_limits<double>::infinity());
    CHECK(values[1] == -std::numeric_limits<double>::infinity());
    CHECK(std::abs(values[2] - std::sin(-1e30)) < 1e-12);
  }
}

TEST_CASE("Vectors, structs, atomics, conversions and printf") {
  const Ran ran =
      run({.text = "struct S { float4 a; int b[2]; };\n"
                   "kernel void k(global int* out, struct S s) {\n"
                   "  int4 v = vload4(0, out);\n"
                   "  vstore4(v.wzyx + convert_int4_sat_rte(s.a), 0, out);\n"
                   "  atomic_max(out + 4, s.b[1]);\n"
                   "  out[5] = clamp(popcount(255u), 3u, 7u) + (int)hypot(3.0f, 4.0f);\n"
                   "  printf(\"%d %s %5.2f %v4d %#x|\", s.b[0], \"text\", 1.5f, v, 255);\n"
                   "}\n",
           .arguments = {buffer(iota(6)), [] {
                           Given given;
                           given.kind = Parameter::Kind::Value;
                           given.bytes.resize(32);
                           const float a[4] = {0.5f, 1.5f, 2.5f, 1e20f};
                           const int b[2] = {7, 99};
                           std::memcpy(given.bytes.data(), a, sizeof a);
                           std::memcpy(given.bytes.data() + 16, b, sizeof b);
                           return given;
                         }()}});
  CHECK(ran.values<int>(0) == std::vector<int>{3, 4, 3, 2147483647, 99, 12});
  CHECK(ran.result.output == "7 text  1.50 0,1,2,3 0xff|");
}

TEST_CASE("What cannot be compiled is named with its place") {
  CHECK(error_of({.text = "kernel void k(global int* out) {\n  out[0] = nonsense;\n}\n",
                  .arguments = {buffer(iota(1))}}) ==
        "/t.cl:2:12: error: use of undeclared identifier 'nonsense'");
  CHECK(error_of({.text = "int other(int);\nkernel void k(global int* out) {\n"
                          "  out[0] = other(1);\n}\n",
                  .arguments = {buffer(iota(1))}}) ==
        "/t.cl:3:12: error: function 'other' has no body: neither the source defines it nor "
        "libclc or the simulator");
  CHECK(error_of({.text = "kernel void k(global float* out, image2d_msaa_depth_t image) {\n"
                          "  out[0] = read_imagef(image, (int2)(0), 0);\n}\n",
                  .arguments = {buffer(iota(1)), {.kind = Parameter::Kind::Image}},
                  .cl_std = "CL3.0"}) ==
        "/t.cl:2:12: error: function 'read_imagef' is for multi-sample images, which the simulator "
        "does not have");
  CHECK(error_of({.text = "int f(int n) {\n  return n ? n * f(n - 1) : 1;\n}\n"
                          "kernel void k(global int* out) { out[0] = f(out[0]); }\n",
                  .arguments = {buffer(iota(1))}}) ==
        "/t.cl:2:18: error: 'f' calls itself; OpenCL C has no recursion");
  CHECK_THAT(error_of({.text = "kernel void other() {}\n"}),
             ContainsSubstring("there is no kernel 'k'; there are: other"));
}

TEST_CASE("Arguments that are not the kernel's are refused") {
  const std::string text = "kernel void k(global int* out, int n) { out[0] = n; }\n";
  CHECK(error_of({.text = text, .arguments = {buffer(iota(1))}}) ==
        "kernel 'k' has 2 arguments, and 1 are given");
  CHECK(error_of({.text = text, .arguments = {buffer(iota(1)), value(1.0)}}) ==
        "kernel 'k', argument 'n' has 4 bytes, and 8 are given");
  CHECK_THAT(error_of({.text = text, .arguments = {buffer(iota(1)), buffer(iota(1))}}),
             ContainsSubstring("argument 'n': its type is 'int', and something"));
}

TEST_CASE("A fault ends the launch, and its line is known") {
  SECTION("null pointer") {
    const Ran ran =
        run({.text = "kernel void k(global int* out) {\n\n  out[get_global_id(0)] = 1;\n}\n",
             .arguments = {null_buffer()}});
    CHECK(ran.findings() == "null_pointer 3\n");
    CHECK(ran.result.fatal);
    CHECK_THAT(ran.result.findings[0].message,
               ContainsSubstring("writes through a null pointer; the argument 'out' is null"));
  }
  SECTION("far out of bounds") {
    const Ran ran =
        run({.text = "kernel void k(global int* out) {\n  out[get_global_id(0) + 100] = 1;\n}\n",
             .arguments = {buffer(iota(4))}});
    CHECK(ran.findings() == "out_of_bounds 2\n");
    CHECK_THAT(ran.result.findings[0].message,
               ContainsSubstring("writes byte 400 of 'argument 0', which has 16"));
  }
  SECTION("a buffer of no bytes") {
    const Ran ran =
        run({.text = "kernel void k(global int* out) {\n  out[get_global_id(0)] = 1;\n}\n",
             .arguments = {buffer(std::vector<int>{})}});
    CHECK(ran.findings() == "out_of_bounds 2\n");
  }
  SECTION("a buffer of no bytes that nobody touches") {
    const Ran ran =
        run({.text = "kernel void k(global int* out, int n) {\n  if (n) out[0] = 1;\n}\n",
             .arguments = {buffer(std::vector<int>{}), value(0)}});
    CHECK(ran.findings().empty());
  }
  SECTION("division by zero") {
    const Ran ran = run({.text = "kernel void k(global int* out) {\n  out[0] = 7 / out[0];\n}\n",
                         .arguments = {buffer(iota(1))}});
    CHECK(ran.findings() == "division_by_zero 2\n");
  }
  SECTION("no end") {
    const Ran ran = run({.text = "kernel void k(volatile global int* out) {\n"
                                 "  while (out[0] == 0)\n    ;\n}\n",
                         .arguments = {buffer(iota(1))},
                         .limit = 0.3});
    CHECK(ran.findings() == "endless 2\n");
    CHECK_THAT(ran.result.findings[0].message, ContainsSubstring("still runs after 0.3 s"));
  }
}

TEST_CASE("The smallest number divided by -1 is itself, and nothing remains") {
  const Run kernel{.text =
                       "kernel void k(global int* out, int a, int b, long c, long d) {\n"
                       "  out[0] = a / b, out[1] = a % b, out[2] = c / d == c, out[3] = c % d;\n"
                       "  int4 v = (int4)(a, 7, a, -7) / (int4)(b, b, 1, 2);\n"
                       "  out[4] = v.x, out[5] = v.y, out[6] = v.z, out[7] = v.w;\n}\n",
                   .arguments = {buffer(iota(8)), value(INT_MIN), value(-1),
                                 value(std::int64_t{INT64_MIN}), value(std::int64_t{-1})}};
  const std::vector<int> wanted{INT_MIN, 0, 1, 0, INT_MIN, -7, INT_MIN, -3};
  for (const std::vector<std::string>& checks : {std::vector<std::string>{}, {"races", "bounds"}}) {
    Run checked = kernel;
    checked.checks = checks;
    const Ran ran = run(checked);
    CHECK(ran.findings().empty());
    CHECK(ran.values<int>(0) == wanted);
  }
  Run checked = kernel;
  checked.checks = {"arithmetic"};
  const Ran ran = run(checked);
  CHECK(ran.findings() == "overflow 2\noverflow 2\noverflow 2\noverflow 2\noverflow 3\n");
  CHECK(ran.values<int>(0) == wanted);
}

TEST_CASE("A launch that waits for a processor is not ended") {
  std::optional<Fault> waited, computed;
  on_large_stack([&] {
    waited = run_guarded([] { std::this_thread::sleep_for(std::chrono::milliseconds(300)); }, 0.1);
    volatile bool forever = true;
    computed = run_guarded(
        [&] {
          while (forever)
            ;
        },
        0.1);
  });
  CHECK_FALSE(waited);
  REQUIRE(computed);
  CHECK(computed->signal == SIGPROF);
}

TEST_CASE("Private variables larger than the stack") {
  CHECK(error_of({.text = "kernel void k(global int* out) {\n"
                          "  volatile int large[100000000];\n"
                          "  large[out[0]] = 1;\n  out[0] = large[out[0] + 1];\n}\n",
                  .arguments = {buffer(iota(1))}}) ==
        "/t.cl:1: error: the private variables of a work-item of 'k' take 400000008 bytes, and "
        "there are 134217728");
}

TEST_CASE("100,000 work-items that wait for each other") {
  const Ran ran = run({.text = "kernel void k(global int* data) {\n"
                               "  int i = get_global_id(0), n = get_global_size(0);\n"
                               "  int other = data[n - 1 - i];\n"
                               "  barrier(CLK_GLOBAL_MEM_FENCE);\n"
                               "  data[i] = other;\n}\n",
                       .global_size = 100000,
                       .local_size = 100000,
                       .arguments = {buffer(iota(100000))},
                       .checks = {"races", "barriers"}});
  std::vector<int> expected = iota(100000);
  std::ranges::reverse(expected);
  CHECK(ran.values<int>(0) == expected);
  CHECK(ran.findings().empty());
}

TEST_CASE("Variables of the program keep their values from launch to launch") {
  const std::string text = "global int count = 5;\n"
                           "global int table[4] = {1, 2, 3, 4};\n"
                           "kernel void k(global int* out) {\n"
                           "  static global int own;\n"
                           "  int i = get_global_id(0);\n"
                           "  if (i == 0) { ++count; own += 10; }\n"
                           "  barrier(CLK_GLOBAL_MEM_FENCE);\n"
                           "  out[i] = table[i] + count + own;\n"
                           "}\n";
  for (const std::vector<std::string>& checks :
       {std::vector<std::string>{},
        std::vector<std::string>{"races", "bounds", "uninitialized", "arithmetic"}}) {
    const Run once{.text = text,
                   .global_size = 4,
                   .local_size = 4,
                   .arguments = {buffer(iota(4))},
                   .checks = checks,
                   .cl_std = "CL2.0"};
    const std::vector<Ran> all = run_all({once, once});
    CHECK(all[0].findings().empty());
    CHECK(all[0].values<int>(0) == std::vector<int>{17, 18, 19, 20});
    CHECK(all[1].values<int>(0) == std::vector<int>{28, 29, 30, 31});
  }
  const Run outside{.text = "global int table[4] = {1, 2, 3, 4};\n"
                            "kernel void k(global int* out) {\n"
                            "  out[0] = table[out[1]];\n"
                            "  table[0] = get_global_id(0);\n}\n",
                    .global_size = 2,
                    .local_size = 2,
                    .arguments = {buffer(std::vector<int>{7, 8})},
                    .checks = {"races", "bounds"},
                    .cl_std = "CL2.0"};
  CHECK(run(outside).findings() == "out_of_bounds 3\nrace_same_value 3/3\nrace 4/4\n");
}

TEST_CASE("The 64-bit atomic functions update their values") {
  std::string text =
      "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n"
      "#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable\n"
      "kernel void k(global ulong* out, global long* in, local long* n) {\n"
      "  int i = get_global_id(0);\n"
      "  if (i == 0) *n = 0;\n"
      "  barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  atom_add(&out[0], 1ul << 33); atom_sub(&out[1], 2); atom_inc(&out[2]);\n"
      "  atom_dec(&out[3]); atom_min(&in[0], -(long)i); atom_max(&in[1], (long)i);\n"
      "  atom_and(&out[4], ~(1ul << i)); atom_or(&out[5], 1ul << (40 + i));\n"
      "  atom_xor(&out[6], 3ul << i); atom_inc(n);\n"
      "  if (i == 0) { out[7] = atom_xchg(&in[2], -5); in[3] = atom_cmpxchg(&in[2], -5, 8); }\n"
      "  barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  if (i == 0) in[4] = *n;\n"
      "}\n";
  const Ran ran = run({.text = text,
                       .global_size = 4,
                       .local_size = 4,
                       .arguments = {buffer(std::vector<std::uint64_t>{0, 100, 7, 7, 255, 1, 0, 0}),
                                     buffer(std::vector<std::int64_t>{0, 0, 42, 0, 0}), local(8)},
                       .checks = {"races", "bounds", "uninitialized", "arithmetic"}});
  CHECK(ran.findings().empty());
  CHECK(ran.values<std::uint64_t>(0) ==
        std::vector<std::uint64_t>{4ULL << 33, 92, 11, 3, 240, (15ULL << 40) + 1, 17, 42});
  CHECK(ran.values<std::int64_t>(1) == std::vector<std::int64_t>{-3, 3, 8, -5, 4});
}
