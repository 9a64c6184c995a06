// GPUs and traces that are small enough to count by hand.
#pragma once

#include "memory/model/machine.h"

#include <initializer_list>
#include <string>
#include <vector>

namespace gputest::memory::tests {

// One core that issues a warp of 4 work-items in a cycle. A cache of 4 lines of 16 bytes in 2 sets;
// one bank of DRAM that takes 10 cycles.
inline Gpu small_gpu() {
  return {.name = "small",
          .cores = 1,
          .schedulers = 1,
          .warp_size = 4,
          .width = 4,
          .warps_per_core = 4,
          .groups_per_core = 4,
          .start_cycles = std::nullopt,
          .caches = {{.name = "L1",
                      .size = 64,
                      .line = 16,
                      .sector = 16,
                      .ways = 2,
                      .hit_cycles = 1,
                      .write = CacheLevel::Write::Back}},
          .local_memory = std::nullopt,
          .dram = {.banks = 1, .bank_bytes = 1024, .cycles = 10, .busy_cycles = 10}};
}

// One thing that a warp does.
struct Step {
  enum class Kind { Compute, Read, Write, Atomic, Add, Local, Barrier, Wait };
  Kind kind = Kind::Compute;
  std::uint64_t count = 1;                 // Compute
  std::vector<std::uint64_t> offsets = {}; // of 4 bytes, by lane
  Need need = Need::Last;                  // Wait: for what read() reads
};

inline Step compute(std::uint64_t count) {
  return {.kind = Step::Kind::Compute, .count = count};
}
inline Step read(std::vector<std::uint64_t> offsets) {
  return {.kind = Step::Kind::Read, .offsets = std::move(offsets)};
}
inline Step write(std::vector<std::uint64_t> offsets) {
  return {.kind = Step::Kind::Write, .offsets = std::move(offsets)};
}
inline Step wait(Need need = Need::Last) {
  return {.kind = Step::Kind::Wait, .need = need};
}
inline Step barrier() {
  return {.kind = Step::Kind::Barrier};
}

// References: 0 reads and 1 writes object 0, which is global; 2 updates it and waits for the old
// value, 3 does not; 4 reads object 1, which is local.
inline LaunchTrace trace_of(const std::vector<std::vector<std::vector<Step>>>& groups,
                            std::size_t warp_size = 4) {
  using Kind = Reference::Kind;
  LaunchTrace trace;
  trace.kernel = "k";
  trace.warp_size = warp_size;
  trace.objects = {{.name = "data", .local = false, .size = 1024},
                   {.name = "tile", .local = true, .size = 256}};
  trace.references = {
      {.file = "k.cl", .line = 1, .column = 1, .kind = Kind::Read, .object = 0, .size = 4},
      {.file = "k.cl", .line = 2, .column = 1, .kind = Kind::Write, .object = 0, .size = 4},
      {.file = "k.cl", .line = 3, .column = 1, .kind = Kind::Atomic, .object = 0, .size = 4},
      {.file = "k.cl",
       .line = 4,
       .column = 1,
       .kind = Kind::Atomic,
       .waits = false,
       .object = 0,
       .size = 4},
      {.file = "k.cl", .line = 5, .column = 1, .kind = Kind::Read, .object = 1, .size = 4}};
  for (const auto& warps : groups) {
    for (const auto& steps : warps) {
      WarpWriter writer(trace);
      for (const Step& step : steps) {
        if (step.kind == Step::Kind::Compute) {
          writer.compute(step.count);
          continue;
        }
        if (step.kind == Step::Kind::Wait) {
          writer.wait(0, step.need);
          continue;
        }
        if (step.kind == Step::Kind::Barrier) {
          writer.barrier();
          continue;
        }
        const auto reference = static_cast<std::uint32_t>(step.kind) - 1;
        std::vector<Place> places;
        for (std::uint32_t lane = 0; lane < step.offsets.size(); ++lane)
          places.push_back({.lane = lane,
                            .object = step.kind == Step::Kind::Local ? 1U : 0U,
                            .offset = step.offsets[lane],
                            .size = 4});
        writer.access(reference, places);
      }
      writer.end();
    }
    trace.groups.push_back(static_cast<std::uint32_t>(trace.warps.size()));
  }
  return trace;
}

} // namespace gputest::memory::tests
