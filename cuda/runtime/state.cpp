// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/runtime/state.h"

#include "cuda/records/text.h"
#include "cuda/runtime/order/host_faults.h"
#include "cuda/runtime/queue.h"
#include "ir/cuda/container.h"
#include "model/cuda_environment.h"
#include "process/ended.h"

#include <cctype>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

// Is defined only in programs whose calls another process makes (cuda/gpu/remote.cpp).
extern "C" [[gnu::weak]] void gputest_cuda_is_used();

namespace gputest::cuda {
namespace {

using simulator::cuda::Writer;

thread_local ThreadErrors errors;
thread_local int chosen_device = 0;
State* made = nullptr; // NOLINT: what get() returns, once somebody has called it
// Tells `gputest run` that a program without kernels uses CUDA (program/cuda/recognise.cpp).
[[gnu::used, gnu::section("gputest_cuda_runtime")]] const char is_runtime = 1;

constexpr std::uint64_t kMostDevices = 16, kMostSeconds = 1'000'000'000;

} // namespace

// Never destroyed: programs call CUDA in destructors of their own.
State& State::get() {
  static State* const state = made = new State; // NOLINT
  return *state;
}

void State::end() {
  if (made)
    made->end_of_program();
}

State::State()
    : limits{{cudaLimitStackSize, 1024},
             {cudaLimitPrintfFifoSize, std::size_t{1} << 20},
             {cudaLimitMallocHeapSize, std::size_t{8} << 20},
             {cudaLimitDevRuntimeSyncDepth, 2},
             {cudaLimitDevRuntimePendingLaunchCount, 2048},
             {cudaLimitMaxL2FetchGranularity, 64},
             {cudaLimitPersistingL2CacheSize, 0}},
      process_(::getpid()), checks_(environment("GPUTEST_CUDA_CHECKS")),
      findings_file_(environment("GPUTEST_CUDA_FINDINGS")),
      orders_(environment("GPUTEST_CUDA_SCHEDULES")), queue_(std::make_unique<Queue>()) {
  limit_ = environment_number("GPUTEST_CUDA_LIMIT", {0, kMostSeconds}, 0);
  devices_ = static_cast<int>(environment_number("GPUTEST_CUDA_DEVICES", {1, kMostDevices}, 1));
  environment_number(model::kZeroShared, {0, 1}, 0); // which the simulator reads
  if (const std::string size = environment(model::kWarpSize);
      !size.empty() && size != "32" && size != "64")
    refuse_environment(std::string(model::kWarpSize) + ": '" + size +
                       "' is no size of a warp: 32 and 64 are");
  else if (size == "64")
    warp_size_ = 64;
  of_devices_.resize(static_cast<std::size_t>(devices_));
  follows_definedness_ = checks_.find("uninitialized") != std::string::npos;
  choose_checks();
  std::atexit([] {
    State& state = State::get();
    const Lock lock(state.mutex);
    state.flush();
    state.write_down("{\"launches\": " + std::to_string(state.launches_) +
                     ", \"library_calls\": " + std::to_string(state.library_calls_) + "}\n");
  });
}

int State::device() {
  return chosen_device;
}

void State::choose_device(int device) {
  chosen_device = device;
}

ThreadErrors& State::thread_errors() {
  return errors;
}

cudaError_t State::report(cudaError_t error) {
  if (gputest_cuda_is_used)
    gputest_cuda_is_used();
  called = errors.called = true;
  if (error != cudaSuccess && error != cudaErrorNotReady)
    errors.last = error;
  return error;
}

cudaError_t State::take_last_error() {
  return std::exchange(errors.last, cudaSuccess);
}

cudaError_t State::last_error() const {
  return errors.last;
}

cudaError_t State::device_error() {
  if (pending_ != cudaSuccess) {
    sticky_ = pending_;
    pending_ = cudaSuccess;
  }
  return sticky_;
}

void State::reset() {
  if (is_broken())
    sticky_ = cudaErrorDevicesUnavailable;
}

void State::flush() {
  if (output_.empty())
    return;
  std::fwrite(output_.data(), 1, output_.size(), stdout);
  std::fflush(stdout);
  output_.clear();
}

// Returns a message with the names of the program's language: hipMalloc for cudaMalloc. What is
// part of a file's name stays.
std::string State::in_words(std::string message) const {
  if (modules_.empty() ||
      (ir::cuda::container_flags(modules_.front().container) & ir::cuda::kHip) == 0)
    return message;
  struct Word {
    std::string_view theirs, hip;
    bool begins_name; // a capital follows: cudaMalloc
  };
  constexpr Word kWords[]{
      {"cuda", "hip", true}, {"CUDA", "HIP", false}, {"inline PTX", "inline assembler", false}};
  for (const auto& [theirs, hip, begins_name] : kWords)
    for (std::size_t at = message.find(theirs); at != std::string::npos;
         at = message.find(theirs, at + hip.size())) {
      const std::size_t end = at + theirs.size();
      const auto after = static_cast<unsigned char>(end < message.size() ? message[end] : ' ');
      const auto before = static_cast<unsigned char>(at > 0 ? message[at - 1] : ' ');
      const bool is_of_name = std::isalnum(before) != 0 || before == '/' || before == '_';
      if (!is_of_name && (begins_name ? std::isupper(after) != 0
                                      : std::isalnum(after) == 0 && after != '/' && after != '_'))
        message.replace(at, theirs.size(), hip);
    }
  return message;
}

void State::tell(const std::string& kind, const std::string& file, std::uint64_t line,
                 std::uint64_t column, const std::string& given, std::uint64_t count,
                 const std::string& other) {
  const std::string message = in_words(given);
  const std::string place =
      line == 0 ? "" : file + ":" + std::to_string(line) + ":" + std::to_string(column) + ": ";
  if (kind.empty()) {
    if (told_.insert(place).second)
      std::fprintf(stderr, "%snote: %s\n", place.c_str(), message.c_str());
    return;
  }
  // A finding of many launches is shown once.
  if (told_.insert(place + kind + other + (line == 0 ? message : "")).second)
    std::fprintf(stderr, "%serror: %s [%s]%s\n", place.c_str(), message.c_str(), kind.c_str(),
                 count > 1 ? (", " + std::to_string(count) + " times").c_str() : "");
  write_down("{\"kind\": " + quoted(kind) + ", \"file\": " + quoted(file) +
             ", \"line\": " + std::to_string(line) + ", \"column\": " + std::to_string(column) +
             ", \"message\": " + quoted(message) + ", \"count\": " + std::to_string(count) + other +
             "}\n");
}

void State::write_down(const std::string& json) const {
  if (findings_file_.empty())
    return;
  if (std::FILE* const stream = std::fopen(findings_file_.c_str(), "ae")) {
    std::fwrite(json.data(), 1, json.size(), stream);
    std::fclose(stream);
  }
}

cudaError_t State::broken(cudaError_t error, const std::string& message) {
  if (!message.empty())
    std::fprintf(stderr, "%s\n", in_words(message).c_str());
  pending_ = error;
  return error;
}

Simulator& State::simulator(std::string path) {
  if (path.empty() && !modules_.empty()) // PTX does not say where it is
    path = simulator_of(bytes_of_container(modules_.front().container));
  if (!simulator_)
    simulator_ = std::make_unique<Simulator>(path, heap.descriptor());
  return *simulator_;
}

// Whoever has started the program must not take what it does now for an answer, so a file says that
// others have ended the simulator.
std::optional<std::string> State::ask(const std::string& path, const Writer& request) {
  Simulator& asked = simulator(path);
  const bool was_there = asked.is_there();
  std::optional<std::string> answer = asked.ask(request);
  if (answer || !was_there) // it could not be started, or the message is printed
    return answer;
  if (asked.ended_by_others().empty()) {
    std::fprintf(stderr, "gputest-cuda: error: the simulator has ended without an answer\n");
    return answer;
  }
  std::fprintf(stderr,
               "gputest-cuda: error: the simulator was ended %s, by somebody else or for want of "
               "memory; what the program does from here on says nothing about it\n",
               asked.ended_by_others().c_str());
  if (const std::string file = environment(process::kSimulatorLost); !file.empty())
    if (std::FILE* const stream = std::fopen(file.c_str(), "ae")) {
      std::fprintf(stream, "%s\n", asked.ended_by_others().c_str());
      std::fclose(stream);
    }
  return answer;
}

std::string State::argument_block(const KernelInfo& kernel, void** arguments) {
  std::string block(kernel.arguments_size, '\0');
  for (std::size_t i = 0; i < kernel.offsets.size(); ++i)
    std::memcpy(block.data() + kernel.offsets[i], arguments[i], kernel.sizes[i]);
  return block;
}

void State::tell_allocation(std::uint64_t address, std::size_t size, MemoryKind kind,
                            const std::string& name) {
  ++allocations_;
  if (order_ && kind != MemoryKind::Device)
    order_->shares_memory();
  using Kind = simulator::cuda::DeviceMemoryKind;
  changes_.emplace_back(simulator::cuda::AllocatedMemory{
      .address = address,
      .size = size,
      .name = name.empty() ? "allocation " + std::to_string(allocations_) : name,
      .kind = kind == MemoryKind::Host      ? Kind::Pinned
              : kind == MemoryKind::Managed ? Kind::Managed
                                            : Kind::Device});
}

void State::place(std::uint64_t address, std::size_t size) {
  heap.place(address, size);
  tell_allocation(address, size, MemoryKind::Device, "");
}

std::uint64_t State::allocate(std::size_t size, MemoryKind kind, unsigned flags,
                              const std::string& name) {
  const std::uint64_t address = heap.allocate(size, kind, flags, device());
  if (address == 0)
    return 0;
  tell_allocation(address, size, kind, name);
  if (kind != MemoryKind::Device) // the host may write it at any time
    written(reinterpret_cast<const void*>(address), size);
  return address;
}

// The simulator opens the file as one of this process's.
void State::tell_map(std::uint64_t begin, std::size_t size, int file, std::size_t offset) {
  changes_.emplace_back(simulator::cuda::MappedMemory{
      .address = begin,
      .size = size,
      .file = "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(file),
      .offset = offset});
}

std::uint64_t State::import(int file, std::size_t offset, std::size_t size) {
  constexpr std::size_t kPage = simulator::cuda::kDevicePage;
  const std::uint64_t address = heap.import(file, offset, size, device());
  if (address == 0)
    return 0;
  const std::size_t before = offset % kPage;
  tell_map(address - before, (before + size + kPage - 1) / kPage * kPage, file, offset - before);
  tell_allocation(address, size, MemoryKind::Device, "");
  written(reinterpret_cast<const void*>(address), size);
  return address;
}

bool State::map(std::uint64_t begin, std::size_t size, int file, std::size_t offset) {
  const bool mapped = heap.map(begin, size, file, offset);
  if (mapped)
    tell_map(begin, size, file, offset);
  return mapped;
}

void State::tell_end(std::uint64_t address) {
  changes_.emplace_back(simulator::cuda::FreedMemory{.address = address});
}

void State::displace(std::uint64_t address) {
  heap.displace(address);
  tell_end(address);
}

bool State::free(std::uint64_t address) {
  const Allocation* const allocation = heap.find(reinterpret_cast<const void*>(address));
  const std::size_t size = allocation ? allocation->size : 0;
  if (order_)
    order_->freed(address, size);
  if (!heap.free(address))
    return false;
  if (host_faults_)
    host_faults_->freed(address);
  tell_end(address);
  return true;
}

void State::written(const void* to, std::size_t size) {
  touch(to, size, true);
  if (!follows_definedness_ || !heap.find(to))
    return;
  changes_.emplace_back(
      simulator::cuda::DefinedMemory{.address = reinterpret_cast<std::uint64_t>(to), .size = size});
}

void State::read_shared() {
  if (!reads.is_wanted() || launches_ == read_launches_)
    return;
  read_launches_ = launches_;
  for (const auto& [address, allocation] : heap.allocations())
    if (allocation.kind != MemoryKind::Device)
      reads.add(heap.view(reinterpret_cast<const void*>(address)), allocation.size);
  for (const HostRange& range : host_ranges)
    reads.add(range.host, range.size);
}

const HostRange* State::host_range_of(const void* pointer) const {
  for (const HostRange& range : host_ranges)
    if (range.offset_of(pointer) < range.size)
      return &range;
  return nullptr;
}

void State::copied(const void* to, const void* from, std::size_t size) {
  if (reads.is_wanted()) {
    const auto is_of_device = [&](const void* pointer) {
      const Allocation* const allocation = heap.find(pointer);
      return allocation && allocation->kind != MemoryKind::Host;
    };
    if (is_of_device(from) && !is_of_device(to))
      reads.add(place_of_host(to), size);
  }
  touch(from, size, false);
  if (!follows_definedness_ || !heap.find(to) || !heap.find(from)) {
    written(to, size);
    return;
  }
  touch(to, size, true);
  changes_.emplace_back(
      simulator::cuda::CopiedMemory{.address = reinterpret_cast<std::uint64_t>(to),
                                    .size = size,
                                    .from = reinterpret_cast<std::uint64_t>(from)});
}

} // namespace gputest::cuda

// For cuda/gpu/server.cpp: an earlier fork of the same program may have used the memory.
extern "C" void gputest_cuda_forget() {
  gputest::cuda::State::get().heap.clear_all();
}
