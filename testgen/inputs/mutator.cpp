// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/inputs/mutator.h"

#include "runtime/cases/scalar.h"
#include "testgen/concolic/inputs.h"
#include "testgen/inputs/shapes.h"

#include <algorithm>
#include <utility>

namespace gputest::testgen {
namespace {

using ir::Parameter;

constexpr std::size_t kMostOffsetsDrawn = 32; // for one input

} // namespace

Mutator::Mutator(const Target& target, const Constraints& constraints, std::uint64_t seed)
    : sizes(target.arguments.size()), target_(target), constraints_(constraints),
      repair_(target, constraints), features_(target), random_(seed),
      shapes_(constraints.shapes.empty() ? shapes_of(target, constraints) : constraints.shapes),
      has_offsets_(testgen::has_offsets(target, constraints)),
      required_numbers_(required_numbers(constraints)) {}

bool Mutator::obeys(Input& input, bool draws) {
  return !repair_.is_needed() || repair_(input, draws ? &random_ : nullptr);
}

// A requirement such as `size(mask) == n` may not allow a null pointer.
bool Mutator::obey(Input& input, bool draws) {
  if (obeys(input, draws))
    return true;
  bool any = false;
  for (std::size_t i = 0; i < input.arguments.size(); ++i)
    if (input.arguments[i].is_null) {
      set_null(input, i, false);
      any = true;
    }
  return any && obeys(input, draws);
}

void Mutator::set_null(Input& input, std::size_t position, bool is_null) {
  Content& content = input.arguments[position];
  content.is_null = is_null;
  content.bytes.clear();
  set_size(input, position, false);
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
  const std::size_t element = argument.element_size();
  if (elements > kMostBytes / element || content.is_null)
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
    for (std::size_t i = 0; i < target_.arguments.size(); ++i)
      set_size(input, i, keep);
}

void Mutator::set_size(Input& input, std::size_t position, bool keep) {
  const KernelArgument& argument = target_.arguments[position];
  if (argument.kind != Parameter::Kind::Buffer && argument.kind != Parameter::Kind::Local)
    return;
  const Content& content = input.arguments[position];
  std::optional<std::size_t> elements = constraints_.size(target_, input, position);
  if (!elements && constraints_.has_size(position))
    elements = 1; // which hold() finds to be wrong
  if (!elements && sizes[position]) {
    const std::int64_t value = sizes[position]->evaluate(features_.of(input));
    elements = static_cast<std::size_t>(std::clamp<std::int64_t>(
        value, 1, static_cast<std::int64_t>(kMostBytes / argument.element_size())));
  }
  if (!elements) {
    const bool has = !content.bytes.empty() || content.local_size != 0;
    if (keep && has)
      return;
    elements = input.shape.items();
  }
  resize(input, position, *elements);
}

void Mutator::set_image(Input& input, std::size_t position) {
  const KernelArgument& argument = target_.arguments[position];
  Content& content = input.arguments[position];
  const std::string& kind = target_.interface.arguments[position].type.name;
  const bool has_height = !kind.starts_with("image1d") || kind == "image1d_array_t";
  const bool has_depth = kind == "image3d_t" || kind.starts_with("image2d_array_");
  content.extent = {1, 1, 1};
  for (unsigned i = 0; i < (has_depth ? 3u : has_height ? 2u : 1u); ++i)
    content.extent[i] = static_cast<std::uint32_t>(
        std::clamp<std::uint64_t>(input.shape.global[i] + random_.below(2), 1, 64));
  if (kind == "image1d_array_t") { // layers are a third size
    content.extent[2] = content.extent[1];
    content.extent[1] = 1;
  }
  content.bytes.resize(argument.type.size * content.extent[0] * content.extent[1] *
                       content.extent[2]);
  fill(input, position);
}

// In each dimension 0, a size of the launch, a constant of the source or of a requirement or near
// it, or a small number.
void Mutator::draw_offset(Input& input) {
  for (unsigned i = 0; has_offsets_ && i < input.shape.dimensions; ++i) {
    std::vector<std::uint64_t> offsets{0, 1, input.shape.local[i], input.shape.global[i],
                                       static_cast<std::uint64_t>(random_.between(0, 40))};
    for (const auto* constants :
         {&std::as_const(target_.dictionary.integers), &std::as_const(required_numbers_)}) {
      if (constants->empty())
        continue;
      const std::int64_t number = (*constants)[random_.below(constants->size())];
      for (const std::int64_t near :
           {number, number + 1, number - static_cast<std::int64_t>(input.shape.global[i])})
        if (near >= 0 && static_cast<std::uint64_t>(near) <= kMostOffset)
          offsets.push_back(static_cast<std::uint64_t>(near));
    }
    input.shape.offset[i] = random_.once_in(2) ? 0 : offsets[random_.below(offsets.size())];
  }
}

// Draws offsets until the requirements about them hold, or a few times in vain: repairs change
// arguments alone.
void Mutator::obey_offset(Input& input) {
  const auto lookup = [&](const Expression::Reference& reference) {
    return value_of(target_, input, reference);
  };
  const auto holds = [&](const Expression& requirement) {
    return !names_offset(requirement) || requirement.evaluate(lookup).value_or(0) != 0;
  };
  for (std::size_t i = 0; i < kMostOffsetsDrawn && constraints_.names_offset() &&
                          !std::ranges::all_of(constraints_.requirements(), holds);
       ++i)
    draw_offset(input);
}

Input Mutator::fresh(const Shape& shape, bool sized) {
  Input input{.shape = shape, .arguments = {}};
  draw_offset(input);
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
      content.sampler = static_cast<std::uint32_t>(random_.below(target_.samplers));
    } else if (argument.kind == Parameter::Kind::Image) {
      set_image(input, i);
    } else if (may_be_null(target_, constraints_, i)) {
      content.is_null = random_.once_in(4);
    }
  }
  obey_offset(input);
  set_sizes(input, false);
  obey(input, true);
  return input;
}

Input Mutator::plain(const Shape& shape) {
  Input input = fresh(shape, true);
  for (std::size_t i = 0; i < target_.arguments.size(); ++i)
    if (const KernelArgument& argument = target_.arguments[i];
        argument.is_integer() && !constraints_.domain(i) && random_.once_in(2))
      runtime::store_integer(argument.type.scalar,
                             static_cast<std::uint64_t>(random_.between(
                                 0, 2 * static_cast<std::int64_t>(shape.global[0]))),
                             input.arguments[i].bytes.data());
  set_sizes(input, false);
  obey(input, true);
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
  obey(input, true);
  return input;
}

void Mutator::change_shape(Input& input) {
  if (has_offsets_ && random_.once_in(2)) {
    draw_offset(input);
    return;
  }
  const std::array<std::uint64_t, 3> offset = input.shape.offset;
  input.shape = shapes_[random_.below(random_.once_in(2) ? std::min<std::size_t>(shapes_.size(), 8)
                                                         : shapes_.size())];
  if (constraints_.shapes.empty() && random_.once_in(3)) { // other numbers of groups
    for (unsigned i = 0; i < input.shape.dimensions; ++i)
      input.shape.global[i] =
          input.shape.local[i] * static_cast<std::uint64_t>(random_.between(1, 4));
    if (input.shape.items() > kMostItems)
      input.shape = shapes_.front();
  }
  if (constraints_.shapes.empty() && target_.remainder && random_.once_in(3))
    input.shape.global[0] =
        std::max<std::uint64_t>(1, input.shape.global[0] - random_.below(input.shape.local[0]));
  for (unsigned i = 0; i < input.shape.dimensions; ++i)
    input.shape.offset[i] = offset[i];
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
    if (may_be_null(target_, constraints_, position) && random_.once_in(4))
      set_null(input, position, !content.is_null);
    else if (random_.once_in(4))
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
    content.sampler = static_cast<std::uint32_t>(random_.below(target_.samplers));
    return;
  case Parameter::Kind::Local:
    return;
  }
}

Input Mutator::mutated(const Input& input, const Input& other) {
  Input made = input;
  bool sizes_change = false;
  if (random_.once_in(has_offsets_ ? 4 : 8)) {
    change_shape(made);
    obey_offset(made);
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
  obey(made, true);
  return made;
}

} // namespace gputest::testgen
