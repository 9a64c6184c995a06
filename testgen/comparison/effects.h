// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What one work-item does, as expressions of the launch's inputs: which memory it reads and writes,
// and when. Two kernels whose work-items do the same leave the same outputs.
#pragma once

#include "testgen/solve/static_kernel.h"
#include "testgen/solve/statics.h"

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace gputest::testgen {

// Why a kernel cannot be followed, for people: "it has a barrier".
struct NotFollowed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct MemoryAccess {
  Label when = 0;             // 1 bit
  std::uint32_t argument = 0; // of the second kernel
  Label offset = 0;           // bytes
  Label written = 0;          // the value; 0: a read
};

struct Effects {
  std::vector<MemoryAccess> accesses; // in the order in which the work-item makes them
  std::vector<Label> faults; // 1 bit each: an operation is a finding of the check ARITHMETIC
};

// The content of buffers before the launch, which both kernels read.
class InitialMemory {
public:
  // `same`: says whether two offsets are the same whenever a condition holds.
  using Same = std::function<bool(Label when, Label a, Label b)>;
  InitialMemory(Table& table, Same same) : table_(table), same_(std::move(same)) {}

  // Returns the variable of what is there. Throws NotFollowed after too many reads.
  Label read(Label when, std::uint32_t argument, Label offset, unsigned bits);
  // Returns the conditions that the same place has the same content.
  std::vector<Label> facts();

private:
  struct Place {
    std::uint32_t argument = 0;
    Label offset = 0, content = 0;
  };
  Table& table_;
  Same same_;
  std::vector<Place> places_;
};

// What both kernels' expressions are made of.
struct SharedNames {
  Statics& statics; // of the second kernel: ids, sizes, arguments
  InitialMemory& memory;
  std::array<Label, 3> local_ids{};                 // 64 bits
  bool uniform = true;                              // all work-groups have the same size
  bool offsets = false;                             // launches may have a global offset
  std::map<std::string, std::uint64_t> functions{}; // numbers of functions that kernels call
  std::map<std::uint32_t, unsigned> units{};        // by argument: bytes of each access
};

// The arguments of a kernel in terms of the second kernel.
struct NamedArguments {
  // Returns the number at `offset` of a value; 0: it is not known.
  std::function<Label(std::size_t parameter, std::uint64_t offset, unsigned bytes)> value;
  // Returns the second kernel's buffer; nullopt: the parameter is no buffer that both have.
  std::function<std::optional<std::uint32_t>(std::size_t parameter)> buffer;
};

// Follows a work-item from its beginning to its end. Throws NotFollowed if it waits for others,
// uses memory that is not a buffer's, or has a loop whose number of iterations is not constant.
Effects effects_of(const StaticKernel& kernel, const NamedArguments& arguments, SharedNames& names);

} // namespace gputest::testgen
