#include "testgen/inputs/mutator.h"

#include "runtime/cases/scalar.h"
#include "testgen/inputs/shapes.h"
#include "testgen/launcher.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace gputest::testgen {
namespace {

using simulator::Parameter;

} // namespace

Mutator::Mutator(const Target& target, const Constraints& constraints, std::uint64_t seed)
    : sizes(target.arguments.size()), target_(target), constraints_(constraints), features_(target),
      random_(seed),
      shapes_(constraints.shapes.empty() ? shapes_of(target, constraints) : constraints.shapes) {}

std::int64_t Mutator::integer(const Shape& shape, model::Scalar scalar) {
  const auto& dictionary = target_.dictionary.integers;
  const auto launch_size = [&]() -> std::int64_t {
    const unsigned dimension = static_cast<unsigned>(random_.below(shape.dimensions));
    switch (random_.below(8)) {
    case 0:
      return shape.local[dimension];
    case 1:
      return shape.groups(dimension);
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
  if (caution_ != 0 && std::abs(value) > 1024 && random_.below(1 + caution_) != 0)
    value = random_.between(0, 20);
  if (domain && domain->low) {
    const auto low = static_cast<std::int64_t>(std::ceil(*domain->low));
    const auto high = static_cast<std::int64_t>(std::floor(*domain->high));
    if (value < low || value > high)
      value = random_.once_in(8) ? (random_.once_in(2) ? low : high) : random_.between(low, high);
  }
  runtime::store_integer(scalar, static_cast<std::uint64_t>(value), to);
}

// Elements from `from` on, in one of the ways that kernels treat differently.
void Mutator::fill(Input& input, std::size_t position, std::size_t from) {
  const KernelArgument& argument = target_.arguments[position];
  runtime::Bytes& bytes = input.arguments[position].bytes;
  const std::size_t element = argument.type.size;
  if (element == 0 || argument.leaves.empty())
    return;
  const Domain* const domain = constraints_.domain(position);
  const std::size_t count = bytes.size() / element;
  const std::size_t way = domain ? 9 : random_.below(10);
  const std::int64_t most = random_.once_in(3) ? 3 : static_cast<std::int64_t>(input.shape.items());
  const std::size_t hot = random_.below(std::max<std::size_t>(count, 1));
  const std::int64_t constant = integer(input.shape, argument.leaves.front().scalar);
  for (std::size_t i = from; i < count; ++i)
    for (const model::Leaf& leaf : argument.leaves) {
      std::byte* const to = bytes.data() + i * element + leaf.offset;
      const auto put = [&](std::int64_t value) {
        if (model::is_floating(leaf.scalar))
          runtime::store_number(leaf.scalar, static_cast<double>(value), to);
        else
          runtime::store_integer(leaf.scalar, static_cast<std::uint64_t>(value), to);
      };
      switch (way) {
      case 0:
        put(static_cast<std::int64_t>(i));
        break;
      case 1:
        put(constant);
        break;
      case 2: // sorted
        put(static_cast<std::int64_t>(i) * 2 + random_.between(0, 1));
        break;
      case 3: // falling
        put(static_cast<std::int64_t>(count - i));
        break;
      case 4: // one that is not 0
        put(i == hot ? random_.between(1, 9) : 0);
        break;
      case 5: // sparse
        put(random_.once_in(4) ? random_.between(-3, 9) : 0);
        break;
      case 6:
      case 7: // small, so that they can be indices
        put(random_.between(0, most));
        break;
      default:
        draw(to, leaf.scalar, input.shape, domain);
      }
      // Any bit pattern that a type cannot have stays out: a signed value below 0 of an unsigned
      // type is its largest, which only draw() makes.
      if (way < 8 && !model::is_floating(leaf.scalar) && !model::is_signed(leaf.scalar) &&
          (way == 5 || way == 1))
        put(random_.between(0, 9));
    }
}

bool Mutator::resize(Input& input, std::size_t position, std::size_t elements) {
  const KernelArgument& argument = target_.arguments[position];
  Content& content = input.arguments[position];
  const std::size_t element = std::max<std::size_t>(argument.type.size, 1);
  if (elements > kMostBytes / element)
    return false;
  elements = std::max<std::size_t>(elements, 1); // no buffer has no bytes
  if (argument.kind == Parameter::Kind::Local) {
    content.local_size = elements * element;
    return true;
  }
  const std::size_t before = content.bytes.size() / element;
  content.bytes.resize(elements * element);
  if (elements > before)
    fill(input, position, before);
  return true;
}

void Mutator::set_sizes(Input& input, bool keep) {
  // Sizes may depend on contents, and those on sizes: a second time for the former.
  for (int round = 0; round < 2; ++round)
    for (std::size_t i = 0; i < target_.arguments.size(); ++i) {
      const KernelArgument& argument = target_.arguments[i];
      if (argument.kind != Parameter::Kind::Buffer && argument.kind != Parameter::Kind::Local)
        continue;
      const Content& content = input.arguments[i];
      std::optional<std::size_t> elements = constraints_.size(target_, input, i);
      if (!elements && constraints_.has_size(i))
        elements = 1; // which hold() finds to be wrong
      if (!elements && sizes[i]) {
        const std::int64_t value = sizes[i]->evaluate(features_.of(input));
        elements = static_cast<std::size_t>(std::clamp<std::int64_t>(
            value, 1,
            static_cast<std::int64_t>(kMostBytes / std::max<std::size_t>(argument.type.size, 1))));
      }
      if (!elements) {
        const bool has = !content.bytes.empty() || content.local_size != 0;
        if (keep && has)
          continue;
        elements = input.shape.items();
      }
      resize(input, i, *elements);
    }
}

void Mutator::set_image(Input& input, std::size_t position) {
  const KernelArgument& argument = target_.arguments[position];
  Content& content = input.arguments[position];
  const std::string& kind = target_.interface.arguments[position].type.name;
  const bool has_height = !kind.starts_with("image1d") || kind == "image1d_array_t";
  const bool has_depth = kind == "image3d_t" || kind == "image2d_array_t";
  content.extent = {1, 1, 1};
  for (unsigned i = 0; i < (has_depth ? 3u : has_height ? 2u : 1u); ++i)
    content.extent[i] = std::min<std::uint32_t>(
        64, std::max<std::uint32_t>(1, input.shape.global[i] +
                                           static_cast<std::uint32_t>(random_.below(2))));
  if (kind == "image1d_array_t") { // layers are a third size
    content.extent[2] = content.extent[1];
    content.extent[1] = 1;
  }
  content.bytes.resize(argument.type.size * content.extent[0] * content.extent[1] *
                       content.extent[2]);
  fill(input, position);
}

Input Mutator::fresh(const Shape& shape, bool sized) {
  Input input{.shape = shape, .arguments = {}};
  input.arguments.resize(target_.arguments.size());
  unsigned dimension = 0;
  for (std::size_t i = 0; i < target_.arguments.size(); ++i) {
    const KernelArgument& argument = target_.arguments[i];
    Content& content = input.arguments[i];
    if (argument.kind == Parameter::Kind::Value) {
      content.bytes.resize(argument.type.size);
      for (const model::Leaf& leaf : argument.leaves)
        draw(content.bytes.data() + leaf.offset, leaf.scalar, shape, constraints_.domain(i));
      if (sized && argument.is_integer() && !constraints_.domain(i)) {
        // In order: kernels take widths, then heights.
        runtime::store_integer(argument.type.scalar, shape.global[dimension % shape.dimensions],
                               content.bytes.data());
        ++dimension;
      }
    } else if (argument.kind == Parameter::Kind::Sampler) {
      content.sampler = static_cast<std::uint32_t>(random_.below(kSamplers.size()));
    } else if (argument.kind == Parameter::Kind::Image) {
      set_image(input, i);
    }
  }
  set_sizes(input, false);
  return input;
}

Input Mutator::plain(const Shape& shape) {
  Input input = fresh(shape, true);
  for (std::size_t i = 0; i < target_.arguments.size(); ++i)
    if (const KernelArgument& argument = target_.arguments[i];
        argument.is_integer() && !constraints_.domain(i) && random_.once_in(2))
      runtime::store_integer(
          argument.type.scalar,
          static_cast<std::uint64_t>(random_.between(0, 2 * std::int64_t{shape.global[0]})),
          input.arguments[i].bytes.data());
  set_sizes(input, false);
  return input;
}

Input Mutator::ragged(const Shape& shape, std::size_t number) {
  Input input = fresh(shape, true);
  std::size_t dimension = 0;
  for (std::size_t i = 0; i < target_.arguments.size(); ++i)
    if (const KernelArgument& argument = target_.arguments[i];
        argument.is_integer() && !constraints_.domain(i)) {
      const std::vector<std::int64_t> unfit =
          ragged_sizes(target_, shape, static_cast<unsigned>(dimension % shape.dimensions));
      runtime::store_integer(argument.type.scalar,
                             static_cast<std::uint64_t>(unfit[(number + dimension) % unfit.size()]),
                             input.arguments[i].bytes.data());
      ++dimension;
    }
  set_sizes(input, false);
  return input;
}

void Mutator::change_shape(Input& input) {
  input.shape = shapes_[random_.below(random_.once_in(2) ? std::min<std::size_t>(shapes_.size(), 8)
                                                         : shapes_.size())];
  if (constraints_.shapes.empty() && random_.once_in(3)) { // other numbers of groups
    for (unsigned i = 0; i < input.shape.dimensions; ++i)
      input.shape.global[i] =
          input.shape.local[i] * static_cast<std::uint32_t>(random_.between(1, 4));
    if (input.shape.items() > kMostItems)
      input.shape = shapes_.front();
  }
  if (constraints_.shapes.empty() && target_.remainder && random_.once_in(3))
    input.shape.global[0] = std::max<std::uint32_t>(
        1, input.shape.global[0] - static_cast<std::uint32_t>(random_.below(input.shape.local[0])));
}

void Mutator::change_elements(Input& input, std::size_t position) {
  const KernelArgument& argument = target_.arguments[position];
  runtime::Bytes& bytes = input.arguments[position].bytes;
  const std::size_t element = argument.type.size;
  if (element == 0 || argument.leaves.empty() || bytes.size() < element)
    return;
  const Domain* const domain = constraints_.domain(position);
  const std::size_t count = bytes.size() / element;
  for (std::size_t changes = 1 + random_.below(4); changes > 0; --changes) {
    const std::size_t index =
        random_.once_in(3) ? random_.below(std::min<std::size_t>(count, 4)) : random_.below(count);
    const model::Leaf& leaf = argument.leaves[random_.below(argument.leaves.size())];
    std::byte* const to = bytes.data() + index * element + leaf.offset;
    const std::size_t way = domain ? 0 : random_.below(6);
    if (way == 1 && !model::is_floating(leaf.scalar)) {
      runtime::store_integer(leaf.scalar,
                             runtime::read_integer(leaf.scalar, to) +
                                 static_cast<std::uint64_t>(random_.between(-2, 2)),
                             to);
    } else if (way == 2) { // of another element
      std::memmove(to, bytes.data() + random_.below(count) * element + leaf.offset,
                   model::size_of(leaf.scalar));
    } else {
      draw(to, leaf.scalar, input.shape, domain);
    }
  }
}

void Mutator::change_content(Input& input, std::size_t position) {
  const KernelArgument& argument = target_.arguments[position];
  Content& content = input.arguments[position];
  switch (argument.kind) {
  case Parameter::Kind::Value: {
    const model::Leaf& leaf = argument.leaves[random_.below(argument.leaves.size())];
    draw(content.bytes.data() + leaf.offset, leaf.scalar, input.shape,
         constraints_.domain(position));
    return;
  }
  case Parameter::Kind::Buffer:
    if (random_.once_in(4))
      fill(input, position);
    else
      change_elements(input, position);
    return;
  case Parameter::Kind::Image:
    if (random_.once_in(4))
      set_image(input, position);
    else
      change_elements(input, position);
    return;
  case Parameter::Kind::Sampler:
    content.sampler = static_cast<std::uint32_t>(random_.below(kSamplers.size()));
    return;
  case Parameter::Kind::Local:
    return;
  }
}

Input Mutator::mutated(const Input& input, const Input& other) {
  Input made = input;
  bool sizes_change = false;
  if (random_.once_in(8)) {
    change_shape(made);
    sizes_change = true;
  }
  if (made.arguments.empty())
    return made;
  const std::size_t steps = 1 + (random_.once_in(2) ? 0 : random_.below(4));
  for (std::size_t step = 0; step < steps; ++step) {
    const std::size_t position = random_.below(made.arguments.size());
    if (target_.arguments[position].is_integer())
      sizes_change = true;
    if (random_.once_in(12) && target_.arguments[position].kind != Parameter::Kind::Image)
      made.arguments[position] = other.arguments[position];
    else
      change_content(made, position);
  }
  if (sizes_change || std::ranges::any_of(target_.arguments, [&](const KernelArgument& argument) {
        return constraints_.has_size(
            static_cast<std::size_t>(&argument - target_.arguments.data()));
      }))
    set_sizes(made, true);
  return made;
}

} // namespace gputest::testgen
