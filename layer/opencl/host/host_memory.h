// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Protects the host's memory that commands still use: whole pages, not of a stack. Accesses of the
// host are then page faults. The commands themselves must be complete.
#pragma once

#include "layer/opencl/host/command_order.h"
#include "process/page_faults.h"

namespace gputest::layer {

class HostMemory {
public:
  explicit HostMemory(process::OnPageFault on_access) : on_access_(on_access) {}

  // The host may not write the bytes; if the command writes them, it may not read them either.
  void protect(const CommandPtr& command, const void* begin, std::size_t size, bool writes);
  // Commands are about to use the bytes.
  void release(const void* begin, std::size_t size);
  // The host knows that these are complete.
  void release(const Clock& host);

  struct Use {
    CommandPtr command;
    std::uint64_t begin = 0, end = 0; // addresses of pages
    bool writes = false;
  };
  // Returns the use with which an access of the host conflicts, and releases it; nullptr: none.
  std::shared_ptr<const Use> take(const void* at);

private:
  template <typename Ended> void release_if(const Ended& ended);

  process::OnPageFault on_access_;
  std::vector<Use> uses_;
};

} // namespace gputest::layer
