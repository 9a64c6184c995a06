// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches a kernel.
#pragma once

#include "model/schedules/schedule.h"
#include "simulator/checks/finding.h"
#include "simulator/execute/loader.h"
#include "simulator/execute/steps.h"
#include "simulator/memory/images.h"
#include "simulator/memory/ndrange.h"
#include "simulator/memory/shared_memory.h"
#include "simulator/parallel/group_accesses.h"
#include "simulator/wire.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gputest::simulator {

// The access that the host allows kernels to a buffer.
enum class BufferAccess { ReadWrite, ReadOnly, WriteOnly };

// An argument of a launch.
struct ArgumentData {
  ir::Parameter::Kind kind = ir::Parameter::Kind::Value;
  std::string name;
  std::size_t offset = 0, size = 0;              // bytes in the memory file; Local: size only
  bool null = false;                             // Buffer: a null pointer
  bool output = false;                           // Buffer: exploration compares its content
  BufferAccess access = BufferAccess::ReadWrite; // Buffer: checked by `bounds`
  bool keeps_packets = false;                    // Buffer: a pipe with counts behind its packets
  std::uint32_t sampler = 0;                     // the value of CLK_…
  Image image{};                                 // without pixels
  std::vector<wire::ByteRange> unwritten{};      // Buffer: what nobody has written
  std::byte* placed = nullptr;                   // Buffer: it is there already, and in no file
};

// The order of groups and of work-items, by linear ids.
struct Order {
  model::Order groups{}, items{};

  bool items_ascend() const { return items.kind == model::Order::Kind::Launched; }
};

struct LaunchRequest {
  model::Sizes sizes{}; // with a local size
  std::vector<ArgumentData> arguments;
  Order order;
  std::size_t shared_bytes = 0;   // CUDA: bytes of dynamic __shared__ memory
  double limit = 0;               // seconds; 0: any
  std::int64_t steps = kAnySteps; // of code that counts them (CodeVariant::counts_steps)
  bool trial = false;             // restores program-scope variables afterwards
  bool accesses = false; // tells which bytes of buffers are accessed; needs the check of races
  // Fills __local and __shared__ memory when a group begins. Only CUDA programs ask for another
  // byte.
  std::uint8_t local_fill = kUnwrittenByte;
  // Program-scope variables that are there already, with their values.
  std::map<std::string, std::byte*> placed_variables{};
};

// Returns a context without a group and memory.
gputest_context context_of(const LaunchRequest& request);

// An argument that has not been placed in a memory file.
struct GivenArgument {
  ir::Parameter::Kind kind = ir::Parameter::Kind::Buffer;
  std::vector<std::byte> bytes{}; // Value, Buffer; Image: pixels
  std::size_t local_bytes = 0;    // Local
  bool null = false;              // Buffer
  std::uint32_t sampler = 0;      // Sampler: as CLK_… say it
  Image image{};                  // Image
  // Buffer: bytes that are there already. They take the place of `bytes`.
  std::span<std::byte> placed{};

  std::size_t size() const { return placed.data() ? placed.size() : bytes.size(); }
};

// Makes these the request's arguments, with places in a memory file, and returns the file's size in
// bytes.
std::size_t place_arguments(const std::vector<GivenArgument>& given, const ir::KernelShape& shape,
                            LaunchRequest& request);

using LaunchResult = wire::Launched;

// Whether the launch was ended because it goes on and on. Other findings may follow that one.
bool is_endless(const LaunchResult& result);

// Values of program-scope variables (OpenCL C 2.0) between launches, by name.
struct KeptVariable {
  std::vector<std::byte> bytes;
  std::vector<ir::PointerInVariable> pointers;
};
using ProgramVariables = std::map<std::string, KeptVariable>;

// What is known of a kernel's accesses.
struct KnownAccesses {
  // Returns what allows the work-groups of a launch to run at the same time, if that is known in a
  // launch that takes `left` seconds more; nullopt keeps them one after the other, as none does.
  std::function<const std::optional<GroupAccesses>&(double left)> of_groups{};
  const GroupAccesses* checked = nullptr; // Code::checked_accesses
};

// Returns the compiled kernel of a block, by the function's name, with the same checks and kind of
// order as the kernel that enqueues it.
struct BlockKernel {
  const LoadedCode& code;
  const ir::KernelShape& shape;
};
using BlockKernels = std::function<BlockKernel(const std::string& kernel)>;

// Launches a kernel, and then the blocks that it enqueues. `memory`: the descriptor of the memory
// file. `accesses`: `of_groups` is asked while the launch runs.
// Without `blocks`, the kernel must enqueue none. To be called on a thread of on_large_stack().
// Throws InputError if sizes, arguments or orders do not fit the kernel, and SimulatorFailure
// without memory.
LaunchResult launch(const LoadedCode& code, const ir::KernelShape& shape,
                    const LaunchRequest& request, int memory, ProgramVariables& variables,
                    const KnownAccesses& accesses = {}, const BlockKernels& blocks = {});

} // namespace gputest::simulator
