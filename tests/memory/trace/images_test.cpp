// Images: the texels that filters read, their sectors, and those of an H200
// (benchmarks/memory/textures.cu).
#include "memory/analysis.h"
#include "model/interface.h"
#include "tests/catch.h"
#include "tests/memory/alone.h"
#include "tests/memory/trace/given_images.h"

#include <algorithm>
#include <fmt/format.h>

using namespace gputest;
using namespace gputest::memory;
using namespace gputest::memory::tests;
using gputest::tests::ContainsSubstring;
using gputest::tests::StartsWith;
using Kind = Reference::Kind;

namespace {

// The reads of 'in', in all references together.
ReferenceCount reads_of(const RunCount& count, const LaunchTrace& trace) {
  ReferenceCount sum;
  for (std::size_t i = 0; i < trace.references.size(); ++i)
    if (const Reference& reference = trace.references[i];
        reference.kind == Kind::Read && reference.object >= 0 &&
        trace.objects[static_cast<unsigned>(reference.object)].name == "in") {
      sum.transactions += count.references[i].transactions;
      sum.hits += count.references[i].hits;
      sum.misses += count.references[i].misses;
      sum.waiting += count.references[i].waiting;
    }
  return sum;
}

// A warp whose work-items read a rectangle, `wide` of them in a row.
LaunchTrace rectangle(unsigned wide, std::uint32_t filter, const std::string& at,
                      std::uint32_t order = kR, std::size_t warp = 32,
                      std::uint32_t channels = kFloat) {
  const std::string text = fmt::format(
      "kernel void k(read_only image2d_t in, sampler_t s, global float* out) {{\n"
      "  const int i = get_global_id(0);\n"
      "  out[i] = read_imagef(in, s, (float2)(i % {0}, i / {0}) + (float2)({1})).x;\n}}\n",
      wide, at);
  return traced(
      text,
      launch_of({warp, 1, 1}, {warp, 1, 1},
                {image(64, 64, 1, order, kImage2D, channels), sampler(filter), floats(warp)}),
      warp);
}

} // namespace

TEST_CASE("Rectangles of texels take the sectors that an H200 reads for them") {
  const Gpu gpu = gpu_named("h200");
  struct Row {
    std::uint32_t order, channels;
    std::array<unsigned, 6> sectors; // of rectangles of 32, 16, 8, 4, 2 and 1 texels in a row
    std::array<unsigned, 4> others;  // of 8 in a row, from (1, 1), (4, 2), (2, 0) and (0, 1) on
  };
  for (const auto& [order, channels, sectors, others] : // texels of 1, 2, 4, 8 and 16 bytes
       {Row{kR, kByte, {2, 1, 2, 4, 8, 16}, {3, 2, 2, 3}},
        {kR, kHalf, {4, 2, 2, 4, 8, 16}, {6, 4, 4, 3}},
        {kR, kFloat, {8, 4, 4, 4, 8, 16}, {9, 4, 6, 6}},
        {kRg, kFloat, {16, 8, 8, 8, 8, 16}, {15, 8, 8, 12}},
        {kRgba, kFloat, {32, 16, 16, 16, 16, 16}, {24, 16, 16, 24}}}) {
    const auto read = [&](unsigned wide, const std::string& at) {
      return counted(rectangle(wide, kNearest, at, order, 32, channels), gpu, Kind::Read, "in")
          .transactions;
    };
    INFO(order << " " << channels);
    for (unsigned i = 0; i < sectors.size(); ++i) {
      INFO((32U >> i) << " in a row");
      CHECK(read(32U >> i, "0.5f") == sectors[i]);
    }
    for (unsigned i = 0; i < others.size(); ++i) {
      constexpr std::array kFrom{"1.5f, 1.5f", "4.5f, 2.5f", "2.5f, 0.5f", "0.5f, 1.5f"};
      INFO("from " << kFrom[i]);
      CHECK(read(8, kFrom[i]) == others[i]);
    }
  }
  // Between four texels: 33 x 2 and 9 x 5 of them.
  check(counted(rectangle(32, kLinear, "1.0f"), gpu, Kind::Read, "in"), 1, 9, 9);
  check(counted(rectangle(8, kLinear, "1.0f"), gpu, Kind::Read, "in"), 1, 9, 6);
  check(counted(rectangle(1, kLinear, "1.0f"), gpu, Kind::Read, "in"), 1, 17, 9);
}

TEST_CASE("Filters read one, two, four or eight texels, and borders none") {
  const auto texels = [](const std::string& type, const std::string& at, std::uint32_t filter,
                         const GivenArgument& in) {
    const LaunchTrace trace =
        traced(fmt::format("kernel void k(read_only {} in, sampler_t s, global float* out) {{\n"
                           "  out[get_global_id(0)] = read_imagef(in, s, {}).x;\n}}\n",
                           type, at),
               launch_of({1, 1, 1}, {1, 1, 1}, {in, sampler(filter), floats(1)}));
    WarpEvent event;
    for (WarpReader reader(trace, trace.warps.front()); reader.next(event);)
      if (event.kind == WarpEvent::Kind::Access && trace.objects[event.places[0].object].image) {
        CHECK(trace.objects[event.places[0].object].name == "in");
        for (const Place& place : event.places)
          CHECK(place.lane == 0);
        return event.places.size();
      }
    return std::size_t{0};
  };
  const GivenArgument line = image(16, 1, 1, kR, kImage1D), flat = image(16, 16),
                      deep = image(16, 16, 4, kR, kImage3D);
  CHECK(texels("image1d_t", "3.2f", kNearest, line) == 1);
  CHECK(texels("image1d_t", "3.2f", kLinear, line) == 2);
  CHECK(texels("image2d_t", "(float2)(3.2f, 4.2f)", kNearest, flat) == 1);
  CHECK(texels("image2d_t", "(float2)(3.2f, 4.2f)", kLinear, flat) == 4);
  CHECK(texels("image2d_t", "(int2)(3, 4)", kNearest, flat) == 1);
  CHECK(texels("image3d_t", "(float4)(3.2f, 4.2f, 2.2f, 0)", kNearest, deep) == 1);
  CHECK(texels("image3d_t", "(float4)(3.2f, 4.2f, 2.2f, 0)", kLinear, deep) == 8);
  // Half of the four are outside, all, and a corner.
  CHECK(texels("image2d_t", "(float2)(0.2f, 4.2f)", kLinear, flat) == 2);
  CHECK(texels("image2d_t", "(float2)(-5.0f, 4.2f)", kLinear, flat) == 0);
  CHECK(texels("image2d_t", "(float2)(0.2f, 0.2f)", kLinear, flat) == 1);
  CHECK(texels("image2d_t", "(float2)(16.5f, 3.5f)", kNearest, flat) == 0);
}

TEST_CASE("A read of an image's border is an instruction without an access") {
  const Gpu gpu = gpu_named("h200");
  const auto instructions = [&](const char* at) {
    const LaunchTrace trace = rectangle(32, kNearest, at);
    const RunCount count = run(gpu, trace);
    return std::pair(count.instructions, counted(trace, gpu, Kind::Read, "in").executions);
  };
  const auto inside = instructions("0.5f"), outside = instructions("100.5f");
  CHECK(inside.first == outside.first);
  CHECK(inside.second == 1);
  CHECK(outside.second == 1);
}

TEST_CASE("Writes of images take sectors of the same order, and the results have them") {
  const Gpu gpu = gpu_named("h200");
  for (const auto& [wide, sectors] :
       std::vector<std::pair<unsigned, unsigned>>{{32, 8}, {8, 4}, {1, 16}}) {
    INFO(wide << " in a row");
    const Tracer of = tracer(fmt::format(
        "kernel void k(write_only image2d_t out) {{\n"
        "  const int i = get_global_id(0);\n"
        "  write_imagef(out, (int2)(i % {0}, i / {0}), (float4)(i + 1, 0, 0, 1));\n}}\n",
        wide));
    std::vector<std::byte> results;
    const LaunchTrace trace =
        of.trace(launch_of({32, 1, 1}, {32, 1, 1}, {image(64, 64)}), gpu.warps(), &results);
    check(counted(trace, gpu, Kind::Write, "out"), 1, sectors, 4);
    REQUIRE(results.size() == 64 * 64 * 4);
    float first = 0;
    std::memcpy(&first, results.data(), sizeof first);
    CHECK(first == 1);
  }
}

TEST_CASE("Which of two images is read may show only when the kernel runs") {
  const Gpu gpu = gpu_named("h200");
  const LaunchTrace trace = traced(
      "constant sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | "
      "CLK_FILTER_NEAREST;\n"
      "kernel void k(read_only image2d_t one, read_only image2d_t two, global float* out) {\n"
      "  const int i = get_global_id(0);\n"
      "  out[i] = i % 2 ? read_imagef(one, s, (int2)(i, 0)).x : read_imagef(two, s, (int2)(i, "
      "3)).x;\n}\n",
      launch_of({32, 1, 1}, {32, 1, 1}, {image(64, 4), image(64, 4), floats(32)}));
  std::map<std::string, std::size_t> texels;
  WarpEvent event;
  for (WarpReader reader(trace, trace.warps.front()); reader.next(event);)
    if (event.kind == WarpEvent::Kind::Access)
      for (const Place& place : event.places)
        ++texels[trace.objects[place.object].name];
  CHECK(texels == std::map<std::string, std::size_t>{{"one", 16}, {"two", 16}, {"out", 32}});
}

TEST_CASE("A cache for textures has lines of its own") {
  const Gpu gpu = gpu_named("mali-g52"); // lines of 4 x 4 texels, warps of 8
  check(counted(rectangle(8, kNearest, "0.5f", kR, 8), gpu, Kind::Read, "in"), 1, 2, 1);
  check(counted(rectangle(4, kNearest, "0.5f", kR, 8), gpu, Kind::Read, "in"), 1, 1, 1);
  check(counted(rectangle(1, kNearest, "0.5f", kR, 8), gpu, Kind::Read, "in"), 1, 2, 1);
  const LaunchTrace twice =
      traced("kernel void k(read_only image2d_t in, global float* out) {\n"
             "  const int i = get_global_id(0);\n  float sum = 0;\n"
             "  for (int y = 0; y < 8; ++y)\n    sum += read_imagef(in, (int2)(i, y)).x;\n"
             "  out[i] = sum;\n}\n",
             launch_of({8, 1, 1}, {8, 1, 1}, {image(64, 64), floats(8)}), 8);
  const RunCount count = run(gpu, twice);
  const ReferenceCount reads = reads_of(count, twice);
  CHECK(reads.transactions == 16); // 2 lines in each of 8 rows
  CHECK(reads.misses == 4);        // 2 x 2 lines
  CHECK(reads.hits == 12);
  CHECK(count.caches[0].misses + count.caches[0].hits == 1); // what is written
}

TEST_CASE("The unit for textures takes so many work-items in a cycle") {
  Gpu gpu = gpu_named("h200");
  gpu.loads_in_flight = gpu.unrolled = 1;
  const auto cycles = [&](std::size_t items, std::uint32_t filter, std::uint32_t order = kR) {
    gpu.texture->items_per_cycle = items;
    const LaunchTrace trace = rectangle(8, filter, filter == kLinear ? "1.0f" : "0.5f", order);
    return reads_of(run(gpu, trace), trace).waiting;
  };
  CHECK(cycles(4, kNearest) == cycles(32, kNearest) + 7);
  CHECK(cycles(4, kNearest, kRgba) == cycles(32, kNearest, kRgba) + 7);
  CHECK(cycles(4, kLinear) == cycles(32, kLinear) + 7);
  CHECK(cycles(4, kLinear, kRgba) == cycles(32, kLinear, kRgba) + 14); // larger texels, filtered
}

TEST_CASE("A read of an image comes from the nearest cache after the cycles of the unit") {
  Gpu gpu = gpu_named("h200");
  gpu.loads_in_flight = gpu.unrolled = 1;
  gpu.texture->items_per_cycle = 32;
  const LaunchTrace trace =
      traced("kernel void k(read_only image2d_t in, global float* out) {\n"
             "  float at = 0;\n"
             "  for (int i = 0; i < 64; ++i)\n    at = read_imagef(in, (int2)((int)at, 0)).x;\n"
             "  out[get_global_id(0)] = at;\n}\n",
             launch_of({1, 1, 1}, {1, 1, 1}, {image(16, 8), floats(1)}));
  const ReferenceCount reads = reads_of(run(gpu, trace), trace);
  CHECK(reads.hits == 63);
  // The first has the way to DRAM and back.
  const Cycles first = 109 + 250 + 385;
  CHECK(reads.waiting <= 63 * 109 + first);
  CHECK(reads.waiting >= 63 * (109 - 2) + first - 2);
}

TEST_CASE("What is proved holds beside reads and writes of images") {
  for (const char* const name : {"h200", "embedded", "mali-g52", "rx-7900-xtx"}) {
    INFO(name);
    const AloneCount count =
        alone(tracer("kernel void k(read_only image2d_t in, sampler_t s, write_only image2d_t to,\n"
                     "              global float* out) {\n"
                     "  const int i = get_global_id(0);\n  float sum = out[i];\n"
                     "  for (int n = 0; n < 16; ++n) {\n"
                     "    sum += read_imagef(in, s, (float2)(i + 1.0f, 2.0f * n)).x + out[n];\n"
                     "    write_imagef(to, (int2)(i, n), (float4)(sum));\n  }\n"
                     "  out[i] = sum + out[i];\n}\n"),
              launch_of({64, 1, 1}, {32, 1, 1},
                        {image(64, 64), sampler(kLinear), image(64, 64), floats(64)}),
              gpu_named(name));
    CHECK(count.wrong == "");
    CHECK(count.open + count.kept + count.misses != 0);
  }
}

TEST_CASE("Without a unit for textures images are buffers, and some GPUs have no images") {
  const Gpu embedded = gpu_named("embedded"); // lines of 64 bytes
  check(counted(rectangle(32, kNearest, "0.5f"), embedded, Kind::Read, "in"), 1, 2, 2);
  check(counted(rectangle(8, kNearest, "0.5f"), embedded, Kind::Read, "in"), 1, 4, 2);
  const Gpu none = gpu_named("mi300x");
  const LaunchTrace trace = rectangle(32, kNearest, "0.5f", kR, 64);
  CHECK_THROWS_WITH(run(none, trace),
                    ContainsSubstring("error: 'in' of 'k' is an image, and 'mi300x' has none"));
}

TEST_CASE("Reads along rows are told with the texels that lie together, and what rows would save") {
  Gpu gpu = gpu_named("h200");
  gpu.cores = 1; // whose memory is slow
  gpu.dram.banks = 2;
  gpu.dram.busy_cycles = 20;
  const auto report_of = [&](const std::string& x, const std::string& y) {
    const LaunchTrace trace =
        traced("kernel void k(read_only image2d_t in, global float* out) {\n"
               "  const int i = get_global_id(0), lane = i % 32, warp = i / 32;\n"
               "  float sum = 0;\n"
               "  for (int n = 0; n < 8; ++n)\n"
               "    sum += read_imagef(in, (int2)(" +
                   x + ", " + y +
                   ")).x;\n"
                   "  out[i] = sum;\n}\n",
               launch_of({2048, 1, 1}, {64, 1, 1}, {image(1024, 512), floats(2048)}));
    return analyse(gpu, trace, "c", {});
  };
  const CaseReport rows = report_of("lane + 32 * n", "warp * 8");
  const auto warning =
      std::ranges::find(rows.warnings, Warning::Kind::Transactions, &Warning::kind);
  REQUIRE(warning != rows.warnings.end());
  CHECK(warning->message == "reads of image 'in' are not coalesced: 2,048 of 4,096 transactions "
                            "are extra");
  CHECK(warning->because == "neighbouring work-items are side by side in a row of the image (8 "
                            "transactions a warp; 4 would do); 32 bytes of the image hold 4 x 2 "
                            "texels");
  REQUIRE(!warning->what_ifs.empty());
  const WhatIf& what = rows.what_ifs[warning->what_ifs.front()];
  CHECK(what.text == "image 'in' row by row, not in tiles");
  CHECK(what.change.by_rows);
  CHECK(what.gain_percent >= 1);
  // Rectangles are what tiles are for.
  const CaseReport rectangles = report_of("lane % 8 + 8 * (warp % 64)", "lane / 8 + 4 * n");
  CHECK(std::ranges::find(rectangles.warnings, Warning::Kind::Transactions, &Warning::kind) ==
        rectangles.warnings.end());
  CHECK(std::ranges::none_of(rectangles.what_ifs,
                             [](const WhatIf& one) { return one.change.by_rows; }));
  // Columns are slow either way: rows would be slower.
  const CaseReport columns = report_of("warp * 16 + n", "lane");
  const auto other =
      std::ranges::find(columns.warnings, Warning::Kind::Transactions, &Warning::kind);
  REQUIRE(other != columns.warnings.end());
  CHECK_THAT(other->because, ContainsSubstring("neighbouring work-items are 1 row of the image "
                                               "apart (16 transactions a warp; 4 would do); "
                                               "32 bytes of the image hold 4 x 2 texels"));
  CHECK(
      std::ranges::none_of(columns.what_ifs, [](const WhatIf& one) { return one.change.by_rows; }));
}

TEST_CASE("Neighbours in images are so many texels, rows or slices apart, also backwards") {
  const Gpu gpu = gpu_named("h200");
  const auto because = [&](const char* at, const GivenArgument& in) {
    const bool solid = in.image.type == kImage3D;
    const LaunchTrace trace =
        traced(fmt::format("kernel void k(read_only {} in, global float* out) {{\n"
                           "  const int i = get_global_id(0);\n"
                           "  out[i] = read_imagef(in, {}).x;\n}}\n",
                           solid ? "image3d_t" : "image2d_t", at),
               launch_of({32, 1, 1}, {32, 1, 1}, {in, floats(32)}));
    const CaseReport report = analyse(gpu, trace, "c", {});
    const auto warning =
        std::ranges::find(report.warnings, Warning::Kind::Transactions, &Warning::kind);
    return warning == report.warnings.end()
               ? std::string()
               : warning->because.substr(0, warning->because.find(';'));
  };
  const GivenArgument flat = image(256, 256), solid = image(16, 8, 64, kR, kImage3D);
  const std::string are = "neighbouring work-items are ";
  const auto begins = [&](const std::string& text) { return StartsWith(are + text + " ("); };
  CHECK_THAT(because("(int2)(3 * i, 3)", flat), begins("3 texels apart"));
  CHECK_THAT(because("(int2)(200 - 2 * i, 3)", flat), begins("2 texels apart, backwards"));
  CHECK_THAT(because("(int2)(200 - i, 3)", flat),
             begins("side by side in a row of the image, backwards"));
  CHECK_THAT(because("(int2)(3, 70 - i)", flat), begins("1 row of the image apart, backwards"));
  CHECK_THAT(because("(int2)(3, 2 * i)", flat), begins("2 rows of the image apart"));
  CHECK_THAT(because("(int4)(3, 2, i, 0)", solid), begins("1 slice or layer of the image apart"));
  CHECK_THAT(because("(int4)(3, 2, 40 - i, 0)", solid),
             begins("1 slice or layer of the image apart, backwards"));
  CHECK_THAT(because("(int4)(3, 2, 2 * i, 0)", solid),
             begins("2 slices or layers of the image apart"));
  CHECK_THAT(because("(int2)(0, i)", image(1, 256)), begins("1 row of the image apart"));
}
