// Warnings, and what would help.
#include "memory/analysis.h"
#include "memory/text.h"
#include "memory/what_if.h"
#include "tests/catch.h"
#include "tests/memory/traced.h"

#include <algorithm>
#include <set>

using namespace gputest;
using namespace gputest::memory;
using namespace gputest::memory::tests;
using gputest::tests::ContainsSubstring;

namespace {

const char* const kNaive = R"(
kernel void k(global const float* in, global float* out) {
  const uint x = get_global_id(0), y = get_global_id(1), n = get_global_size(0);
  out[x * n + y] = in[y * n + x];
})";

CaseReport report_of(const std::string& text, const TracedLaunch& launch,
                     const std::string& gpu_name) {
  const Gpu gpu = gpu_named(gpu_name);
  return analyse(gpu, traced(text, launch, gpu.warp_size), "c", {});
}

const Warning* find(const CaseReport& report, Warning::Kind kind) {
  for (const Warning& warning : report.warnings)
    if (warning.kind == kind)
      return &warning;
  return nullptr;
}

} // namespace

TEST_CASE("What is fine is not warned of") {
  const CaseReport report =
      report_of("kernel void k(global const float* in, global float* out) { const size_t i = "
                "get_global_id(0); out[i] = in[i]; }",
                launch_of({256, 1, 1}, {64, 1, 1}, {floats(256), floats(256)}), "h200");
  CHECK(report.warnings.empty());
  CHECK(report.what_ifs.empty());
  CHECK(report.overhead_percent() < 3); // requests that come to one bank of L2 at a time
}

TEST_CASE(
    "Accesses that are not coalesced are told with the distance and the fewest transactions") {
  const CaseReport report = report_of(
      kNaive, launch_of({256, 256, 1}, {32, 4, 1}, {floats(65536), floats(65536)}), "embedded");
  const Warning* const warning = find(report, Warning::Kind::Transactions);
  REQUIRE(warning);
  CHECK(warning->message == "writes of 'out' are not coalesced: 61,440 of 65,536 transactions are "
                            "extra");
  CHECK(warning->because ==
        "neighbouring work-items are 1,024 bytes apart (32 transactions a warp; 2 would do)");
  CHECK(place_text(report.places[warning->place]) == "k.cl:4:18");
  // Rows of 1,024 bytes begin in 2 of 32 sets; padded by a line they begin in all.
  REQUIRE_FALSE(warning->what_ifs.empty());
  REQUIRE(warning->what_ifs.size() == 2);
  const WhatIf& padded = report.what_ifs[warning->what_ifs.front()];
  CHECK(padded.text == "rows of 1,024 bytes of 'out' padded by a line");
  CHECK(padded.cycles < report.count.cycles);
  CHECK(padded.gain_percent > 10);
  const WhatIf& by_columns = report.what_ifs[warning->what_ifs.back()];
  CHECK(by_columns.text == "'out' by columns, not by rows of 1,024 bytes");
  CHECK(by_columns.gain_percent > padded.gain_percent);
}

TEST_CASE("A what-if is the run with that layout") {
  const Gpu gpu = gpu_named("embedded");
  const LaunchTrace trace =
      traced(kNaive, launch_of({64, 64, 1}, {32, 4, 1}, {floats(4096), floats(4096)}));
  const CaseReport report = analyse(gpu, trace, "c", {});
  REQUIRE_FALSE(report.what_ifs.empty());
  std::set<std::string> kinds;
  for (const WhatIf& what : report.what_ifs) {
    if (what.neighbours != 1) // another trace
      continue;
    Gpu other = gpu;
    RunSettings settings;
    if (what.bank_bytes != 0)
      other.dram.bank_bytes = what.bank_bytes;
    if (what.locked)
      settings.locked = what.change.object;
    if (what.bank_bytes == 0 && !what.locked)
      settings.changes = {what.change};
    kinds.insert(what.bank_bytes != 0 ? what.locked ? "both" : "banks"
                 : what.locked        ? "locked"
                                      : "layout");
    CHECK(what.cycles == run(other, trace, settings).cycles);
    CHECK(what.gain_percent >= kLeastGain); // only what helps is listed
  }
  CHECK(kinds.contains("banks"));
  CHECK(kinds.contains("layout"));
}

TEST_CASE(
    "A lock and a layout of DRAM are tried together, and told where both help more than one") {
  const CaseReport report =
      report_of(R"(
kernel void k(global float* data) {
  for (uint distance = get_local_size(0); distance > 0; distance /= 2) {
    const uint low = get_local_id(0) % distance, first = 2 * (get_local_id(0) - low) + low;
    const float left = data[first], right = data[first + distance];
    data[first] = left + right;
    data[first + distance] = left - right;
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
})",
                launch_of({1024, 1, 1}, {1024, 1, 1}, {floats(2048)}), "embedded");
  const Warning* const warning = find(report, Warning::Kind::BusyBanks);
  REQUIRE(warning);
  double alone = 0;
  for (const std::size_t index : warning->what_ifs)
    if (!report.what_ifs[index].locked)
      alone = std::max(alone, report.what_ifs[index].gain_percent);
  REQUIRE_FALSE(warning->what_ifs.empty());
  const WhatIf& together = report.what_ifs[warning->what_ifs.back()];
  CHECK(together.text ==
        "neighbouring 64 bytes in one bank of DRAM and the first 2,048 bytes of 'data' locked in "
        "the cache");
  CHECK(together.gain_percent > alone + 1);
}

TEST_CASE("A part of an allocation moves with it") {
  const Gpu gpu = gpu_named("embedded");
  LaunchTrace trace = traced(
      kNaive, launch_of({256, 256, 1}, {32, 4, 1}, {floats(65536), floats(65536)}), gpu.warp_size);
  const CaseReport by_itself = analyse(gpu, trace, "c", {});
  // 'out' points behind the first 1,024 bytes of an allocation.
  MemoryObject& out = trace.objects.at(1);
  REQUIRE(out.name == "out");
  out.part_of = static_cast<std::uint32_t>(trace.objects.size());
  out.part_begin = 1024;
  trace.objects.push_back({.name = "pool", .size = 1024 + trace.objects.at(1).size});
  const CaseReport report = analyse(gpu, trace, "c", {});
  std::set<std::string> before, after;
  for (const WhatIf& what : by_itself.what_ifs)
    if (what.variable == "out" && !what.locked)
      before.insert(what.text);
  for (const WhatIf& what : report.what_ifs)
    if (what.variable == "pool")
      after.insert(what.text);
  CHECK(before.contains("rows of 1,024 bytes of 'out' padded by a line"));
  CHECK(after.contains("rows of 1,024 bytes of 'pool' padded by a line"));
  CHECK(after.size() == before.size());
}

TEST_CASE("Places without a pattern have no rows that could be padded") {
  std::vector<int> places(256);
  for (std::size_t i = 0; i < places.size(); ++i)
    places[i] = static_cast<int>(i * i * 37 % 4093);
  const CaseReport report =
      report_of("kernel void k(global const int* places, global float* out) {\n"
                "  out[places[get_global_id(0)]] = 1;\n}\n",
                launch_of({256, 1, 1}, {64, 1, 1}, {buffer(places), floats(4096)}), "embedded");
  const Warning* const warning = find(report, Warning::Kind::Transactions);
  REQUIRE(warning);
  CHECK_THAT(warning->because, ContainsSubstring("places follow no pattern"));
  for (const WhatIf& what : report.what_ifs)
    CHECK(what.change.row == 0);
}

TEST_CASE("Conflicts in banks are told, and padding takes them away") {
  const CaseReport report =
      report_of(R"(
kernel void k(global const float* in, global float* out) {
  local float tile[32][32];
  const uint x = get_local_id(0), y = get_local_id(1);
  tile[y][x] = in[32 * y + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[32 * y + x] = tile[x][y];
})",
                launch_of({32, 32, 1}, {32, 32, 1}, {floats(1024), floats(1024)}), "h200");
  const Warning* const warning = find(report, Warning::Kind::BankConflicts);
  REQUIRE(warning);
  CHECK(warning->message ==
        "reads of 'tile' conflict in the banks of local memory: 992 of 1,024 passes are extra");
  CHECK(warning->because ==
        "neighbouring work-items are 128 bytes apart (32 passes a warp; 1 would do)");
  REQUIRE(warning->what_ifs.size() == 1);
  CHECK(report.what_ifs[warning->what_ifs[0]].text ==
        "rows of 128 bytes of 'tile' padded by one element");
  CHECK(report.what_ifs[warning->what_ifs[0]].gain_percent > 20);
}

TEST_CASE("Warps that evict each other's lines are told with who does it, and what it costs") {
  // Each warp reads two lines of 'mine' again and again. In between another one reads two times two
  // lines of the same sets, of which each has room for two.
  const CaseReport report = report_of(
      R"(
kernel void k(global const float* mine, global const float* others, global float* out) {
  const uint i = get_global_id(0);
  float sum = 0;
  for (uint j = 0; j < 16; ++j) {
    sum += mine[i];
    sum += others[2048 * j + (i ^ 128)];
    sum += others[2048 * j + 1024 + (i ^ 128)];
  }
  out[i] = sum;
})",
      launch_of({256, 1, 1}, {256, 1, 1}, {floats(1024), floats(32768), floats(256)}), "embedded");
  const Warning* const warning = find(report, Warning::Kind::Interference);
  REQUIRE(warning);
  CHECK_THAT(warning->message, ContainsSubstring("warps evict each other's lines of 'mine' and "
                                                 "'others' ("));
  CHECK_THAT(warning->because, ContainsSubstring("reads of 'others' at k.cl:"));
  CHECK(report.alone < report.count.cycles);
  CHECK(report.overhead_percent() > 5);
  CHECK_THAT(summary_text(report, "k", gpu_named("embedded")),
             ContainsSubstring("% of the cycles are lost because warps disturb each other"));
}

TEST_CASE("Lines that a warp loads twice itself are told") {
  // 3 lines of one set, in turn: the cache has 2 ways.
  const CaseReport report =
      report_of(R"(
kernel void k(global const float* in, global float* out) {
  float sum = 0;
  for (uint j = 0; j < 30; ++j)
    sum += in[512 * (j % 3)];
  out[0] = sum;
})",
                launch_of({1, 1, 1}, {1, 1, 1}, {floats(2048), floats(1)}), "embedded");
  const Warning* const warning = find(report, Warning::Kind::Reloads);
  REQUIRE(warning);
  CHECK(warning->message ==
        "reads of 'in' load 27 lines that the same warp had in the cache before");
  CHECK(report.interferences.empty());
}

TEST_CASE("A pointer to one of two __local arrays is one to local memory") {
  const CaseReport report = report_of(R"(
kernel void k(global float* out) {
  local float one[64], other[64];
  local float *to = one, *from = other;
  from[get_local_id(0)] = 1;
  for (uint i = 0; i < 3; ++i) {
    barrier(CLK_LOCAL_MEM_FENCE);
    to[2 * get_local_id(0)] = from[get_local_id(0)];
    local float* const swapped = to;
    to = from;
    from = swapped;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_local_id(0)] = from[get_local_id(0)];
})",
                                      launch_of({32, 1, 1}, {32, 1, 1}, {floats(32)}), "h200");
  const Warning* const warning = find(report, Warning::Kind::BankConflicts);
  REQUIRE(warning);
  CHECK(warning->message == "writes of several variables conflict in the banks of local memory: 3 "
                            "of 6 passes are extra");
}

TEST_CASE("Numbers are told for people") {
  CHECK(grouped(std::uint64_t{0}) == "0");
  CHECK(grouped(std::uint64_t{999}) == "999");
  CHECK(grouped(std::uint64_t{1'234'567}) == "1,234,567");
  CHECK(grouped(std::int64_t{-1024}) == "-1,024");
  CHECK(short_number(32.0) == "32");
  CHECK(short_number(4.46) == "4.5");
  CHECK(sets_text({3}) == "cache set 3");
  CHECK(sets_text({3, 4, 5, 9}) == "cache sets 3-5, 9");
  CHECK(sets_text({1, 3, 5, 7, 9}) == "5 cache sets from 1 to 9");
}
