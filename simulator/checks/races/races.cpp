// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/checks/races/races.h"

#include "simulator/checks/monitor.h"
#include "simulator/memory/images.h"
#include "simulator/memory/ndrange.h"

#include <algorithm>
#include <cstring>

namespace gputest::simulator {
namespace {

void pixel_accessed(const std::byte* pixel, std::size_t size, bool write) {
  static_cast<Races&>(running_watch(races_check())).pixel(pixel, size, write);
}

} // namespace

Races::Races(const WatchedLaunch& launch)
    : shape_(launch.shape), dimensions_(launch.dimensions), context_(launch.context),
      arena_(launch.arena), nowhere_(launch.nowhere), findings_(launch.findings),
      marks_(arena_, nowhere_, shape_.grain, {shape_.site_bits, shape_.atomics ? 4u : 2u},
             context_) {
  if (shape_.pixels)
    watch_pixels(pixel_accessed);
}

Races::~Races() {
  watch_pixels(nullptr);
}

std::uint64_t Races::group_of(std::uint64_t mark) const {
  const auto after =
      std::ranges::upper_bound(groups_, marks_.epoch_of(mark), {}, &GroupStart::epoch);
  return std::prev(after)->group;
}

WorkItem Races::item_of(std::uint64_t mark) const {
  return work_item(context_, group_of(mark), marks_.item_of(mark));
}

// Epochs have run out. Accesses of other groups move to the first epoch. Those of this group move
// to the second, ordered before all that it does from now on.
void Races::forget_epochs() {
  const std::uint64_t first = std::uint64_t{1} << marks_.layout().epoch_shift();
  if (context_.in_turns != 0) { // waiting groups have epochs of their own
    keep_accesses();
    marks_.clear();
    waiting_.clear();
    order_ = {};
  } else {
    marks_.forget_epochs(context_.group_start);
  }
  locks_ = RaceLocks(shape_.warp_size);
  locked_.clear();
  epoch_ = 2;
  groups_ = {{1, kForgotten}, {2, groups_.empty() ? kForgotten : groups_.back().group}};
  now_.passed.clear();
  context_.group_start = 2 * first;
  context_.local_start = context_.global_start = 3 * first;
}

void Races::next_epoch() {
  if (epoch_ + 1 == std::uint64_t{1} << marks_.layout().epoch_bits())
    forget_epochs();
  context_.now = ++epoch_ << marks_.layout().epoch_shift();
}

std::uint64_t Races::running_group() const {
  return (context_.group_id[2] * context_.num_groups[1] + context_.group_id[1]) *
             context_.num_groups[0] +
         context_.group_id[0];
}

RaceOrder::Thread Races::thread_of(std::uint64_t item) const {
  return RaceOrder::thread_of(group_, item);
}

RaceOrder::Thread Races::thread_that_left(std::uint64_t mark) const {
  return RaceOrder::thread_of(group_of(mark), marks_.item_of(mark));
}

void Races::keep_running() {
  if (context_.in_turns == 0 || group_ == kForgotten)
    return;
  now_.local_start = context_.local_start;
  now_.global_start = context_.global_start;
  waiting_[group_] = std::move(now_);
}

// A waiting group goes on; restores its barriers and meetings.
void Races::continue_group() {
  keep_running();
  const bool others = group_ != running_group();
  group_ = running_group();
  now_ = std::move(waiting_[group_]);
  if (others || groups_.empty()) {
    next_epoch();
    groups_.push_back({epoch_, group_});
    context_.group_start = context_.now;
  }
  context_.local_start = now_.local_start;
  context_.global_start = now_.global_start;
  if (shape_.asyncs)
    enclose_copies();
}

// The first epoch of a group is for its copies, which are ordered before all that its work-items
// do, unless they are under way.
void Races::begin_group() {
  keep_running();
  group_ = running_group();
  now_ = {};
  next_epoch();
  groups_.push_back({epoch_, group_});
  context_.group_start = context_.now;
  next_epoch();
  context_.local_start = context_.global_start = context_.now;
  if (!copies_.empty() || shape_.asyncs) {
    copies_.clear();
    if (context_.in_turns == 0) // the groups before have left
      asyncs_.clear();
    asyncs_.erase(group_);
    enclose_copies();
  }
}

void Races::pass_barrier(unsigned site, unsigned flags) {
  next_epoch();
  if (flags & kLocalFence) {
    context_.local_start = context_.now;
    now_.ordered_by[0] = site;
  }
  if (flags & kGlobalFence) {
    context_.global_start = context_.now;
    now_.ordered_by[1] = site;
  }
  if (flags != (kLocalFence | kGlobalFence))
    now_.passed[site] = {epoch_, flags};
  if (!shape_.syncs)
    return;
  order_.barrier(group_, epoch_);
  locks_.barrier(group_, epoch_);
}

void Races::pass_fence(ir::FenceKind kind) {
  if (!shape_.syncs)
    return;
  next_epoch();
  context_.orders = 1;
  const RaceOrder::Scope scope =
      kind == ir::kFenceOfBlock ? RaceOrder::Scope::Block : RaceOrder::Scope::Device;
  order_.fence(thread_of(context_.item), scope, epoch_, kind == ir::kSequentialFence);
  locks_.fence(thread_of(context_.item), scope, epoch_);
}

// Groups use the same addresses for their local memory.
std::uint64_t Races::key_of(std::uint64_t place, bool local) const {
  return local ? place ^ (group_ + 1) << 48 : place;
}

void Races::strong(std::uint64_t place, bool local, const RaceOrder::Strong& what,
                   const RaceLocks::Change& change) {
  if (what.acquires || what.releases)
    context_.orders = 1;
  next_epoch();
  const std::uint64_t key = key_of(place, local);
  order_.access(thread_of(context_.item), key, what, epoch_);
  if (const auto section = locks_.access(thread_of(context_.item), key, what, change, epoch_))
    end_section(*section);
}

// Everything before is ordered before everything after, so marks no longer count.
void Races::pass_grid() {
  keep_accesses();
  marks_.clear();
  locks_ = RaceLocks(shape_.warp_size);
  locked_.clear();
}

void Races::keep_accesses() {
  marks_.accessed(kept_regions_, kept_);
}

std::vector<Accessed> Races::accessed() {
  keep_accesses();
  return std::exchange(kept_, {});
}

bool Races::is_of_group(std::uint64_t mark) const {
  return mark >= context_.group_start || (context_.in_turns != 0 && group_of(mark) == group_);
}

// Two atomic accesses do not race, unless they are of two groups and one is for its group only.
bool Races::scopes_part(std::uint64_t atomic, const Access& mine) const {
  return !mine.atomic || (!mine.local && !is_of_group(atomic) &&
                          (shape_.of_block.contains(mine.site) ||
                           shape_.of_block.contains(marks_.site_of(atomic))));
}

bool Races::unordered(std::uint64_t mark, const Access& mine) const {
  if (mark == 0 || met_since(mark, mine))
    return false;
  const std::uint64_t start = mine.local ? context_.local_start : context_.global_start;
  const bool others = mine.of_copy ? items_of_group(context_) > 1
                                   : marks_.item_of(mark) != marks_.item_of(mine.mark);
  if (mine.local || is_of_group(mark) ? mark < start || !others : false)
    return false;
  return !shape_.syncs || mine.of_copy ||
         !order_.knows(thread_of(marks_.item_of(mine.mark)), thread_that_left(mark),
                       marks_.epoch_of(mark));
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
                 .mark = context_.now | context_.item << marks_.layout().item_shift(),
                 .value = value},
                context_.item);
  if (context_.orders != 0)
    forget_known(at, size,
                 {.site = site,
                  .local = local,
                  .atomic = atomic,
                  .write = write,
                  .of_copy = false,
                  .mark = context_.now | context_.item << marks_.layout().item_shift() |
                          std::uint64_t{site} << GPUTEST_SITE_SHIFT,
                  .value = nullptr});
}

bool Races::is_free(const std::byte* at, std::uint64_t size, bool write) const {
  if (!copies_.empty() || shape_.asyncs)
    return false;
  for (std::uint64_t done = 0; done < size; done += shape_.grain) {
    const std::byte* const cell = marks_.cell_of(at + done);
    for (unsigned kind = PlainWrite; kind < marks_.layout().kinds; ++kind)
      if ((write || kind != PlainRead) && Marks::read(cell + kind * MarkLayout::kMark) != 0)
        return false;
  }
  return true;
}

void Races::report_access(const std::byte* at, std::uint64_t size, const Access& mine,
                          std::uint64_t item) {
  for (std::uint64_t done = 0, end = 0; done < size; done = end) {
    // Reports bytes together that were accessed together.
    for (end = done + shape_.grain; end < size && marks_.as_before(at + end);)
      end += shape_.grain;
    Access part = mine;
    part.value = mine.value ? mine.value + done : nullptr;
    report_bytes(at + done, std::min(size, end) - done, part);
  }
  if (!copies_.empty())
    report_copies(at, size, mine, item);
  if (shape_.asyncs)
    report_asyncs(at, size, mine);
}

// Reports a race on bytes with equal marks, for each conflicting access: the last plain write or,
// if that is ordered, the other one; and either of two accesses that do not conflict with each
// other.
void Races::report_bytes(const std::byte* at, std::uint64_t bytes, const Access& mine) {
  const std::byte* const cell = marks_.cell_of(at);
  const std::uint64_t last = Marks::read(cell);
  const bool same_value = mine.write && mine.value && std::memcmp(mine.value, at, bytes) == 0;
  const auto other_of = [&](const std::byte* mark) { return Marks::read(marks_.other(mark)); };
  const bool last_races = unordered(last, mine);
  if (!last_races)
    keep_locked(at, mine, last, PlainWrite, same_value);
  if (last_races) {
    report_pair(at, mine, last, PlainWrite, same_value);
  } else if (last & GPUTEST_HAS_OTHER) {
    // Its value is still there if the last write stored the same.
    if (const std::uint64_t other = other_of(cell); unordered(other, mine)) {
      const auto [first, second] = std::minmax(marks_.site_of(last), marks_.site_of(other));
      report_pair(at, mine, other, PlainWrite,
                  same_value &&
                      findings_.index_of("race_same_value", first, second) != Findings::kNone &&
                      findings_.index_of("race", first, second) == Findings::kNone);
    }
  }
  for (unsigned kind = PlainRead; kind < marks_.layout().kinds; ++kind) {
    const bool conflicts = kind == PlainRead ? mine.write
                           : kind == AtomicWrite
                               ? !mine.atomic || !shape_.of_block.empty()
                               : (!mine.atomic || !shape_.of_block.empty()) && mine.write;
    if (!conflicts)
      continue;
    const std::byte* const place = cell + kind * MarkLayout::kMark;
    const std::uint64_t mark = Marks::read(place);
    const auto races = [&](std::uint64_t earlier) {
      if (unordered(earlier, mine))
        return kind == PlainRead || scopes_part(earlier, mine);
      keep_locked(at, mine, earlier, static_cast<Kind>(kind), false);
      return false;
    };
    if (races(mark))
      report_pair(at, mine, mark, static_cast<Kind>(kind), false);
    else if (mark & GPUTEST_HAS_OTHER)
      if (const std::uint64_t other = other_of(place); races(other))
        report_pair(at, mine, other, static_cast<Kind>(kind), false);
  }
}

// As in races.c. A copy's accesses count in later groups. In its own group, the copy is under way,
// and afterwards ordered.
void Races::leave_mark(std::byte* place, Kind kind, const Access& mine) {
  const std::uint64_t mark = Marks::read(place),
                      start = mine.local ? context_.local_start : context_.global_start;
  const auto foreign = [&](std::uint64_t other) {
    return !mine.local && other != 0 && other < context_.group_start;
  };
  if (kind == PlainWrite) {
    const std::uint64_t other = mark & GPUTEST_HAS_OTHER ? Marks::read(marks_.other(place)) : 0;
    std::uint64_t left = mine.mark;
    if (!foreign(other) && unordered(mark, mine)) {
      Marks::write(marks_.other(place), mark & ~std::uint64_t{GPUTEST_HAS_OTHER});
      left |= GPUTEST_HAS_OTHER;
    } else if (foreign(other) || (other != 0 && other >= start)) {
      left |= GPUTEST_HAS_OTHER;
    }
    Marks::write(place, left);
  } else if (!foreign(mark) && mark < start) {
    Marks::write(place, mine.mark);
  } else if (!foreign(mark) && !(mark & GPUTEST_HAS_OTHER) && !mine.of_copy &&
             unordered(mark, mine)) {
    Marks::write(place, mark | GPUTEST_HAS_OTHER);
    Marks::write(marks_.other(place), mine.mark);
  }
}

void Races::access(const std::byte* at, std::uint64_t size, unsigned site, bool write) {
  const Access mine{.site = site,
                    .local = false,
                    .atomic = false,
                    .write = write,
                    .of_copy = false,
                    .mark = context_.now | context_.item << marks_.layout().item_shift() |
                            std::uint64_t{site} << GPUTEST_SITE_SHIFT,
                    .value = nullptr};
  if (!is_free(at, size, write))
    report_access(at, size, mine, context_.item);
  const Kind kind = write ? PlainWrite : PlainRead;
  for (std::uint64_t done = 0; done < size; done += shape_.grain)
    leave_mark(marks_.cell_of(at + done) + kind * MarkLayout::kMark, kind, mine);
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
        leave_mark(marks_.cell_of(at + done) + kind * MarkLayout::kMark, kind, mine);
    }
  };
  visit(copy.from, copy.from_stride, !copy.to_local, false);
  visit(copy.to, copy.to_stride, copy.to_local, true);
  context_.item = running;
  copies_.begin(copy, site, event, items_of_group(context_));
  enclose_copies();
}

void Races::end_copy(std::uint64_t event, std::uint64_t item) {
  copies_.end(event, item);
  enclose_copies();
}

// Accesses outside of these bytes need not examine copies.
void Races::enclose_copies() {
  auto [begin, end] = copies_.span();
  if (const auto asyncs = asyncs_.find(group_); asyncs != asyncs_.end()) { // CUDA has these alone
    begin = asyncs->second.span().begin;
    end = asyncs->second.span().end;
  }
  context_.copies_begin = reinterpret_cast<const gputest_u8*>(begin);
  context_.copies_end = reinterpret_cast<const gputest_u8*>(end);
}

} // namespace gputest::simulator
