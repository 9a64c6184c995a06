// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The banks of DRAM. Each serves one request at a time, in the order of arrival.
#pragma once

#include "memory/model/gpu.h"

#include <cstdint>
#include <vector>

namespace gputest::memory {

class DramBanks {
public:
  explicit DramBanks(const Dram& dram) : dram_(dram), banks_(dram.banks) {}

  // Serves a request that arrives at `at`. Returns when its data arrive.
  Cycles access(Cycles at, std::uint64_t address);

  // Returns when the address's bank accepts the next request.
  Cycles free_at(std::uint64_t address) const { return banks_[bank_of(address)].free; }

  std::uint64_t requests() const { return requests_; }
  std::uint64_t row_hits() const { return row_hits_; } // for GPUs with rows

private:
  struct Bank {
    Cycles free = 0;
    std::uint64_t row = 0;
    bool open = false;
  };

  std::size_t bank_of(std::uint64_t address) const {
    const std::uint64_t chunk = address / dram_.bank_bytes;
    return (dram_.hashed ? spread(chunk) : chunk) % banks_.size();
  }

  Dram dram_;
  std::vector<Bank> banks_;
  std::uint64_t requests_ = 0, row_hits_ = 0;
};

} // namespace gputest::memory
