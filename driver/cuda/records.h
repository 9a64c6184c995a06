// What instrumented device code has recorded (cuda/records/measured.h).
#pragma once

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace gputest::driver {

struct UnitRecord {                 // of a compiled source, all processes together
  std::filesystem::path folder;     // with its tables
  std::string device;               // "simulator", "gpu"
  std::string lost;                 // why the state could not be read
  std::uint64_t launches = 0;       // of kernels, also of other sources
  std::vector<std::uint32_t> state; // or-ed; empty: it was not loaded
};

// In order of the units' names. What a killed process did not finish is left out. `tables`: the
// folder above those of the units, where the program was built somewhere else; or empty. Throws
// CommandError where a unit has no such folder.
std::vector<UnitRecord> read_records(const std::filesystem::path& folder,
                                     const std::filesystem::path& tables);

// The programs that have recorded something, and the libraries that they had loaded.
std::set<std::filesystem::path> loaded_files(const std::filesystem::path& folder);

} // namespace gputest::driver
