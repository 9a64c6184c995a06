// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a plan of cuFFT is: sizes, and how values lie in memory.
#pragma once

#include "cuda/libraries/fft/include/cufft.h"
#include "cuda/libraries/host.h"

#include <array>

namespace gputest::cuda::libraries::fft {

// How the values of one side lie in memory, in values of that side.
struct Layout {
  std::array<int, 3>
      sizes{}; // of the array of one transform, which may be larger than what is transformed
  int stride = 1;
  std::int64_t distance = 0; // from one transform to the next
};

struct Plan {
  cufftType type = CUFFT_C2C;
  int rank = 0; // 0: not made yet
  std::array<int, 3> n{};
  Layout in, out;
  bool is_embedded = false; // the program has said how values lie
  int batch = 0;
  cudaStream_t stream = nullptr;
};

inline bool is_double(cufftType type) {
  return type == CUFFT_D2Z || type == CUFFT_Z2D || type == CUFFT_Z2Z;
}
inline bool is_valid(cufftType type) {
  return is_double(type) || type == CUFFT_R2C || type == CUFFT_C2R || type == CUFFT_C2C;
}
inline bool reads_real(cufftType type) {
  return type == CUFFT_R2C || type == CUFFT_D2Z;
}
inline bool writes_real(cufftType type) {
  return type == CUFFT_C2R || type == CUFFT_Z2D;
}

// The sizes of what one side has: half of the last dimension, and one, where it is the complex side
// of real values.
inline std::array<int, 3> sizes_of(const Plan& plan, bool is_real) {
  std::array<int, 3> sizes = plan.n;
  if (!is_real && plan.type != CUFFT_C2C && plan.type != CUFFT_Z2Z)
    sizes[static_cast<std::size_t>(plan.rank - 1)] =
        sizes[static_cast<std::size_t>(plan.rank - 1)] / 2 + 1;
  return sizes;
}

// In place, each row of real values has as many bytes as the row of complex ones.
inline void pad_rows(Plan& plan) {
  if (plan.is_embedded || reads_real(plan.type) == writes_real(plan.type))
    return;
  Layout& real = reads_real(plan.type) ? plan.in : plan.out;
  const Layout& complex = reads_real(plan.type) ? plan.out : plan.in;
  const auto last = static_cast<std::size_t>(plan.rank - 1);
  real.sizes[last] = 2 * complex.sizes[last];
  real.distance = 2 * complex.distance;
}

// `embed`: null means that values follow each other, and `stride` and `distance` are not looked at.
template <typename Size>
Layout layout_of(const Plan& plan, bool is_real, const Size* embed, std::int64_t stride,
                 std::int64_t distance) {
  Layout layout{.sizes = sizes_of(plan, is_real)};
  if (embed) {
    for (int i = 1; i < plan.rank; ++i) // the first one is not used
      layout.sizes[static_cast<std::size_t>(i)] = static_cast<int>(embed[i]);
    layout.stride = static_cast<int>(stride);
    layout.distance = distance;
    return layout;
  }
  layout.distance = 1;
  for (int i = 0; i < plan.rank; ++i)
    layout.distance *= layout.sizes[static_cast<std::size_t>(i)];
  return layout;
}

template <typename Size>
cufftResult make(Plan& plan, int rank, const Size* n, const Size* inembed, std::int64_t istride,
                 std::int64_t idist, const Size* onembed, std::int64_t ostride, std::int64_t odist,
                 cufftType type, std::int64_t batch) {
  if (!is_valid(type))
    return CUFFT_INVALID_TYPE;
  if (rank < 1 || rank > 3 || !n)
    return CUFFT_INVALID_VALUE;
  if (batch < 1)
    return CUFFT_INVALID_SIZE;
  plan.type = type;
  plan.rank = rank;
  plan.batch = static_cast<int>(batch);
  for (int i = 0; i < rank; ++i) {
    if (n[i] < 1 || n[i] > (1 << 30))
      return CUFFT_INVALID_SIZE;
    plan.n[static_cast<std::size_t>(i)] = static_cast<int>(n[i]);
  }
  plan.is_embedded = inembed && onembed; // both or none
  plan.in = layout_of(plan, reads_real(type), plan.is_embedded ? inembed : nullptr, istride, idist);
  plan.out =
      layout_of(plan, writes_real(type), plan.is_embedded ? onembed : nullptr, ostride, odist);
  if (plan.in.stride < 1 || plan.out.stride < 1)
    return CUFFT_INVALID_VALUE;
  return CUFFT_SUCCESS;
}

// What a side of the transform accesses: rows of the last dimension, each a piece for each value if
// there is a stride.
inline std::vector<Operand> operands_of(const Plan& plan, const char* name, const void* begin,
                                        const Layout& layout, bool is_real) {
  const std::array<int, 3> sizes = sizes_of(plan, is_real);
  const std::size_t size = (is_double(plan.type) ? 8 : 4) * (is_real ? 1 : 2);
  const int last = plan.rank - 1;
  std::vector<Operand> operands;
  const auto* const bytes = static_cast<const std::byte*>(begin);
  for (int b = 0; b < plan.batch; ++b)
    for (int i = 0; i < (last >= 2 ? sizes[0] : 1); ++i) {
      // In two dimensions, and of each plane of three: a matrix of rows.
      const int rows = last >= 1 ? sizes[static_cast<std::size_t>(last - 1)] : 1;
      const int count = sizes[static_cast<std::size_t>(last)];
      const std::int64_t row = layout.sizes[static_cast<std::size_t>(last)];
      const std::int64_t plane = last >= 2 ? row * layout.sizes[1] : 0;
      const std::byte* const at_plane = bytes + (layout.distance * b + plane * i * layout.stride) *
                                                    static_cast<std::int64_t>(size);
      if (layout.stride == 1)
        operands.push_back(matrix_of(name, at_plane, count, rows, row, size));
      else
        for (int r = 0; r < rows; ++r)
          operands.push_back(
              vector_of(name, at_plane + row * r * layout.stride * static_cast<std::int64_t>(size),
                        count, layout.stride, size));
    }
  return operands;
}

} // namespace gputest::cuda::libraries::fft
