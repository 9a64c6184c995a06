// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streams and events. Work runs as soon as it is put into a stream, which satisfies every
// order, unless something waits for the host (queue.h).
#include "cuda/runtime/call.h"

#include <algorithm>
#include <chrono>

using namespace gputest::cuda;

namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::map<int, cudaLaunchAttributeValue>& attributes_of(State& state, cudaStream_t stream) {
  return is_default(stream) ? state.default_stream.attributes : stream->attributes;
}

void host_has_waited_for(const CUevent_st& event) {
  State& state = State::get();
  const Lock lock(state.mutex);
  if (Order* const order = state.order(); order && !state.queue().performing())
    order->host_waits(event.done);
}

// Whether such work is still in the queue. Lets waiting kernels go on first.
template <typename Has> bool is_left(Has&& has) {
  State& state = State::get();
  const Lock lock(state.mutex);
  if (!has(state.queue()))
    return false;
  state.queue().advance(state);
  return has(state.queue());
}

} // namespace

extern "C" {
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority) {
  return call([&](State&) {
    if (!stream || flags > cudaStreamNonBlocking)
      return cudaErrorInvalidValue;
    static unsigned long long created = 2; // the default ones have 1 and 2
    *stream = new CUstream_st{.flags = flags,
                              .priority = std::clamp(priority, -5, 0),
                              .device = State::device(),
                              .id = ++created};
    created_streams().push_back(*stream);
    if (Order* const order = State::get().order())
      order->will_be_concurrent();
    return cudaSuccess;
  });
}
cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return cudaStreamCreateWithPriority(stream, cudaStreamDefault, 0);
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags) {
  return cudaStreamCreateWithPriority(stream, flags, 0);
}
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  if (!priority || wrong_stream(stream))
    return State::get().report(!priority ? cudaErrorInvalidValue : wrong_stream(stream));
  *priority = is_made(stream) ? stream->priority : 0;
  return cudaSuccess;
}
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int* flags) {
  if (!flags || wrong_stream(stream))
    return State::get().report(!flags ? cudaErrorInvalidValue : wrong_stream(stream));
  *flags = is_made(stream) ? stream->flags : cudaStreamDefault;
  return cudaSuccess;
}
cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id) {
  return call_with({id}, [&](State&) {
    *id = is_made(stream) ? stream->id : stream == cudaStreamPerThread ? 2 : 1;
    return wrong_stream(stream);
  });
}
cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device) {
  return call_with({device}, [&](State&) {
    *device = device_of(stream);
    return wrong_stream(stream);
  });
}
// Priorities have no effect here.
cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaLaunchAttributeID attribute,
                                   const cudaLaunchAttributeValue* value) {
  return call_with({value}, [&](State& state) {
    if (const cudaError_t error = wrong_stream(stream))
      return error;
    attributes_of(state, stream)[attribute] = *value;
    return cudaSuccess;
  });
}
cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaLaunchAttributeID attribute,
                                   cudaLaunchAttributeValue* value) {
  return call_with({value}, [&](State& state) {
    if (const cudaError_t error = wrong_stream(stream))
      return error;
    *value = attributes_of(state, stream)[attribute];
    return cudaSuccess;
  });
}
cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from) {
  return call([&](State& state) {
    if (wrong_stream(to) || wrong_stream(from))
      return cudaErrorInvalidResourceHandle;
    attributes_of(state, to) = attributes_of(state, from);
    return cudaSuccess;
  });
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return call([&](State&) {
    if (!is_made(stream))
      return cudaErrorInvalidResourceHandle;
    if (Order* const order = State::get().order())
      order->operations().end(place_of(stream));
    created_streams().remove(stream);
    delete stream;
    return cudaSuccess;
  });
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  if (const cudaError_t error = end_captures_by_waiting(stream))
    return error;
  wait_for_stream(stream);
  host_has_waited_for(stream);
  return after_waiting();
}
cudaError_t cudaStreamQuery(cudaStream_t stream) {
  if (const cudaError_t error = end_captures_by_waiting(stream))
    return error;
  if (is_left([&](const Queue& queue) { return queue.has_of(stream); }))
    return cudaErrorNotReady;
  host_has_waited_for(stream);
  return after_waiting();
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags) {
  return call_with({event}, [&](State& state) {
    if (const cudaError_t error = wrong_stream(stream))
      return error;
    // The event of a capture that has ended is in a graph, and never occurs.
    if (event->capture && !goes_on(event->capture))
      return cudaErrorInvalidValue;
    const cudaStream_t record = record_of(stream);
    if (record && goes_on(event->capture)) { // the stream joins the capture
      record->capture = event->capture;
      for (cudaGraphNode_t node : event->last)
        if (std::ranges::find(record->last, node) == record->last.end())
          record->last.push_back(node);
    } else if (CUgraph_st* const graph = capture_of(stream)) {
      if (flags == cudaEventWaitExternal)
        record->last = {
            &add_node(*graph, cudaGraphNodeTypeWaitEvent, EventWork{event}, record->last)};
    } else {
      if (Order* const order = state.order()) {
        order->operations().wait(place_of(stream), event->done);
        order->put(place_of(stream), "a wait");
      }
      if (state.queue().has(event->item))
        return state.queue().put(state, stream, cudaGraphNodeTypeEmpty, Work(), event->item);
    }
    return cudaSuccess;
  });
}
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data,
                                  unsigned int) {
  State& state = State::get();
  if (!callback || wrong_stream(stream))
    return state.report(!callback ? cudaErrorInvalidValue : wrong_stream(stream));
  if (capture_of(stream)) // only cudaLaunchHostFunc() can be captured
    return end_captures_by_waiting(stream);
  {
    const Lock lock(state.mutex);
    if (state.queue().has_of(stream))
      return in_stream(stream, cudaGraphNodeTypeHost, [=](State& later) {
        later.flush();
        let_host_know(later);
        callback(stream, later.device_error(), data);
        return cudaSuccess;
      });
  }
  state.flush();
  host_has_waited_for(stream);
  callback(stream, state.device_error(), data);
  return cudaSuccess;
}
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  if (!function)
    return State::get().report(cudaErrorInvalidValue);
  return in_stream(stream, cudaGraphNodeTypeHost, Work(cudaHostNodeParams{function, data}));
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
  return call([&](State&) {
    if (!event)
      return cudaErrorInvalidValue;
    *event = new CUevent_st{.flags = flags, .device = State::device()};
    return cudaSuccess;
  });
}
cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return cudaEventCreateWithFlags(event, cudaEventDefault);
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return call_with({event}, [&](State& state) {
    if (state.queue().empty()) // else queued work may record it
      delete event;
    return cudaSuccess;
  });
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags) {
  if (!is_live(event) || wrong_stream(stream) || event->device != device_of(stream))
    return State::get().report(cudaErrorInvalidResourceHandle);
  event->capture = flags == cudaEventRecordExternal ? nullptr : capture_of(stream);
  if (event->capture) { // later captured work may wait for it
    event->last = record_of(stream)->last;
    return cudaSuccess;
  }
  State& state = State::get();
  const Lock lock(state.mutex);
  const bool of_graph = capture_of(stream) || state.queue().performing();
  const cudaError_t error =
      in_stream(stream, cudaGraphNodeTypeEventRecord, [event, of_graph](State& later) {
        event->recorded = true;
        event->seconds = now();
        if (Order* const order = later.order(); order && of_graph && order->current())
          event->done = order->current()->done;
        return cudaSuccess;
      });
  if (Order* const order = state.order(); order && !of_graph && order->last())
    event->done = order->last()->done;
  if (!state.queue().performing())
    event->item = state.queue().empty() ? 0 : state.queue().last();
  return error;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return cudaEventRecordWithFlags(event, stream, cudaEventRecordDefault);
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
  if (!is_live(event))
    return State::get().report(cudaErrorInvalidResourceHandle);
  if (const cudaError_t error = end_captures_by_waiting(*event))
    return error;
  if (is_left([&](const Queue& queue) { return queue.has(event->item); }))
    return cudaErrorNotReady;
  host_has_waited_for(*event);
  return after_waiting();
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  if (!is_live(event))
    return State::get().report(cudaErrorInvalidResourceHandle);
  if (const cudaError_t error = end_captures_by_waiting(*event))
    return error;
  wait_until([=](const Queue& queue) { return !queue.has(event->item); });
  host_has_waited_for(*event);
  return after_waiting();
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  return call_with({start, end, milliseconds}, [&](State& state) {
    if (start->capture || end->capture) // in a graph, which does not set the time
      return cudaErrorInvalidValue;
    if (state.queue().has(start->item) || state.queue().has(end->item))
      return cudaErrorNotReady;
    if (!start->recorded || !end->recorded || (start->flags | end->flags) & cudaEventDisableTiming)
      return cudaErrorInvalidResourceHandle;
    *milliseconds = static_cast<float>((end->seconds - start->seconds) * 1e3);
    return cudaSuccess;
  });
}
}
