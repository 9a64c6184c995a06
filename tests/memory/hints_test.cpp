// What would help where no warning calls for it: tiles in local memory, several neighbours for
// each work-item, and shapes of work-groups together with layouts.
#include "memory/analysis.h"
#include "memory/local_sizes.h"
#include "memory/model/tiles.h"
#include "memory/neighbours.h"
#include "memory/reuse.h"
#include "memory/text.h"
#include "memory/what_if.h"
#include "tests/catch.h"
#include "tests/memory/traced.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

using namespace gputest;
using namespace gputest::memory;
using namespace gputest::memory::tests;
using gputest::tests::ContainsSubstring;
using gputest::tests::EndsWith;
using Kind = Reference::Kind;

namespace {

const WhatIf* hint_of(const CaseReport& report, auto is_meant) {
  for (const std::size_t index : report.hints)
    if (is_meant(report.what_ifs[index]))
      return &report.what_ifs[index];
  return nullptr;
}

const WhatIf* tiles_of(const CaseReport& report) {
  return hint_of(report, [](const WhatIf& one) { return one.in_tiles; });
}

const WhatIf* vectors_of(const CaseReport& report) {
  return hint_of(report, [](const WhatIf& one) { return one.neighbours != 1; });
}

// A GPU with a cache of 4 KB, whose misses are dear.
Gpu slow_gpu() {
  Gpu gpu = gpu_named("h200");
  gpu.cores = 1;
  gpu.caches[0].size = 4096;
  gpu.caches[0].ways = 2;
  gpu.caches[0].hashed = false;
  gpu.loads_in_flight = gpu.unrolled = 1;
  return gpu;
}

// Each work-item of a group of 16 x 16 reads a row of `a` and a column of `b`.
const char* const kMultiply = "kernel void k(global const float* a, global const float* b,\n"
                              "              global float* out) {\n"
                              "  const int x = get_global_id(0), y = get_global_id(1);\n"
                              "  float sum = 0;\n"
                              "  for (int i = 0; i < 64; ++i)\n"
                              "    sum += a[y * 64 + i] * b[i * 64 + x];\n"
                              "  out[y * 64 + x] = sum;\n}\n";

} // namespace

TEST_CASE("What warps of a group read again and again is counted by its sectors") {
  const Gpu gpu = slow_gpu();
  const LaunchTrace trace = traced(
      kMultiply, launch_of({64, 64, 1}, {16, 16, 1}, {floats(4096), floats(4096), floats(4096)}));
  const std::vector<Reuse> found = reuse_of(gpu, trace);
  // A group has 8 warps of two rows each. Of `a` each warp reads 2 rows again and again, and no
  // other warp does. 16 columns of `b` are 2 sectors of each of 64 rows, which all 8 warps read.
  REQUIRE(found.size() == 1);
  CHECK(trace.objects[found[0].object].name == "b");
  CHECK(found[0].sectors == 16 * 64 * 2);
  CHECK(found[0].times() == 8);
  CHECK(found[0].warps_of_sector() == 8);
  Gpu none = gpu;
  none.local_memory.reset();
  CHECK(reuse_of(none, trace).empty());
}

TEST_CASE("Tiles in local memory are told where a group reads sectors again, with how often") {
  const Gpu gpu = slow_gpu();
  const LaunchTrace trace = traced(
      kMultiply, launch_of({64, 64, 1}, {16, 16, 1}, {floats(4096), floats(4096), floats(4096)}));
  const CaseReport report = analyse(gpu, trace, "c", {});
  const WhatIf* const tiles = tiles_of(report);
  REQUIRE(tiles != nullptr);
  CHECK(tiles->variable == "b");
  CHECK_THAT(tiles->text, ContainsSubstring("'b' in local memory, tile by tile: a work-group reads "
                                            "each of its sectors 8 times, by 8 warps"));
  CHECK_THAT(tiles->text, EndsWith("; without barriers"));
  CHECK_THAT(tiles->text, !ContainsSubstring("a word stays free")); // no bank has a conflict
  // With tiles there is nothing to say.
  const LaunchTrace tiled =
      traced("kernel void k(global const float* a, global const float* b, global float* out) {\n"
             "  local float ta[16][16], tb[16][16];\n"
             "  const int x = get_global_id(0), y = get_global_id(1);\n"
             "  const int lx = get_local_id(0), ly = get_local_id(1);\n"
             "  float sum = 0;\n"
             "  for (int t = 0; t < 64; t += 16) {\n"
             "    ta[ly][lx] = a[y * 64 + t + lx];\n    tb[ly][lx] = b[(t + ly) * 64 + x];\n"
             "    barrier(CLK_LOCAL_MEM_FENCE);\n"
             "    for (int i = 0; i < 16; ++i)\n      sum += ta[ly][i] * tb[i][lx];\n"
             "    barrier(CLK_LOCAL_MEM_FENCE);\n  }\n"
             "  out[y * 64 + x] = sum;\n}\n",
             launch_of({64, 64, 1}, {16, 16, 1}, {floats(4096), floats(4096), floats(4096)}));
  CHECK(reuse_of(gpu, tiled).empty());
  CHECK(tiles_of(analyse(gpu, tiled, "c", {})) == nullptr);
  // What is written is none.
  const LaunchTrace written = traced("kernel void k(global float* a, global float* out) {\n"
                                     "  float sum = 0;\n"
                                     "  for (int i = 0; i < 64; ++i)\n    sum += a[i * 8];\n"
                                     "  barrier(CLK_GLOBAL_MEM_FENCE);\n"
                                     "  a[get_global_id(0)] = sum;\n}\n",
                                     launch_of({256, 1, 1}, {256, 1, 1}, {floats(512), floats(1)}));
  CHECK(reuse_of(gpu, written).empty());
}

TEST_CASE("A kernel with the tiles takes about the cycles that were promised") {
  const Gpu gpu = slow_gpu();
  const TracedLaunch launch =
      launch_of({64, 64, 1}, {16, 16, 1}, {floats(4096), floats(4096), floats(4096)});
  const CaseReport report = analyse(gpu, traced(kMultiply, launch), "c", {});
  const WhatIf* const tiles = tiles_of(report);
  REQUIRE(tiles != nullptr);
  // Only of `b`, as the hint says.
  const Cycles written =
      run(gpu, traced("kernel void k(global const float* a, global const float* b,\n"
                      "              global float* out) {\n"
                      "  local float tb[16][16];\n"
                      "  const int x = get_global_id(0), y = get_global_id(1);\n"
                      "  const int lx = get_local_id(0), ly = get_local_id(1);\n"
                      "  float sum = 0;\n"
                      "  for (int t = 0; t < 64; t += 16) {\n"
                      "    tb[ly][lx] = b[(t + ly) * 64 + x];\n"
                      "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                      "    for (int i = 0; i < 16; ++i)\n"
                      "      sum += a[y * 64 + t + i] * tb[i][lx];\n"
                      "    barrier(CLK_LOCAL_MEM_FENCE);\n  }\n"
                      "  out[y * 64 + x] = sum;\n}\n",
                      launch))
          .cycles;
  CAPTURE(report.count.cycles, tiles->cycles, written);
  CHECK(tiles->gain_percent > 30);
  CHECK(std::abs(gain_percent(report, written) - tiles->gain_percent) < 10);
}

TEST_CASE("Tiles have conflicts of banks, and a word between rows where that is better") {
  // 8 warps read the first 32 columns of 32 rows, each work-item another row at a time.
  const Gpu gpu = slow_gpu();
  const TracedLaunch launch = launch_of({32, 8, 1}, {32, 8, 1}, {floats(2048), floats(256)});
  const LaunchTrace trace =
      traced("kernel void k(global const float* a, global float* out) {\n"
             "  const int x = get_local_id(0), y = get_local_id(1);\n"
             "  float sum = 0;\n"
             "  for (int i = 0; i < 128; ++i)\n    sum += a[x * 64 + i % 32];\n"
             "  out[y * 32 + x] = sum;\n}\n",
             launch);
  // The tile has 32 rows of 32 floats: a column lies in one bank, and with a word behind each row
  // in 32 banks.
  const Layout layout(trace, {}, {});
  TilePlaces plain(trace, layout, 0, 32, std::nullopt, 4), padded(trace, layout, 0, 32, 128, 4);
  const std::uint64_t begin = layout.begin_of(0);
  for (const std::uint64_t row : {0, 1, 31})
    for (const std::uint64_t column : {0, 5, 31}) {
      const std::uint64_t address = begin + (row * 64 + column) * 4;
      CHECK(plain.place(0, address) == (row * 32 + column) * 4);
      CHECK(padded.place(0, address) == (row * 33 + column) * 4);
    }
  const CaseReport report = analyse(gpu, trace, "c", {});
  const WhatIf* const tiles = tiles_of(report);
  REQUIRE(tiles != nullptr);
  const auto with = [&](bool is_padded) {
    return run(gpu, trace, {.tiled = RunSettings::Tiled{.object = 0, .padded = is_padded}}).cycles;
  };
  CHECK(tiles->cycles == with(true));
  CHECK_THAT(tiles->text,
             ContainsSubstring(fmt::format("; a word stays free behind each row of 32 banks: "
                                           "without it, conflicts of banks take {} more cycles",
                                           grouped(with(false) - with(true)))));
  // 8 warps read 128 times, in 32 passes instead of one.
  CHECK(with(false) - with(true) > 8 * 128 * 31 * 8 / 10);
  CHECK(with(false) - with(true) < 8 * 128 * 31 * 11 / 10);
  const auto written = [&](int width) {
    return run(gpu,
               traced(fmt::format("kernel void k(global const float* a, global float* out) {{\n"
                                  "  local float ta[32][{}];\n"
                                  "  const int x = get_local_id(0), y = get_local_id(1);\n"
                                  "  float sum = 0;\n"
                                  "  for (int r = y; r < 32; r += 8)\n"
                                  "    ta[r][x] = a[r * 64 + x];\n"
                                  "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                                  "  for (int i = 0; i < 128; ++i)\n    sum += ta[x][i % 32];\n"
                                  "  out[y * 32 + x] = sum;\n}}\n",
                                  width),
                      launch))
        .cycles;
  };
  CAPTURE(report.count.cycles, with(false), with(true), written(32), written(33));
  CHECK(std::abs(gain_percent(report, written(33)) - tiles->gain_percent) < 10);
  CHECK(std::abs(gain_percent(report, written(32)) - gain_percent(report, with(false))) < 10);
}

TEST_CASE("Tiles are told of places that are known before, and not of those that data choose") {
  const Gpu gpu = slow_gpu();
  const auto hint_in = [&](const std::string& text, const TracedLaunch& launch) {
    const Tracer of = tracer(text);
    CaseReport report = analyse(gpu, of.trace(launch, gpu.warps()), "c", {});
    const bool before = tiles_of(report) != nullptr;
    const std::size_t what_ifs = report.what_ifs.size();
    add_static(report, of.classify(launch, gpu));
    const bool after = tiles_of(report) != nullptr;
    CHECK(report.what_ifs.size() == what_ifs - (before && !after ? 1 : 0));
    for (const WhatIf& one : report.what_ifs)
      CHECK((after || !one.in_tiles));
    for (const std::size_t index : report.hints)
      CHECK(index < report.what_ifs.size());
    for (const Warning& warning : report.warnings)
      for (const std::size_t index : warning.what_ifs)
        CHECK(index < report.what_ifs.size());
    return std::pair(before, after);
  };
  std::vector<int> numbers(1024 * 16);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = static_cast<int>(i * i * 37 % 1021);
  // A gather, and a way from place to place.
  CHECK(hint_in(
            "kernel void k(global const int* places, global const float* all,\n"
            "              global float* out) {\n"
            "  const int i = get_global_id(0);\n  float sum = 0;\n"
            "  for (int n = 0; n < 16; ++n)\n    sum += all[places[i * 16 + n]];\n"
            "  out[i] = sum;\n}\n",
            launch_of({1024, 1, 1}, {256, 1, 1}, {buffer(numbers), floats(1024), floats(1024)})) ==
        std::pair(true, false));
  numbers.resize(1024);
  CHECK(hint_in("kernel void k(global const int* next, global float* out) {\n"
                "  const int i = get_global_id(0);\n  int at = i & 1023;\n"
                "  for (int n = 0; n < 16; ++n)\n    at = next[at];\n"
                "  out[i] = at;\n}\n",
                launch_of({1024, 1, 1}, {256, 1, 1}, {buffer(numbers), floats(1024)})) ==
        std::pair(true, false));
  // Long loops, whose bound is an argument.
  CHECK(hint_in("kernel void k(global const float* a, global const float* b, global float* out,\n"
                "              int count) {\n"
                "  const int x = get_global_id(0), y = get_global_id(1);\n"
                "  float sum = 0;\n"
                "  for (int i = 0; i < count; ++i)\n"
                "    sum += a[y * count + i] * b[i * 32 + x];\n"
                "  out[y * 32 + x] = sum;\n}\n",
                launch_of({32, 32, 1}, {16, 16, 1},
                          {floats(32 * 1024), floats(32 * 1024), floats(1024), value(1024)})) ==
        std::pair(true, true));
}

TEST_CASE("Neighbours of a work-item become one access of a vector, or several accesses") {
  const LaunchTrace trace =
      traced("kernel void k(global const float* in, global const float* all,\n"
             "              global float* out) {\n"
             "  const int i = get_global_id(0);\n"
             "  out[2 * i] = in[i] + all[3];\n}\n",
             launch_of({256, 1, 1}, {128, 1, 1}, {floats(256), floats(4), floats(512)}));
  const std::optional<LaunchTrace> two = with_neighbours(trace, 2);
  REQUIRE(two);
  CHECK(two->warps.size() == 4);
  CHECK(two->group_count() == 2);
  const Gpu gpu = gpu_named("h200");
  check(counted(*two, gpu, Kind::Read, "in"), 4, 32, 32);    // 32 work-items with 8 bytes each
  check(counted(*two, gpu, Kind::Read, "all"), 4, 4, 4);     // one place
  check(counted(*two, gpu, Kind::Write, "out"), 8, 128, 32); // 16 bytes apart
  CHECK(run(gpu, *two).instructions < run(gpu, trace).instructions);
  const std::optional<LaunchTrace> four = with_neighbours(trace, 4);
  REQUIRE(four);
  CHECK(four->warps.size() == 2);
  check(counted(*four, gpu, Kind::Read, "in"), 2, 32, 32);
  // Of 3 warps none is the neighbour of the last, and with a part of a warp it is unknown.
  for (const std::size_t items : {96U, 120U})
    CHECK_FALSE(with_neighbours(traced("kernel void k(global float* out) {\n"
                                       "  out[get_global_id(0)] = 1;\n}\n",
                                       launch_of({items, 1, 1}, {items, 1, 1}, {floats(128)})),
                                2));
}

TEST_CASE("Vectors begin at multiples of their size, counted from the begin of the allocation") {
  LaunchTrace trace = traced("kernel void k(global const float* in, global float* out) {\n"
                             "  out[get_global_id(0)] = in[get_global_id(0)];\n}\n",
                             launch_of({256, 1, 1}, {128, 1, 1}, {floats(256), floats(256)}));
  // Both point into an allocation.
  for (const char* const name : {"in", "out"}) {
    const auto object = std::ranges::find(trace.objects, name, &MemoryObject::name);
    REQUIRE(object != trace.objects.end());
    object->part_of = static_cast<std::uint32_t>(trace.objects.size());
    const std::uint64_t size = object->size;
    trace.objects.push_back({.name = "pool", .size = 64 + size});
  }
  const auto with_begin = [&](std::uint64_t begin) {
    for (MemoryObject& object : trace.objects)
      if (object.part_of)
        object.part_begin = begin;
    return std::pair(with_neighbours(trace, 2).has_value(), with_neighbours(trace, 4).has_value());
  };
  CHECK(with_begin(0) == std::pair(true, true));
  CHECK(with_begin(4) == std::pair(false, false));
  CHECK(with_begin(8) == std::pair(true, false));
  CHECK(with_begin(16) == std::pair(true, true));
}

TEST_CASE("Vectors are told where neighbours read neighbouring elements, and only there") {
  const Gpu gpu = slow_gpu();
  const auto report_of = [&](const char* statement, std::size_t bytes) {
    const std::string text = fmt::format("kernel void k(global const float* in, global float* out) "
                                         "{{\n  const int i = get_global_id(0);\n  {}\n}}\n",
                                         statement);
    const std::vector<float> values(4096 * bytes / 4);
    return analyse(
        gpu, traced(text, launch_of({4096, 1, 1}, {256, 1, 1}, {buffer(values), buffer(values)})),
        "c", {});
  };
  const CaseReport floats = report_of("out[i] = in[i];", 4);
  const WhatIf* const told = vectors_of(floats);
  REQUIRE(told != nullptr);
  CHECK(told->text == fmt::format("work-items that each do the work of {} neighbours, with "
                                  "accesses of vectors",
                                  told->neighbours));
  CHECK(told->gain_percent >= kLeastGain);
  CHECK(floats.hints.size() == 1); // the better one of two and four
  // They have the widest vectors, other distances, or ways of their own.
  CHECK(vectors_of(report_of("vstore4(vload4(i, in), i, out);", 16)) == nullptr);
  CHECK(vectors_of(report_of("out[2 * i] = in[2 * i];", 8)) == nullptr);
  CHECK(vectors_of(report_of("if (i % 3) out[i] = in[i];", 4)) == nullptr);
}

TEST_CASE("A shape of work-groups and a layout are told together if both help more than each") {
  const Gpu gpu = gpu_named("embedded");
  const auto tried = [&](const char* text, std::array<std::size_t, 3> local) {
    const Tracer of = tracer(text);
    const TracedLaunch launch =
        launch_of({128, 128, 1}, local, {floats(128 * 128), floats(128 * 128)});
    CaseReport report = analyse(gpu, of.trace(launch, gpu.warps()), "c", {});
    try_local_sizes(gpu, of, launch, report);
    return report;
  };
  const auto together = [](const CaseReport& report) {
    return std::ranges::find_if(report.what_ifs, [](const WhatIf& one) {
      return one.local_size[0] != 0 && one.change != LayoutChange{.object = one.change.object};
    });
  };
  const CaseReport both = tried("kernel void k(global const float* in, global float* out) {\n"
                                "  const int x = get_global_id(0), y = get_global_id(1);\n"
                                "  out[x * 128 + y] = in[x * 128 + y];\n}\n",
                                {32, 4, 1});
  const auto found = together(both);
  REQUIRE(found != both.what_ifs.end());
  CHECK_THAT(found->text, ContainsSubstring("work-groups of ") && ContainsSubstring(" and "));
  for (const WhatIf& one : both.what_ifs)
    if (&one != &*found && !one.locked && one.bank_bytes == 0 && one.neighbours == 1)
      CHECK(one.gain_percent + kLeastGain <= found->gain_percent);
  // Nothing is to be saved.
  const CaseReport plain = tried("kernel void k(global const float* in, global float* out) {\n"
                                 "  const int x = get_global_id(0), y = get_global_id(1);\n"
                                 "  out[y * 128 + x] = 1;\n}\n",
                                 {128, 1, 1});
  CHECK(together(plain) == plain.what_ifs.end());
}
