// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes what this process leaves in the run folder: a line of JSON for each event, and mapped
// files, so that what kernels recorded survives any end of the process.
#pragma once

#include "runtime/variants/run_events.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <span>
#include <string>

namespace gputest::layer {

// A mapped file of the run folder. It is shared with processes that are forked later.
class MappedFile {
public:
  // Creates `file` with `bytes` bytes, all 0. Throws std::runtime_error.
  MappedFile(const std::filesystem::path& file, std::size_t bytes);
  // Maps an existing file. Makes it at least this long, and fills what is added with 0. Throws
  // std::runtime_error.
  static std::unique_ptr<MappedFile> grown(const std::filesystem::path& file, std::size_t bytes);
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  std::span<std::byte> bytes() const { return bytes_; }

private:
  MappedFile(const std::filesystem::path& file, std::size_t bytes, int flags);

  std::span<std::byte> bytes_; // begins at a page
};

// Threads may share one RunLog. What cannot be written is lost, because the program must not
// notice.
class RunLog {
public:
  explicit RunLog(std::filesystem::path folder);

  // Begins the log of this process, <process>.jsonl, where a process is "<pid>-<time>".
  void begin();

  // Appends a line to the log, which begins with its format. The line is in the file when this
  // returns.
  void write(const runtime::RunEvent& event);

  // Writes the hash of the index-th piece that was read back to <process>.reads. That file has the
  // number of pieces, then their hashes, 8 bytes each. The file may be longer.
  void write_read(std::size_t index, std::uint64_t hash);

  // Returns a unique name for a file of this process: "<process>-<number>.bin".
  std::string new_file_name();
  const std::filesystem::path& folder() const { return folder_; }

private:
  void begin_process();
  void append(std::string lines);
  std::span<std::uint64_t> reads_with(std::size_t index);

  std::filesystem::path folder_;
  std::mutex mutex_;
  std::string process_;
  int pid_ = 0; // a forked child writes files of its own
  int files_ = 0;
  bool has_log_ = false; // of this process
  // Mapped instead of written, because programs make thousands of small reads, and close
  // descriptors that are not theirs.
  std::unique_ptr<MappedFile> reads_;
};

} // namespace gputest::layer
