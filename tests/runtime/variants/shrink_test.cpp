#include "runtime/variants/shrink.h"

#include "tests/catch.h"

#include <algorithm>
#include <numeric>

namespace gputest::runtime {
namespace {

using Elements = std::vector<std::uint32_t>;

Elements numbers(std::uint32_t count) {
  Elements all(count);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

bool holds_all(const Elements& elements, const Elements& wanted) {
  return std::ranges::all_of(wanted, [&](std::uint32_t one) {
    return std::ranges::find(elements, one) != elements.end();
  });
}

} // namespace

TEST_CASE("what is shrunk to is the cause") {
  for (const Elements& cause : {Elements{0, 99}, Elements{50}, Elements{3, 4, 5}, numbers(100)}) {
    unsigned asked = 0;
    const Elements fewest = shrink(
        numbers(100),
        [&](const Elements& elements) {
          ++asked;
          return holds_all(elements, cause);
        },
        10000);
    CHECK(fewest == cause);
    CHECK(asked < 500);
  }
}

TEST_CASE("shrinking stops when it has asked enough") {
  unsigned asked = 0;
  const Elements left = shrink(
      numbers(1000),
      [&](const Elements& elements) {
        ++asked;
        return holds_all(elements, {1, 500, 998});
      },
      10);
  CHECK(asked == 10);
  CHECK(holds_all(left, {1, 500, 998}));
}

TEST_CASE("an order is restricted to some of its elements") {
  const Elements order{4, 1, 0, 3, 2};
  CHECK(moved(order) == Elements{4, 0, 2});
  CHECK(restricted(order, moved(order)) == order);
  CHECK(restricted(order, {4, 0}) == Elements{4, 1, 2, 3, 0});
  CHECK(restricted(order, {0, 2}) == Elements{0, 1, 2, 3, 4});
  CHECK(restricted(order, {}) == numbers(5));
  CHECK(moved(numbers(5)).empty());
}

} // namespace gputest::runtime
