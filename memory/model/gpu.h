// A GPU as the model knows it: docs/memory.md says what each number does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gputest::memory {

// Core cycles since the launch began, or that something takes.
using Cycles = std::uint64_t;

struct CacheLevel {
  enum class Write {
    Back, // a write loads its line and waits for it as a read does; what was written goes on when
          // the line is evicted
    Validate, // as Back, but a write loads nothing: what is written is kept with a mask of bytes,
              // and the sector is loaded when somebody reads it (Jouppi, ISCA 1993); not of the
              // nearest cache
    Through   // a write goes on to the next level at once, takes no line, and nobody waits for it
  };
  std::string name;               // "L1"
  std::size_t size = 0, line = 0; // bytes
  std::size_t sector = 0;         // bytes: the parts of a line that are loaded by themselves
  std::size_t ways = 1;
  bool shared = false;   // by all cores; else each core has one
  std::size_t banks = 1; // each takes one line in a cycle
  bool hashed = false;   // lines are spread over sets and banks by a hash, not one after the other
  Cycles hit_cycles = 0;
  Write write = Write::Back;

  std::size_t sets() const { return size / line / ways; }
  std::size_t sectors() const { return line / sector; } // of a line
};

// On-chip memory for __local.
struct LocalMemory {
  std::size_t size = 0; // bytes of a core
  std::size_t banks = 1, bank_bytes = 4;
  Cycles cycles = 0;
};

struct Dram {
  std::size_t banks = 1, bank_bytes = 0; // neighbouring bytes that lie in one bank
  Cycles cycles = 0;                     // from a request's turn to its data
  Cycles busy_cycles = 0;                // until the bank takes the next request
  bool hashed = false;                   // parts are spread over banks by a hash
  std::size_t row_bytes = 0;             // of a bank; 0: rows make no difference
  Cycles row_hit_cycles = 0;             // instead of `cycles` if the row is open
};

struct Gpu {
  std::string name;
  std::size_t cores = 1;
  std::size_t schedulers = 1; // of a core: each runs one warp
  std::size_t warp_size = 32; // work-items
  std::size_t width = 32;     // work-items that a scheduler issues in a cycle
  std::size_t warps_per_core = 1, groups_per_core = 1; // that are there at the same time
  std::vector<CacheLevel> caches;                      // the nearest to the cores first
  std::optional<LocalMemory> local_memory;             // none: __local is global memory, cached
  Dram dram;

  Cycles issue_cycles() const { return (warp_size + width - 1) / width; }
};

// What hashed numbers are taken modulo something: neighbours go anywhere, and so do equal
// distances. How GPUs do it is not published; this is a multiplication by the golden ratio.
constexpr std::uint64_t spread(std::uint64_t number) {
  return (number ^ number >> 15) * 0x9e3779b97f4a7c15 >> 32;
}

constexpr std::size_t kMostLanes = 64, kMostSectors = 8, kMostBanks = 64;

// The text of docs/formats.md, "GPUs". `what` begins messages: "my_gpu.json". Throws
// model::FormatError, which names the key, for impossible values and for keys that are not known.
Gpu gpu_from_text(std::string_view text, const std::string& what);

// A preset by its name, or the GPU of a file. Throws model::FormatError.
Gpu gpu_named(const std::string& name_or_file);

// The names of all presets, in order.
std::vector<std::string> preset_names();

} // namespace gputest::memory
