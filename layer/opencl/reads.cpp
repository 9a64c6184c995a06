// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layer/opencl/reads.h"

#include "model/interface.h"

#include <cstring>
#include <fstream>

namespace gputest::layer {
namespace {

constexpr std::uint64_t kFactor = 0x9e3779b97f4a7c15u; // 2^64 divided by the golden ratio

std::uint64_t mixed(std::uint64_t hash, std::uint64_t word) {
  hash = (hash ^ word) * kFactor;
  return hash ^ hash >> 32;
}

} // namespace

std::uint64_t hash(const Region& region) {
  std::uint64_t value = kFactor;
  for (std::size_t slice = 0; slice < region.slices; ++slice)
    for (std::size_t row = 0; row < region.rows; ++row) {
      const std::byte* at = region.begin + slice * region.slice_pitch + row * region.row_pitch;
      std::size_t i = 0;
      for (; i + 8 <= region.row; i += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, at + i, sizeof word);
        value = mixed(value, word);
      }
      std::uint64_t rest = region.row - i;
      for (; i < region.row; ++i)
        rest = rest << 8 | std::to_integer<std::uint64_t>(at[i]);
      value = mixed(value, rest);
    }
  return value == 0 ? 1 : value;
}

// The host's scheduler decides which thread reads first.
void Reads::note_thread() {
  if (count_ == 0)
    first_ = std::this_thread::get_id();
  if (has_several_ || first_ == std::this_thread::get_id())
    return;
  has_several_ = true;
  services_.log.write(runtime::ReadByThreadsEvent());
}

void Reads::record(std::size_t index, const Region& region) {
  services_.log.write_read(index, hash(region));
  if (services_.settings.keep_reads.contains(index))
    keep(index, region);
}

void Reads::keep(std::size_t index, const Region& region) {
  const std::string file = services_.log.new_file_name();
  std::ofstream stream(services_.log.folder() / file, std::ios::binary);
  for (std::size_t slice = 0; slice < region.slices; ++slice)
    for (std::size_t row = 0; row < region.rows; ++row)
      stream.write(reinterpret_cast<const char*>(region.begin + slice * region.slice_pitch +
                                                 row * region.row_pitch),
                   static_cast<std::streamsize>(region.row));
  stream.close();
  if (!stream)
    return;
  runtime::ReadEvent event{.index = index, .file = file};
  if (const auto name = services_.memory.find(region.source)) {
    event.argument = name->argument;
    event.element = name->element;
  }
  services_.log.write(event);
}

void Reads::complete(const Region& region) {
  look();
  const std::lock_guard lock(mutex_);
  note_thread();
  record(count_++, region);
}

void Reads::enqueued(const Region& region, cl_event event) {
  const std::lock_guard lock(mutex_);
  note_thread();
  implementation().clRetainEvent(event);
  pending_.push_back({count_++, region, event});
}

void Reads::look() {
  const std::lock_guard lock(mutex_);
  std::erase_if(pending_, [&](const Pending& pending) {
    cl_int status = CL_COMPLETE;
    implementation().clGetEventInfo(pending.event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status,
                                    &status, nullptr);
    if (status > CL_COMPLETE)
      return false;
    if (status == CL_COMPLETE)
      record(pending.index, pending.region);
    implementation().clReleaseEvent(pending.event);
    return true;
  });
}

} // namespace gputest::layer
