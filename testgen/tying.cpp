// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inputs whose integer scalars are tied to each other and to the launch.
#include "testgen/input_search.h"

#include <algorithm>

namespace gputest::testgen {
namespace {

constexpr std::size_t kMostNear = 6;
constexpr std::size_t kMostTiedItems = 256; // work-items where scalars are tied: most are refused

} // namespace

void InputSearch::tie(std::uint64_t without_progress) {
  const auto& arguments = target_.arguments;
  if (std::ranges::none_of(arguments, &KernelArgument::is_integer) ||
      std::ranges::none_of(goals_, [&](const Goal& goal) { return reached_invalid(goal); }))
    return;
  std::vector<Shape> shapes = mutator_.shapes();
  std::erase_if(shapes, [](const Shape& shape) { return shape.items() > kMostTiedItems; });
  if (shapes.empty())
    shapes = mutator_.shapes();
  tying_ = true;
  std::size_t number = 0;
  const auto make = [&] {
    const Shape& shape = shapes[number++ % shapes.size()];
    if (near_.empty() || number % 3 == 0)
      return mutator_.tied(shape);
    return mutator_.retied(near_[mutator_.random().below(near_.size())].input, shape);
  };
  search(without_progress, make, "tying scalars");
  tying_ = false;
  near_.clear();
}

bool InputSearch::keep_near(const Input& input, const Checked& checked) {
  if (checked.fault != Fault::None)
    return false;
  const auto faults = static_cast<std::size_t>(std::ranges::count_if(
      checked.findings, [](const auto& finding) { return finding.kind != "race_same_value"; }));
  // Keeps the latest of launches that are alike, so that all do not become one.
  const bool is_nearer = near_.empty() || faults < near_.front().faults;
  std::erase_if(near_, [&](const Near& other) {
    return other.input.shape.local == input.shape.local && other.faults >= faults;
  });
  if (std::ranges::any_of(
          near_, [&](const Near& other) { return other.input.shape.local == input.shape.local; }))
    return false;
  const auto place = std::ranges::upper_bound(near_, faults, {}, &Near::faults);
  near_.insert(place, {input, faults});
  if (near_.size() > kMostNear)
    near_.pop_back();
  return is_nearer;
}

} // namespace gputest::testgen
