// Test generation: what branches promise, and that a strategy with a solver goes where random
// inputs do not.
#include "memory/analysis.h"
#include "memory/generate/generate.h"
#include "memory/generate/reach.h"
#include "memory/generate/time.h"
#include "memory/kernel.h"
#include "model/interface.h"
#include "tests/catch.h"
#include "tests/memory/traced.h"
#include "tests/temporary_folder.h"

#include <filesystem>
#include <fmt/format.h>
#include <numeric>
#include <set>
#include <utility>

using namespace gputest;
using namespace gputest::memory;
using namespace gputest::memory::tests;
using gputest::tests::ContainsSubstring;
namespace fs = std::filesystem;

namespace {

// 64 work-items, of which one may write elsewhere.
const char* const kSeldom = "kernel void k(global const int* in, global int* out) {\n"
                            "  const uint i = get_global_id(0);\n"
                            "  const int value = in[i];\n"
                            "  if (value == 123456789)\n"
                            "    out[i * 16] = 1;\n"
                            "  else\n"
                            "    out[i] = 2;\n"
                            "}\n";

class Generating {
public:
  explicit Generating(const std::string& text, const TracedLaunch& first) : first_(first) {
    frontend::SourceOptions options;
    options.file = folder_.write("k.cl", text).string();
    kernel_ = kernel_of(options, "k");
    target_ = testgen::targets_of(options, "k").at(0);
    tracer_.emplace(kernel_.source, "k");
  }

  testgen::Constraints constraints;
  Generated run(Strategy strategy, std::size_t executions, std::uint64_t seed = 1,
                WorstBy worst_by = WorstBy::Cycles) const {
    return generate(
        kernel_.source, target_, constraints, *tracer_, first_, gpu_named("embedded"),
        {.strategy = strategy, .executions = executions, .seed = seed, .worst_by = worst_by});
  }
  const testgen::Target& target() const { return target_; }
  const Tracer& tracer() const { return *tracer_; }

private:
  gputest::tests::TemporaryFolder folder_;
  TracedLaunch first_;
  Kernel kernel_;
  testgen::Target target_;
  std::optional<Tracer> tracer_;
};

TracedLaunch seldom_launch() {
  return launch_of({64, 1, 1}, {64, 1, 1},
                   {buffer(std::vector<int>(64)), buffer(std::vector<int>(1024))});
}

std::size_t runs(const Generated& generated) {
  return static_cast<std::size_t>(std::ranges::count(generated.run, true));
}

} // namespace

TEST_CASE("A side of a branch promises what only it accesses and does not surely hit") {
  const Tracer kernel = tracer("kernel void k(global const int* in, global int* out) {\n"
                               "  const uint i = get_global_id(0);\n"
                               "  if (in[i] > 5) {\n"
                               "    out[i] = 1;\n"
                               "    out[i + 512] = in[i];\n"
                               "  }\n"
                               "  out[i + 256] = 3;\n"
                               "}\n");
  const TracedLaunch launch = launch_of(
      {64, 1, 1}, {64, 1, 1}, {buffer(std::vector<int>(64)), buffer(std::vector<int>(1024))});
  const Reach reach(kernel.static_kernel(), kernel.classify(launch, gpu_named("embedded")));
  std::uint64_t taken = 0, passed = 0;
  for (const StaticBlock& block : kernel.static_kernel().blocks)
    if (block.line == 3) {
      taken = reach.of(block.file, 3, block.column, true).misses;
      passed = reach.of(block.file, 3, block.column, false).misses;
    }
  CHECK(taken == 2); // in[i] surely hits the second time
  CHECK(passed == 0);
  CHECK(reach.of("k.cl", 99, 1, true) == Promise{});
}

TEST_CASE("Who solves conditions runs references that random inputs do not") {
  const Generating seldom(kSeldom, seldom_launch());
  CHECK(runs(seldom.run(Strategy::Random, 20)) == 2);
  for (const Strategy strategy : {Strategy::Guided, Strategy::SymbolicRandom}) {
    const Generated found = seldom.run(strategy, 20);
    CHECK(runs(found) == 3);
    CHECK(found.solved > 0);
    CHECK(found.executions <= 20 + 3); // a solved input is run under several schedules
    REQUIRE(!found.cases.empty());
    CHECK(std::ranges::is_sorted(found.cases, std::greater{}, &FoundCase::lost));
  }
}

TEST_CASE("Guided comes to inputs that random ones do not") {
  // A work-item with a 7 updates a line of its own. An eighth of them has one by chance.
  const std::string text = "kernel void k(global const int* flags, global int* out) {\n"
                           "  const uint i = get_global_id(0);\n"
                           "  if (flags[i] == 7)\n"
                           "    out[i * 16] += 1;\n"
                           "}\n";
  Generating spread(text,
                    launch_of({64, 1, 1}, {64, 1, 1},
                              {buffer(std::vector<int>(64)), buffer(std::vector<int>(1024))}));
  spread.constraints.add_argument(spread.target(), "flags:range(0,7)");
  const Generated guided = spread.run(Strategy::Guided, 80),
                  random = spread.run(Strategy::Random, 80);
  CHECK(guided.cases.front().lost > random.cases.front().lost);
  const std::string what = spread.run(Strategy::Guided, 12).cases.front().condition;
  CHECK_THAT(what, ContainsSubstring("'flags' brings all 64 decisions at "));
  CHECK_THAT(what, ContainsSubstring("k.cl:3:7 to true"));
}

TEST_CASE("The same seed finds the same") {
  const Generating seldom(kSeldom, seldom_launch());
  const Generated one = seldom.run(Strategy::Guided, 12, 3),
                  other = seldom.run(Strategy::Guided, 12, 3);
  REQUIRE(one.cases.size() == other.cases.size());
  for (std::size_t i = 0; i < one.cases.size(); ++i) {
    CHECK(one.cases[i].cycles == other.cases[i].cycles);
    CHECK(one.cases[i].condition == other.cases[i].condition);
  }
}

TEST_CASE("Generated inputs obey what is said of them, and those that fail are left out") {
  const std::string text = "kernel void k(global const int* in, global int* out) {\n"
                           "  out[in[get_global_id(0)]] = 1;\n"
                           "}\n";
  Generating scatter(text, seldom_launch());
  CHECK_THROWS_AS(scatter.constraints.add_argument(scatter.target(), "nobody:range(0,3)"),
                  testgen::ExpressionError);
  scatter.constraints.add_argument(scatter.target(), "in:range(100,103)");
  const Generated found = scatter.run(Strategy::Random, 5);
  CHECK(found.faulty == 0);
  REQUIRE(!found.cases.empty());
  for (const FoundCase& one : found.cases)
    for (std::size_t i = 0; i < 64; ++i) {
      int value = 0;
      std::memcpy(&value, one.launch.arguments[0].bytes.data() + 4 * i, 4);
      CHECK((value >= 100 && value <= 103));
    }
}

TEST_CASE("Where inputs make no difference schedules alone are looked for") {
  const Generating copy("kernel void k(global const int* in, global int* out) {\n"
                        "  out[get_global_id(0)] = in[get_global_id(0)];\n"
                        "}\n",
                        seldom_launch());
  const Generated found = copy.run(Strategy::Guided, 5);
  CHECK(found.note == "no decision and no address depends on what buffers hold");
  CHECK(found.executions == 5);
  CHECK(runs(found) == 2);
}

TEST_CASE("Guided chooses addresses that depend on buffers, and says what its input does") {
  // A hash table, all of whose places are 0, is searched from a place that the key chooses.
  const std::string text =
      "kernel void k(global const uint* keys, global const uint* table, global uint* out) {\n"
      "  const uint i = get_global_id(0);\n"
      "  uint n = 0;\n"
      "  while (n < 4 && table[(keys[i] * 7 + n) % 8192] != keys[i])\n"
      "    ++n;\n"
      "  out[i] = n;\n"
      "}\n";
  const TracedLaunch first =
      launch_of({128, 1, 1}, {32, 1, 1},
                {buffer(std::vector<std::uint32_t>(128, 9)),
                 buffer(std::vector<std::uint32_t>(8192)), buffer(std::vector<int>(128))});
  Generating probe(text, first);
  probe.constraints.add_argument(probe.target(), "keys:range(0,8191)");
  const Generated guided = probe.run(Strategy::Guided, 40),
                  random = probe.run(Strategy::Random, 40);
  CHECK(guided.faulty == 0);
  CHECK(guided.cases.front().lost >= random.cases.front().lost * 21 / 20);
  CHECK(std::ranges::any_of(guided.cases, [](const FoundCase& one) {
    return one.condition.find("k.cl:4:") != std::string::npos &&
           one.condition.find(" accesses to 'table' at ") != std::string::npos;
  }));
  CHECK(random.cases.front().condition.empty());
  // What is said of keys holds, and where they can have one value only, no address is chosen.
  Generating narrow(text, first);
  narrow.constraints.add_argument(narrow.target(), "keys:range(8,40)");
  for (const FoundCase& one : narrow.run(Strategy::Guided, 8).cases)
    for (std::size_t i = 0; i < 128; ++i) {
      std::uint32_t key = 0;
      std::memcpy(&key, one.launch.arguments[0].bytes.data() + 4 * i, 4);
      CHECK((key >= 8 && key <= 40));
    }
  Generating fixed(text, first);
  fixed.constraints.add_argument(fixed.target(), "keys:values(9)");
  for (const FoundCase& one : fixed.run(Strategy::Guided, 8).cases)
    CHECK_THAT(one.condition, !ContainsSubstring("accesses to"));
}

TEST_CASE("Guided loses as many cycles as the worst of all inputs") {
  // Each key chooses one of four banks of DRAM, and the warps are on four cores.
  const std::string text = "kernel void k(global const uint* keys, global uint* out) {\n"
                           "  const uint i = get_global_id(0);\n"
                           "  out[keys[i] * 2048 + i * 16] = 1;\n"
                           "}\n";
  const auto launch = [](const std::vector<std::uint32_t>& keys) {
    return launch_of({3, 1, 1}, {1, 1, 1},
                     {buffer(keys), buffer(std::vector<std::uint32_t>(4 * 2048))});
  };
  Generating banks(text, launch({0, 1, 2}));
  banks.constraints.add_argument(banks.target(), "keys:range(0,3)");
  const Gpu gpu = gpu_named("embedded");
  Cycles most = 0;
  for (std::uint32_t all = 0; all < 4 * 4 * 4; ++all)
    most = std::max(most, memory::run(gpu,
                                      banks.tracer().trace(launch({all % 4, all / 4 % 4, all / 16}),
                                                           gpu.warps()),
                                      {.monitor = true})
                              .lost);
  CHECK(most > 0);
  const FoundCase worst = banks.run(Strategy::Guided, 24).cases.front();
  CHECK(worst.lost >= most); // guided also chooses schedules
  CHECK_THAT(worst.condition, ContainsSubstring("'keys' brings all 3 accesses to 'out' at "));
  CHECK_THAT(worst.condition,
             ContainsSubstring("k.cl:3:32 to one of 4 banks of DRAM (3 different lines, 1.0 of a "
                               "warp at a time)"));
}

TEST_CASE("Guided brings a warp to few lines where those of all warps are the most that miss") {
  // The table fills the cache of the one core. With 32 lines a warp by itself waits as often as all
  // warps together; with 8 lines, each warp misses others than the warps before.
  const std::string text = "kernel void k(global const uint* keys, global const uint* table,\n"
                           "              global uint* out) {\n"
                           "  out[get_local_id(0)] = table[keys[get_local_id(0)]];\n"
                           "}\n";
  const auto launch = [](const std::vector<std::uint32_t>& keys) {
    return launch_of({256, 1, 1}, {256, 1, 1},
                     {buffer(keys), buffer(std::vector<std::uint32_t>(1024)),
                      buffer(std::vector<std::uint32_t>(256))});
  };
  Generating gather(text, launch(std::vector<std::uint32_t>(256)));
  gather.constraints.add_argument(gather.target(), "keys:range(0,1023)");
  const Gpu gpu = gpu_named("embedded");
  const auto share_with = [&](std::uint32_t lines_of_warp) {
    std::vector<std::uint32_t> keys(256);
    for (std::uint32_t i = 0; i < 256; ++i)
      keys[i] = (i / 32 * lines_of_warp + i % lines_of_warp) % 64 * 16 + i % 16;
    const RunCount count =
        memory::run(gpu, gather.tracer().trace(launch(keys), gpu.warps()), {.monitor = true});
    return share(count.lost, count.cycles);
  };
  CHECK(share_with(8) > share_with(32));
  CHECK(share_with(8) > share_with(1));
  const FoundCase worst = gather.run(Strategy::Guided, 120, 1, WorstBy::Share).cases.front();
  CHECK(worst.share() >= share_with(8));
  CHECK(gather.run(Strategy::Random, 120, 1, WorstBy::Share).cases.front().share() < share_with(8));
  // The report says what this input does.
  std::set<std::uint32_t> lines;
  std::set<std::pair<std::size_t, std::uint32_t>> of_warps;
  for (std::size_t i = 0; i < 256; ++i) {
    std::uint32_t key = 0;
    std::memcpy(&key, worst.launch.arguments[0].bytes.data() + 4 * i, 4);
    lines.insert(key / 16);
    of_warps.emplace(i / 32, key / 16);
  }
  CHECK(of_warps.size() < 8 * 32);
  CHECK_THAT(worst.condition, ContainsSubstring("'keys' brings all 256 accesses to 'table' at "));
  CHECK_THAT(worst.condition,
             ContainsSubstring(fmt::format("{} different lines, {:.1f} of a warp", lines.size(),
                                           static_cast<double>(of_warps.size()) / 8)) ||
                 ContainsSubstring(fmt::format("{} lines, {:.1f} of a warp", lines.size(),
                                               static_cast<double>(of_warps.size()) / 8)));
}

TEST_CASE("Guided chooses addresses that depend on many elements") {
  // A table of 64 elements is an expression of all of them; the address is a sum of six.
  const std::string text = "kernel void k(global const uint* in, global uint* out) {\n"
                           "  const uint i = get_global_id(0);\n"
                           "  uint sum = 0;\n"
                           "  for (uint k = 0; k < 6; ++k)\n"
                           "    sum += in[k * 32 + i];\n"
                           "  out[sum % 8192] = 1;\n"
                           "}\n";
  Generating sums(text, launch_of({32, 1, 1}, {32, 1, 1},
                                  {buffer(std::vector<std::uint32_t>(192)),
                                   buffer(std::vector<std::uint32_t>(8192))}));
  sums.constraints.add_argument(sums.target(), "in:range(0,4000)");
  bool brought = false;
  for (const FoundCase& one : sums.run(Strategy::Guided, 24).cases)
    brought = brought || one.condition.starts_with("'in' brings all 32 accesses to 'out' at ");
  CHECK(brought);
}

TEST_CASE("All inputs that a strategy finds obey what is required") {
  const std::string text = "kernel void k(global const uint* to, global uint* out) {\n"
                           "  out[to[get_global_id(0)] * 16] = 1;\n"
                           "}\n";
  std::vector<std::uint32_t> numbers(64);
  std::iota(numbers.begin(), numbers.end(), 0);
  Generating scatter(text, launch_of({64, 1, 1}, {64, 1, 1},
                                     {buffer(numbers), buffer(std::vector<std::uint32_t>(1024))}));
  scatter.constraints.add_argument(scatter.target(), "to:range(0,63)");
  scatter.constraints.add_requirement(scatter.target(), "ascending(to)");
  for (const Strategy strategy : {Strategy::Guided, Strategy::SymbolicRandom, Strategy::Random}) {
    const Generated found = scatter.run(strategy, 12);
    CHECK(found.faulty == 0);
    CHECK(found.cases.size() > 1);
    for (const FoundCase& one : found.cases)
      CHECK(!broken_requirement(scatter.constraints, scatter.target(), one.launch));
  }
  std::ranges::reverse(numbers);
  CHECK(broken_requirement(
            scatter.constraints, scatter.target(),
            launch_of({64, 1, 1}, {64, 1, 1}, {buffer(numbers), buffer(std::vector<int>(1024))})) ==
        "ascending(to)");
}

TEST_CASE("The search leaves time for reports, and keeps half of the budget") {
  const TimeForCases time{.budget = 5, .of_report = 0.25};
  CHECK(time.of_search(0.25, 5) == 4);
  CHECK(time.of_search(0, 0) == 5);
  CHECK(time.of_search(0.25, 100) == 2.5);
  CHECK_FALSE(time.is_over(5.5));
  CHECK(time.is_over(5.6));
}

TEST_CASE("The worst case loses most cycles, or the largest share of its own") {
  const std::string text = "kernel void k(global const uint* steps, global uint* out) {\n"
                           "  for (uint k = 0; k < steps[get_group_id(0)]; ++k)\n"
                           "    out[get_global_id(0) * 16] += k;\n"
                           "}\n";
  Generating loops(text, launch_of({128, 1, 1}, {64, 1, 1},
                                   {buffer(std::vector<std::uint32_t>(2)),
                                    buffer(std::vector<std::uint32_t>(2048))}));
  loops.constraints.add_argument(loops.target(), "steps:range(0,40)");
  const auto cycles = loops.run(Strategy::Random, 24).cases,
             share = loops.run(Strategy::Random, 24, 1, WorstBy::Share).cases;
  CHECK(std::ranges::is_sorted(cycles, std::greater{}, &FoundCase::lost));
  CHECK(std::ranges::is_sorted(share, std::greater{}, &FoundCase::share));
  CHECK(cycles.front().lost > share.front().lost);
  CHECK(cycles.front().share() < share.front().share());
}

TEST_CASE("Strategies have names") {
  for (const Strategy strategy : {Strategy::Guided, Strategy::SymbolicRandom, Strategy::Random})
    CHECK(strategy_named(std::string(name_of(strategy))) == strategy);
  CHECK_THROWS_WITH(strategy_named("clever"),
                    ContainsSubstring("--strategy 'clever' is none of guided, symbolic-random, "
                                      "random"));
}
