// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions that a traced kernel calls, and what they record.
#pragma once

#include "simulator/execute/loader.h"
#include "testgen/concolic/evaluate.h"
#include "testgen/concolic/inputs.h"
#include "testgen/concolic/shadow.h"
#include "testgen/concolic/sites.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

namespace gputest::testgen {

// The number of context words that have labels when sizes of the launch are inputs.
constexpr std::size_t kLaunchWords = (offsetof(gputest_context, local_size) + 24) / 8;

// Records one launch. A process has one recorder at a time.
class Recorder {
public:
  struct Limits {
    std::size_t events = 0;
    unsigned table_reads = 0; // TraceOptions::table_reads
  };

  // The results of instrument() for the kernel (instrument.h).
  struct Code {
    const std::vector<TracedSite>& sites;
    const std::map<std::uint32_t, std::set<std::uint32_t>>& stops;
  };

  // `units`: nodes 1, 2, … of `table`. `shape`, `code` and `units` must outlive the recorder.
  Recorder(const ir::KernelShape& shape, const Code& code, const std::vector<Unit>& units,
           Table table, Limits limits);
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;
  ~Recorder();

  Table table;
  std::vector<Event> events;
  bool complete = true;               // false: a limit was reached, and something is missing
  const void* const* calls = nullptr; // the kernel's table of functions

  const Code code;
  // The first event, and the number of the first work-item, of the group that runs.
  std::size_t events_begin = 0;
  std::uint32_t items_begin = 0;

  // The kernel's calls arrive here.
  std::uint32_t begin_item(gputest_context& context, std::byte* arguments, std::uint64_t item);
  void record(const Event& event);
  Label load(const std::byte* address, unsigned bytes) {
    return load(shadow_of(address), address, bytes);
  }
  // The same where memory is no more: from its shadow, and from a copy of the bytes.
  Label load(const std::uint32_t* shadow, const std::byte* copy, unsigned bytes);
  // By parameter: where a buffer lies in the launch; null: it is none.
  const std::vector<std::byte*>& buffers() const { return buffers_; }
  Label read(Event event, const std::byte* address, unsigned bytes, const std::byte* begin,
             std::uint64_t size);
  Event placed(Event event, const std::byte* address, unsigned bytes) const;

private:
  void begin_launch(gputest_context& context, std::byte* arguments);

  const ir::KernelShape& shape_;
  const std::vector<Unit>& units_;
  Limits limits_;
  bool began_ = false;
  std::vector<std::byte*> buffers_;
  std::uint64_t group_ = ~std::uint64_t{0};
  std::array<Label, 3> local_sizes_{}; // of full groups
  const gputest_context* context_ = nullptr;
};

// Returns the functions for LoadedCode, to be passed with simulator::native_symbols().
std::vector<simulator::NativeSymbol> recorder_symbols();

} // namespace gputest::testgen
