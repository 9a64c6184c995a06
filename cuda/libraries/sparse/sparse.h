// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What cuSPARSE's functions share: descriptors, scalars, and the entries of a matrix in any format.
// Values are computed as complex numbers in double precision, and rounded once.
#pragma once

#include "cuda/libraries/host.h"
#include "cuda/libraries/sparse/include/cusparse.h"
#include "cuda/libraries/values.h"

#include <algorithm>
#include <cstdio>

struct cusparseContext {
  cudaStream_t stream = nullptr;
  cusparsePointerMode_t pointer_mode = CUSPARSE_POINTER_MODE_HOST;
};
struct cusparseMatDescr {
  cusparseMatrixType_t type = CUSPARSE_MATRIX_TYPE_GENERAL;
  cusparseFillMode_t fill = CUSPARSE_FILL_MODE_LOWER;
  cusparseDiagType_t diagonal = CUSPARSE_DIAG_TYPE_NON_UNIT;
  cusparseIndexBase_t base = CUSPARSE_INDEX_BASE_ZERO;
};
struct cusparseSpMatDescr {
  cusparseFormat_t format;
  std::int64_t rows, cols, nnz;     // of BSR: of blocks
  void *offsets, *indices, *values; // of COO: rows and columns
  cusparseIndexType_t offset_type, index_type;
  cusparseIndexBase_t base;
  cudaDataType type;
  std::int64_t block_rows = 1, block_cols = 1;
  cusparseOrder_t order = CUSPARSE_ORDER_ROW; // in blocks
  cusparseFillMode_t fill = CUSPARSE_FILL_MODE_LOWER;
  cusparseDiagType_t diagonal = CUSPARSE_DIAG_TYPE_NON_UNIT;
  int batches = 1; // matrices of this kind, in elements from one to the next
  std::int64_t offset_stride = 0, stride = 0;
  std::int64_t slice = 0; // Blocked-ELL: rows and columns of a block; sliced ELL: rows of a slice
  std::int64_t width =
      0; // Blocked-ELL: columns that are stored; sliced ELL: elements of all slices
};
struct cusparseDnVecDescr {
  std::int64_t size;
  void* values;
  cudaDataType type;
};
struct cusparseDnMatDescr {
  std::int64_t rows, cols, ld;
  void* values;
  cudaDataType type;
  cusparseOrder_t order;
  int batches = 1;
  std::int64_t stride = 0;
};
struct cusparseSpVecDescr {
  std::int64_t size, nnz;
  void *indices, *values;
  cusparseIndexType_t index_type;
  cusparseIndexBase_t base;
  cudaDataType type;
};

namespace gputest::cuda::libraries::sparse {

using Value = std::complex<double>;

inline std::size_t bytes_of(cusparseIndexType_t type) {
  return type == CUSPARSE_INDEX_64I ? 8 : type == CUSPARSE_INDEX_16U ? 2 : 4;
}
inline std::int64_t index_at(const void* array, cusparseIndexType_t type, std::int64_t i) {
  return type == CUSPARSE_INDEX_64I   ? static_cast<const std::int64_t*>(array)[i]
         : type == CUSPARSE_INDEX_16U ? static_cast<const std::uint16_t*>(array)[i]
                                      : static_cast<const std::int32_t*>(array)[i];
}
inline void set_index(void* array, cusparseIndexType_t type, std::int64_t i, std::int64_t value) {
  if (type == CUSPARSE_INDEX_64I)
    static_cast<std::int64_t*>(array)[i] = value;
  else if (type == CUSPARSE_INDEX_16U)
    static_cast<std::uint16_t*>(array)[i] = static_cast<std::uint16_t>(value);
  else
    static_cast<std::int32_t*>(array)[i] = static_cast<std::int32_t>(value);
}

// A matrix of the host, as the descriptor was when the call was made. A program may destroy or
// change the descriptor while the work waits.
using Matrix = cusparseSpMatDescr;
struct Entry {
  std::int64_t row, col;
  Value value;
};
// Calls add(row, column, number of the value) for each element that a Blocked-ELL matrix stores. A
// column of blocks that is negative is room that nothing fills, and the column is then negative,
// too.
template <typename F> void each_of_ell(const Matrix& matrix, const void* indices, F add) {
  const std::int64_t size = matrix.slice, across = matrix.width / size;
  for (std::int64_t row = 0; row < matrix.rows; ++row)
    for (std::int64_t block = 0; block < across; ++block) {
      const std::int64_t col =
          index_at(indices, matrix.index_type, row / size * across + block) - matrix.base;
      for (std::int64_t c = 0; c < size; ++c)
        add(row, col < 0 ? -1 : col * size + c, row * matrix.width + block * size + c);
    }
}
// Returns the entries in the order of the format. Entries outside of the matrix are left out with a
// message.
std::vector<Entry> entries_of(const Matrix& matrix, const std::string& call);
// The same of op(A): transposed, and conjugated, if the operation says so.
std::vector<Entry> entries_of(const Matrix& matrix, cusparseOperation_t op,
                              const std::string& call);

inline std::int64_t rows_of(const Matrix& matrix) {
  return matrix.rows * matrix.block_rows;
}
inline std::int64_t cols_of(const Matrix& matrix) {
  return matrix.cols * matrix.block_cols;
}
inline std::int64_t values_of(const Matrix& matrix) {
  return matrix.format == CUSPARSE_FORMAT_SLICED_ELLPACK
             ? matrix.width
             : matrix.nnz * matrix.block_rows * matrix.block_cols;
}

// Formats that only some functions take.
inline bool is_ell(const Matrix& matrix) {
  return matrix.format == CUSPARSE_FORMAT_BLOCKED_ELL ||
         matrix.format == CUSPARSE_FORMAT_SLICED_ELLPACK;
}

// One matrix of a batch. Where there is one alone, it is used with each of the others.
inline void* moved(void* array, std::int64_t elements, std::size_t size) {
  return array ? static_cast<std::byte*>(array) + elements * static_cast<std::int64_t>(size)
               : nullptr;
}
inline Matrix batch_of(Matrix matrix, int which) {
  matrix.offsets =
      moved(matrix.offsets, which * matrix.offset_stride, bytes_of(matrix.offset_type));
  matrix.indices = moved(matrix.indices, which * matrix.stride, bytes_of(matrix.index_type));
  matrix.values = moved(matrix.values, which * matrix.stride, size_of(matrix.type));
  return matrix;
}
inline cusparseDnMatDescr batch_of(cusparseDnMatDescr matrix, int which) {
  matrix.values = moved(matrix.values, which * matrix.stride, size_of(matrix.type));
  return matrix;
}

// A square matrix in CSR, as functions have it that take its arrays.
inline Matrix square_of(int m, int nnz, const cusparseMatDescr_t descr, cudaDataType type,
                        void* values, const int* offsets, const int* indices) {
  return {.format = CUSPARSE_FORMAT_CSR,
          .rows = m,
          .cols = m,
          .nnz = nnz,
          .offsets = const_cast<int*>(offsets),
          .indices = const_cast<int*>(indices),
          .values = values,
          .offset_type = CUSPARSE_INDEX_32I,
          .index_type = CUSPARSE_INDEX_32I,
          .base = descr->base,
          .type = type};
}

inline bool is_plain(cusparseOperation_t op) {
  return op == CUSPARSE_OPERATION_NON_TRANSPOSE;
}
// The loops need no memory of the device.
inline cusparseStatus_t no_buffer(cusparseHandle_t handle, size_t* size) {
  if (!handle || !size)
    return handle ? CUSPARSE_STATUS_INVALID_VALUE : CUSPARSE_STATUS_NOT_INITIALIZED;
  *size = 0;
  return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t nothing(cusparseHandle_t handle) {
  return handle ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_NOT_INITIALIZED;
}
inline Operand ints(const char* name, const int* begin, std::int64_t count) {
  return vector_of(name, begin, count, 1, sizeof(int));
}

std::ptrdiff_t place_in(const cusparseDnMatDescr& matrix, std::int64_t row, std::int64_t col);
Operand operand_of(const char* name, const cusparseDnMatDescr& matrix);
inline Operand operand_of(const char* name, const cusparseDnVecDescr& vector) {
  return vector_of(name, vector.values, vector.size, 1, size_of(vector.type));
}

// A factor of the type of the computation.
class Factor {
public:
  Factor(cusparseHandle_t handle, const void* place, cudaDataType type) : type_(type) {
    if (handle && handle->pointer_mode == CUSPARSE_POINTER_MODE_DEVICE)
      place_ = place;
    else if (place)
      value_ = complex_at(place, type, 0);
  }
  Value operator()() const { return place_ ? complex_at(at(place_), type_, 0) : value_; }
  bool is_known_zero() const { return !place_ && value_ == Value{}; }
  void add_to(std::vector<Operand>& operands, const char* name) const {
    if (place_)
      operands.push_back(read(array_of(name, place_, size_of(type_))));
  }

private:
  cudaDataType type_;
  const void* place_ = nullptr;
  Value value_;
};

class Call {
public:
  Call(cusparseHandle_t handle, const char* function)
      : name(std::string(function) + "()"), handle_(handle),
        status_(handle ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_NOT_INITIALIZED) {}
  void require(bool is_met, cusparseStatus_t otherwise = CUSPARSE_STATUS_INVALID_VALUE) {
    if (!is_met && status_ == CUSPARSE_STATUS_SUCCESS)
      status_ = otherwise;
  }
  bool is_right() const { return status_ == CUSPARSE_STATUS_SUCCESS; }
  void add(Operand operand) { operands.push_back(std::move(operand)); }
  void add_pattern(const char* of, const Matrix& matrix); // reads where elements are
  void add_matrix(const char* of, const Matrix& matrix);  // reads all of it
  // `waits`: the host needs the result.
  cusparseStatus_t run(std::function<void()> what, bool waits = false);

  const std::string name;
  std::vector<Operand> operands{};

private:
  cusparseHandle_t handle_;
  cusparseStatus_t status_;
};

// A result to which the former value times `beta` is added.
inline void add_sum(Call& call, Operand operand, const Factor& beta) {
  operand.writes = true;
  operand.reads = !beta.is_known_zero();
  call.add(std::move(operand));
}
inline void set_sum(void* array, cudaDataType type, std::ptrdiff_t place, Value sum, Value beta) {
  set_value(array, type, place,
            beta == Value{} ? sum : sum + beta * complex_at(array, type, place));
}

} // namespace gputest::cuda::libraries::sparse

// What programs call before cusparse<name>. Each has the parameters of cusparse<name>, and does
// nothing: the loops need no memory of the device.
#define GPUTEST_NO_BUFFER(name, preparation, ...)                                                  \
  cusparseStatus_t cusparse##name##_bufferSize(cusparseHandle_t handle, __VA_ARGS__,               \
                                               size_t* size) {                                     \
    return no_buffer(handle, size);                                                                \
  }                                                                                                \
  cusparseStatus_t cusparse##name##_##preparation(cusparseHandle_t handle, __VA_ARGS__, void*) {   \
    return nothing(handle);                                                                        \
  }
// A descriptor that is made empty.
#define GPUTEST_DESCRIPTOR(name)                                                                   \
  cusparseStatus_t cusparse##name##_createDescr(cusparse##name##Descr_t* descr) {                  \
    if (!descr)                                                                                    \
      return CUSPARSE_STATUS_INVALID_VALUE;                                                        \
    *descr = new cusparse##name##Descr;                                                            \
    return CUSPARSE_STATUS_SUCCESS;                                                                \
  }                                                                                                \
  cusparseStatus_t cusparse##name##_destroyDescr(cusparse##name##Descr_t descr) {                  \
    delete descr;                                                                                  \
    return CUSPARSE_STATUS_SUCCESS;                                                                \
  }
