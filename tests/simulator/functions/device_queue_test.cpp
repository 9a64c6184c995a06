// Blocks of OpenCL C 2.0 in the simulator: as values, and enqueued to the device's queue.
#include "ir/error.h"
#include "tests/catch.h"
#include "tests/random_count.h"
#include "tests/simulator/simulated.h"

#include <fmt/format.h>
#include <functional>
#include <random>

using namespace gputest::simulator;
using namespace gputest::simulator::tests;

namespace {

const std::vector<std::string> kEveryCheck{"races",         "barriers",   "bounds",
                                           "uninitialized", "arithmetic", "overflow"};

Run of(const std::string& body, std::size_t elements, std::size_t items = 1) {
  return {.text = "kernel void k(global int* out) {\n" + body + "}\n",
          .global_size = items,
          .local_size = items,
          .arguments = {buffer(std::vector<int>(elements))},
          .cl_std = "CL2.0"};
}

// What the kernel leaves with and without checks, which find nothing.
std::vector<int> clean(Run what) {
  const Ran plain = run(what);
  CHECK(plain.findings() == "");
  what.checks = kEveryCheck;
  const Ran checked = run(what);
  CHECK(checked.findings() == "");
  CHECK(checked.values<int>(0) == plain.values<int>(0));
  what.cl_std = "CL3.0";
  CHECK(run(what).values<int>(0) == plain.values<int>(0));
  return plain.values<int>(0);
}

const std::string kQueue = "queue_t q = get_default_queue();\n";

} // namespace

TEST_CASE("Blocks are values that a kernel calls") {
  CHECK(clean(of("int y = 5;\n"
                 "int (^add)(int, int) = ^(int a, int b) { return a + b + y; };\n"
                 "int (^const triple)(int) = ^(int a) {\n"
                 "  int (^const once)(int) = ^(int b) { return b + a; };\n"
                 "  return once(2 * a);\n"
                 "};\n"
                 "y = 100;\n"
                 "out[0] = add(1, 2);\n"
                 "out[1] = triple(triple(7));\n"
                 "^{ out[2] = y; }();\n",
                 3)) == std::vector{8, 63, 100});
}

TEST_CASE("Enqueued blocks run when the kernel has ended, with the values that they captured") {
  CHECK(clean(of(kQueue + "int x = 7;\n"
                          "out[4] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(4),\n"
                          "               ^{ out[get_global_id(0)] += x + get_global_id(0); });\n"
                          "x = 100;\n"
                          "out[1] = 20;\n",
                 5)) == std::vector{7, 28, 9, 10, 0});
}

TEST_CASE("NDRanges of blocks have offsets, sizes and dimensions") {
  // Sums of what each work-item adds for its place.
  const auto sum = [](const std::string& range) {
    return clean(of(kQueue +
                        "const size_t a[3] = {4, 2, 3}, b[3] = {2, 2, 1}, o[3] = {1, 5, 9};\n"
                        "enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, " +
                        range +
                        ", ^{\n"
                        "atomic_add(&out[0], (int)(get_global_id(0) + 100 * get_global_id(1)));\n"
                        "atomic_add(&out[1], (int)(get_local_size(0) + 10 * get_local_size(1)));\n"
                        "atomic_add(&out[2], 1);\n"
                        "atomic_xchg(&out[3], (int)get_work_dim());\n"
                        "});\n",
                    4));
  };
  CHECK(sum("ndrange_1D(5)") == std::vector{10, 75, 5, 1});
  CHECK(sum("ndrange_1D(6, 2)") == std::vector{15, 72, 6, 1});
  CHECK(sum("ndrange_1D(3, 6, 2)") == std::vector{33, 72, 6, 1});
  CHECK(sum("ndrange_2D(a)") == std::vector{412, 192, 8, 2});
  CHECK(sum("ndrange_2D(a, b)") == std::vector{412, 176, 8, 2});
  CHECK(sum("ndrange_2D(o, a, b)") == std::vector{4420, 176, 8, 2});
  CHECK(sum("ndrange_3D(a)") == std::vector{1236, 576, 24, 3});
  CHECK(sum("ndrange_3D(a, b)") == std::vector{1236, 528, 24, 3});
  CHECK(sum("ndrange_3D(o, a, b)") == std::vector{13260, 528, 24, 3});
}

TEST_CASE("Blocks have __local memory of the sizes that the kernel gives") {
  CHECK(clean(of(kQueue + "enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(8, 4),\n"
                          "  ^(local void* a, local void* b) {\n"
                          "    local int* mine = a; local int* theirs = b;\n"
                          "    int l = get_local_id(0);\n"
                          "    mine[l] = l; theirs[3 - l] = 10 * l;\n"
                          "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                          "    out[get_global_id(0)] = mine[3 - l] + theirs[l];\n"
                          "  }, 16u, 16u);\n",
                 8)) == std::vector{33, 22, 11, 0, 33, 22, 11, 0});
  Run outside = of(kQueue + "enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(8, 4),\n"
                            "  ^(local void* a) {\n"
                            "    local int* mine = a;\n"
                            "    mine[get_local_id(0)] = 1;\n"
                            "    out[get_global_id(0)] = mine[get_local_id(0)];\n"
                            "  }, 12u);\n",
                   8);
  outside.checks = {"bounds"};
  CHECK(run(outside).findings() == "out_of_bounds 6\n");
}

TEST_CASE("Events order blocks that would otherwise run in any order") {
  for (const auto& [events, reversed] : {std::pair{"1, &e, NULL, ", 7}, std::pair{"", 15}}) {
    Run what = of(kQueue +
                      "out[0] = 1;\nclk_event_t e;\n"
                      "enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 0, NULL, &e, "
                      "^{ out[0] *= 3; });\n"
                      "enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), " +
                      events + "^{ out[0] += 4; });\nrelease_event(e);\n",
                  1);
    CHECK(run(what).values<int>(0) == std::vector{7});
    what.checks = kEveryCheck;
    CHECK(run(what).findings() == (*events ? "" : "race 6/5\n"));
    what.checks = {};
    what.order.groups.kind = gputest::model::Order::Kind::Reverse;
    CHECK(run(what).values<int>(0) == std::vector{reversed});
  }
}

TEST_CASE("An event completes when what its block has enqueued is complete, too") {
  Run what = of(kQueue + "clk_event_t e;\n"
                         "enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 0, NULL, &e, "
                         "^{\n"
                         "  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT,\n"
                         "    ndrange_1D(1), ^{ out[0] = 5; });\n});\n"
                         "enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &e, NULL, "
                         "^{ out[1] = out[0] + 1; });\n",
                2);
  CHECK(clean(what) == std::vector{5, 6});
  what.order.groups.kind = gputest::model::Order::Kind::Reverse;
  CHECK(run(what).values<int>(0) == std::vector{5, 6});
}

TEST_CASE("User events and markers order blocks") {
  const std::string text =
      "clk_event_t user = create_user_event(), all, first;\n"
      "retain_event(user);\nrelease_event(user);\n"
      "out[0] = is_valid_event(user);\n"
      "enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &user, &first, "
      "^{ out[1] = 2; });\n"
      "clk_event_t both[2] = {user, first};\n"
      "out[3] = enqueue_marker(q, 2, both, &all);\n"
      "enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP, ndrange_1D(1), 1, &all, NULL, "
      "^{ out[2] = out[1] + 1; });\n";
  CHECK(clean(of(kQueue + text + "set_user_event_status(user, CL_COMPLETE);\n", 4)) ==
        std::vector{1, 2, 3, 0});
  // A failed event ends what waits for it; one that nobody sets holds it for ever.
  CHECK(clean(of(kQueue + text + "set_user_event_status(user, -5);\n", 4)) ==
        std::vector{1, 0, 0, 0});
  CHECK(run(of(kQueue + text, 4)).findings() == "endless 7\n");
}

TEST_CASE("Times of blocks are written when they are over") {
  const Ran ran =
      run({.text = "kernel void k(global int* out, global ulong* times) {\n"
                   "  clk_event_t e;\n"
                   "  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT,\n"
                   "    ndrange_1D(4), 0, NULL, &e, ^{ out[get_global_id(0)] = 1; });\n"
                   "  capture_event_profiling_info(e, CLK_PROFILING_COMMAND_EXEC_TIME, times);\n"
                   "}\n",
           .arguments = {buffer(std::vector<int>(4)), buffer(std::vector<std::uint64_t>{0, 0, 7})},
           .cl_std = "CL2.0"});
  const auto times = ran.values<std::uint64_t>(1);
  CHECK(times[0] > 0);
  CHECK(times[1] >= times[0]);
  CHECK(times[2] == 7);
}

TEST_CASE("What cannot be enqueued is refused with OpenCL's number") {
  CHECK(clean(of(kQueue + "out[0] = enqueue_kernel(q, 0, ndrange_1D(0), ^{ out[9] = 1; });\n"
                          "out[1] = enqueue_kernel(q, 0, ndrange_1D(2048, 2048), ^{});\n"
                          "clk_event_t none = create_user_event();\n"
                          "release_event(none);\n"
                          "out[2] = is_valid_event(none);\n"
                          "out[3] = enqueue_kernel(q, 0, ndrange_1D(1), 1, &none, NULL, ^{});\n"
                          "out[4] = enqueue_marker(q, 0, NULL, NULL);\n",
                 5)) == std::vector{-101, -101, 0, -101, -101});
}

TEST_CASE("A kernel asks how blocks would be launched") {
  CHECK(clean(of("ndrange_t r = ndrange_1D(100, 40);\n"
                 "void (^b)(void) = ^{ out[4] = 1; };\n"
                 "out[0] = get_kernel_work_group_size(b);\n"
                 "out[1] = get_kernel_preferred_work_group_size_multiple(b);\n"
                 "out[2] = get_kernel_max_sub_group_size_for_ndrange(r, b);\n"
                 "out[3] = get_kernel_sub_group_count_for_ndrange(r, b);\n",
                 5)) == std::vector{1024, 32, 32, 2, 0});
}

TEST_CASE("Findings in blocks have their places") {
  Run what = of(kQueue + "enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(4), ^{\n"
                         "  out[get_global_id(0) + 1] = 1;\n"
                         "  out[0] = get_global_id(0);\n"
                         "});\n",
                5);
  what.checks = {"races"};
  CHECK(run(what).findings() == "race 5/5\n");
  what.arguments = {buffer(std::vector<int>(4))};
  what.checks = {"bounds"};
  CHECK(run(what).findings() == "out_of_bounds 4\n");
  // A block must not use the memory of the work-item or group that enqueued it.
  Run captured = of(kQueue + "local int shared[4];\n"
                             "local int* p = shared;\n"
                             "p[0] = 3;\n"
                             "enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{\n"
                             "  out[0] = p[0];\n"
                             "});\n",
                    4);
  captured.checks = {"bounds"};
  CHECK(run(captured).findings() == "out_of_bounds 7\n");
}

TEST_CASE("What a block captures is as uninitialized as it was") {
  const auto findings = [](const std::string& body) {
    Run what = of(kQueue + body, 2);
    what.checks = {"uninitialized"};
    return run(what).findings();
  };
  const std::string begin = "enqueue_kernel(q, 0, ndrange_1D(1), ^{ ";
  CHECK(findings("int x;\n" + begin + "out[0] = x; });\n") == "uninitialized 4\n");
  CHECK(findings("int x;\n" + begin + "if (out[1]) out[0] = x; });\n").empty());
  const std::string pair = "struct { int a, b; } s;\ns.a = 3;\n";
  CHECK(findings(pair + begin + "out[0] = s.a; });\n").empty());
  CHECK(findings(pair + begin + "out[0] = s.b; });\n") == "uninitialized 5\n");
}

TEST_CASE("Blocks that nothing orders race") {
  const auto races = [](const std::string& body) {
    Run what = of(kQueue + "clk_event_t e, f, user = create_user_event();\n" + body, 4);
    what.checks = {"races"};
    return run(what).findings();
  };
  const auto block = [](const std::string& events, const std::string& body) {
    return "enqueue_kernel(q, 0, ndrange_1D(1), " + events + "^{ " + body + " });\n";
  };
  const std::string add = "out[1] += 2;", make = "0, NULL, &e, ", wait = "1, &e, NULL, ";
  CHECK(races(block("", add) + block("", add)) == "race 5/4\n");
  CHECK(races(block("", "out[0] = out[1];") + block("", "out[2] = out[1];")).empty());
  CHECK(races(block("", "out[0] = out[1];") + block("", "out[1] = 3;")) == "race 5/4\n");
  CHECK(races(block("", "atomic_inc(out);") + block("", "atomic_inc(out);")).empty());
  CHECK(races(block("", "atomic_inc(out);") + block("", "out[0] = 3;")) == "race 5/4\n");
  CHECK(races(block(make, add) + block(wait, add)).empty());
  CHECK(races(block(make, add) + block("1, &e, &f, ", "out[0] = 1;") + block("1, &f, NULL, ", add))
            .empty());
  CHECK(races(block(make, add) + "enqueue_marker(q, 1, &e, &f);\n" + block("1, &f, NULL, ", add))
            .empty());
  // A block comes before what it enqueues, and an event of it stands for that, too.
  const std::string nested = "queue_t q = get_default_queue(); out[1] += 1; "
                             "enqueue_kernel(q, 0, ndrange_1D(1), ^{ out[1] += 2; });";
  CHECK(races(block("", nested)).empty());
  CHECK(races(block(make, nested) + block(wait, add)).empty());
  CHECK(races(block("", nested) + block("", add)) == "race 5/4\nrace 4/5\n");
}

TEST_CASE("A block whose accesses are too many to look at still orders others") {
  const auto races = [](const std::string& body) {
    Run what = of(kQueue + "clk_event_t e, f;\n" + body, 600'000);
    what.checks = {"races"};
    return run(what).findings();
  };
  const auto block = [](const std::string& events, const std::string& body) {
    return "enqueue_kernel(q, 0, ndrange_1D(1), " + events + "^{ " + body + " });\n";
  };
  const auto many = [&](const std::string& events, int accesses) { // none next to another
    return block(events, fmt::format("for (int i = 1; i < {}; ++i) out[2 * i] = i;", accesses + 1));
  };
  const std::string write = "out[0] = 1;", read = "out[1] = out[0];";
  CHECK(races(many("", 1'000) + block("", "out[2] = 3;")) == "race 5/4\n");
  CHECK(races(many("", 290'000) + block("", "out[2] = 3;")).empty());
  CHECK(races(block("0, NULL, &e, ", write) + many("1, &e, &f, ", 290'000) +
              block("1, &f, NULL, ", read))
            .empty());
  CHECK(races(block("0, NULL, &e, ", write) + many("1, &e, &f, ", 290'000) + block("", read)) ==
        "race 6/4\n");
}

TEST_CASE("Each event is waited for once, on however many ways markers lead there") {
  Run what =
      of(kQueue + "clk_event_t e[64];\n"
                  "enqueue_kernel(q, 0, ndrange_1D(1), 0, NULL, &e[0], ^{ out[0] = 1; });\n"
                  "enqueue_marker(q, 1, &e[0], &e[1]);\n"
                  "for (int i = 2; i < 64; ++i)\n"
                  "  enqueue_marker(q, 2, &e[i - 2], &e[i]);\n"
                  "enqueue_kernel(q, 0, ndrange_1D(1), 1, &e[63], NULL, ^{ out[0] += 1; });\n",
         1);
  what.checks = {"races"};
  const Ran ran = run(what);
  CHECK(ran.findings() == "");
  CHECK(ran.values<int>(0) == std::vector{2});
}

TEST_CASE("Blocks share program-scope variables with the kernel") {
  const Run what{.text = "global int counter = 3;\n"
                         "global int other = 10;\n"
                         "kernel void k(global int* out) {\n"
                         "  counter += 1;\n"
                         "  global int* p = &counter;\n"
                         "  enqueue_kernel(get_default_queue(), 0, ndrange_1D(1), ^{\n"
                         "    counter *= 2; *p += 1; other += 1;\n"
                         "    enqueue_kernel(get_default_queue(), 0, ndrange_1D(1), ^{\n"
                         "      out[0] = counter; out[1] = other;\n"
                         "    });\n"
                         "  });\n"
                         "}\n",
                 .arguments = {buffer(std::vector<int>(2))},
                 .cl_std = "CL2.0"};
  const std::vector<Ran> both = run_all({what, what});
  CHECK(both[0].values<int>(0) == std::vector{9, 11});
  CHECK(both[1].values<int>(0) == std::vector{21, 12});
}

// Trees of blocks of random sizes: each counts itself, and enqueues more.
TEST_CASE("Random trees of blocks do what plain C++ does") {
  std::mt19937 random(41);
  const std::size_t rounds = gputest::tests::random_count(3);
  for (std::size_t round = 0; round < rounds; ++round) {
    std::string text;
    std::vector<int> expected(8);
    int blocks = 0;
    // `work`: how many work-items run this code.
    const std::function<std::string(int, int)> code = [&](int depth, int work) {
      std::string lines;
      const int count = depth == 0 ? 2 : static_cast<int>(random() % 3);
      for (int i = 0; i < count && depth < 4; ++i) {
        const int size = 1 + static_cast<int>(random() % 6), slot = static_cast<int>(random() % 8),
                  add = static_cast<int>(random() % 100);
        ++blocks;
        expected[static_cast<std::size_t>(slot)] += work * size * (add + depth);
        lines +=
            fmt::format("{{ int v{0} = {1}; enqueue_kernel(get_default_queue(), 0, "
                        "ndrange_1D({2}), ^{{ atomic_add(&out[{3}], v{0} + {4}); {5} }}); }}\n",
                        blocks, add, size, slot, depth, code(depth + 1, work * size));
      }
      return lines;
    };
    const std::string body = code(0, 2);
    Run what = of(body, 8, 2);
    what.order.groups = {.kind = gputest::model::Order::Kind::Random, .seed = random()};
    CHECK(run(what).values<int>(0) == expected);
    CHECK(clean(of(body, 8, 2)) == expected);
  }
}

TEST_CASE("What runs one kernel at a time says that it follows no blocks") {
  CHECK_THROWS_WITH(
      explore(of(kQueue + "enqueue_kernel(q, 0, ndrange_1D(1), ^{ out[0] = 1; });\n", 1)),
      gputest::tests::ContainsSubstring("3:1: error: a block is enqueued here"));
}
