// What the code of a traced kernel calls.
#pragma once

#include "simulator/execute/loader.h"
#include "testgen/concolic/evaluate.h"
#include "testgen/concolic/inputs.h"
#include "testgen/concolic/sites.h"

#include <array>
#include <cstddef>
#include <map>
#include <set>
#include <vector>

namespace gputest::testgen {

// So many words of the context have a label of their own with sizes of the launch as inputs.
constexpr std::size_t kLaunchWords = (offsetof(gputest_context, local_size) + 24) / 8;

// Gathers what one launch does; there can be one at a time.
class Recorder {
public:
  struct Limits {
    std::size_t events = 0;
    unsigned table_reads = 0; // elements of which a read at a symbolic place may be any
  };

  // What instrument() said of the kernel (instrument.h).
  struct Code {
    const std::vector<TracedSite>& sites;
    const std::map<std::uint32_t, std::set<std::uint32_t>>& stops;
  };

  // `units` are nodes 1, 2, …
  Recorder(const simulator::KernelShape& shape, const Code& code, const std::vector<Unit>& units,
           Table table, Limits limits);
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;
  ~Recorder();

  Table table;
  std::vector<Event> events;
  bool complete = true;               // nothing was left out for want of room
  const void* const* calls = nullptr; // the kernel's table of functions

  const Code code;
  // Of the group that runs: its first event, and the number of its first work-item.
  std::size_t events_begin = 0;
  std::uint32_t items_begin = 0;

  // As the kernel calls them.
  std::uint32_t begin_item(gputest_context& context, std::byte* arguments, std::uint64_t item);
  void record(const Event& event);
  Label load(const std::byte* address, unsigned bytes);
  Label read(Event event, const std::byte* address, unsigned bytes, const std::byte* begin,
             std::uint64_t size);
  Event placed(Event event, const std::byte* address, unsigned bytes) const;

private:
  void begin_launch(gputest_context& context, std::byte* arguments);

  const simulator::KernelShape& shape_;
  const std::vector<Unit>& units_;
  Limits limits_;
  bool began_ = false;
  std::uint64_t group_ = ~std::uint64_t{0};
  std::array<Label, 3> local_sizes_{}; // of full groups
  const gputest_context* context_ = nullptr;
};

// For LoadedCode, beside simulator::native_symbols().
std::vector<simulator::NativeSymbol> recorder_symbols();

} // namespace gputest::testgen
