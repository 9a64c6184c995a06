// What if work-groups had other sizes.
#include "memory/local_sizes.h"
#include "tests/catch.h"
#include "tests/memory/traced.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

using namespace gputest;
using namespace gputest::memory;
using namespace gputest::memory::tests;

namespace {

CaseReport tried(const std::string& text, const TracedLaunch& launch) {
  const Gpu gpu = gpu_named("embedded");
  const Tracer traced = tracer(text);
  CaseReport report = analyse(gpu, traced.trace(launch, gpu.warps()), "c", {});
  REQUIRE_FALSE(report.warnings.empty());
  try_local_sizes(gpu, traced, launch, report);
  return report;
}

std::set<GroupSize> sizes_of(const CaseReport& report) {
  std::set<GroupSize> sizes;
  for (const WhatIf& what : report.what_ifs)
    if (what.local_size[0] != 0)
      sizes.insert(what.local_size);
  return sizes;
}

TracedLaunch strided(std::size_t local) {
  return launch_of({128, 1, 1}, {local, 1, 1}, {buffer(std::vector<int>(128 * 32))});
}

} // namespace

TEST_CASE("Other local sizes: another shape, twice as many work-items, half as many") {
  const Gpu gpu = gpu_named("embedded");
  CHECK(other_local_sizes(launch_of({64, 64, 1}, {32, 4, 1}, {}), gpu) ==
        std::vector<GroupSize>{
            {64, 2, 1}, {16, 8, 1}, {64, 4, 1}, {32, 8, 1}, {16, 4, 1}, {32, 2, 1}});
  // They divide the global size, no warp is less full than it was, and no group is too large.
  CHECK(other_local_sizes(launch_of({96, 1, 1}, {32, 1, 1}, {}), gpu).empty());
  CHECK(other_local_sizes(launch_of({96, 1, 1}, {24, 1, 1}, {}), gpu) ==
        std::vector<GroupSize>{{48, 1, 1}});
  CHECK(other_local_sizes(launch_of({4096, 1, 1}, {1024, 1, 1}, {}), gpu) ==
        std::vector<GroupSize>{{512, 1, 1}});
  Gpu small = gpu;
  small.warps_per_core = 2;
  CHECK(other_local_sizes(launch_of({4096, 1, 1}, {64, 1, 1}, {}), small) ==
        std::vector<GroupSize>{{32, 1, 1}});
  // A group has as many work-items as run in lock step.
  TracedLaunch in_step = launch_of({4096, 1, 1}, {64, 1, 1}, {});
  in_step.lock_step = 64;
  CHECK(other_local_sizes(in_step, gpu) == std::vector<GroupSize>{{128, 1, 1}});
}

TEST_CASE("What another local size gains is the run with it") {
  const char* const text = R"(
kernel void k(global const float* in, global float* out) {
  const uint x = get_global_id(0), y = get_global_id(1), n = get_global_size(0);
  out[x * n + y] = in[y * n + x];
})";
  TracedLaunch launch = launch_of({64, 64, 1}, {32, 4, 1}, {floats(4096), floats(4096)});
  const CaseReport report = tried(text, launch);
  CHECK(report.local_sizes_tried == 6);
  REQUIRE_FALSE(sizes_of(report).empty());
  const WhatIf* best = nullptr;
  for (const WhatIf& what : report.what_ifs)
    if (what.local_size[0] != 0) {
      launch.sizes.local = what.local_size;
      CHECK(what.cycles == run(gpu_named("embedded"), traced(text, launch)).cycles);
      CHECK(what.text == fmt::format("work-groups of {} x {} x 1 work-items", what.local_size[0],
                                     what.local_size[1]));
      if (!best || what.cycles < best->cycles)
        best = &what;
    }
  // Of them the warnings tell the best one, if it gains.
  std::size_t told = 0;
  for (const Warning& warning : report.warnings)
    for (const std::size_t index : warning.what_ifs)
      if (const WhatIf& what = report.what_ifs[index]; what.local_size[0] != 0) {
        ++told;
        CHECK(what.text == best->text);
      }
  CHECK(told == (best->gain_percent > 0 ? 1 : 0));
}

TEST_CASE("A size with which the kernel computes something else is none") {
  const CaseReport same =
      tried("kernel void k(global int* out) { out[32 * get_global_id(0)] = 1; }", strided(32));
  CHECK(same.local_sizes_tried == 1);
  const CaseReport other =
      tried("kernel void k(global int* out) { out[32 * get_global_id(0)] = get_local_size(0); }",
            strided(32));
  CHECK(other.local_sizes_tried == 1);
  CHECK(sizes_of(other).empty());
  // As above, but that the other size is slower by itself: only what helps is listed.
  const char* const busy = "kernel void k(global int* out) {\n"
                           "  for (int i = 0; i < 9; ++i)\n"
                           "    out[32 * (get_global_id(0) ^ i)] = 1;\n}";
  const CaseReport slower = tried(busy, strided(32));
  CHECK(slower.local_sizes_tried == 1);
  CHECK(sizes_of(slower).empty());
}

TEST_CASE("A kernel of one local size gets no other") {
  const CaseReport report =
      tried("kernel __attribute__((reqd_work_group_size(32, 1, 1))) void k(global int* out) {\n"
            "  out[32 * get_global_id(0)] = 1;\n}",
            strided(32));
  CHECK(report.local_sizes_tried == 0);
}

TEST_CASE("Where the runs would take long, no other local size is tried") {
  const auto looped = [](unsigned rounds) {
    return tried(fmt::format("kernel void k(global volatile int* out) {{\n"
                             "  for (int i = 0; i < {}; ++i)\n"
                             "    out[32 * get_global_id(0)] = i;\n}}",
                             rounds),
                 strided(32))
        .local_sizes_tried;
  };
  CHECK(looped(3900) == 1); // 499,200 accesses: this size, and one other
  CHECK(looped(3910) == 0);
}
