// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps the bytes that operations of streams have accessed, page by page, until the host knows that
// the operations have ended. Finds accesses that nothing orders.
#pragma once

#include "cuda/runtime/order/operations.h"
#include "simulator/cuda/wire.h"

#include <span>
#include <unordered_map>

namespace gputest::cuda {

using simulator::cuda::AccessKind;

// Bytes that an operation accesses.
struct Touched {
  std::uint64_t begin = 0, size = 0;
  std::uint32_t place = 0; // the number of a line of code; 0: none
  AccessKind kind = simulator::cuda::kPlainRead;
  bool writes() const {
    return kind == simulator::cuda::kPlainWrite || kind == simulator::cuda::kAtomicWrite;
  }
};
// Whether two accesses of one byte race without an order. Two atomic ones do not.
bool conflict(AccessKind one, AccessKind other);

struct Conflict {
  OperationPtr earlier; // in the order of calls
  Touched of_earlier, of_later;
  std::uint64_t byte = 0; // the address of the first one of both
};

class Footprints {
public:
  // Adds what an operation has accessed, and returns conflicts with unordered operations: one for
  // each pair of places, and few for each operation. `host`: what the host knows to have ended, if
  // all later operations come after that; null: some may have been put into a stream before.
  std::vector<Conflict> add(const OperationPtr& operation, std::span<const Touched> touched,
                            const Clock* host);

  // Whether the operation has accessed all of these bytes, which are in one page, with plain writes
  // (true) or plain accesses of any kind.
  bool covers(const OperationPtr& operation, std::uint64_t begin, std::uint64_t size,
              bool writes) const;

  void forget(std::uint64_t begin, std::uint64_t size); // memory that is free
  void clear();
  bool empty() const { return pages_.empty(); }

  static constexpr std::uint64_t kPage = simulator::cuda::kDevicePage;
  // More ranges of bytes in pages are forgotten, all at once: no finding comes of them.
  static constexpr std::size_t kMost = std::size_t{1} << 22;

private:
  struct Run {
    std::uint16_t begin, end; // in the page
    AccessKind kind;
    std::uint32_t place;
  };
  struct Group {
    OperationPtr operation;
    std::vector<Run> runs;
  };
  using Page = std::vector<Group>;

  void add(std::uint64_t page, const OperationPtr& operation, const std::vector<Run>& runs,
           const Clock* host, std::vector<Conflict>& found);
  static void compare(std::uint64_t page, const Group& group, const std::vector<Run>& runs,
                      std::vector<Conflict>& found);

  std::unordered_map<std::uint64_t, Page> pages_; // by address / kPage
  std::size_t count_ = 0;                         // of runs
};

} // namespace gputest::cuda
