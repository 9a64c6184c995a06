// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The native part of the check of bounds, which templates/simulator/bounds.c calls.
#pragma once

#include "simulator/checks/check.h"

namespace gputest::simulator {

// Returns "; the argument 'p' is null", for findings about a null pointer from anywhere; "" if no
// argument of the launch is null.
std::string null_arguments(const ir::KernelShape& shape, const gputest_context& context);

class BoundsWatch : public Watch {
public:
  explicit BoundsWatch(const WatchedLaunch& launch);

  // Reports an access and returns memory to access instead. `member`: [begin, begin + length) is a
  // member array of the object.
  std::byte* outside(std::byte* at, std::uint64_t size, const std::byte* begin,
                     std::uint64_t length, unsigned object, unsigned site, bool write, bool member);
  void misaligned(const std::byte* at, std::uint64_t alignment, unsigned site, bool write);

private:
  std::string running_item() const;
  void note_extent(const std::byte* at, std::uint64_t size, unsigned object);
  // Returns the number of the object that contains the access but forbids it (read-only or
  // write-only); ~0: none.
  unsigned denying_object(const std::byte* at, std::uint64_t size, unsigned object,
                          bool write) const;
  // Bytes of an object that may be both read and written, and all of its bytes.
  std::uint64_t allowed_part(unsigned object) const;
  std::uint64_t whole_of(unsigned object) const;
  const Region* constant_at(const std::byte* at, std::uint64_t size) const;
  // Whether an access is through a null pointer: one without memory, with whatever index, or an
  // address near 0.
  bool is_through_null(const std::byte* at, unsigned object) const;
  // The name of the object, or of what is next to an access; "" if neither is known.
  std::string name_of(unsigned object, const std::byte* at) const;
  std::string where_outside(const std::byte* at, const std::byte* begin, std::uint64_t length,
                            unsigned object, bool member) const;
  std::string why_denied(unsigned object, bool write) const;

  const ir::KernelShape& shape_;
  unsigned dimensions_;
  gputest_context& context_;
  const Arena& arena_;
  Findings& findings_;
  std::vector<Extent>& extents_;
  struct Denying {
    unsigned object;
    std::uint64_t whole; // its bytes
  };
  std::vector<Denying> denying_; // objects of which a part may be only read, or only written
  Region nowhere_;
};

} // namespace gputest::simulator
