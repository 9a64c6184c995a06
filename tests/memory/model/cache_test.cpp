// The cache beside a list of lines, the last used in front.
#include "memory/model/cache.h"
#include "tests/catch.h"

#include <algorithm>
#include <list>
#include <map>
#include <random>

using namespace gputest::memory;

namespace {

CacheLevel level(std::size_t lines, std::size_t ways) {
  return {.name = "c", .size = lines * 64, .line = 64, .sector = 64, .ways = ways};
}

// Another one, which is easy to believe.
class ReferenceCache {
public:
  ReferenceCache(std::size_t sets, std::size_t ways) : sets_(sets), ways_(ways) {}

  // Was it there? If something went for it: what.
  std::pair<bool, std::optional<std::uint64_t>> access(std::uint64_t line) {
    std::list<std::uint64_t>& set = lines_[line % sets_];
    const auto found = std::ranges::find(set, line);
    const bool hit = found != set.end();
    if (hit)
      set.erase(found);
    set.push_front(line);
    if (set.size() <= ways_)
      return {hit, std::nullopt};
    const std::uint64_t last = set.back();
    set.pop_back();
    return {hit, last};
  }

private:
  std::size_t sets_, ways_;
  std::map<std::uint64_t, std::list<std::uint64_t>> lines_;
};

} // namespace

TEST_CASE("The line that was not used for longest goes") {
  Cache cache(level(4, 2)); // sets 0 and 1
  std::optional<CacheLine> evicted;
  const auto load = [&](std::uint64_t number) {
    CHECK(cache.find(number) == nullptr);
    cache.allocate(number, evicted);
  };
  load(0);
  load(2);
  CHECK_FALSE(evicted);
  load(1); // of the other set
  CHECK_FALSE(evicted);
  CHECK(cache.find(0) != nullptr); // now 2 was not used for longest
  load(4);
  REQUIRE(evicted);
  CHECK(evicted->number == 2);
  CHECK(cache.find(2) == nullptr);
  CHECK(cache.find(0) != nullptr);
}

TEST_CASE("Random traces hit, miss and evict as the reference implementation says") {
  std::mt19937 random(7);
  for (const auto& [lines, ways] : {std::pair{1, 1}, std::pair{8, 1}, std::pair{8, 8},
                                    std::pair{64, 2}, std::pair{12, 4}, std::pair{96, 3}}) {
    Cache cache(level(static_cast<std::size_t>(lines), static_cast<std::size_t>(ways)));
    ReferenceCache reference(static_cast<std::size_t>(lines / ways),
                             static_cast<std::size_t>(ways));
    for (unsigned i = 0; i < 20'000; ++i) {
      const std::uint64_t line = random() % static_cast<unsigned>(3 * lines);
      std::optional<CacheLine> evicted;
      const bool hit = cache.find(line) != nullptr;
      if (!hit)
        cache.allocate(line, evicted);
      const auto [expected, gone] = reference.access(line);
      REQUIRE(hit == expected);
      REQUIRE((evicted ? std::optional(evicted->number) : std::nullopt) == gone);
    }
  }
}
