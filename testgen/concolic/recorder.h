// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions that a traced kernel calls, and what they record.
#pragma once

#include "simulator/execute/loader.h"
#include "testgen/concolic/chain.h"
#include "testgen/concolic/evaluate.h"
#include "testgen/concolic/inputs.h"
#include "testgen/concolic/known.h"
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
    const std::vector<Chain>& chains;
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
  // Nothing, if the label is 0 or a constant.
  void record(const Event& event);
  // Labels of operations. Where an operand has none, its value takes its place as a constant.
  Label unary(Op op, unsigned bits, Label a, std::uint64_t number);
  // `bits`: of a, of b and of the result, 8 each, that of a lowest.
  Label binary(Op op, std::uint32_t bits, Label a, Label b, std::uint64_t value_a,
               std::uint64_t value_b);
  // Of chain `number` of the code.
  using ChainOperands = std::array<std::uint64_t, Chain::kMostInputs>;
  Label chain(std::uint32_t number, const std::array<Label, Chain::kMostInputs>& labels,
              const ChainOperands& values);
  Label load(const std::byte* address, unsigned bytes) {
    return load(shadow_of(address), address, bytes);
  }
  // The same where memory is no more: from its shadow, and from a copy of the bytes.
  Label load(const std::uint32_t* shadow, const std::byte* copy, unsigned bytes);
  // By parameter: where a buffer lies in the launch; null: it is none.
  const std::vector<std::byte*>& buffers() const { return buffers_; }
  // The label of what is read there. `begin`, `size`: of the variable, if it is known to be one.
  Label read(std::uint32_t site, std::uint32_t item, Label place, const std::byte* address,
             unsigned bytes, const std::byte* begin, std::uint64_t size);
  // The decision of a branch that goes the way `value` on a comparison's result, with the operands
  // of binary().
  void decide(std::uint32_t site, std::uint32_t item, std::uint64_t value, Op op,
              std::uint32_t bits, Label a, Label b, std::uint64_t value_a, std::uint64_t value_b);
  // An access at an address with a label. Returns the object's number; kNoObject: in none.
  std::uint32_t access(std::uint32_t site, std::uint32_t item, Label place,
                       const std::byte* address, unsigned bytes);

private:
  void begin_launch(gputest_context& context, std::byte* arguments);
  Label make(const Chain& chain, const std::array<Label, Chain::kMostInputs>& labels,
             const ChainOperands& values);
  Label make(Op op, std::uint32_t bits, Label a, Label b, std::uint64_t value_a,
             std::uint64_t value_b);
  void add_event(std::uint32_t site, std::uint32_t item, Label label, std::uint32_t object,
                 std::uint64_t value, std::uint32_t bytes);
  Label unless_constant(Label label) const { return table[label].op == Op::Constant ? 0 : label; }

  const ir::KernelShape& shape_;
  const std::vector<Unit>& units_;
  Limits limits_;
  KnownOperations<2> known_;
  KnownOperations<Chain::kMostInputs> known_chains_;
  // The latest offsets of addresses in objects, by the address.
  struct Offset {
    Label address = 0, label = 0;
    std::uint64_t begin = 0;
  };
  static constexpr std::size_t kOffsets = 1 << 12;
  std::vector<Offset> offsets_ = std::vector<Offset>(kOffsets);
  bool began_ = false;
  std::vector<std::byte*> buffers_;
  std::uint64_t group_ = ~std::uint64_t{0};
  std::array<Label, 3> local_sizes_{}; // of full groups
  const gputest_context* context_ = nullptr;
};

// Returns the functions for LoadedCode, to be passed with simulator::native_symbols().
std::vector<simulator::NativeSymbol> recorder_symbols();

} // namespace gputest::testgen
