// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/generate/inputs.h"

#include "gputest/error.h"
#include "model/stable_hash.h"
#include "runtime/cases/image_layout.h"
#include "runtime/cases/scalar.h"
#include "testgen/launcher.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>

namespace gputest::memory {
namespace {

using ir::Parameter;
using testgen::Label;
using testgen::Op;

constexpr double kDrawn = 65536;   // what random() draws without a domain is below
constexpr std::size_t kTries = 16; // to draw an input that obeys

void store(model::Scalar scalar, double value, std::byte* to) {
  if (model::is_floating(scalar))
    runtime::store_number(scalar, value, to);
  else
    runtime::store_integer(scalar, static_cast<std::uint64_t>(static_cast<std::int64_t>(value)),
                           to);
}

void draw(model::Scalar scalar, const testgen::Domain* domain, std::uint64_t below,
          testgen::Random& random, std::byte* to) {
  if (domain && !domain->values.empty()) {
    store(scalar, domain->values[random.below(domain->values.size())], to);
  } else if (domain && domain->low) {
    const double share = static_cast<double>(random.next() >> 11) * 0x1p-53;
    if (model::is_floating(scalar))
      store(scalar, *domain->low + share * (*domain->high - *domain->low), to);
    else
      store(
          scalar,
          static_cast<double>(random.between(static_cast<std::int64_t>(std::ceil(*domain->low)),
                                             static_cast<std::int64_t>(std::floor(*domain->high)))),
          to);
  } else if (model::is_floating(scalar)) {
    store(scalar, static_cast<double>(random.below(below)), to);
  } else {
    runtime::store_integer(scalar, random.below(below), to);
  }
}

std::optional<std::string> broken(const testgen::Constraints& constraints,
                                  const testgen::Target& target, const testgen::Input& input) {
  for (const testgen::Expression& requirement : constraints.requirements()) {
    const auto value = requirement.evaluate([&](const testgen::Expression::Reference& reference) {
      return testgen::value_of(target, input, reference);
    });
    if (!value || *value == 0)
      return requirement.text();
  }
  return std::nullopt;
}

// Returns the index in testgen::kSamplers.
std::optional<std::uint32_t> choice_of(std::uint32_t sampler) {
  for (std::uint32_t i = 0; i < testgen::kSamplers.size(); ++i)
    if (testgen::sampler_bits(i) == sampler)
      return i;
  return std::nullopt;
}

} // namespace

testgen::Input input_of(const TracedLaunch& launch) {
  testgen::Input input{.shape = launch.sizes};
  for (const GivenArgument& given : launch.arguments) {
    testgen::Content content{
        .bytes = given.bytes, .local_size = given.local_bytes, .is_null = given.null};
    if (given.kind == Parameter::Kind::Image)
      content.extent = {given.image.width, given.image.height, given.image.depth};
    if (given.kind == Parameter::Kind::Sampler)
      content.sampler = choice_of(given.sampler).value_or(0);
    input.arguments.push_back(std::move(content));
  }
  return input;
}

void take_images(testgen::Target& target, const TracedLaunch& launch) {
  for (std::size_t i = 0; i < target.arguments.size() && i < launch.arguments.size(); ++i) {
    testgen::KernelArgument& argument = target.arguments[i];
    const GivenArgument& given = launch.arguments[i];
    if (given.kind == Parameter::Kind::Sampler && !choice_of(given.sampler))
      throw UsageError(fmt::format("error: --strategy: the sampler '{}' of the first case is none "
                                   "that generated cases have; give another one, or leave out "
                                   "--strategy",
                                   argument.name));
    if (given.kind != Parameter::Kind::Image)
      continue;
    const simulator::Image& image = given.image;
    argument.image = runtime::image_layout(image.type, {image.channel_order, image.channel_type},
                                           image.width, image.height, image.depth,
                                           fmt::format("argument '{}'", argument.name));
    argument.type = argument.image->pixel_type();
    argument.leaves = model::leaves_of(argument.type);
  }
}

std::optional<std::string> broken_requirement(const testgen::Constraints& constraints,
                                              const testgen::Target& target,
                                              const TracedLaunch& launch) {
  return broken(constraints, target, input_of(launch));
}

Inputs::Inputs(const testgen::Target& target, const testgen::Constraints& constraints,
               const TracedLaunch& first, const LaunchTrace& trace)
    : target_(target), constraints_(constraints), repair_(target, constraints), first_(first) {
  for (std::size_t i = 0; i < target.arguments.size(); ++i) {
    const testgen::KernelArgument& argument = target.arguments[i];
    if (argument.kind != Parameter::Kind::Buffer || argument.leaves.empty() ||
        argument.type.size == 0 || first.arguments[i].bytes.empty())
      continue;
    const bool read = std::ranges::any_of(trace.references, [&](const Reference& reference) {
      return reference.kind != Reference::Kind::Write &&
             (reference.object < 0 ||
              trace.objects[static_cast<unsigned>(reference.object)].name == argument.name);
    });
    if (read)
      varied_.push_back(i);
  }
}

const testgen::Domain* Inputs::domain(std::size_t argument) const {
  return constraints_.domain(argument);
}

void Inputs::draw_element(std::size_t argument, std::uint64_t below, testgen::Random& random,
                          std::byte* to) const {
  for (const model::Leaf& leaf : target_.arguments[argument].leaves)
    draw(leaf.scalar, domain(argument), below, random, to + leaf.offset);
}

// Changes buffers until the requirements hold. Returns false if they do not, or if something else
// would have to change.
bool Inputs::obey(TracedLaunch& launch, testgen::Random* random) const {
  if (!constraints_.has_requirements())
    return true;
  testgen::Input input = input_of(launch);
  repair_(input, random);
  if (broken(constraints_, target_, input))
    return false;
  for (std::size_t i = 0; i < input.arguments.size(); ++i) {
    const testgen::Content& content = input.arguments[i];
    GivenArgument& given = launch.arguments[i];
    const bool same = std::ranges::equal(content.bytes, given.bytes);
    if (content.local_size != given.local_bytes || content.bytes.size() != given.bytes.size() ||
        (!same && std::ranges::find(varied_, i) == varied_.end()))
      return false;
    if (!same)
      given.bytes = content.bytes;
  }
  return true;
}

TracedLaunch Inputs::random(testgen::Random& random) const {
  for (std::size_t tries = 0; tries < kTries; ++tries) {
    TracedLaunch launch = first_;
    for (const std::size_t i : varied_) {
      const std::size_t size = target_.arguments[i].type.size;
      std::vector<std::byte>& bytes = launch.arguments[i].bytes;
      // Few different values, or many.
      const std::uint64_t below = std::uint64_t{1} << (1 + random.below(16));
      for (std::size_t at = 0; at + size <= bytes.size(); at += size)
        draw_element(i, below, random, bytes.data() + at);
    }
    if (obey(launch, &random))
      return launch;
  }
  return first_;
}

TracedLaunch Inputs::changed(const TracedLaunch& launch, testgen::Random& random) const {
  TracedLaunch other = launch;
  const std::size_t argument = varied_[random.below(varied_.size())];
  const std::size_t size = target_.arguments[argument].type.size;
  std::vector<std::byte>& bytes = other.arguments[argument].bytes;
  const std::size_t elements = bytes.size() / size;
  if (elements == 0)
    return other;
  const std::size_t length = std::max<std::size_t>(1, elements >> random.below(10)),
                    begin = random.below(elements - length + 1);
  const std::uint64_t below = std::uint64_t{1} << (1 + random.below(16));
  std::byte* const first = bytes.data() + begin * size;
  const std::size_t how = random.below(3);
  if (how == 0) // another one's
    std::memmove(first, bytes.data() + random.below(elements) * size, size);
  else
    draw_element(argument, below, random, first);
  for (std::size_t i = 1; i < length; ++i)
    if (how == 2)
      draw_element(argument, below, random, first + i * size);
    else
      std::memcpy(first + i * size, first, size);
  return obey(other, &random) ? other : launch;
}

std::vector<testgen::SymbolicRange> Inputs::symbolic() const {
  std::vector<testgen::SymbolicRange> ranges;
  for (const std::size_t i : varied_) {
    const model::Leaf& leaf = target_.arguments[i].leaves.front();
    const std::size_t size = model::size_of(leaf.scalar);
    ranges.push_back({.argument = static_cast<std::uint32_t>(i),
                      .size = first_.arguments[i].bytes.size(),
                      .unit = static_cast<std::uint8_t>(size),
                      .floating = model::is_floating(leaf.scalar) && size >= 4});
  }
  return ranges;
}

testgen::Launch Inputs::launch() const {
  return {.sizes = first_.sizes};
}

std::vector<testgen::Argument> Inputs::arguments(const TracedLaunch& launch) const {
  std::vector<testgen::Argument> arguments;
  for (const GivenArgument& given : launch.arguments)
    arguments.push_back({.kind = given.kind,
                         .bytes = given.bytes,
                         .local_bytes = given.local_bytes,
                         .null = given.null,
                         .sampler = given.sampler,
                         .image = given.image});
  return arguments;
}

std::optional<TracedLaunch>
Inputs::launch_of(const std::vector<testgen::Argument>& arguments) const {
  TracedLaunch launch = first_;
  for (const std::size_t i : varied_)
    launch.arguments[i].bytes = arguments[i].bytes;
  if (!obey(launch, nullptr))
    return std::nullopt;
  return launch;
}

std::vector<std::uint64_t> Inputs::values_of(const TracedLaunch& launch,
                                             const std::vector<testgen::Unit>& units) {
  std::vector<std::uint64_t> values;
  for (const testgen::Unit& unit : units)
    std::memcpy(&values.emplace_back(0), launch.arguments[unit.argument].bytes.data() + unit.offset,
                unit.size);
  return values;
}

std::uint64_t Inputs::offset_in_element(const testgen::Unit& unit) const {
  return unit.offset % target_.arguments[unit.argument].type.size;
}

const std::string& Inputs::name_of(const testgen::Unit& unit) const {
  return target_.arguments[unit.argument].name;
}

const model::Leaf* Inputs::leaf_of(const testgen::Unit& unit) const {
  if (unit.kind != testgen::Unit::Kind::Argument)
    return nullptr;
  const testgen::KernelArgument& argument = target_.arguments[unit.argument];
  for (const model::Leaf& leaf : argument.leaves)
    if (leaf.offset == unit.offset % argument.type.size && model::size_of(leaf.scalar) == unit.size)
      return &leaf;
  return nullptr;
}

std::vector<std::uint64_t> Inputs::candidates(const testgen::Unit& unit) const {
  const model::Leaf* const leaf = leaf_of(unit);
  if (!leaf)
    return {};
  std::vector<double> numbers;
  const testgen::Domain* const domain = this->domain(unit.argument);
  if (domain && !domain->values.empty()) {
    numbers = domain->values;
  } else {
    const double low = domain && domain->low ? std::ceil(*domain->low) : 0,
                 high = domain && domain->high ? std::floor(*domain->high) : kDrawn - 1;
    const double least = std::min(high, low + kMostCandidates / 2 - 1);
    for (double number = low; number <= least; ++number)
      numbers.push_back(number);
    const double step = std::max(1.0, std::ceil((high - least) / (kMostCandidates / 2)));
    for (double begin = least + 1; begin <= high; begin += step)
      numbers.push_back(std::min(
          high, begin + static_cast<double>(model::mixed(numbers.size()) %
                                            static_cast<std::uint64_t>(std::min(step, 1e15)))));
  }
  numbers.resize(std::min(numbers.size(), kMostCandidates));
  std::vector<std::uint64_t> bits;
  for (const double number : numbers) {
    std::uint64_t& one = bits.emplace_back(0);
    store(leaf->scalar, number, reinterpret_cast<std::byte*>(&one));
  }
  return bits;
}

std::vector<Label> Inputs::domains(testgen::Traced& traced) const {
  std::vector<Label> conditions;
  testgen::Table& table = traced.table;
  for (std::size_t i = 0; i < traced.units.size(); ++i) {
    const testgen::Unit& unit = traced.units[i];
    const testgen::Domain* const domain =
        unit.kind == testgen::Unit::Kind::Argument ? this->domain(unit.argument) : nullptr;
    if (!domain)
      continue;
    const model::Leaf* const leaf = leaf_of(unit);
    if (!leaf)
      continue;
    const Label input = table.input(i);
    const auto constant = [&](double value) {
      std::uint64_t bits = 0;
      store(leaf->scalar, value, reinterpret_cast<std::byte*>(&bits));
      return table.constant(bits, unit.size * 8U);
    };
    if (!domain->values.empty()) {
      Label any = 0;
      for (const double value : domain->values) {
        const Label one = table.make(Op::Equal, 1, input, constant(value));
        any = any ? table.make(Op::Or, 1, any, one) : one;
      }
      conditions.push_back(any);
    } else if (domain->low) {
      const Op op = unit.floating                    ? Op::FLessEqual
                    : model::is_signed(leaf->scalar) ? Op::SLessEqual
                                                     : Op::ULessEqual;
      conditions.push_back(table.make(op, 1, constant(*domain->low), input));
      conditions.push_back(table.make(op, 1, input, constant(*domain->high)));
    }
  }
  std::erase(conditions, Label{0});
  return conditions;
}

} // namespace gputest::memory
