// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records what the program reads back from the device, so that runs can be compared.
//
// GPUTEST_CUDA_READS, or GPUTEST_GPU_READS on a GPU, is "hashes" or "values". Each process that
// reads something writes <time>-<process id>.reads into the folder GPUTEST_CUDA_RECORDS: for each
// piece its size in bytes and its hash, 64 bits each. With "values", <time>-<process id>.values has
// the bytes of the pieces one after the other, until there are kMostValues of them.
//
// A piece is what one copy brings to the host. Where kernels have run since, a synchronisation with
// the device also brings all memory that both sides share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace gputest::cuda {

class ReadBack {
public:
  static constexpr std::uint64_t kMostValues = std::uint64_t{1} << 28; // bytes

  explicit ReadBack(const char* variable = "GPUTEST_CUDA_READS"); // of the environment
  ReadBack(const ReadBack&) = delete;
  ReadBack& operator=(const ReadBack&) = delete;

  bool is_wanted() const { return !records_.empty(); }

  // Adds bytes that have arrived: to the open piece, or as a piece of their own.
  void add(const void* bytes, std::size_t size);
  void begin() { ++open_; }
  void end(); // writes the piece that was begun first, unless it is empty

private:
  void write();
  bool open_files();

  std::string records_;
  bool keeps_values_ = false;
  int process_ = 0, hashes_ = -1, values_ = -1; // descriptors
  unsigned open_ = 0;
  std::uint64_t size_ = 0, hash_, kept_ = 0;
};

// A piece of several parts. Pieces inside of it are parts of it.
class OpenPiece {
public:
  explicit OpenPiece(ReadBack& reads) : reads_(reads) { reads_.begin(); }
  OpenPiece(const OpenPiece&) = delete;
  OpenPiece& operator=(const OpenPiece&) = delete;
  ~OpenPiece() { reads_.end(); }

private:
  ReadBack& reads_;
};

} // namespace gputest::cuda
