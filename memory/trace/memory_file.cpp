// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/trace/memory_file.h"

#include "ir/error.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

namespace gputest::memory {
namespace {

[[noreturn]] void fail(const char* what) {
  throw simulator::SimulatorFailure(std::string("cannot ") + what +
                                    " memory of a kernel: " + std::strerror(errno));
}

using Sizes = std::array<std::uint64_t, 4>; // of the text, groups, warps and code: elements

template <typename Container>
void write_all(MemoryFile& file, std::size_t& at, const Container& all) {
  const auto bytes = std::as_bytes(std::span(all));
  file.write_at(at, bytes);
  at += bytes.size();
}

template <typename Container>
void read_all(const MemoryFile& file, std::size_t& at, Container& all, std::uint64_t size) {
  all.resize(size);
  const auto bytes = std::as_writable_bytes(std::span(all));
  file.read_at(at, bytes);
  at += bytes.size();
}

} // namespace

MemoryFile::MemoryFile(std::size_t size)
    : descriptor_(::memfd_create("gputest-memory", MFD_CLOEXEC)) {
  if (descriptor_ < 0)
    fail("make");
  if (::ftruncate(descriptor_, static_cast<off_t>(size)) != 0) {
    ::close(descriptor_);
    fail("make");
  }
}

MemoryFile::~MemoryFile() {
  ::close(descriptor_);
}

void MemoryFile::write_at(std::size_t offset, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t size =
        ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (size <= 0)
      fail("write");
    offset += static_cast<std::size_t>(size);
    bytes = bytes.subspan(static_cast<std::size_t>(size));
  }
}

void MemoryFile::read_at(std::size_t offset, std::span<std::byte> bytes) const {
  while (!bytes.empty()) {
    const ssize_t size =
        ::pread(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (size <= 0)
      fail("read");
    offset += static_cast<std::size_t>(size);
    bytes = bytes.subspan(static_cast<std::size_t>(size));
  }
}

void write_answer(MemoryFile& file, const std::string& problem, const LaunchTrace& trace) {
  const Sizes sizes{problem.size(), trace.groups.size(), trace.warps.size(), trace.code.size()};
  std::size_t at = 0;
  write_all(file, at, sizes);
  write_all(file, at, problem);
  write_all(file, at, trace.groups);
  write_all(file, at, trace.warps);
  write_all(file, at, trace.code);
}

std::string read_answer(const MemoryFile& file, LaunchTrace& trace) {
  Sizes sizes{};
  std::string problem;
  file.read_at(0, std::as_writable_bytes(std::span(sizes)));
  std::size_t at = sizeof sizes;
  read_all(file, at, problem, sizes[0]);
  read_all(file, at, trace.groups, sizes[1]);
  read_all(file, at, trace.warps, sizes[2]);
  read_all(file, at, trace.code, sizes[3]);
  return problem;
}

} // namespace gputest::memory
