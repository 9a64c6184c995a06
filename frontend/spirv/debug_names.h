// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a SPIR-V module's debug information (OpenCL.DebugInfo.100) says of kernels.
#pragma once

#include "model/spirv/module.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace gputest::frontend {

// Where a function is in its source.
struct DebugPlace {
  std::string file;
  unsigned line = 0;
};

struct DebugParameter {
  std::string name;
  std::uint32_t type = 0; // a number in the module
};

class DebugNames {
public:
  explicit DebugNames(const model::SpirvModule& module);

  std::optional<DebugPlace> place_of(std::uint32_t function) const;
  // `number` counts from 0.
  const DebugParameter* parameter(std::uint32_t function, std::size_t number) const;
  // Whether the numbers of a type, or of what it points to, have no sign.
  bool is_unsigned(std::uint32_t type) const;
  // The type of a struct's member; nullopt: not known.
  std::optional<std::uint32_t> member(std::uint32_t type, std::size_t number) const;
  std::string name_of_member(std::uint32_t member) const;

private:
  // Returns the instruction without pointers, qualifiers and typedefs, where it is known.
  const model::SpirvInstruction* bare(std::uint32_t type) const;

  const model::SpirvModule& module_;
  std::map<std::uint32_t, const model::SpirvInstruction*> entries_;
  std::map<std::uint32_t, std::uint32_t> functions_; // of the debug information, by function
  std::map<std::pair<std::uint32_t, std::size_t>, DebugParameter> parameters_;
};

} // namespace gputest::frontend
