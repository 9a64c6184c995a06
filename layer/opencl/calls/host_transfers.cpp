// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layer/opencl/calls/host_transfers.h"

#include "layer/opencl/calls/shared.h"

#include <fmt/format.h>
#include <map>
#include <mutex>
#include <tuple>
#include <type_traits>

namespace gputest::layer {
namespace {

constexpr std::size_t kMostRows = 1024; // of a rectangle that is followed row by row

cl_icd_dispatch& below_transfers() {
  static cl_icd_dispatch functions{};
  return functions;
}

// Makes the call as `enqueue(event)`, and tells the check of it.
template <typename Enqueue>
cl_int enqueued(CommandCall call, cl_event* event, const Enqueue& enqueue) {
  HostCheck& check = *shared().host;
  quietly([&] { check.before(call); });
  cl_event own = nullptr;
  const bool needs_own = !event && !call.blocking && call.uses_host();
  const cl_int error = enqueue(needs_own ? &own : event);
  if (error == CL_SUCCESS)
    quietly([&] { check.put(call, event ? *event : own); });
  if (own)
    implementation().clReleaseEvent(own);
  return error;
}

// A transfer of `size` bytes from byte `offset` of `buffer` on, and what it does there.
struct Part {
  cl_mem buffer = nullptr;
  std::size_t offset = 0, size = 0;
  bool write = false;
};

template <typename Enqueue>
cl_int transfer(CommandCall call, std::initializer_list<Part> parts, cl_event* event,
                const Enqueue& enqueue) {
  quietly([&] {
    for (const Part& part : parts)
      call.touch(part.buffer, {{part.offset, part.size, part.write}});
  });
  const cl_int error = enqueued(call, event, enqueue);
  if (error == CL_INVALID_VALUE)
    quietly([&] {
      for (const Part& part : parts)
        shared().host->refused(call, part.buffer, part.offset, part.size);
    });
  return error;
}

// A read or a write: where a read puts the bytes is no constant. `function`: that of the table.
template <typename Host> constexpr bool kReads = !std::is_const_v<std::remove_pointer_t<Host>>;

template <auto function, typename Host>
cl_int CL_API_CALL host_transfer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                 std::size_t offset, std::size_t size, Host host, cl_uint count,
                                 const cl_event* events, cl_event* event) {
  CommandCall call{.queue = queue,
                   .what = kReads<Host> ? "clEnqueueReadBuffer()" : "clEnqueueWriteBuffer()",
                   .count = count,
                   .events = events,
                   .blocking = blocking != CL_FALSE};
  call.touch_host(host, {{0, size, kReads<Host>}});
  return transfer(std::move(call), {{buffer, offset, size, !kReads<Host>}}, event,
                  [&](cl_event* own) {
                    return (below_transfers().*function)(queue, buffer, blocking, offset, size,
                                                         host, count, events, own);
                  });
}

cl_int CL_API_CALL host_copy_buffer(cl_command_queue queue, cl_mem from, cl_mem to,
                                    std::size_t from_offset, std::size_t to_offset,
                                    std::size_t size, cl_uint count, const cl_event* events,
                                    cl_event* event) {
  return transfer({.queue = queue,
                   .what = "clEnqueueCopyBuffer()",
                   .count = count,
                   .events = events,
                   .copies = true},
                  {{from, from_offset, size, false}, {to, to_offset, size, true}}, event,
                  [&](cl_event* own) {
                    return below_transfers().clEnqueueCopyBuffer(
                        queue, from, to, from_offset, to_offset, size, count, events, own);
                  });
}

cl_int CL_API_CALL host_fill_buffer(cl_command_queue queue, cl_mem buffer, const void* pattern,
                                    std::size_t pattern_size, std::size_t offset, std::size_t size,
                                    cl_uint count, const cl_event* events, cl_event* event) {
  return transfer(
      {.queue = queue, .what = "clEnqueueFillBuffer()", .count = count, .events = events},
      {{buffer, offset, size, true}}, event, [&](cl_event* own) {
        return below_transfers().clEnqueueFillBuffer(queue, buffer, pattern, pattern_size, offset,
                                                     size, count, events, own);
      });
}

// The rows of a rectangle. Of more than kMostRows rows, nothing is said.
std::vector<Touch> rows(const std::size_t* origin, const std::size_t* region, std::size_t row,
                        std::size_t slice, bool write) {
  row = row == 0 ? region[0] : row;
  slice = slice == 0 ? row * region[1] : slice;
  std::vector<Touch> all;
  if (region[1] * region[2] > kMostRows)
    return all;
  for (std::size_t z = 0; z < region[2]; ++z)
    for (std::size_t y = 0; y < region[1]; ++y)
      all.push_back(
          {(origin[2] + z) * slice + (origin[1] + y) * row + origin[0], region[0], write});
  return all;
}

template <auto function, typename Host>
cl_int CL_API_CALL host_rect(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                             const std::size_t* buffer_origin, const std::size_t* host_origin,
                             const std::size_t* region, std::size_t buffer_row,
                             std::size_t buffer_slice, std::size_t host_row, std::size_t host_slice,
                             Host host, cl_uint count, const cl_event* events, cl_event* event) {
  CommandCall call{.queue = queue,
                   .what =
                       kReads<Host> ? "clEnqueueReadBufferRect()" : "clEnqueueWriteBufferRect()",
                   .count = count,
                   .events = events,
                   .blocking = blocking != CL_FALSE};
  quietly([&] {
    call.touch(buffer, rows(buffer_origin, region, buffer_row, buffer_slice, !kReads<Host>));
    call.touch_host(host, rows(host_origin, region, host_row, host_slice, kReads<Host>));
  });
  return enqueued(std::move(call), event, [&](cl_event* own) {
    return (below_transfers().*function)(queue, buffer, blocking, buffer_origin, host_origin,
                                         region, buffer_row, buffer_slice, host_row, host_slice,
                                         host, count, events, own);
  });
}

cl_int CL_API_CALL host_copy_rect(cl_command_queue queue, cl_mem from, cl_mem to,
                                  const std::size_t* from_origin, const std::size_t* to_origin,
                                  const std::size_t* region, std::size_t from_row,
                                  std::size_t from_slice, std::size_t to_row, std::size_t to_slice,
                                  cl_uint count, const cl_event* events, cl_event* event) {
  CommandCall call{.queue = queue,
                   .what = "clEnqueueCopyBufferRect()",
                   .count = count,
                   .events = events,
                   .copies = true};
  quietly([&] {
    call.touch(from, rows(from_origin, region, from_row, from_slice, false));
    call.touch(to, rows(to_origin, region, to_row, to_slice, true));
  });
  return enqueued(std::move(call), event, [&](cl_event* own) {
    return below_transfers().clEnqueueCopyBufferRect(queue, from, to, from_origin, to_origin,
                                                     region, from_row, from_slice, to_row, to_slice,
                                                     count, events, own);
  });
}

// What unmapping does with mapped memory.
struct Mapped {
  std::size_t offset = 0, size = 0;
  bool writes = false;
};
struct MappedMemory {
  std::mutex mutex;
  std::map<std::pair<cl_mem, const void*>, Mapped> all;
};
MappedMemory& mapped_memory() {
  static auto* const all = new MappedMemory; // programs call OpenCL from destructors
  return *all;
}

void* CL_API_CALL host_map_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                  cl_map_flags flags, std::size_t offset, std::size_t size,
                                  cl_uint count, const cl_event* events, cl_event* event,
                                  cl_int* error) {
  CommandCall call{.queue = queue,
                   .what = "clEnqueueMapBuffer()",
                   .count = count,
                   .events = events,
                   .blocking = blocking != CL_FALSE,
                   .maps = true};
  const bool writes = (flags & ~static_cast<cl_map_flags>(CL_MAP_READ)) != 0;
  void* mapped = nullptr;
  const cl_int result =
      transfer(std::move(call), {{buffer, offset, size, false}}, event, [&](cl_event* own) {
        cl_int failure = CL_SUCCESS;
        mapped = below_transfers().clEnqueueMapBuffer(queue, buffer, blocking, flags, offset, size,
                                                      count, events, own, &failure);
        return failure;
      });
  if (error)
    *error = result;
  if (mapped) {
    const std::lock_guard lock(mapped_memory().mutex);
    mapped_memory().all[{buffer, mapped}] = {offset, size, writes};
  }
  return mapped;
}

cl_int CL_API_CALL host_unmap(cl_command_queue queue, cl_mem memory, void* pointer, cl_uint count,
                              const cl_event* events, cl_event* event) {
  CommandCall call{
      .queue = queue, .what = "clEnqueueUnmapMemObject()", .count = count, .events = events};
  quietly([&] {
    const std::lock_guard lock(mapped_memory().mutex);
    const auto known = mapped_memory().all.find({memory, pointer});
    if (known == mapped_memory().all.end())
      return;
    if (known->second.writes)
      call.touch(memory, {{known->second.offset, known->second.size, true}});
    mapped_memory().all.erase(known);
  });
  return enqueued(std::move(call), event, [&](cl_event* own) {
    return below_transfers().clEnqueueUnmapMemObject(queue, memory, pointer, count, events, own);
  });
}

cl_int launched(const CommandCall& call, cl_event* event, cl_int error) {
  quietly([&] {
    CommandCall whole = call;
    std::vector<AccessedMemory> accessed = shared().services->simulator->take_accessed();
    whole.writes_all = accessed.empty(); // it ran on the device
    for (AccessedMemory& one : accessed) {
      std::vector<Touch> touches;
      for (const auto& bytes : one.bytes)
        touches.push_back({bytes.begin, bytes.size, bytes.write, bytes.atomic});
      if (one.memory)
        whole.touch(one.memory, std::move(touches));
    }
    if (error == CL_SUCCESS)
      shared().host->put(whole, event ? *event : nullptr);
  });
  return error;
}

cl_int CL_API_CALL host_enqueue_kernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                       const std::size_t* offset, const std::size_t* global,
                                       const std::size_t* local, cl_uint count,
                                       const cl_event* events, cl_event* event) {
  return launched({.queue = queue,
                   .what = fmt::format("kernel '{}'", name_of(kernel)),
                   .count = count,
                   .events = events},
                  event,
                  below_transfers().clEnqueueNDRangeKernel(queue, kernel, dimensions, offset,
                                                           global, local, count, events, event));
}

cl_int CL_API_CALL host_enqueue_task(cl_command_queue queue, cl_kernel kernel, cl_uint count,
                                     const cl_event* events, cl_event* event) {
  return launched({.queue = queue,
                   .what = fmt::format("kernel '{}'", name_of(kernel)),
                   .count = count,
                   .events = events},
                  event, below_transfers().clEnqueueTask(queue, kernel, count, events, event));
}

// Commands whose accesses are not followed. The last arguments are a list of events and the
// command's own; `blocking`: the index of that argument; -1: there is none.
template <auto function, int blocking, CommandKind kind, typename... Arguments>
cl_int CL_API_CALL host_plain(cl_command_queue queue, Arguments... arguments) {
  constexpr std::size_t kCount = sizeof...(Arguments);
  const auto all = std::tuple(arguments...);
  CommandCall call{.queue = queue,
                   .what = "a command",
                   .kind = kind,
                   .count = std::get<kCount - 3>(all),
                   .events = std::get<kCount - 2>(all)};
  if constexpr (blocking >= 0)
    call.blocking = std::get<static_cast<std::size_t>(blocking)>(all) != CL_FALSE;
  const cl_int error = (below_transfers().*function)(queue, arguments...);
  cl_event* const event = std::get<kCount - 1>(all);
  if (error == CL_SUCCESS)
    quietly([&] { shared().host->put(call, event ? *event : nullptr); });
  return error;
}

cl_int CL_API_CALL host_image_to_buffer(cl_command_queue queue, cl_mem image, cl_mem buffer,
                                        const std::size_t* origin, const std::size_t* region,
                                        std::size_t offset, cl_uint count, const cl_event* events,
                                        cl_event* event) {
  CommandCall call{.queue = queue, .what = "a command", .count = count, .events = events};
  quietly([&] { call.touch(buffer, {}); });
  return enqueued(std::move(call), event, [&](cl_event* own) {
    return below_transfers().clEnqueueCopyImageToBuffer(queue, image, buffer, origin, region,
                                                        offset, count, events, own);
  });
}

cl_int CL_API_CALL host_native_kernel(cl_command_queue queue, void(CL_CALLBACK* function)(void*),
                                      void* arguments, std::size_t size, cl_uint memory_count,
                                      const cl_mem* memory, const void** places, cl_uint count,
                                      const cl_event* events, cl_event* event) {
  return enqueued(
      {.queue = queue, .what = "a command", .count = count, .events = events, .writes_all = true},
      event, [&](cl_event* own) {
        return below_transfers().clEnqueueNativeKernel(
            queue, function, arguments, size, memory_count, memory, places, count, events, own);
      });
}

cl_int CL_API_CALL host_old_marker(cl_command_queue queue, cl_event* event) {
  return enqueued({.queue = queue, .what = "a marker", .kind = CommandKind::Marker}, event,
                  [&](cl_event* own) { return below_transfers().clEnqueueMarker(queue, own); });
}

cl_int CL_API_CALL host_old_barrier(cl_command_queue queue) {
  return enqueued({.queue = queue, .what = "a barrier", .kind = CommandKind::Barrier}, nullptr,
                  [&](cl_event*) { return below_transfers().clEnqueueBarrier(queue); });
}

cl_int CL_API_CALL host_old_wait(cl_command_queue queue, cl_uint count, const cl_event* events) {
  return enqueued({.queue = queue,
                   .what = "a barrier",
                   .kind = CommandKind::Barrier,
                   .count = count,
                   .events = events},
                  nullptr, [&](cl_event*) {
                    return below_transfers().clEnqueueWaitForEvents(queue, count, events);
                  });
}

} // namespace

void watch_transfers(cl_icd_dispatch& dispatch) {
  below_transfers() = dispatch;
  using Table = cl_icd_dispatch;
  dispatch.clEnqueueReadBuffer = host_transfer<&Table::clEnqueueReadBuffer, void*>;
  dispatch.clEnqueueWriteBuffer = host_transfer<&Table::clEnqueueWriteBuffer, const void*>;
  dispatch.clEnqueueCopyBuffer = host_copy_buffer;
  dispatch.clEnqueueFillBuffer = host_fill_buffer;
  dispatch.clEnqueueReadBufferRect = host_rect<&Table::clEnqueueReadBufferRect, void*>;
  dispatch.clEnqueueWriteBufferRect = host_rect<&Table::clEnqueueWriteBufferRect, const void*>;
  dispatch.clEnqueueCopyBufferRect = host_copy_rect;
  dispatch.clEnqueueMapBuffer = host_map_buffer;
  dispatch.clEnqueueUnmapMemObject = host_unmap;
  dispatch.clEnqueueNDRangeKernel = host_enqueue_kernel;
  dispatch.clEnqueueTask = host_enqueue_task;
  dispatch.clEnqueueMarker = host_old_marker;
  dispatch.clEnqueueBarrier = host_old_barrier;
  dispatch.clEnqueueWaitForEvents = host_old_wait;
  constexpr auto kPlain = CommandKind::Plain;
  dispatch.clEnqueueMarkerWithWaitList =
      host_plain<&Table::clEnqueueMarkerWithWaitList, -1, CommandKind::Marker>;
  dispatch.clEnqueueBarrierWithWaitList =
      host_plain<&Table::clEnqueueBarrierWithWaitList, -1, CommandKind::Barrier>;
  dispatch.clEnqueueReadImage = host_plain<&Table::clEnqueueReadImage, 1, kPlain>;
  dispatch.clEnqueueWriteImage = host_plain<&Table::clEnqueueWriteImage, 1, kPlain>;
  dispatch.clEnqueueCopyImage = host_plain<&Table::clEnqueueCopyImage, -1, kPlain>;
  dispatch.clEnqueueFillImage = host_plain<&Table::clEnqueueFillImage, -1, kPlain>;
  dispatch.clEnqueueCopyImageToBuffer = host_image_to_buffer;
  dispatch.clEnqueueCopyBufferToImage = host_plain<&Table::clEnqueueCopyBufferToImage, -1, kPlain>;
  dispatch.clEnqueueMigrateMemObjects = host_plain<&Table::clEnqueueMigrateMemObjects, -1, kPlain>;
  dispatch.clEnqueueNativeKernel = host_native_kernel;
  dispatch.clEnqueueSVMMemcpy = host_plain<&Table::clEnqueueSVMMemcpy, 0, kPlain>;
  dispatch.clEnqueueSVMMemFill = host_plain<&Table::clEnqueueSVMMemFill, -1, kPlain>;
  dispatch.clEnqueueSVMMap = host_plain<&Table::clEnqueueSVMMap, 0, kPlain>;
  dispatch.clEnqueueSVMUnmap = host_plain<&Table::clEnqueueSVMUnmap, -1, kPlain>;
  dispatch.clEnqueueSVMMigrateMem = host_plain<&Table::clEnqueueSVMMigrateMem, -1, kPlain>;
}

} // namespace gputest::layer
