// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses of the host to pinned and managed memory that an operation of a stream may still access.
// Such pages are protected until the host has waited for the operation, so the host's access is a
// fault. Only pages whose allocated bytes the operation accesses all are protected: any access of
// the host is then one of the same bytes.
#pragma once

#include "cuda/runtime/order/operations.h"
#include "process/page_faults.h"

#include <set>

namespace gputest::cuda {

class HostWatch {
public:
  struct Watched {
    OperationPtr operation;
    std::uint32_t place = 0; // of the access
    bool writes = false;     // the host must not even read
  };

  using OnAccess = process::OnPageFault; // handles the host's access of a protected page
  explicit HostWatch(OnAccess on_access) : on_access_(on_access) {}

  // Protects the page at this address.
  void add(std::uint64_t page, Watched watched);
  void protect(); // what was added
  // No longer protects pages for operations that the host knows to have ended.
  void release(const Clock& host);
  // The same for the operation of one page, which is reported.
  void release(const OperationPtr& operation);
  void forget(std::uint64_t begin, std::uint64_t size);
  void clear();

  // Returns the operation with which an access of the host conflicts; null: none.
  const Watched* find(std::uint64_t page, bool writes) const;

private:
  void apply(const std::set<std::uint64_t>& pages);
  template <typename Ended> void release_if(const Ended& ended);

  OnAccess on_access_;
  std::map<std::uint64_t, std::vector<Watched>> pages_;
  std::set<std::uint64_t> changed_;
};

} // namespace gputest::cuda
