// What a CUDA program's runtime library (cuda/runtime) and gputest-simulator say to each other.
//
// The library starts `gputest-simulator --serve-cuda <socket> <memory>`: two descriptors that it
// inherits. Messages and the end are as in simulator/service/protocol.h, but made of numbers of 8
// bytes and texts, each with its length in front, and there is one reply to each. `memory` is the
// memory of the device: both map it at kDeviceMemory, so that a pointer means the same to both.
//
// load    containers (ir/cuda/container.h)
//           → number of the module; count of kernels: name, size of __shared__ variables, most
//           threads
//             of a block, blocks of a cluster (3; 0: none is said), count of parameters: offset,
//             size; count of variables: name, size, alignment, constant, managed
// read    containers, whether they need no others → nothing: whether they can be read
// place   number of the module, address of each variable: they get their first values
// launch  number of the module, kernel, grid (3), block (3), bytes of dynamic shared memory,
//         whether it is cooperative, blocks of a cluster (3), arguments, checks ("races bounds"),
//         seconds (0: any), orders (block_orders.h), whether it may wait for somebody else, count
//         of changes of memory: what, address, size, and as MemoryChange says
//           → for whom it waits (1 + a RunningLaunch::For), and the launch's number; or 0, seconds
//           in ns, error (a cudaError_t), its message, what printf printed, count of
//           findings:
//             kind, file, line, column, message, count;
//           what orders showed: a model::ScheduledCase as JSON, the name of the kernel for people,
//           its file; or an empty text alone
//
// go on   number of a launch that waits, count of changes of memory: as launch
//           → as of launch
// give up the same: nobody will write what it waits for
//           → as of a launch that has ended
//
// A reply begins with 0, or with a number of cudaError_t and a message.
#pragma once

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>

namespace gputest::simulator::cuda {

constexpr std::uint64_t kDeviceMemory = 0x7d0000000000; // address
constexpr std::uint64_t kDeviceBytes = std::uint64_t{64} << 30, kDevicePage = 4096;

enum class Request : std::uint64_t { Load, Read, Place, Launch, GoOn, GiveUp };
enum class MemoryChange : std::uint64_t {
  Allocate, // size and name, and whose it is: 0 of the device, 1 of the host, 2 managed
  Free,
  Define, // the host has written it
  Copy,   // from the other address, on the device
  Map     // whole pages, from here on of another file: its path, and the first byte's place there
};

// The numbers of cudaError_t that loading and launches end with.
enum LaunchError : std::uint64_t {
  kNoError = 0,
  kInvalidConfiguration = 9,
  kPendingCountExceeded = 69,
  kInvalidKernelImage = 200,
  kInvalidPtx = 218,
  kIllegalAddress = 700,
  kLaunchTimeout = 702,
  kAssert = 710,
  kLaunchFailure = 719,
  kNotSupported = 801
};

class Writer {
public:
  Writer& number(std::uint64_t value) {
    text_.append(reinterpret_cast<const char*>(&value), sizeof value);
    return *this;
  }
  Writer& text(std::string_view value) {
    number(value.size());
    text_ += value;
    return *this;
  }
  Writer& raw(std::string_view written) { // by another writer
    text_ += written;
    return *this;
  }
  const std::string& message() const { return text_; }

private:
  std::string text_;
};

// Throws std::runtime_error where a message ends too early.
class Reader {
public:
  explicit Reader(std::string_view message) : rest_(message) {}
  std::uint64_t number() {
    std::uint64_t value = 0;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }
  std::string text() { return std::string(take(number())); }

private:
  std::string_view take(std::uint64_t size) {
    if (size > rest_.size())
      throw std::runtime_error("a message ends too early");
    const std::string_view part = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return part;
  }
  std::string_view rest_;
};

} // namespace gputest::simulator::cuda
