// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/records/reads.h"

#include "cuda/records/text.h"

#include <cstdio>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <unistd.h>

namespace gputest::cuda {
namespace {

constexpr std::uint64_t kFactor = 0x9e3779b97f4a7c15u; // 2^64 divided by the golden ratio

std::uint64_t mixed(std::uint64_t hash, std::uint64_t word) {
  hash = (hash ^ word) * kFactor;
  return hash ^ hash >> 32;
}

void write_all(int file, const void* bytes, std::size_t size) {
  const char* at = static_cast<const char*>(bytes);
  while (file >= 0 && size > 0) {
    const ssize_t count = ::write(file, at, size);
    if (count <= 0)
      return;
    at += count;
    size -= static_cast<std::size_t>(count);
  }
}

} // namespace

ReadBack::ReadBack(const char* variable) : hash_(kFactor) {
  const std::string wanted = environment(variable);
  if (!wanted.empty())
    records_ = environment("GPUTEST_CUDA_RECORDS");
  keeps_values_ = wanted == "values";
}

void ReadBack::add(const void* bytes, std::size_t size) {
  if (!is_wanted() || size == 0 || !open_files())
    return;
  const char* const at = static_cast<const char*>(bytes);
  for (std::size_t i = 0; i < size; i += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, at + i, size - i < sizeof word ? size - i : sizeof word);
    hash_ = mixed(hash_, word);
  }
  size_ += size;
  if (keeps_values_ && kept_ + size <= kMostValues) {
    write_all(values_, bytes, size);
    kept_ += size;
  } else {
    kept_ = kMostValues; // values of later pieces would be at a wrong place
  }
  if (open_ == 0)
    write();
}

void ReadBack::end() {
  if (--open_ == 0 && size_ > 0)
    write();
}

void ReadBack::write() {
  const std::uint64_t piece[] = {size_, mixed(hash_, size_)};
  write_all(hashes_, piece, sizeof piece);
  size_ = 0;
  hash_ = kFactor;
}

// A forked process has files of its own.
bool ReadBack::open_files() {
  if (process_ == ::getpid())
    return hashes_ >= 0;
  process_ = ::getpid();
  kept_ = 0;
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  char name[64];
  std::snprintf(name, sizeof name, "/%012lld%09ld-%d", static_cast<long long>(now.tv_sec),
                now.tv_nsec, process_);
  const auto open = [&](const char* ending) {
    return ::open((records_ + name + ending).c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC,
                  0666);
  };
  hashes_ = open(".reads");
  values_ = keeps_values_ ? open(".values") : -1;
  return hashes_ >= 0;
}

} // namespace gputest::cuda
