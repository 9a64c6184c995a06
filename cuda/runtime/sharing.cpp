// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory that processes share (CUDA C++ Programming Guide, "Interprocess Communication"). A handle
// names a process and the place of an allocation in its memory; another process maps it.
#include "cuda/runtime/call.h"

#include <cstring>
#include <fcntl.h>
#include <unistd.h>

using namespace gputest::cuda;

namespace {

struct MemoryHandle {
  char kind[8] = {'g', 'p', 'u', 't', 'e', 's', 't', 'm'};
  std::int64_t process = 0;
  std::int64_t file = 0; // its descriptor there
  std::uint64_t offset = 0, size = 0;
};
struct EventHandle {
  char kind[8] = {'g', 'p', 'u', 't', 'e', 's', 't', 'e'};
};
static_assert(sizeof(MemoryHandle) <= sizeof(cudaIpcMemHandle_t));

template <typename Known, typename Handle> bool read(const Handle& handle, Known& known) {
  const Known wanted{};
  std::memcpy(static_cast<void*>(&known), &handle, sizeof known);
  return std::memcmp(known.kind, wanted.kind, sizeof known.kind) == 0;
}

} // namespace

extern "C" {
cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t* handle, void* pointer) {
  return call([&](State& state) {
    const Allocation* const allocation = state.heap.find(pointer);
    if (!handle || !allocation || allocation->kind != MemoryKind::Device || allocation->shared ||
        allocation->placed)
      return cudaErrorInvalidValue;
    const MemoryHandle made{.process = ::getpid(),
                            .file = state.heap.descriptor(),
                            .offset = Heap::offset_of(allocation->address),
                            .size = allocation->size};
    std::memset(handle, 0, sizeof *handle);
    std::memcpy(handle, &made, sizeof made);
    return cudaSuccess;
  });
}
cudaError_t cudaIpcOpenMemHandle(void** pointer, cudaIpcMemHandle_t handle, unsigned int flags) {
  return call([&](State& state) {
    MemoryHandle memory;
    if (!pointer || flags != cudaIpcMemLazyEnablePeerAccess || !read(handle, memory))
      return cudaErrorInvalidValue;
    if (memory.process == ::getpid())
      return cudaErrorDeviceUninitialized; // CUDA's answer for a handle of the process's own memory
    const std::string path =
        "/proc/" + std::to_string(memory.process) + "/fd/" + std::to_string(memory.file);
    const int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC); // stays open: the simulator opens it
    const std::uint64_t address = file < 0 ? 0 : state.import(file, memory.offset, memory.size);
    if (address == 0)
      return cudaErrorMapBufferObjectFailed;
    *pointer = reinterpret_cast<void*>(address);
    return cudaSuccess;
  });
}
cudaError_t cudaIpcCloseMemHandle(void* pointer) {
  return call([&](State& state) {
    const Allocation* const allocation = state.heap.find(pointer);
    if (!allocation || !allocation->shared)
      return cudaErrorInvalidValue;
    return state.free(allocation->address) ? cudaSuccess : cudaErrorInvalidValue;
  });
}
// Work is done when it is put into its stream, so a process never waits for another one's events.
cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t* handle, cudaEvent_t event) {
  return call([&](State&) {
    constexpr unsigned kNeeded = cudaEventInterprocess | cudaEventDisableTiming;
    if (!handle)
      return cudaErrorInvalidValue;
    if (!is_live(event) || (event->flags & kNeeded) != kNeeded)
      return cudaErrorInvalidResourceHandle;
    const EventHandle made;
    std::memset(handle, 0, sizeof *handle);
    std::memcpy(handle, &made, sizeof made);
    return cudaSuccess;
  });
}
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t* event, cudaIpcEventHandle_t handle) {
  EventHandle known;
  if (!event || !read(handle, known))
    return State::get().report(cudaErrorInvalidValue);
  return cudaEventCreateWithFlags(event, cudaEventInterprocess | cudaEventDisableTiming);
}
}
