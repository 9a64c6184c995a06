// Caches for textures: what warps evict there, what they lose, and which images are locked.
#include "memory/analysis.h"
#include "memory/what_if.h"
#include "tests/memory/trace/given_images.h"

#include <algorithm>
#include <numeric>

using namespace gputest;
using namespace gputest::memory;
using namespace gputest::memory::tests;
using gputest::tests::ContainsSubstring;

namespace {

// One core, whose cache for textures has `ways` lines of 4 x 4 texels.
Gpu one_core(std::size_t ways) {
  Gpu gpu = gpu_named("mali-g52"); // warps of 8
  gpu.cores = gpu.schedulers = 1;
  gpu.texture->cache->size = ways * gpu.texture->cache->line;
  gpu.texture->cache->ways = ways;
  return gpu;
}

// Each warp reads a line of its own again and again.
LaunchTrace rereads(const Gpu& gpu, std::size_t warps) {
  return traced("kernel void k(read_only image2d_t in, global float* out) {\n"
                "  const int i = get_global_id(0), warp = i / 8;\n  float sum = 0;\n"
                "  for (int n = 0; n < 8; ++n)\n"
                "    sum += read_imagef(in, (int2)(n % 4, 4 * warp + n / 4)).x;\n"
                "  out[i] = sum;\n}\n",
                launch_of({8 * warps, 1, 1}, {8, 1, 1}, {image(64, 64), floats(8 * warps)}),
                gpu.warp_size);
}

std::uint32_t reference_of(const LaunchTrace& trace, Reference::Kind kind,
                           const std::string& variable) {
  for (std::uint32_t i = 0; i < trace.references.size(); ++i)
    if (const Reference& one = trace.references[i];
        one.kind == kind && one.object >= 0 &&
        trace.objects[static_cast<unsigned>(one.object)].name == variable)
      return i;
  FAIL("no such reference");
  return 0;
}

ReferenceCount reads_of_image(const LaunchTrace& trace, const RunCount& count) {
  ReferenceCount sum;
  for (std::size_t i = 0; i < trace.references.size(); ++i)
    if (const Reference& one = trace.references[i];
        one.object >= 0 && trace.objects[static_cast<unsigned>(one.object)].image) {
      sum.executions += count.references[i].executions;
      sum.misses += count.references[i].misses;
      sum.reloads += count.references[i].reloads;
      sum.lost += count.references[i].lost;
    }
  return sum;
}

std::uint64_t lines_evicted(const RunCount& count) {
  return std::accumulate(count.interferences.begin(), count.interferences.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const auto& one) { return sum + one.second.lines; });
}

} // namespace

TEST_CASE("Warps that evict each other's lines of a cache for textures are counted") {
  const Gpu narrow = one_core(1), wide = one_core(2);
  const LaunchTrace trace = rereads(narrow, 2);
  const RunCount count = run(narrow, trace);
  const ReferenceCount reads = reads_of_image(trace, count);
  CHECK(reads.misses > 2);
  CHECK(reads.reloads == reads.misses - 2);
  CHECK(lines_evicted(count) == reads.reloads);
  for (const auto& [references, found] : count.interferences) {
    CHECK(found.sets == std::set<std::uint64_t>{0});
    CHECK(found.waiting != 0);
  }
  // As if each warp had a line of its own.
  const RunCount enough = run(wide, trace);
  CHECK(reads_of_image(trace, enough).misses == 2);
  CHECK(lines_evicted(enough) == 0);
  const RunCount alone = run(narrow, trace, {.alone = true});
  CHECK(alone.cycles < count.cycles);
  CHECK(run(wide, trace, {.alone = true}).cycles == enough.cycles);

  const CaseReport report = analyse(narrow, trace, "c", {});
  const auto warning =
      std::ranges::find(report.warnings, Warning::Kind::Interference, &Warning::kind);
  REQUIRE(warning != report.warnings.end());
  CHECK_THAT(warning->message,
             ContainsSubstring("warps evict each other's lines of image 'in' (cache set 0)") ||
                 ContainsSubstring("warps evict each other's lines of 'in' (cache set 0)"));
  CHECK(report.alone == alone.cycles);
}

TEST_CASE("A warp's own evictions from a cache for textures name that cache") {
  const Gpu gpu = one_core(1);
  const LaunchTrace trace =
      traced("kernel void k(read_only image2d_t in, global float* out) {\n"
             "  float sum = 0;\n"
             "  for (int n = 0; n < 8; ++n)\n"
             "    sum += read_imagef(in, (int2)(n % 2 * 16, n / 2)).x;\n"
             "  out[get_global_id(0)] = sum;\n}\n",
             launch_of({8, 1, 1}, {8, 1, 1}, {image(64, 64), floats(8)}), gpu.warp_size);
  const RunCount count = run(gpu, trace);
  CHECK(reads_of_image(trace, count).reloads == 6);
  CHECK(lines_evicted(count) == 0);
  CHECK(run(gpu, trace, {.alone = true}).cycles == count.cycles);
  const CaseReport report = analyse(gpu, trace, "c", {});
  const auto warning = std::ranges::find(report.warnings, Warning::Kind::Reloads, &Warning::kind);
  REQUIRE(warning != report.warnings.end());
  CHECK_THAT(warning->because, ContainsSubstring("into 64 bytes in sets of 1"));
}

TEST_CASE("What warps lose to others at reads through a cache for textures is measured") {
  Gpu gpu = one_core(1);
  const auto lost = [&](std::size_t warps) {
    const LaunchTrace trace = rereads(gpu, warps);
    const RunCount count = run(gpu, trace, {.monitor = true});
    CHECK((count.lost != 0) == (warps != 1));
    return reads_of_image(trace, count).lost;
  };
  CHECK(lost(1) == 0);
  gpu.dram.banks = 1;
  gpu.dram.busy_cycles = 200;
  CHECK(lost(1) == 0);
  CHECK(lost(8) != 0);
  // A warp alone that wants several lines, each of several sectors, waits only for itself.
  for (const std::size_t banks : {1U, 2U, 16U})
    for (const bool shared : {true, false}) {
      INFO(banks << " banks" << (shared ? ", shared" : ""));
      Gpu other = gpu_named("mali-g52");
      other.dram.banks = banks;
      other.caches.back().sector = 32;
      if (!shared)
        other.caches.pop_back();
      const LaunchTrace trace =
          traced("kernel void k(read_only image2d_t in, global float* out) {\n"
                 "  const int i = get_global_id(0);\n"
                 "  out[i] = read_imagef(in, (int2)(8 * i, 4 * i)).x;\n}\n",
                 launch_of({8, 1, 1}, {8, 1, 1}, {image(64, 64), floats(8)}), 8);
      const RunCount count = run(other, trace, {.monitor = true});
      CHECK(reads_of_image(trace, count).misses == 8);
      CHECK(reads_of_image(trace, count).lost == 0);
    }
}

TEST_CASE("A read of nothing but an image's border is run, and no class is proved of it") {
  for (const char* const name : {"h200", "embedded", "mali-g52"}) {
    INFO(name);
    const Gpu gpu = gpu_named(name);
    const Tracer of = tracer("kernel void k(read_only image2d_t in, sampler_t s,\n"
                             "              write_only image2d_t to, global float* out) {\n"
                             "  const int i = get_global_id(0);\n"
                             "  write_imagef(to, (int2)(i, 0), (float4)(1));\n"
                             "  out[i] = read_imagef(in, s, (int2)(i, -5)).x;\n}\n");
    const TracedLaunch launch =
        launch_of({gpu.warp_size, 1, 1}, {gpu.warp_size, 1, 1},
                  {image(64, 64), sampler(kNearest), image(64, 64), floats(gpu.warp_size)});
    const LaunchTrace trace = of.trace(launch, gpu.warps());
    const std::uint32_t read = reference_of(trace, Reference::Kind::Read, "in"),
                        write = reference_of(trace, Reference::Kind::Write, "to");
    CaseReport report = analyse(gpu, trace, "c", {});
    CHECK(report.count.references[read].executions == 1);
    CHECK(report.count.references[read].transactions == 0);
    const StaticReport found = of.classify(launch, gpu);
    CHECK(found.of_all(read) ==
          (gpu.texture && gpu.texture->cache ? Certainty::NotRun : Certainty::NotClassified));
    CHECK(found.of_all(write) == Certainty::NotClassified);
    add_static(report, found);
    const ReferenceCoverage coverage = coverage_of({report}, {});
    CHECK(coverage.explored == coverage.total);
    CHECK(coverage.total != 0);
  }
}

TEST_CASE("Images that lie in tiles, or have a cache of their own, are not locked") {
  Gpu gpu = gpu_named("embedded");
  const LaunchTrace trace =
      traced("kernel void k(read_only image2d_t in, global const float* from,\n"
             "              global float* out) {\n"
             "  const int i = get_local_id(0);\n  float sum = 0;\n"
             "  for (int n = 0; n < 16; ++n)\n"
             "    sum += read_imagef(in, (int2)(n, i % 16)).x + from[(i + 32 * n) * 16];\n"
             "  out[get_global_id(0)] = sum;\n}\n",
             launch_of({1024, 1, 1}, {128, 1, 1}, {image(32, 16), floats(16384), floats(1024)}));
  const auto locks = [&] {
    CaseReport report = analyse(gpu, trace, "c", {});
    REQUIRE(std::ranges::count(report.warnings, Warning::Kind::BusyBanks, &Warning::kind) != 0);
    try_changes(gpu, trace, report);
    return std::ranges::any_of(report.what_ifs, [&](const WhatIf& one) {
      return one.locked && trace.objects[one.change.object].image;
    });
  };
  CHECK(locks());
  gpu.texture = Texture{.tile = "xxxxyxyyx"};
  CHECK_FALSE(locks());
  gpu.texture = Texture{.cache = SideCache{.size = 64, .line = 64, .ways = 1}};
  CHECK_FALSE(locks());
}
