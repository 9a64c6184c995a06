// What instrumented device code has recorded (cuda/runtime/measured.h).
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace gputest::driver {

struct UnitRecord {                 // of a compiled source, all processes together
  std::filesystem::path folder;     // with its tables
  std::uint64_t launches = 0;       // of kernels, also of other sources
  std::vector<std::uint32_t> state; // or-ed; empty: it was not loaded
};

// In order of the units' names. What a killed process did not finish is left out.
std::vector<UnitRecord> read_records(const std::filesystem::path& folder);

} // namespace gputest::driver
