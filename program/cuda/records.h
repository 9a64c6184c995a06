// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads what instrumented device code has recorded (cuda/records/measured.h).
#pragma once

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace gputest::program {

struct UnitRecord {                 // a compiled source, over all processes
  std::filesystem::path folder;     // folder with its tables
  std::string device;               // "simulator", "gpu"
  std::string lost;                 // why the state could not be read
  std::uint64_t launches = 0;       // of kernels, including those of other sources
  std::vector<std::uint32_t> state; // or-ed words; empty: the source was not loaded
};

// Returns the records in order of the units' names. What a killed process did not finish is left
// out. `tables`: the folder above those of the units, where the program was built somewhere else;
// else empty. Throws model::FormatError where a unit has no such folder, and for what no program
// records.
std::vector<UnitRecord> read_records(const std::filesystem::path& folder,
                                     const std::filesystem::path& tables);

// Returns the programs that have recorded something, and the libraries that they had loaded.
std::set<std::filesystem::path> loaded_files(const std::filesystem::path& folder);

} // namespace gputest::program
