// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layer/opencl/state_buffer.h"

#include <atomic>
#include <cstring>
#include <stdexcept>
#include <thread>
#include <utility>

namespace gputest::layer {
namespace {

// The number of launches in the mapping, which other processes may read and threads may count.
std::atomic_ref<std::uint64_t> launches(const MappedFile& file, std::size_t state) {
  return std::atomic_ref(*reinterpret_cast<std::uint64_t*>(file.bytes().data() + state));
}

// The implementation calls this when no command uses the buffer any more.
void CL_CALLBACK forget_file(cl_mem, void* owner) {
  delete static_cast<std::shared_ptr<MappedFile>*>(owner);
}

std::size_t aligned(std::size_t bytes) {
  return (bytes + kLaunchCountBytes - 1) / kLaunchCountBytes * kLaunchCountBytes;
}

} // namespace

StateBuffer::StateBuffer(cl_context context, cl_device_id device, const runtime::Bytes& initial,
                         const std::filesystem::path& file, bool shared)
    : file_(std::make_shared<MappedFile>(file, aligned(initial.size()) + kLaunchCountBytes)),
      size_(aligned(initial.size())) {
  std::memcpy(file_->bytes().data(), initial.data(), initial.size());
  if (!context)
    return;
  cl_int error = CL_SUCCESS;
  if (!shared) {
    queue_ = implementation().clCreateCommandQueue(context, device, 0, &error);
    if (!queue_)
      throw std::runtime_error("no queue to read what kernels recorded");
    staging_.resize(size_);
  }
  const cl_mem_flags flags = shared ? CL_MEM_USE_HOST_PTR : CL_MEM_COPY_HOST_PTR;
  buffer_ = implementation().clCreateBuffer(context, CL_MEM_READ_WRITE | flags, size_,
                                            file_->bytes().data(), &error);
  if (!buffer_) {
    if (queue_)
      implementation().clReleaseCommandQueue(queue_);
    throw std::runtime_error("no memory on the device for what kernels record");
  }
  if (shared) { // if it cannot be told when the buffer ends, the file stays mapped
    auto* const owner = new std::shared_ptr<MappedFile>(file_);
    implementation().clSetMemObjectDestructorCallback(buffer_, forget_file, owner);
  }
}

StateBuffer::~StateBuffer() {
  collect(true);
  if (buffer_)
    implementation().clReleaseMemObject(buffer_);
  if (queue_)
    implementation().clReleaseCommandQueue(queue_);
}

void StateBuffer::count_launch() {
  launches(*file_, size_).fetch_add(1, std::memory_order_relaxed);
}

void StateBuffer::collect(bool now) {
  const std::uint64_t count = launches(*file_, size_).load(std::memory_order_relaxed);
  if (!queue_)
    return;
  const std::lock_guard lock(mutex_);
  if (is_stuck_)
    return;
  const Clock::time_point start = Clock::now();
  if (now ? count == 0 : count == collected_ || start < next_)
    return;
  cl_event event = nullptr;
  if (implementation().clEnqueueReadBuffer(queue_, buffer_, CL_FALSE, 0, size_, staging_.data(), 0,
                                           nullptr, &event) != CL_SUCCESS)
    return;
  implementation().clFlush(queue_);
  while (!is_over(event) && Clock::now() - start < kPatience)
    std::this_thread::yield();
  if (is_over(event)) {
    std::memcpy(file_->bytes().data(), staging_.data(), size_);
    collected_ = count;
  } else {
    is_stuck_ = true; // the device may still write there, so this memory is not used again
    new runtime::Bytes(std::move(staging_));
  }
  implementation().clReleaseEvent(event);
  next_ = Clock::now() + 9 * (Clock::now() - start);
}

} // namespace gputest::layer
