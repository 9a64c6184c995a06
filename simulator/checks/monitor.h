// Watches a launch: what checks in the kernel's code report, and barriers.
#pragma once

#include "simulator/checks/copies.h"
#include "simulator/checks/finding.h"
#include "simulator/checks/findings.h"
#include "simulator/checks/races.h"
#include "simulator/checks/uninitialized.h"
#include "simulator/execute/arena.h"
#include "simulator/execute/loader.h"

#include <optional>
#include <string>
#include <vector>

namespace gputest::simulator {

class Monitor {
public:
  // `context` is what the kernel sees: its group and the sizes are read, what races need is set.
  Monitor(const KernelShape& shape, unsigned dimensions, gputest_context& context,
          const Arena& arena, const Region& nowhere);
  Monitor(const Monitor&) = delete;
  Monitor& operator=(const Monitor&) = delete;
  void begin_group(); // the one that the context names
  void end_group();

  // What the kernel calls; see templates/simulator.
  int turn();
  void warp_met(std::uint64_t first, std::uint32_t lanes);   // those lanes of thread first's warp
  void warp_stuck(std::uint64_t first, std::uint32_t lanes); // wait for others that do not come
  void race(const std::byte* at, std::uint64_t size, unsigned site, bool local, bool atomic,
            bool write, const std::byte* value);
  // `member`: of an array that is a member of the object.
  std::byte* outside(std::byte* at, std::uint64_t size, const std::byte* begin,
                     std::uint64_t length, unsigned object, unsigned site, bool write, bool member);
  bool watches_pixels() const { return races_ && shape_.pixels; }
  void pixels_at(unsigned site) { pixel_site_ = site; }
  void pixel(const std::byte* at, std::size_t size, bool write);
  std::uint64_t copy(std::uint64_t item, unsigned site, const Copy& what, std::uint64_t event) {
    return copies_->copy(item, site, what, event);
  }
  void wait(std::uint64_t item, unsigned site, unsigned count, unsigned index,
            std::uint64_t event) {
    copies_->wait(item, site, count, index, event);
  }
  void misaligned(const std::byte* at, std::uint64_t alignment, unsigned site, bool write);
  void uninitialized(unsigned site);
  void arithmetic(unsigned site, unsigned fault);

  // In order of what was seen first.
  std::vector<Finding> findings() const { return findings_.all(); }
  bool found_anything() const { return findings_.any(); }

  // Bytes from an object's beginning that accesses out of its bounds were made at.
  struct Extent {
    std::int64_t begin = 0, end = 0; // the lowest, and past the highest
    bool operator==(const Extent&) const = default;
  };
  // By number of the objects that the launch places.
  const std::vector<Extent>& outside_extents() const { return extents_; }

private:
  std::string running_item() const;
  void report_divergence();
  void note_extent(const std::byte* at, std::uint64_t size, unsigned object);
  // Is the access within an object that may not be accessed this way? Its number; none: ~0.
  unsigned denying_object(const std::byte* at, std::uint64_t size, unsigned object,
                          bool write) const;
  std::string where_outside(const std::byte* at, const std::byte* begin, std::uint64_t length,
                            unsigned object, bool member) const;
  std::string why_denied(unsigned object, bool write) const;

  const KernelShape& shape_;
  unsigned dimensions_;
  gputest_context& context_;
  const Arena& arena_;
  Findings findings_;
  std::optional<Races> races_;
  std::optional<Copies> copies_;
  unsigned pixel_site_ = 0;
  std::vector<Extent> extents_;
  bool denies_ = false; // some object may only be read, or only be written
  std::optional<DefinednessMemory> definedness_;
  Region nowhere_; // what accesses out of bounds use instead, in the arena
};

} // namespace gputest::simulator
