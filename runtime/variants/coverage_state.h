// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state buffer of an instrumented kernel (templates/state.h). It is made before a launch and
// read after it.
#pragma once

#include "model/sites.h"
#include "runtime/cases/bytes.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gputest::runtime {

// The records of one launch.
struct Recorded {
  std::vector<std::uint32_t> coverage; // bits of outcomes
  // For each vote: 0, or 1 + the linear id of a group that disagreed.
  std::vector<std::uint32_t> divergence;
};

// Slots (templates/state.h) cost memory for each work-item. Launches that need more than this use
// none.
constexpr std::size_t kMaximumSlotBytes = std::size_t{64} << 20;

// Returns whether a launch of `items` work-items should use GPUTEST_FLUSH_SLOTS. It should on CPUs,
// for kernels without loops and barriers, where the slots stay below kMaximumSlotBytes.
bool use_slots(const model::SiteTable& table, const std::string& kernel, bool is_cpu,
               std::size_t items);

// Returns the state buffer. `slot_items`: number of work-items with slots; 0: no section of slots.
Bytes make_state(const model::SiteTable& table, std::size_t slot_items);

// Returns what the launch recorded. Slots are folded into the bits of coverage. Throws KernelError
// if the header was overwritten.
Recorded read_state(const Bytes& state);

// Convert words to and from the text that the worker sends: 8 hexadecimal digits a word.
std::string to_hex(const std::vector<std::uint32_t>& words);
std::vector<std::uint32_t> from_hex(const std::string& text);

} // namespace gputest::runtime
