#include "simulator/checks/monitor.h"

#include "ir/error.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <sys/mman.h>

namespace gputest::simulator {
namespace {

constexpr std::uint64_t kAtomic = 2, kSeveral = 1;

// The site in a barrier's status (simulator/execute/coroutine.cpp).
unsigned site_of_status(std::uint32_t status) {
  return (status & 0x0fffffff) - 1;
}
unsigned flags_of_status(std::uint32_t status) {
  return status >> 28;
}

std::string place_text(const Site& site) {
  return site.line == 0 ? "an unknown place"
                        : fmt::format("{}:{}:{}", site.file, site.line, site.column);
}

} // namespace

Monitor::Monitor(const KernelShape& shape, unsigned dimensions, gputest_context& context,
                 const Arena& arena, const Region& nowhere)
    : shape_(shape), dimensions_(dimensions), context_(context), arena_(arena),
      layout_{shape.cell / 2, shape.item_bits, shape.site_bits}, nowhere_(nowhere) {
  if (shape.uninitialized)
    definedness_.emplace();
  if (!shape.races)
    return;
  // Cells of bytes that nobody touches take no memory. A narrow mark is read with two bytes more.
  shadow_size_ = arena.space() / shape.grain * shape.cell + 16;
  void* const shadow = ::mmap(nullptr, shadow_size_, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (shadow == MAP_FAILED)
    throw SimulatorFailure(fmt::format("cannot reserve {} bytes for the marks of races: {}",
                                       shadow_size_, std::strerror(errno)));
  shadow_ = static_cast<std::byte*>(shadow);
  context.arena = reinterpret_cast<gputest_u8*>(arena.begin());
  context.shadow = reinterpret_cast<gputest_u8*>(shadow_);
}

Monitor::~Monitor() {
  if (shadow_)
    ::munmap(shadow_, shadow_size_);
}

std::byte* Monitor::shadow_of(const std::byte* at) const {
  return shadow_ + static_cast<std::size_t>(at - arena_.begin()) / shape_.grain * shape_.cell;
}

std::uint64_t Monitor::mark_at(const std::byte* cell, bool read) const {
  std::uint64_t mark = 0;
  const std::size_t bytes = layout_.bytes;
  std::memcpy(&mark, cell + (read ? bytes : 0), bytes);
  return mark;
}

// Epochs have run out: what other groups did becomes the first epoch, which no group has, and what
// this group did the second, ordered before whatever it does from now on.
void Monitor::forget_epochs() {
  const std::uint64_t first = std::uint64_t{1} << layout_.epoch_shift(), below = first - 1;
  const std::size_t bytes = layout_.bytes;
  for (const Region& region : arena_.regions()) {
    std::byte* const end = shadow_of(region.begin + region.size);
    for (std::byte* at = shadow_of(region.begin); at < end; at += bytes) {
      std::uint64_t mark = 0;
      std::memcpy(&mark, at, bytes);
      if (mark == 0)
        continue;
      mark = (mark & below) | (mark < context_.group_start ? first : 2 * first);
      std::memcpy(at, &mark, bytes);
    }
  }
  epoch_ = 2;
  group_of_epoch_ = {0, ~std::uint64_t{0}, group_of_epoch_.back()};
  context_.group_start = 2 * first;
  context_.local_start = context_.global_start = 3 * first;
}

void Monitor::next_epoch() {
  if (shape_.races && epoch_ + 1 == std::uint64_t{1} << layout_.epoch_bits())
    forget_epochs();
  ++epoch_;
}

void Monitor::begin_group() {
  if (definedness_)
    for (std::size_t i = 0; i < context_.object_count; ++i)
      if (const Object& object = shape_.objects[i];
          object.kind == Object::Kind::LocalVariable ||
          shape_.parameters[object.parameter].kind == Parameter::Kind::Local)
        DefinednessMemory::forget(context_.objects[i].begin, context_.objects[i].size);
  next_epoch();
  group_of_epoch_.push_back((context_.group_id[2] * context_.num_groups[1] + context_.group_id[1]) *
                                context_.num_groups[0] +
                            context_.group_id[0]);
  context_.now = epoch_ << layout_.epoch_shift();
  context_.group_start = context_.local_start = context_.global_start = context_.now;
}

int Monitor::turn() {
  const std::uint64_t items =
      context_.local_size[0] * context_.local_size[1] * context_.local_size[2];
  const std::span statuses(context_.statuses, items);
  if (std::ranges::any_of(statuses, [&](std::uint32_t status) { return status != statuses[0]; }))
    report_divergence();
  unsigned flags = 3;
  for (const std::uint32_t status : statuses)
    if (status != 0)
      flags &= flags_of_status(status);
  const std::uint64_t group = group_of_epoch_.back();
  next_epoch();
  group_of_epoch_.push_back(group);
  context_.now = epoch_ << layout_.epoch_shift();
  if (flags & 1)
    context_.local_start = context_.now;
  if (flags & 2)
    context_.global_start = context_.now;
  return 1;
}

std::vector<Finding> Monitor::findings() const {
  std::vector<Finding> all;
  for (const auto& [key, index] : known_) { // a pair of places that has a worse race as well
    const auto& [kind, first, second] = key;
    if (kind == "race_same_value" && known_.contains({"race", first, second}))
      continue;
    all.push_back(findings_[index]);
    all.back().order = index;
  }
  std::ranges::sort(all, {}, &Finding::order);
  return all;
}

WorkItem Monitor::running_item() const {
  WorkItem item;
  for (unsigned i = 0; i < 3; ++i)
    item.group[i] = context_.group_id[i];
  const std::uint64_t width = context_.local_size[0], height = context_.local_size[1];
  item.local = {context_.item % width, context_.item / width % height,
                context_.item / (width * height)};
  return item;
}

WorkItem Monitor::item_of(std::uint64_t mark) const {
  const std::uint64_t epoch = mark >> layout_.epoch_shift();
  const std::uint64_t index =
      (mark >> layout_.item_shift()) & ((std::uint64_t{1} << layout_.item_bits) - 1);
  const std::uint64_t group = group_of_epoch_.at(epoch);
  WorkItem item;
  const std::uint64_t across = context_.num_groups[0], down = context_.num_groups[1];
  item.group = {group % across, group / across % down, group / (across * down)};
  std::array<std::uint64_t, 2> size{};
  for (unsigned i = 0; i < 2; ++i) // the last group of a dimension may be smaller
    size[i] = std::min(context_.enqueued_local_size[i],
                       context_.global_size[i] - item.group[i] * context_.enqueued_local_size[i]);
  item.local = {index % size[0], index / size[0] % size[1], index / (size[0] * size[1])};
  return item;
}

Finding* Monitor::add(const std::string& kind, unsigned site, unsigned detail) {
  const auto [known, is_new] = known_.try_emplace({kind, site, detail}, findings_.size());
  if (!is_new) {
    ++findings_[known->second].count;
    return nullptr;
  }
  if (findings_.size() == kMost) {
    known_.erase(known);
    return nullptr;
  }
  findings_.push_back({.kind = kind, .site = shape_.sites.at(site), .message = {}});
  return &findings_.back();
}

void Monitor::race(const std::byte* at, std::uint64_t size, unsigned site, bool local, bool atomic,
                   bool write, const std::byte* value) {
  if (at >= nowhere_.begin && at < nowhere_.begin + nowhere_.size)
    return;
  const std::uint64_t mine = context_.now | context_.item << layout_.item_shift();
  const std::uint64_t item_mask = ((std::uint64_t{1} << layout_.item_bits) - 1)
                                  << layout_.item_shift();
  const std::uint64_t start = local ? context_.local_start : context_.global_start;
  const auto unordered = [&](std::uint64_t mark) {
    return mark != 0 && !(atomic && (mark & kAtomic)) &&
           ((mark >= start && ((mark ^ mine) & item_mask) != 0) ||
            (!local && mark < context_.group_start));
  };
  const auto has_others = [&](std::uint64_t mark) {
    return (mark & kSeveral) && mark >= start && !(atomic && (mark & kAtomic));
  };
  const bool same_value = write && value && std::memcmp(value, at, size) == 0;
  for (std::uint64_t done = 0; done < size; done += shape_.grain) {
    const std::byte* const cell = shadow_of(at + done);
    const std::uint64_t write_mark = mark_at(cell, false), read_mark = mark_at(cell, true);
    if (unordered(write_mark) || has_others(write_mark))
      report_race(write_mark, true, same_value, at + done, site, write);
    if (write && (unordered(read_mark) || has_others(read_mark)))
      report_race(read_mark, false, false, at + done, site, write);
  }
}

void Monitor::report_race(std::uint64_t mark, bool other_writes, bool same_value,
                          const std::byte* at, unsigned site, bool write) {
  const auto other_site =
      static_cast<unsigned>((mark >> 2) & ((std::uint64_t{1} << layout_.site_bits) - 1));
  // The pair of lines is what is reported, whichever of the two came second.
  const unsigned first = std::min(site, other_site), second = std::max(site, other_site);
  const std::string kind = same_value ? "race_same_value" : "race";
  Finding* const finding = add(kind, first, second);
  if (!finding)
    return;
  const WorkItem mine = running_item(), other = item_of(mark);
  const bool between_groups = mine.group != other.group;
  const std::string who = (mark & kSeveral) && !between_groups && mine.local == other.local
                              ? "another work-item of the group"
                          : group_of_epoch_.at(mark >> layout_.epoch_shift()) == ~std::uint64_t{0}
                              ? "a work-item of another group"
                              : name_of(other);
  const Region* const region = arena_.near(at);
  finding->site = shape_.sites.at(site);
  finding->other = shape_.sites.at(other_site);
  finding->message = fmt::format(
      "{} on byte {} of '{}', {}: {} {} here, and {} {} at {}; nothing orders the two{}",
      same_value ? "data race, in which both write the same," : "data race",
      region ? at - region->begin : 0, region ? region->name : "?",
      between_groups ? "between work-groups" : "within a work-group", name_of(mine),
      write ? "writes" : "reads", who, other_writes ? "writes" : "reads",
      place_text(finding->other), (mark & kAtomic) ? " (only that one is atomic)" : "");
}

void Monitor::report_divergence() {
  const std::uint64_t items =
      context_.local_size[0] * context_.local_size[1] * context_.local_size[2];
  std::map<std::uint32_t, std::vector<std::uint64_t>> waiting; // by status
  for (std::uint64_t i = 0; i < items; ++i)
    waiting[context_.statuses[i]].push_back(i);
  const auto item_named = [&](std::uint64_t index) {
    context_.item = index;
    return text_of(running_item().local, dimensions_);
  };
  const std::vector<std::uint64_t> left =
      waiting.contains(0) ? waiting[0] : std::vector<std::uint64_t>();
  waiting.erase(0);
  const std::uint32_t first = waiting.begin()->first;
  const unsigned other = waiting.size() > 1 ? site_of_status(std::next(waiting.begin())->first)
                                            : static_cast<unsigned>(shape_.sites.size());
  Finding* const finding = add("divergent_barrier", site_of_status(first), other);
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
  finding->message = fmt::format("barrier is not reached by all work-items of group {}: {}",
                                 text_of(running_item().group, dimensions_), text);
}

std::byte* Monitor::outside(const std::byte* at, std::uint64_t size, const std::byte* begin,
                            std::uint64_t length, unsigned object, unsigned site, bool write) {
  std::memset(nowhere_.begin, 0, std::min<std::size_t>(size, nowhere_.size));
  if (Finding* const finding = add("out_of_bounds", site, object * 2 + write)) {
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
    finding->message = fmt::format("{} {} {} bytes {}", name_of(running_item()),
                                   write ? "writes" : "reads", size, where);
  }
  return nowhere_.begin;
}

void Monitor::misaligned(const std::byte* at, std::uint64_t alignment, unsigned site, bool write) {
  Finding* const finding = add("misaligned", site, write);
  if (!finding)
    return;
  const Region* const region = arena_.near(at);
  finding->message =
      fmt::format("{} {} {}, where only multiples of {} are aligned as the type needs",
                  name_of(running_item()), write ? "writes" : "reads",
                  region ? fmt::format("byte {} of '{}'", at - region->begin, region->name)
                         : std::string("memory"),
                  alignment);
}

void Monitor::uninitialized(unsigned site) {
  if (Finding* const finding = add("uninitialized", site, 0))
    finding->message =
        fmt::format("{} uses a value here that nobody has written: it decides what comes next, is "
                    "part of an address, or is stored to global memory",
                    name_of(running_item()));
}

void Monitor::arithmetic(unsigned site, unsigned fault) {
  static constexpr std::array<std::array<const char*, 2>, 3> kFaults{
      {{"division_by_zero", "divides an integer by zero"},
       {"shift", "shifts by at least the width of the type"},
       {"overflow", "computes a signed integer that its type cannot hold"}}};
  const auto& [kind, text] = kFaults.at(fault);
  if (Finding* const finding = add(kind, site, 0))
    finding->message = fmt::format("{} {}", name_of(running_item()), text);
}

std::string text_of(const std::array<std::uint64_t, 3>& place, unsigned dimensions) {
  return fmt::format("({})", fmt::join(std::span(place).first(dimensions), ", "));
}

std::string text_of(const WorkItem& item, unsigned dimensions) {
  return fmt::format("work-item {} of group {}", text_of(item.local, dimensions),
                     text_of(item.group, dimensions));
}

} // namespace gputest::simulator
