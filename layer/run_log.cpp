// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layer/run_log.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <fcntl.h>
#include <fmt/format.h>
#include <stdexcept>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace gputest::layer {

MappedFile::MappedFile(const std::filesystem::path& file, std::size_t bytes)
    : MappedFile(file, bytes, O_CREAT | O_EXCL) {}

std::unique_ptr<MappedFile> MappedFile::grown(const std::filesystem::path& file,
                                              std::size_t bytes) {
  return std::unique_ptr<MappedFile>(new MappedFile(file, bytes, 0));
}

MappedFile::MappedFile(const std::filesystem::path& file, std::size_t bytes, int flags) {
  const int descriptor = ::open(file.c_str(), O_RDWR | O_CLOEXEC | flags, 0666);
  if (descriptor < 0)
    throw std::runtime_error(fmt::format("{}: cannot be written", file.string()));
  // Allocates the file now, so that a full disk is an error here, and no SIGBUS in a kernel.
  void* memory = MAP_FAILED;
  if (::posix_fallocate(descriptor, 0, static_cast<off_t>(bytes)) == 0)
    memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  ::close(descriptor);
  if (memory == MAP_FAILED)
    throw std::runtime_error(fmt::format("{}: cannot hold {} bytes", file.string(), bytes));
  bytes_ = {static_cast<std::byte*>(memory), bytes};
}

MappedFile::~MappedFile() {
  ::munmap(bytes_.data(), bytes_.size());
}

RunLog::RunLog(std::filesystem::path folder) : folder_(std::move(folder)) {}

void RunLog::begin_process() {
  if (pid_ == ::getpid())
    return;
  pid_ = ::getpid();
  files_ = 0;
  has_log_ = false;
  reads_.reset(); // that of the parent
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  process_ =
      fmt::format("{}-{}", pid_, std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

void RunLog::begin() {
  const std::lock_guard lock(mutex_);
  append("");
}

void RunLog::write(const runtime::RunEvent& event) {
  std::string line = line_of(event) + '\n';
  const std::lock_guard lock(mutex_);
  append(std::move(line));
}

void RunLog::append(std::string lines) {
  begin_process();
  if (!std::exchange(has_log_, true))
    lines.insert(0, line_of(runtime::ProcessEvent{runtime::kRunLogFormat}) + '\n');
  const std::filesystem::path file = folder_ / (process_ + ".jsonl");
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor < 0)
    return;
  std::size_t written = 0;
  while (written < lines.size()) {
    const ssize_t count = ::write(descriptor, lines.data() + written, lines.size() - written);
    if (count <= 0)
      break;
    written += static_cast<std::size_t>(count);
  }
  ::close(descriptor);
}

// The hashes, with room for the index-th, behind their number.
std::span<std::uint64_t> RunLog::reads_with(std::size_t index) {
  constexpr std::size_t kWord = sizeof(std::uint64_t), kFirstBytes = 4096;
  const std::size_t needed = (index + 2) * kWord;
  const std::filesystem::path file = folder_ / (process_ + ".reads");
  if (!reads_)
    reads_ = std::make_unique<MappedFile>(file, std::max(std::bit_ceil(needed), kFirstBytes));
  else if (reads_->bytes().size() < needed)
    reads_ = MappedFile::grown(file, std::bit_ceil(needed));
  return {reinterpret_cast<std::uint64_t*>(reads_->bytes().data()), reads_->bytes().size() / kWord};
}

void RunLog::write_read(std::size_t index, std::uint64_t hash) {
  const std::lock_guard lock(mutex_);
  begin_process();
  const std::span<std::uint64_t> words = reads_with(index);
  words[index + 1] = hash;
  words[0] = std::max<std::uint64_t>(words[0], index + 1);
}

std::string RunLog::new_file_name() {
  const std::lock_guard lock(mutex_);
  begin_process();
  return fmt::format("{}-{}.bin", process_, ++files_);
}

} // namespace gputest::layer
