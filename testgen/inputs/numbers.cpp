// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The numbers that inputs have.
#include "testgen/inputs/mutator.h"

#include "runtime/cases/scalar.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

namespace gputest::testgen {
namespace {

constexpr std::int64_t kLargestTied = 1024; // a constant that may be a tile

} // namespace

std::int64_t Mutator::integer(const Shape& shape, model::Scalar scalar) {
  const auto& dictionary = target_.dictionary.integers;
  const auto launch_size = [&]() -> std::int64_t {
    const unsigned dimension = static_cast<unsigned>(random_.below(shape.dimensions));
    switch (random_.below(8)) {
    case 0:
      return shape.local[dimension];
    case 1:
      return shape.groups()[dimension];
    case 2:
      return static_cast<std::int64_t>(shape.items());
    default:
      return shape.global[dimension];
    }
  };
  // Most constants of a small type are characters, and most numbers are none of them.
  if (model::size_of(scalar) == 1 && !dictionary.empty() && random_.once_in(2))
    return dictionary[random_.below(dictionary.size())];
  switch (random_.below(24)) {
  case 0:
  case 1:
  case 2:
  case 3:
    return launch_size();
  case 4:
  case 5:
    return launch_size() + random_.between(-2, 2);
  case 6:
  case 7:
  case 8:
  case 9:
  case 10:
    return random_.between(0, 8);
  case 11:
  case 12:
  case 13:
  case 14:
    if (!dictionary.empty())
      return dictionary[random_.below(dictionary.size())] +
             (random_.once_in(3) ? random_.between(-1, 1) : 0);
    return random_.between(0, 3);
  case 15:
    return launch_size() * random_.between(1, 3) - random_.between(0, 1);
  case 16:
    return random_.between(0, 255);
  case 17:
    return (std::int64_t{1} << random_.below(20)) + random_.between(-1, 1);
  case 18:
    return model::is_signed(scalar) ? -random_.between(1, 9) : random_.between(0, 64);
  case 19:
    return random_.once_in(4) ? static_cast<std::int64_t>(random_.next() >> random_.below(64))
                              : random_.between(0, 1);
  default:
    return random_.between(0, 20);
  }
}

double Mutator::real() {
  const auto& reals = target_.dictionary.reals;
  const auto& integers = target_.dictionary.integers;
  const auto uniform = [&] { return static_cast<double>(random_.next() >> 11) * 0x1p-53; };
  switch (random_.below(16)) {
  case 0:
  case 1:
  case 2:
  case 3:
    return static_cast<double>(random_.between(-16, 16)) / 4;
  case 4:
  case 5:
    return static_cast<double>(random_.between(0, 12));
  case 6:
  case 7:
    if (!reals.empty()) {
      const double constant = reals[random_.below(reals.size())];
      switch (random_.below(4)) {
      case 0:
        return constant;
      case 1:
        return constant * (1 + (uniform() - 0.5) * 0.1);
      default:
        return constant + static_cast<double>(random_.between(-2, 2)) / 2;
      }
    }
    return uniform();
  case 8:
    return integers.empty() ? 1 : static_cast<double>(integers[random_.below(integers.size())]);
  case 9:
    return random_.once_in(2) ? 0.0 : -0.0;
  case 10:
  case 11:
    return uniform();
  case 12:
    return (uniform() - 0.5) * 20;
  case 13:
    return (uniform() - 0.5) * 2000;
  case 14:
    return std::ldexp(uniform() - 0.5, static_cast<int>(random_.between(-30, 30)));
  default: {
    constexpr std::array kSpecial{std::numeric_limits<double>::quiet_NaN(),
                                  std::numeric_limits<double>::infinity(),
                                  -std::numeric_limits<double>::infinity(),
                                  1e-40,
                                  3.4028234663852886e38,
                                  -1.0,
                                  1.0,
                                  0.5};
    return kSpecial[random_.below(kSpecial.size())];
  }
  }
}

void Mutator::draw(std::byte* to, model::Scalar scalar, const Shape& shape, const Domain* domain) {
  if (domain && !domain->values.empty()) {
    const double value = domain->values[random_.below(domain->values.size())];
    if (model::is_floating(scalar))
      runtime::store_number(scalar, value, to);
    else
      runtime::store_integer(scalar, static_cast<std::uint64_t>(static_cast<std::int64_t>(value)),
                             to);
    return;
  }
  if (model::is_floating(scalar)) {
    double value = real();
    if (domain && domain->low && !(value >= *domain->low && value <= *domain->high))
      value = random_.once_in(8) ? (random_.once_in(2) ? *domain->low : *domain->high)
                                 : *domain->low + static_cast<double>(random_.next() >> 11) *
                                                      0x1p-53 * (*domain->high - *domain->low);
    runtime::store_number(scalar, value, to);
    return;
  }
  std::int64_t value = integer(shape, scalar);
  // The more launches do not end, the smaller a number must be to be taken as it is.
  const std::int64_t small =
      std::max<std::int64_t>(64, 1024 >> std::min<std::size_t>(caution_ / 4, 8));
  if (caution_ != 0 && std::abs(value) > small && random_.below(1 + caution_) != 0)
    value = random_.between(0, 20);
  if (domain && domain->low) {
    const auto low = static_cast<std::int64_t>(std::ceil(*domain->low));
    const auto high = static_cast<std::int64_t>(std::floor(*domain->high));
    if (value < low || value > high)
      value = random_.once_in(8) ? (random_.once_in(2) ? low : high) : random_.between(low, high);
  }
  runtime::store_integer(scalar, static_cast<std::uint64_t>(value), to);
}

// Returns a number that is related to the launch, to the source's tiles, or to another scalar.
std::int64_t Mutator::tied_integer(const Shape& shape, std::span<const std::int64_t> others) {
  const unsigned dimension = static_cast<unsigned>(random_.below(shape.dimensions));
  const auto size = [&](bool local) -> std::int64_t {
    if (random_.once_in(3))
      return static_cast<std::int64_t>(local ? shape.items_of_group() : shape.items());
    return local ? shape.local[dimension] : shape.global[dimension];
  };
  const auto scaled = [&](std::int64_t number) {
    switch (random_.below(6)) {
    case 0:
    case 1:
      return 2 * number;
    case 2:
      return number / 2;
    default:
      return number;
    }
  };
  const std::size_t way = random_.below(7);
  switch (way) {
  case 0:
  case 1:
    return scaled(size(way == 0));
  case 2: { // tiles: as many as there are groups
    const auto& constants = target_.dictionary.integers;
    const std::int64_t groups =
        static_cast<std::int64_t>(random_.once_in(2) ? shape.groups()[dimension] : 1);
    const std::int64_t tile = constants.empty() ? 1 : constants[random_.below(constants.size())];
    return tile > 0 && tile <= kLargestTied ? tile * groups : groups;
  }
  case 3: // passes of a tree
    return static_cast<std::int64_t>(
               std::bit_width(static_cast<std::uint64_t>(size(random_.once_in(2))))) -
           1 + random_.between(-1, 1);
  case 4:
    if (!others.empty())
      return scaled(others[random_.below(others.size())]);
    return shape.groups()[dimension];
  default:
    return random_.between(0, 4);
  }
}

Input Mutator::tied(const Shape& shape) {
  Input input = fresh(shape, false);
  std::vector<std::int64_t> others;
  for (std::size_t i = 0; i < target_.arguments.size(); ++i)
    if (const KernelArgument& argument = target_.arguments[i];
        argument.is_integer() && !constraints_.domain(i)) {
      others.push_back(tied_integer(shape, others));
      runtime::store_integer(argument.type.scalar, static_cast<std::uint64_t>(others.back()),
                             input.arguments[i].bytes.data());
    }
  set_sizes(input, false);
  obey(input, true);
  return input;
}

Input Mutator::retied(const Input& input, const Shape& shape) {
  std::vector<std::size_t> positions;
  std::vector<std::int64_t> others;
  for (std::size_t i = 0; i < target_.arguments.size(); ++i)
    if (const KernelArgument& argument = target_.arguments[i];
        argument.is_integer() && !constraints_.domain(i)) {
      positions.push_back(i);
      others.push_back(static_cast<std::int64_t>(
          runtime::read_integer(argument.type.scalar, input.arguments[i].bytes.data())));
    }
  Input made = input;
  if (random_.once_in(4) && constraints_.shapes.empty())
    for (unsigned i = 0; i < shape.dimensions; ++i)
      made.shape.global[i] = made.shape.local[i] * shape.groups()[i];
  for (std::size_t changes = 1 + random_.below(2); changes > 0 && !positions.empty(); --changes) {
    const std::size_t position = positions[random_.below(positions.size())];
    runtime::store_integer(target_.arguments[position].type.scalar,
                           static_cast<std::uint64_t>(tied_integer(made.shape, others)),
                           made.arguments[position].bytes.data());
  }
  set_sizes(made, true);
  obey(made, true);
  return made;
}

} // namespace gputest::testgen
