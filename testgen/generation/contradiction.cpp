// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/generation/contradiction.h"

#include <fmt/format.h>

namespace gputest::testgen {
namespace {

constexpr std::size_t kInputs = 200;

bool is_obeyed(const Target& target, const Constraints& alone, std::uint64_t seed) {
  Mutator mutator(target, alone, seed);
  const std::vector<Shape>& shapes = mutator.shapes();
  for (std::size_t i = 0; i < kInputs; ++i)
    if (alone.hold(target, mutator.fresh(shapes[i % shapes.size()], i % 2 == 0)))
      return true;
  return false;
}

} // namespace

std::string contradiction(const Target& target, const Constraints& constraints,
                          std::uint64_t seed) {
  std::string broken;
  for (const Expression& requirement : constraints.requirements()) {
    Constraints alone = constraints.without_requirements();
    alone.add_requirement(target, requirement.text());
    if (!is_obeyed(target, alone, seed))
      broken += fmt::format("{}\"{}\"", broken.empty() ? "" : ", ", requirement.text());
  }
  if (!broken.empty())
    return "no input was found that obeys REQUIRE " + broken;
  return "no input was found that obeys all of REQUIRE together: do they contradict each other?";
}

} // namespace gputest::testgen
