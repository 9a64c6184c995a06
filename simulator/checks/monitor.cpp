#include "simulator/checks/monitor.h"

#include "ir/error.h"
#include "simulator/execute/ndrange.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace gputest::simulator {
namespace {

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
      nowhere_(nowhere) {
  if (shape.uninitialized)
    definedness_.emplace();
  if (shape.races)
    races_.emplace(shape, dimensions, context, arena, nowhere, findings_);
  if (shape.copies)
    copies_.emplace(shape, dimensions, context, arena, findings_, races_ ? &*races_ : nullptr,
                    shape.uninitialized);
}

void Monitor::begin_group() {
  if (definedness_)
    for (std::size_t i = 0; i < context_.object_count; ++i)
      if (const Object& object = shape_.objects[i];
          object.kind == Object::Kind::LocalVariable ||
          shape_.parameters[object.parameter].kind == Parameter::Kind::Local)
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
  if (std::ranges::any_of(statuses, [&](std::uint32_t status) { return status != statuses[0]; }))
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

std::byte* Monitor::outside(const std::byte* at, std::uint64_t size, const std::byte* begin,
                            std::uint64_t length, unsigned object, unsigned site, bool write) {
  std::memset(nowhere_.begin, 0, std::min<std::size_t>(size, nowhere_.size));
  if (Finding* const finding = findings_.add("out_of_bounds", site, object * 2 + write)) {
    std::string where;
    if (reinterpret_cast<std::uintptr_t>(at) < 65536) {
      finding->kind = "null_pointer";
      where = "through a null pointer";
    } else if (object < shape_.objects.size()) {
      const auto offset = at - begin;
      where = fmt::format("{} '{}', which has {} bytes",
                          offset < 0 ? fmt::format("{} bytes before", -offset)
                                     : fmt::format("at byte {} of", offset),
                          shape_.objects[object].name, length);
    } else {
      const Region* const region = arena_.near(at);
      where = region ? fmt::format("at byte {} of '{}', which has {} bytes", at - region->begin,
                                   region->name, region->size)
                     : std::string("where no buffer is");
    }
    finding->message =
        fmt::format("{} {} {} bytes {}", running_item(), write ? "writes" : "reads", size, where);
  }
  return nowhere_.begin;
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
  static constexpr std::array<std::array<const char*, 2>, 3> kFaults{
      {{"division_by_zero", "divides an integer by zero"},
       {"shift", "shifts by at least the width of the type"},
       {"overflow", "computes a signed integer that its type cannot hold"}}};
  const auto& [kind, text] = kFaults.at(fault);
  if (Finding* const finding = findings_.add(kind, site, 0))
    finding->message = fmt::format("{} {}", running_item(), text);
}

} // namespace gputest::simulator
