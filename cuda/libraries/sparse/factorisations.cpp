// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Incomplete factorisations of cuSPARSE, which keep to the places of a matrix's elements: LU
// (csrilu02), and Cholesky of the lower triangle (csric02).
#include "cuda/libraries/sparse/sparse.h"

#include <cmath>
#include <memory>

using namespace gputest::cuda;
using namespace gputest::cuda::libraries;
using namespace gputest::cuda::libraries::sparse;

namespace {

// What is known of pivots. Work may wait longer than the program has this.
struct Pivots {
  std::int64_t missing = -1; // the first row without an element on the diagonal
  std::int64_t zero = -1;    // the first one whose pivot is 0
  int base = 0;              // what numbers of rows begin with
};
struct Boost {
  bool is_on = false;
  double tolerance = 0;
  Value value;
};
struct Info {
  std::shared_ptr<Pivots> pivots = std::make_shared<Pivots>();
  Boost boost{};
};

// A matrix whose elements are changed in place. Rows have their columns in ascending order.
class Factors {
public:
  Factors(const Matrix& matrix, Pivots& pivots)
      : matrix_(matrix), pivots_(pivots), rows_(static_cast<std::size_t>(matrix.rows)),
        diagonal_(rows_.size(), -1) {}

  // Returns false, with a message, unless all `nnz` elements are in the matrix.
  bool read(const std::string& call) {
    pivots_ = {.base = matrix_.base};
    const std::vector<Entry> entries = entries_of(matrix_, call);
    if (entries.size() != static_cast<std::size_t>(matrix_.nnz)) {
      std::fprintf(stderr, "gputest-cuda: error: %s gets %lld elements, of which %zu are in rows\n",
                   call.c_str(), static_cast<long long>(matrix_.nnz), entries.size());
      return false;
    }
    for (const Entry& entry : entries) {
      const auto row = static_cast<std::size_t>(entry.row);
      if (entry.row == entry.col)
        diagonal_[row] = static_cast<std::ptrdiff_t>(rows_[row].size());
      rows_[row].push_back(entry);
    }
    for (std::size_t i = 0; i < rows_.size() && pivots_.missing < 0; ++i)
      if (diagonal_[i] < 0)
        pivots_.missing = static_cast<std::int64_t>(i);
    return true;
  }
  void write() const {
    std::ptrdiff_t k = 0;
    for (const std::vector<Entry>& row : rows_)
      for (const Entry& entry : row)
        set_value(at(matrix_.values), matrix_.type, k++, entry.value);
  }

  void lower_upper(const Boost& boost) {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      std::vector<Entry>& row = rows_[i];
      for (std::size_t k = 0; k < row.size() && row[k].col < row[k].row; ++k) {
        const auto above = static_cast<std::size_t>(row[k].col);
        if (diagonal_[above] < 0)
          continue;
        row[k].value /= pivot_of(above);
        subtract(row, k + 1, row[k].value, above);
      }
      if (diagonal_[i] < 0)
        continue;
      Value& pivot = row[static_cast<std::size_t>(diagonal_[i])].value;
      if (boost.is_on && std::abs(pivot) <= boost.tolerance)
        pivot = boost.value;
      tell_zero(pivot, i);
    }
  }
  void cholesky() {
    for (std::size_t i = 0; i < rows_.size(); ++i)
      for (Entry& entry : rows_[i]) {
        if (entry.col > entry.row)
          break; // the other triangle stays
        const auto other = static_cast<std::size_t>(entry.col);
        entry.value -= product_before(rows_[i], rows_[other], entry.col);
        if (other == i) {
          tell_zero(entry.value.real() > 0 ? entry.value : Value{}, i);
          entry.value = std::sqrt(entry.value.real());
        } else if (diagonal_[other] >= 0) {
          entry.value /= pivot_of(other);
        }
      }
  }

private:
  Value pivot_of(std::size_t row) const {
    return rows_[row][static_cast<std::size_t>(diagonal_[row])].value;
  }
  void tell_zero(Value pivot, std::size_t row) {
    if (pivot == Value{} && pivots_.zero < 0)
      pivots_.zero = static_cast<std::int64_t>(row);
  }
  // row -= by * the row `above`, behind its diagonal, where `row` has elements from `from` on.
  void subtract(std::vector<Entry>& row, std::size_t from, Value by, std::size_t above) const {
    std::size_t j = from;
    for (auto k = static_cast<std::size_t>(diagonal_[above]) + 1; k < rows_[above].size(); ++k) {
      const Entry& entry = rows_[above][k];
      while (j < row.size() && row[j].col < entry.col)
        ++j;
      if (j < row.size() && row[j].col == entry.col)
        row[j].value -= by * entry.value;
    }
  }
  // The product of two rows, the other one conjugated, in columns before `end`.
  static Value product_before(const std::vector<Entry>& row, const std::vector<Entry>& other,
                              std::int64_t end) {
    Value sum;
    for (std::size_t i = 0, j = 0; i < row.size() && j < other.size() && row[i].col < end;) {
      if (row[i].col == other[j].col)
        sum += row[i].value * std::conj(other[j].value);
      if (row[i].col <= other[j].col)
        ++i;
      else
        ++j;
    }
    return sum;
  }

  const Matrix& matrix_;
  Pivots& pivots_;
  std::vector<std::vector<Entry>> rows_;
  std::vector<std::ptrdiff_t> diagonal_; // where each row has it; -1: nowhere
};

// `factorise(factors, info)` changes the elements; null: they are only looked at.
cusparseStatus_t factorise(cusparseHandle_t handle, const char* name, int m, int nnz,
                           const cusparseMatDescr_t descr, void* values, const int* offsets,
                           const int* indices, cudaDataType type, const Info* info,
                           void (*factorise)(Factors&, const Info&)) {
  Call call(handle, name);
  call.require(descr && info && m >= 0 && nnz >= 0);
  if (!call.is_right())
    return call.run({});
  call.require(descr->type == CUSPARSE_MATRIX_TYPE_GENERAL,
               CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED);
  Matrix matrix = square_of(m, nnz, descr, type, values, offsets, indices);
  call.add_pattern("A", matrix);
  if (factorise)
    call.add(updated(vector_of("A's values", values, nnz, 1, size_of(type))));
  else
    matrix.values = nullptr; // where elements are depends on no value
  return call.run([=, name = call.name, known = *info] {
    Factors factors(matrix, *known.pivots);
    if (!factors.read(name) || !factorise)
      return;
    factorise(factors, known);
    factors.write();
  });
}

cusparseStatus_t zero_pivot(cusparseHandle_t handle, const Info* info, int* position) {
  if (!handle)
    return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (!info || !position)
    return CUSPARSE_STATUS_INVALID_VALUE;
  if (cudaStreamSynchronize(handle->stream) != cudaSuccess)
    return CUSPARSE_STATUS_EXECUTION_FAILED;
  const Pivots& pivots = *info->pivots;
  const std::int64_t which =
      pivots.missing < 0 || (pivots.zero >= 0 && pivots.zero < pivots.missing) ? pivots.zero
                                                                               : pivots.missing;
  const bool is_on_device = handle->pointer_mode == CUSPARSE_POINTER_MODE_DEVICE;
  const int told = which < 0 ? -1 : static_cast<int>(which) + pivots.base;
  if (is_on_device)
    cudaMemcpy(position, &told, sizeof told, cudaMemcpyHostToDevice);
  else
    *position = told;
  return which < 0 ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ZERO_PIVOT;
}

template <typename Info> cusparseStatus_t create(Info** info) {
  if (!info)
    return CUSPARSE_STATUS_INVALID_VALUE;
  *info = new Info;
  return CUSPARSE_STATUS_SUCCESS;
}
template <typename Info> cusparseStatus_t destroy(Info* info) {
  delete info;
  return CUSPARSE_STATUS_SUCCESS;
}

void lower_upper(Factors& factors, const Info& info) {
  factors.lower_upper(info.boost);
}
void cholesky(Factors& factors, const Info&) {
  factors.cholesky();
}

} // namespace

struct csrilu02Info : Info {};
struct csric02Info : Info {};

extern "C" {
cusparseStatus_t cusparseCreateCsrilu02Info(csrilu02Info_t* info) {
  return create(info);
}
cusparseStatus_t cusparseDestroyCsrilu02Info(csrilu02Info_t info) {
  return destroy(info);
}
cusparseStatus_t cusparseXcsrilu02_zeroPivot(cusparseHandle_t handle, csrilu02Info_t info,
                                             int* position) {
  return zero_pivot(handle, info, position);
}
cusparseStatus_t cusparseCreateCsric02Info(csric02Info_t* info) {
  return create(info);
}
cusparseStatus_t cusparseDestroyCsric02Info(csric02Info_t info) {
  return destroy(info);
}
cusparseStatus_t cusparseXcsric02_zeroPivot(cusparseHandle_t handle, csric02Info_t info,
                                            int* position) {
  return zero_pivot(handle, info, position);
}

// NOLINTBEGIN(bugprone-macro-parentheses): of types
#define GPUTEST_FACTORISATION(P, T, data_type, name, how)                                          \
  cusparseStatus_t cusparse##P##name##_bufferSize(cusparseHandle_t handle, int, int,               \
                                                  const cusparseMatDescr_t, T*, const int*,        \
                                                  const int*, name##Info_t, int* size) {           \
    if (!handle || !size)                                                                          \
      return handle ? CUSPARSE_STATUS_INVALID_VALUE : CUSPARSE_STATUS_NOT_INITIALIZED;             \
    *size = 1; /* programs allocate as much */                                                     \
    return CUSPARSE_STATUS_SUCCESS;                                                                \
  }                                                                                                \
  cusparseStatus_t cusparse##P##name##_analysis(                                                   \
      cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descr, const T* values,    \
      const int* offsets, const int* indices, name##Info_t info, cusparseSolvePolicy_t, void*) {   \
    return factorise(handle, __func__, m, nnz, descr, const_cast<T*>(values), offsets, indices,    \
                     data_type, info, nullptr);                                                    \
  }                                                                                                \
  cusparseStatus_t cusparse##P##name(                                                              \
      cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descr, T* values,          \
      const int* offsets, const int* indices, name##Info_t info, cusparseSolvePolicy_t, void*) {   \
    return factorise(handle, __func__, m, nnz, descr, values, offsets, indices, data_type, info,   \
                     how);                                                                         \
  }
#define GPUTEST_FACTORISATIONS(P, T, data_type)                                                    \
  GPUTEST_FACTORISATION(P, T, data_type, csrilu02, lower_upper)                                    \
  GPUTEST_FACTORISATION(P, T, data_type, csric02, cholesky)                                        \
  cusparseStatus_t cusparse##P##csrilu02_numericBoost(                                             \
      cusparseHandle_t handle, csrilu02Info_t info, int enable, double* tolerance, T* value) {     \
    if (!handle)                                                                                   \
      return CUSPARSE_STATUS_NOT_INITIALIZED;                                                      \
    if (!info || (enable && (!tolerance || !value)))                                               \
      return CUSPARSE_STATUS_INVALID_VALUE;                                                        \
    info->boost = {.is_on = enable != 0,                                                           \
                   .tolerance = enable ? *tolerance : 0,                                           \
                   .value = enable ? complex_at(value, data_type, 0) : Value{}};                   \
    return CUSPARSE_STATUS_SUCCESS;                                                                \
  }
// NOLINTEND(bugprone-macro-parentheses)
GPUTEST_FACTORISATIONS(S, float, CUDA_R_32F)
GPUTEST_FACTORISATIONS(D, double, CUDA_R_64F)
GPUTEST_FACTORISATIONS(C, cuComplex, CUDA_C_32F)
GPUTEST_FACTORISATIONS(Z, cuDoubleComplex, CUDA_C_64F)
}
