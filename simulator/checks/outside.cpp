// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/checks/outside.h"

#include "model/text/plural.h"
#include "simulator/checks/definedness_memory.h"
#include "simulator/memory/ndrange.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <vector>

namespace gputest::simulator {
namespace {

constexpr unsigned kNoObject = ~0U;

bool is_null_argument(const ir::KernelShape& shape, const gputest_context& context, unsigned i) {
  return i < context.object_count && shape.objects[i].kind == ir::Object::Kind::Argument &&
         !context.objects[i].begin;
}

} // namespace

std::string null_arguments(const ir::KernelShape& shape, const gputest_context& context) {
  std::vector<std::string> names;
  for (unsigned i = 0; i < context.object_count; ++i)
    if (is_null_argument(shape, context, i))
      names.push_back(fmt::format("'{}'", shape.objects[i].name));
  if (names.empty())
    return {};
  return fmt::format("; the argument{} {} {} null", names.size() == 1 ? "" : "s",
                     fmt::join(names, ", "), names.size() == 1 ? "is" : "are");
}

BoundsWatch::BoundsWatch(const WatchedLaunch& launch)
    : shape_(launch.shape), dimensions_(launch.dimensions), context_(launch.context),
      arena_(launch.arena), findings_(launch.findings), extents_(launch.extents),
      nowhere_(launch.nowhere) {
  for (unsigned i = 0; i < context_.object_count; ++i)
    if (const std::uint64_t whole = whole_of(i); allowed_part(i) != whole)
      denying_.push_back({i, whole});
}

std::string BoundsWatch::running_item() const {
  return text_of(simulator::running_item(context_), dimensions_);
}

void BoundsWatch::note_extent(const std::byte* at, std::uint64_t size, unsigned object) {
  if (object >= extents_.size()) { // the object next to it
    const Region* const region = arena_.near(at);
    for (unsigned i = 0; region && i < extents_.size(); ++i)
      if (reinterpret_cast<const std::byte*>(context_.objects[i].begin) == region->begin)
        object = i;
    if (object >= extents_.size())
      return;
  }
  const auto begin = at - reinterpret_cast<const std::byte*>(context_.objects[object].begin);
  extents_[object].begin = std::min<std::int64_t>(extents_[object].begin, begin);
  extents_[object].end =
      std::max<std::int64_t>(extents_[object].end, begin + static_cast<std::int64_t>(size));
}

std::byte* BoundsWatch::outside(std::byte* at, std::uint64_t size, const std::byte* begin,
                                std::uint64_t length, unsigned object, unsigned site, bool write,
                                bool member) {
  if (!member)
    note_extent(at, size, object);
  if (const Region* const constant = write && !member ? constant_at(at, size) : nullptr) {
    if (Finding* const finding = findings_.add("write_to_read_only", site, kNoObject))
      finding->message = fmt::format("{} writes {} of '{}', which is constant", running_item(),
                                     model::plural(size, "byte"), constant->name);
  } else if (const unsigned denying = member ? kNoObject : denying_object(at, size, object, write);
             denying != kNoObject) {
    if (Finding* const finding =
            findings_.add(write ? "write_to_read_only" : "read_of_write_only", site, denying)) {
      finding->object = shape_.objects[denying].name;
      finding->message =
          fmt::format("{} {} {} of '{}', {}", running_item(), write ? "writes" : "reads",
                      model::plural(size, "byte"), finding->object, why_denied(denying, write));
    }
    if (shape_.objects[denying].kind == ir::Object::Kind::Argument)
      return at;
  } else if (Finding* const finding =
                 findings_.add("out_of_bounds", site, object * 4 + (member ? 2U : 0U) + write)) {
    const bool null = is_through_null(at, object);
    if (null)
      finding->kind = "null_pointer";
    if (!null || is_null_argument(shape_, context_, object))
      finding->object = name_of(object, at);
    finding->message =
        fmt::format("{} {} {} {}", running_item(), write ? "writes" : "reads",
                    model::plural(size, "byte"), where_outside(at, begin, length, object, member));
  }
  const std::size_t used = std::min<std::size_t>(size, nowhere_.size);
  std::memset(nowhere_.begin, 0, used);
  if (shape_.uninitialized)
    DefinednessMemory::define(nowhere_.begin, used);
  return nowhere_.begin;
}

unsigned BoundsWatch::denying_object(const std::byte* at, std::uint64_t size, unsigned object,
                                     bool write) const {
  if (object < shape_.objects.size() && shape_.objects[object].kind == ir::Object::Kind::Constant)
    return write ? object : kNoObject;
  for (const auto& [i, whole] : denying_) {
    if (object != i && object != kNoObject)
      continue;
    const auto offset = static_cast<std::uint64_t>(
        at - reinterpret_cast<const std::byte*>(context_.objects[i].begin));
    if (offset <= whole && whole - offset >= size)
      return i;
  }
  return kNoObject;
}

std::uint64_t BoundsWatch::allowed_part(unsigned object) const {
  return std::min(context_.objects[object].size, context_.objects[object].writable);
}

// An object that may be neither read nor written has two sizes of 0: a write-only buffer behind a
// pointer to const.
std::uint64_t BoundsWatch::whole_of(unsigned object) const {
  const auto& placed = context_.objects[object];
  const std::uint64_t allowed = std::max(placed.size, placed.writable);
  if (allowed != 0 || !placed.begin)
    return allowed;
  const Region* const region = arena_.near(placed.begin);
  return region && region->begin == reinterpret_cast<const std::byte*>(placed.begin) ? region->size
                                                                                     : 0;
}

// CUDA: the __constant__ variable in which the access is; null: none.
const Region* BoundsWatch::constant_at(const std::byte* at, std::uint64_t size) const {
  const Region* const region = arena_.near(at);
  const bool inside = region && region->constant && at >= region->begin &&
                      static_cast<std::size_t>(at - region->begin) <= region->size &&
                      region->size - static_cast<std::size_t>(at - region->begin) >= size;
  return inside ? region : nullptr;
}

bool BoundsWatch::is_through_null(const std::byte* at, unsigned object) const {
  return is_null(at) || is_null_argument(shape_, context_, object);
}

std::string BoundsWatch::name_of(unsigned object, const std::byte* at) const {
  const Region* const region = object < shape_.objects.size() ? nullptr : arena_.near(at);
  return object < shape_.objects.size() ? shape_.objects[object].name : region ? region->name : "";
}

std::string BoundsWatch::where_outside(const std::byte* at, const std::byte* begin,
                                       std::uint64_t length, unsigned object, bool member) const {
  if (is_null_argument(shape_, context_, object))
    return fmt::format("through a null pointer, the argument '{}'", shape_.objects[object].name);
  if (is_null(at))
    return "through a null pointer" + null_arguments(shape_, context_);
  const Region* const region = arena_.near(at);
  if (object < context_.object_count) // the part that allows this access may be smaller
    length = member ? length : whole_of(object);
  if (object >= shape_.objects.size() && !member)
    return region ? fmt::format("at byte {} of '{}', which has {}", at - region->begin,
                                region->name, model::plural(region->size, "byte"))
                  : std::string("where no buffer is");
  const std::string name = object < shape_.objects.size()
                               ? fmt::format("'{}'", shape_.objects[object].name)
                               : std::string("an object");
  const auto offset = at - begin;
  return fmt::format("{} {}{}, which has {}",
                     offset < 0 ? fmt::format("{} before", model::plural(-offset, "byte"))
                                : fmt::format("at byte {} of", offset),
                     member ? "an array within " : "", name, model::plural(length, "byte"));
}

std::string BoundsWatch::why_denied(unsigned object, bool write) const {
  const ir::Object& denying = shape_.objects[object];
  if (denying.kind == ir::Object::Kind::Constant)
    return "which is constant";
  if (write && shape_.parameters[denying.parameter].constant)
    return "which the kernel declares const";
  return write ? "which the host has made CL_MEM_READ_ONLY"
               : "which the host has made CL_MEM_WRITE_ONLY";
}

void BoundsWatch::misaligned(const std::byte* at, std::uint64_t alignment, unsigned site,
                             bool write) {
  Finding* const finding = findings_.add("misaligned", site, write);
  if (!finding)
    return;
  const Region* const region = arena_.near(at);
  finding->message =
      fmt::format("{} {} {}, where only multiples of {} are aligned as the type needs",
                  running_item(), write ? "writes" : "reads",
                  region ? fmt::format("byte {} of '{}'", at - region->begin, region->name)
                         : std::string("memory"),
                  alignment);
}

} // namespace gputest::simulator
