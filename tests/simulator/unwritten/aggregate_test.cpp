// Copies of structs, vectors and arrays: each one of which a part is not written, or that is at a
// byte which its type does not allow, is reported at its line, and no other is.
#include "tests/catch.h"
#include "tests/random_count.h"
#include "tests/simulator/unwritten/aggregate_kernel.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

using namespace gputest::simulator::tests;

namespace {

void check_aggregate(const AggregateKernel& kernel, const char* kind, std::uint64_t seed) {
  INFO("seed " << seed << "\n" << kernel.runs.front().text);
  const std::vector<Ran> all = run_all(kernel.runs);
  for (std::size_t i = 0; i < all.size(); ++i) {
    INFO("run " << i);
    const unsigned line = kernel.line[i];
    CHECK(all[i].findings() == (line ? kind + (" " + std::to_string(line)) + "\n" : ""));
  }
}

} // namespace

TEST_CASE("Random aggregates of which a part is not written") {
  for (const bool cuda : {false, true})
    for (const std::uint64_t seed : gputest::tests::random_seeds(cuda ? 6 : 16))
      check_aggregate(copied_aggregate(seed, cuda), "uninitialized", seed);
}

TEST_CASE("Random aggregates at bytes that their types do not allow") {
  for (const bool cuda : {false, true})
    for (const std::uint64_t seed : gputest::tests::random_seeds(cuda ? 4 : 10))
      check_aggregate(placed_aggregate(seed, cuda), "misaligned", seed);
}

TEST_CASE("Arguments by value of every shape are written") {
  // Each has 16 bytes. The expression is the sum of all of them, or of some.
  struct Shape {
    const char *type, *sum;
    int expected;
  };
  constexpr std::array<std::uint32_t, 4> kWords{1, 2, 3, 4};
  const Shape shapes[] = {
      {"struct { int a[4]; }", "v.a[0] + v.a[3]", 5},
      {"union { uint words[4]; uchar bytes[16]; }", "v.words[1] + v.bytes[12]", 6},
      {"union { double first; int words[4]; }", "v.words[2]", 3},
      {"struct { union { uint bits; float number; } key; int more[3]; }", "v.key.bits + v.more[2]",
       5},
      {"struct { int count; union { uint bits; uchar bytes[4]; } more[3]; }",
       "v.count + v.more[1].bytes[0]", 4},
      {"struct { struct { char c; int i; } inner[2]; }", "v.inner[0].c + v.inner[1].i", 5},
      {"struct { int3 v3; }", "v.v3.x + v.v3.z", 4}};
  for (const Shape& shape : shapes)
    for (const std::vector<std::string>& checks : std::vector<std::vector<std::string>>{
             {}, {"uninitialized"}, {"bounds", "uninitialized"}}) {
      INFO(shape.type << " " << checks.size());
      const Ran ran =
          run({.text = "typedef " + std::string(shape.type) +
                       " given;\nint sum(given v) { return " + shape.sum +
                       "; }\nkernel void k(global int* out, given v, global int* to) {\n"
                       "  given copy = v;\n  *to = sum(copy);\n  *out = sum(v);\n}\n",
               .arguments = {buffer<int>({0}), value(kWords), buffer<int>({0})},
               .checks = checks});
      CHECK(ran.findings() == "");
      CHECK(ran.values<int>(0) == std::vector<int>{shape.expected});
      CHECK(ran.values<int>(2) == std::vector<int>{shape.expected});
    }
}
