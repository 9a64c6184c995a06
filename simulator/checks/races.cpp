#include "simulator/checks/races.h"

#include "ir/error.h"
#include "simulator/checks/monitor.h"
#include "simulator/execute/images.h"
#include "simulator/execute/ndrange.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <string_view>
#include <sys/mman.h>
#include <utility>

namespace gputest::simulator {
namespace {

constexpr unsigned kLocalFence = 1, kGlobalFence = 2; // as CLK_… are

constexpr std::uint64_t kItem = (std::uint64_t{1} << GPUTEST_ITEM_BITS) - 1;

void pixel_accessed(const std::byte* pixel, std::size_t size, bool write) {
  static_cast<Races&>(running_watch("races")).pixel(pixel, size, write);
}

} // namespace

Races::Races(const WatchedLaunch& launch)
    : shape_(launch.shape), dimensions_(launch.dimensions), context_(launch.context),
      arena_(launch.arena), nowhere_(launch.nowhere), findings_(launch.findings),
      layout_{shape_.site_bits, shape_.atomics ? 4u : 2u} {
  // Marks of bytes that nobody touches take no memory.
  others_ = arena_.space() / shape_.grain * layout_.cell();
  shadow_size_ = 2 * others_;
  void* const shadow = ::mmap(nullptr, shadow_size_, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (shadow == MAP_FAILED)
    throw SimulatorFailure(fmt::format("cannot reserve {} bytes for the marks of races: {}",
                                       shadow_size_, std::strerror(errno)));
  shadow_ = static_cast<std::byte*>(shadow);
  context_.arena = reinterpret_cast<gputest_u8*>(arena_.begin());
  context_.shadow = reinterpret_cast<gputest_u8*>(shadow_);
  context_.others = others_;
  if (shape_.pixels)
    watch_pixels(pixel_accessed);
}

Races::~Races() {
  watch_pixels(nullptr);
  ::munmap(shadow_, shadow_size_);
}

std::byte* Races::cell_of(const std::byte* at) const {
  return shadow_ + static_cast<std::size_t>(at - arena_.begin()) / shape_.grain * layout_.cell();
}

std::uint64_t Races::mark_at(const std::byte* at) const {
  std::uint64_t mark = 0;
  std::memcpy(&mark, at, sizeof mark);
  return mark;
}

unsigned Races::site_of(std::uint64_t mark) const {
  return static_cast<unsigned>((mark >> GPUTEST_SITE_SHIFT) &
                               ((std::uint64_t{1} << layout_.site_bits) - 1));
}

std::uint64_t Races::group_of(std::uint64_t mark) const {
  const auto after =
      std::ranges::upper_bound(groups_, mark >> layout_.epoch_shift(), {}, &GroupStart::epoch);
  return std::prev(after)->group;
}

WorkItem Races::item_of(std::uint64_t mark) const {
  return work_item(context_, group_of(mark), mark >> layout_.item_shift() & kItem);
}

// Epochs have run out: what other groups did becomes the first epoch, and what this group did the
// second, ordered before whatever it does from now on.
void Races::forget_epochs() {
  const std::uint64_t first = std::uint64_t{1} << layout_.epoch_shift(), below = first - 1;
  for (const Region& region : arena_.regions())
    for (const std::size_t offset : {std::size_t{0}, others_}) {
      std::byte* const end = cell_of(region.begin + region.size) + offset;
      for (std::byte* at = cell_of(region.begin) + offset; at < end; at += layout_.kMark) {
        std::uint64_t mark = mark_at(at);
        if (mark == 0)
          continue;
        mark = (mark & below) | (mark < context_.group_start ? first : 2 * first);
        std::memcpy(at, &mark, sizeof mark);
      }
    }
  epoch_ = 2;
  groups_ = {{1, kForgotten}, {2, groups_.empty() ? kForgotten : groups_.back().group}};
  passed_.clear();
  context_.group_start = 2 * first;
  context_.local_start = context_.global_start = 3 * first;
}

void Races::next_epoch() {
  if (epoch_ + 1 == std::uint64_t{1} << layout_.epoch_bits())
    forget_epochs();
  context_.now = ++epoch_ << layout_.epoch_shift();
}

// The first epoch of a group is that of its copies, which are ordered before whatever its
// work-items do, unless they are under way.
void Races::begin_group() {
  next_epoch();
  groups_.push_back(
      {epoch_, (context_.group_id[2] * context_.num_groups[1] + context_.group_id[1]) *
                       context_.num_groups[0] +
                   context_.group_id[0]});
  context_.group_start = context_.now;
  next_epoch();
  context_.local_start = context_.global_start = context_.now;
  passed_.clear();
  ordered_by_ = {};
  under_way_.clear();
  meetings_.clear();
  enclose_copies();
}

void Races::pass_barrier(unsigned site, unsigned flags) {
  next_epoch();
  if (flags & kLocalFence) {
    context_.local_start = context_.now;
    ordered_by_[0] = site;
  }
  if (flags & kGlobalFence) {
    context_.global_start = context_.now;
    ordered_by_[1] = site;
  }
  if (flags != (kLocalFence | kGlobalFence))
    passed_[site] = {epoch_, flags};
}

void Races::pass_warp(std::uint64_t first, std::uint32_t lanes) {
  next_epoch();
  meetings_.resize(items_of_group(context_));
  for (unsigned i = 0; i < 32 && first + i < meetings_.size(); ++i)
    if (lanes >> i & 1) {
      auto& [widest, last] = meetings_[first + i];
      last = {lanes, context_.now};
      if ((lanes & widest.lanes) == widest.lanes)
        widest = last;
    }
}

// Everything before is ordered before everything after: no mark counts any more.
void Races::pass_grid() {
  ::madvise(shadow_, shadow_size_, MADV_DONTNEED);
}

// Has this work-item met the one that left the mark since then, in its warp?
bool Races::met_since(std::uint64_t mark, const Access& mine) const {
  const std::uint64_t other = mark >> layout_.item_shift() & kItem,
                      me = mine.mark >> layout_.item_shift() & kItem;
  if (meetings_.empty() || mine.of_copy || other / 32 != me / 32 || me >= meetings_.size() ||
      mark < context_.group_start)
    return false;
  return std::ranges::any_of(meetings_[me], [&](const Meeting& meeting) {
    return (meeting.lanes >> other % 32 & 1) != 0 && mark < meeting.start;
  });
}

bool Races::unordered(std::uint64_t mark, const Access& mine) const {
  if (mark == 0 || met_since(mark, mine))
    return false;
  const std::uint64_t start = mine.local ? context_.local_start : context_.global_start;
  const bool others = mine.of_copy ? items_of_group(context_) > 1
                                   : ((mark ^ mine.mark) & kItem << layout_.item_shift()) != 0;
  return (mark >= start && others) || (!mine.local && mark < context_.group_start);
}

void Races::report(const std::byte* at, std::uint64_t size, unsigned site, bool local, bool atomic,
                   bool write, const std::byte* value) {
  if (at >= nowhere_.begin && at < nowhere_.begin + nowhere_.size)
    return;
  report_access(at, size,
                {.site = site,
                 .local = local,
                 .atomic = atomic,
                 .write = write,
                 .of_copy = false,
                 .mark = context_.now | context_.item << layout_.item_shift(),
                 .value = value},
                context_.item);
}

void Races::report_access(const std::byte* at, std::uint64_t size, const Access& mine,
                          std::uint64_t item) {
  const std::size_t cell = layout_.cell();
  const auto same_marks = [&](const std::byte* place) {
    return std::memcmp(place, place - cell, cell) == 0 &&
           std::memcmp(place + others_, place + others_ - cell, cell) == 0;
  };
  for (std::uint64_t done = 0, end = 0; done < size; done = end) {
    // Bytes that were accessed together are reported together.
    for (end = done + shape_.grain; end < size && same_marks(cell_of(at + end));)
      end += shape_.grain;
    Access part = mine;
    part.value = mine.value ? mine.value + done : nullptr;
    report_bytes(at + done, std::min(size, end) - done, part);
  }
  if (!under_way_.empty())
    report_copies(at, size, mine, item);
}

// Reports a race on bytes with the same marks, with each access that is in conflict: of plain
// writes the last one, or if it is ordered the other one; of what does not conflict among itself
// either of two.
void Races::report_bytes(const std::byte* at, std::uint64_t bytes, const Access& mine) {
  const std::byte* const cell = cell_of(at);
  const std::uint64_t last = mark_at(cell);
  const bool same_value = mine.write && mine.value && std::memcmp(mine.value, at, bytes) == 0;
  const auto other_of = [&](const std::byte* mark) { return mark_at(mark + others_); };
  if (unordered(last, mine)) {
    report_pair(at, mine, last, PlainWrite, same_value);
  } else if (last & GPUTEST_HAS_OTHER) {
    // What it wrote is there still if the last one wrote the same.
    if (const std::uint64_t other = other_of(cell); unordered(other, mine)) {
      const auto [first, second] = std::minmax(site_of(last), site_of(other));
      report_pair(at, mine, other, PlainWrite,
                  same_value &&
                      findings_.index_of("race_same_value", first, second) != Findings::kNone &&
                      findings_.index_of("race", first, second) == Findings::kNone);
    }
  }
  for (unsigned kind = PlainRead; kind < layout_.kinds; ++kind) {
    const bool conflicts = kind == PlainRead     ? mine.write
                           : kind == AtomicWrite ? !mine.atomic
                                                 : !mine.atomic && mine.write;
    if (!conflicts)
      continue;
    const std::byte* const place = cell + kind * layout_.kMark;
    const std::uint64_t mark = mark_at(place);
    if (unordered(mark, mine))
      report_pair(at, mine, mark, static_cast<Kind>(kind), false);
    else if (mark & GPUTEST_HAS_OTHER)
      if (const std::uint64_t other = other_of(place); unordered(other, mine))
        report_pair(at, mine, other, static_cast<Kind>(kind), false);
  }
}

// Null if it was reported before. The pair of places is what is reported, whichever came second.
Finding* Races::add(const char* kind, unsigned site, unsigned other) {
  const auto [first, second] = std::minmax(site, other);
  const std::uint64_t key = std::uint64_t{first} << 32 | std::uint64_t{second} << 1 |
                            (std::string_view(kind) == "race" ? 0 : 1);
  if (key == last_pair_) { // loops race with the same again and again
    findings_.count_again(last_index_);
    return nullptr;
  }
  if (const auto known = pairs_.find(key); known != pairs_.end()) {
    if (known->second != Findings::kNone) {
      last_pair_ = key;
      last_index_ = known->second;
    }
    if (known->second != Findings::kNone)
      findings_.count_again(known->second);
    return nullptr;
  }
  Finding* const finding = findings_.add(kind, first, second);
  pairs_[key] = findings_.index_of(kind, first, second);
  if (finding) {
    finding->site = shape_.sites.at(site);
    finding->other = shape_.sites.at(other);
  }
  return finding;
}

void Races::report_pair(const std::byte* at, const Access& mine, std::uint64_t mark, Kind kind,
                        bool same_value) {
  if (Finding* const finding =
          add(same_value ? "race_same_value" : "race", mine.site, site_of(mark)))
    describe(*finding, at, mine, mark, kind, same_value);
}

std::string Races::name_of(const Access& access) const {
  const WorkItem me = running_item(context_);
  return access.of_copy ? fmt::format("the copy of group {}", text_of(me.group, dimensions_))
                        : text_of(me, dimensions_);
}

void Races::describe(Finding& finding, const std::byte* at, const Access& mine, std::uint64_t mark,
                     Kind kind, bool same_value) const {
  const bool forgotten = group_of(mark) == kForgotten;
  const WorkItem other = forgotten ? WorkItem{} : item_of(mark);
  const bool between_groups = forgotten || running_item(context_).group != other.group;
  const bool atomic = kind == AtomicWrite || kind == AtomicRead;
  const Region* const region = arena_.near(at);
  const std::string name = region ? region->name : "?";
  const std::string who = forgotten ? "a work-item of another group"
                          : copy_sites_.contains(site_of(mark))
                              ? fmt::format("a copy of group {}", text_of(other.group, dimensions_))
                              : text_of(other, dimensions_);
  finding.cause = cause(name, between_groups, mine.local);
  finding.message =
      fmt::format("{} on byte {} of '{}', {}: {} {} here, and {} {} at {}; {}{}",
                  same_value ? "data race, in which both write the same," : "data race",
                  region ? at - region->begin : 0, name,
                  between_groups ? "between work-groups" : "within a work-group", name_of(mine),
                  mine.write ? "writes" : "reads", who,
                  kind == PlainWrite || kind == AtomicWrite ? "writes" : "reads",
                  place_text(finding.other), why_unordered(mark, between_groups, mine.local, name),
                  atomic        ? " (only that one is atomic)"
                  : mine.atomic ? " (only this one is atomic)"
                                : "");
}

// Between two barriers that order this memory one is missing, however many pairs of accesses that
// shows in.
std::string Races::cause(const std::string& name, bool between_groups, bool local) const {
  if (between_groups)
    return fmt::format("races on '{}' between work-groups", name);
  const std::optional<unsigned>& barrier = ordered_by_[local ? 0 : 1];
  return fmt::format("races on '{}' within a work-group after {}", name,
                     barrier ? "the barrier at " + place_text(shape_.sites.at(*barrier))
                             : std::string("its beginning"));
}

// A barrier between the two is worth a word: it has not the fence of this memory.
std::string Races::why_unordered(std::uint64_t mark, bool between_groups, bool local,
                                 const std::string& name) const {
  const auto* between = static_cast<const std::pair<const unsigned, Passed>*>(nullptr);
  for (const auto& one : passed_)
    if (!between_groups && one.second.epoch > mark >> layout_.epoch_shift() &&
        (!between || one.second.epoch > between->second.epoch))
      between = &one;
  if (!between)
    return "nothing orders the two";
  const char* const has = between->second.flags & kLocalFence    ? "only CLK_LOCAL_MEM_FENCE"
                          : between->second.flags & kGlobalFence ? "only CLK_GLOBAL_MEM_FENCE"
                                                                 : "no fence";
  return fmt::format(
      "the barrier at {} has {} and does not order accesses of {} memory: '{}' needs "
      "{}",
      place_text(shape_.sites.at(between->first)), has, local ? "local" : "global", name,
      local ? "CLK_LOCAL_MEM_FENCE" : "CLK_GLOBAL_MEM_FENCE");
}

// As races.c does it. What a copy does counts in later groups; in its own the copy is under way,
// and ordered once it is not.
void Races::leave_mark(std::byte* place, Kind kind, const Access& mine) {
  const std::uint64_t mark = mark_at(place),
                      start = mine.local ? context_.local_start : context_.global_start;
  const auto set = [&](std::byte* at, std::uint64_t value) {
    std::memcpy(at, &value, sizeof value);
  };
  const auto foreign = [&](std::uint64_t other) {
    return !mine.local && other != 0 && other < context_.group_start;
  };
  if (kind == PlainWrite) {
    const std::uint64_t other = mark & GPUTEST_HAS_OTHER ? mark_at(place + others_) : 0;
    std::uint64_t left = mine.mark;
    if (!foreign(other) && unordered(mark, mine)) {
      set(place + others_, mark & ~std::uint64_t{GPUTEST_HAS_OTHER});
      left |= GPUTEST_HAS_OTHER;
    } else if (foreign(other) || (other != 0 && other >= start)) {
      left |= GPUTEST_HAS_OTHER;
    }
    set(place, left);
  } else if (!foreign(mark) && mark < start) {
    set(place, mine.mark);
  } else if (!foreign(mark) && unordered(mark, mine) && !(mark & GPUTEST_HAS_OTHER) &&
             !mine.of_copy) {
    set(place, mark | GPUTEST_HAS_OTHER);
    set(place + others_, mine.mark);
  }
}

void Races::access(const std::byte* at, std::uint64_t size, unsigned site, bool write) {
  const Access mine{.site = site,
                    .local = false,
                    .atomic = false,
                    .write = write,
                    .of_copy = false,
                    .mark = context_.now | context_.item << layout_.item_shift() |
                            std::uint64_t{site} << GPUTEST_SITE_SHIFT,
                    .value = nullptr};
  report_access(at, size, mine, context_.item);
  const Kind kind = write ? PlainWrite : PlainRead;
  for (std::uint64_t done = 0; done < size; done += shape_.grain)
    leave_mark(cell_of(at + done) + kind * layout_.kMark, kind, mine);
}

namespace {

// Does one of the elements from `base`, `stride` bytes apart, have one of `bytes` bytes from `at`?
bool touches(const std::byte* base, std::uint64_t stride, const Copy& copy, const std::byte* at,
             std::uint64_t bytes) {
  if (at + bytes <= base || copy.count == 0)
    return false;
  const auto end = static_cast<std::uint64_t>(at + bytes - base); // of what is accessed
  const std::uint64_t last =
      std::min((end - 1) / std::max<std::uint64_t>(stride, 1), copy.count - 1);
  // The last element that begins before the end is the one that reaches furthest.
  return base + last * stride + copy.size > at;
}

} // namespace

void Races::report_copies(const std::byte* at, std::uint64_t size, const Access& mine,
                          std::uint64_t item) {
  for (const UnderWay& other : under_way_) {
    const Copy& copy = other.copy;
    const bool written = touches(copy.to, copy.to_stride * copy.size, copy, at, size);
    if (other.waits[item] ||
        (!written &&
         !(mine.write && touches(copy.from, copy.from_stride * copy.size, copy, at, size))))
      continue;
    Finding* const finding = add("race", mine.site, other.site);
    if (!finding)
      continue;
    const Region* const region = arena_.near(at);
    finding->message = fmt::format(
        "data race on byte {} of '{}', within a work-group: {} {} here, and the copy that begins "
        "at {} {} it; wait_group_events does not come between the two",
        region ? at - region->begin : 0, region ? region->name : "?", name_of(mine),
        mine.write ? "writes" : "reads", place_text(finding->other), written ? "writes" : "reads");
  }
}

void Races::begin_copy(const Copy& copy, unsigned site, std::uint64_t event, std::uint64_t item) {
  copy_sites_.insert(site);
  const std::uint64_t running = std::exchange(context_.item, item);
  const auto visit = [&](const std::byte* base, std::uint64_t stride, bool local, bool write) {
    const Access mine{.site = site,
                      .local = local,
                      .atomic = false,
                      .write = write,
                      .of_copy = true,
                      .mark = context_.group_start | std::uint64_t{site} << GPUTEST_SITE_SHIFT,
                      .value = nullptr};
    const Kind kind = write ? PlainWrite : PlainRead;
    for (std::uint64_t i = 0; i < copy.count; ++i) {
      const std::byte* const at = base + i * stride * copy.size;
      const Region* const region = arena_.near(at);
      if (!region || at < region->begin || at + copy.size > region->begin + region->size)
        return; // reported when it happens
      report_access(at, copy.size, mine, item);
      for (std::uint64_t done = 0; done < copy.size; done += shape_.grain)
        leave_mark(cell_of(at + done) + kind * layout_.kMark, kind, mine);
    }
  };
  visit(copy.from, copy.from_stride, !copy.to_local, false);
  visit(copy.to, copy.to_stride, copy.to_local, true);
  context_.item = running;
  under_way_.push_back({copy, site, event, std::vector<bool>(items_of_group(context_)), 0});
  enclose_copies();
}

void Races::end_copy(std::uint64_t event, std::uint64_t item) {
  for (UnderWay& copy : under_way_)
    if (copy.event == event && !copy.waits[item]) {
      copy.waits[item] = true;
      ++copy.waited;
    }
  std::erase_if(under_way_, [](const UnderWay& copy) { return copy.waited == copy.waits.size(); });
  enclose_copies();
}

// What is outside of these bytes needs no look at copies.
void Races::enclose_copies() {
  const auto* begin = static_cast<const std::byte*>(nullptr);
  const std::byte* end = nullptr;
  const auto add = [&](const std::byte* first, std::uint64_t bytes) {
    begin = begin ? std::min(begin, first) : first;
    end = std::max(end, first + bytes);
  };
  for (const auto& [copy, site, event, waits, waited] : under_way_)
    if (copy.count != 0) {
      add(copy.to, ((copy.count - 1) * copy.to_stride + 1) * copy.size);
      add(copy.from, ((copy.count - 1) * copy.from_stride + 1) * copy.size);
    }
  context_.copies_begin = reinterpret_cast<const gputest_u8*>(begin);
  context_.copies_end = reinterpret_cast<const gputest_u8*>(end);
}

} // namespace gputest::simulator
