// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/model/dram.h"

#include <algorithm>

namespace gputest::memory {

Cycles DramBanks::access(Cycles at, std::uint64_t address) {
  const std::uint64_t chunk = address / dram_.bank_bytes;
  Bank& bank = banks_[bank_of(address)];
  ++requests_;
  Cycles latency = dram_.cycles, busy = dram_.busy_cycles;
  if (dram_.row_bytes != 0) {
    const std::uint64_t within =
        chunk / banks_.size() * dram_.bank_bytes + address % dram_.bank_bytes;
    const std::uint64_t row = within / dram_.row_bytes;
    if (bank.open && bank.row == row) {
      latency = dram_.row_hit_cycles;
      ++row_hits_;
    } else { // the row that is open is closed, and this one opened
      busy += dram_.cycles - dram_.row_hit_cycles;
    }
    bank.row = row;
    bank.open = true;
  }
  const Cycles begin = std::max(at, bank.free);
  bank.free = begin + busy;
  return begin + latency;
}

} // namespace gputest::memory
