// The native side of the check of bounds: what templates/simulator/bounds.c reports.
#pragma once

#include "simulator/checks/check.h"

namespace gputest::simulator {

class BoundsWatch : public Watch {
public:
  explicit BoundsWatch(const WatchedLaunch& launch);

  // Reports, and gives memory to access instead. `member`: of an array that is a member of the
  // object.
  std::byte* outside(std::byte* at, std::uint64_t size, const std::byte* begin,
                     std::uint64_t length, unsigned object, unsigned site, bool write, bool member);
  void misaligned(const std::byte* at, std::uint64_t alignment, unsigned site, bool write);

private:
  std::string running_item() const;
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
  Findings& findings_;
  std::vector<Extent>& extents_;
  bool denies_ = false; // some object may only be read, or only be written
  Region nowhere_;
};

} // namespace gputest::simulator
