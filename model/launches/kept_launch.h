// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A launch of a CUDA program as its kernel found it: arguments, sizes, and the memory that it can
// reach. The simulator keeps it, and `gputest memory --launch` runs it on the model of a GPU.
#pragma once

#include "model/names.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gputest::model {

// What is in the caches when a launch begins: nothing, or what the launch before has left in those
// that all cores share.
enum class Caches { Cold, Warm };
constexpr auto names_of(Caches) {
  return std::to_array<std::string_view>({"cold", "warm"});
}

struct KeptParameter {
  std::string name{};
  bool is_pointer = false;
  std::uint64_t offset = 0, size = 0; // in the block of arguments, in bytes
};

struct KeptAllocation {
  std::string name{};
  std::uint64_t address = 0, size = 0; // size: bytes
};

struct KeptVariable { // of the device; its memory is an allocation
  std::string name{};
  std::uint64_t address = 0;
};

struct KeptLaunch {
  std::string name{};    // of the launch, where it has one
  std::string kernel{};  // for people: "scale<float>"
  std::string mangled{}; // as the code names it
  std::string file{};    // that defines the kernel
  std::string code{};    // a file beside this one: containers of device code (ir/cuda/container.h)
  std::string code_digest{}; // of its code (ir/cuda/code_digest.h)
  std::string contents{};    // a file beside this one: the block of arguments, and then the
                             // allocations
  Caches caches = Caches::Cold;
  // Warm: a file beside this one, the launch that the process made before. nullopt: this one is the
  // first.
  std::optional<std::string> before{};
  std::array<std::uint64_t, 3> grid{}, block{};
  std::uint64_t shared_bytes = 0;    // of dynamic __shared__ memory
  std::uint64_t warp_size = 32;      // threads
  std::uint64_t arguments_bytes = 0; // of the block of arguments
  std::uint64_t number = 0;          // in the order of the process's launches
  double seconds = 0;                // of processor time that it took in the simulator
  std::vector<KeptParameter> parameters{};
  std::vector<KeptAllocation> memory{};
  std::vector<KeptVariable> variables{};
  std::optional<std::string> left_out{}; // why neither its memory nor its code is kept

  std::uint64_t threads() const;
};

// Throws FormatError, and WriteError.
KeptLaunch read_kept_launch(const std::filesystem::path& file);
void write_kept_launch(const std::filesystem::path& file, const KeptLaunch& launch);

} // namespace gputest::model
