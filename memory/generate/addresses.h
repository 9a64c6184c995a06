// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inputs that choose addresses. Where an address depends on what buffers hold, such as `keys[i] %
// 64` for `bins`, contents are looked for that bring the accesses of all work-items together at one
// place, in one set of the nearest cache, one bank of DRAM or one bank of local memory, or that
// bring each to a line of its own.
#pragma once

#include "memory/generate/inputs.h"
#include "memory/model/layout.h"
#include "memory/model/trace.h"
#include "testgen/concolic/trace.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gputest::memory {

class Addresses {
public:
  enum class Goal : std::uint8_t { OnePlace, OneSet, OneDramBank, OneLocalBank, ManyLines };
  struct Aim {
    std::uint32_t site = 0; // of the trace of expressions
    Goal goal = Goal::OnePlace;
  };
  struct Input {
    std::vector<std::uint64_t> values; // by unit
    std::string what; // "1,024 of 1,024 accesses to 'bins' at k.cl:3:5 at one place of 'bins'"
  };

  // `traced`: the run whose addresses are changed; `trace`: what its warps did. References must
  // outlive this object.
  Addresses(const testgen::Traced& traced, const LaunchTrace& trace, const Gpu& gpu,
            const Inputs& inputs);

  // What is to be tried: the reference with the most accesses first, and for each the goals that
  // fit its memory.
  std::vector<Aim> aims() const;

  // Returns values with which as many accesses of the site as possible do what the goal says.
  // nullopt: no value changes where they go. Units that an earlier keep() has decided stay.
  std::optional<Input> input_for(const Aim& aim);
  // The values that input_for() has returned last are the best: later ones keep what they decide.
  void keep();

private:
  std::optional<std::size_t> traced_object(const testgen::Event& event) const;
  const std::vector<std::uint64_t>& offsets_of(testgen::Tape& tape, std::size_t unit,
                                               const std::vector<std::uint64_t>& candidates);
  std::uint64_t class_of(const Aim& aim, std::size_t object, std::uint64_t offset) const;
  std::uint64_t line_of(const Aim& aim, std::size_t object, std::uint64_t offset) const;

  const testgen::Traced& traced_;
  const LaunchTrace& trace_;
  const Gpu& gpu_;
  const Inputs& inputs_;
  const Layout layout_;
  std::vector<std::uint64_t> values_, last_values_;
  std::vector<bool> decided_, last_decided_; // by unit
  // By the form of an expression: the offsets of all candidates.
  std::map<std::vector<std::uint64_t>, std::vector<std::uint64_t>> known_;
};

} // namespace gputest::memory
