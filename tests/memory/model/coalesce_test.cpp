// What a warp accesses, counted by hand.
#include "memory/model/coalesce.h"
#include "tests/catch.h"

#include <random>
#include <set>

using namespace gputest::memory;

namespace {

const CacheLevel kLines64{.name = "L1", .size = 4096, .line = 64, .sector = 64, .ways = 2};
const CacheLevel kSectors{.name = "L1", .size = 4096, .line = 128, .sector = 32, .ways = 2};
const LocalMemory kBanks{.size = 65536, .banks = 32, .bank_bytes = 4, .cycles = 20};

std::vector<LaneAccess> lanes(std::size_t count, std::uint64_t begin, std::int64_t stride,
                              std::uint32_t size) {
  std::vector<LaneAccess> all;
  for (std::uint32_t i = 0; i < count; ++i)
    all.push_back(
        {.address = begin + static_cast<std::uint64_t>(stride * i), .size = size, .lane = i});
  return all;
}

Transactions count(std::vector<LaneAccess> all, const CacheLevel& level) {
  std::vector<LineRequest> requests;
  return coalesce(all, level, requests);
}

void check(const Transactions& transactions, unsigned made, unsigned fewest) {
  CHECK(transactions.made == made);
  CHECK(transactions.fewest == fewest);
}

} // namespace

TEST_CASE("Neighbouring floats share lines and sectors") {
  check(count(lanes(32, 0, 4, 4), kLines64), 2, 2);        // 128 bytes
  check(count(lanes(32, 0, 4, 4), kSectors), 4, 4);        // 4 sectors of 32
  check(count(lanes(32, 16, 4, 4), kSectors), 5, 4);       // begin within a sector
  check(count(lanes(32, 0, 8, 4), kSectors), 8, 4);        // every second float
  check(count(lanes(32, 0, 128, 4), kSectors), 32, 4);     // a column
  check(count(lanes(32, 0, 0, 4), kSectors), 1, 1);        // all the same
  check(count(lanes(32, 0, 16, 16), kSectors), 16, 16);    // float4
  check(count(lanes(32, 3968, -128, 4), kLines64), 32, 2); // backwards
  check(count(lanes(1, 30, 0, 4), kSectors), 2, 1);        // across a border
}

TEST_CASE(
    "Lines are asked for with the sectors that are needed, and those written whole are known") {
  std::vector<LineRequest> requests;
  std::vector<LaneAccess> all = lanes(10, 112, 4, 4); // bytes 112 to 151
  coalesce(all, kSectors, requests);
  REQUIRE(requests.size() == 2);
  CHECK(requests[0].number == 0);
  CHECK(requests[0].sectors == 0b1000); // bytes 96 to 127, of which 112 to 127
  CHECK(requests[0].covered == 0);
  CHECK(requests[1].number == 1);
  CHECK(requests[1].sectors == 0b0001); // bytes 128 to 151
  CHECK(requests[1].covered == 0);
  all = lanes(8, 128, 4, 4);
  coalesce(all, kSectors, requests);
  REQUIRE(requests.size() == 1);
  CHECK(requests[0].covered == 0b0001);
}

TEST_CASE("Random accesses touch the sectors that a set of them has") {
  std::mt19937 random(11);
  for (unsigned round = 0; round < 2'000; ++round) {
    std::vector<LaneAccess> all;
    std::set<std::uint64_t> sectors, bytes;
    for (std::uint32_t lane = 0; lane < 1 + random() % 32; ++lane) {
      const std::uint32_t size = 1U << random() % 5;
      all.push_back({.address = random() % 2048, .size = size, .lane = lane});
      for (std::uint64_t byte = all.back().address; byte < all.back().address + size; ++byte) {
        sectors.insert(byte / 32);
        bytes.insert(byte);
      }
    }
    check(count(all, kSectors), static_cast<unsigned>(sectors.size()),
          static_cast<unsigned>((bytes.size() + 31) / 32));
  }
}

TEST_CASE("Words of one bank are read one after the other") {
  const auto passes = [](const std::vector<LaneAccess>& all, bool atomic = false) {
    return bank_passes(all, kBanks, 32, atomic);
  };
  check(passes(lanes(32, 0, 4, 4)), 1, 1);    // a word of each bank
  check(passes(lanes(32, 0, 8, 4)), 2, 1);    // 2-way: banks 0, 2, 4, …
  check(passes(lanes(32, 0, 128, 4)), 32, 1); // 32-way: bank 0 alone
  check(passes(lanes(32, 0, 132, 4)), 1, 1);  // rows padded by one word
  check(passes(lanes(32, 0, 0, 4)), 1, 1);    // one word for all
  check(passes(lanes(32, 0, 1, 1)), 1, 1);    // 4 bytes of each of 8 words
  check(passes(lanes(32, 0, 8, 8)), 2, 2);    // doubles: 16 work-items go together
  check(passes(lanes(32, 0, 16, 16)), 4, 4);  // float4: 8 do
  check(passes(lanes(16, 0, 128, 4)), 16, 1);
}

TEST_CASE("Atomic operations take turns at a word") {
  check(bank_passes(lanes(32, 0, 4, 4), kBanks, 32, true), 1, 1);
  check(bank_passes(lanes(32, 0, 0, 4), kBanks, 32, true), 32, 1);
}
