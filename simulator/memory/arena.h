// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The addresses of a launch's buffers. Each buffer ends at the end of a page, and the next page
// cannot be accessed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace gputest::simulator {

// Whether an address is a null pointer, perhaps with an index added.
inline bool is_null(const void* at) {
  return reinterpret_cast<std::uintptr_t>(at) < 65536;
}

// The size of the region that replaces memory of skipped accesses.
constexpr std::size_t kNowhere = std::size_t{1} << 20;

struct Region {
  std::string name;
  std::byte* begin = nullptr;
  std::size_t size = 0;  // bytes
  bool constant = false; // kernels must not write it
};

// A range of addresses with regions. Other addresses in it cannot be accessed, so an access next to
// a buffer ends the kernel and changes nothing else.
class Arena {
public:
  // `space`: bytes of addresses to reserve. Throws SimulatorFailure.
  explicit Arena(std::size_t space);
  // Reserves `own` bytes of addresses after `shared` bytes from `begin`, where others place regions
  // (add()).
  Arena(std::byte* begin, std::size_t shared, std::size_t own);
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  ~Arena();

  // Maps `size` bytes of a file from `offset`, an offset of shared_offset(). A region of 0 bytes is
  // an address that cannot be accessed. Throws InputError if the file does not have these bytes.
  Region map(const std::string& name, int descriptor, std::size_t offset, std::size_t size);

  // Allocates zeros for this launch.
  Region allocate(const std::string& name, std::size_t size);

  // Resizes allocated region `index` to its last `size` bytes, which begin at a multiple of
  // kAlignment. `size` must not exceed the allocated size.
  const Region& resize(std::size_t index, std::size_t size);

  // What has been placed so far. release() gives back all that was placed after that.
  struct Mark {
    std::size_t used, regions;
  };
  Mark mark() const { return {used_, regions_.size()}; }
  void release(const Mark& mark);

  // Adds a region that others have placed.
  void add(Region region) { regions_.push_back(std::move(region)); }

  std::span<const Region> regions() const { return regions_; }
  std::byte* begin() const { return begin_; }
  std::size_t space() const { return space_; }

  // Returns the region that contains `address` or is within kGap bytes of it; null: none.
  const Region* near(const void* address) const;

  static constexpr std::size_t kPage = 4096, kAlignment = 128, kGap = std::size_t{1} << 20;

  // Returns the bytes of addresses that a region of `size` bytes takes, with the gaps around it.
  static std::size_t space_for(std::size_t size);

private:
  std::byte* place(std::size_t size);

  std::byte* begin_ = nullptr;
  std::size_t space_ = 0, used_ = 0, foreign_ = 0;
  std::vector<Region> regions_;
};

} // namespace gputest::simulator
