// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What CUDA programs read back from the device, as cuda/records/reads.h records it.
#pragma once

#include "program/read_baseline.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace gputest::program {

struct CudaReads {
  // Hashes of the pieces, for each process in the order in which they began to read.
  std::vector<std::vector<std::uint64_t>> hashes;
  // The sizes of the pieces in bytes, and the bytes of all of them, as far as they were kept.
  std::vector<std::vector<std::uint64_t>> sizes;
  std::vector<std::string> values;
};

// Reads the records in the folder. `values`: also the bytes.
CudaReads read_cuda_reads(const std::filesystem::path& folder, bool values);

// The environment variables that make programs record what they read, in the simulator and on a
// GPU, and their values.
inline constexpr const char *kCudaReads = "GPUTEST_CUDA_READS", *kGpuReads = "GPUTEST_GPU_READS";
inline const char* cuda_reads_wanted(bool values) {
  return values ? "values" : "hashes";
}

// What the original reads back.
class CudaReadBaseline {
public:
  // `tolerance`: relative, of floating-point numbers; 0: all bytes must be the same.
  explicit CudaReadBaseline(double tolerance) : tolerance_(tolerance), hashes_("the device") {}

  void add(CudaReads reads);
  const ReadBaseline& hashes() const { return hashes_; }
  // Returns how other reads differ, by more than the tolerance. Empty: they do not.
  std::string difference(const CudaReads& reads) const;

private:
  double tolerance_;
  ReadBaseline hashes_;
  CudaReads first_;
};

// Returns whether all differing words of the two texts are floats of ordinary size, or all are such
// doubles, and close to each other. Memory has no types.
bool are_close(std::string_view one, std::string_view other, double tolerance);

} // namespace gputest::program
