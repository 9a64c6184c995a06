// Time that is given is kept, wherever a kernel is slow.
#include "tests/catch.h"
#include "tests/environment.h"
#include "tests/random_count.h"

#include "model/clock.h"
#include "tests/testgen/kernel_files.h"

#include <chrono>
#include <fmt/format.h>

using namespace gputest::testgen;
using namespace gputest::testgen::tests;
using gputest::tests::ContainsSubstring;

namespace {

constexpr double kBudget = 0.6;
// Beyond it: what cases record, and a machine that does other things as well. What ignores the time
// takes tens of seconds with each of these kernels.
constexpr double kMore = 4;

struct Timed {
  Generated generated;
  double seconds = 0;
};

Timed timed(const Target& kernel, const Folder& folder) {
  Settings given = settings(folder);
  given.seconds = kBudget;
  const auto begin = std::chrono::steady_clock::now();
  Timed result{generate(kernel, given, {}), 0};
  result.seconds = gputest::seconds_since(begin);
  return result;
}

// A kernel that takes a minute to compile.
Target large(const Folder& folder, bool mutants) {
  std::string text = "#define A(x) s = s * 31 + in[(s + (x)) & 7]; if (s == (x)) s ^= in[s & 7];\n"
                     "#define B(x) A(x) A(x + 1) A(x + 2) A(x + 3) A(x + 4) A(x + 5) A(x + 6)\n"
                     "kernel void large(global int* out, global const int* in) {\n"
                     "  int s = get_global_id(0);\n";
  for (int i = 0; i < 100; ++i)
    text += fmt::format("  B({})\n", 8 * i);
  text += "  out[get_global_id(0)] = s;\n}\n";
  gputest::model::write_atomically(folder.path / "large.cl", text);
  gputest::passes::SourceOptions options;
  options.file = (folder.path / "large.cl").string();
  options.source_root = folder.path.string();
  return targets_of(options, "", mutants, Deadline::after(0.1)).front();
}

} // namespace

TEST_CASE("A kernel whose launches, conditions or cases take long takes no longer than it may") {
  for (const char* name : {"launching", "solving", "shrinking"})
    for (const bool mutants : {false, true}) {
      // Short runs have each kernel once: what solving takes is another share with mutants.
      if (!gputest::tests::asked_random_count() && mutants == (name == std::string("solving")))
        continue;
      INFO(name << (mutants ? " with mutants" : ""));
      const Folder folder;
      const Timed result = timed(target("slow.cl", name, mutants), folder);
      CHECK(result.seconds < kBudget + kMore);
      CHECK(result.generated.reached + result.generated.open.size() +
                result.generated.impossible.size() ==
            result.generated.goals.size());
    }
}

TEST_CASE("A kernel that takes long to compile takes no longer than it may") {
  const Folder code, folder;
  const gputest::tests::Environment environment({{"GPUTEST_CACHE_DIR", code.path}});
  const Timed result = timed(large(code, true), folder);
  CHECK(result.seconds < kBudget + kMore);
  CHECK(result.generated.written.empty());
  REQUIRE_FALSE(result.generated.open.empty());
  CHECK_THAT(result.generated.open.front().why, ContainsSubstring("compiling the kernel"));
}
