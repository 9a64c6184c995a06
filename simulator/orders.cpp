#include "simulator/orders.h"

#include <algorithm>
#include <numeric>

namespace gputest::simulator {
namespace {

// SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014): the
// standard library's shuffles and distributions differ between its implementations.
class Random {
public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t mixed = (state_ += 0x9e3779b97f4a7c15);
    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111eb;
    return mixed ^ mixed >> 31;
  }

private:
  std::uint64_t state_;
};

} // namespace

std::vector<std::uint32_t> order_of(Order::Kind kind, std::size_t count, std::uint64_t seed,
                                    std::uint64_t stream) {
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0u);
  if (kind == Order::Kind::Descending)
    std::ranges::reverse(order);
  if (kind == Order::Kind::Random) {
    Random random(seed * 0x2545f4914f6cdd1d + stream);
    for (std::size_t i = count; i > 1; --i)
      std::swap(order[i - 1], order[random.next() % i]);
  }
  return order;
}

} // namespace gputest::simulator
