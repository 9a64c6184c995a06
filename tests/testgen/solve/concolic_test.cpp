// What traces say of kernels: decisions, their expressions and their places.
#include "tests/catch.h"
#include "tests/testgen/solve/traced_kernel.h"

using namespace gputest::testgen;
using namespace gputest::testgen::tests;

namespace {

std::string text_of(const Traced& traced, std::size_t event) {
  const std::vector<std::string> names = traced.unit_names();
  return gputest::testgen::text_of(traced.table, traced.events.at(event).label, names);
}

} // namespace

TEST_CASE("Scalars, elements and private variables") {
  Tracer tracer = tracer_of("kernel void k(global int* out, global const int* in, int n) {\n"
                            "  int i = get_global_id(0);\n"
                            "  int x = in[i] * 3 + n;\n"
                            "  if (x > 20)\n"
                            "    out[i] = 1;\n"
                            "}\n");
  const Traced traced =
      tracer.trace(line(3, 3), {buffer<int>({0, 0, 0}), buffer<int>({1, 5, 7}), value(2)});
  CHECK(traced.complete);
  REQUIRE(traced.events.size() == 3);
  check_events(traced);
  CHECK(path(traced, 0) == "4:false");
  CHECK(path(traced, 2) == "4:true");
  CHECK(text_of(traced, 1) == "(20 s< ((in[1] * 3) + n))");
  const TracedSite& site = (*traced.sites)[traced.events[0].site];
  CHECK(site.kind == TracedSite::Kind::Branch);
  CHECK(site.place.file == "/t.cl");
  CHECK((site.place.column == 7 || site.place.column == 9)); // "x", or from LLVM 22 on ">"
  CHECK(values<int>(traced.left[0]) == std::vector<int>{0, 0, 1});
}

TEST_CASE("Signed integers that overflow wrap around, as expressions say") {
  // With a barrier, more is optimised: the square is taken for positive, so the whole is compared
  // as unsigned numbers.
  Tracer tracer = tracer_of("kernel void k(global int* out, global const int* in, uchar p) {\n"
                            "  int x = in[0], y = in[1];\n"
                            "  barrier(CLK_GLOBAL_MEM_FENCE);\n"
                            "  out[0] = (y * y & x) > (4 & (int)p);\n"
                            "}\n");
  const Traced traced =
      tracer.trace(line(1, 1), {buffer<int>({0}), buffer<int>({-1724807094, -1724806810}),
                                value<std::uint8_t>(12)});
  REQUIRE(traced.events.size() == 1);
  check_events(traced);
  CHECK(values<int>(traced.left[0])[0] == 0);
}

TEST_CASE("Code that no input reaches is left out before steps are counted") {
  Tracer tracer = tracer_of("kernel void k(global int* out, int n) {\n"
                            "  int a = 96, b = 64;\n"
                            "  if (a < b)\n"
                            "    for (int i = 0; i < n; ++i) out[i & 1] ^= i;\n"
                            "  if (n > 3) out[0] = 1;\n"
                            "}\n");
  const Traced traced = tracer.trace(line(1, 1), {buffer<int>({0, 0}), value(5)});
  check_events(traced);
  CHECK(path(traced) == "5:true");
}

TEST_CASE("A call is printed with all of its operands") {
  Tracer tracer = tracer_of("kernel void k(global int* out, float x, float y) {\n"
                            "  if (pow(x, y) > 3.5f) out[0] = 1;\n"
                            "}\n");
  const Traced traced = tracer.trace(line(1, 1), {buffer<int>({0}), value(2.0f), value(3.0f)});
  REQUIRE(traced.events.size() == 1);
  CHECK(text_of(traced, 0) == "(3.5f < f0(x, y))");
}

TEST_CASE("What another work-item wrote keeps its expression across a barrier") {
  Tracer tracer = tracer_of("kernel void k(global int* out, global const int* in) {\n"
                            "  local int shared[4];\n"
                            "  int i = get_local_id(0);\n"
                            "  shared[i] = in[i] ^ 85;\n"
                            "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                            "  if (shared[3 - i] == 12345)\n"
                            "    out[i] = 1;\n"
                            "}\n");
  const Traced traced =
      tracer.trace(line(4, 4), {buffer<int>({0, 0, 0, 0}), buffer<int>({1, 2, 3, 4})});
  check_events(traced);
  REQUIRE(traced.events.size() == 4);
  CHECK(text_of(traced, 0) == "((in[3] ^ 85) == 12345)");
  CHECK(traced.events[3].item == 3);
}

TEST_CASE("Bytes, words and halves of one another") {
  Tracer tracer = tracer_of("typedef struct { uchar a; ushort b; uint c; ulong d; } S;\n"
                            "kernel void k(global uint* out, S s, global const uchar* in) {\n"
                            "  uint whole = in[0] | in[1] << 8 | in[2] << 16 | (uint)in[3] << 24;\n"
                            "  if (whole == 0x01020304u) out[0] = 1;\n"
                            "  if (*(global const uint*)(in + 4) == 7) out[1] = 1;\n"
                            "  if (as_uchar4(s.c).z == 9) out[2] = 1;\n"
                            "  if (s.d > 1ul << 40) out[3] = 1;\n"
                            "  if (s.b == s.a) out[4] = 1;\n"
                            "}\n");
  struct S {
    std::uint8_t a;
    std::uint16_t b;
    std::uint32_t c;
    std::uint64_t d;
  } const s{1, 2, 0x00090000, 5};
  const Traced traced =
      tracer.trace(line(1, 1), {buffer<std::uint32_t>(std::vector<std::uint32_t>(5)), value(s),
                                buffer<std::uint8_t>({4, 3, 2, 1, 7, 0, 0, 0})});
  CHECK(path(traced) == "4:true 5:true 6:true 7:false 8:false");
  check_events(traced);
}

TEST_CASE("Vectors, library functions and atomics") {
  Tracer tracer =
      tracer_of("kernel void k(global float4* out, global const float4* in, global uint* c) {\n"
                "  float4 v = in[0] * 2.0f + in[1].wzyx;\n"
                "  if (v.y > 3.0f) out[0] = v;\n"
                "  if (dot(v, v) > 100.0f) out[1] = v;\n"
                "  if (sin(v.x) > 0.5f) out[2] = v;\n"
                "  if (clamp(v.z, 0.0f, 1.0f) == 1.0f) out[3] = v;\n"
                "  uint old = atomic_add(c, 5u);\n"
                "  if (old == 3u) out[4] = v;\n"
                "  if (atomic_cmpxchg(c, 8u, 1u) == 8u) out[5] = v;\n"
                "  if (atomic_max(c, 2u) == 1u && *c == 2u) out[6] = v;\n"
                "  if (rotate(c[1], 5u) == 64u) out[7] = v;\n"
                "  if (mul_hi(c[1], 1u << 31) == 1u) out[7] = v;\n"
                "}\n");
  const Traced traced = tracer.trace(line(1, 1), {buffer<float>(std::vector<float>(32)),
                                                  buffer<float>({0.25f, 1, 2, 3, 1, 1, 1, 1}),
                                                  buffer<std::uint32_t>({3, 2})});
  CHECK(traced.result.findings.empty());
  CHECK(path(traced).starts_with("3:false 4:false 5:true 6:"));
  CHECK(path(traced).find("8:true") != std::string::npos);
  check_events(traced);
}

TEST_CASE("Switches and choices without branches") {
  Tracer tracer = tracer_of("kernel void k(global int* out, int x, int y) {\n"
                            "  switch (x) {\n"
                            "  case 3: out[0] = 1; break;\n"
                            "  case 70: out[0] = 2; break;\n"
                            "  default: out[0] = 3;\n"
                            "  }\n"
                            "  out[1] = y < 4;\n"
                            "  out[2] = select(x, y, y > x);\n"
                            "}\n");
  const Traced traced = tracer.trace(line(1, 1), {buffer<int>({0, 0, 0}), value(70), value(5)});
  check_events(traced);
  REQUIRE(!traced.events.empty());
  const TracedSite& site = (*traced.sites)[traced.events[0].site];
  CHECK(site.kind == TracedSite::Kind::Switch);
  CHECK(site.cases == std::vector<std::uint64_t>{3, 70});
  CHECK(traced.events[0].value == 70);
  CHECK(path(traced).find("7:false") != std::string::npos);
}

TEST_CASE("Addresses that depend on inputs, and small tables") {
  Tracer tracer = tracer_of("constant int table[4] = {5, 6, 7, 8};\n"
                            "kernel void k(global int* out, global const int* in, int i) {\n"
                            "  if (in[i] == 3) out[0] = 1;\n"
                            "  if (table[i & 3] == 8) out[0] = 2;\n"
                            "  out[i] = 4;\n"
                            "}\n");
  const Traced traced =
      tracer.trace(line(1, 1), {buffer<int>({0, 0, 0, 0}), buffer<int>({1, 2, 3, 4}), value(1)});
  check_events(traced);
  std::size_t written = 0;
  for (const Event& event : traced.events)
    if ((*traced.sites)[event.site].kind == TracedSite::Kind::Address) {
      const bool writes = (*traced.sites)[event.site].write;
      written += writes;
      if (event.object != Event::kNoObject)
        CHECK(event.value == 4);
    }
  CHECK(written == 1);
}

TEST_CASE("Sizes of the launch as inputs") {
  Tracer tracer = tracer_of("kernel void k(global int* out, int n) {\n"
                            "  if (get_global_size(0) > (size_t)n && get_num_groups(0) == 2)\n"
                            "    out[get_global_id(0)] = 1;\n"
                            "}\n",
                            true);
  const Traced traced =
      tracer.trace(line(4, 2), {buffer<int>({0, 0, 0, 0}), value(3)}, {.launch_sizes = true});
  check_events(traced);
  REQUIRE(!traced.events.empty());
  CHECK(text_of(traced, 0) == "(sext(n) < get_global_size(0))");
}

TEST_CASE("A traced launch that does not end makes the same steps each time") {
  Tracer tracer = tracer_of("kernel void k(volatile global int* out, int n, int way) {\n"
                            "  int x = n;\n"
                            "  while (out[0] >= 0) {\n"
                            "    ++out[0];\n"
                            "    if (way == 1)\n"
                            "      x = x * 3 + n;\n"
                            "  }\n"
                            "  if (x == 7)\n"
                            "    out[1] = x;\n"
                            "}\n");
  const std::vector<SymbolicRange> scalar{{.argument = 1, .offset = 0, .size = 4, .unit = 4}};
  for (const int way : {0, 1}) { // values without labels, and with them
    std::vector<int> iterations;
    for (int run = 0; run < 2; ++run) {
      Launch launch = line(1, 1);
      launch.steps = 100'000;
      const Traced traced =
          tracer.trace(launch, {buffer<int>({0, 0}), value(5), value(way)}, {.symbolic = scalar});
      REQUIRE(traced.result.fatal);
      CHECK(traced.result.findings.back().kind == "endless");
      CHECK(traced.result.findings.back().site.line >= 3);
      CHECK_FALSE(traced.late);
      iterations.push_back(values<int>(traced.left[0])[0]);
    }
    CHECK(iterations[0] == iterations[1]);
    CHECK((way == 0 ? iterations[0] > 99'000 : iterations[0] < 2'000));
  }
  Launch launch = line(1, 1);
  launch.limit = 0.01;
  const Traced traced = tracer.trace(launch, {buffer<int>({0, 0}), value(5), value(0)});
  CHECK(traced.result.fatal);
  CHECK(traced.late); // the clock has ended it
  Launch ends = line(1, 1);
  ends.steps = 2'000;
  CHECK_FALSE(tracer.trace(ends, {buffer<int>({-1, 0}), value(5), value(0)}).result.fatal);
}

TEST_CASE("Only values that an event is about have expressions, by way of memory as well") {
  struct Kept {
    const char* what;
    const char* line; // v is in[i] * 5 + 3, which no other event is about
    bool kept, outputs = false;
  };
  const Kept kepts[] = {
      {"an output", "out[i] = v;", false},
      {"an output that is wanted", "out[i] = v;", true, true},
      {"a decision", "if (v == 9) out[i] = 1;", true},
      {"a choice", "out[i] = v == 9 ? 4 : 5;", true},
      {"what is chosen", "out[i] = n == 9 ? v : 5;", false},
      {"a comparison", "out[i] = v == 9;", true},
      {"an address", "out[v & 7] = 1;", true},
      {"the address of a value that nobody asks for", "out[i] = in[v & 7];", true},
      {"a variable that is an output", "int own[8]; own[n & 7] = v; out[i] = own[n & 7];", false},
      {"a variable that decides", "int own[8]; own[n & 7] = v; if (own[i] == 9) out[i] = 1;", true},
      {"another variable than that which decides",
       "int own[8], other[8]; own[n & 7] = n; other[n & 7] = v; if (own[i] == 9) out[i] = 1;"
       " out[n & 7] = other[n & 7];",
       false},
      {"a copy that decides",
       "struct S { int a[8]; } own, copy; own.a[n & 7] = v; copy = own; if (copy.a[i] == 9)"
       " out[i] = 1;",
       true},
      {"one of two variables",
       "int a[8], b[8]; int* p = n > 3 ? a : b; p[i] = v; if (b[i] == 9) out[i] = 1;", true},
      {"__local memory that decides", "s[i] = v; barrier(1); if (s[7 - i] == 9) out[i] = 1;", true},
      {"__local memory that is an output", "s[i] = v; barrier(1); out[i] = s[7 - i];", false},
      {"another buffer than that which decides", "out[i] = v; if (in[i] == 9) out[i] = 1;", false},
      {"the same buffer", "out[i] = v; if (out[7 - i] == 9) out[i] = 1;", true},
      {"a sum of all that decides", "atomic_add(out, v); if (out[0] == 9) out[i] = 1;", true},
      {"a sum of all that is an output", "atomic_add(out, v);", false},
      {"what an exchange has written", "if (atomic_cmpxchg(out, 1, v) == 1) out[i] = 1;", true},
      {"a loop that does not end with it",
       "int t = 0; for (int j = 0; j < n; ++j) t += v;"
       " out[i] = t;",
       false},
      {"a loop that ends with it", "int t = 0; while (t < 40) t += v; out[i] = t;", true}};
  for (const Kept& kept : kepts) {
    INFO(kept.what << ": " << kept.line);
    Tracer tracer(
        {.name = "t.cl",
         .text = std::string("kernel void k(global int* out, global const int* in, int n) {\n"
                             "  local int s[8]; int i = get_local_id(0), v = in[i] * 5 + 3;\n") +
                 kept.line + "\n}\n",
         .cl_std = ""},
        "k", {.outputs = kept.outputs});
    const Traced traced = tracer.trace(
        line(8, 8), {buffer(std::vector<int>(8)), buffer<int>({1, 2, 3, 4, 5, 6, 7, 8}), value(2)},
        {.outputs = kept.outputs});
    CHECK(traced.result.findings.empty());
    CHECK(traced.complete);
    check_events(traced);
    bool is_there = false; // in[0] * 5
    for (Label label = 1; label < traced.table.end(); ++label)
      is_there = is_there || gputest::testgen::text_of(traced.table, label, traced.unit_names()) ==
                                 "(in[0] * 5)";
    CHECK(is_there == kept.kept);
  }
}

TEST_CASE("What a tracer was not made for is refused") {
  Tracer tracer = tracer_of("kernel void k(global int* out) { out[0] = 1; }");
  for (const TraceOptions& options : {TraceOptions{.launch_sizes = true}, {.outputs = true}})
    CHECK_THROWS_WITH(tracer.trace(line(1, 1), {buffer<int>({0})}, options),
                      gputest::tests::ContainsSubstring("make the Tracer for it"));
}
