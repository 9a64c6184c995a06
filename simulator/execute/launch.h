// One launch of a kernel.
#pragma once

#include "model/schedules/schedule.h"
#include "simulator/checks/finding.h"
#include "simulator/execute/images.h"
#include "simulator/execute/loader.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace gputest::simulator {

// What kernels may do to a buffer, as its host has made it.
enum class BufferAccess { ReadWrite, ReadOnly, WriteOnly };

// What an argument of the kernel gets.
struct ArgumentData {
  Parameter::Kind kind = Parameter::Kind::Value;
  std::string name;
  std::size_t offset = 0, size = 0; // in the memory file, or of Local: bytes
  bool null = false;                // Buffer: no memory at all
  bool output = false;              // Buffer: interleavings are compared by what they leave there
  BufferAccess access = BufferAccess::ReadWrite; // Buffer: what is checked with `bounds`
  std::uint32_t sampler = 0;                     // as CLK_… say it
  Image image{};                                 // without its pixels
};

// Who comes first: linear ids.
struct Order {
  model::Order groups{}, items{};

  bool items_ascend() const { return items.kind == model::Order::Kind::Launched; }
};

struct LaunchRequest {
  unsigned dimensions = 1;
  std::array<std::size_t, 3> global_size{1, 1, 1}, local_size{1, 1, 1}, global_offset{0, 0, 0};
  std::vector<ArgumentData> arguments;
  Order order;
  std::size_t shared_bytes = 0; // of CUDA: dynamic __shared__ memory
  double limit = 0;             // seconds; 0: any
  bool trial = false;           // variables of the program are afterwards what they were before
  std::uint8_t local_fill = 0;  // each byte of __local memory when a group begins; explored: 0
};

// What a kernel is given for one of its parameters, where nobody has placed it yet.
struct GivenArgument {
  Parameter::Kind kind = Parameter::Kind::Buffer;
  std::vector<std::byte> bytes{}; // Value, Buffer; Image: its pixels
  std::size_t local_bytes = 0;    // Local
  bool null = false;              // Buffer
  std::uint32_t sampler = 0;      // Sampler: as CLK_… say it
  Image image{};                  // Image
};

// Makes them the request's, the content of each behind that of others in a memory file. Returns the
// bytes of that file.
std::size_t place_arguments(const std::vector<GivenArgument>& given, const KernelShape& shape,
                            LaunchRequest& request);

struct LaunchResult {
  double seconds = 0;
  std::string output; // what printf printed
  std::vector<Finding> findings;
  bool fatal = false; // the process may have been harmed: end it
};

// The variables of a program (OpenCL C 2.0) between launches, by name.
using ProgramVariables = std::map<std::string, std::vector<std::byte>>;

// Throws InputError where sizes, arguments or orders are not the kernel's, SimulatorFailure without
// memory.
// `memory` is the descriptor of the memory file. To be called on a thread of on_large_stack().
LaunchResult launch(const LoadedCode& code, const KernelShape& shape, const LaunchRequest& request,
                    int memory, ProgramVariables& variables);

} // namespace gputest::simulator
