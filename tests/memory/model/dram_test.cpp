// Banks beside queues that are worked off one request after the other.
#include "memory/model/dram.h"
#include "tests/catch.h"

#include <algorithm>
#include <map>
#include <random>

using namespace gputest::memory;

TEST_CASE("A bank takes one request at a time, in order") {
  DramBanks dram({.banks = 2, .bank_bytes = 64, .cycles = 10, .busy_cycles = 10});
  CHECK(dram.access(0, 0) == 10);
  CHECK(dram.access(3, 32) == 20);   // waits for the first
  CHECK(dram.access(3, 64) == 13);   // the other bank is free
  CHECK(dram.access(50, 128) == 60); // the first bank again: 128 / 64 is even
  CHECK(dram.requests() == 4);
}

TEST_CASE("The next request may come before the last one's data") {
  DramBanks dram({.banks = 1, .bank_bytes = 64, .cycles = 10, .busy_cycles = 3});
  CHECK(dram.access(0, 0) == 10);
  CHECK(dram.access(0, 64) == 13);
  CHECK(dram.access(0, 128) == 16);
}

TEST_CASE("An open row is quicker") {
  // 2 banks of 64 bytes in turn; rows of 128 bytes: bytes 0-63 and 128-191 are row 0 of bank 0.
  DramBanks dram({.banks = 2,
                  .bank_bytes = 64,
                  .cycles = 10,
                  .busy_cycles = 2,
                  .row_bytes = 128,
                  .row_hit_cycles = 4});
  CHECK(dram.access(0, 0) == 10);    // opens the row: busy for 2 + 6
  CHECK(dram.access(0, 128) == 12);  // from 8 on
  CHECK(dram.access(20, 256) == 30); // row 1 of bank 0
  CHECK(dram.access(40, 0) == 50);   // row 0 was closed
  CHECK(dram.row_hits() == 1);
}

TEST_CASE("Hashed, places at one distance are not all in one bank") {
  Dram dram{.banks = 16, .bank_bytes = 64, .cycles = 10, .busy_cycles = 10};
  const auto last = [&](bool hashed) {
    dram.hashed = hashed;
    DramBanks banks(dram);
    Cycles done = 0;
    for (std::uint64_t i = 0; i < 64; ++i)
      done = std::max(done, banks.access(0, i * 16 * 64));
    return done;
  };
  CHECK(last(false) == 640); // one bank
  CHECK(last(true) < 150);   // 40 if all banks had as many
}

namespace {

// Every bank is a queue; each request is looked at when the one before it has gone.
class ReferenceDram {
public:
  explicit ReferenceDram(const Dram& dram) : dram_(dram) {}

  Cycles access(Cycles at, std::uint64_t address) {
    const std::uint64_t bank = address / dram_.bank_bytes % dram_.banks;
    Cycles begin = at;
    for (const Cycles end : busy_until_[bank]) // all that came before
      if (end > begin)
        begin = end;
    Cycles latency = dram_.cycles, busy = dram_.busy_cycles;
    if (dram_.row_bytes != 0) {
      const std::uint64_t stripe = dram_.bank_bytes * dram_.banks;
      const std::uint64_t row =
          (address / stripe * dram_.bank_bytes + address % dram_.bank_bytes) / dram_.row_bytes;
      const auto open = open_.find(bank);
      if (open != open_.end() && open->second == row)
        latency = dram_.row_hit_cycles;
      else
        busy += dram_.cycles - dram_.row_hit_cycles;
      open_[bank] = row;
    }
    busy_until_[bank] = {begin + busy};
    return begin + latency;
  }

private:
  Dram dram_;
  std::map<std::uint64_t, std::vector<Cycles>> busy_until_;
  std::map<std::uint64_t, std::uint64_t> open_;
};

} // namespace

TEST_CASE("Random requests take as long as in the reference implementation") {
  std::mt19937_64 random(3);
  for (const Dram& dram : {Dram{.banks = 4, .bank_bytes = 8192, .cycles = 100, .busy_cycles = 100},
                           Dram{.banks = 1, .bank_bytes = 16, .cycles = 7, .busy_cycles = 1},
                           Dram{.banks = 3,
                                .bank_bytes = 256,
                                .cycles = 40,
                                .busy_cycles = 4,
                                .row_bytes = 1024,
                                .row_hit_cycles = 11}}) {
    DramBanks banks(dram);
    ReferenceDram reference(dram);
    Cycles at = 0;
    for (unsigned i = 0; i < 10'000; ++i) {
      at += random() % 60;
      const std::uint64_t address = random() % (1 << 16);
      REQUIRE(banks.access(at, address) == reference.access(at, address));
    }
  }
}
