// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The model's description of a GPU. docs/internals/memory.md explains each number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gputest::memory {

// Core cycles: a time since the launch began, or a duration.
using Cycles = std::uint64_t;

// How many instructions a division of integers by a variable is, also for the remainder. `divisor`
// of them depend on the divisor alone, and are made once for a divisor that stays.
struct Division {
  std::size_t instructions = 1, divisor = 0;
};

// Says which accesses of a private array have an index that shows only when the kernel runs.
enum class Indexed : std::uint8_t { None, Reads, Writes }; // Writes: maybe reads, too

// Smaller private arrays without an index that shows only when the kernel runs are registers on
// each GPU.
constexpr std::uint64_t kSurelyRegisters = 512; // bytes

// The bytes of the largest private arrays that are registers. Larger ones are in memory.
struct PrivateArrays {
  std::size_t registers = 0; // without such an index
  std::size_t indexed_reads = 0, indexed = 0;

  std::size_t most(Indexed accesses) const {
    return accesses == Indexed::None    ? registers
           : accesses == Indexed::Reads ? indexed_reads
                                        : indexed;
  }
};

// What makes warps of work-items.
struct WarpShape {
  std::size_t size = 1;     // work-items
  std::size_t unrolled = 1; // Gpu::unrolled
  Division division{};
  std::optional<PrivateArrays> private_arrays{}; // nullopt: all are registers
};

struct CacheLevel {
  enum class Write {
    Back, // a write loads its line and waits for it like a read; written data go to the next level
          // when the line is evicted
    Validate, // as Back, but a write loads nothing: written bytes are kept with a mask, and the
              // sector is loaded when it is read (Jouppi, ISCA 1993); not for the nearest cache
    Through   // a write goes to the next level at once, takes no line, and is not waited for
  };
  std::string name;               // "L1"
  std::size_t size = 0, line = 0; // bytes
  std::size_t sector = 0;         // bytes: parts of a line are loaded separately
  std::size_t ways = 1;
  bool shared = false;   // by all cores; false: each core has its own
  std::size_t banks = 1; // each accepts one line a cycle
  std::optional<std::size_t> bank_bytes = std::nullopt; // neighbouring ones in a bank: else a line
  bool hashed = false; // a hash, not the address, chooses set and bank
  Cycles hit_cycles = 0;
  Write write = Write::Back;
  Cycles update_cycles = 0; // how long an atomic operation keeps the bank for each sector; without
                            // it only work-items of one warp wait for each other
  Cycles port_cycles = 0;   // how long a read's request keeps the way from its core to this cache;
                            // writes and atomic operations bring data and take twice as long
  bool local_banks = false; // nearest cache: its data lie in the banks of local memory

  std::size_t sets() const { return size / line / ways; }
  std::size_t sectors() const { return line / sector; } // of a line
  std::size_t bank_of(std::uint64_t line_number) const;
};

// On-chip memory for __local.
struct LocalMemory {
  std::size_t size = 0; // bytes for each core
  std::size_t banks = 1, bank_bytes = 4;
  Cycles cycles = 0;
};

// A core's cache beside the nearest one, whose lines come from the first shared cache.
struct SideCache {
  std::size_t size = 0, line = 0, ways = 1; // bytes
};

// A core's cache for __constant memory. It gives a warp one address at a time, and all work-items
// that want that one get it together. What it does not have comes from the first shared cache.
struct ConstantCache : SideCache {
  Cycles hit_cycles = 0;
  Cycles address_cycles = 1; // for each address of a warp's read but the last
  // How soon a line that the core had before comes from a larger cache behind this one.
  std::optional<Cycles> again_cycles{};
  bool uniform_only = false; // reads of several addresses go through the nearest cache instead
};

// How a core reads images. Writes of images go through the caches as those of buffers do.
struct Texture {
  std::string tile{};               // texels.h; texels lie row by row if it has no letters
  Cycles hit_cycles = 1;            // of a read whose texels are all in the cache
  std::size_t items_per_cycle = 1;  // work-items whose reads the core's unit takes in a cycle
  std::optional<SideCache> cache{}; // nullopt: the nearest cache
};

struct Dram {
  std::size_t banks = 1, bank_bytes = 0; // neighbouring bytes in one bank
  Cycles cycles = 0;                     // from the begin of a request to its data
  Cycles busy_cycles = 0;                // until the bank accepts the next request
  bool hashed = false;                   // a hash chooses the bank
  std::size_t row_bytes = 0;             // bytes of a bank's row; 0: rows make no difference
  Cycles row_hit_cycles = 0;             // instead of `cycles` if the row is open
};

struct Gpu {
  std::string name;
  std::size_t cores = 1;
  std::size_t schedulers = 1;                          // for each core; each runs one warp
  std::size_t warp_size = 32;                          // work-items
  std::size_t width = 32;                              // work-items that a scheduler issues a cycle
  std::size_t warps_per_core = 1, groups_per_core = 1; // resident at a time
  std::size_t loads_in_flight = 1;                     // of a warp; 1: it waits for each load
  std::size_t unrolled = 1; // iterations of an innermost loop whose loads are issued together,
                            // and that are counted together (unrolling.h)
  Division division{};
  std::optional<Cycles> start_cycles;            // of a launch, before and after its warps run
  std::vector<CacheLevel> caches;                // nearest to the cores first
  std::optional<LocalMemory> local_memory;       // nullopt: __local is cached global memory
  std::optional<ConstantCache> constant_cache{}; // nullopt: __constant is global memory
  std::optional<PrivateArrays> private_arrays{};
  bool images = true;               // false: kernels with images do not run on it
  std::optional<Texture> texture{}; // nullopt: images are read like buffers, row by row
  Dram dram;

  std::string tile() const { return texture ? texture->tile : std::string(); }

  // Whether a launch can leave something in a cache for the next one.
  bool has_shared_cache() const { return caches.back().shared; }
  // What messages say where --caches warm is given, and there is none.
  std::string why_not_warm() const;

  WarpShape warps() const {
    return {.size = warp_size,
            .unrolled = unrolled,
            .division = division,
            .private_arrays = private_arrays};
  }
  Cycles issue_cycles() const { return (warp_size + width - 1) / width; }
};

// Hashes a number, which is then taken modulo a count, so that neighbours and numbers at equal
// distances spread. GPUs' hash functions are not published; this is a multiplication by the golden
// ratio.
constexpr std::uint64_t spread(std::uint64_t number) {
  return (number ^ number >> 15) * 0x9e3779b97f4a7c15 >> 32;
}

inline std::size_t CacheLevel::bank_of(std::uint64_t line_number) const {
  const std::uint64_t chunk = line_number * line / bank_bytes.value_or(line);
  return (hashed ? spread(chunk) : chunk) % banks;
}

constexpr std::size_t kMostLanes = 64, kMostSectors = 8, kMostBanks = 64;

// Reads the JSON of docs/reference/formats.md, "GPUs". `what` begins messages, such as
// "my_gpu.json". Throws model::FormatError with the key for impossible values and unknown keys.
Gpu gpu_from_text(std::string_view text, const std::string& what);

// Returns a preset by its name, or reads a file. Throws model::FormatError.
Gpu gpu_named(const std::string& name_or_file);

// Returns the names of all presets, in order.
std::vector<std::string> preset_names();

} // namespace gputest::memory
