// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The protocol between a CUDA program's runtime library (cuda/runtime) and gputest-simulator.
//
// The library starts `gputest-simulator --serve-cuda <socket> <memory>` with two inherited
// descriptors. Framing and end are those of simulator/service/protocol.h. Messages consist of
// numbers of 8 bytes and of texts, each with its length in front. Each request has one reply.
// `memory` is the device's memory, which both map at kDeviceMemory, so pointers are valid in both.
//
// load     containers (ir/cuda/container.h)
//          → number of the module;
//            count of kernels, each: name, bytes of __shared__ variables, most threads of a block,
//              blocks of a cluster (3; 0: the launch decides), count of parameters, each: offset,
//              size;
//            count of variables, each: name, size, alignment, constant, managed
// read     containers, whether they must need no others
//          → nothing; the error says whether they can be read
// place    number of the module, address of each variable
//          → nothing; variables have their initial values
// launch   number of the module, kernel, grid (3), block (3), bytes of dynamic shared memory,
//          cooperative, blocks of a cluster (3), arguments, checks ("races bounds"), seconds (0: no
//          limit), orders (block_orders.h), whether it may wait, AccessesWanted, and memory
//          changes: their count, each: MemoryChange, address, size, and what MemoryChange says
//          → 1 + a RunningLaunch::For and the launch's number, if it waits; or
//            0, nanoseconds, error (a cudaError_t), its message, output of printf();
//            count of findings, each: kind (empty: a note), file, line, column, message, count,
//            cause; whether it signals (Footprint), count of places, each: file, line, column; the
//            ranges
//              of bytes that it has accessed: a text of AccessedRange;
//            result of orders: a model::ScheduledCase as JSON, the kernel's name for people, its
//              file; or only an empty text
// go on    number of a launch that waits, memory changes as in launch
//          → as launch
// give up  the same, if the launch will wait forever
//          → as launch, of a launch that has ended
// locate   the path of a program or shared library, an address in it
//          → file, line, column of the instruction in its debug information; line 0: not known
// first unwritten   count of ranges, each: address, bytes; memory changes as in launch
//          → number of the range and address of the first byte in it that nobody has written;
//            address 0: there is none
//
// A reply begins with 0, or with a number of cudaError_t and a message.
#pragma once

#include "simulator/natives/cuda_errors.h"

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>

namespace gputest::simulator::cuda {

constexpr std::uint64_t kDeviceMemory = 0x7d0000000000; // address
constexpr std::uint64_t kDeviceBytes = std::uint64_t{64} << 30, kDevicePage = 4096;

enum class Request : std::uint64_t {
  Load,
  Read,
  Place,
  Launch,
  GoOn,
  GiveUp,
  Locate,
  FirstUnwritten
};
enum class AccessesWanted : std::uint64_t {
  None,
  OfHost, // those of pinned and managed memory
  All
};
struct AccessedRange {
  std::uint64_t begin, size; // address; bytes
  std::uint32_t place;       // its number
  std::uint32_t kind;        // AccessKind
};
enum AccessKind : std::uint32_t { kPlainWrite, kPlainRead, kAtomicWrite, kAtomicRead };
enum class MemoryChange : std::uint64_t {
  Allocate, // size, name, and kind: 0 device, 1 pinned, 2 managed
  Free,
  Define, // the host has written the bytes
  Copy,   // on the device, from another address
  Map     // maps whole pages of another file: its path, and the offset there
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
  Writer& raw(std::string_view written) { // appends another writer's message
    text_ += written;
    return *this;
  }
  const std::string& message() const { return text_; }

private:
  std::string text_;
};

// Throws std::runtime_error if a message ends too early, or has a number that is none of those that
// it may be.
class Reader {
public:
  explicit Reader(std::string_view message) : rest_(message) {}
  std::uint64_t number() {
    std::uint64_t value = 0;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }
  std::string text() { return std::string(take(number())); }
  // An enumerator, of which `last` is the last.
  template <typename Enum> Enum one_of(Enum last) {
    const std::uint64_t value = number();
    if (value > static_cast<std::uint64_t>(last))
      throw std::runtime_error("a message has a number that nobody knows");
    return static_cast<Enum>(value);
  }
  // How many entries follow, each of at least one number.
  std::uint64_t count() {
    const std::uint64_t value = number();
    if (value > rest_.size() / sizeof value)
      throw std::runtime_error("a message ends too early");
    return value;
  }

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
