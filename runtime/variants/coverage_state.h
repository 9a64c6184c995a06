// The state buffer of an instrumented kernel (templates/state.h), made before and read after a
// launch.
#pragma once

#include "model/sites.h"
#include "runtime/cases/bytes.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gputest::runtime {

// What one launch recorded.
struct Recorded {
  std::vector<std::uint32_t> coverage;   // outcome bits
  std::vector<std::uint32_t> divergence; // per vote: 0, or 1 + linear id of a group that disagreed
};

// Slots (see templates/state.h) cost memory for each work-item; above this they are not used.
constexpr std::size_t kMaximumSlotBytes = std::size_t{64} << 20;

// Whether a launch of `items` work-items of `kernel` should use GPUTEST_FLUSH_SLOTS: on CPUs, for
// straight-line kernels, where the slots stay below kMaximumSlotBytes.
bool use_slots(const model::SiteTable& table, const std::string& kernel, bool is_cpu,
               std::size_t items);

// slot_items: 0 for no slots section.
Bytes make_state(const model::SiteTable& table, std::size_t slot_items);

// Slots are folded into the coverage bits. Throws KernelError if the header was overwritten.
Recorded read_state(const Bytes& state);

// As the worker sends them: 8 hexadecimal digits a word.
std::string to_hex(const std::vector<std::uint32_t>& words);
std::vector<std::uint32_t> from_hex(const std::string& text);

} // namespace gputest::runtime
