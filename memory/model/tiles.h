// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What work-groups would have of an object in local memory if they loaded it tile by tile: the
// sectors that they used last, and where these would lie.
#pragma once

#include "memory/model/layout.h"
#include "memory/model/trace.h"

#include <cstdint>
#include <list>
#include <optional>
#include <unordered_map>
#include <vector>

namespace gputest::memory {

class Tiles {
public:
  // `most`: sectors of a group, at least one.
  explicit Tiles(std::size_t most) : most_(most) {}

  // Returns whether the group has the sector, which it has from now on.
  bool use(std::uint32_t group, std::uint64_t sector);

private:
  struct Group {
    std::list<std::uint64_t> sectors{}; // the last used in front
    std::unordered_map<std::uint64_t, std::list<std::uint64_t>::iterator> known{};
  };
  std::size_t most_;
  std::unordered_map<std::uint32_t, Group> groups_;
};

// Where a group's part of an object would lie in local memory: the sectors that the group reads of
// it in the whole launch follow each other in the order of their addresses. Rows of a matrix of
// which a group reads some columns so become the rows of a tile.
class TilePlaces {
public:
  // `padded_row`: behind so many bytes a word is left free. References must outlive this object.
  TilePlaces(const LaunchTrace& trace, const Layout& layout, std::uint32_t object,
             std::uint64_t sector, std::optional<std::uint64_t> padded_row, std::uint64_t word);

  // Returns the place in local memory of an address that the group reads.
  std::uint64_t place(std::uint32_t group, std::uint64_t address);

private:
  std::vector<std::uint64_t> sectors_of(std::uint32_t group) const;

  const LaunchTrace& trace_;
  const Layout& layout_;
  const std::uint32_t object_;
  const std::uint64_t sector_;
  const std::optional<std::uint64_t> padded_row_;
  const std::uint64_t word_;
  std::unordered_map<std::uint32_t, std::vector<std::uint64_t>> groups_; // sectors, in order
};

} // namespace gputest::memory
