// Runs a kernel so that every value is known as an expression of the inputs, too.
//
//     Tracer tracer({.name = "k.cl", .text = text}, "k");
//     Traced traced = tracer.trace({.global_size = {64, 1, 1}, .local_size = {16, 1, 1}},
//     arguments); for (const Event& event : traced.events)
//       … traced.sites[event.site].place, text_of(traced.table, event.label) …
//
// The kernel that is traced is the author's, not coverage.cl: that one computes conditions of loops
// twice and would record more decisions than the author wrote. A decision's place is where its
// condition begins, or from LLVM 22 on where the condition's operator is. So it belongs to the
// smallest site of sites.json around that place (docs/solving.md).
#pragma once

#include "ir/frontend.h"
#include "simulator/execute/launch.h"
#include "testgen/concolic/evaluate.h"
#include "testgen/concolic/inputs.h"
#include "testgen/concolic/sites.h"
#include "testgen/concolic/table.h"

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace gputest::testgen {

using Argument = simulator::GivenArgument;

struct Launch {
  unsigned dimensions = 1;
  std::array<std::size_t, 3> global_size{1, 1, 1}, local_size{1, 1, 1}, global_offset{0, 0, 0};
  double limit = 5; // seconds; 0: any
};

struct TraceOptions {
  // Empty: everything the kernel is given, in units of the parameters' types.
  std::vector<SymbolicRange> symbolic{};
  bool launch_sizes = false;       // are inputs, too; Tracer must have been made for it
  bool solve_launch_sizes = false; // and may be changed by the solver
  bool keep_local_sizes = false;   // but for those of groups
  std::size_t events = 1 << 20;    // more are left out
  std::size_t nodes = 1 << 22;     // of expressions
  // A read at a symbolic place in an object of at most so many elements may be any of them. Of
  // larger ones only the element that was read is known.
  unsigned table_reads = 64;
};

// One run.
struct Traced {
  Table table;
  std::vector<Unit> units;           // by the number of their Input node
  std::vector<std::uint64_t> values; // that they had, by unit
  std::vector<Event> events;         // in the order in which they happened
  std::vector<Label> outputs;        // none: see Tracer::trace
  std::shared_ptr<const std::vector<TracedSite>> sites;
  std::shared_ptr<const Functions> functions;
  std::shared_ptr<const simulator::KernelShape> shape;

  Launch launch;
  std::vector<Argument> arguments;          // as given
  std::vector<std::vector<std::byte>> left; // by argument: what the kernel left there
  simulator::LaunchResult result;           // fatal: events end where the kernel did

  // Everything that happened is in `events`, and every value that depends on inputs has its label.
  // False: the limits of the options were reached, or Tracer::lost() is not empty.
  bool complete = true;

  // "in[3]", "n", "p+4": of the parameters, in the kernel's notation where the type is known.
  std::vector<std::string> unit_names() const;

  // The inputs after the units have other values: by argument, and the launch.
  std::vector<Argument> arguments_with(std::span<const std::uint64_t> values) const;
  Launch launch_with(std::span<const std::uint64_t> values) const;
};

// Units as the parameter's type says: `int`, `float4` and structs in units of 4 bytes, and so on.
std::vector<SymbolicRange> all_inputs(const simulator::KernelShape& shape,
                                      const std::vector<Argument>& arguments);

// A kernel, compiled for tracing. One launch at a time in a process, none beside one of the
// simulator; what it shares with one is what of Linux the simulator needs.
class Tracer {
public:
  // `launch_sizes`: sizes can be inputs, which makes code slower where ids are used. Throws
  // SourceError, InputError and SimulatorFailure, as the simulator does.
  Tracer(const simulator::Source& source, const std::string& kernel, bool launch_sizes = false);
  Tracer(Tracer&&) noexcept;
  ~Tracer();

  const simulator::KernelShape& shape() const;
  const std::vector<TracedSite>& sites() const;

  // Values whose expressions are not followed: "k.cl:3:5: what a function of the simulator gives…".
  const std::vector<std::string>& lost() const;

  // Throws InputError where sizes or arguments are not the kernel's. A kernel that fails has a
  // result with the finding, and the process may be harmed (LaunchResult::fatal). Variables of the
  // program begin anew.
  Traced trace(const Launch& launch, const std::vector<Argument>& arguments,
               const TraceOptions& options = {});

private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

} // namespace gputest::testgen
