// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The protocol between a CUDA program's runtime library (cuda/runtime) and gputest-simulator.
//
// The library starts `gputest-simulator --serve-cuda <socket> <memory>` with two inherited
// descriptors. Framing and end are those of simulator/service/protocol.h. A request is a Request
// and the structure that it needs (codec.h); each has one reply.
// `memory` is the device's memory, which both map at kDeviceMemory, so pointers are valid in both.
//
// load     containers (ir/cuda/container.h)
//          → a LoadedModule
// read     CheckedCode
//          → nothing; the error says whether the containers can be read
// place    PlacedModule
//          → nothing; variables have their initial values
// launch   a KernelLaunch
//          → an AnsweredLaunch
// go on    a ContinuedLaunch, which waits
//          → as launch
// give up  the same, if the launch will wait forever
//          → as launch, of a launch that has ended
// locate   an AddressOfHost
//          → a list of CodeOfHost: the places of the instruction in its debug information
// prepare  a PreparedKernel
//          → nothing; the kernel's code is there from now on
// fork     whether it runs a mutant; then two descriptors (process/descriptor.h): a socket, and
//          memory with a copy of the device's
//          → nothing; a fork of the simulator serves that socket with that memory. One runs at a
//            time
// ended    whether to wait until the fork ends, instead of ending it
//          → an EndedFork
// first unwritten   ReadRanges
//          → FirstUnwritten
//
// A reply begins with 0, or with a number of cudaError_t and a message.
#pragma once

#include "simulator/cuda/codec.h"
#include "simulator/natives/cuda_errors.h"

#include <array>
#include <cstdint>
#include <string>
#include <tuple>
#include <variant>
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
constexpr Request last_of(Request) {
  return Request::FirstUnwritten;
}
enum class DeviceMemoryKind : std::uint64_t { Device, Pinned, Managed };
constexpr DeviceMemoryKind last_of(DeviceMemoryKind) {
  return DeviceMemoryKind::Managed;
}
// Says who can end the wait of a launch.
enum class WaitsFor : std::uint64_t {
  Nobody,   // nothing that it reads can change, because no one else can write it
  Launches, // it reads memory of the device
  Host,     // it reads memory that the host may write
  Anybody   // not known: it still counts or reads the clock
};
constexpr WaitsFor last_of(WaitsFor) {
  return WaitsFor::Anybody;
}

struct AccessedRange {
  std::uint64_t begin, size; // address; bytes
  std::uint32_t place;       // its number
  std::uint32_t kind;        // AccessKind
};
constexpr bool is_known(const AccessedRange& range) {
  return range.kind <= kAtomicRead;
}

// Changes of memory since the last message that had some. Addresses, and sizes in bytes.
struct AllocatedMemory {
  std::uint64_t address = 0, size = 0;
  std::string name{};
  DeviceMemoryKind kind = DeviceMemoryKind::Device;
};
constexpr auto members_of(const AllocatedMemory*) {
  using T = AllocatedMemory;
  return std::tuple{&T::address, &T::size, &T::name, &T::kind};
}
struct FreedMemory {
  std::uint64_t address = 0;
};
constexpr auto members_of(const FreedMemory*) {
  return std::tuple{&FreedMemory::address};
}
struct DefinedMemory { // the host has written it
  std::uint64_t address = 0, size = 0;
};
constexpr auto members_of(const DefinedMemory*) {
  return std::tuple{&DefinedMemory::address, &DefinedMemory::size};
}
struct CopiedMemory { // on the device
  std::uint64_t address = 0, size = 0, from = 0;
};
constexpr auto members_of(const CopiedMemory*) {
  return std::tuple{&CopiedMemory::address, &CopiedMemory::size, &CopiedMemory::from};
}
struct MappedMemory { // whole pages of another file
  std::uint64_t address = 0, size = 0;
  std::string file{};
  std::uint64_t offset = 0;
};
constexpr auto members_of(const MappedMemory*) {
  using T = MappedMemory;
  return std::tuple{&T::address, &T::size, &T::file, &T::offset};
}
using MemoryChange =
    std::variant<AllocatedMemory, FreedMemory, DefinedMemory, CopiedMemory, MappedMemory>;
using MemoryChanges = std::vector<MemoryChange>;

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

struct LoadedModule {
  std::uint64_t number = 0;
  std::vector<LoadedKernel> kernels{};
  std::vector<LoadedVariable> variables{};
};
constexpr auto members_of(const LoadedModule*) {
  return std::tuple{&LoadedModule::number, &LoadedModule::kernels, &LoadedModule::variables};
}
struct CheckedCode {
  std::string containers{};
  bool whole = false; // they must need no others
};
constexpr auto members_of(const CheckedCode*) {
  return std::tuple{&CheckedCode::containers, &CheckedCode::whole};
}
struct PlacedModule {
  std::uint64_t number = 0;
  std::vector<std::uint64_t> addresses{}; // of its variables
};
constexpr auto members_of(const PlacedModule*) {
  return std::tuple{&PlacedModule::number, &PlacedModule::addresses};
}
struct PreparedKernel {
  std::uint64_t module = 0;
  std::string kernel{}, checks{};
};
constexpr auto members_of(const PreparedKernel*) {
  return std::tuple{&PreparedKernel::module, &PreparedKernel::kernel, &PreparedKernel::checks};
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
  MemoryChanges changes{};
};
constexpr auto members_of(const KernelLaunch*) {
  using T = KernelLaunch;
  return std::tuple{&T::module,      &T::kernel,   &T::grid,      &T::block,  &T::shared_bytes,
                    &T::cooperative, &T::cluster,  &T::arguments, &T::checks, &T::limit,
                    &T::orders,      &T::may_wait, &T::accesses,  &T::changes};
}

struct ContinuedLaunch {
  std::uint64_t number = 0;
  MemoryChanges changes{};
};
constexpr auto members_of(const ContinuedLaunch*) {
  return std::tuple{&ContinuedLaunch::number, &ContinuedLaunch::changes};
}
struct ByteRange {
  std::uint64_t begin = 0, size = 0; // address; bytes
};
constexpr auto members_of(const ByteRange*) {
  return std::tuple{&ByteRange::begin, &ByteRange::size};
}
struct ReadRanges {
  std::vector<ByteRange> ranges{};
  MemoryChanges changes{};
};
constexpr auto members_of(const ReadRanges*) {
  return std::tuple{&ReadRanges::ranges, &ReadRanges::changes};
}
struct FirstUnwritten {                 // the first byte in the ranges that nobody has written
  std::uint64_t range = 0, address = 0; // the range's number; address 0: there is none
};
constexpr auto members_of(const FirstUnwritten*) {
  return std::tuple{&FirstUnwritten::range, &FirstUnwritten::address};
}
struct EndedFork {
  int exit_code = 0, signal = 0; // signal 0: none has ended it
  bool is_unknown = false;
};
constexpr auto members_of(const EndedFork*) {
  return std::tuple{&EndedFork::exit_code, &EndedFork::signal, &EndedFork::is_unknown};
}

struct AddressOfHost {
  std::string file{}; // a program or shared library
  std::uint64_t address = 0;
};
constexpr auto members_of(const AddressOfHost*) {
  return std::tuple{&AddressOfHost::file, &AddressOfHost::address};
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

struct OrderedLaunch {          // with orders
  std::string scheduled{};      // a model::ScheduledCase as JSON; empty: this launch has none
  std::string kernel{}, file{}; // the kernel's name for people, its file
};
constexpr auto members_of(const OrderedLaunch*) {
  return std::tuple{&OrderedLaunch::scheduled, &OrderedLaunch::kernel, &OrderedLaunch::file};
}
struct StalledLaunch { // it waits
  std::uint64_t number = 0;
  WaitsFor waits_for = WaitsFor::Anybody;
};
constexpr auto members_of(const StalledLaunch*) {
  return std::tuple{&StalledLaunch::number, &StalledLaunch::waits_for};
}
struct AnsweredLaunch {
  std::variant<EndedLaunch, StalledLaunch> launch{};
  OrderedLaunch ordered{};
};
constexpr auto members_of(const AnsweredLaunch*) {
  return std::tuple{&AnsweredLaunch::launch, &AnsweredLaunch::ordered};
}

} // namespace gputest::simulator::cuda
