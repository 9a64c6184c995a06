// REQUIRE over elements: every input obeys it, as somebody else evaluates it.
#include "testgen/generation/contradiction.h"
#include "testgen/inputs/mutator.h"
#include "testgen/solve/z3_process.h"
#include "tests/catch.h"
#include "tests/random_count.h"
#include "tests/testgen/kernel_files.h"

#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <functional>
#include <random>
#include <set>
#include <string_view>

using namespace gputest;
using namespace gputest::testgen;
using gputest::testgen::tests::Folder;
using gputest::testgen::tests::not_reached;
using gputest::testgen::tests::settings;
using gputest::tests::ContainsSubstring;

namespace {

// ---- Somebody else, who knows nothing of expressions ----

struct Values {
  std::vector<long long> a, b; // int, uint
  std::vector<double> w;       // float
  long long n = 0;
};

template <typename T> std::vector<T> elements(const Content& content) {
  std::vector<T> all(content.bytes.size() / sizeof(T));
  std::memcpy(all.data(), content.bytes.data(), all.size() * sizeof(T));
  return all;
}

Values seen(const Input& input) {
  Values all;
  for (const int value : elements<int>(input.arguments[0]))
    all.a.push_back(value);
  for (const unsigned value : elements<unsigned>(input.arguments[1]))
    all.b.push_back(value);
  for (const float value : elements<float>(input.arguments[2]))
    all.w.push_back(value);
  all.n = elements<int>(input.arguments[3]).front();
  return all;
}

struct Wish {
  std::string text;
  std::function<bool(const Values&)> holds;
  char about; // the buffer
};

using Whole = std::vector<long long>;

bool rises(const Whole& all, bool strictly) {
  for (std::size_t i = 1; i < all.size(); ++i)
    if (all[i] < all[i - 1] || (strictly && all[i] == all[i - 1]))
      return false;
  return true;
}

bool has_twins(const Whole& all) {
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      if (all[i] == all[k])
        return true;
  return false;
}

long long sum_of(const Whole& all) {
  long long sum = 0;
  for (const long long one : all)
    sum += one;
  return sum;
}

Wish random_wish(std::mt19937& random) {
  const auto pick = [&](int count) {
    return static_cast<int>(random() % static_cast<unsigned>(count));
  };
  const bool second = pick(2) == 1;
  const char* const name = second ? "b" : "a";
  const auto of = [second](const Values& s) -> const Whole& { return second ? s.b : s.a; };
  const long long c = pick(4);
  switch (pick(14)) {
  case 0:
    return {fmt::format("ascending({})", name),
            [=](const Values& s) { return rises(of(s), false); }, name[0]};
  case 1:
    return {fmt::format("strictly_ascending({})", name),
            [=](const Values& s) { return rises(of(s), true); }, name[0]};
  case 2:
    return {fmt::format("distinct({})", name), [=](const Values& s) { return !has_twins(of(s)); },
            name[0]};
  case 3:
    return {fmt::format("permutation({})", name),
            [=](const Values& s) {
              for (const long long one : of(s))
                if (one < 0 || one >= static_cast<long long>(of(s).size()))
                  return false;
              return !has_twins(of(s));
            },
            name[0]};
  case 4:
    return {fmt::format("all(x in {}: x < n)", name),
            [=](const Values& s) {
              for (const long long one : of(s))
                if (one >= s.n)
                  return false;
              return true;
            },
            name[0]};
  case 5:
    return {fmt::format("all(e in {0}: e >= {1} && e <= size({0}))", name, c - 1),
            [=](const Values& s) {
              for (const long long one : of(s))
                if (one < c - 1 || one > static_cast<long long>(of(s).size()))
                  return false;
              return true;
            },
            name[0]};
  case 6:
    return {fmt::format("all(x in {}: x % 2 == {} || x == n)", name, c % 2),
            [=](const Values& s) {
              for (const long long one : of(s))
                if (one % 2 != c % 2 && one != s.n)
                  return false;
              return true;
            },
            name[0]};
  case 7:
    return {fmt::format("sum({}) == {}", name, c + 1),
            [=](const Values& s) { return sum_of(of(s)) == c + 1; }, name[0]};
  case 8:
    return {fmt::format("{} + 1 >= sum({})", c, name),
            [=](const Values& s) { return sum_of(of(s)) <= c + 1; }, name[0]};
  case 9:
    return {fmt::format("{}[0] == {}", name, c), [=](const Values& s) { return of(s)[0] == c; },
            name[0]};
  case 10:
    return {fmt::format("{0}[size({0}) - 1] == n", name),
            [=](const Values& s) { return of(s).back() == s.n; }, name[0]};
  case 11:
    return {fmt::format("{}[1] > {}[0]", name, name),
            [=](const Values& s) { return of(s)[1] > of(s)[0]; }, name[0]};
  case 12:
    return {"sum(w) == 1",
            [](const Values& s) {
              double sum = 0, all = 0;
              for (const double one : s.w) {
                sum += one;
                all += std::abs(one);
              }
              return std::abs(sum - 1) <= 1e-5 * all;
            },
            'w'};
  default:
    return {"ascending(w) && all(p in w: p >= 0)",
            [](const Values& s) {
              for (std::size_t i = 0; i < s.w.size(); ++i)
                if (!(s.w[i] >= 0) || (i > 0 && !(s.w[i] >= s.w[i - 1])))
                  return false;
              return true;
            },
            'w'};
  }
}

const Target& any_kernel() {
  static const Folder folder;
  static const Target made = [&] {
    model::write_atomically(folder.path / "any.cl",
                            "kernel void any(global const int* a, global const uint* b, global "
                            "const float* w, int n, global int* out) {\n"
                            "  int i = get_global_id(0);\n"
                            "  out[i] = a[i] < (int)b[i] && w[i] > n ? 1 : 2;\n}\n");
    frontend::SourceOptions options;
    options.file = (folder.path / "any.cl").string();
    return targets_of(options, "", false).front();
  }();
  return made;
}

// Whether numbers from -2 to 4 in three elements each obey the wishes; those on `w` can always be.
bool can_hold(const std::vector<Wish>& wishes) {
  Values s{{0, 0, 0}, {0, 0, 0}, {0.25, 0.25, 0.5}, 0};
  const auto all_hold = [&] {
    return std::ranges::all_of(wishes, [&](const Wish& wish) { return wish.holds(s); });
  };
  for (s.n = 0; s.n <= 4; ++s.n)
    for (int a = 0; a < 7 * 7 * 7; ++a) {
      s.a = {a % 7 - 2, a / 7 % 7 - 2, a / 49 - 2};
      bool possible = true; // whatever b is: each wish is about one of the two
      for (const Wish& wish : wishes)
        possible = possible && (wish.about != 'a' || wish.holds(s));
      for (int b = 0; possible && b < 125; ++b) {
        s.b = {b % 5, b / 5 % 5, b / 25};
        if (all_hold())
          return true;
      }
    }
  return false;
}

struct ElementKernel {
  const char *kernel, *wrong;
  std::vector<std::string> requirements;
  std::function<bool(const Input&)> holds;
};

bool is_csr(const Whole& first, std::size_t rows, std::size_t elements) {
  return first.size() == rows + 1 && rises(first, false) && first.front() == 0 &&
         first.back() == static_cast<long long>(elements);
}

template <typename T> Whole whole(const Content& content) {
  Whole all;
  for (const T value : elements<T>(content))
    all.push_back(value);
  return all;
}

bool all_below(const Whole& all, std::size_t count) {
  return std::ranges::all_of(
      all, [&](long long one) { return one >= 0 && one < static_cast<long long>(count); });
}

std::vector<ElementKernel> element_kernels() {
  return {
      {"spmv",
       "spmv_wrong",
       {"ascending(row_start)", "row_start[0] == 0", "size(row_start) == rows + 1",
        "row_start[rows] == size(col)", "size(values) == size(col)",
        "all(c in col: c >= 0 && c < size(x))", "rows > 0"},
       [](const Input& in) {
         const Whole col = whole<int>(in.arguments[1]);
         return is_csr(whole<int>(in.arguments[0]),
                       static_cast<std::size_t>(elements<int>(in.arguments[5]).front()),
                       col.size()) &&
                in.arguments[2].bytes.size() == in.arguments[1].bytes.size() &&
                all_below(col, in.arguments[3].bytes.size() / 4);
       }},
      {"bfs",
       "bfs_wrong",
       {"nodes > 0 && ascending(row_start) && row_start[0] == 0", "size(row_start) == nodes + 1",
        "row_start[nodes] == size(neighbour)", "all(k in neighbour: k >= 0 && k < nodes)",
        "size(level) == nodes", "size(next) == nodes", "current >= 0"},
       [](const Input& in) {
         const auto nodes = static_cast<std::size_t>(elements<int>(in.arguments[4]).front());
         const Whole neighbours = whole<int>(in.arguments[1]);
         return is_csr(whole<int>(in.arguments[0]), nodes, neighbours.size()) &&
                all_below(neighbours, nodes);
       }},
      {"scatter",
       "scatter_wrong",
       {"permutation(place)", "size(place) == global_size(0)"},
       [](const Input& in) {
         const Whole place = whole<unsigned>(in.arguments[0]);
         return all_below(place, in.shape.global[0]) && !has_twins(place) &&
                place.size() == in.shape.global[0];
       }},
      {"histogram",
       "histogram_wrong",
       {"all(key in keys: key < size(bins))", "size(bins) == 4", "size(keys) >= count"},
       [](const Input& in) {
         return all_below(whole<unsigned>(in.arguments[0]), 4) &&
                in.arguments[1].bytes.size() == 16;
       }},
      {"segments",
       "segments_wrong",
       {"ascending(first)", "first[0] == 0 && count > 0", "size(first) == count + 1",
        "first[count] == size(in)"},
       [](const Input& in) {
         const auto count = elements<unsigned>(in.arguments[3]).front();
         return is_csr(whole<unsigned>(in.arguments[0]), count, in.arguments[1].bytes.size() / 4);
       }},
      {"draw",
       nullptr,
       {"sum(weights) == 1", "all(w in weights: w >= 0)", "size(weights) == 5",
        "all(p in points: p >= 0 && p < 0.5)"},
       [](const Input& in) {
         double sum = 0;
         for (const float weight : elements<float>(in.arguments[0])) {
           sum += weight;
           if (!(weight >= 0))
             return false;
         }
         return std::abs(sum - 1) <= 1e-5;
       }},
  };
}

} // namespace

TEST_CASE("What obeys a random requirement is what somebody else takes, and it is found") {
  std::mt19937 random(42);
  const Target& kernel = any_kernel();
  const std::size_t count = gputest::tests::random_count(60);
  std::size_t satisfiable = 0, contradictions = 0;
  for (std::size_t round = 0; round < count; ++round) {
    std::vector<Wish> wishes;
    for (std::size_t i = 1 + random() % 3; i > 0; --i)
      wishes.push_back(random_wish(random));
    Constraints constraints;
    std::string all;
    for (const char* values : {"a:range(-2,4)", "b:range(0,4)", "n=range(0,4)"})
      constraints.add_argument(kernel, values);
    for (const char* size : {"size(a) == 3", "size(b) == 3", "size(w) == 3"})
      constraints.add_requirement(kernel, size);
    for (const Wish& wish : wishes) {
      constraints.add_requirement(kernel, wish.text);
      all += wish.text + '\n';
    }
    INFO("round " << round << ":\n" << all);
    Mutator mutator(kernel, constraints, round + 1);
    std::size_t obeyed = 0;
    Input last = mutator.fresh(mutator.shapes().front(), true);
    for (std::size_t i = 0; i < 150; ++i) {
      const Shape& shape = mutator.shapes()[i % mutator.shapes().size()];
      Input input = i % 4 == 0   ? mutator.fresh(shape, i % 8 == 0)
                    : i % 4 == 1 ? mutator.tied(shape)
                    : i % 4 == 2 ? mutator.mutated(last, last)
                                 : mutator.plain(shape);
      const Values values = seen(input);
      const bool holds =
          std::ranges::all_of(wishes, [&](const Wish& wish) { return wish.holds(values); });
      const bool in_range =
          all_below(values.b, 5) && values.n >= 0 && values.n <= 4 &&
          std::ranges::all_of(values.a, [](long long one) { return one >= -2 && one <= 4; });
      REQUIRE(constraints.hold(kernel, input) == (holds && in_range));
      obeyed += holds && in_range;
      last = std::move(input);
    }
    const bool possible = can_hold(wishes);
    CHECK((obeyed > 0) == possible);
    satisfiable += possible;
    if (!possible && contradictions++ < 3)
      CHECK_THAT(contradiction(kernel, constraints, 1), ContainsSubstring("no input was found"));
  }
  CHECK(satisfiable > count / 3);
  CHECK(satisfiable < count);
}

TEST_CASE("Kernels over sorted and permuted elements are clean with REQUIRE, their twins are not") {
  // Short runs have rows, permutations and sums; the others have the same requirements.
  const std::set<std::string_view> few{"spmv", "scatter", "draw"};
  for (const ElementKernel& one : element_kernels())
    for (const char* const kernel : {one.kernel, one.wrong}) {
      if (!kernel || !(gputest::tests::is_long_run() || few.contains(one.kernel)))
        continue;
      const Folder folder;
      Settings given = settings(folder);
      given.seconds = 20;
      given.requirements = one.requirements;
      const Target target = testgen::tests::target("elements.cl", kernel);
      const Generated generated = generate(target, given, {});
      INFO(kernel);
      for (const OpenGoal& open : not_reached(generated))
        UNSCOPED_INFO(text_of(open.goal, target.sites) << ": " << open.why);
      for (const Guard& guard : generated.guards)
        UNSCOPED_INFO(guard.finding.message << " if " << guard.condition);
      CHECK((generated.guards.empty() && generated.endless == 0) == (kernel == one.kernel));
      if (kernel != one.kernel)
        continue;
      CHECK(not_reached(generated).empty());
      REQUIRE(!generated.written.empty());
      for (const Written& written : generated.written) {
        std::vector<std::string> notes;
        for (const KnownInput& known : inputs_of(target, {}, written.file, notes))
          CHECK(one.holds(known.input));
        CHECK(notes.empty());
      }
    }
}

TEST_CASE("The solver keeps requirements on elements") {
  if (solver_program().empty())
    return;
  const Folder folder;
  Settings given = settings(folder);
  given.seconds = 5;
  given.requirements = {"ascending(sorted)", "size(sorted) >= 3"};
  const Target target = testgen::tests::target("elements.cl", "ordered");
  const Generated generated = generate(target, given, {});
  std::string open;
  for (const OpenGoal& one : generated.open)
    open += text_of(one.goal, target.sites) + "; ";
  CHECK(open.find("70003") == std::string::npos);
  for (const Written& written : generated.written) {
    std::vector<std::string> notes;
    for (const KnownInput& known : inputs_of(target, {}, written.file, notes))
      CHECK(rises(whole<int>(known.input.arguments[0]), false));
  }
}

TEST_CASE("A case that breaks REQUIRE is left out by its name") {
  const Folder folder;
  model::write_atomically(folder.path / "bad.json",
                          R"([{"name": "falling", "global_size": [4], "arguments": {
  "sorted": [1, 4, 2, 5], "out": {"size": 1}}},
 {"name": "rising", "global_size": [4], "arguments": {
  "sorted": [1, 2, 4, 5], "out": {"size": 1}}}])");
  InputSettings given;
  given.requirements = {"ascending(sorted)"};
  std::vector<std::string> notes;
  const Target target = testgen::tests::target("elements.cl", "ordered");
  const auto known = inputs_of(target, given, folder.path / "bad.json", notes);
  REQUIRE(known.size() == 1);
  CHECK(known.front().name == "rising");
  REQUIRE(notes.size() == 1);
  CHECK_THAT(notes.front(),
             ContainsSubstring("case 'falling': REQUIRE \"ascending(sorted)\" does not hold: "
                               "ascending(sorted): sorted[2] is 2 after 4"));
}

TEST_CASE("Requirements that do not fit an argument are refused with their place") {
  const Target& kernel = any_kernel();
  const auto refusal = [&](const char* text) -> std::string {
    Constraints constraints;
    try {
      constraints.add_requirement(kernel, text);
    } catch (const ExpressionError& error) {
      return error.what();
    }
    return "";
  };
  CHECK_THAT(refusal("n > 0 && ascending(c)"),
             ContainsSubstring("character 20: kernel 'any' has no argument 'c'"));
  CHECK_THAT(refusal("ascending(n)"), ContainsSubstring("character 11: 'n' is no buffer"));
  CHECK_THAT(refusal("permutation(w)"),
             ContainsSubstring("character 13: 'w' has no whole numbers"));
  CHECK_THAT(refusal("all(x in a: x < y)"),
             ContainsSubstring("character 17: kernel 'any' has no "));
  CHECK(refusal("all(n in a: n < size(b)) && sum(w) <= 1").empty());
}
