// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/natives/device_queue.h"

#include "simulator/checks/definedness_memory.h"
#include "simulator/natives/natives.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace gputest::simulator {
namespace {

// Results of enqueue_kernel(). Without the option -g, all failures have one number.
constexpr int kSuccess = 0, kEnqueueFailure = -101;
constexpr int kComplete = 0;
constexpr std::size_t kMostOpen = 65'536, kMostEvents = 65'536; // more than OpenCL asks for
constexpr std::uint64_t kFirstHandle = 0x1000, kStep = 16;      // handles that are no addresses
constexpr std::uint64_t kMostItemsOfGroup = 1024;
constexpr std::uint64_t kUsualItemsOfGroup = 64;

// Clang declares ndrange_t so.
struct NdRange {
  std::uint32_t dimensions;
  std::uint64_t offset[3], global[3], local[3];
};

// The local size in a dimension of a range that says none: a divisor, so that all groups are full.
std::uint64_t divisor_of(std::uint64_t size, std::uint64_t most) {
  std::uint64_t divisor = std::min(size, most);
  while (size % divisor != 0)
    --divisor;
  return divisor;
}

// Returns nullopt for a range that is not valid.
std::optional<model::Sizes> sizes_of(const NdRange& range) {
  model::Sizes sizes{.dimensions = range.dimensions};
  if (range.dimensions < 1 || range.dimensions > 3)
    return std::nullopt;
  std::uint64_t left = kUsualItemsOfGroup;
  for (unsigned i = 0; i < 3; ++i) {
    if (range.global[i] == 0)
      return std::nullopt;
    sizes.global[i] = range.global[i];
    sizes.offset[i] = range.offset[i];
    sizes.local[i] = range.local[i] != 0 ? range.local[i] : divisor_of(range.global[i], left);
    left = std::max<std::uint64_t>(left / sizes.local[i], 1);
    if (sizes.local[i] > kMostItemsOfGroup)
      return std::nullopt;
  }
  return sizes.items_of_group() > kMostItemsOfGroup ? std::nullopt : std::optional(sizes);
}

DeviceQueue& queue() {
  return *running_natives().queue;
}

extern "C" {
void* gputest_default_queue() {
  return reinterpret_cast<void*>(kFirstHandle);
}
// `captured`: the block; its first word is its size in bytes.
int gputest_enqueue(std::uint32_t site, const void* of_queue, std::uint32_t, const NdRange* range,
                    std::uint32_t events, const std::uint64_t* list, int event, const char* kernel,
                    const std::byte* captured, std::uint32_t sizes,
                    const std::uint64_t* local_bytes) {
  const std::optional<model::Sizes> valid = sizes_of(*range);
  queue().forget_event();
  if (!of_queue || !valid || (events > 0) != (list != nullptr))
    return kEnqueueFailure;
  std::uint32_t size = 0;
  std::memcpy(&size, captured, sizeof size);
  EnqueuedBlock block{.kernel = kernel,
                      .sizes = *valid,
                      .captured = {captured, captured + size},
                      .unwritten = DefinednessMemory::undefined(captured, size),
                      .local_bytes = {local_bytes, local_bytes + sizes}};
  return queue().enqueue(std::move(block), site, std::span(list, events), event != 0);
}
int gputest_enqueue_marker(std::uint32_t site, const void* of_queue, std::uint32_t events,
                           const std::uint64_t* list, int event) {
  queue().forget_event();
  if (!of_queue || events == 0 || !list)
    return kEnqueueFailure;
  return queue().enqueue({}, site, std::span(list, events), event != 0);
}
std::uint64_t gputest_last_event() {
  return queue().last_event();
}
std::uint64_t gputest_user_event() {
  return queue().user_event();
}
void gputest_retain_event(std::uint64_t event) {
  queue().retain(event);
}
void gputest_release_event(std::uint64_t event) {
  queue().release(event);
}
int gputest_is_valid_event(std::uint64_t event) {
  return queue().is_valid(event);
}
void gputest_set_event_status(std::uint64_t event, int status) {
  queue().set_status(event, status);
}
void gputest_capture_times(std::uint64_t event, int, std::uint64_t* to) {
  queue().capture_times(event, to);
}
std::uint32_t gputest_group_size_of_kernel(const char*, const void*) {
  return kMostItemsOfGroup;
}
std::uint32_t gputest_sub_group_size_of_range(const NdRange* range, std::uint32_t lanes) {
  const std::optional<model::Sizes> sizes = sizes_of(*range);
  return sizes ? static_cast<std::uint32_t>(std::min<std::uint64_t>(lanes, sizes->items_of_group()))
               : 0;
}
std::uint32_t gputest_sub_groups_of_range(const NdRange* range, std::uint32_t lanes) {
  const std::optional<model::Sizes> sizes = sizes_of(*range);
  return sizes ? static_cast<std::uint32_t>((sizes->items_of_group() + lanes - 1) / lanes) : 0;
}
}

} // namespace

const DeviceQueue::Event* DeviceQueue::event_of(std::uint64_t handle) const {
  const std::uint64_t number = (handle - kFirstHandle) / kStep;
  const bool is = handle >= kFirstHandle && handle % kStep == 0 && number < events_.size() &&
                  events_[number].references > 0;
  return is ? &events_[number] : nullptr;
}

DeviceQueue::Event* DeviceQueue::event_of(std::uint64_t handle) {
  return const_cast<Event*>(std::as_const(*this).event_of(handle));
}

int DeviceQueue::enqueue(EnqueuedBlock block, std::uint32_t site,
                         std::span<const std::uint64_t> events, bool wants_event) {
  if (open_.size() == kMostOpen || (wants_event && events_.size() == kMostEvents))
    return kEnqueueFailure;
  for (const std::uint64_t handle : events) {
    if (!event_of(handle))
      return kEnqueueFailure;
    block.waits_for.push_back((handle - kFirstHandle) / kStep);
  }
  if (wants_event) {
    block.event = events_.size();
    last_event_ = kFirstHandle + kStep * events_.size();
    events_.push_back({.by = launches_.size()});
  }
  block.place = places_->at(site);
  block.parent = running_;
  if (running_)
    ++launches_[*running_].children;
  open_.push_back(launches_.size());
  launches_.push_back({.what = std::move(block)});
  return kSuccess;
}

std::uint64_t DeviceQueue::user_event() {
  if (events_.size() == kMostEvents)
    return 0;
  events_.push_back({.user = true});
  return kFirstHandle + kStep * (events_.size() - 1);
}

bool DeviceQueue::is_valid(std::uint64_t event) const {
  return event_of(event) != nullptr;
}

void DeviceQueue::retain(std::uint64_t event) {
  if (Event* const one = event_of(event))
    ++one->references;
}

void DeviceQueue::release(std::uint64_t event) {
  if (Event* const one = event_of(event))
    --one->references;
}

void DeviceQueue::set_status(std::uint64_t event, int status) {
  if (Event* const one = event_of(event);
      one && one->user && one->status == kQueued && status <= 0) {
    one->by = running_;
    complete(*one, status, 0);
  }
}

void DeviceQueue::capture_times(std::uint64_t event, std::uint64_t* to) {
  to[0] = to[1] = 0; // a wrong address is the kernel's fault, not that of who completes the event
  if (Event* const one = event_of(event); one && !one->user) {
    one->captures.push_back(to);
    if (one->status != kQueued)
      complete(*one, one->status, one->seconds);
  }
}

void DeviceQueue::complete(Event& event, int status, double seconds) {
  event.status = status;
  event.seconds = seconds;
  for (std::uint64_t* const to : std::exchange(event.captures, {}))
    to[0] = to[1] = static_cast<std::uint64_t>(seconds * 1e9);
}

std::vector<std::size_t> DeviceQueue::ready() {
  std::vector<std::size_t> ready;
  for (bool again = true; std::exchange(again, false);) {
    ready.clear();
    for (const std::size_t number : std::vector(open_)) {
      const EnqueuedBlock& what = launches_[number].what;
      const auto status = [&](std::size_t event) { return events_[event].status; };
      const auto failed = std::ranges::find_if(
          what.waits_for, [&](std::size_t event) { return status(event) < kComplete; });
      if (failed != what.waits_for.end()) {
        end(number, status(*failed));
        again = true;
      } else if (std::ranges::all_of(what.waits_for, [&](std::size_t event) {
                   return status(event) == kComplete;
                 })) {
        if (what.kernel.empty())
          end(number, kComplete);
        else
          ready.push_back(number);
        again |= what.kernel.empty();
      }
    }
  }
  return ready;
}

void DeviceQueue::has_run(std::size_t number, double seconds) {
  launches_[number].seconds = seconds;
  launches_[number].state = Launch::State::Ran;
  end(number, kComplete);
}

// A launch is complete when those that it has enqueued are complete, too.
void DeviceQueue::end(std::size_t number, int status) {
  std::erase(open_, number);
  for (std::optional<std::size_t> at = number; at; at = launches_[*at].what.parent) {
    Launch& launch = launches_[*at];
    if (*at != number && (--launch.children > 0 || launch.state != Launch::State::Ran))
      return;
    if (*at == number && launch.children > 0)
      return;
    launch.state = Launch::State::Complete;
    if (launch.what.event)
      complete(events_[*launch.what.event], *at == number ? status : kComplete, launch.seconds);
  }
}

std::vector<std::size_t> DeviceQueue::waiting() const {
  return open_;
}

std::vector<NativeSymbol> device_queue_symbols() {
  return {{"gputest_default_queue", reinterpret_cast<void*>(&gputest_default_queue)},
          {"gputest_enqueue", reinterpret_cast<void*>(&gputest_enqueue)},
          {"gputest_enqueue_marker", reinterpret_cast<void*>(&gputest_enqueue_marker)},
          {"gputest_last_event", reinterpret_cast<void*>(&gputest_last_event)},
          {"gputest_user_event", reinterpret_cast<void*>(&gputest_user_event)},
          {"gputest_retain_event", reinterpret_cast<void*>(&gputest_retain_event)},
          {"gputest_release_event", reinterpret_cast<void*>(&gputest_release_event)},
          {"gputest_is_valid_event", reinterpret_cast<void*>(&gputest_is_valid_event)},
          {"gputest_set_event_status", reinterpret_cast<void*>(&gputest_set_event_status)},
          {"gputest_capture_times", reinterpret_cast<void*>(&gputest_capture_times)},
          {"gputest_group_size_of_kernel", reinterpret_cast<void*>(&gputest_group_size_of_kernel)},
          {"gputest_sub_group_size_of_range",
           reinterpret_cast<void*>(&gputest_sub_group_size_of_range)},
          {"gputest_sub_groups_of_range", reinterpret_cast<void*>(&gputest_sub_groups_of_range)}};
}

} // namespace gputest::simulator
