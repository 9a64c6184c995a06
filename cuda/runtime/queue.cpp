// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/runtime/queue.h"

#include "cuda/runtime/call.h"

#include <algorithm>
#include <cstdlib>
#include <cxxabi.h>
#include <filesystem>
#include <thread>

namespace gputest::cuda {
namespace {

// Returns "scale<float>" for _Z5scaleIfEvPT_, and other names unchanged.
std::string name_of_kernel(const std::string& mangled) {
  int status = 0;
  char* const text = abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status);
  std::string name = text ? text : mangled;
  std::free(text); // NOLINT
  if (status == 0) {
    if (const auto end = name.rfind('('); end != std::string::npos) // its parameters
      name.resize(end);
    if (const auto result = name.find(' ');
        name.starts_with("void ") && result != std::string::npos)
      name = name.substr(result + 1);
  }
  return name;
}

// Whether the process has more threads than the caller and `others`.
bool has_other_threads(std::size_t others) {
  std::error_code error;
  std::size_t threads = 0;
  for (std::filesystem::directory_iterator task("/proc/self/task", error), end;
       !error && task != end; task.increment(error))
    ++threads;
  return error || threads > 1 + others;
}

bool comes_after(const StreamPlace& later, const StreamPlace& earlier) {
  return later.device == earlier.device &&
         (later.id == earlier.id || (later.legacy && earlier.blocks) ||
          (earlier.legacy && later.blocks));
}

// Pauses of growing length, which leave the processor to other threads.
class Pause {
public:
  void wait(bool changed) {
    if (changed)
      length_ = kShortest;
    std::this_thread::sleep_for(length_);
    length_ = std::min(2 * length_, kLongest);
  }

private:
  static constexpr std::chrono::microseconds kShortest{20}, kLongest{1000};
  std::chrono::microseconds length_ = kShortest;
};

bool default_is_per_thread = false; // set before main()

} // namespace

std::string what_of(cudaGraphNodeType type, const Work& work) {
  if (const auto* const kernel = std::get_if<std::shared_ptr<KernelWork>>(&work))
    return "kernel '" + name_of_kernel((*kernel)->kernel->name) + "'";
  if (const auto* const other = std::get_if<OtherWork>(&work); other && !other->name.empty())
    return other->name;
  switch (type) {
  case cudaGraphNodeTypeMemcpy:
    return "a copy";
  case cudaGraphNodeTypeMemset:
    return "a memset";
  case cudaGraphNodeTypeMemAlloc:
    return "an allocation";
  case cudaGraphNodeTypeMemFree:
    return "the end of an allocation";
  default:
    return "work";
  }
}

static bool is_of_thread(cudaStream_t stream) {
  return stream == cudaStreamPerThread || (!stream && default_is_per_thread);
}

cudaStream_t record_of(cudaStream_t stream) {
  if (!is_of_thread(stream))
    return is_made(stream) ? stream : nullptr;
  class OfThread {
  public:
    OfThread() : record_{.id = place_of(cudaStreamPerThread).id} {
      const Lock lock(State::get().mutex);
      created_streams().push_back(&record_);
    }
    OfThread(const OfThread&) = delete;
    OfThread& operator=(const OfThread&) = delete;
    ~OfThread() {
      const Lock lock(State::get().mutex);
      created_streams().remove(&record_);
    }
    cudaStream_t record() { return &record_; }

  private:
    CUstream_st record_;
  };
  thread_local OfThread of_thread;
  return of_thread.record();
}

StreamPlace place_of(cudaStream_t stream) {
  if (is_of_thread(stream))
    return {.device = State::device(),
            .id = ~static_cast<unsigned long long>(
                std::hash<std::thread::id>()(std::this_thread::get_id()) >> 1),
            .legacy = false,
            .blocks = true};
  if (!is_made(stream))
    return {.device = State::device(), .id = 1, .legacy = true, .blocks = true};
  return {.device = stream->device,
          .id = stream->id,
          .legacy = false,
          .blocks = (stream->flags & cudaStreamNonBlocking) == 0};
}

cudaError_t Queue::put(State& state, cudaStream_t stream, cudaGraphNodeType type, const Work& work,
                       std::uint64_t after, OperationPtr operation) {
  if (performing_)
    return perform(state, type, work);
  Order* const order = state.order();
  if (order && std::holds_alternative<WaitingWork>(work))
    order->leave_off();
  if (order && !operation)
    operation = order->put(place_of(stream), what_of(type, work));
  last_ = 0;
  if (items_.empty() && !std::holds_alternative<WaitingWork>(work)) {
    performing_ = true;
    cudaError_t error = cudaSuccess;
    {
      const Doing doing(order, operation);
      error = perform(state, type, work);
    }
    performing_ = false;
    std::optional<WaitingLaunch> launch = state.take_waiting();
    if (launch)
      keep({.id = next_++,
            .stream = place_of(stream),
            .launch = launch,
            .operation = operation,
            .device = State::device()});
    return error;
  }
  Item item{.id = next_++,
            .stream = place_of(stream),
            .type = type,
            .operation = operation,
            .device = State::device()};
  for (const Item& earlier : items_)
    if (comes_after(item.stream, earlier.stream) || earlier.id == after)
      item.before.insert(earlier.id);
  item.work = work;
  if (item.before.empty()) {
    if (const cudaError_t error = run(state, item))
      return error;
    if (!item.is_left())
      return cudaSuccess;
  }
  keep(std::move(item));
  return cudaSuccess;
}

void Queue::keep(Item item) {
  last_ = item.id;
  if (item.launch && item.operation)
    item.operation->waited = true;
  items_.push_back(std::move(item));
  start_thread();
}

cudaError_t Queue::perform_item(State& state, Item& item) {
  const auto* const waiting = std::get_if<WaitingWork>(&item.work);
  if (!waiting)
    return perform(state, item.type, item.work);
  const std::optional<cudaError_t> done = waiting->go_on(state, item.step);
  if (!item.waits)
    item.since = std::chrono::steady_clock::now();
  item.waits = !done;
  return done.value_or(cudaSuccess);
}

cudaError_t Queue::run(State& state, Item& item) {
  const int device = State::device();
  if (device != item.device)
    State::choose_device(item.device);
  performing_ = true;
  cudaError_t error = cudaSuccess;
  {
    const Doing doing(state.order(), item.operation);
    error = perform_item(state, item);
  }
  performing_ = false;
  if (device != item.device)
    State::choose_device(device);
  item.launch = state.take_waiting();
  if (item.launch && item.operation)
    item.operation->waited = true;
  return error;
}

bool Queue::has(std::uint64_t item) const {
  return std::ranges::find(items_, item, &Item::id) != items_.end();
}

bool Queue::has_of(cudaStream_t stream) const {
  if (items_.empty())
    return false;
  const StreamPlace place = place_of(stream);
  return std::ranges::any_of(items_, [&](const Item& item) {
    return item.stream.device == place.device &&
           (item.stream.id == place.id || (place.legacy && item.stream.blocks));
  });
}

bool Queue::has_of_device(int device) const {
  return std::ranges::any_of(items_, [&](const Item& item) { return item.device == device; });
}

std::list<Queue::Item>::iterator Queue::remove(std::list<Item>::iterator item) {
  for (Item& other : items_)
    other.before.erase(item->id);
  return items_.erase(item);
}

bool Queue::advance(State& state) {
  if (performing_)
    return false;
  bool changed = false;
  for (auto item = items_.begin(); item != items_.end();) {
    bool ended = false;
    if (item->launch) {
      const Doing doing(state.order(), item->operation);
      ended = state.go_on(*item->launch);
    } else if (item->before.empty()) {
      const std::size_t step = item->step;
      const bool waited = item->waits;
      if (Order* const order = state.order(); order && item->operation)
        order->comes_late(*item->operation);
      if (const cudaError_t error = run(state, *item); error && error_ == cudaSuccess)
        error_ = error;
      ended = !item->is_left();
      changed = changed || !waited || item->step != step;
      if (item->waits && state.is_over(item->since))
        state.end_waiting();
    }
    if (state.is_lost()) {
      items_.clear();
      return true;
    }
    changed = changed || ended;
    item = ended ? remove(item) : std::next(item);
  }
  return changed;
}

bool Queue::is_hopeless() const {
  if (items_.empty())
    return false;
  const bool alone = !has_other_threads(thread_ ? 1 : 0);
  return std::ranges::all_of(items_, [&](const Item& item) {
    if (item.waits) // any thread may write the word
      return alone;
    return item.launch ? item.launch->waits_for == WaitsFor::Nobody ||
                             (alone && item.launch->waits_for != WaitsFor::Anybody)
                       : !item.before.empty();
  });
}

void Queue::give_up(State& state) {
  const auto launch =
      std::ranges::find_if(items_, [](const Item& item) { return item.launch.has_value(); });
  if (launch != items_.end())
    state.give_up(*launch->launch);
  else
    state.end_waiting();
  items_.clear();
}

cudaError_t Queue::take_error() {
  return std::exchange(error_, cudaSuccess);
}

// Starts a thread that advances the queue, so that work goes on without calls of the host.
void Queue::start_thread() {
  if (thread_)
    return;
  thread_ = true;
  std::thread([] {
    State& state = State::get();
    for (Pause pause;;) {
      bool changed = false;
      {
        const Lock lock(state.mutex);
        Queue& queue = state.queue();
        changed = queue.advance(state);
        if (queue.empty()) {
          queue.thread_ = false;
          return;
        }
      }
      pause.wait(changed);
    }
  }).detach();
}

void wait_until(const std::function<bool(const Queue&)>& is_done) {
  State& state = State::get();
  unsigned hopeless = 0;
  for (Pause pause;;) {
    bool changed = false;
    {
      const Lock lock(state.mutex);
      Queue& queue = state.queue();
      if (queue.empty() || queue.performing() || is_done(queue))
        return;
      changed = queue.advance(state);
      hopeless = !changed && queue.is_hopeless() ? hopeless + 1 : 0;
      if (hopeless == 3)
        queue.give_up(state);
    }
    pause.wait(changed);
  }
}

void wait_for_stream(cudaStream_t stream) {
  wait_until([=](const Queue& queue) { return !queue.has_of(stream); });
}

void host_has_waited_for(cudaStream_t stream) {
  State& state = State::get();
  const Lock lock(state.mutex);
  if (Order* const order = state.order(); order && !state.queue().performing())
    order->host_waits_for(place_of(stream));
}

cudaError_t host_has_set(const void* pointer, cudaError_t result) {
  State& state = State::get();
  const Lock lock(state.mutex);
  const Allocation* const allocation = state.heap.find(pointer);
  if (allocation && allocation->kind != MemoryKind::Device)
    host_has_waited_for(nullptr);
  return result;
}

void let_host_know(State& state) {
  if (Order* const order = state.order(); order && order->current())
    order->host_waits(Clock(order->current()->done));
}

cudaError_t after_waiting() {
  State& state = State::get();
  const Lock lock(state.mutex);
  state.flush();
  state.read_shared();
  const cudaError_t error = state.device_error();
  return state.report(error ? error : state.queue().take_error());
}

void wait_for_device() {
  wait_until([](const Queue& queue) { return !queue.has_of_device(State::device()); });
  State& state = State::get();
  const Lock lock(state.mutex);
  if (Order* const order = state.order(); order && !state.queue().performing())
    order->host_waits_for_device(State::device());
}

void gputest_cuda_per_thread_streams(void) {
  default_is_per_thread = true;
}

} // namespace gputest::cuda
