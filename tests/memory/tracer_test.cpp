// Kernels whose transactions can be counted by hand, from the source to the model of an H200: lines
// of four sectors of 32 bytes, local memory of 32 banks.
#include "ir/error.h"
#include "tests/catch.h"
#include "tests/memory/traced.h"

#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <thread>
#include <unistd.h>

using namespace gputest;
using namespace gputest::memory;
using namespace gputest::memory::tests;
using gputest::tests::ContainsSubstring;
using Kind = Reference::Kind;

namespace {

const Gpu& h200() {
  static const Gpu gpu = gpu_named("h200");
  return gpu;
}

const char* const kTransposes = R"(
#ifndef PAD
#define PAD 0
#endif
kernel void k(global const float* in, global float* out) {
  local float tile[32][32 + PAD];
  const uint x = get_local_id(0), y = get_local_id(1), n = get_global_size(0);
  const uint left = get_group_id(0) * 32, top = get_group_id(1) * 32;
  tile[y][x] = in[(top + y) * n + left + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[(left + y) * n + top + x] = tile[x][y];
})";

// While it lives, kills the first processes that this one starts.
class Killer {
public:
  explicit Killer(unsigned kills) : left_(kills), thread_([this] { run(); }) {}
  Killer(const Killer&) = delete;
  Killer& operator=(const Killer&) = delete;
  ~Killer() {
    ended_ = true;
    thread_.join();
  }
  unsigned left() const { return left_; }

private:
  void run() {
    while (!ended_ && left_ > 0) {
      std::error_code gone;
      for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task", gone)) {
        std::ifstream children(thread.path() / "children");
        for (pid_t child = 0; left_ > 0 && children >> child;)
          if (child != last_ && ::kill(child, SIGKILL) == 0) {
            last_ = child;
            --left_;
          }
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }

  std::atomic<bool> ended_ = false;
  std::atomic<unsigned> left_;
  pid_t last_ = 0;
  std::thread thread_;
};

} // namespace

TEST_CASE("A tracer that others end is started again, and is never the kernel's fault") {
  const Tracer kernel = tracer("kernel void k(global volatile int* p) { for (int i = 0; i < "
                               "2000000; ++i) p[0] = p[0] + 1; }");
  TracedLaunch launch = launch_of({1, 1, 1}, {1, 1, 1}, {floats(1)});
  std::vector<std::byte> undisturbed, disturbed;
  kernel.trace(launch, {32}, &undisturbed);
  {
    const Killer killer(2);
    kernel.trace(launch, {32}, &disturbed);
    CHECK(killer.left() == 0);
    CHECK(disturbed == undisturbed);
  }
  const Killer killer(1000);
  CHECK_THROWS_AS(kernel.trace(launch, {32}), ir::SimulatorFailure);
}

TEST_CASE("A copy of neighbouring floats") {
  const LaunchTrace trace =
      traced("kernel void k(global const float* in, global float* out) { const size_t i = "
             "get_global_id(0); out[i] = in[i]; }",
             launch_of({256, 1, 1}, {64, 1, 1}, {floats(256), floats(256)}));
  CHECK(trace.group_count() == 4);
  CHECK(trace.warps.size() == 8);
  REQUIRE(trace.references.size() == 2);
  CHECK(trace.references[0].file == "k.cl");
  CHECK(trace.references[0].line == 1);
  check(counted(trace, h200(), Kind::Read, "in"), 8, 32, 32);
  check(counted(trace, h200(), Kind::Write, "out"), 8, 32, 32);
}

TEST_CASE("A copy of every eighth float takes a sector each") {
  const LaunchTrace trace =
      traced("kernel void k(global const float* in, global float* out) { const size_t i = "
             "get_global_id(0); out[i] = in[8 * i]; }",
             launch_of({64, 1, 1}, {64, 1, 1}, {floats(512), floats(64)}));
  check(counted(trace, h200(), Kind::Read, "in"), 2, 64, 8);
  check(counted(trace, h200(), Kind::Write, "out"), 2, 8, 8);
}

TEST_CASE("A broadcast takes one transaction") {
  const LaunchTrace trace =
      traced("kernel void k(global const float* in, global float* out) { const size_t i = "
             "get_global_id(0); out[i] = in[get_group_id(0)]; }",
             launch_of({64, 1, 1}, {32, 1, 1}, {floats(2), floats(64)}));
  check(counted(trace, h200(), Kind::Read, "in"), 2, 2, 2);
}

TEST_CASE("Transposing naively writes a line for each work-item") {
  const LaunchTrace trace = traced(
      "kernel void k(global const float* in, global float* out) { const uint x = get_global_id(0), "
      "y = get_global_id(1), n = get_global_size(0); out[x * n + y] = in[y * n + x]; }",
      launch_of({64, 64, 1}, {32, 32, 1}, {floats(4096), floats(4096)}));
  check(counted(trace, h200(), Kind::Read, "in"), 128, 512, 512);
  check(counted(trace, h200(), Kind::Write, "out"), 128, 4096, 512);
}

TEST_CASE("Transposing through tiles conflicts in the banks, 32-way, unless rows are padded") {
  const TracedLaunch launch = launch_of({64, 64, 1}, {32, 32, 1}, {floats(4096), floats(4096)});
  const LaunchTrace tiled = traced(kTransposes, launch);
  check(counted(tiled, h200(), Kind::Read, "in"), 128, 512, 512);
  check(counted(tiled, h200(), Kind::Write, "out"), 128, 512, 512);
  check(counted(tiled, h200(), Kind::Write, "tile"), 128, 128, 128);
  check(counted(tiled, h200(), Kind::Read, "tile"), 128, 4096, 128);
  const LaunchTrace padded = traced(std::string("#define PAD 1\n") + kTransposes, launch);
  check(counted(padded, h200(), Kind::Read, "tile"), 128, 128, 128);
}

TEST_CASE("A stride of two floats conflicts 2-way") {
  const LaunchTrace trace =
      traced("kernel void k(global float* out, local float* all) { const uint i = get_local_id(0); "
             "all[2 * i] = 1; out[i] = all[2 * i]; }",
             launch_of({32, 1, 1}, {32, 1, 1},
                       {floats(32), {.kind = ir::Parameter::Kind::Local, .local_bytes = 256}}));
  check(counted(trace, h200(), Kind::Write, "all"), 1, 2, 1);
}

TEST_CASE("Atomic updates of local memory take turns") {
  const LaunchTrace trace =
      traced("kernel void k(global uint* out) { local uint sum; if (get_local_id(0) == 0) sum = 0; "
             "barrier(CLK_LOCAL_MEM_FENCE); atomic_inc(&sum); barrier(CLK_LOCAL_MEM_FENCE); "
             "out[get_local_id(0)] = sum; }",
             launch_of({32, 1, 1}, {32, 1, 1}, {floats(32)}));
  check(counted(trace, h200(), Kind::Atomic, "sum"), 1, 32, 1);
  check(counted(trace, h200(), Kind::Write, "sum"), 1, 1, 1); // of one work-item
  check(counted(trace, h200(), Kind::Read, "sum"), 1, 1, 1);
}

TEST_CASE("Sides of a branch are instructions of their own, and all meet behind it") {
  const LaunchTrace trace =
      traced(R"(
kernel void k(global const float* a, global const float* b, global float* out) {
  const uint i = get_global_id(0);
  float x;
  if (i % 2 == 0)
    x = a[i];
  else
    x = b[i];
  out[i] = x;
})",
             launch_of({32, 1, 1}, {32, 1, 1}, {floats(32), floats(32), floats(32)}));
  const ReferenceCount even = counted(trace, h200(), Kind::Read, "a");
  check(even, 1, 4, 2);
  CHECK(even.work_items == 16);
  check(counted(trace, h200(), Kind::Read, "b"), 1, 4, 2);
  CHECK(counted(trace, h200(), Kind::Write, "out").work_items == 32);
}

TEST_CASE("Work-items that skip a part of an iteration are together in the next one") {
  const LaunchTrace trace = traced(R"(
kernel void k(global const int* skip, global const float* in, global float* out) {
  const uint i = get_global_id(0);
  float sum = 0;
  int round = 0;
  while (round < 4) {
    ++round;
    if (skip[i] == round)
      continue;
    sum += in[32 * round + i];
  }
  out[i] = sum;
})",
                                   launch_of({32, 1, 1}, {32, 1, 1},
                                             {buffer([] {
                                                std::vector<int> skips(32);
                                                for (int i = 0; i < 32; ++i)
                                                  skips[static_cast<unsigned>(i)] = i % 8;
                                                return skips;
                                              }()),
                                              floats(160), floats(32)}));
  const ReferenceCount reads = counted(trace, h200(), Kind::Read, "in");
  CHECK(reads.executions == 4);      // once in each iteration
  CHECK(reads.work_items == 4 * 28); // without the 4 that skip it
}

TEST_CASE("Loops of different lengths: who has left does not take part") {
  const LaunchTrace trace = traced(
      "kernel void k(global const float* in, global float* out) { const uint i = "
      "get_global_id(0); float sum = 0; for (uint j = 0; j <= i; ++j) sum += in[j]; out[i] = "
      "sum; }",
      launch_of({32, 1, 1}, {32, 1, 1}, {floats(32), floats(32)}));
  const ReferenceCount reads = counted(trace, h200(), Kind::Read, "in");
  check(reads, 32, 32, 32);
  CHECK(reads.work_items == 32 * 33 / 2);
  check(counted(trace, h200(), Kind::Write, "out"), 1, 4, 4);
}

TEST_CASE("Jumps into loops are followed as well") {
  const LaunchTrace trace = traced(R"(
kernel void k(global const float* in, global float* out) {
  const uint i = get_global_id(0);
  uint j = 0;
  float sum = 0;
  if (i % 2 == 0)
    goto inside;
again:
  sum += 1;
inside:
  sum += in[j * 32 + i];
  if (++j < 3)
    goto again;
  out[i] = sum;
})",
                                   launch_of({32, 1, 1}, {32, 1, 1}, {floats(96), floats(32)}));
  CHECK(counted(trace, h200(), Kind::Read, "in").work_items == 96);
  CHECK(counted(trace, h200(), Kind::Write, "out").executions == 1);
}

TEST_CASE("Vectors, structs, constants and functions are memory, small private arrays are not") {
  const LaunchTrace trace = traced(R"(
typedef struct { float a; int b; } pair;
constant float factors[4] = {1, 2, 3, 4};
float from(global const float4* v, uint i) { return v[i].x + v[i].w; }
kernel void k(global const float4* vectors, global pair* pairs) {
  const uint i = get_global_id(0);
  float mine[4];
  for (uint j = 0; j < 4; ++j)
    mine[j] = factors[(i + j) % 4];
  pair p = pairs[i];
  p.a = from(vectors, i) + mine[i % 4];
  pairs[i] = p;
})",
                                   launch_of({32, 1, 1}, {32, 1, 1}, {floats(128), floats(64)}));
  CHECK(counted(trace, h200(), Kind::Read, "vectors").transactions >= 16); // 512 bytes
  CHECK(counted(trace, h200(), Kind::Write, "pairs").transactions == 8);   // 256 bytes
  CHECK(counted(trace, h200(), Kind::Read, "factors").executions == 4);
  for (const Reference& reference : trace.references)
    CHECK(reference.in_registers == trace.objects.at(static_cast<unsigned>(reference.object)).own);
  CHECK(counted(trace, h200(), Kind::Read, "mine").executions == 0);
}

TEST_CASE("Pointers to one of several arrays are followed, also to one that nobody names") {
  // Each of 3 rounds reads one of the two and writes the other; 'second' is only ever `to` or
  // `from`.
  const LaunchTrace trace =
      traced(R"(
kernel void k(global const float* in, global float* out, local float* from, local float* to) {
  const uint i = get_local_id(0);
  from[i] = in[i];
  for (uint round = 0; round < 3; ++round) {
    barrier(CLK_LOCAL_MEM_FENCE);
    to[i] = from[63 - i];
    local float* const other = from;
    from = to;
    to = other;
  }
  out[i] = from[i];
})",
             launch_of({64, 1, 1}, {64, 1, 1},
                       {floats(64),
                        floats(64),
                        {.kind = ir::Parameter::Kind::Local, .local_bytes = 256},
                        {.kind = ir::Parameter::Kind::Local, .local_bytes = 256}}));
  const RunCount count = run(h200(), trace);
  std::uint64_t executions = 0, work_items = 0;
  for (std::size_t i = 0; i < trace.references.size(); ++i)
    if (trace.references[i].object < 0) {
      executions += count.references[i].executions;
      work_items += count.references[i].work_items;
    }
  CHECK(executions ==
        2 * (3 + 3 + 1)); // 2 warps: reads and writes of the rounds, and the last read
  CHECK(work_items == 64 * 7);
}

TEST_CASE("Groups that are no multiple of a warp have a warp that is not full") {
  const LaunchTrace trace =
      traced("kernel void k(global float* out) { out[get_global_id(0)] = 1; }",
             launch_of({80, 1, 1}, {40, 1, 1}, {floats(80)}));
  CHECK(trace.warps.size() == 4);
  check(counted(trace, h200(), Kind::Write, "out"), 4, 10, 10); // 128 and 32 bytes, twice
}

TEST_CASE("The same launch takes the same cycles again, however often") {
  const Tracer kernel = tracer(kTransposes);
  const TracedLaunch launch = launch_of({96, 96, 1}, {32, 32, 1}, {floats(9216), floats(9216)});
  for (const char* name : {"embedded", "h200"}) {
    const Gpu gpu = gpu_named(name);
    const LaunchTrace trace = kernel.trace(launch, {32}), again = kernel.trace(launch, {32});
    CHECK(trace.code == again.code);
    CHECK(run(gpu, trace).cycles == run(gpu, again).cycles);
  }
}

TEST_CASE("Kernels that fault, never end or cannot be traced are refused with the place") {
  const TracedLaunch one = launch_of({1, 1, 1}, {1, 1, 1}, {floats(1)});
  CHECK_THROWS_WITH(traced("kernel void k(global int* p) { p[1 << 28] = 1; }", one),
                    ContainsSubstring("k.cl:1:"));
  TracedLaunch short_one = one;
  short_one.limit = 0.2;
  CHECK_THROWS_AS(traced("kernel void k(global volatile int* p) { while (*p) ++p[0]; }", short_one),
                  ir::InputError);
  CHECK_THROWS_WITH(traced("kernel void k(global int* p) { if (get_local_id(0) == 0) "
                           "barrier(CLK_LOCAL_MEM_FENCE); p[0] = 1; }",
                           launch_of({2, 1, 1}, {2, 1, 1}, {floats(1)})),
                    ContainsSubstring("k.cl:1:58: error: "));
  TracedLaunch large = launch_of({1024, 1, 1}, {64, 1, 1}, {floats(1024)});
  large.most_bytes = 100;
  CHECK_THROWS_WITH(
      traced("kernel void k(global float* p) { p[get_global_id(0) * 17 % 1024] = 1; }", large),
      ContainsSubstring("give a smaller case"));
  for (const std::size_t width : {std::size_t{1} << 23, std::size_t{1} << 62})
    CHECK_THROWS_WITH(traced("kernel void k(global float* p) { p[0] = 1; }",
                             launch_of({width, 4, 1}, {64, 1, 1}, {floats(1)})),
                      ContainsSubstring("work-items, and at most 16777216 are modelled; give a "
                                        "smaller case"));
  CHECK_THROWS_WITH(traced("kernel void k(global float* p) { p[0] = 1 }", one),
                    ContainsSubstring("k.cl:1:"));
  CHECK_THROWS_WITH(traced("kernel void k(global float* p, int n) { p[0] = n; }", one),
                    ContainsSubstring("has 2 arguments, and 1 are given"));
}

namespace {

// What the first warp does, such as "b b! a a! c=": a load of b, the wait for its last value, a
// load of a, and a write to c. "<": the value before the last; "~" and "0": loops that are unrolled
// and unwound.
std::string overlaps_of(const std::string& text) {
  std::vector<GivenArgument> arguments{floats(1024), buffer(std::vector<int>(1024, 3)),
                                       floats(1024), value(3)};
  const LaunchTrace trace =
      traced("kernel void k(global float* a, global const int* b, global float* c, int n) {\n"
             "const int i = get_global_id(0); local float t[64];\n" +
                 text + "}",
             launch_of({32, 1, 1}, {32, 1, 1}, std::move(arguments)));
  std::string steps;
  WarpEvent event;
  for (WarpReader reader(trace, trace.warps.front()); reader.next(event);) {
    if (event.kind == WarpEvent::Kind::Compute)
      continue;
    steps += steps.empty() ? "" : " ";
    if (event.kind == WarpEvent::Kind::Barrier) {
      steps += "|";
      continue;
    }
    const Reference& reference = trace.references[event.reference];
    steps += trace.objects[static_cast<unsigned>(reference.object)].name;
    if (event.kind == WarpEvent::Kind::Wait)
      steps += "!<~0"[static_cast<unsigned>(event.need)];
    else if (reference.kind == Kind::Write)
      steps += "=";
  }
  return steps;
}

} // namespace

TEST_CASE("A warp waits for a load where an instruction needs the value") {
  CHECK(overlaps_of("c[i] = a[i] + b[i];") == "a b a! b! c=");
  CHECK(overlaps_of("float x = a[i], y = a[i + 32]; c[i] = x; c[i + 32] = y;") ==
        "a a a! c= a! c=");
  CHECK(overlaps_of("c[i] = a[b[i]];") == "b b! a a! c=");
  CHECK(overlaps_of("c[i] = 2; a[i + 64] = b[i];") == "c= b b! a=");
  CHECK(overlaps_of("if (b[i] > 2) c[i] = 1;") == "b b! c=");
  CHECK(overlaps_of("float4 v = vload4(i, a); c[i] = v.x + v.w;") == "a a! c=");
  // What the block computes with a value is waited for at its end.
  CHECK(overlaps_of("float x = a[i] * 2; float y = a[i + 32]; barrier(CLK_LOCAL_MEM_FENCE); "
                    "c[i] = x + y;") == "a a | a! a! c=");
}

TEST_CASE("Loads of a loop without branches, barriers and writes to what it reads overlap") {
  const std::string sum = "float s = 0; for (int k = 0; k < ";
  CHECK(overlaps_of(sum + "n; ++k) s += a[i + k]; c[i] = s;") == "a a~ a a~ a a~ a! c=");
  CHECK(overlaps_of(sum + "3; ++k) s += a[i + k]; c[i] = s;") == "a a0 a a0 a a0 a! c=");
  CHECK(overlaps_of(sum + "3; ++k) { barrier(CLK_LOCAL_MEM_FENCE); s += a[i + k]; } c[i] = s;") ==
        "| a a! | a a! | a a! c=");
  CHECK(overlaps_of(sum + "n; ++k) if (k != 1) s += a[i + k]; c[i] = s;") == "a a! a a! c=");
  CHECK(overlaps_of(sum + "n; ++k) { s += a[i + k]; c[i + k] = k; } c[i] = s;") ==
        "a c= a! a c= a! a c= a! c=");
  CHECK(overlaps_of(sum + "n; ++k) t[i] = a[i + k];") == "a a~ t= a a~ t= a a~ t=");
  // Each iteration stores what the one before it has loaded. In the first one, there is no earlier
  // value of that load, so nobody waits for it.
  CHECK(overlaps_of("float x = a[i]; for (int k = 1; k < n; ++k) { float y = a[i + k]; "
                    "c[i + k] = x; x = y; }") == "a a a! a< c= a a< c=");
}

TEST_CASE("Loops that a GPU's compiler unrolls take fewer instructions, and others do not") {
  // Instructions of a warp for each of 64 iterations more.
  const auto more = [](const std::string& body, std::size_t unrolled, Division division = {}) {
    const Tracer kernel = tracer("kernel void k(global const float* a, global float* c, uint n) {\n"
                                 "float x = 1; for (uint i = 0; i < n; ++i)" +
                                 body + "c[get_global_id(0)] = x; }");
    const auto instructions = [&](unsigned n) {
      return run(h200(), kernel.trace(launch_of({32, 1, 1}, {32, 1, 1},
                                                {floats(1024), floats(1024), value(n)}),
                                      {.size = 32, .unrolled = unrolled, .division = division}))
          .instructions;
    };
    return static_cast<double>(instructions(72) - instructions(8)) / 64;
  };
  const char* const multiply = "x = x * 0.5f + 1;";
  const double all = more(multiply, 1), unrolled = more(multiply, 4);
  CHECK(unrolled < 2.5);
  CHECK(all > unrolled + 1.5);
  // n / 7 does not change.
  CHECK(more("x += n / 7 * x;", 4) == more("x += n * x;", 4));
  // A loop with two ways is not unrolled.
  const char* const two_ways = "if (x > 2) x = x * 0.5f; else x += 3;";
  CHECK(more(two_ways, 4) == more(two_ways, 1));
  // Divisions of 17 instructions, 8 of them for the divisor alone.
  const auto divides = [&](const std::string& body) {
    return more(body, 4, {.instructions = 17, .divisor = 8}) - more(body, 4);
  };
  CHECK(divides("x += i * 3 % n;") == 8);
  CHECK(divides("x += i * 3 % n + i * 5 % n;") == 16);
  CHECK(divides("x += n % (i | 1);") == 16);
  CHECK(divides("x += i * 3 % 7;") == 0);
}
