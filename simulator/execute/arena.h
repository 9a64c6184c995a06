// Where a launch's buffers lie: each with its end at the end of a page, and nothing behind it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace gputest::simulator {

// Below this, an address is a null pointer, or one that an index was added to.
inline bool is_null(const void* at) {
  return reinterpret_cast<std::uintptr_t>(at) < 65536;
}

// The size of the region that stands for memory of accesses that are left out.
constexpr std::size_t kNowhere = std::size_t{1} << 20;

struct Region {
  std::string name;
  std::byte* begin = nullptr;
  std::size_t size = 0; // bytes
};

// One range of addresses. What is not a region in it cannot be touched: an access next to a buffer
// ends the kernel instead of changing something else.
class Arena {
public:
  // `space`: bytes of addresses to reserve. Throws SimulatorFailure.
  explicit Arena(std::size_t space);
  // `own` bytes of addresses behind `shared` bytes from `begin`, where others place things (add()).
  Arena(std::byte* begin, std::size_t shared, std::size_t own);
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  ~Arena();

  // `size` bytes of the file `descriptor` from `offset`, which is where shared_offset() puts it.
  // Region 0 bytes long: an address that cannot be accessed. Throws InputError for bytes that the
  // file does not have.
  Region map(const std::string& name, int descriptor, std::size_t offset, std::size_t size);

  // Zeros of this launch.
  Region allocate(const std::string& name, std::size_t size);

  // The region that was allocated as number `index`, from now on `size` bytes of it: those at its
  // end, which begin where kAlignment is kept. No more than it was allocated with.
  const Region& resize(std::size_t index, std::size_t size);

  // What others have placed.
  void add(Region region) { regions_.push_back(std::move(region)); }

  std::span<const Region> regions() const { return regions_; }
  std::byte* begin() const { return begin_; }
  std::size_t space() const { return space_; }

  // The region that `address` is in or next to (within kGap bytes); null: none.
  const Region* near(const void* address) const;

  static constexpr std::size_t kPage = 4096, kAlignment = 128, kGap = std::size_t{1} << 20;

  // Addresses that `size` bytes take with what lies around them.
  static std::size_t space_for(std::size_t size);

private:
  std::byte* place(std::size_t size);

  std::byte* begin_ = nullptr;
  std::size_t space_ = 0, used_ = 0, foreign_ = 0;
  std::vector<Region> regions_;
};

} // namespace gputest::simulator
