// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Handles and descriptors of cuSPARSE.
#include "cuda/libraries/sparse/sparse.h"

using namespace gputest::cuda::libraries;

template <typename T, typename... Values>
static cusparseStatus_t make(T** descriptor, bool is_right, Values... values) {
  if (!descriptor || !is_right)
    return CUSPARSE_STATUS_INVALID_VALUE;
  *descriptor = new std::remove_const_t<T>{values...};
  return CUSPARSE_STATUS_SUCCESS;
}
template <typename T> static cusparseStatus_t destroy(T* descriptor) {
  if (!descriptor)
    return CUSPARSE_STATUS_INVALID_VALUE;
  delete descriptor;
  return CUSPARSE_STATUS_SUCCESS;
}
template <typename T, typename Member>
static cusparseStatus_t set(T* descriptor, Member member, auto value) {
  if (!descriptor)
    return CUSPARSE_STATUS_INVALID_VALUE;
  descriptor->*member = value;
  return CUSPARSE_STATUS_SUCCESS;
}
// Gives the caller members of a descriptor: get(descriptor, &Descr::size, size, …).
template <typename T, typename Member, typename... More>
static cusparseStatus_t get(const T* descriptor, Member member, auto* value, More... more) {
  if (!descriptor)
    return CUSPARSE_STATUS_INVALID_VALUE;
  *value = descriptor->*member;
  if constexpr (sizeof...(more) > 0)
    return get(descriptor, more...);
  return CUSPARSE_STATUS_SUCCESS;
}
static bool is_known(cudaDataType type) {
  return size_of(type) != 0;
}

extern "C" {
cusparseStatus_t cusparseCreate(cusparseHandle_t* handle) {
  if (!handle)
    return CUSPARSE_STATUS_INVALID_VALUE;
  *handle = nullptr;
  if (cudaFree(nullptr) != cudaSuccess)
    return CUSPARSE_STATUS_NOT_INITIALIZED;
  *handle = new cusparseContext;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDestroy(cusparseHandle_t handle) {
  return handle ? destroy(handle) : CUSPARSE_STATUS_NOT_INITIALIZED;
}
cusparseStatus_t cusparseGetVersion(cusparseHandle_t handle, int* version) {
  if (!handle || !version)
    return handle ? CUSPARSE_STATUS_INVALID_VALUE : CUSPARSE_STATUS_NOT_INITIALIZED;
  *version = CUSPARSE_VERSION;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseGetProperty(libraryPropertyType type, int* value) {
  if (!value)
    return CUSPARSE_STATUS_INVALID_VALUE;
  *value = type == MAJOR_VERSION   ? CUSPARSE_VER_MAJOR
           : type == MINOR_VERSION ? CUSPARSE_VER_MINOR
                                   : CUSPARSE_VER_PATCH;
  return CUSPARSE_STATUS_SUCCESS;
}
#define GPUTEST_STATUSES(S)                                                                        \
  S(SUCCESS, "success")                                                                            \
  S(NOT_INITIALIZED, "initialization error")                                                       \
  S(ALLOC_FAILED, "out of memory")                                                                 \
  S(INVALID_VALUE, "invalid value")                                                                \
  S(ARCH_MISMATCH, "architecture mismatch")                                                        \
  S(MAPPING_ERROR, "texture memory error")                                                         \
  S(EXECUTION_FAILED, "kernel launch failure")                                                     \
  S(INTERNAL_ERROR, "internal error")                                                              \
  S(MATRIX_TYPE_NOT_SUPPORTED, "matrix type not supported")                                        \
  S(ZERO_PIVOT, "zero pivot")                                                                      \
  S(NOT_SUPPORTED, "operation not supported")                                                      \
  S(INSUFFICIENT_RESOURCES, "insufficient resources")
const char* cusparseGetErrorName(cusparseStatus_t status) {
  switch (status) {
#define GPUTEST_STATUS(name, text)                                                                 \
  case CUSPARSE_STATUS_##name:                                                                     \
    return "CUSPARSE_STATUS_" #name;
    GPUTEST_STATUSES(GPUTEST_STATUS)
#undef GPUTEST_STATUS
  }
  return "unrecognized error code";
}
const char* cusparseGetErrorString(cusparseStatus_t status) {
  switch (status) {
#define GPUTEST_STATUS(name, text)                                                                 \
  case CUSPARSE_STATUS_##name:                                                                     \
    return text;
    GPUTEST_STATUSES(GPUTEST_STATUS)
#undef GPUTEST_STATUS
  }
  return "unrecognized error code";
}
cusparseStatus_t cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream) {
  return handle ? set(handle, &cusparseContext::stream, stream) : CUSPARSE_STATUS_NOT_INITIALIZED;
}
cusparseStatus_t cusparseGetStream(cusparseHandle_t handle, cudaStream_t* stream) {
  return handle ? get(handle, &cusparseContext::stream, stream) : CUSPARSE_STATUS_NOT_INITIALIZED;
}
cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t mode) {
  return handle ? set(handle, &cusparseContext::pointer_mode, mode)
                : CUSPARSE_STATUS_NOT_INITIALIZED;
}
cusparseStatus_t cusparseGetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t* mode) {
  return handle ? get(handle, &cusparseContext::pointer_mode, mode)
                : CUSPARSE_STATUS_NOT_INITIALIZED;
}

cusparseStatus_t cusparseCreateMatDescr(cusparseMatDescr_t* descr) {
  return make(descr, true);
}
cusparseStatus_t cusparseDestroyMatDescr(cusparseMatDescr_t descr) {
  return destroy(descr);
}
#define GPUTEST_PROPERTY(name, Type, member)                                                       \
  cusparseStatus_t cusparseSetMat##name(cusparseMatDescr_t descr, Type value) {                    \
    return set(descr, &cusparseMatDescr::member, value);                                           \
  }                                                                                                \
  Type cusparseGetMat##name(const cusparseMatDescr_t descr) {                                      \
    return descr->member;                                                                          \
  }
GPUTEST_PROPERTY(Type, cusparseMatrixType_t, type)
GPUTEST_PROPERTY(IndexBase, cusparseIndexBase_t, base)
GPUTEST_PROPERTY(FillMode, cusparseFillMode_t, fill)
GPUTEST_PROPERTY(DiagType, cusparseDiagType_t, diagonal)
#undef GPUTEST_PROPERTY

cusparseStatus_t cusparseCreateSpVec(cusparseSpVecDescr_t* vector, int64_t size, int64_t nnz,
                                     void* indices, void* values, cusparseIndexType_t index_type,
                                     cusparseIndexBase_t base, cudaDataType type) {
  return make(vector, size >= nnz && nnz >= 0 && is_known(type), size, nnz, indices, values,
              index_type, base, type);
}
cusparseStatus_t cusparseCreateConstSpVec(cusparseConstSpVecDescr_t* vector, int64_t size,
                                          int64_t nnz, const void* indices, const void* values,
                                          cusparseIndexType_t index_type, cusparseIndexBase_t base,
                                          cudaDataType type) {
  return make(vector, size >= nnz && nnz >= 0 && is_known(type), size, nnz,
              const_cast<void*>(indices), const_cast<void*>(values), index_type, base, type);
}
cusparseStatus_t cusparseDestroySpVec(cusparseConstSpVecDescr_t vector) {
  return destroy(vector);
}
cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t* vector, int64_t size, void* values,
                                     cudaDataType type) {
  return make(vector, size >= 0 && is_known(type), size, values, type);
}
cusparseStatus_t cusparseCreateConstDnVec(cusparseConstDnVecDescr_t* vector, int64_t size,
                                          const void* values, cudaDataType type) {
  return make(vector, size >= 0 && is_known(type), size, const_cast<void*>(values), type);
}
cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t vector) {
  return destroy(vector);
}
cusparseStatus_t cusparseDnVecGet(const cusparseDnVecDescr_t vector, int64_t* size, void** values,
                                  cudaDataType* type) {
  using T = cusparseDnVecDescr;
  return get(vector, &T::size, size, &T::values, values, &T::type, type);
}
cusparseStatus_t cusparseDnVecGetValues(const cusparseDnVecDescr_t vector, void** values) {
  return get(vector, &cusparseDnVecDescr::values, values);
}
cusparseStatus_t cusparseDnVecSetValues(cusparseDnVecDescr_t vector, void* values) {
  return set(vector, &cusparseDnVecDescr::values, values);
}
static bool is_dense(int64_t rows, int64_t cols, int64_t ld, cudaDataType type,
                     cusparseOrder_t order) {
  return rows >= 0 && cols >= 0 && is_known(type) &&
         ld >= (order == CUSPARSE_ORDER_COL ? rows : cols);
}
cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t* matrix, int64_t rows, int64_t cols,
                                     int64_t ld, void* values, cudaDataType type,
                                     cusparseOrder_t order) {
  return make(matrix, is_dense(rows, cols, ld, type, order), rows, cols, ld, values, type, order);
}
cusparseStatus_t cusparseCreateConstDnMat(cusparseConstDnMatDescr_t* matrix, int64_t rows,
                                          int64_t cols, int64_t ld, const void* values,
                                          cudaDataType type, cusparseOrder_t order) {
  return make(matrix, is_dense(rows, cols, ld, type, order), rows, cols, ld,
              const_cast<void*>(values), type, order);
}
cusparseStatus_t cusparseDnMatSetStridedBatch(cusparseDnMatDescr_t matrix, int count,
                                              int64_t stride) {
  if (!matrix || count < 1)
    return CUSPARSE_STATUS_INVALID_VALUE;
  matrix->batches = count;
  matrix->stride = stride;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDnMatGetStridedBatch(cusparseConstDnMatDescr_t matrix, int* count,
                                              int64_t* stride) {
  using T = cusparseDnMatDescr;
  return count && stride ? get(matrix, &T::batches, count, &T::stride, stride)
                         : CUSPARSE_STATUS_INVALID_VALUE;
}
cusparseStatus_t cusparseDestroyDnMat(cusparseConstDnMatDescr_t matrix) {
  return destroy(matrix);
}
cusparseStatus_t cusparseDnMatGet(const cusparseDnMatDescr_t matrix, int64_t* rows, int64_t* cols,
                                  int64_t* ld, void** values, cudaDataType* type,
                                  cusparseOrder_t* order) {
  using T = cusparseDnMatDescr;
  return get(matrix, &T::rows, rows, &T::cols, cols, &T::ld, ld, &T::values, values, &T::type, type,
             &T::order, order);
}
cusparseStatus_t cusparseDnMatGetValues(const cusparseDnMatDescr_t matrix, void** values) {
  return get(matrix, &cusparseDnMatDescr::values, values);
}
cusparseStatus_t cusparseDnMatSetValues(cusparseDnMatDescr_t matrix, void* values) {
  return set(matrix, &cusparseDnMatDescr::values, values);
}

static bool is_sparse(int64_t rows, int64_t cols, int64_t nnz, cudaDataType type) {
  return rows >= 0 && cols >= 0 && nnz >= 0 && is_known(type);
}
cusparseStatus_t cusparseCsrSetStridedBatch(cusparseSpMatDescr_t matrix, int count,
                                            int64_t offset_stride, int64_t stride) {
  if (!matrix || count < 1)
    return CUSPARSE_STATUS_INVALID_VALUE;
  matrix->batches = count;
  matrix->offset_stride = offset_stride;
  matrix->stride = stride;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseCooSetStridedBatch(cusparseSpMatDescr_t matrix, int count,
                                            int64_t stride) {
  return cusparseCsrSetStridedBatch(matrix, count, stride, stride);
}
cusparseStatus_t cusparseSpMatGetStridedBatch(cusparseConstSpMatDescr_t matrix, int* count) {
  return count ? get(matrix, &cusparseSpMatDescr::batches, count) : CUSPARSE_STATUS_INVALID_VALUE;
}
static cusparseStatus_t get_all(const cusparseSpMatDescr_t matrix, cusparseFormat_t format,
                                int64_t* rows, int64_t* cols, int64_t* nnz, void** offsets,
                                void** indices, void** values, cusparseIndexType_t* offset_type,
                                cusparseIndexType_t* index_type, cusparseIndexBase_t* base,
                                cudaDataType* type) {
  using T = cusparseSpMatDescr;
  if (!matrix || matrix->format != format)
    return CUSPARSE_STATUS_INVALID_VALUE;
  return get(matrix, &T::rows, rows, &T::cols, cols, &T::nnz, nnz, &T::offsets, offsets,
             &T::indices, indices, &T::values, values, &T::offset_type, offset_type, &T::index_type,
             index_type, &T::base, base, &T::type, type);
}
static cusparseStatus_t set_pointers(cusparseSpMatDescr_t matrix, cusparseFormat_t format,
                                     void* offsets, void* indices, void* values) {
  if (!matrix || matrix->format != format)
    return CUSPARSE_STATUS_INVALID_VALUE;
  matrix->offsets = offsets;
  matrix->indices = indices;
  matrix->values = values;
  return CUSPARSE_STATUS_SUCCESS;
}
#define GPUTEST_COMPRESSED(Csr, format)                                                            \
  cusparseStatus_t cusparseCreate##Csr(                                                            \
      cusparseSpMatDescr_t* matrix, int64_t rows, int64_t cols, int64_t nnz, void* offsets,        \
      void* indices, void* values, cusparseIndexType_t offset_type,                                \
      cusparseIndexType_t index_type, cusparseIndexBase_t base, cudaDataType type) {               \
    return make(matrix, is_sparse(rows, cols, nnz, type), format, rows, cols, nnz, offsets,        \
                indices, values, offset_type, index_type, base, type);                             \
  }                                                                                                \
  cusparseStatus_t cusparseCreateConst##Csr(                                                       \
      cusparseConstSpMatDescr_t* matrix, int64_t rows, int64_t cols, int64_t nnz,                  \
      const void* offsets, const void* indices, const void* values,                                \
      cusparseIndexType_t offset_type, cusparseIndexType_t index_type, cusparseIndexBase_t base,   \
      cudaDataType type) {                                                                         \
    return make(matrix, is_sparse(rows, cols, nnz, type), format, rows, cols, nnz,                 \
                const_cast<void*>(offsets), const_cast<void*>(indices), const_cast<void*>(values), \
                offset_type, index_type, base, type);                                              \
  }                                                                                                \
  cusparseStatus_t cusparse##Csr##Get(                                                             \
      const cusparseSpMatDescr_t matrix, int64_t* rows, int64_t* cols, int64_t* nnz,               \
      void** offsets, void** indices, void** values, cusparseIndexType_t* offset_type,             \
      cusparseIndexType_t* index_type, cusparseIndexBase_t* base, cudaDataType* type) {            \
    return get_all(matrix, format, rows, cols, nnz, offsets, indices, values, offset_type,         \
                   index_type, base, type);                                                        \
  }                                                                                                \
  cusparseStatus_t cusparse##Csr##SetPointers(cusparseSpMatDescr_t matrix, void* offsets,          \
                                              void* indices, void* values) {                       \
    return set_pointers(matrix, format, offsets, indices, values);                                 \
  }
GPUTEST_COMPRESSED(Csr, CUSPARSE_FORMAT_CSR)
GPUTEST_COMPRESSED(Csc, CUSPARSE_FORMAT_CSC)
#undef GPUTEST_COMPRESSED
cusparseStatus_t cusparseCooGet(const cusparseSpMatDescr_t matrix, int64_t* rows, int64_t* cols,
                                int64_t* nnz, void** row_indices, void** col_indices, void** values,
                                cusparseIndexType_t* index_type, cusparseIndexBase_t* base,
                                cudaDataType* type) {
  return get_all(matrix, CUSPARSE_FORMAT_COO, rows, cols, nnz, row_indices, col_indices, values,
                 index_type, index_type, base, type);
}
cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t* matrix, int64_t rows, int64_t cols,
                                   int64_t nnz, void* row_indices, void* col_indices, void* values,
                                   cusparseIndexType_t index_type, cusparseIndexBase_t base,
                                   cudaDataType type) {
  return make(matrix, is_sparse(rows, cols, nnz, type), CUSPARSE_FORMAT_COO, rows, cols, nnz,
              row_indices, col_indices, values, index_type, index_type, base, type);
}
cusparseStatus_t cusparseCreateConstCoo(cusparseConstSpMatDescr_t* matrix, int64_t rows,
                                        int64_t cols, int64_t nnz, const void* row_indices,
                                        const void* col_indices, const void* values,
                                        cusparseIndexType_t index_type, cusparseIndexBase_t base,
                                        cudaDataType type) {
  return make(matrix, is_sparse(rows, cols, nnz, type), CUSPARSE_FORMAT_COO, rows, cols, nnz,
              const_cast<void*>(row_indices), const_cast<void*>(col_indices),
              const_cast<void*>(values), index_type, index_type, base, type);
}
cusparseStatus_t cusparseCreateBsr(cusparseSpMatDescr_t* matrix, int64_t rows, int64_t cols,
                                   int64_t nnz, int64_t block_rows, int64_t block_cols,
                                   void* offsets, void* indices, void* values,
                                   cusparseIndexType_t offset_type, cusparseIndexType_t index_type,
                                   cusparseIndexBase_t base, cudaDataType type,
                                   cusparseOrder_t order) {
  return make(matrix, is_sparse(rows, cols, nnz, type) && block_rows > 0 && block_cols > 0,
              CUSPARSE_FORMAT_BSR, rows, cols, nnz, offsets, indices, values, offset_type,
              index_type, base, type, block_rows, block_cols, order);
}
cusparseStatus_t cusparseCreateBlockedEll(cusparseSpMatDescr_t* matrix, int64_t rows, int64_t cols,
                                          int64_t block, int64_t width, void* indices, void* values,
                                          cusparseIndexType_t index_type, cusparseIndexBase_t base,
                                          cudaDataType type) {
  return make(matrix,
              is_sparse(rows, cols, 0, type) && block > 0 && width >= 0 && rows % block == 0 &&
                  cols % block == 0 && width % block == 0 && width <= cols,
              CUSPARSE_FORMAT_BLOCKED_ELL, rows, cols, rows * width, nullptr, indices, values,
              index_type, index_type, base, type, 1, 1, CUSPARSE_ORDER_ROW,
              CUSPARSE_FILL_MODE_LOWER, CUSPARSE_DIAG_TYPE_NON_UNIT, 1, 0, 0, block, width);
}
cusparseStatus_t cusparseCreateConstBlockedEll(cusparseConstSpMatDescr_t* matrix, int64_t rows,
                                               int64_t cols, int64_t block, int64_t width,
                                               const void* indices, const void* values,
                                               cusparseIndexType_t index_type,
                                               cusparseIndexBase_t base, cudaDataType type) {
  return cusparseCreateBlockedEll(const_cast<cusparseSpMatDescr_t*>(matrix), rows, cols, block,
                                  width, const_cast<void*>(indices), const_cast<void*>(values),
                                  index_type, base, type);
}
cusparseStatus_t cusparseBlockedEllGet(cusparseSpMatDescr_t matrix, int64_t* rows, int64_t* cols,
                                       int64_t* block, int64_t* width, void** indices,
                                       void** values, cusparseIndexType_t* index_type,
                                       cusparseIndexBase_t* base, cudaDataType* type) {
  using T = cusparseSpMatDescr;
  if (!matrix || matrix->format != CUSPARSE_FORMAT_BLOCKED_ELL)
    return CUSPARSE_STATUS_INVALID_VALUE;
  return get(matrix, &T::rows, rows, &T::cols, cols, &T::slice, block, &T::width, width,
             &T::indices, indices, &T::values, values, &T::index_type, index_type, &T::base, base,
             &T::type, type);
}
cusparseStatus_t cusparseCreateSlicedEll(cusparseSpMatDescr_t* matrix, int64_t rows, int64_t cols,
                                         int64_t nnz, int64_t size, int64_t slice, void* offsets,
                                         void* indices, void* values,
                                         cusparseIndexType_t offset_type,
                                         cusparseIndexType_t index_type, cusparseIndexBase_t base,
                                         cudaDataType type) {
  return make(matrix, is_sparse(rows, cols, nnz, type) && slice > 0 && size >= nnz,
              CUSPARSE_FORMAT_SLICED_ELLPACK, rows, cols, nnz, offsets, indices, values,
              offset_type, index_type, base, type, 1, 1, CUSPARSE_ORDER_ROW,
              CUSPARSE_FILL_MODE_LOWER, CUSPARSE_DIAG_TYPE_NON_UNIT, 1, 0, 0, slice, size);
}
cusparseStatus_t cusparseCreateConstSlicedEll(cusparseConstSpMatDescr_t* matrix, int64_t rows,
                                              int64_t cols, int64_t nnz, int64_t size,
                                              int64_t slice, const void* offsets,
                                              const void* indices, const void* values,
                                              cusparseIndexType_t offset_type,
                                              cusparseIndexType_t index_type,
                                              cusparseIndexBase_t base, cudaDataType type) {
  return cusparseCreateSlicedEll(const_cast<cusparseSpMatDescr_t*>(matrix), rows, cols, nnz, size,
                                 slice, const_cast<void*>(offsets), const_cast<void*>(indices),
                                 const_cast<void*>(values), offset_type, index_type, base, type);
}
cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t matrix) {
  return destroy(matrix);
}
cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t matrix, int64_t* rows,
                                      int64_t* cols, int64_t* nnz) {
  using T = cusparseSpMatDescr;
  return get(matrix, &T::rows, rows, &T::cols, cols, &T::nnz, nnz);
}
cusparseStatus_t cusparseSpMatGetFormat(cusparseConstSpMatDescr_t matrix,
                                        cusparseFormat_t* format) {
  return get(matrix, &cusparseSpMatDescr::format, format);
}
cusparseStatus_t cusparseSpMatGetValues(cusparseSpMatDescr_t matrix, void** values) {
  return get(matrix, &cusparseSpMatDescr::values, values);
}
cusparseStatus_t cusparseSpMatSetValues(cusparseSpMatDescr_t matrix, void* values) {
  return set(matrix, &cusparseSpMatDescr::values, values);
}
cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t matrix,
                                           cusparseSpMatAttribute_t attribute, void* data,
                                           size_t size) {
  if (!matrix || !data || size != sizeof(int))
    return CUSPARSE_STATUS_INVALID_VALUE;
  return attribute == CUSPARSE_SPMAT_FILL_MODE
             ? set(matrix, &cusparseSpMatDescr::fill, *static_cast<cusparseFillMode_t*>(data))
             : set(matrix, &cusparseSpMatDescr::diagonal, *static_cast<cusparseDiagType_t*>(data));
}
cusparseStatus_t cusparseCooSetPointers(cusparseSpMatDescr_t matrix, void* rows, void* columns,
                                        void* values) {
  return set_pointers(matrix, CUSPARSE_FORMAT_COO, rows, columns, values);
}
}
