// Mutants that are proved equivalent, and that no mutant is that differs for any value.
#include "tests/catch.h"
#include "tests/random_count.h"
#include "tests/testgen/solver.h"

#include "templates/state.h"
#include "testgen/concolic/trace.h"
#include "testgen/mutants/equivalence.h"
#include "tests/testgen/kernel_files.h"

#include <array>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <random>

using namespace gputest;
using namespace gputest::testgen;
using namespace gputest::testgen::tests;
using gputest::tests::ContainsSubstring;

namespace {

Target target_of(const std::string& text, const char* name = "k.cl") {
  const Folder folder;
  const std::filesystem::path file = folder.path / name;
  std::ofstream(file) << text;
  frontend::SourceOptions options;
  options.file = file.string();
  return targets_of(options, "k", true).front();
}

// "'i > 0' -> 'i != 0'" of the mutants that are proved, or of the one that `only` names, which the
// compiler may have proved already.
std::set<std::string> proved(const std::string& text, const std::string& only = "") {
  const Target target = target_of(text);
  EquivalenceProver prover(target.original, target.mutants->differences, "k");
  Z3Process z3;
  std::set<std::string> found;
  bool is_there = only.empty();
  const auto name_of = [](const model::Mutant& mutant) {
    return fmt::format("'{}' -> '{}'", mutant.text, mutant.replacement);
  };
  for (const model::Mutant* const mutant : target.mutants->goals_of("k")) {
    const std::string name = name_of(*mutant);
    is_there |= name == only;
    if ((only.empty() || name == only) && !prover.prove(*mutant, z3, 20).empty())
      found.insert(name);
  }
  for (const model::Mutant& mutant : target.mutants->table.mutants)
    if (mutant.equivalent && name_of(mutant) == only)
      is_there = found.insert(only).second;
  CHECK(is_there);
  return found;
}

// One with the statement, where `i` is the work-item and `n` a size.
std::set<std::string> proved_in(const std::string& statement, const std::string& only = "") {
  return proved("kernel void k(global int* out, int n, uint m) {\n"
                "  int i = get_global_id(0); " +
                    statement + "\n}\n",
                only);
}

} // namespace

TEST_CASE("Mutants that differ for no value that occurs there are equivalent",
          "[needs][needs-solver]") {
  gputest::tests::require_solver();
  CHECK(proved_in("if (i > 0) out[i] = 1;", "'i > 0' -> 'i != 0'").size() == 1);
  CHECK(proved_in("if (i < n - 1) out[i] = 1;", "'i < n - 1' -> 'i != n - 1'").empty());
  // What a loop keeps: by the invariant active >= 1.
  const auto halved = [](const std::string& size) {
    return proved_in("for (uint active = " + size +
                         "; active > 1;) { const uint lower = (active + 1) / 2;\n"
                         "  if (i + lower < active) out[i] += out[i + lower];\n"
                         "  barrier(CLK_GLOBAL_MEM_FENCE); active = lower; }",
                     "'active > 1' -> 'active != 1'")
               .size() == 1;
  };
  CHECK(halved("get_local_size(0)"));
  CHECK_FALSE(halved("m")); // which may be 0
}

TEST_CASE("What is undefined proves nothing", "[needs][needs-solver]") {
  gputest::tests::require_solver();
  // Whole numbers wrap around.
  CHECK(proved_in("if (n + 1 > n) out[i] = 1;").empty());
  CHECK_FALSE(proved_in("out[i] = n + n < n;").contains("'n + n < n' -> 'n + n <= n'"));
  // Shifts take the amount modulo the width: m << 32 is m.
  CHECK_FALSE(proved_in("out[i] = (m << 32) + 7;").contains("'m << 32' -> 'm & 32'"));
  CHECK(proved_in("out[i] = (m << (((m | 1) * (m | 1) - 1) * 4)) == m;",
                  "'(m << (((m | 1) * (m | 1) - 1) * 4)) == m' -> '(m << (((m | 1) * (m | 1) - 1) "
                  "* 4)) <= m'")
            .size() == 1);
  // A divisor may be 0, where a guard stops the mutant.
  CHECK_FALSE(proved_in("out[i] = (m & 1) * (m & 1);")
                  .contains("'(m & 1) * (m & 1)' -> '(m & 1) / "
                            "(m & 1)'"));
  CHECK(proved_in("out[i] = (m | 1) - (m | 1) + 0 * (m & 1);")
            .contains("'(m | 1) - (m | 1)' -> '(m | 1) / (m | 1)'") == false);
  // -0.0f and NaN; and devices round in other ways.
  const std::set<std::string> real =
      proved("kernel void k(global float* out, float x) { out[0] = x * 1.0f; if (x * x >= 0.0f) "
             "out[1] = 1.0f; }");
  CHECK(real.empty());
}

TEST_CASE("A mutant that might read elsewhere is not compared") {
  const Target target = target_of("kernel void k(global int* out, global int* in, int n) {\n"
                                  "  out[0] = n > 0 && in[n] > 0;\n"
                                  "  out[1] = n > 0 && n < 9;\n"
                                  "}\n");
  std::set<std::string> compared;
  for (const model::Mutant& mutant : target.mutants->table.mutants)
    if (target.mutants->differences.bits.contains(mutant.number))
      compared.insert(mutant.replacement);
  CHECK(compared.contains("n > 0 || n < 9"));
  CHECK_FALSE(compared.contains("n > 0 || in[n] > 0"));
}

TEST_CASE("Mutants of a CUDA kernel are compared and proved, too", "[needs][needs-solver]") {
  const Target target =
      target_of("struct Bits { unsigned few : 3; };\n"
                "template <typename T> __device__ bool below(T a, T b) { return a < b; }\n"
                "template <typename T> __device__ T once(T a) { return a * 3; }\n"
                "__global__ void k(int* out, unsigned m, Bits bits, float x) {\n"
                "  const int i = threadIdx.x;\n"
                "  const unsigned r = (m | 1) * (m | 1) % 8;\n" // 1, which no compiler knows
                "  if (r < 2) out[0] = once(r);\n"
                "  if (bits.few - 4 < 0) out[1] = below(i, 5) + below(x, 2.0f);\n"
                "  out[2] = i > 0 && out[m] > 0;\n"
                "  out[3] = i > 0 && i < 9;\n"
                "  out[4] = (m << (((m | 1) * (m | 1) - 1) * 4)) == m;\n" // by 0 modulo 32
                "}\n",
                "k.cu");
  const passes::mutation::Differences& differences = target.mutants->differences;
  std::set<std::string> compared, equivalent;
  EquivalenceProver prover(target.original, differences, "k");
  Z3Process z3;
  for (const model::Mutant& mutant : target.mutants->table.mutants)
    if (differences.bits.contains(mutant.number))
      compared.insert(mutant.replacement);
  for (const char* text : {"r <= 2", "a + 3", "i > 0 || i < 9", "i >= 0", "out[m] >= 0"})
    CHECK(compared.contains(text));
  // Of templates several things are made; a field of bits is no argument; what might be read
  // elsewhere.
  for (const char* text : {"a <= b", "bits.few + 4", "i > 0 || out[m] > 0"})
    CHECK_FALSE(compared.contains(text));
  gputest::tests::require_solver();
  for (const model::Mutant* const mutant : target.mutants->goals_of("k"))
    if ((mutant->text == "r < 2" || mutant->text == "(m << (((m | 1) * (m | 1) - 1) * 4)) == m") &&
        !prover.prove(*mutant, z3, 20).empty())
      equivalent.insert(mutant->replacement);
  // A shift by 32 and more leaves 0.
  CHECK(equivalent ==
        std::set<std::string>{"(m << (((m | 1) * (m | 1) - 1) * 4)) >= m", "r != 2", "r <= 2"});
}

TEST_CASE("Constants, assignments and statements of CUDA kernels are compared",
          "[needs][needs-solver]") {
  const Target target =
      target_of("__device__ int kept;\n"
                "template <int N> __device__ int scaled(int a) { return a * N < 40; }\n"
                "__global__ void k(int* out, const int* in, unsigned m, bool flag, float x) {\n"
                "  const int i = threadIdx.x, n = in[i];\n"
                "  out[0] = n * 113 < 717 ? n : i;\n"
                "  out[1] = in[n] + (flag && m * 115 > 2121);\n"
                "  out[2] += m;\n"
                "  kept = 31;\n"
                "  int unset;\n"
                "  unset = 132;\n"
                "  int own[2] = {n, i};\n"
                "  own[n & 1] = unset;\n"
                "  int& place = m > 133 ? out[5] : out[6];\n"
                "  place = scaled<3>(own[0]) + scaled<4>(own[1]);\n"
                "  out[7] = sqrtf(x) * 134 > 3.5f;\n"
                "  if ((m * m & 15) < 7) out[8] = int(x * 136) < 5;\n"
                "  const auto far = [&](int a) { return a * 137 > 999; };\n"
                "  out[9] = far(threadIdx.x * 138 + n);\n"
                "  out[10] = static_cast<short>(n * 139) > 5;\n"
                "}\n",
                "k.cu");
  const passes::mutation::Differences& differences = target.mutants->differences;
  std::set<std::string> compared, equivalent;
  for (const model::Mutant& mutant : target.mutants->table.mutants)
    if (differences.bits.contains(mutant.number))
      compared.insert(mutant.text + " -> " + mutant.replacement);
  for (const char* text :
       {"113 -> 114", "115 -> 114", "2121 -> 2122", "out[2] += m; -> ;",
        "out[2] += m -> out[2] -= m", "kept = 31; -> ;", "kept = 31 -> kept ^= 31", "133 -> 134",
        "own[n & 1] = unset; -> ;", "134 -> 135", "136 -> 137", "137 -> 138", "138 -> 139",
        "139 -> 140", "threadIdx.x -> blockIdx.x"}) {
    CAPTURE(text);
    CHECK(compared.contains(text));
  }
  // What has no value before, and what differs in any case.
  for (const char* text : {"unset = 132; -> ;", "132 -> 133", "40 -> 41"}) {
    CAPTURE(text);
    CHECK_FALSE(compared.contains(text));
  }
  gputest::tests::require_solver();
  EquivalenceProver prover(target.original, differences, "k");
  Z3Process z3;
  for (const model::Mutant* const mutant : target.mutants->goals_of("k"))
    if ((mutant->text == "7" || mutant->text == "kept = 31;") &&
        !prover.prove(*mutant, z3, 20).empty())
      equivalent.insert(mutant->text + " -> " + mutant->replacement);
  CHECK(equivalent == std::set<std::string>{"7 -> 6"});
}

namespace {

constexpr std::size_t kStatements = 7;

// Random expressions of a type over two bytes, whose 65,536 values can all be tried.
class Expressions {
public:
  explicit Expressions(std::mt19937_64& random) : random_(random) {}

  std::string statement(std::size_t number) {
    static constexpr std::array kTypes{"char", "uchar", "short", "ushort",
                                       "int",  "uint",  "long",  "ulong"};
    type_ = kTypes[pick(kTypes.size())];
    is_signed_ = type_.front() != 'u';
    const std::string from =
        fmt::format("{0} x = ({0})p, y = ({0}){1}q;", type_, pick(3) == 0 ? "(char)" : "");
    std::string text = fmt::format("  {{ {} ", from);
    if (pick(2) == 0)
      text += fmt::format("if ({}) ", comparison(1));
    return text +
           fmt::format("out[{}] = {}; }}\n", number, pick(3) == 0 ? whole(2) : comparison(2));
  }

private:
  std::size_t pick(std::size_t below) { return random_() % below; }

  std::string leaf() {
    switch (pick(8)) {
    case 0:
      return "0";
    case 1:
      return std::to_string(pick(5));
    case 2:
      return "(x & 3)";
    case 3:
      return "(y | 1)";
    case 4:
      return "(x / ((y & 7) + 1))";
    default:
      return pick(2) == 0 ? "x" : "y";
    }
  }

  // What overflows in a signed type is undefined: few operators on small numbers.
  std::string whole(unsigned depth) {
    if (depth == 0)
      return leaf();
    const std::string a = whole(depth - 1), b = depth > 1 ? leaf() : whole(depth - 1);
    switch (pick(9)) {
    case 0:
      return fmt::format("({} + {})", a, b);
    case 1:
      return fmt::format("({} - {})", a, b);
    case 2:
      return fmt::format("({} * {})", a, b);
    case 3:
      return fmt::format("({} & {})", a, b);
    case 4:
      return fmt::format("({} | {})", a, b);
    case 5:
      return fmt::format("({} ^ {})", a, b);
    case 6:
      return is_signed_ ? fmt::format("({} << ({} & 3))", a, b) : fmt::format("({} << {})", a, b);
    case 7:
      return fmt::format("({} >> {})", a, b);
    default:
      return fmt::format("({} % (({} & 3) + 1))", a, b);
    }
  }

  std::string comparison(unsigned depth) {
    static constexpr std::array kCompares{"<", "<=", ">", ">=", "==", "!="};
    if (depth > 0 && pick(3) == 0)
      return fmt::format("({} {} {})", comparison(depth - 1), pick(2) == 0 ? "&&" : "||",
                         comparison(depth - 1));
    return fmt::format("{} {} {}", whole(depth), kCompares[pick(kCompares.size())], leaf());
  }

  std::mt19937_64& random_;
  std::string type_;
  bool is_signed_ = false;
};

// The bits of differences that some values of the two bytes set, in one launch for all of them.
std::vector<std::uint32_t> differences_of(const Target& target) {
  ir::Source source = target.original;
  source.text = target.mutants->differences.text;
  Tracer tracer(source, "k");
  std::vector<Argument> arguments(3);
  for (unsigned p = 0; p < 256; ++p)
    for (unsigned q = 0; q < 256; ++q)
      for (const unsigned byte : {p, q})
        arguments[0].bytes.push_back(static_cast<std::byte>(byte));
  arguments[1].bytes.resize(8 * kStatements);
  arguments[2].bytes.resize(
      4 * (GPUTEST_STATE_HEADER_WORDS + std::size_t{target.mutants->differences.words}));
  const Traced traced =
      tracer.trace({.sizes = {.global = {65536, 1, 1}, .local = {256, 1, 1}}, .limit = 60},
                   arguments, {.symbolic = {{.argument = 0, .size = 0}}});
  REQUIRE_FALSE(traced.result.fatal);
  std::vector<std::uint32_t> words(target.mutants->differences.words);
  if (!words.empty())
    std::memcpy(words.data(), traced.left[2].data() + 4 * GPUTEST_STATE_HEADER_WORDS,
                4 * words.size());
  return words;
}

} // namespace

TEST_CASE("No mutant is proved equivalent that differs for some value", "[needs][needs-solver]") {
  gputest::tests::require_solver();
  std::size_t equivalent = 0, different = 0;
  for (std::size_t seed = 1; seed <= gputest::tests::random_count(1); ++seed) {
    std::mt19937_64 random(seed + 2); // the first kernel has mutants of both kinds
    Expressions expressions(random);
    std::string text = "kernel void k(global const uchar* in, global long* out) {\n"
                       "  const size_t i = get_global_id(0);\n"
                       "  const uchar p = in[2 * i], q = in[2 * i + 1];\n";
    for (std::size_t i = 0; i < kStatements; ++i)
      text += expressions.statement(i);
    text += "}\n";
    CAPTURE(seed, text);
    const Target target = target_of(text);
    const passes::mutation::Differences& differences = target.mutants->differences;
    const std::vector<std::uint32_t> words = differences_of(target);
    EquivalenceProver prover(target.original, differences, "k");
    Z3Process z3;
    std::size_t number = 0; // every sixth in short runs: many take Z3 all the time they have
    for (const model::Mutant* const mutant : target.mutants->goals_of("k")) {
      const auto known = differences.bits.find(mutant->number);
      if (known == differences.bits.end() ||
          (!gputest::tests::asked_random_count() && number++ % 6 != 0))
        continue;
      const std::string proof = prover.prove(*mutant, z3, 0.2);
      const bool differs = (words[known->second.bit / 32] >> known->second.bit % 32 & 1) != 0;
      different += differs;
      equivalent += !proof.empty();
      INFO(mutant->line << ": " << mutant->text << " -> " << mutant->replacement << ": " << proof);
      CHECK_FALSE((differs && !proof.empty()));
    }
  }
  CHECK(equivalent > 0);
  CHECK(different > 10);
}
