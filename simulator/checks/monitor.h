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
  void race(const std::byte* at, std::uint64_t size, unsigned site, bool local, bool atomic,
            bool write, const std::byte* value);
  std::byte* outside(const std::byte* at, std::uint64_t size, const std::byte* begin,
                     std::uint64_t length, unsigned object, unsigned site, bool write);
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

private:
  std::string running_item() const;
  void report_divergence();

  const KernelShape& shape_;
  unsigned dimensions_;
  gputest_context& context_;
  const Arena& arena_;
  Findings findings_;
  std::optional<Races> races_;
  std::optional<Copies> copies_;
  unsigned pixel_site_ = 0;
  std::optional<DefinednessMemory> definedness_;
  Region nowhere_; // what accesses out of bounds use instead, in the arena
};

} // namespace gputest::simulator
