// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/inputs/shapes.h"

#include "testgen/concolic/inputs.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <iterator>

namespace gputest::testgen {
namespace {

using Sizes = std::array<std::uint64_t, 3>; // of a group, or numbers of groups

constexpr std::int64_t kLargestTile = 256;
constexpr std::size_t kMostTiles = 6; // whose pairs are tried

Shape shape_of(unsigned dimensions, const Sizes& local, const Sizes& groups) {
  Shape shape{.dimensions = dimensions};
  for (unsigned i = 0; i < dimensions; ++i) {
    shape.local[i] = local[i];
    shape.global[i] = local[i] * groups[i];
  }
  return shape;
}

// "local_size(0) == 96" has 96; names that end with digits have none.
void add_numbers(const std::string& text, std::vector<std::int64_t>& numbers) {
  for (const char *at = text.data(), *const end = at + text.size(); at != end;) {
    const bool in_name = at != text.data() && (std::isalnum(static_cast<unsigned char>(at[-1])) ||
                                               at[-1] == '_' || at[-1] == '.');
    std::int64_t number = 0;
    const auto [rest, error] = std::from_chars(at, end, number);
    if (*at == '-' || in_name || error != std::errc()) {
      ++at;
      continue;
    }
    numbers.push_back(number);
    at = rest;
  }
}

// Local sizes that the source or a requirement may be about.
std::vector<Sizes> special_sizes(const Target& target, const Constraints& constraints) {
  std::vector<std::int64_t> numbers = target.dictionary.integers;
  std::ranges::copy(required_numbers(constraints), std::back_inserter(numbers));
  std::vector<Sizes> sizes;
  const unsigned dimensions = target.dictionary.dimensions;
  const auto add = [&](const Sizes& size) {
    std::size_t items = 1;
    for (unsigned i = 0; i < dimensions; ++i)
      items *= size[i];
    if (target.takes_group_of(items) && std::ranges::find(sizes, size) == sizes.end())
      sizes.push_back(size);
  };
  for (const std::int64_t number : numbers) {
    if (number < 2 || number > static_cast<std::int64_t>(kMostItemsOfGroup))
      continue;
    const auto tile = static_cast<std::uint64_t>(number);
    add({tile, tile, tile});
    if (dimensions > 1 && number <= kLargestTile) {
      add({tile, 2, 1});
      add({2, tile, 1});
      add({tile + 1, tile + 1, 1}); // `for (i = local id; i < tile; …)` that never turns
    }
    if (dimensions == 1 && number <= kLargestTile && number > 2) {
      add({tile - 1, 1, 1});
      add({tile + 1, 1, 1});
    }
  }
  if (dimensions == 2) { // tiles that are no squares: 16 x 4
    std::vector<std::uint64_t> tiles;
    for (const bool power : {true, false}) // other constants are indices more often
      for (const std::int64_t number : numbers)
        if (number > 1 && number <= kLargestTile && tiles.size() < kMostTiles &&
            std::has_single_bit(static_cast<std::uint64_t>(number)) == power &&
            std::ranges::find(tiles, static_cast<std::uint64_t>(number)) == tiles.end())
          tiles.push_back(static_cast<std::uint64_t>(number));
    for (const std::uint64_t width : tiles)
      for (const std::uint64_t height : tiles)
        add({width, height, 1});
  }
  return sizes;
}

} // namespace

std::vector<Shape> shapes_of(const Target& target, const Constraints& constraints) {
  const unsigned dimensions = target.dictionary.dimensions;
  std::vector<Sizes> locals =
      dimensions == 1
          ? std::vector<Sizes>{{4}, {8}, {3}, {1}, {2}, {16}, {5}, {7}, {13}, {32}, {64}}
      : dimensions == 2 ? std::vector<Sizes>{{2, 2}, {2, 1}, {4, 2}, {3, 1}, {1, 1},
                                             {4, 4}, {1, 3}, {5, 3}, {8, 8}}
                        : std::vector<Sizes>{{2, 2, 2}, {2, 1, 3}, {1, 1, 1}, {4, 2, 1}, {4, 4, 4}};
  if (target.dictionary.warps) // a whole warp first, and among the first one that is not whole
    locals.insert(locals.begin(), {{32, 1, 1}, {4, 1, 1}, {40, 1, 1}});
  if (target.lock_step != 0)
    locals.insert(locals.begin(), {{target.lock_step, 1, 1}, {2 * target.lock_step, 1, 1}});
  const std::vector<Sizes> special = special_sizes(target, constraints);
  locals.insert(locals.end(), special.begin(), special.end());
  if (const auto& required = target.interface.required_work_group_size)
    locals = {{(*required)[0], (*required)[1], (*required)[2]}};
  const std::vector<Sizes> groups{{2, 1, 1}, {3, 2, 1}, {1, 1, 1}, {2, 3, 2},
                                  {5, 1, 2}, {1, 2, 3}, {7, 5, 3}};
  std::vector<Shape> shapes;
  const auto add = [&](const Shape& shape) {
    if (shape.items() <= kMostItems && target.takes_group_of(shape.items_of_group()) &&
        std::ranges::find(shapes, shape) == shapes.end())
      shapes.push_back(shape);
  };
  for (const Sizes& count : groups)
    for (const Sizes& local : locals) {
      const Shape shape = shape_of(dimensions, local, count);
      add(shape);
      if (!target.remainder || local[0] == 1)
        continue;
      Shape ragged = shape; // the last group is smaller
      --ragged.global[0];
      add(ragged);
    }
  return shapes;
}

std::vector<std::int64_t> required_numbers(const Constraints& constraints) {
  std::vector<std::int64_t> numbers;
  for (const Expression& requirement : constraints.requirements())
    add_numbers(requirement.text(), numbers);
  return numbers;
}

std::vector<std::int64_t> ragged_sizes(const Target& target, const Shape& shape,
                                       unsigned dimension) {
  std::vector<std::int64_t> sizes;
  const auto add = [&](std::int64_t size) {
    if (size >= 0 && std::ranges::find(sizes, size) == sizes.end())
      sizes.push_back(size);
  };
  const std::int64_t global = shape.global[dimension], local = shape.local[dimension];
  for (const std::int64_t size : {global - 1, global + 1, std::int64_t{0}, std::int64_t{1},
                                  local - 1, local + 1, 2 * local - 1, 2 * local + 1})
    add(size);
  for (const std::int64_t constant : target.dictionary.integers)
    if (constant > 1 && constant <= kLargestTile)
      for (const std::int64_t size : {constant - 1, constant + 1, 2 * constant + 1})
        add(size);
  for (const std::int64_t prime : {2, 3, 5, 7, 11, 13, 17, 31})
    add(prime);
  return sizes;
}

} // namespace gputest::testgen
