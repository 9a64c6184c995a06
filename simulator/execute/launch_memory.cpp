// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/execute/launch_memory.h"

#include "ir/alignment.h"
#include "ir/error.h"
#include "model/text/plural.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace gputest::simulator {
namespace {

// Addresses for the blocks of a family: one after the other, except variables.
constexpr std::size_t kForBlocks = std::size_t{1} << 29;

constexpr std::size_t kMostBytes = std::size_t{1} << 40; // of an argument: sums of them do not wrap

std::size_t space_for(const ir::KernelShape& shape, const LaunchRequest& request,
                      std::size_t groups) {
  std::size_t space = Arena::space_for(kNowhere) + (shape.enqueues ? kForBlocks : 0);
  for (const ir::Object& object : shape.objects)
    space += groups * Arena::space_for(object.size_in_launch(request.shared_bytes));
  for (const ArgumentData& argument : request.arguments)
    space += (argument.kind == ir::Parameter::Kind::Local ? groups : 1) *
             Arena::space_for(argument.size);
  return space;
}

gputest_context::gputest_object placed(const Region& region) {
  return {reinterpret_cast<gputest_u8*>(region.begin), region.size, region.size};
}

using Objects = std::span<const gputest_context::gputest_object>;

// Variables are at other addresses in each launch.
void set_pointers(const ir::KernelShape& shape, Objects objects, std::size_t variable,
                  const std::vector<ir::PointerInVariable>& pointers) {
  for (const ir::PointerInVariable& pointer : pointers) {
    const auto to = std::ranges::find(shape.objects, pointer.variable, &ir::Object::name);
    if (pointer.variable.empty() || to == shape.objects.end())
      continue;
    const gputest_u8* const value =
        objects[static_cast<std::size_t>(to - shape.objects.begin())].begin + pointer.offset;
    std::memcpy(objects[variable].begin + pointer.at, static_cast<const void*>(&value),
                sizeof value);
  }
}

void place_initial_value(const ir::KernelShape& shape, Objects objects, std::size_t variable) {
  const ir::Object& object = shape.objects[variable];
  std::memset(objects[variable].begin, 0, object.size);
  std::memcpy(objects[variable].begin, object.initial.data(), object.initial.size());
  set_pointers(shape, objects, variable, object.pointers);
}

// The variable's pointers as they are now.
std::vector<ir::PointerInVariable> pointers_of(const ir::KernelShape& shape, Objects objects,
                                               std::size_t variable) {
  std::vector<ir::PointerInVariable> pointers;
  for (const ir::PointerInVariable& pointer : shape.objects[variable].pointers) {
    const gputest_u8* value = nullptr;
    std::memcpy(static_cast<void*>(&value), objects[variable].begin + pointer.at, sizeof value);
    ir::PointerInVariable& now = pointers.emplace_back(ir::PointerInVariable{.at = pointer.at});
    for (std::size_t i = 0; i < objects.size(); ++i)
      if (shape.objects[i].kind == ir::Object::Kind::ProgramVariable && value >= objects[i].begin &&
          value <= objects[i].begin + shape.objects[i].size) {
        now.variable = shape.objects[i].name;
        now.offset = value - objects[i].begin;
      }
  }
  return pointers;
}

bool overlap(std::span<const std::byte> a, std::span<const std::byte> b) {
  return a.data() < b.data() + b.size() && b.data() < a.data() + a.size();
}

std::span<const std::byte> pixels_of(const Image& image) {
  return {image.pixels, std::size_t{image.width} * image.height * image.depth *
                            pixel_size(*image.order, *image.format)};
}

} // namespace

void place_initial_values(const ir::KernelShape& shape, Objects objects) {
  for (std::size_t i = 0; i < shape.objects.size() && i < objects.size(); ++i)
    if (shape.objects[i].kind == ir::Object::Kind::ProgramVariable)
      place_initial_value(shape, objects, i);
}

void check_request(const ir::KernelShape& shape, const LaunchRequest& request) {
  if (request.arguments.size() != shape.parameters.size())
    throw ir::InputError(fmt::format("kernel '{}' has {} arguments, and {} are given", shape.name,
                                     shape.parameters.size(), request.arguments.size()));
  for (unsigned i = 0; i < 3; ++i) {
    if (request.sizes.global[i] == 0 || request.sizes.local[i] == 0)
      throw ir::InputError(fmt::format("kernel '{}': a size of the NDRange is 0", shape.name));
    if (i < shape.required_size.size() && shape.required_size[i] != request.sizes.local[i])
      throw ir::InputError(fmt::format(
          "kernel '{}' has reqd_work_group_size({}), and the local size is {}", shape.name,
          fmt::join(shape.required_size, ", "), fmt::join(request.sizes.local, " x ")));
  }
  for (std::size_t i = 0; i < shape.parameters.size(); ++i) {
    const ir::Parameter& parameter = shape.parameters[i];
    const ArgumentData& argument = request.arguments[i];
    if (argument.kind != parameter.kind)
      throw ir::InputError(
          fmt::format("kernel '{}', argument '{}': its type is '{}', and something "
                      "of another kind is given",
                      shape.name, parameter.name, parameter.type));
    if (argument.size > kMostBytes)
      throw ir::InputError(fmt::format("kernel '{}', argument '{}': {} bytes are more than {}",
                                       shape.name, parameter.name, argument.size, kMostBytes));
    if (parameter.kind == ir::Parameter::Kind::Buffer &&
        argument.offset % ir::kBufferAlignment != 0)
      throw ir::InputError(
          fmt::format("kernel '{}', argument '{}': its content begins at byte {} of "
                      "the memory file, which is no multiple of {}",
                      shape.name, parameter.name, argument.offset, ir::kBufferAlignment));
    if (parameter.kind == ir::Parameter::Kind::Value && argument.size != parameter.size)
      throw ir::InputError(fmt::format("kernel '{}', argument '{}' has {}, and {} are given",
                                       shape.name, parameter.name,
                                       model::plural(parameter.size, "byte"), argument.size));
  }
}

LaunchMemory::LaunchMemory(const ir::KernelShape& shape, const LaunchRequest& request,
                           int descriptor, std::size_t groups)
    : own_(std::make_unique<Arena>(space_for(shape, request, groups))), arena(*own_),
      groups_(groups) {
  for (Group& group : groups_)
    group.block.resize(shape.arguments_size / sizeof(Block) + 1);
  for (std::size_t i = 0; i < shape.parameters.size(); ++i)
    set(shape.parameters[i], request.arguments[i], descriptor);
  nowhere = arena.allocate("", kNowhere);
  for (const ir::Object& object : shape.objects)
    if (object.kind == ir::Object::Kind::LocalVariable ||
        object.kind == ir::Object::Kind::ProgramVariable)
      for (Group& group : groups_) {
        const std::size_t size = object.size_in_launch(request.shared_bytes);
        if (const auto there = request.placed_variables.find(object.name);
            object.kind == ir::Object::Kind::ProgramVariable &&
            there != request.placed_variables.end()) {
          arena.add({object.name, there->second, size});
          group.objects.push_back(placed(arena.regions().back()));
          continue;
        }
        const Region region = arena.allocate(object.name, size);
        group.objects.push_back(placed(region));
        if (object.kind == ir::Object::Kind::ProgramVariable) {
          variables_[object.name] = group.objects.back();
          placed_.insert(object.name);
        }
      }
  if (shape.written_images && !shape.enqueues)
    note_read_images(shape);
}

void LaunchMemory::note_read_images(const ir::KernelShape& shape) {
  std::vector<std::span<const std::byte>> memory; // by argument; of buffers and images
  auto image = images_.begin();
  for (unsigned i = 0; i < shape.parameters.size(); ++i)
    memory.push_back(shape.parameters[i].kind == ir::Parameter::Kind::Image
                         ? pixels_of(*image++)
                         : std::span<const std::byte>(buffers[i].begin, buffers[i].size));
  image = images_.begin();
  for (unsigned i = 0; i < shape.parameters.size(); ++i) {
    if (shape.parameters[i].kind != ir::Parameter::Kind::Image)
      continue;
    image->written = false;
    for (unsigned other = 0; other < shape.parameters.size(); ++other)
      if (shape.written_images->contains(other) ||
          (shape.parameters[other].kind == ir::Parameter::Kind::Buffer &&
           !shape.parameters[other].constant))
        image->written = image->written || overlap(memory[i], memory[other]);
    ++image;
  }
}

LaunchMemory::LaunchMemory(const ir::KernelShape& shape, const EnqueuedBlock& block,
                           std::span<const std::size_t> shared, LaunchMemory& family)
    : arena(family.arena), nowhere(family.nowhere), groups_(1) {
  for (const ir::Object& object : shape.objects)
    if (object.kind == ir::Object::Kind::ProgramVariable &&
        !family.variables_.contains(object.name)) {
      family.variables_[object.name] = placed(arena.allocate(object.name, object.size));
      placed_.insert(object.name);
    }
  before_ = arena.mark();
  Group& group = groups_.front();
  group.block.resize(shape.arguments_size / sizeof(Block) + 1);
  const std::size_t own = block.local_bytes.size() + 1; // the others are the family's
  for (const ir::Object& object : shape.objects) {
    switch (object.kind) {
    case ir::Object::Kind::ProgramVariable:
      group.objects.push_back(family.variables_.at(object.name));
      break;
    case ir::Object::Kind::LocalVariable:
      group.objects.push_back(placed(arena.allocate(object.name, object.size)));
      break;
    case ir::Object::Kind::Argument: {
      if (object.parameter >= own) {
        group.objects.push_back(family.groups_.front().objects[shared[object.parameter - own]]);
        break;
      }
      const Region region = arena.allocate(
          object.name,
          object.parameter == 0 ? block.captured.size() : block.local_bytes[object.parameter - 1]);
      if (object.parameter == 0)
        std::ranges::copy(block.captured, region.begin);
      group.objects.push_back(placed(region));
      std::memcpy(reinterpret_cast<std::byte*>(group.block.data()) +
                      shape.parameters[object.parameter].offset,
                  static_cast<const void*>(&region.begin), sizeof region.begin);
      break;
    }
    case ir::Object::Kind::PrivateVariable: // numbers are those of the shape
    case ir::Object::Kind::Constant:
      group.objects.push_back({});
      break;
    }
  }
}

LaunchMemory::~LaunchMemory() {
  if (before_)
    arena.release(*before_);
}

void LaunchMemory::place_variables(const ir::KernelShape& shape,
                                   const ProgramVariables& variables) {
  const auto& objects = groups_.front().objects;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    if (shape.objects[i].kind != ir::Object::Kind::ProgramVariable ||
        !placed_.contains(shape.objects[i].name))
      continue;
    place_initial_value(shape, objects, i);
    if (const auto known = variables.find(shape.objects[i].name); known != variables.end()) {
      std::ranges::copy(known->second.bytes, reinterpret_cast<std::byte*>(objects[i].begin));
      set_pointers(shape, objects, i, known->second.pointers);
    }
  }
}

void LaunchMemory::keep_variables(const ir::KernelShape& shape, ProgramVariables& variables) {
  const auto& objects = groups_.front().objects;
  for (std::size_t i = 0; i < objects.size(); ++i)
    if (const ir::Object& object = shape.objects[i];
        object.kind == ir::Object::Kind::ProgramVariable) {
      const auto* const begin = reinterpret_cast<const std::byte*>(objects[i].begin);
      variables[object.name] = {.bytes = {begin, begin + object.size},
                                .pointers = pointers_of(shape, objects, i)};
    }
}

void LaunchMemory::fill_local(const ir::KernelShape& shape, std::uint8_t byte) {
  for (const Group& group : groups_)
    for (std::size_t i = 0; i < group.objects.size(); ++i)
      if (const auto& object = group.objects[i]; shape.is_local(shape.objects[i]) && object.begin)
        std::memset(object.begin, byte, object.size);
}

void LaunchMemory::set(const ir::Parameter& parameter, const ArgumentData& argument,
                       int descriptor) {
  const auto set_bytes = [&](Group& group, const void* bytes, std::size_t size) {
    std::memcpy(reinterpret_cast<std::byte*>(group.block.data()) + parameter.offset, bytes, size);
  };
  const auto set_pointer = [&](Group& group, const void* pointer) {
    set_bytes(group, static_cast<const void*>(&pointer), sizeof pointer);
  };
  const bool reads = argument.access != BufferAccess::WriteOnly;
  const bool writes = argument.access != BufferAccess::ReadOnly && !parameter.constant;
  const auto set_region = [&](Group& group, const Region& region) {
    set_pointer(group, region.begin);
    group.objects.push_back({reinterpret_cast<gputest_u8*>(region.begin), reads ? region.size : 0,
                             writes ? region.size : 0});
  };
  const auto content = [&] {
    if (argument.placed) {
      arena.add({argument.name, argument.placed, argument.size});
      return arena.regions().back();
    }
    return arena.map(argument.name, descriptor, argument.offset, argument.size);
  };
  buffers.emplace_back();
  switch (argument.kind) {
  case ir::Parameter::Kind::Value: {
    const Region region = content();
    for (Group& group : groups_)
      set_bytes(group, region.begin, argument.size);
    return;
  }
  case ir::Parameter::Kind::Buffer:
    buffers.back() = argument.null ? Region{argument.name, nullptr, 0} : content();
    for (Group& group : groups_)
      set_region(group, buffers.back());
    return;
  case ir::Parameter::Kind::Local:
    for (Group& group : groups_)
      set_region(group, argument.null ? Region{argument.name, nullptr, 0}
                                      : arena.allocate(argument.name, argument.size));
    return;
  case ir::Parameter::Kind::Image: {
    const auto image = images_.emplace(images_.end(), argument.image);
    complete(*image, argument.size, argument.name);
    image->pixels = content().begin;
    for (Group& group : groups_)
      set_pointer(group, &*image);
    return;
  }
  case ir::Parameter::Kind::Sampler:
    for (Group& group : groups_)
      set_pointer(group, reinterpret_cast<const void*>(std::uintptr_t{argument.sampler}));
    return;
  }
}

} // namespace gputest::simulator
