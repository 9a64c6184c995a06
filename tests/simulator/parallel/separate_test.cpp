// Whether work-groups may run at the same time: kernels by hand, and random ones against their
// accesses, one by one.
#include "tests/catch.h"
#include "tests/random_count.h"

#include "simulator/execute/kept_code.h"
#include "simulator/execute/program.h"
#include "simulator/memory/guard.h"
#include "simulator/memory/ndrange.h"
#include "simulator/parallel/separate.h"

#include <array>
#include <cstring>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

using namespace gputest::ir;
using namespace gputest::simulator;
using gputest::model::Json;

namespace {

struct Sizes {
  std::array<std::size_t, 2> groups{4, 1}, local{8, 1};
};

gputest_context context_of(const Sizes& sizes) {
  LaunchRequest request;
  request.sizes.dimensions = 2;
  for (unsigned i = 0; i < 2; ++i) {
    request.sizes.local[i] = sizes.local[i];
    request.sizes.global[i] = sizes.groups[i] * sizes.local[i];
  }
  return gputest::simulator::context_of(request);
}

// A kernel with two buffers, `a` and `b`, and numbers behind them.
class Analysed {
public:
  explicit Analysed(const std::string& text, const std::vector<std::string>& checks = {}) {
    on_large_stack([&] {
      const Cache none{std::filesystem::path()};
      Program program({.name = "t.cl", .text = "#line 1 \"/t.cl\"\n" + text, .cl_std = ""}, none);
      const Program::Ready& ready = program.kernel({.kernel = "k", .checks = checks_named(checks)});
      ready.code.has_run(1e9);
      ready.code.replace_if_due();
      accesses = ready.accesses(1e9).value();
      checked = ready.checked_accesses;
      shape = ready.shape;
    });
  }

  std::string why_not(const Sizes& sizes, const std::vector<int>& numbers,
                      bool same_memory = false) const {
    return why_not_separate(accesses, context_of(sizes), arguments_of(numbers),
                            places(same_memory));
  }

  // Bits of the buffers. With the check of races.
  std::uint64_t own(const Sizes& sizes, const std::vector<int>& numbers,
                    bool same_memory = false) const {
    return own_objects(checked.value(), context_of(sizes), arguments_of(numbers),
                       places(same_memory));
  }

  GroupAccesses accesses;
  std::optional<GroupAccesses> checked;
  KernelShape shape;

private:
  std::vector<std::byte> arguments_of(const std::vector<int>& numbers) const {
    std::vector<std::byte> arguments(shape.arguments_size);
    for (std::size_t i = 0; i < numbers.size(); ++i)
      std::memcpy(arguments.data() + shape.parameters.at(i + 2).offset, &numbers[i], sizeof(int));
    return arguments;
  }
  static std::vector<std::optional<ObjectPlace>> places(bool same_memory) {
    return {ObjectPlace{.memory = 1}, ObjectPlace{.memory = same_memory ? 1U : 2U}};
  }
};

constexpr const char* kMayShare = "work-groups may access what others write";

std::string kernel_of(const std::string& body) {
  return "kernel void k(global int* a, global const int* b, int n, int w) {\n"
         "  int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0);\n"
         "  int gx = get_group_id(0);\n" +
         body + "\n}\n";
}

} // namespace

TEST_CASE("Checks do not change which work-groups are separate, unless they update the same") {
  const auto why_not = [](const std::string& body, const std::vector<std::string>& checks) {
    return Analysed("constant int four[] = {1, 2, 3, 4};\n" + kernel_of(body), checks)
        .why_not({}, {32, 8});
  };
  const std::vector<std::string> all = {"races", "bounds", "uninitialized"};
  CHECK(why_not("local int t[8]; t[lx] = b[x]; barrier(1); a[x] = t[7 - lx] + four[x & 3];", all) ==
        "");
  CHECK(why_not("a[lx] = x;", all) == kMayShare);
  for (const char* t :
       {"if (n == 3) a[x ^ 1] = 1; a[x] = 2;", "if (n == 3) a[gx * 16] = 1; a[x] = 2;",
        "int v = 0; if (n == 3) v = b[x + (1 << 20)]; a[x] = v;",
        "int v = 0; int u[2]; u[b[x] & 1] = 1; if (n == 32) v = u[0]; a[x] = v;",
        "if (gx < 9 || lx < 8) barrier(CLK_LOCAL_MEM_FENCE); a[x] = 1;",
        "local int t[8]; if (n == 32) {t[lx] = x; a[x] = t[7-lx];}"})
    CHECK(why_not(t, all) == "");
}

TEST_CASE("Work-groups that access nothing that others write are separate") {
  struct Case {
    std::string body;
    Sizes sizes{};
    int n = 32, w = 8;
  };
  const Case kCases[] = {
      {"a[x] = b[x];"},
      {"a[x] += 1;"},
      {"if (x < n) a[x] = b[n - 1 - x];", {}, 27},
      {"a[n - 1 - x] = x;"},
      {"if (lx == 0) a[gx] = b[x];"},
      {"a[2 * x] = 1; a[2 * x + 1] = 2;"},
      {"for (int i = x; i < n; i += get_global_size(0)) a[i] = a[i] * 2;", {}, 1000},
      {"for (int i = n - 1 - x; i >= 0; i -= get_global_size(0)) a[i] = i;", {}, 1000},
      {"for (int i = 0; i < w; ++i) a[x * w + i] = b[i];"},
      {"for (int i = 0; i < w; ++i) a[i * n + x] = b[i];"},
      {"a[y * w + x] = b[x * n + y];", {{4, 3}, {2, 4}}, 12, 8},
      {"if (x < w && y < n) a[y * w + x] = b[x];", {{4, 3}, {2, 4}}, 11, 7},
      {"if (x >= w || y >= n) return; a[y * w + x] += b[x * n + y];", {{4, 3}, {2, 4}}, 11, 7},
      {"if ((uint)x < (uint)w) a[y * w + x] = 1;", {{4, 3}, {2, 4}}, 11, 7},
      {"if (x == 0) a[n] = b[0];"},
      {"vstore4((int4)(x), x, a);"},
      {"a[x] = b[b[x]];"},
      {"__local int t[8]; t[lx] = b[x]; barrier(CLK_LOCAL_MEM_FENCE); a[x] = t[7 - lx];"},
      {"int t[4]; for (int i = 0; i < 4; ++i) t[i] = b[i + x]; a[x] = t[x & 3];"},
      {"if (n > 100) a[0] = x; else a[x] = 1;"},
      {"atomic_inc(a + x);"},
      {"atomic_add(a + b[x], 3); atomic_sub(a, x);"},
      {"if (b[x] > n) atomic_max(a, b[x]);"},
      {"a[x] = 0; atomic_xchg(a + x, atomic_add(a + x, 2));"},
  };
  for (const Case& one : kCases) {
    const Analysed kernel(kernel_of(one.body));
    INFO(one.body << "\n" << Json(kernel.accesses));
    CHECK(kernel.why_not(one.sizes, {one.n, one.w}) == "");
  }
}

TEST_CASE("Work-groups that may access what others write are not separate") {
  struct Case {
    std::string body, why = kMayShare;
    Sizes sizes{};
    int n = 32, w = 8;
  };
  const Case kCases[] = {
      {"a[0] = x;"},
      {"a[lx] = x;"},
      {"a[x / 16] = x;"},
      {"a[x] = a[x + 1];"},
      {"a[x] = 1; a[x + 8] = 2;"},
      {"if (lx == 0) a[gx] = a[n - gx];"},
      {"a[b[x]] = 1;"},
      {"a[x] = a[b[x]];"},
      {"a[y * w + x] = 1;", kMayShare, {{4, 3}, {2, 4}}, 12, 7},
      {"if (x < w + 1) a[y * w + x] = 1;", kMayShare, {{4, 3}, {2, 4}}, 11, 7},
      {"if (x < w) a[y * w + x] = a[y * w + x + w];", kMayShare, {{4, 3}, {2, 4}}, 11, 7},
      {"for (int i = x; i < n; i += 8) a[i] = i;", kMayShare, {}, 1000},
      {"if (atomic_inc(a + lx) == 3) a[n + x] = 1;"},
      {"a[x] = atomic_inc(a + n);"},
      {"atomic_inc(a + lx); atomic_max(a + lx, 3);"},
      {"atomic_inc(a + lx); a[n + x] = a[lx];"},
      {"volatile global int* p = a; p[x] = 1;", "it has volatile accesses"},
      {"printf(\"%d\", x); a[x] = 1;", "it calls 'gputest_printf'"},
  };
  for (const Case& one : kCases) {
    INFO(one.body);
    const std::string why = Analysed(kernel_of(one.body)).why_not(one.sizes, {one.n, one.w});
    if (one.why.starts_with("it calls"))
      CHECK(why.starts_with("it calls '"));
    else
      CHECK(why == one.why);
  }
  CHECK(Analysed(kernel_of("a[x] = b[x + 1];")).why_not({}, {32, 8}) == "");
  CHECK(Analysed(kernel_of("a[x] = b[x + 1];")).why_not({}, {32, 8}, true) == kMayShare);
}

TEST_CASE("What work-groups access is the same after it was kept as JSON") {
  const Analysed kernel(
      kernel_of("int s = get_global_size(0);\n"
                "for (int i = x; i < n; i += s) if (i > w) a[i] = b[b[i]] / 3 + (i % 5);"));
  CHECK(Json(kernel.accesses).get<GroupAccesses>() == kernel.accesses);
  CHECK(!kernel.accesses.loops.empty());
  CHECK(!kernel.accesses.comparisons.empty());
}

TEST_CASE("A kind that no version has is refused where a kept kernel is read") {
  const Analysed kernel(kernel_of("a[x] = b[x + 1];"));
  const Json accesses = kernel.accesses;
  KernelShape kept;
  kept.parameters.push_back({"a", "int*"});
  kept.objects.push_back({"o"});
  const Json shape = kept;
  for (const int kind : {-1, 17, 1 << 30}) {
    CAPTURE(kind);
    auto wrong = accesses;
    wrong["terms"][0]["kind"] = kind;
    CHECK_THROWS_AS(wrong.get<GroupAccesses>(), gputest::model::FormatError);
    for (const char* list : {"parameters", "objects"}) {
      auto other = shape;
      other[list][0]["kind"] = kind;
      CHECK_THROWS_AS(other.get<KernelShape>(), gputest::model::FormatError);
    }
  }
  CHECK(shape.get<KernelShape>().parameters.at(0).name == "a");
}

TEST_CASE("Buffers in which no work-item accesses what another one writes") {
  struct Case {
    std::string body;
    bool own = true;
    Sizes sizes{};
    int n = 32, w = 8;
  };
  const Case kCases[] = {
      {"a[x] = b[x];"},
      {"a[x] += 1;"},
      {"if (x < n) a[n - 1 - x] = b[x + 1];", true, {}, 27},
      {"a[2 * x] = 1; a[2 * x + 1] = 2;"},
      {"if (x < w && y < n) a[y * w + x] = b[x];", true, {{4, 3}, {2, 4}}, 11, 7},
      {"local int t[8]; t[lx] = b[x]; barrier(1); a[x] = t[7 - lx];"},
      {"if (x == 3) a[n] = b[0];"},
      {"for (uint i = lx; i < 16; i += 8) a[gx * 16 + i] = x;"},
      {"for (uint i = lx; i < 17; i += 8) a[gx * 16 + i] = x;", false},
      {"for (int i = n - lx; i > 0; i -= 8) a[gx * 16 + i] = x;", true, {}, 15},
      {"for (int i = n - lx; i > 0; i -= 8) a[gx * 16 + i] = x;", false, {}, 18},
      {"a[gx] = x;", false},
      {"a[x / 2] = x;", false},
      {"a[lx] = x;", false},
      {"a[x] = 1; if (b[x]) a[x + 1] = 2;", false},
      {"a[x] = 1; int unused = a[x + 1];", false},
      {"a[x] = 1; a[b[x]] = 2;", false},
      {"if (lx < 2) a[gx] = x;", false},
      {"if (x < w + 1) a[y * w + x] = 1;", false, {{4, 3}, {2, 4}}, 11, 7},
      {"atomic_inc(a + gx);", false},
  };
  for (const Case& one : kCases) {
    const Analysed kernel(kernel_of(one.body), {"races"});
    INFO(one.body << "\n" << Json(kernel.checked.value()));
    CHECK(kernel.own(one.sizes, {one.n, one.w}) == (one.own ? 1U : 0U));
  }
  const Analysed neighbours(kernel_of("a[x] = b[x + 1];"), {"races", "bounds", "uninitialized"});
  CHECK(neighbours.own({}, {32, 8}) == 1);
  CHECK(neighbours.own({}, {32, 8}, true) == 0);
  CHECK(!Analysed(kernel_of("a[x] = 1;"), {"bounds"}).checked);
}

namespace {

// A random expression over ids and numbers, as text and as a function.
struct Index {
  std::string text;
  std::function<long(const std::map<char, long>&)> value;
};

class Writer {
public:
  // `wraps`: numbers are unsigned, and have 32 bits.
  explicit Writer(unsigned seed, bool wraps = false) : random_(seed), wraps_(wraps) {}

  unsigned below(unsigned end) {
    return std::uniform_int_distribution<unsigned>(0, end - 1)(random_);
  }

  Index constant(long value) {
    return {std::to_string(value), [=](const auto&) { return value; }};
  }
  Index variable(char name) {
    return {std::string(1, name), [=](const auto& values) { return values.at(name); }};
  }
  Index joined(const Index& left, char sign, const Index& right) const {
    return {"(" + left.text + " " + sign + " " + right.text + ")",
            [=, wraps = wraps_](const auto& values) {
              const long one = left.value(values), other = right.value(values);
              const long result = sign == '+'   ? one + other
                                  : sign == '-' ? one - other
                                  : sign == '*' ? one * other
                                  : sign == '/' ? one / other
                                                : one % other;
              return wraps ? static_cast<long>(static_cast<std::uint32_t>(result)) : result;
            }};
  }

  // x, y: global ids; g, h: group ids; l, m: local ids; i: of a loop; n, w: arguments.
  Index factor() {
    constexpr std::array kFactors{'1', '1', '1', '2', '3', '4', 'n', 'w', 'w', 'w'};
    const char one = kFactors[below(kFactors.size())];
    return one < 'a' ? constant(one - '0') : variable(one);
  }
  Index term(bool loop) {
    constexpr std::array kIds{'x', 'x', 'x', 'y', 'y', 'g', 'h', 'l', 'm', 'i'};
    const char id = kIds[below(kIds.size())];
    Index result = joined(variable(id == 'i' && !loop ? 'x' : id), '*', factor());
    if (below(8) == 0)
      result = joined(result, below(2) == 0 ? '/' : '%', constant(1 + below(5)));
    return result;
  }
  Index sum(bool loop) {
    Index result = term(loop);
    for (unsigned more = below(3); more > 0; --more)
      result = joined(result, '+', term(loop));
    if (below(3) == 0)
      result = joined(result, below(4) == 0 ? '-' : '+', constant(below(5)));
    return result;
  }

private:
  std::mt19937 random_;
  bool wraps_;
};

struct RandomKernel {
  explicit RandomKernel(unsigned seed) : wraps(seed % 3 == 0), writer(seed, wraps) {
    loops = writer.below(2) == 0;
    for (unsigned i = 0; i < 1 + writer.below(2); ++i)
      writes.push_back(writer.sum(loops));
    for (unsigned i = 0; i < writer.below(2); ++i)
      reads.push_back(writer.below(2) == 0 ? writes.front() : writer.sum(loops));
    bound =
        wraps || writer.below(2) == 0 ? writer.constant(1 + writer.below(4)) : writer.variable('n');
    step = writer.below(3) == 0 ? writer.constant(2) : writer.constant(1);
    start = writer.below(3) == 0 ? writer.variable('x') : writer.constant(0);
    guarded = writer.sum(false);
    limit = writer.factor();
    guard = writer.below(3);
    const std::string type = wraps ? "uint" : "int";
    text = fmt::format("kernel void k(global int* a, global const int* b, {0} n, {0} w) {{\n"
                       "  {0} x = get_global_id(0), y = get_global_id(1), g = get_group_id(0);\n"
                       "  {0} h = get_group_id(1), l = get_local_id(0), m = get_local_id(1);\n"
                       "  int sum = 0;\n",
                       type);
    if (guard == 1)
      text += fmt::format("  if ({} >= {}) return;\n", guarded.text, limit.text);
    if (guard == 2)
      text += "  if (x >= w || y >= n) return;\n";
    if (loops)
      text += fmt::format("  for ({} i = {}; i < {}; i += {}) {{\n", type, start.text, bound.text,
                          step.text);
    for (const Index& index : reads)
      text += fmt::format("    sum += a[{}];\n", index.text);
    for (const Index& index : writes)
      text += fmt::format("    a[{}] = sum + x;\n", index.text);
    text += loops ? "  }\n}\n" : "}\n";
  }

  // Whether some group, or work-item, accesses what another one writes.
  bool shares(const Sizes& sizes, long n, long w, bool items = false) const {
    std::map<long, std::set<std::size_t>> accessing;
    std::set<long> written;
    for (std::size_t group = 0; group < sizes.groups[0] * sizes.groups[1]; ++group)
      for (std::size_t item = 0; item < sizes.local[0] * sizes.local[1]; ++item) {
        const std::size_t of_group = sizes.local[0] * sizes.local[1];
        const std::size_t number = items ? group * of_group + item : group;
        const auto g = static_cast<long>(group % sizes.groups[0]);
        const auto h = static_cast<long>(group / sizes.groups[0]);
        const auto l = static_cast<long>(item % sizes.local[0]);
        const auto m = static_cast<long>(item / sizes.local[0]);
        std::map<char, long> values{{'g', g}, {'h', h}, {'l', l}, {'m', m},
                                    {'n', n}, {'w', w}, {'i', 0}};
        values['x'] = g * static_cast<long>(sizes.local[0]) + l;
        values['y'] = h * static_cast<long>(sizes.local[1]) + m;
        if ((guard == 1 && guarded.value(values) >= limit.value(values)) ||
            (guard == 2 && (values['x'] >= w || values['y'] >= n)))
          continue;
        values['i'] = loops ? start.value(values) : 0;
        for (; !loops || values['i'] < bound.value(values); values['i'] += step.value(values)) {
          for (const Index& index : reads)
            accessing[index.value(values)].insert(number);
          for (const Index& index : writes) {
            written.insert(index.value(values));
            accessing[index.value(values)].insert(number);
          }
          if (!loops)
            break;
        }
      }
    return std::ranges::any_of(written, [&](long at) { return accessing[at].size() > 1; });
  }

  bool wraps;
  Writer writer;
  std::string text;
  std::vector<Index> writes, reads;
  Index bound, step, start, guarded, limit;
  bool loops = false;
  unsigned guard = 0;
};

} // namespace

TEST_CASE("Random kernels whose work-groups or work-items are called separate share nothing") {
  std::size_t separate = 0, known = 0, own = 0, known_own = 0;
  const std::size_t kernels = gputest::tests::random_count(60);
  for (unsigned seed = 1; seed <= kernels; ++seed) {
    const RandomKernel kernel(seed);
    const Analysed analysed(kernel.text, {"races"});
    Writer sizes_of(seed + 1'000'000);
    for (int launch = 0; launch < 25; ++launch) {
      const Sizes sizes{{1 + sizes_of.below(4), 1 + sizes_of.below(3)},
                        {1 + sizes_of.below(4), 1 + sizes_of.below(4)}};
      constexpr std::array<std::uint32_t, 6> kLarge{1U << 30, 1U << 31,       (1U << 31) + 1,
                                                    ~0U,      (1U << 31) - 1, 0x55555556};
      const auto number = [&]() -> std::uint32_t {
        return kernel.wraps && sizes_of.below(2) == 0 ? kLarge[sizes_of.below(kLarge.size())]
                                                      : sizes_of.below(14);
      };
      const std::uint32_t n = number(), w = number();
      const bool shares = kernel.shares(sizes, n, w);
      const bool items_share = kernel.shares(sizes, n, w, true);
      const std::vector<int> numbers{static_cast<int>(n), static_cast<int>(w)};
      const std::string why = analysed.why_not(sizes, numbers);
      const bool is_own = analysed.own(sizes, numbers) == 1;
      if ((why.empty() && shares) || (is_own && items_share))
        FAIL(fmt::format("seed {}: {} x {} groups of {} x {}, n = {}, w = {}\n{}", seed,
                         sizes.groups[0], sizes.groups[1], sizes.local[0], sizes.local[1], n, w,
                         kernel.text));
      separate += !shares;
      known += why.empty();
      own += !items_share;
      known_own += is_own;
    }
  }
  INFO(known << " of " << separate << " launches are known to be separate, and " << known_own
             << " of " << own << " to have work-items that are");
  CHECK(known * 2 > separate);
  CHECK(known_own * 2 > own);
}
