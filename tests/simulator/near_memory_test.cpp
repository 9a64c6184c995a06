// Machine code and its data lie close together, also where the addresses around are taken.
#include "simulator/memory/near_memory.h"
#include "tests/catch.h"

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <sys/mman.h>
#include <vector>

namespace gputest::simulator {
namespace {

constexpr std::size_t kPiece = std::size_t{16} << 20;
constexpr std::intptr_t kReach = std::intptr_t{1} << 31; // of an instruction

// All addresses that are free within twice the reach of an instruction, in pieces.
class Taken {
public:
  explicit Taken(const std::uint8_t* around) {
    constexpr std::intptr_t kAround = 2 * kReach;
    for (std::intptr_t at = -kAround; at < kAround; at += kPiece) {
      const std::intptr_t begin = (reinterpret_cast<std::intptr_t>(around) + at) & -4096;
      void* const piece =
          ::mmap(reinterpret_cast<void*>(begin), kPiece, PROT_NONE, // NOLINT
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
      if (piece != MAP_FAILED)
        pieces_.push_back(piece);
    }
  }
  Taken(const Taken&) = delete;
  Taken& operator=(const Taken&) = delete;
  ~Taken() {
    for (void* const piece : pieces_)
      ::munmap(piece, kPiece);
  }

private:
  std::vector<void*> pieces_;
};

TEST_CASE("the sections of an object are within reach of each other") {
  const auto manager = near_memory();
  const std::uint8_t* const code = manager->allocateCodeSection(4096, 16, 0, ".text");
  REQUIRE(code);
  const Taken taken(code);
  for (const bool read_only : {true, false}) {
    std::uint8_t* const data = manager->allocateDataSection(4 * kPiece, 16, 1, ".data", read_only);
    REQUIRE(data);
    data[4 * kPiece - 1] = 1;
    CHECK(std::abs(reinterpret_cast<std::intptr_t>(data) - reinterpret_cast<std::intptr_t>(code)) <
          kReach);
  }
  std::string error;
  CHECK_FALSE(manager->finalizeMemory(&error));
}

} // namespace
} // namespace gputest::simulator
