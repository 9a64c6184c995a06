// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/checks/copies.h"

#include "model/language.h"
#include "model/text/plural.h"
#include "simulator/checks/outside.h"
#include "simulator/memory/ndrange.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace gputest::simulator {

Copies::Copies(const WatchedLaunch& launch, const std::vector<std::unique_ptr<Watch>>& watches)
    : shape_(launch.shape), dimensions_(launch.dimensions), context_(launch.context),
      arena_(launch.arena), findings_(launch.findings), watches_(watches) {}

void Copies::begin_group() {
  items_ = items_of_group(context_);
  calls_made_.clear();
  calls_.clear();
  under_way_.clear();
  forgotten_ = 0;
}

void Copies::meet() {
  for (const Call& call : calls_)
    report_not_reached(call, "before the next barrier");
  forgotten_ = 0;
  calls_.clear();
  calls_made_.clear();
}

void Copies::end_group() {
  for (const Call& call : calls_)
    report_not_reached(call, "at all");
  for (const UnderWay& copy : under_way_)
    if (copy.waited == 0)
      if (Finding* const finding = findings_.add("missing_wait", copy.site, 0))
        finding->message = fmt::format(
            "no wait_group_events waits for this copy, which then may never happen: group {} has "
            "left the kernel",
            text_of(running_item(context_).group, dimensions_));
}

std::string Copies::name_of(std::uint64_t item) const {
  gputest_context other = context_;
  other.item = item;
  return text_of(running_item(other), dimensions_);
}

// Returns the call that the other work-items make at this point, or `call` if this is the first;
// and whether both are equal.
std::pair<Copies::Call&, bool> Copies::next_call(std::uint64_t item, Call&& call) {
  if (calls_made_.size() != items_)
    calls_made_.resize(items_);
  const std::uint64_t index = calls_made_[item]++ - forgotten_;
  const bool waits = call.waits;
  const unsigned site = call.site;
  if (index == calls_.size()) {
    call.first = item;
    calls_.push_back(std::move(call));
  }
  Call& same = calls_[index];
  ++same.reached;
  if (same.waits == waits && same.site == site)
    return {same, true};
  if (Finding* const finding = findings_.add("divergent_copy", same.site, site + 1)) {
    finding->other = shape_.sites.at(site);
    finding->message = fmt::format(
        "all work-items of a group must call {} together: {} does so here, and {} calls {} at {}",
        same.waits ? "wait_group_events" : "an async copy", name_of(same.first), name_of(item),
        waits ? "wait_group_events" : "an async copy", place_text(finding->other));
  }
  return {same, false};
}

void Copies::report_not_reached(const Call& call, const char* by) {
  if (call.reached == items_)
    return;
  if (Finding* const finding = findings_.add("divergent_copy", call.site, 0))
    finding->message = fmt::format(
        "{} is not reached by all work-items of group {}: {} of {} do not call it {}; {} does",
        call.waits ? "wait_group_events" : "the async copy",
        text_of(running_item(context_).group, dimensions_), items_ - call.reached, items_, by,
        name_of(call.first));
}

void Copies::report_other_arguments(const Call& call, std::uint64_t item, unsigned site,
                                    const std::string& what) {
  if (Finding* const finding = findings_.add("divergent_copy", site, site + 1))
    finding->message = fmt::format("all work-items of a group must give {} the same arguments: {}, "
                                   "which {} gives, is another one than that of {}",
                                   call.waits ? "wait_group_events" : "an async copy", what,
                                   name_of(item), name_of(call.first));
}

void Copies::report_event(const char* what, std::uint64_t item, unsigned site) {
  if (Finding* const finding = findings_.add("invalid_event", site, 0))
    finding->message = fmt::format("{} {}", name_of(item), what);
}

std::uint64_t Copies::copy(std::uint64_t item, unsigned site, const Copy& what,
                           std::uint64_t event) {
  const auto [call, same] =
      next_call(item, {.waits = false, .site = site, .copy = what, .event = event});
  if (!same) // reported already; the wait for it must not be an error, too
    return call.result;
  if (call.reached > 1) {
    const Copy& first = call.copy;
    const char* const differs =
        first.to != what.to         ? "the destination"
        : first.from != what.from   ? "the source"
        : first.count != what.count ? "the number of elements"
        : first.to_stride != what.to_stride || first.from_stride != what.from_stride ? "the stride"
        : call.event != event                                                        ? "the event"
                                                                                     : nullptr;
    if (differs)
      report_other_arguments(call, item, site, differs);
  } else {
    const bool shared = event != 0;
    if (shared && std::ranges::none_of(under_way_, [&](const UnderWay& other) {
          return other.event == event && !other.waits[item];
        })) {
      report_event("gives this copy an event that is neither 0 nor that of another copy under way",
                   item, site);
      event = 0;
    }
    call.result = event != 0 ? event : ++last_event_;
    for (const auto& watch : watches_)
      watch->begin_copy(what, site, call.result, item);
    under_way_.push_back({what, site, call.result, 0, std::vector<bool>(items_)});
  }
  const std::uint64_t result = call.result;
  while (!calls_.empty() && calls_.front().reached == items_) {
    calls_.pop_front();
    ++forgotten_;
  }
  return result;
}

void Copies::wait(std::uint64_t item, unsigned site, unsigned count, unsigned index,
                  std::uint64_t event) {
  Call* call = nullptr;
  if (index == 0) {
    waited_for_.clear();
    call = &next_call(item, {.waits = true, .site = site, .count = count}).first;
    if (call->waits && call->site == site && call->count != count)
      report_other_arguments(*call, item, site, "the number of events");
  } else if (calls_made_[item] > forgotten_) {
    call = &calls_[calls_made_[item] - forgotten_ - 1];
  }
  if (call && call->waits && call->site == site) {
    if (call->events.size() == index && call->first == item)
      call->events.push_back(event);
    else if (index < call->events.size() && call->events[index] != event)
      report_other_arguments(*call, item, site, "an event");
  }
  bool found = false;
  for (UnderWay& copy : under_way_) {
    if (copy.event != event || copy.waits[item])
      continue;
    found = true;
    copy.waits[item] = true;
    if (copy.waited++ == 0)
      perform(copy);
    for (const auto& watch : watches_)
      watch->end_copy(event, item);
  }
  // Copies may share an event, which is then in the list several times.
  if (!found && std::ranges::find(waited_for_, event) == waited_for_.end())
    report_event("waits for an event that is none of a copy under way: one that nobody has set, or "
                 "that has been waited for before",
                 item, site);
  waited_for_.push_back(event);
  std::erase_if(under_way_, [&](const UnderWay& copy) { return copy.waited == items_; });
  while (index + 1 >= count && !calls_.empty() && calls_.front().reached == items_) {
    calls_.pop_front();
    ++forgotten_;
  }
}

// Only the launch's own memory is accessed. Without checks, __local variables are elsewhere.
bool Copies::inside(const std::byte* at, std::size_t size, const UnderWay& copy, bool write) {
  const bool null = is_null(at);
  if (!null && (at < arena_.begin() || at >= arena_.begin() + arena_.space()))
    return true;
  const Region* const region = arena_.near(at);
  if (region && at >= region->begin && at + size <= region->begin + region->size)
    return true;
  if (Finding* const finding =
          findings_.add(null ? "null_pointer" : "out_of_bounds", copy.site, write))
    finding->message = fmt::format(
        "the copy of group {} {} {} {}", text_of(running_item(context_).group, dimensions_),
        write ? "writes" : "reads", model::plural(size, "byte"),
        null ? "through a null pointer" +
                   // Without bounds, CUDA's kernels have no objects of their arguments.
                   (model::row_of(shape_.language).has_context ? null_arguments(shape_, context_)
                                                               : "")
        : region ? fmt::format("at byte {} of '{}', which has {}", at - region->begin, region->name,
                               model::plural(region->size, "byte"))
                 : std::string("where no buffer is"));
  return false;
}

void Copies::perform(const UnderWay& copy) {
  const Copy& what = copy.copy;
  for (std::uint64_t i = 0; i < what.count; ++i) {
    std::byte* const to = what.to + i * what.to_stride * what.size;
    const std::byte* const from = what.from + i * what.from_stride * what.size;
    const bool reads = inside(from, what.size, copy, false);
    if (!inside(to, what.size, copy, true) || !reads)
      return;
    std::memmove(to, from, what.size);
    for (const auto& watch : watches_)
      watch->copied(what, copy.site, i);
  }
}

} // namespace gputest::simulator
