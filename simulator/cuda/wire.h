// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The protocol between a CUDA program's runtime library (cuda/runtime) and gputest-simulator.
//
// The library starts `gputest-simulator --serve-cuda <socket> <memory>` with two inherited
// descriptors. Framing and end are those of simulator/service/protocol.h. Messages consist of
// numbers of 8 bytes and of texts, each with its length in front. Each request has one reply.
// `memory` is the device's memory, which both map at kDeviceMemory, so pointers are valid in both.
//
// load     containers (ir/cuda/container.h)
//          → number of the module; count of kernels, each a LoadedKernel; count of variables, each
//            a LoadedVariable
// read     containers, whether they must need no others
//          → nothing; the error says whether they can be read
// place    number of the module, address of each variable
//          → nothing; variables have their initial values
// launch   a KernelLaunch, and memory changes: their count, each: MemoryChange, address, size, and
//          what MemoryChange says
//          → 1 + a RunningLaunch::For and the launch's number, if it waits; or
//            0, an EndedLaunch, and the result of orders: a model::ScheduledCase as JSON, the
//            kernel's name for people, its file; or only an empty text
// go on    number of a launch that waits, memory changes as in launch
//          → as launch
// give up  the same, if the launch will wait forever
//          → as launch, of a launch that has ended
// locate   the path of a program or shared library, an address in it
//          → a list of CodeOfHost: the places of the instruction in its debug information
// prepare  number of the module, kernel, checks
//          → nothing; the kernel's code is there from now on
// fork     whether it runs a mutant; then two descriptors (process/descriptor.h): a socket, and
//          memory with a copy of the device's
//          → nothing; a fork of the simulator serves that socket with that memory. One runs at a
//            time
// ended    whether to wait until the fork ends, instead of ending it
//          → its exit code, the signal that has ended it or 0, whether that is not known
// first unwritten   count of ranges, each: address, bytes; memory changes as in launch
//          → number of the range and address of the first byte in it that nobody has written;
//            address 0: there is none
//
// A reply begins with 0, or with a number of cudaError_t and a message.
#pragma once

#include "simulator/natives/cuda_errors.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

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
  Prepare,
  Fork,
  Ended,
  FirstUnwritten
};
enum class AccessesWanted : std::uint64_t {
  None,
  OfHost, // those of pinned and managed memory
  All
};
constexpr AccessesWanted last_of(AccessesWanted) {
  return AccessesWanted::All;
}
enum AccessKind : std::uint32_t { kPlainWrite, kPlainRead, kAtomicWrite, kAtomicRead };
// The number of a cudaError_t, of which cudaErrorApiFailureBase is the last.
enum class CudaError : std::uint32_t {};
constexpr CudaError last_of(CudaError) {
  return CudaError{10000};
}
enum class MemoryChange : std::uint64_t {
  Allocate, // size, name, and kind: 0 device, 1 pinned, 2 managed
  Free,
  Define, // the host has written the bytes
  Copy,   // on the device, from another address
  Map     // maps whole pages of another file: its path, and the offset there
};

// What messages consist of: members_of() lists the members of a structure in the order in which
// they are sent, for both directions. Numbers, and enumerators with a last_of(), have 8 bytes;
// lists have their length in front. A list of structures with an is_known() is a text of their
// bytes.
template <typename T>
concept Message = requires(const T& message) { members_of(&message); };
template <typename T>
concept Packed = requires(const T& message) { is_known(message); };

struct AccessedRange {
  std::uint64_t begin, size; // address; bytes
  std::uint32_t place;       // its number
  std::uint32_t kind;        // AccessKind
};
constexpr bool is_known(const AccessedRange& range) {
  return range.kind <= kAtomicRead;
}

struct KernelParameter {
  std::uint64_t offset = 0, size = 0; // bytes
};
constexpr auto members_of(const KernelParameter*) {
  return std::tuple{&KernelParameter::offset, &KernelParameter::size};
}
struct LoadedKernel {
  std::string name{};
  std::uint64_t shared_size = 0;          // bytes of __shared__ variables
  std::uint32_t most_threads = 0;         // of a block
  std::array<std::uint64_t, 3> cluster{}; // blocks; 0: the launch decides
  std::vector<KernelParameter> parameters{};
};
constexpr auto members_of(const LoadedKernel*) {
  using T = LoadedKernel;
  return std::tuple{&T::name, &T::shared_size, &T::most_threads, &T::cluster, &T::parameters};
}
struct LoadedVariable {
  std::string name{};
  std::uint64_t size = 0, alignment = 0; // bytes
  bool constant = false, managed = false;
};
constexpr auto members_of(const LoadedVariable*) {
  using T = LoadedVariable;
  return std::tuple{&T::name, &T::size, &T::alignment, &T::constant, &T::managed};
}

struct KernelLaunch {
  std::uint64_t module = 0; // its number
  std::string kernel{};
  std::array<std::uint64_t, 3> grid{}, block{};
  std::uint64_t shared_bytes = 0; // of dynamic shared memory
  bool cooperative = false;
  std::array<std::uint64_t, 3> cluster{}; // blocks
  std::string arguments{}, checks{};      // checks: "races bounds"
  std::uint64_t limit = 0;                // seconds; 0: no limit
  std::string orders{};                   // block_orders.h
  bool may_wait = false;
  AccessesWanted accesses = AccessesWanted::None;
};
constexpr auto members_of(const KernelLaunch*) {
  using T = KernelLaunch;
  return std::tuple{&T::module,      &T::kernel,   &T::grid,      &T::block,  &T::shared_bytes,
                    &T::cooperative, &T::cluster,  &T::arguments, &T::checks, &T::limit,
                    &T::orders,      &T::may_wait, &T::accesses};
}

struct LineOfCode {
  std::string file{};
  std::uint64_t line = 0, column = 0;
};
constexpr auto members_of(const LineOfCode*) {
  return std::tuple{&LineOfCode::file, &LineOfCode::line, &LineOfCode::column};
}
struct CodeOfHost {
  LineOfCode line{};      // line 0: not known
  std::string function{}; // "main+0x1c"; empty: not known
};
constexpr auto members_of(const CodeOfHost*) {
  return std::tuple{&CodeOfHost::line, &CodeOfHost::function};
}
struct ToldFinding {
  std::string kind{}; // empty: a note
  LineOfCode place{};
  std::string message{};
  std::uint64_t count = 0;
  std::string cause{};
};
constexpr auto members_of(const ToldFinding*) {
  using T = ToldFinding;
  return std::tuple{&T::kind, &T::place, &T::message, &T::count, &T::cause};
}
struct EndedLaunch {
  std::uint64_t nanoseconds = 0;
  CudaError error{};
  std::string message{}, output{}; // output: of printf()
  std::vector<ToldFinding> findings{};
  bool signals = false; // Footprint
  std::vector<LineOfCode> places{};
  std::vector<AccessedRange> ranges{}; // that it has accessed
};
constexpr auto members_of(const EndedLaunch*) {
  using T = EndedLaunch;
  return std::tuple{&T::nanoseconds, &T::error,   &T::message, &T::output,
                    &T::findings,    &T::signals, &T::places,  &T::ranges};
}

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
  template <typename T> Writer& put(const T& value) {
    if constexpr (Message<T>)
      std::apply([&](const auto... member) { (put(value.*member), ...); }, members_of(&value));
    else if constexpr (std::is_enum_v<T> || std::is_integral_v<T>)
      number(static_cast<std::uint64_t>(value));
    else if constexpr (std::is_same_v<T, std::string>)
      text(value);
    else if constexpr (Packed<typename T::value_type>)
      text({reinterpret_cast<const char*>(value.data()), value.size() * sizeof value[0]});
    else {
      if constexpr (requires { value.capacity(); })
        number(value.size());
      for (const auto& one : value)
        put(one);
    }
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
    return static_cast<Enum>(up_to(static_cast<std::uint64_t>(last)));
  }
  // How many entries follow, each of at least one number.
  std::uint64_t count() {
    const std::uint64_t value = number();
    if (value > rest_.size() / sizeof value)
      throw std::runtime_error("a message ends too early");
    return value;
  }
  template <typename T> T get() {
    T value{};
    read(value);
    return value;
  }

private:
  std::uint64_t up_to(std::uint64_t most) {
    const std::uint64_t value = number();
    if (value > most)
      throw std::runtime_error("a message has a number that nobody knows");
    return value;
  }
  template <typename T> void read(T& value) {
    if constexpr (Message<T>)
      std::apply([&](const auto... member) { (read(value.*member), ...); }, members_of(&value));
    else if constexpr (std::is_enum_v<T>)
      value = one_of(last_of(value));
    else if constexpr (std::is_integral_v<T>)
      value = static_cast<T>(up_to(std::numeric_limits<T>::max()));
    else if constexpr (std::is_same_v<T, std::string>)
      value = text();
    else if constexpr (Packed<typename T::value_type>)
      read_packed(value);
    else {
      if constexpr (requires { value.capacity(); })
        value.resize(count());
      for (auto& one : value)
        read(one);
    }
  }
  template <typename T> void read_packed(std::vector<T>& list) {
    const std::string_view bytes = take(number());
    list.resize(bytes.size() / sizeof(T));
    if (bytes.size() % sizeof(T) != 0)
      throw std::runtime_error("a message ends too early");
    if (!list.empty())
      std::memcpy(list.data(), bytes.data(), bytes.size());
    for (const T& one : list)
      if (!is_known(one))
        throw std::runtime_error("a message has a number that nobody knows");
  }
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
