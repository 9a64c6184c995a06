// Watches a launch: what checks in the kernel's code report, and barriers.
#pragma once

#include "simulator/checks/finding.h"
#include "simulator/checks/uninitialized.h"
#include "simulator/execute/arena.h"
#include "simulator/execute/loader.h"

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace gputest::simulator {

// Where the parts of a mark are (templates/simulator/context.h).
struct MarkLayout {
  unsigned bytes = 8, item_bits = 17, site_bits = 15;
  unsigned epoch_bits() const { return 8 * bytes - 2 - item_bits - site_bits; }
  unsigned item_shift() const { return 2 + site_bits; }
  unsigned epoch_shift() const { return item_shift() + item_bits; }
};

class Monitor {
public:
  // `context` is what the kernel sees: its group and the sizes are read, what races need is set.
  Monitor(const KernelShape& shape, unsigned dimensions, gputest_context& context,
          const Arena& arena, const Region& nowhere);
  Monitor(const Monitor&) = delete;
  Monitor& operator=(const Monitor&) = delete;
  ~Monitor();

  void begin_group(); // the one that the context names

  // What the kernel calls; see templates/simulator.
  int turn();
  void race(const std::byte* at, std::uint64_t size, unsigned site, bool local, bool atomic,
            bool write, const std::byte* value);
  std::byte* outside(const std::byte* at, std::uint64_t size, const std::byte* begin,
                     std::uint64_t length, unsigned object, unsigned site, bool write);
  void misaligned(const std::byte* at, std::uint64_t alignment, unsigned site, bool write);
  void uninitialized(unsigned site);
  void arithmetic(unsigned site, unsigned fault);

  // In order of what was seen first. No more than kMost.
  std::vector<Finding> findings() const;
  static constexpr std::size_t kMost = 200;

private:
  WorkItem running_item() const;
  WorkItem item_of(std::uint64_t mark) const;
  std::string name_of(const WorkItem& item) const { return text_of(item, dimensions_); }
  // Null if it was there before: that one is counted once more.
  Finding* add(const std::string& kind, unsigned site, unsigned detail);
  void report_race(std::uint64_t mark, bool other_writes, bool same_value, const std::byte* at,
                   unsigned site, bool write);
  void report_divergence();
  std::byte* shadow_of(const std::byte* at) const;
  std::uint64_t mark_at(const std::byte* cell, bool read) const;
  void forget_epochs();
  void next_epoch();

  const KernelShape& shape_;
  unsigned dimensions_;
  gputest_context& context_;
  const Arena& arena_;
  MarkLayout layout_;
  std::byte* shadow_ = nullptr;
  std::size_t shadow_size_ = 0;
  std::uint64_t epoch_ = 0;
  std::vector<std::uint64_t> group_of_epoch_{0}; // linear
  std::vector<Finding> findings_;
  std::map<std::tuple<std::string, unsigned, unsigned>, std::size_t> known_;
  std::optional<DefinednessMemory> definedness_;
  Region nowhere_; // what accesses out of bounds use instead, in the arena
};

} // namespace gputest::simulator
