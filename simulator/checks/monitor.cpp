#include "simulator/checks/monitor.h"

#include "ir/error.h"
#include "simulator/execute/ndrange.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <fmt/format.h>

namespace gputest::simulator {
namespace {

constexpr unsigned kNoObject = ~0U;

// The site in a barrier's status (simulator/execute/coroutine.cpp).
unsigned site_of_status(std::uint32_t status) {
  return (status & 0x0fffffff) - 1;
}
unsigned flags_of_status(std::uint32_t status) {
  return status >> 28;
}

} // namespace

Monitor::Monitor(const KernelShape& shape, unsigned dimensions, gputest_context& context,
                 const Arena& arena, const Region& nowhere)
    : shape_(shape), dimensions_(dimensions), context_(context), arena_(arena), findings_(shape),
      extents_(context.object_count), nowhere_(nowhere) {
  for (std::size_t i = 0; i < context.object_count; ++i)
    denies_ = denies_ || context.objects[i].size != context.objects[i].writable;
  if (shape.uninitialized && shape.language == Language::OpenCL) // CUDA's memory outlives launches
    definedness_.emplace();
  if (shape.races)
    races_.emplace(shape, dimensions, context, arena, nowhere, findings_);
  if (shape.copies)
    copies_.emplace(shape, dimensions, context, arena, findings_, races_ ? &*races_ : nullptr,
                    shape.uninitialized);
}

void Monitor::begin_group() {
  if (shape_.uninitialized)
    for (std::size_t i = 0; i < context_.object_count; ++i)
      if (const Object& object = shape_.objects[i];
          object.kind == Object::Kind::LocalVariable ||
          (object.kind == Object::Kind::Argument &&
           shape_.parameters[object.parameter].kind == Parameter::Kind::Local))
        DefinednessMemory::forget(context_.objects[i].begin, context_.objects[i].size);
  if (races_)
    races_->begin_group();
  if (copies_)
    copies_->begin_group();
}

void Monitor::end_group() {
  if (copies_)
    copies_->end_group();
}

void Monitor::pixel(const std::byte* at, std::size_t size, bool write) {
  races_->access(at, size, pixel_site_, write);
}

int Monitor::turn() {
  const std::uint64_t items =
      context_.local_size[0] * context_.local_size[1] * context_.local_size[2];
  const std::span statuses(context_.statuses, items);
  // Threads of CUDA that have left the kernel are not waited for (CUDA C++ Programming Guide,
  // "Independent Thread Scheduling").
  const auto first = shape_.language == Language::Cuda
                         ? std::ranges::find_if(statuses, [](auto status) { return status != 0; })
                         : statuses.begin();
  if (first != statuses.end() && std::ranges::any_of(statuses, [&](std::uint32_t status) {
        return status != *first && (status != 0 || shape_.language == Language::OpenCL);
      }))
    report_divergence();
  unsigned flags = 3, site = 0;
  for (const std::uint32_t status : statuses)
    if (status != 0) {
      flags &= flags_of_status(status);
      site = site_of_status(status);
    }
  if (races_)
    races_->pass_barrier(site, flags);
  if (copies_)
    copies_->meet();
  return 1;
}

void Monitor::warp_met(std::uint64_t first, std::uint32_t lanes) {
  if (races_)
    races_->pass_warp(first, lanes);
}

void Monitor::warp_stuck(std::uint64_t first, std::uint32_t lanes) {
  const std::uint64_t item = first + static_cast<unsigned>(std::countr_zero(lanes));
  const gputest_slot& slot = context_.slots[item];
  Finding* const finding = findings_.add("divergent_warp", slot.site, 0);
  if (!finding)
    return;
  context_.item = item;
  finding->message = fmt::format(
      "{} waits here for the threads {:#010x} of its warp, and not all of them come here with this "
      "mask",
      running_item(), slot.mask);
}

std::string Monitor::running_item() const {
  return text_of(simulator::running_item(context_), dimensions_);
}

void Monitor::race(const std::byte* at, std::uint64_t size, unsigned site, bool local, bool atomic,
                   bool write, const std::byte* value) {
  races_->report(at, size, site, local, atomic, write, value);
}

void Monitor::report_divergence() {
  const std::uint64_t items =
      context_.local_size[0] * context_.local_size[1] * context_.local_size[2];
  std::map<std::uint32_t, std::vector<std::uint64_t>> waiting; // by status
  for (std::uint64_t i = 0; i < items; ++i)
    waiting[context_.statuses[i]].push_back(i);
  const auto item_named = [&](std::uint64_t index) {
    context_.item = index;
    return text_of(simulator::running_item(context_).local, dimensions_);
  };
  const std::vector<std::uint64_t> left =
      waiting.contains(0) ? waiting[0] : std::vector<std::uint64_t>();
  waiting.erase(0);
  const std::uint32_t first = waiting.begin()->first;
  const unsigned other = waiting.size() > 1 ? site_of_status(std::next(waiting.begin())->first)
                                            : static_cast<unsigned>(shape_.sites.size());
  Finding* const finding = findings_.add("divergent_barrier", site_of_status(first), other);
  if (!finding)
    return;
  std::string text;
  for (const auto& [status, indices] : waiting) {
    text += fmt::format(
        "{}{} of {} work-items wait {} (first {})", text.empty() ? "" : ", ", indices.size(), items,
        status == first ? "here" : "at " + place_text(shape_.sites.at(site_of_status(status))),
        item_named(indices.front()));
    if (status != first)
      finding->other = shape_.sites.at(site_of_status(status));
  }
  if (!left.empty())
    text +=
        fmt::format(", {} have left the kernel (first {})", left.size(), item_named(left.front()));
  finding->message =
      fmt::format("barrier is not reached by all work-items of group {}: {}",
                  text_of(simulator::running_item(context_).group, dimensions_), text);
}

void Monitor::note_extent(const std::byte* at, std::uint64_t size, unsigned object) {
  if (object >= extents_.size()) { // the one that it is next to
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

std::byte* Monitor::outside(std::byte* at, std::uint64_t size, const std::byte* begin,
                            std::uint64_t length, unsigned object, unsigned site, bool write,
                            bool member) {
  if (!member)
    note_extent(at, size, object);
  if (const unsigned denying = member ? kNoObject : denying_object(at, size, object, write);
      denying != kNoObject) {
    if (Finding* const finding =
            findings_.add(write ? "write_to_read_only" : "read_of_write_only", site, denying))
      finding->message =
          fmt::format("{} {} {} bytes of '{}', {}", running_item(), write ? "writes" : "reads",
                      size, shape_.objects[denying].name, why_denied(denying, write));
    if (shape_.objects[denying].kind == Object::Kind::Argument)
      return at;
  } else if (Finding* const finding =
                 findings_.add("out_of_bounds", site, object * 4 + (member ? 2U : 0U) + write)) {
    if (reinterpret_cast<std::uintptr_t>(at) < 65536)
      finding->kind = "null_pointer";
    finding->message = fmt::format("{} {} {} bytes {}", running_item(), write ? "writes" : "reads",
                                   size, where_outside(at, begin, length, object, member));
  }
  const std::size_t used = std::min<std::size_t>(size, nowhere_.size);
  std::memset(nowhere_.begin, 0, used);
  if (shape_.uninitialized)
    DefinednessMemory::define(nowhere_.begin, used);
  return nowhere_.begin;
}

unsigned Monitor::denying_object(const std::byte* at, std::uint64_t size, unsigned object,
                                 bool write) const {
  if (object < shape_.objects.size() && shape_.objects[object].kind == Object::Kind::Constant)
    return write ? object : kNoObject;
  if (!denies_)
    return kNoObject;
  for (unsigned i = 0; i < context_.object_count; ++i) {
    const auto& placed = context_.objects[i];
    const auto offset =
        static_cast<std::uint64_t>(at - reinterpret_cast<const std::byte*>(placed.begin));
    const std::uint64_t whole = std::max(placed.size, placed.writable);
    if ((object == i || object == kNoObject) && offset <= whole && whole - offset >= size &&
        placed.size != placed.writable)
      return i;
  }
  return kNoObject;
}

std::string Monitor::where_outside(const std::byte* at, const std::byte* begin,
                                   std::uint64_t length, unsigned object, bool member) const {
  if (reinterpret_cast<std::uintptr_t>(at) < 65536)
    return "through a null pointer";
  const Region* const region = arena_.near(at);
  if (object < context_.object_count) // what may be accessed this way may be less
    length = member ? length
                    : std::max(context_.objects[object].size, context_.objects[object].writable);
  if (object >= shape_.objects.size() && !member)
    return region ? fmt::format("at byte {} of '{}', which has {} bytes", at - region->begin,
                                region->name, region->size)
                  : std::string("where no buffer is");
  const std::string name = object < shape_.objects.size()
                               ? fmt::format("'{}'", shape_.objects[object].name)
                               : std::string("an object");
  const auto offset = at - begin;
  return fmt::format("{} {}{}, which has {} bytes",
                     offset < 0 ? fmt::format("{} bytes before", -offset)
                                : fmt::format("at byte {} of", offset),
                     member ? "an array within " : "", name, length);
}

std::string Monitor::why_denied(unsigned object, bool write) const {
  const Object& denying = shape_.objects[object];
  if (denying.kind == Object::Kind::Constant)
    return "which is constant";
  if (write && shape_.parameters[denying.parameter].constant)
    return "which the kernel declares const";
  return write ? "which the host has made CL_MEM_READ_ONLY"
               : "which the host has made CL_MEM_WRITE_ONLY";
}

void Monitor::misaligned(const std::byte* at, std::uint64_t alignment, unsigned site, bool write) {
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

void Monitor::uninitialized(unsigned site) {
  if (Finding* const finding = findings_.add("uninitialized", site, 0))
    finding->message =
        fmt::format("{} uses a value here that nobody has written: it decides what comes next, is "
                    "part of an address, or is stored to global memory",
                    running_item());
}

void Monitor::arithmetic(unsigned site, unsigned fault) {
  static constexpr std::array<std::array<const char*, 2>, 4> kFaults{
      {{"division_by_zero", "divides an integer by zero"},
       {"shift", "shifts by at least the width of the type"},
       {"overflow", "computes a signed integer that its type cannot hold"},
       {"out_of_bounds", "uses a component that the vector does not have"}}};
  const auto& [kind, text] = kFaults.at(fault);
  if (Finding* const finding = findings_.add(kind, site, 0))
    finding->message = fmt::format("{} {}", running_item(), text);
}

} // namespace gputest::simulator
