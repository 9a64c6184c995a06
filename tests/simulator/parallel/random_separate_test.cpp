// Random kernels whose work-groups, or work-items, are called separate, against their accesses, one
// by one.
#include "tests/catch.h"
#include "tests/random_count.h"
#include "tests/simulator/parallel/analysed.h"

#include <array>
#include <cstdint>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

using namespace gputest::simulator;
using namespace gputest::simulator::tests;

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

  static Index constant(long value) {
    return {std::to_string(value), [=](const auto&) { return value; }};
  }
  static Index variable(char name) {
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
    counts = wraps && writer.below(2) == 0;
    breaks = counts || writer.below(2) == 0;
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
    if (loops && counts) // limits near the largest number, and few iterations
      text +=
          fmt::format("  for (uint i = {}, c = 0; c < n; c += {}, ++i) {{\n", start.text, kCount);
    else if (loops)
      text += fmt::format("  for ({} i = {}; i < {}; i += {}) {{\n", type, start.text, bound.text,
                          step.text);
    if (loops && breaks) // where `b` has no such number, it changes nothing
      text += "    if (b[i & 7] == 12345) break;\n";
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
        const auto goes_on = [&] {
          return !loops || (counts ? values['c'] < n : values['i'] < bound.value(values));
        };
        constexpr int kMost = 40; // more need not end: numbers may wrap
        for (int times = 0; times < kMost && goes_on(); ++times) {
          for (const Index& index : reads)
            accessing[index.value(values)].insert(number);
          for (const Index& index : writes) {
            written.insert(index.value(values));
            accessing[index.value(values)].insert(number);
          }
          if (!loops)
            break;
          values['i'] += counts ? 1 : step.value(values);
          values['c'] = static_cast<std::uint32_t>(values['c'] + kCount);
        }
      }
    return std::ranges::any_of(written, [&](long at) { return accessing[at].size() > 1; });
  }

  static constexpr std::uint32_t kCount = 3U << 29;
  bool wraps;
  Writer writer;
  std::string text;
  std::vector<Index> writes, reads;
  Index bound, step, start, guarded, limit;
  bool loops = false, breaks = false, counts = false;
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
      const bool is_own = (analysed.own(sizes, numbers) & 1) == 1;
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
