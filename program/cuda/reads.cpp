// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/cuda/reads.h"

#include "model/files.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace gputest::program {
namespace {

namespace fs = std::filesystem;

// As an integer of its size, such a number is 0 or very large.
template <typename Real> bool is_ordinary(Real value) {
  const Real size = std::fabs(value);
  return size == 0 || (size > Real{0x1p-40} && size < Real{0x1p40});
}

template <typename Real>
bool are_close_as(std::string_view one, std::string_view other, double tolerance) {
  if (one.size() % sizeof(Real) != 0)
    return false;
  for (std::size_t at = 0; at < one.size(); at += sizeof(Real)) {
    if (std::memcmp(one.data() + at, other.data() + at, sizeof(Real)) == 0)
      continue;
    Real a{}, b{};
    std::memcpy(&a, one.data() + at, sizeof a);
    std::memcpy(&b, other.data() + at, sizeof b);
    const double first = a, second = b;
    if (!is_ordinary(a) || !is_ordinary(b) ||
        !(std::fabs(first - second) <= tolerance * std::max(std::fabs(first), std::fabs(second))))
      return false;
  }
  return true;
}

} // namespace

bool are_close(std::string_view one, std::string_view other, double tolerance) {
  return one.size() == other.size() && (are_close_as<float>(one, other, tolerance) ||
                                        are_close_as<double>(one, other, tolerance));
}

CudaReads read_cuda_reads(const fs::path& folder, bool values) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (entry.path().extension() == ".reads")
      files.push_back(entry.path());
  std::ranges::sort(files);
  CudaReads reads;
  for (const fs::path& file : files) {
    const std::string bytes = model::read_text(file).value_or("");
    std::vector<std::uint64_t>& hashes = reads.hashes.emplace_back();
    std::vector<std::uint64_t>& sizes = reads.sizes.emplace_back();
    std::uint64_t piece[2];
    for (std::size_t at = 0; at + sizeof piece <= bytes.size(); at += sizeof piece) {
      std::memcpy(piece, bytes.data() + at, sizeof piece);
      sizes.push_back(piece[0]);
      hashes.push_back(piece[1]);
    }
    std::string& kept = reads.values.emplace_back();
    if (values)
      kept = model::read_text(fs::path(file).replace_extension(".values")).value_or("");
  }
  return reads;
}

void CudaReadBaseline::add(CudaReads reads) {
  hashes_.add(reads.hashes);
  if (first_.hashes.empty())
    first_ = std::move(reads);
}

std::string CudaReadBaseline::difference(const CudaReads& reads) const {
  const std::string difference = hashes_.difference(reads.hashes);
  if (difference.empty() || tolerance_ == 0 || first_.sizes != reads.sizes)
    return difference;
  const std::set<std::size_t> pieces = hashes_.differing(reads.hashes);
  for (std::size_t i = 0; i < reads.sizes.size(); ++i) {
    std::size_t begin = 0;
    for (std::size_t k = 0; k < reads.sizes[i].size(); ++k) {
      const std::size_t size = reads.sizes[i][k];
      const auto piece_of = [&](const CudaReads& of) {
        const std::string_view all = of.values[i];
        return begin + size <= all.size() ? all.substr(begin, size) : std::string_view();
      };
      const std::string_view one = piece_of(first_), other = piece_of(reads);
      begin += size;
      if (pieces.contains(k) && first_.hashes[i][k] != reads.hashes[i][k] &&
          (one.size() != size || other.size() != size || !are_close(one, other, tolerance_)))
        return difference;
    }
  }
  return "";
}

} // namespace gputest::program
