// Private arrays that registers do not hold, and constant memory: counts by brute force, and those
// of an H200 (benchmarks/memory/local_arrays.cu, constants.cu).
#include "memory/analysis.h"
#include "tests/catch.h"
#include "tests/memory/alone.h"
#include "tests/memory/traced.h"

#include <algorithm>
#include <set>

using namespace gputest;
using namespace gputest::memory;
using namespace gputest::memory::tests;
using gputest::tests::ContainsSubstring;
using Kind = Reference::Kind;

namespace {

// Those of benchmarks/memory/local_arrays.cu.
const char* const kArrays = R"(
#define I (blockIdx.x * blockDim.x + threadIdx.x)
template <int N> __global__ void read(const int* in, int* out) {
  int own[N];
#pragma unroll
  for (int i = 0; i < N; ++i)
    own[i] = in[(I + 65 * i) & 2047];
  out[I] = own[in[I] % N];
}
template <int N> __global__ void count(const int* in, int* out) {
  int own[N] = {};
  for (int i = 0; i < 64; ++i)
    ++own[in[(I + 65 * i) & 2047] % N];
  int sum = 0;
#pragma unroll
  for (int i = 0; i < N; ++i)
    sum = sum * 3 + own[i];
  out[I] = sum;
}
__global__ void unrolled(const int* in, int* out) {
  int own[32];
  for (int i = 0; i < 32; ++i)
    own[i] = in[(I + i) & 2047];
  int sum = 0;
  for (int i = 0; i < 32; ++i)
    sum = sum * 3 + own[31 - i];
  out[I] = sum;
})";

TracedLaunch launch_of_arrays() {
  std::vector<int> in(2048);
  for (int i = 0; i < 2048; ++i)
    in[static_cast<unsigned>(i)] = 7 * i;
  return launch_of({2048, 1, 1}, {256, 1, 1}, {buffer(in), floats(2048)});
}

struct Sectors {
  std::uint64_t reads = 0, writes = 0;
  bool operator==(const Sectors&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Sectors& sectors) {
  return out << sectors.reads << " reads, " << sectors.writes << " writes";
}

Sectors sectors_of(const std::string& kernel, const Gpu& gpu) {
  const LaunchTrace trace = cuda_tracer(kArrays, kernel).trace(launch_of_arrays(), gpu.warps());
  return {counted(trace, gpu, Kind::Read, "own").transactions,
          counted(trace, gpu, Kind::Write, "own").transactions};
}

// A private array that each work-item of OpenCL C writes by an index of its own.
const char* const kHistogram = R"(
kernel void k(global const uint* in, global uint* out) {
  uint own[16] = {0};
  for (uint i = 0; i < 8; ++i)
    ++own[in[8 * get_global_id(0) + i] % 16];
  uint most = 0;
  for (uint i = 0; i < 16; ++i)
    most = max(most, own[i]);
  out[get_global_id(0)] = most;
})";

} // namespace

TEST_CASE("Arrays that nvcc has in memory are there, with the sectors that an H200 counts") {
  const Gpu gpu = gpu_named("h200");
  CHECK(sectors_of("count<16>", gpu) == Sectors{135'168, 135'168});
  CHECK(sectors_of("count<8>", gpu) == Sectors{133'120, 133'120});
  CHECK(sectors_of("read<64>", gpu) == Sectors{2'048, 16'384});
  CHECK(sectors_of("count<4>", gpu) == Sectors{});
  CHECK(sectors_of("read<32>", gpu) == Sectors{});
  CHECK(sectors_of("unrolled", gpu) == Sectors{});
}

TEST_CASE("Without a limit arrays are registers, and an access of one is an instruction") {
  Gpu gpu = gpu_named("h200");
  const Tracer tracer = cuda_tracer(kArrays, "count<16>");
  const RunCount in_memory = run(gpu, tracer.trace(launch_of_arrays(), gpu.warps()));
  gpu.private_arrays.reset();
  CHECK(sectors_of("count<16>", gpu) == Sectors{});
  const RunCount in_registers = run(gpu, tracer.trace(launch_of_arrays(), gpu.warps()));
  CHECK(in_registers.instructions == in_memory.instructions);
  CHECK(in_registers.cycles < in_memory.cycles);
}

TEST_CASE("Each word of a private array lies beside that of the next work-item") {
  Gpu gpu = gpu_named("h200");
  gpu.private_arrays = {.registers = 1020, .indexed_reads = 0, .indexed = 0};
  std::vector<unsigned> in(8 * 64);
  for (unsigned i = 0; i < in.size(); ++i)
    in[i] = i * i * 2654435761U >> 20;
  const LaunchTrace trace =
      tracer(kHistogram)
          .trace(launch_of({64, 1, 1}, {64, 1, 1}, {buffer(in), floats(64)}), gpu.warps());
  // Brute force: of 32 work-items, word w of work-item l has the number 32 * w + l.
  std::uint64_t expected = 0;
  for (unsigned warp = 0; warp < 2; ++warp)
    for (unsigned i = 0; i < 8; ++i) {
      std::set<unsigned> sectors;
      for (unsigned lane = 0; lane < 32; ++lane)
        sectors.insert((32 * (in[8 * (32 * warp + lane) + i] % 16) + lane) / 8);
      expected += sectors.size();
    }
  std::uint64_t updated = 0, read = 0;
  const RunCount count = run(gpu, trace);
  for (std::size_t i = 0; i < trace.references.size(); ++i)
    if (const Reference& reference = trace.references[i];
        trace.objects[static_cast<unsigned>(reference.object)].own && reference.kind == Kind::Read)
      (reference.line == 5 ? updated : read) += count.references[i].transactions;
  CHECK(updated == expected);
  CHECK(read == 2 * 16 * 4); // the same word in all work-items
}

TEST_CASE("An array in memory is told with the reason, and with what registers would save") {
  const Gpu gpu = gpu_named("h200");
  const LaunchTrace trace =
      cuda_tracer(kArrays, "count<16>").trace(launch_of_arrays(), gpu.warps());
  const CaseReport report = analyse(gpu, trace, "c", {});
  const auto warning = std::ranges::find(report.warnings, Warning::Kind::Spilled, &Warning::kind);
  REQUIRE(warning != report.warnings.end());
  CHECK_THAT(warning->message, ContainsSubstring("'own', 64 bytes of each work-item, is in memory "
                                                 "and not in registers: "));
  CHECK(warning->because == "it is written by an index that shows only when the kernel runs, and "
                            "registers hold at most 16 bytes of such an array");
  REQUIRE(warning->what_ifs.size() == 1);
  const WhatIf& what = report.what_ifs[warning->what_ifs.front()];
  CHECK(what.text == "'own' in registers");
  CHECK(what.cycles == run(gpu, trace, {.in_registers = what.change.object}).cycles);
  // In registers it is no place of the report.
  Gpu other = gpu;
  other.private_arrays.reset();
  const CaseReport without = analyse(
      other, cuda_tracer(kArrays, "count<16>").trace(launch_of_arrays(), other.warps()), "c", {});
  CHECK(std::ranges::find(without.warnings, Warning::Kind::Spilled, &Warning::kind) ==
        without.warnings.end());
  for (const PlaceCount& place : without.places)
    CHECK(place.in_registers == (place.variable == "own"));
}

TEST_CASE("Bytes of a private array fill a word of each work-item, and are coalesced") {
  Gpu gpu = gpu_named("h200");
  gpu.private_arrays = {.registers = 1020, .indexed_reads = 0, .indexed = 0};
  const LaunchTrace trace =
      tracer("kernel void k(global const uint* in, global uint* out) {\n"
             "  uchar own[64];\n"
             "  for (uint i = 0; i < 64; ++i)\n    own[i] = in[i];\n"
             "  out[get_global_id(0)] = own[in[get_global_id(0) % 2 + 8]];\n}\n")
          .trace(
              launch_of({32, 1, 1}, {32, 1, 1}, {buffer(std::vector<unsigned>(64, 5)), floats(32)}),
              gpu.warps());
  // 32 bytes, each in a word: 4 sectors of 32, and no layout of bytes of others in one word.
  check(counted(trace, gpu, Kind::Read, "own"), 1, 4, 4);
  const ReferenceCount writes = counted(trace, gpu, Kind::Write, "own");
  CHECK(writes.executions == 64);
  CHECK(writes.transactions == 64 * 4);
  CHECK(writes.fewest == 64 * 4);
  const CaseReport report = analyse(gpu, trace, "c", {});
  for (const Warning& warning : report.warnings)
    if (warning.kind == Warning::Kind::Transactions)
      CHECK(report.places[warning.place].variable != "own");
}

TEST_CASE("A pointer to one of two private arrays accesses the one that it points to") {
  Gpu gpu = gpu_named("h200");
  gpu.private_arrays = {.registers = 1020, .indexed_reads = 0, .indexed = 0};
  const LaunchTrace trace =
      tracer("kernel void k(global const uint* in, global uint* out) {\n"
             "  uint one[16], two[16];\n"
             "  for (uint i = 0; i < 16; ++i) {\n"
             "    one[in[i] % 16] = i;\n    two[in[i] % 16] = 2 * i;\n  }\n"
             "  private uint* own = get_global_id(0) % 2 ? one : two;\n"
             "  out[get_global_id(0)] = own[in[get_global_id(0)] % 16];\n}\n")
          .trace(
              launch_of({32, 1, 1}, {32, 1, 1}, {buffer(std::vector<unsigned>(32, 5)), floats(32)}),
              gpu.warps());
  // The last read goes to word 5 of an array: every second word of a row in each of them, so 4
  // sectors in both.
  std::uint64_t reads = 0;
  const RunCount count = run(gpu, trace);
  for (std::size_t i = 0; i < trace.references.size(); ++i)
    if (trace.references[i].line == 8 && trace.references[i].kind == Kind::Read &&
        trace.references[i].object < 0) {
      reads += count.references[i].transactions;
      CHECK(count.references[i].work_items == 32);
    }
  CHECK(reads == 8);
}

TEST_CASE("What is proved holds beside private arrays in memory") {
  for (const char* name : {"h200", "mi300x"}) {
    Gpu gpu = gpu_named(name);
    gpu.private_arrays = {.registers = 1020, .indexed_reads = 0, .indexed = 0};
    const AloneCount count = alone(
        tracer(kHistogram),
        launch_of({64, 1, 1}, {32, 1, 1}, {buffer(std::vector<unsigned>(512, 3)), floats(64)}),
        gpu);
    CHECK(count.wrong == "");
    CHECK(count.open != 0);
  }
}

TEST_CASE("A warp gets one address of constant memory after the other") {
  // The second read begins when the first has come. Each of n addresses is that of 32 / n
  // work-items.
  Gpu gpu = gpu_named("h200");
  gpu.loads_in_flight = gpu.unrolled = 1;
  const auto run_with = [&](const std::string& index) {
    const LaunchTrace trace =
        tracer("kernel void k(constant int* table, global int* out) {\n"
               "  const uint i = get_global_id(0);\n  const int zero = table[1];\n"
               "  out[i] = table[zero + " +
               index + "];\n}\n")
            .trace(launch_of({32, 1, 1}, {32, 1, 1}, {buffer(std::vector<int>(512)), floats(32)}),
                   gpu.warps());
    const RunCount count = run(gpu, trace);
    REQUIRE(count.references.size() == 3);
    return count.references[1];
  };
  const ReferenceCount one = run_with("(i & 0)");
  CHECK(one.transactions == 1);
  CHECK(one.fewest == 1);
  CHECK(one.hits == 1);
  for (const unsigned several : {2U, 4U, 8U, 16U}) {
    const ReferenceCount count = run_with(fmt::format("(i & {})", several - 1));
    CHECK(count.transactions == several);
    CHECK(count.fewest == 1);
    CHECK(count.hits == several);                             // one line of 64 bytes
    CHECK(count.waiting == one.waiting + 11 * (several - 1)); // as on an H200
  }
  const ReferenceCount all = run_with("(i & 31)");
  CHECK(all.transactions == 32);
  CHECK(all.misses == 1); // the other one is there
  CHECK(run_with("16 * (i & 15)").misses == 15);
}

TEST_CASE("A read of constants over two lines takes both, also by a pointer to one of two") {
  Gpu gpu = gpu_named("h200");
  gpu.loads_in_flight = gpu.unrolled = 1;
  // 16 words from word 8 of lines of 16 words.
  const LaunchTrace wide =
      tracer("typedef struct __attribute__((packed, aligned(4))) { uint16 all; } wide;\n"
             "kernel void k(constant uint* table, global uint16* out) {\n"
             "  out[get_global_id(0)] = ((constant wide*)(table + 8))->all;\n}\n")
          .trace(launch_of({32, 1, 1}, {32, 1, 1}, {buffer(std::vector<int>(512)), floats(512)}),
                 gpu.warps());
  check(counted(wide, gpu, Kind::Read, "table"), 1, 2, 2);
  const LaunchTrace chosen =
      tracer("kernel void k(constant uint* one, constant uint* two, global uint* out) {\n"
             "  constant uint* from = get_global_id(0) % 2 ? one : two;\n"
             "  out[get_global_id(0)] = from[3];\n}\n")
          .trace(
              launch_of({32, 1, 1}, {32, 1, 1},
                        {buffer(std::vector<int>(16)), buffer(std::vector<int>(16)), floats(32)}),
              gpu.warps());
  const RunCount count = run(gpu, chosen);
  REQUIRE(count.references.size() == 2);
  CHECK(chosen.references[0].object < 0);
  CHECK(chosen.references[0].constant);
  CHECK(count.references[0].transactions == 2); // an address of each
  CHECK(count.references[0].misses == 2);
  CHECK(count.caches.front().hits + count.caches.front().misses == 4); // what is written
}

TEST_CASE("A line of constants that a core had before comes from the cache behind") {
  Gpu gpu = gpu_named("h200");
  gpu.loads_in_flight = gpu.unrolled = 1;
  // 64 lines of 64 bytes, twice: 2 KB hold half of them.
  const Tracer of = tracer("kernel void k(constant int* table, global int* out) {\n"
                           "  int at = 0;\n"
                           "  for (int i = 0; i < 128; ++i)\n"
                           "    at = table[at];\n"
                           "  out[get_global_id(0)] = at;\n}\n");
  std::vector<int> next(1024);
  for (int i = 0; i < 1024; ++i)
    next[static_cast<unsigned>(i)] = (i + 16) % 1024;
  const TracedLaunch launch = launch_of({32, 1, 1}, {32, 1, 1}, {buffer(next), floats(32)});
  const auto waiting = [&] {
    const LaunchTrace trace = of.trace(launch, gpu.warps());
    const RunCount count = run(gpu, trace);
    const std::size_t read = trace.references[0].kind == Kind::Read ? 0 : 1;
    CHECK(count.references[read].misses == 128);
    return count.references[read].waiting;
  };
  const Cycles behind = waiting();
  gpu.constant_cache->again_cycles.reset(); // from L2
  const Cycles from_l2 = waiting();
  CHECK(from_l2 - behind == 64 * (34 + 250 - 104));
}

TEST_CASE("A scalar cache takes reads of one address, and the nearest cache all others") {
  const Gpu gpu = gpu_named("mi300x");
  const char* const text =
      "kernel void k(constant float* table, global float* out) {\n"
      "  const uint i = get_global_id(0);\n  out[i] = table[3] + table[i];\n}\n";
  const LaunchTrace trace =
      tracer(text).trace(launch_of({64, 1, 1}, {64, 1, 1}, {floats(64), floats(64)}), gpu.warps());
  const RunCount count = run(gpu, trace);
  REQUIRE(count.references.size() == 3);
  CHECK(count.references[0].transactions == 1);
  CHECK(count.references[1].transactions == 4); // 256 bytes in sectors of 64
  CHECK(count.caches.front().misses == 4 + 4);  // and those that are written
  // Where there is no such cache, constants are global memory.
  Gpu without = gpu;
  without.constant_cache.reset();
  CHECK(run(without, trace).caches.front().hits + run(without, trace).caches.front().misses == 9);
}

TEST_CASE("Several addresses of constant memory are told, with what global memory would save") {
  const Gpu gpu = gpu_named("h200");
  const LaunchTrace trace =
      cuda_tracer("__constant__ float table[64];\n"
                  "__global__ void k(float* out) {\n"
                  "  out[blockIdx.x * blockDim.x + threadIdx.x] = table[threadIdx.x % 32];\n}\n",
                  "k")
          .trace(launch_of({256, 1, 1}, {64, 1, 1}, {floats(256)}), gpu.warps());
  const CaseReport report = analyse(gpu, trace, "c", {});
  const auto warning = std::ranges::find(report.warnings, Warning::Kind::Constants, &Warning::kind);
  REQUIRE(warning != report.warnings.end());
  CHECK(warning->message ==
        "reads of 'table' want several addresses of constant memory: 248 of 256 "
        "transactions are extra");
  REQUIRE(warning->what_ifs.size() == 1);
  const WhatIf& what = report.what_ifs[warning->what_ifs.front()];
  CHECK(what.text == "'table' in global memory");
  CHECK(what.cycles == run(gpu, trace, {.as_global = what.change.object}).cycles);
  // Not of one address.
  const LaunchTrace uniform =
      cuda_tracer("__constant__ float table[64];\n"
                  "__global__ void k(float* out) {\n"
                  "  out[blockIdx.x * blockDim.x + threadIdx.x] = table[blockIdx.x];\n}\n",
                  "k")
          .trace(launch_of({256, 1, 1}, {64, 1, 1}, {floats(256)}), gpu.warps());
  CHECK(analyse(gpu, uniform, "c", {}).warnings.empty());
}

TEST_CASE("A structure of arrays is tried where neighbouring work-items are a structure apart") {
  const Gpu gpu = gpu_named("h200");
  const LaunchTrace trace =
      traced("typedef struct { float4 place; float weight; float rest[3]; } point;\n"
             "kernel void k(global const point* in, global float* out) {\n"
             "  const uint i = get_global_id(0);\n"
             "  out[i] = in[i].place.x * in[i].weight;\n}\n",
             launch_of({2048, 1, 1}, {64, 1, 1}, {floats(2048 * 8), floats(2048)}));
  const CaseReport report = analyse(gpu, trace, "c", {});
  const auto what = std::ranges::find_if(report.what_ifs,
                                         [](const WhatIf& one) { return one.change.element != 0; });
  REQUIRE(what != report.what_ifs.end());
  CHECK(what->text == "'in' as a structure of arrays, not an array of structures of 32 bytes");
  CHECK(what->cycles == run(gpu, trace, {.changes = {what->change}}).cycles);
  // What nobody reads are fields, too.
  CHECK(what->change.fields == std::vector<std::uint64_t>{0, 16, 20});
  // Of each warp 32 sectors of structures; of fields, 16 and 4 bytes of each work-item side by
  // side.
  CHECK(run(gpu, trace).references[0].transactions == 64 * 32);
  const RunCount changed = run(gpu, trace, {.changes = {what->change}});
  CHECK(changed.references[0].transactions == 64 * 16);
  CHECK(changed.references[1].transactions == 64 * 4);
}
