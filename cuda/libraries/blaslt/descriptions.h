// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a program's descriptors of cuBLASLt hold, and the shapes of operands.
#pragma once

#include "cuda/libraries/blaslt/include/cublasLt.h"
#include "cuda/libraries/host.h"
#include "cuda/libraries/values.h"

namespace gputest::cuda::libraries::blaslt {

// What the program's descriptors hold.
struct Layout {
  cudaDataType type = CUDA_R_32F;
  cublasLtOrder_t order = CUBLASLT_ORDER_COL;
  std::uint64_t rows = 0, cols = 0;
  std::int64_t ld = 0, batch_stride = 0;
  std::int32_t batches = 1;
};
constexpr std::int32_t kTypeOfResult = -1; // the type of D, or bfloat16 if that has 8 bits
struct Description {
  cublasComputeType_t compute = CUBLAS_COMPUTE_32F;
  cudaDataType scale = CUDA_R_32F;
  cublasLtPointerMode_t mode = CUBLASLT_POINTER_MODE_HOST;
  cublasOperation_t a = CUBLAS_OP_N, b = CUBLAS_OP_N, c = CUBLAS_OP_N;
  cublasFillMode_t fill = CUBLAS_FILL_MODE_FULL;
  cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  const void* bias = nullptr;
  std::int32_t bias_type = kTypeOfResult; // a cudaDataType
  std::int64_t bias_stride = 0;
  // Factors of matrices of 8 bits, on the device, or null; and where the largest |D| goes.
  const float *scale_a = nullptr, *scale_b = nullptr, *scale_c = nullptr, *scale_d = nullptr;
  float* largest = nullptr;
  std::int8_t fast = 0;             // sums in less precision: not here
  std::int32_t multiprocessors = 0; // changes nothing
};
struct TransformDescription {
  cudaDataType scale = CUDA_R_32F;
  cublasLtPointerMode_t mode = CUBLASLT_POINTER_MODE_HOST;
  cublasOperation_t a = CUBLAS_OP_N, b = CUBLAS_OP_N;
};
static_assert(sizeof(Layout) <= sizeof(cublasLtMatrixLayoutOpaque_t));
static_assert(sizeof(Description) <= sizeof(cublasLtMatmulDescOpaque_t));
static_assert(sizeof(TransformDescription) <= sizeof(cublasLtMatrixTransformDescOpaque_t));

template <typename T, typename Opaque> T get(const Opaque* opaque) {
  T value;
  std::memcpy(static_cast<void*>(&value), opaque, sizeof value);
  return value;
}
template <typename T, typename Opaque> void set(Opaque* opaque, const T& value) {
  *opaque = {};
  std::memcpy(opaque, &value, sizeof value);
}

struct Place {
  void* begin = nullptr;
  std::size_t size = 0;
};
inline Place place_of(Layout& layout, cublasLtMatrixLayoutAttribute_t attribute) {
  switch (attribute) {
  case CUBLASLT_MATRIX_LAYOUT_TYPE:
    return {&layout.type, sizeof layout.type};
  case CUBLASLT_MATRIX_LAYOUT_ORDER:
    return {&layout.order, sizeof layout.order};
  case CUBLASLT_MATRIX_LAYOUT_ROWS:
    return {&layout.rows, sizeof layout.rows};
  case CUBLASLT_MATRIX_LAYOUT_COLS:
    return {&layout.cols, sizeof layout.cols};
  case CUBLASLT_MATRIX_LAYOUT_LD:
    return {&layout.ld, sizeof layout.ld};
  case CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT:
    return {&layout.batches, sizeof layout.batches};
  case CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET:
    return {&layout.batch_stride, sizeof layout.batch_stride};
  }
  return {};
}
inline Place place_of(Description& description, cublasLtMatmulDescAttributes_t attribute) {
  switch (attribute) {
  case CUBLASLT_MATMUL_DESC_COMPUTE_TYPE:
    return {&description.compute, sizeof description.compute};
  case CUBLASLT_MATMUL_DESC_SCALE_TYPE:
    return {&description.scale, sizeof description.scale};
  case CUBLASLT_MATMUL_DESC_POINTER_MODE:
    return {&description.mode, sizeof description.mode};
  case CUBLASLT_MATMUL_DESC_TRANSA:
    return {&description.a, sizeof description.a};
  case CUBLASLT_MATMUL_DESC_TRANSB:
    return {&description.b, sizeof description.b};
  case CUBLASLT_MATMUL_DESC_TRANSC:
    return {&description.c, sizeof description.c};
  case CUBLASLT_MATMUL_DESC_FILL_MODE:
    return {&description.fill, sizeof description.fill};
  case CUBLASLT_MATMUL_DESC_EPILOGUE:
    return {&description.epilogue, sizeof description.epilogue};
  case CUBLASLT_MATMUL_DESC_BIAS_POINTER:
    return {&description.bias, sizeof description.bias};
  case CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE:
    return {&description.bias_stride, sizeof description.bias_stride};
  case CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE:
    return {&description.bias_type, sizeof description.bias_type};
  case CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET:
    return {&description.multiprocessors, sizeof description.multiprocessors};
  case CUBLASLT_MATMUL_DESC_A_SCALE_POINTER:
    return {&description.scale_a, sizeof description.scale_a};
  case CUBLASLT_MATMUL_DESC_B_SCALE_POINTER:
    return {&description.scale_b, sizeof description.scale_b};
  case CUBLASLT_MATMUL_DESC_C_SCALE_POINTER:
    return {&description.scale_c, sizeof description.scale_c};
  case CUBLASLT_MATMUL_DESC_D_SCALE_POINTER:
    return {&description.scale_d, sizeof description.scale_d};
  case CUBLASLT_MATMUL_DESC_AMAX_D_POINTER:
    return {&description.largest, sizeof description.largest};
  case CUBLASLT_MATMUL_DESC_FAST_ACCUM:
    return {&description.fast, sizeof description.fast};
  }
  return {};
}
inline Place place_of(TransformDescription& description,
                      cublasLtMatrixTransformDescAttributes_t attribute) {
  switch (attribute) {
  case CUBLASLT_MATRIX_TRANSFORM_DESC_SCALE_TYPE:
    return {&description.scale, sizeof description.scale};
  case CUBLASLT_MATRIX_TRANSFORM_DESC_POINTER_MODE:
    return {&description.mode, sizeof description.mode};
  case CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSA:
    return {&description.a, sizeof description.a};
  case CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSB:
    return {&description.b, sizeof description.b};
  }
  return {};
}

template <typename T, typename Opaque, typename Attribute>
cublasStatus_t set_attribute(Opaque* opaque, Attribute attribute, const void* from,
                             std::size_t size) {
  if (!opaque || !from)
    return CUBLAS_STATUS_INVALID_VALUE;
  T value = get<T>(opaque);
  const Place place = place_of(value, attribute);
  if (!place.begin || place.size != size)
    return CUBLAS_STATUS_INVALID_VALUE;
  std::memcpy(place.begin, from, size);
  set(opaque, value);
  return CUBLAS_STATUS_SUCCESS;
}
template <typename T, typename Opaque, typename Attribute>
cublasStatus_t get_attribute(Opaque* opaque, Attribute attribute, void* to, std::size_t size,
                             std::size_t* written) {
  if (!opaque)
    return CUBLAS_STATUS_INVALID_VALUE;
  T value = get<T>(opaque);
  const Place place = place_of(value, attribute);
  if (!place.begin || (to && place.size > size))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (to)
    std::memcpy(to, place.begin, place.size);
  if (written)
    *written = place.size;
  return CUBLAS_STATUS_SUCCESS;
}

inline std::ptrdiff_t index_in(const Layout& layout, std::ptrdiff_t row, std::ptrdiff_t col) {
  return layout.order == CUBLASLT_ORDER_COL ? row + col * layout.ld : row * layout.ld + col;
}
inline const std::byte* of_batch(const void* begin, const Layout& layout, int batch) {
  return static_cast<const std::byte*>(begin) +
         batch * layout.batch_stride * static_cast<std::ptrdiff_t>(size_of(layout.type));
}
inline void add_operands(std::vector<Operand>& operands, const char* name, const void* begin,
                         const Layout& layout, Operand (*how)(Operand)) {
  const bool by_columns = layout.order == CUBLASLT_ORDER_COL;
  const auto rows = static_cast<std::int64_t>(by_columns ? layout.rows : layout.cols),
             cols = static_cast<std::int64_t>(by_columns ? layout.cols : layout.rows);
  for (int batch = 0; batch < layout.batches; ++batch)
    operands.push_back(how(matrix_of(name, of_batch(begin, layout, batch), rows, cols, layout.ld,
                                     size_of(layout.type))));
}

// What no function allows of a layout, or does not have here.
inline cublasStatus_t problem_of(const Layout& layout) {
  if (layout.batches < 0 ||
      layout.ld <
          static_cast<std::int64_t>(layout.order == CUBLASLT_ORDER_COL ? layout.rows : layout.cols))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (size_of(layout.type) == 0 ||
      (layout.order != CUBLASLT_ORDER_COL && layout.order != CUBLASLT_ORDER_ROW))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  return CUBLAS_STATUS_SUCCESS;
}

// The program's own memory for a description.
template <typename Opaque, typename T> cublasStatus_t make(Opaque** opaque, const T& value) {
  if (!opaque)
    return CUBLAS_STATUS_INVALID_VALUE;
  *opaque = new Opaque;
  set(*opaque, value);
  return CUBLAS_STATUS_SUCCESS;
}
template <typename T> cublasStatus_t destroy(T* what) {
  delete what;
  return CUBLAS_STATUS_SUCCESS;
}

} // namespace gputest::cuda::libraries::blaslt
