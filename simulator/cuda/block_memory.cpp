// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/cuda/block_memory.h"

#include "ir/error.h"
#include "model/cuda_environment.h"
#include "simulator/memory/ndrange.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <string_view>

namespace gputest::simulator::cuda {
namespace {

// Whether programs that rely on zeros are to find them.
bool zero_shared() {
  const char* const value = std::getenv(model::kZeroShared);
  return value && std::string_view(value) == "1";
}

std::size_t blocks_at_once(const ir::KernelShape& shape, const Launch& what, bool checked) {
  return shape.in_turns ? std::min<std::size_t>(what.grid[0] * what.grid[1] * what.grid[2],
                                                checked ? kMostCheckedPlaces : kMostPlaces)
                        : 1;
}

std::size_t own_space(const ir::KernelShape& shape, const Launch& what, bool checked) {
  std::size_t space = Arena::space_for(kNowhere);
  const std::size_t blocks = blocks_at_once(shape, what, checked);
  for (const ir::Object& object : shape.objects)
    if (object.kind == ir::Object::Kind::LocalVariable)
      space += blocks * Arena::space_for(object.size_in_launch(what.shared_bytes));
  return space;
}

std::uint64_t pointer_of(const ir::KernelShape& shape, const ir::Object& object,
                         const void* arguments) {
  std::uint64_t pointer = 0;
  std::memcpy(&pointer,
              static_cast<const std::byte*>(arguments) + shape.parameters[object.parameter].offset,
              sizeof pointer);
  return pointer;
}

gputest_context::gputest_object placed(std::byte* begin, std::size_t size, bool constant = false) {
  return {reinterpret_cast<gputest_u8*>(begin), size, constant ? 0 : size};
}

bool is_constant(const gputest_context::gputest_object& variable, const Device& device) {
  const Region* const region = device.allocation(reinterpret_cast<std::uint64_t>(variable.begin));
  return region && region->constant;
}

} // namespace

LaunchRequest request_of(const Launch& what) {
  LaunchRequest request;
  request.sizes.dimensions = 3;
  for (unsigned i = 0; i < 3; ++i) {
    request.sizes.local[i] = what.block[i];
    request.sizes.global[i] = what.grid[i] * what.block[i];
  }
  request.limit = what.limit;
  if (zero_shared())
    request.local_fill = 0;
  return request;
}

std::map<const std::byte*, std::string>
argument_names(const ir::KernelShape& shape, const void* arguments, const Device& device) {
  std::map<const std::byte*, std::string> names;
  for (const ir::Object& object : shape.objects)
    if (object.kind == ir::Object::Kind::Argument)
      if (const Region* const region = device.allocation(pointer_of(shape, object, arguments)))
        names.try_emplace(region->begin, object.name);
  return names;
}

LaunchMemory::LaunchMemory(const Program::Ready& kernel, const Launch& what,
                           const std::map<std::string, std::uint64_t>& variables)
    : shape_(kernel.shape), checked_(kernel.code.checks().any()), shared_bytes_(what.shared_bytes),
      block_(what.block), items_(request_of(what).sizes.items_of_group()),
      most_places_(blocks_at_once(shape_, what, checked_)),
      block_of_arguments_(shape_.arguments_size / 128 + 1) {
  const std::size_t space = own_space(shape_, what, checked_);
  if (checked_)
    place_behind_device(space);
  else
    arena_.emplace(space);
  nowhere_ = arena_->allocate("", kNowhere);
  for (const ir::Object& object : shape_.objects)
    place(object, variables);
  places_.emplace_back(objects_, shape_, items_);
  free_.push_back(&places_.front());
}

// Places memory behind that of waiting launches.
void LaunchMemory::place_behind_device(std::size_t space) {
  constexpr std::size_t kStep = std::size_t{4} << 30, kMost = 16;
  for (std::size_t i = 0;; ++i)
    try {
      arena_.emplace(reinterpret_cast<std::byte*>(kDeviceMemory), kDeviceBytes + i * kStep, space);
      return;
    } catch (const ir::SimulatorFailure&) {
      if (i == kMost)
        throw;
    }
}

bool LaunchMemory::fits(const Launch& what) const {
  return !checked_ && shared_bytes_ == what.shared_bytes && block_ == what.block &&
         most_places_ >= blocks_at_once(shape_, what, checked_) && free_.size() == places_.size();
}

void LaunchMemory::begin(const Launch& what, const Device& device) {
  std::memcpy(block_of_arguments_.data(), what.arguments.data(), shape_.arguments_size);
  for (std::size_t i = 0; checked_ && i < shape_.objects.size(); ++i)
    if (shape_.objects[i].kind == ir::Object::Kind::Argument)
      objects_[i] = pointed_into(shape_.objects[i], device);
    else if (shape_.objects[i].kind == ir::Object::Kind::ProgramVariable)
      objects_[i].writable = is_constant(objects_[i], device) ? 0 : objects_[i].size;
  places_.front().objects = objects_; // checked launches have only this place
  if (checked_)
    name_allocations(device);
  context = context_of(request_of(what));
  context.cooperative = what.cooperative;
  std::ranges::copy(what.cluster, context.cluster);
  places_.front().frames.describe(context);
  context.objects = places_.front().objects.data();
  context.object_count = objects_.size();
  device.describe(context);
  context.beside_memory = checked_ ? arena_->space() - kDeviceBytes : 0;
}

void LaunchMemory::name_allocations(const Device& device) {
  const std::map<const std::byte*, std::string> names =
      argument_names(shape_, block_of_arguments_.data(), device);
  for (const auto& [address, region] : device.allocations()) {
    const auto named = names.find(region.begin);
    arena_->add({named == names.end() ? region.name : named->second, region.begin, region.size,
                 region.constant});
  }
}

BlockPlace* LaunchMemory::take() {
  if (free_.empty()) {
    if (places_.size() >= most_places_)
      return nullptr;
    Objects others = objects_;
    for (const std::size_t object : shared_)
      others[object].begin = reinterpret_cast<gputest_u8*>(
          arena_->allocate(shape_.objects[object].name, others[object].size).begin);
    free_.push_back(&places_.emplace_back(std::move(others), shape_, items_));
  }
  BlockPlace* const place = free_.back();
  free_.pop_back();
  clear(*place);
  return place;
}

void LaunchMemory::clear(BlockPlace& place) {
  for (const std::size_t object : shared_)
    std::memset(place.objects[object].begin, static_cast<int>(context.local_fill),
                place.objects[object].size);
}

LaunchMemory::Placed LaunchMemory::pointed_into(const ir::Object& object,
                                                const Device& device) const {
  const std::uint64_t pointer = pointer_of(shape_, object, block_of_arguments_.data());
  const Region* const region = device.allocation(pointer);
  return region ? placed(region->begin, region->size, region->constant)
                : placed(reinterpret_cast<std::byte*>(pointer), 0);
}

ObjectPlaces LaunchMemory::places(const Device& device) const {
  ObjectPlaces places;
  for (std::size_t i = 0; i < shape_.objects.size(); ++i) {
    const bool is_argument = shape_.objects[i].kind == ir::Object::Kind::Argument;
    const std::uint64_t address =
        is_argument           ? pointer_of(shape_, shape_.objects[i], block_of_arguments_.data())
        : i < objects_.size() ? reinterpret_cast<std::uint64_t>(objects_[i].begin)
                              : 0;
    const Region* const region = device.allocation(address);
    if (address == 0)
      places.push_back(ObjectPlace{.null = true});
    else if (!region)
      places.emplace_back();
    else
      places.push_back(ObjectPlace{.memory = reinterpret_cast<std::uint64_t>(region->begin),
                                   .begin = static_cast<std::int64_t>(
                                       address - reinterpret_cast<std::uint64_t>(region->begin))});
  }
  return places;
}

void LaunchMemory::place(const ir::Object& object,
                         const std::map<std::string, std::uint64_t>& variables) {
  switch (object.kind) {
  case ir::Object::Kind::Argument: // differs between launches
    objects_.emplace_back();
    return;
  case ir::Object::Kind::ProgramVariable: {
    const auto found = variables.find(object.name);
    if (found == variables.end())
      throw ir::SimulatorFailure(fmt::format("the variable '{}' has no place", object.name));
    objects_.push_back(placed(reinterpret_cast<std::byte*>(found->second), object.size));
    return;
  }
  case ir::Object::Kind::LocalVariable: {
    const std::size_t size = object.size_in_launch(shared_bytes_);
    shared_.push_back(objects_.size());
    objects_.push_back(placed(arena_->allocate(object.name, size).begin, size));
    return;
  }
  case ir::Object::Kind::PrivateVariable:
  case ir::Object::Kind::Constant:
    return;
  }
}

} // namespace gputest::simulator::cuda
