// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes contents of buffers at random, and conditions on them for the solver. Sizes of the launch
// and of buffers, and scalars, are those of the test case. All contents obey REQUIRE.
#pragma once

#include "memory/trace/tracer.h"
#include "testgen/concolic/trace.h"
#include "testgen/inputs/constraints.h"
#include "testgen/inputs/random.h"
#include "testgen/inputs/repair.h"
#include "testgen/inputs/target.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gputest::memory {

testgen::Input input_of(const TracedLaunch& launch);

// Gives the target's images the formats of those of the launch, which input_of() has not. Throws
// UsageError, with the words of `--strategy`, for samplers that no test case of the target has.
void take_images(testgen::Target& target, const TracedLaunch& launch);

// Returns the text of a requirement that does not hold; nullopt: all do.
std::optional<std::string> broken_requirement(const testgen::Constraints& constraints,
                                              const testgen::Target& target,
                                              const TracedLaunch& launch);

class Inputs {
public:
  // `trace`: that of `first`. Buffers that the kernel only writes are not varied. References must
  // outlive this object.
  Inputs(const testgen::Target& target, const testgen::Constraints& constraints,
         const TracedLaunch& first, const LaunchTrace& trace);

  // Whether any buffer is varied.
  bool any() const { return !varied_.empty(); }

  // Draws all varied buffers. If no drawn input obeys what is required, returns `first`.
  TracedLaunch random(testgen::Random& random) const;
  // Returns `launch` with a part of one buffer changed: drawn anew, or filled with one element that
  // is drawn or copied from the same buffer.
  TracedLaunch changed(const TracedLaunch& launch, testgen::Random& random) const;

  // Conversions for the tracer of expressions.
  std::vector<testgen::SymbolicRange> symbolic() const;
  testgen::Launch launch() const;
  std::vector<testgen::Argument> arguments(const TracedLaunch& launch) const;
  // Changes what breaks requirements. nullopt: some stay broken, or a size or scalar would have to
  // change.
  std::optional<TracedLaunch> launch_of(const std::vector<testgen::Argument>& arguments) const;

  // Returns what the launch has in each unit.
  static std::vector<std::uint64_t> values_of(const TracedLaunch& launch,
                                              const std::vector<testgen::Unit>& units);

  // Returns numbers that a unit may be, as bits: those of its argument's domain, else those that
  // random() draws. Of many, returns kMostCandidates at most, half of them the least and the others
  // one of each of equal ranges, somewhere in it: at equal distances all might have one remainder.
  static constexpr std::size_t kMostCandidates = 4096;
  std::vector<std::uint64_t> candidates(const testgen::Unit& unit) const;
  std::uint64_t offset_in_element(const testgen::Unit& unit) const; // bytes
  const std::string& name_of(const testgen::Unit& unit) const;      // of its argument

  // Adds conditions to the run's table that each unit is in its argument's domain, and returns
  // their labels.
  std::vector<testgen::Label> domains(testgen::Traced& traced) const;

private:
  const testgen::Domain* domain(std::size_t argument) const;
  // The scalar of a unit. Null: the unit is no scalar of its argument's type.
  const model::Leaf* leaf_of(const testgen::Unit& unit) const;
  bool obey(TracedLaunch& launch, testgen::Random* random) const;
  void draw_element(std::size_t argument, std::uint64_t below, testgen::Random& random,
                    std::byte* to) const;

  const testgen::Target& target_;
  const testgen::Constraints& constraints_;
  const testgen::Repair repair_;
  const TracedLaunch& first_;
  std::vector<std::size_t> varied_; // arguments
};

} // namespace gputest::memory
