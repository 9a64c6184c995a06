// Races: the kernels that programmers get wrong, and random programs beside the truth.
#include "tests/catch.h"
#include "tests/random_count.h"
#include "tests/simulator/race_programs.h"

#include "simulator/checks/races/races.h"
#include "simulator/memory/ndrange.h"

#include <cstdlib>

using namespace gputest::ir;
using namespace gputest::simulator;
using namespace gputest::simulator::tests;
using gputest::tests::ContainsSubstring;

namespace {

// Four groups of eight work-items.
Ran raced(const std::string& body) {
  return run({.text = "kernel void k(global int* out, global int* c, local int* tile) {\n"
                      "int i = get_global_id(0), l = get_local_id(0), g = get_group_id(0);\n" +
                      body + "\n}\n",
              .global_size = 32,
              .local_size = 8,
              .arguments = {buffer(std::vector<int>(64)), buffer(std::vector<int>(4)), local(32)},
              .checks = {"races"}});
}

std::string races_in(const std::string& body) {
  return raced(body).findings();
}

} // namespace

TEST_CASE("A counter that is set without a barrier before it is counted") {
  CHECK(races_in("local int n;\nif (l == 0) n = 0;\nif (i % 3) atomic_inc(&n);\n"
                 "barrier(CLK_LOCAL_MEM_FENCE);\nif (l == 0) out[g] = n;") == "race 5/4\n");
  CHECK(races_in("local int n;\nif (l == 0) n = 0;\nbarrier(CLK_LOCAL_MEM_FENCE);\n"
                 "if (i % 3) atomic_inc(&n);\n"
                 "barrier(CLK_LOCAL_MEM_FENCE);\nif (l == 0) out[g] = n;")
            .empty());
}

TEST_CASE("A counter of several groups that one of them sets") {
  CHECK(races_in("if (i == 0) *c = 0;\nbarrier(CLK_GLOBAL_MEM_FENCE);\natomic_inc(c);") ==
        "race 5/3\n");
}

TEST_CASE("The last group reads a counter that is not its own") {
  CHECK(races_in("if (l == 0) {\n  atomic_inc(c);\n  if (*c == 4) out[0] = 1;\n}") == "race 4/5\n");
  CHECK(races_in("if (l == 0) {\n  if (atomic_inc(c) == 3) out[0] = 1;\n}").empty());
}

TEST_CASE("An exchange that fails only reads") {
  CHECK(races_in("int v = *c;\natomic_cmpxchg(c, 7, 8);\nout[i] = v;").empty());
  CHECK(races_in("int v = *c;\natomic_cmpxchg(c, 0, 8);\nout[i] = v;") == "race 3/4\n");
  // What an exchange of the same place expects is tested by it.
  CHECK(races_in("int v = *c, seen;\ndo {\n  seen = v;\n  v = atomic_cmpxchg(c, seen, v + i);\n} "
                 "while (v != seen);")
            .empty());
  CHECK(races_in("float v = *(global float*)c, seen;\ndo {\n  seen = v;\n  v = as_float("
                 "atomic_cmpxchg(c, as_int(seen), as_int(v + i)));\n} while (v != seen);")
            .empty());
  CHECK(races_in("int v = *c, seen;\nif (i % 2)\n  do {\n    seen = v;\n"
                 "    v = atomic_cmpxchg(c, seen, v + i);\n  } while (v != seen);")
            .empty());
  // Another place, and a value that nothing tests.
  CHECK(races_in("int v = c[0];\nif (i < 4) atomic_cmpxchg(c + 1, v, 8);\n"
                 "atomic_cmpxchg(c, 0, 8);\nout[i] = v;") == "race 3/5\n");
  CHECK(
      races_in("int v = *c, seen = v + 1;\natomic_cmpxchg(c, seen, v + i + 3);\natomic_inc(c);") !=
      "");
}

TEST_CASE("What races is told apart from what others did in between") {
  // Item 0 and all others read; the write is that of an item that has read itself.
  CHECK(races_in("int v = tile[0];\nif (l == 0) tile[0] = 1;\nout[i] = v;") == "race 3/4\n");
  // A write between groups is not forgotten because the group writes as well.
  CHECK(races_in("if (l == 0) c[0] = g;\nbarrier(CLK_GLOBAL_MEM_FENCE);\nif (l == 1 && g == 3) "
                 "out[i] = c[0];") == "race 3/3\nrace 5/3\n");
}

TEST_CASE("Loops whose accesses are looked at before they run race as others do") {
  CHECK(races_in("for (int j = 0; j < 16; ++j) tile[j] = j;") == "race_same_value 3/3\n");
  CHECK(races_in("for (int j = 0; j < 16; ++j) tile[j] = l;") == "race 3/3\n");
  CHECK(races_in("for (int j = 0; j < 4; ++j) tile[4 * l + j] = i;\n"
                 "barrier(CLK_LOCAL_MEM_FENCE);\nint s = 0;\n"
                 "for (int j = 0; j < 32; ++j) s += tile[j];\nout[i] = s;")
            .empty());
  // The first work-item that reads what the next one has not yet written.
  CHECK(races_in("for (int j = 0; j < 4; ++j) tile[4 * l + j] = i;\nint s = 0;\n"
                 "for (int j = 28; j < 32; ++j) s += tile[j];\nout[i] = s;") == "race 3/5\n");
  // Indices that wrap around, so that they do not follow each other.
  CHECK(races_in("uint first = 0u - 4u;\nfirst += 4 * l & 0;\n"
                 "for (uint j = 0; j < 8; ++j) tile[(first + j) & 31] = i;") == "race 5/5\n");
  // From above, and one place again and again.
  CHECK(races_in("for (int j = 7; j >= 0; --j) tile[j] = i;") == "race 3/3\n");
  CHECK(races_in("for (int j = 0; j < 8; ++j) tile[3] += j;") == "race 3/3\n");
}

TEST_CASE("A large launch has the findings of a small one, whatever it need not mark") {
  struct Size {
    std::size_t groups, elements;
  };
  const auto found = [](const std::string& body, const Size& size) {
    const auto [groups, elements] = size;
    return run({.text = "kernel void k(global int* a, global int* c, const int n) {\n"
                        "int i = get_global_id(0), g = get_group_id(0);\n" +
                        body + "\n}\n",
                .global_size = 8 * groups,
                .local_size = 8,
                .arguments = {buffer(std::vector<int>(elements)),
                              buffer(std::vector<int>(elements)),
                              value(static_cast<int>(8 * groups))},
                .checks = {"races", "bounds"}})
        .findings();
  };
  // Few work-items with few bytes, with many, and many work-items.
  for (const Size size : {Size{4, 512}, Size{4, 8192}, Size{128, 8192}}) {
    CAPTURE(size.groups, size.elements);
    CHECK(found("a[i] = c[i];\nc[i + n] = a[i];", size).empty());
    CHECK(found("a[i] = i;\nc[i / 2] = i;", size) == "race 4/4\n");
    CHECK(found("a[i] = i;\nint unused = a[i ^ 1];", size) == "race 3/4\n");
    CHECK(found("for (int j = 0; j < 8; ++j) a[i * 8 + j] = j;\nc[g] = i;", size) == "race 4/4\n");
    CHECK(found("for (int j = 0; j < 2; ++j) a[2 * i + j] = c[i];\nc[i] = a[i + 1];", size) ==
          "race 4/3\n");
    CHECK(found("for (int j = 0; j < 8; ++j) a[i * 7 + j] = i;", size) == "race 3/3\n");
    CHECK(found("if (i == 5) a[9000] = 1;\na[i] = i;", size) == "out_of_bounds 3\n");
  }
}

TEST_CASE("The barrier between two accesses that does not order them is named") {
  const Ran ran = raced("out[i] = 1;\nbarrier(CLK_LOCAL_MEM_FENCE);\n"
                        "int v = out[8 * g + 7 - l];\nout[32 + i] = v;");
  CHECK(ran.findings() == "race 5/3\n");
  CHECK_THAT(ran.result.findings[0].message,
             ContainsSubstring("the barrier at /t.cl:4:1 has only CLK_LOCAL_MEM_FENCE and does not "
                               "order accesses of global memory: 'argument 0' needs "
                               "CLK_GLOBAL_MEM_FENCE"));
  CHECK_THAT(raced("tile[l] = 1;\nbarrier(CLK_GLOBAL_MEM_FENCE);\nout[i] = tile[7 - l];")
                 .result.findings.at(0)
                 .message,
             ContainsSubstring("has only CLK_GLOBAL_MEM_FENCE") &&
                 ContainsSubstring("needs CLK_LOCAL_MEM_FENCE"));
}

namespace {

// What the check of races finds, whichever others are made as well.
std::vector<Finding> races_among(const Ran& ran) {
  std::vector<Finding> races = ran.result.findings;
  std::erase_if(races, [](const Finding& finding) {
    return !finding.kind.starts_with("race") && finding.kind != "missing_wait";
  });
  return races;
}

} // namespace

TEST_CASE("Races of random programs: none is missed, and none is made up") {
  const std::size_t cases = gputest::tests::random_count(120);
  std::mt19937_64 random(11);
  std::size_t racy = 0, all = 0;
  // Each is a text that is compiled once.
  const std::vector<RaceKind> kinds{{},
                                    {.atomics = true, .ordered = true},
                                    {.bytes = true, .ordered = true},
                                    {.copies = true},
                                    {.loops = true, .ordered = true},
                                    {.atomics = true, .copies = true, .loops = true}};
  for (const RaceKind& kind : kinds) {
    std::vector<RaceProgram> programs;
    std::vector<Run> runs;
    for (std::size_t i = 0; i < cases / kinds.size(); ++i) {
      programs.push_back(random_race_program(random, kind));
      runs.push_back(run_of(programs.back()));
      runs.back().in_full = kind.copies; // and the others in quick code
    }
    const std::vector<Ran> results = run_all(runs);
    for (Run& one : runs)
      one.checks = {"races", "bounds", "uninitialized"};
    const std::vector<Ran> beside = run_all(runs);
    for (std::size_t i = 0; i < programs.size(); ++i) {
      CAPTURE(kind.atomics, kind.bytes, kind.copies, kind.loops, i, text_of(programs[i]),
              results[i].findings());
      const RaceTruth truth = races_of(programs[i]);
      std::set<std::size_t> reported, never_waited;
      for (const Finding& finding : results[i].result.findings) {
        const std::size_t step = step_of(finding.site.line);
        if (finding.kind == "missing_wait") {
          never_waited.insert(step);
          continue;
        }
        const std::size_t other = step_of(finding.other.line);
        REQUIRE((finding.kind == "race" || finding.kind == "race_same_value"));
        CAPTURE(step, other, truth.pairs);
        REQUIRE(truth.pairs.contains(std::minmax(step, other)));
        reported.insert({step, other});
      }
      for (const std::size_t step : truth.later)
        REQUIRE(reported.contains(step));
      REQUIRE(never_waited == truth.never_waited);
      REQUIRE(races_among(beside[i]) == races_among(results[i]));
      racy += !truth.pairs.empty();
      ++all;
    }
  }
  CHECK(racy > all / 5);
  CHECK(racy < all * 4 / 5);
}

namespace {

// Two groups, or two work-items of a group, take a lock. `take` and `give` are statements.
std::string races_under_lock(const std::string& take, const std::string& give, bool near) {
  return run({.text = "kernel void k(global int* out, global int* c) {\n"
                      "int first = get_global_id(0) == 0;\n" +
                      take + "\n*out += 1;\n" + give + "\n}\n",
              .global_size = 2,
              .local_size = near ? std::size_t{2} : std::size_t{1},
              .arguments = {buffer(std::vector<int>(1)), buffer(std::vector<int>(1))},
              .checks = {"races"},
              .cl_std = "CL3.0"})
      .findings();
}

} // namespace

TEST_CASE("A lock orders what it protects if its fences do, whoever takes it first") {
  const std::string take12 = "while (atomic_cmpxchg((volatile global int*)c, 0, 1) != 0);\n",
                    give12 = "atomic_xchg((volatile global int*)c, 0);\n";
  const std::string fence = "mem_fence(CLK_GLOBAL_MEM_FENCE);\n",
                    flag = "volatile global atomic_flag* f = (volatile global atomic_flag*)c;\n",
                    lock = "volatile global atomic_int* a = (volatile global atomic_int*)c;\n";
  const auto taken = [&](const std::string& order) {
    return "while (atomic_flag_test_and_set_explicit(f, memory_order_" + order +
           ", memory_scope_device));\n";
  };
  const auto given = [&](const std::string& order) {
    return "atomic_flag_clear_explicit(f, memory_order_" + order + ", memory_scope_device);\n";
  };
  const auto exchanged = [&](const std::string& order) {
    return "for (int e = 0; !atomic_compare_exchange_strong_explicit(a, &e, 1, memory_order_" +
           order + ", memory_order_relaxed, memory_scope_device); e = 0);\n";
  };
  const auto stored = [&](const std::string& order) {
    return "atomic_store_explicit(a, 0, memory_order_" + order + ", memory_scope_device);\n";
  };
  for (const bool near : {false, true}) {
    CAPTURE(near);
    // OpenCL C 1.2: fences.
    CHECK(races_under_lock(take12 + fence, fence + give12, near).empty());
    CHECK(!races_under_lock(take12, give12, near).empty());
    CHECK(!races_under_lock(take12 + "if (!first) " + fence, fence + give12, near).empty());
    CHECK(!races_under_lock(take12 + fence, "if (first) " + fence + give12, near).empty());
    // C11: orders of flags and integers, and fences.
    CHECK(races_under_lock(flag + taken("acquire"), given("release"), near).empty());
    CHECK(races_under_lock(lock + exchanged("acquire"), stored("release"), near).empty());
    CHECK(!races_under_lock(flag + "if (first) " + taken("relaxed") + "else " + taken("acquire"),
                            given("release"), near)
               .empty());
    CHECK(!races_under_lock(lock + exchanged("acquire"),
                            "if (first) " + stored("release") + "else " + stored("relaxed"), near)
               .empty());
    const std::string of_device = "atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, "
                                  "memory_order_acq_rel, memory_scope_device);\n";
    CHECK(races_under_lock(lock + exchanged("relaxed") + of_device, of_device + stored("relaxed"),
                           near)
              .empty());
    CHECK(!races_under_lock(lock + exchanged("relaxed") + "if (!first) " + of_device,
                            of_device + stored("relaxed"), near)
               .empty());
  }
}

TEST_CASE("Races that one barrier would mend have one cause") {
  const Ran ran = raced("tile[l] = l;\nint a = tile[7 - l];\nint b = tile[(l + 1) % 8];\n"
                        "barrier(CLK_LOCAL_MEM_FENCE);\ntile[l] = a;\nout[i] = tile[7 - l] + b;");
  CHECK(ran.findings() == "race 3/5\nrace 3/4\nrace 7/8\n");
  CHECK(ran.result.findings.at(0).cause ==
        "races on 'argument 2' within a work-group after its beginning");
  CHECK(ran.result.findings.at(1).cause == ran.result.findings.at(0).cause);
  CHECK(ran.result.findings.at(2).cause ==
        "races on 'argument 2' within a work-group after the barrier at /t.cl:6:1");
}

TEST_CASE("A file that is named in two ways is one") {
  const Ran ran = run({.text = "kernel void k(global int* out) {\n"
                               "#line 1 \"x.cl\"\n"
                               "  out[0] = get_global_id(0);\n"
                               "#line 1 \"./x.cl\"\n"
                               "  out[1] = get_global_id(0);\n"
                               "}\n",
                       .global_size = 2,
                       .local_size = 2,
                       .arguments = {buffer(std::vector<int>(2))},
                       .checks = {"races"}});
  CHECK(ran.findings() == "race 1/1\n"); // by two names there would be two
}

TEST_CASE("Epochs that run out: races of before are found still, and none is made up") {
  KernelShape shape;
  shape.races = true;
  shape.sites = {{"k.cl", 1, 1}, {"k.cl", 2, 1}};
  shape.site_bits = 40; // which leaves 64 epochs
  LaunchRequest request;
  request.sizes.global = {16, 1, 1};
  request.sizes.local = {4, 1, 1};
  gputest_context context = context_of(request);
  Arena arena(Arena::space_for(64));
  const Region memory = arena.allocate("memory", 64), nowhere;
  Findings findings(shape);
  std::vector<Extent> extents;
  Races races({.shape = shape,
               .dimensions = 1,
               .context = context,
               .arena = arena,
               .nowhere = nowhere,
               .findings = findings,
               .extents = extents});
  const auto write = [&](std::size_t item, std::size_t word, unsigned site) {
    context.item = item;
    races.access(memory.begin + 4 * word, 4, site, true);
  };
  for (std::size_t group = 0; group < 4; ++group) {
    set_group(context, group);
    races.begin_group();
    for (std::size_t round = 0; round < 150; ++round) {
      for (std::size_t item = 0; item < 4; ++item)
        write(item, 4 * group + (item + round) % 4, 0);
      races.pass_barrier(0, 2);
    }
  }
  CHECK(findings.all().empty());
  write(0, 0, 1); // the first group's, long ago
  REQUIRE(findings.all().size() == 1);
  CHECK_THAT(findings.all()[0].message,
             ContainsSubstring("between work-groups: work-item (0) of group (3) writes here, and a "
                               "work-item of another group writes at k.cl:1:1"));
  write(0, 12, 0);
  write(1, 12, 1);                   // this group's, with no barrier in between
  CHECK(findings.all().size() == 1); // the same lines
  CHECK(findings.all()[0].count == 2);
}

TEST_CASE("Pixels of images that several work-items write") {
  Given image = buffer(std::vector<unsigned char>(16 * 4));
  image.kind = Parameter::Kind::Image;
  image.image = {.pixels = nullptr,
                 .type = 0x10F1, // 2D
                 .width = 16,
                 .height = 1,
                 .channel_order = 0x10B5, // RGBA
                 .channel_type = 0x10DA}; // UNSIGNED_INT8
  const auto found = [&](const std::string& parameters, const std::string& body) {
    const auto images = std::ranges::count(parameters, ',') + 1;
    return run({.text = "kernel void k(" + parameters + ") {\n  int i = get_global_id(0);\n" +
                        body + "\n}\n",
                .global_size = 16,
                .local_size = 8,
                .arguments = std::vector<Given>(static_cast<std::size_t>(images), image),
                .checks = {"races"},
                .cl_std = "CL3.0"})
        .findings();
  };
  const std::string written = "write_only image2d_t w", read = "read_only image2d_t r";
  CHECK(found(written, "write_imageui(w, (int2)(i, 0), i);").empty());
  CHECK(found(written, "write_imageui(w, (int2)(i / 2, 0), i);") == "race 3/3\n");
  // An image that is only read has no races, whatever is done with another one.
  const std::string filter = "uint4 v = read_imageui(r, (int2)(i ^ 1, 0));\n";
  CHECK(found(written + ", " + read, filter + "write_imageui(w, (int2)(i, 0), v);").empty());
  CHECK(found(written + ", " + read, filter + "write_imageui(w, (int2)(i / 2, 0), v);") ==
        "race 4/4\n");
  const std::string both = "read_write image2d_t w, read_write image2d_t r, read_write image2d_t u";
  CHECK(found(both, filter + "write_imageui(w, (int2)(i, 0), v);").empty());
  CHECK(found(both, filter + "write_imageui(r, (int2)(i, 0), v);") == "race 3/4\n");
  // Which of two is written shows in a run alone.
  CHECK(found(both, filter + "if (v.x) write_imageui(w, (int2)(i, 0), v);\n"
                             "else write_imageui(r, (int2)(i, 0), v);") == "race 3/5\n");
}
