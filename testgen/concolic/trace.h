// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a kernel and records each value as an expression of the inputs.
//
//     Tracer tracer({.name = "k.cl", .text = text}, "k");
//     Traced traced = tracer.trace({.sizes = {.global = {64, 1, 1}, .local = {16, 1, 1}}},
//                                  arguments);
//     for (const Event& event : traced.events)
//       … traced.sites[event.site].place, text_of(traced.table, event.label) …
//
// The traced kernel is the author's, not coverage.cl: coverage.cl computes conditions of loops
// twice and would record more decisions than the author wrote. A decision's place is where its
// condition begins or, from LLVM 22 on, where the condition's operator is. So a decision belongs to
// the smallest site of sites.json around that place (docs/internals/solving.md).
#pragma once

#include "ir/frontend.h"
#include "simulator/execute/launch.h"
#include "testgen/concolic/evaluate.h"
#include "testgen/concolic/inputs.h"
#include "testgen/concolic/sites.h"
#include "testgen/concolic/table.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace gputest::testgen {

using Argument = simulator::GivenArgument;

struct Launch {
  model::Sizes sizes{};
  double limit = 5; // seconds; 0: no limit
  // How much the launch may do (steps.h). A launch that ends here ends there on any machine.
  std::int64_t steps = std::numeric_limits<std::int64_t>::max();
};

struct TraceOptions {
  // Empty: all arguments, in units of the parameters' types (all_inputs()).
  std::vector<SymbolicRange> symbolic{};
  bool launch_sizes = false;       // sizes are inputs, too; requires a Tracer with launch_sizes
  bool solve_launch_sizes = false; // and the solver may change them
  bool keep_local_sizes = false;   // but not those of groups
  bool offsets = false;            // with launch_sizes: so are global offsets
  std::size_t events = 1 << 20;    // further ones are left out
  std::size_t nodes = 1 << 22;     // of expressions; further ones have no label
  // A read at a symbolic place in an object of at most this many elements selects among all of
  // them. In a larger object, its value is that of the element that was read.
  unsigned table_reads = 64;
  bool outputs = false; // wants Traced::outputs; requires a Tracer with outputs
};

// What a run left in one unit of a buffer.
struct TracedOutput {
  std::uint32_t argument = 0;
  std::uint64_t offset = 0; // bytes
  unsigned size = 4;        // bytes
  bool floating = false;
  Label label = 0;         // 0: a value that depends on no input
  std::uint64_t value = 0; // in this run
};

// One run.
struct Traced {
  Table table;
  std::vector<Unit> units;           // Label table.input(i) is the Input node of unit i
  std::vector<std::uint64_t> values; // by unit: the value in this run
  std::vector<Event> events;         // in the order in which they happened
  // TraceOptions::outputs: what the kernel left in buffers, in their units.
  std::vector<TracedOutput> outputs;
  std::shared_ptr<const std::vector<TracedSite>> sites;
  std::shared_ptr<const Functions> functions;
  std::shared_ptr<const ir::KernelShape> shape;

  Launch launch;
  std::vector<Argument> arguments;          // as given
  std::vector<std::vector<std::byte>> left; // by argument: what the kernel left there
  simulator::LaunchResult result;           // fatal: the events end where the kernel ended
  bool late = false; // it ended at Launch::limit: on another machine, it may go on

  // True: `events` has every event, and every value that one is about has its expression. False: a
  // limit of the options was reached, or Tracer::lost() is not empty.
  bool complete = true;

  // Returns names of the units such as "in[3]", "n" and "p+4", in the kernel's notation where the
  // parameter's type is known.
  std::vector<std::string> unit_names() const;

  // Return the arguments and the launch with other values of the units. `values`: by unit.
  std::vector<Argument> arguments_with(std::span<const std::uint64_t> values) const;
  Launch launch_with(std::span<const std::uint64_t> values) const;
};

// Returns all arguments as symbolic ranges, in units of the parameters' scalars: `int`, `float4`
// and structs have units of 4 bytes.
std::vector<SymbolicRange> all_inputs(const ir::KernelShape& shape,
                                      const std::vector<Argument>& arguments);

// A kernel, compiled for tracing. A process makes one launch at a time, and none while the
// simulator runs a launch in it.
class Tracer {
public:
  // Throws SourceError, InputError and SimulatorFailure, as the simulator does.
  Tracer(const ir::Source& source, const std::string& kernel, Traceable what = {});
  Tracer(Tracer&&) noexcept;
  ~Tracer();

  const ir::KernelShape& shape() const;
  const std::vector<TracedSite>& sites() const;

  // Values that have no expression, although events may be about them, such as "k.cl:3:5: what a
  // function of the simulator gives…".
  const std::vector<std::string>& lost() const;

  // Runs the kernel once. Variables at program scope have their initial values again. Throws
  // InputError if sizes or arguments do not fit the kernel. A kernel that fails has a result with
  // the finding; after a fatal one (LaunchResult::fatal) the process may be damaged.
  Traced trace(const Launch& launch, const std::vector<Argument>& arguments,
               const TraceOptions& options = {});

private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

} // namespace gputest::testgen
