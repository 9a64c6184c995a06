// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of cuBLASLt: D = epilogue(alpha op(A) op(B) + beta C), for matrices of any type and
// order.
#include "cuda/libraries/blaslt/include/cublasLt.h"
#include "cuda/libraries/host.h"
#include "cuda/libraries/values.h"

#include <algorithm>
#include <cblas.h>
#include <optional>

namespace gputest::cuda::libraries::blaslt {
namespace {

SystemLibrary open_blas("libopenblas.so.0", "libopenblas0"); // NOLINT

// What the program's descriptors hold.
struct Layout {
  cudaDataType type = CUDA_R_32F;
  cublasLtOrder_t order = CUBLASLT_ORDER_COL;
  std::uint64_t rows = 0, cols = 0;
  std::int64_t ld = 0, batch_stride = 0;
  std::int32_t batches = 1;
};
struct Description {
  cublasComputeType_t compute = CUBLAS_COMPUTE_32F;
  cudaDataType scale = CUDA_R_32F;
  cublasLtPointerMode_t mode = CUBLASLT_POINTER_MODE_HOST;
  cublasOperation_t a = CUBLAS_OP_N, b = CUBLAS_OP_N, c = CUBLAS_OP_N;
  cublasFillMode_t fill = CUBLAS_FILL_MODE_FULL;
  cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  const void* bias = nullptr;
};
static_assert(sizeof(Layout) <= sizeof(cublasLtMatrixLayoutOpaque_t));
static_assert(sizeof(Description) <= sizeof(cublasLtMatmulDescOpaque_t));

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
Place place_of(Layout& layout, cublasLtMatrixLayoutAttribute_t attribute) {
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
Place place_of(Description& description, cublasLtMatmulDescAttributes_t attribute) {
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

std::ptrdiff_t index_in(const Layout& layout, std::ptrdiff_t row, std::ptrdiff_t col) {
  return layout.order == CUBLASLT_ORDER_COL ? row + col * layout.ld : row * layout.ld + col;
}
const std::byte* of_batch(const void* begin, const Layout& layout, int batch) {
  return static_cast<const std::byte*>(begin) +
         batch * layout.batch_stride * static_cast<std::ptrdiff_t>(size_of(layout.type));
}
void add_operands(std::vector<Operand>& operands, const char* name, const void* begin,
                  const Layout& layout, Operand (*how)(Operand)) {
  const bool by_columns = layout.order == CUBLASLT_ORDER_COL;
  const auto rows = static_cast<std::int64_t>(by_columns ? layout.rows : layout.cols),
             cols = static_cast<std::int64_t>(by_columns ? layout.cols : layout.rows);
  for (int batch = 0; batch < layout.batches; ++batch)
    operands.push_back(how(matrix_of(name, of_batch(begin, layout, batch), rows, cols, layout.ld,
                                     size_of(layout.type))));
}

// op(matrix) by columns, without gaps.
template <typename F>
std::vector<F> values_of(const std::byte* begin, const Layout& layout, cublasOperation_t op) {
  const auto rows = static_cast<std::ptrdiff_t>(op == CUBLAS_OP_N ? layout.rows : layout.cols),
             cols = static_cast<std::ptrdiff_t>(op == CUBLAS_OP_N ? layout.cols : layout.rows);
  std::vector<F> values;
  values.reserve(static_cast<std::size_t>(rows * cols));
  for (std::ptrdiff_t j = 0; j < cols; ++j)
    for (std::ptrdiff_t i = 0; i < rows; ++i) {
      const std::complex<double> value = complex_at(
          begin, layout.type, op == CUBLAS_OP_N ? index_in(layout, i, j) : index_in(layout, j, i));
      if constexpr (std::is_floating_point_v<F>)
        values.push_back(static_cast<F>(value.real()));
      else
        values.push_back(op == CUBLAS_OP_C ? std::conj(value) : value);
    }
  return values;
}

void gemm(int m, int n, int k, const float* a, const float* b, float* c) {
  GPUTEST_SYSTEM_FUNCTION(open_blas, cblas_sgemm)
  (CblasColMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1, a, m, b, k, 0, c, m);
}
void gemm(int m, int n, int k, const double* a, const double* b, double* c) {
  GPUTEST_SYSTEM_FUNCTION(open_blas, cblas_dgemm)
  (CblasColMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1, a, m, b, k, 0, c, m);
}
void gemm(int m, int n, int k, const std::complex<double>* a, const std::complex<double>* b,
          std::complex<double>* c) {
  const std::complex<double> one = 1, zero = 0;
  GPUTEST_SYSTEM_FUNCTION(open_blas, cblas_zgemm)
  (CblasColMajor, CblasNoTrans, CblasNoTrans, m, n, k, &one, a, m, b, k, &zero, c, m);
}

std::complex<double> finished(std::complex<double> value, const Description& how, const void* bias,
                              const Layout& d, std::ptrdiff_t row) {
  if (how.epilogue & CUBLASLT_EPILOGUE_BIAS)
    value += complex_at(bias, d.type, row);
  const double x = value.real();
  if (how.epilogue & CUBLASLT_EPILOGUE_RELU)
    return std::max(0.0, x);
  if (how.epilogue & CUBLASLT_EPILOGUE_GELU) // by tanh, as cuBLASLt documents it
    return 0.5 * x * (1 + std::tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)));
  return value;
}

struct Matmul {
  Description how;
  Layout a, b, c, d;
  const void *A, *B, *C, *alpha, *beta, *bias; // places of the device, or of `factors`
  void* D;
  std::complex<double> factors[2];

  std::complex<double> factor(int which) const {
    return how.mode == CUBLASLT_POINTER_MODE_DEVICE
               ? complex_at(at(which == 0 ? alpha : beta), how.scale, 0)
               : factors[which];
  }
  bool reads_c() const {
    return how.mode == CUBLASLT_POINTER_MODE_DEVICE || factors[1] != std::complex<double>{};
  }
  int k() const { return static_cast<int>(how.a == CUBLAS_OP_N ? a.cols : a.rows); }

  template <typename F> void run_as() const {
    const auto m = static_cast<int>(d.rows), n = static_cast<int>(d.cols);
    const std::complex<double> by = factor(0), of_c = factor(1);
    for (int batch = 0; batch < d.batches; ++batch) {
      std::vector<F> sums(d.rows * d.cols);
      if (k() > 0)
        gemm(m, n, k(), values_of<F>(at(of_batch(A, a, batch)), a, how.a).data(),
             values_of<F>(at(of_batch(B, b, batch)), b, how.b).data(), sums.data());
      const std::byte* const old = at(of_batch(C, c, batch));
      auto* const to = const_cast<std::byte*>(at(of_batch(D, d, batch)));
      for (std::ptrdiff_t j = 0; j < n; ++j)
        for (std::ptrdiff_t i = 0; i < m; ++i) {
          std::complex<double> value =
              by * std::complex<double>(sums[static_cast<std::size_t>(i + j * m)]);
          if (of_c != std::complex<double>{})
            value += of_c * complex_at(old, c.type, index_in(c, i, j));
          set_value(to, d.type, index_in(d, i, j), finished(value, how, at(bias), d, i));
        }
    }
  }
  void run() const {
    if (is_complex(a.type))
      run_as<std::complex<double>>();
    else if (a.type == CUDA_R_64F || a.type == CUDA_R_8I) // exact for integers
      run_as<double>();
    else
      run_as<float>();
  }
};

cublasStatus_t problem_of(const Matmul& what) {
  const Layout &a = what.a, &b = what.b, &c = what.c, &d = what.d;
  const Description& how = what.how;
  const auto rows = [](const Layout& layout, cublasOperation_t op) {
    return op == CUBLAS_OP_N ? layout.rows : layout.cols;
  };
  const auto cols = [](const Layout& layout, cublasOperation_t op) {
    return op == CUBLAS_OP_N ? layout.cols : layout.rows;
  };
  if (rows(a, how.a) != d.rows || cols(b, how.b) != d.cols || cols(a, how.a) != rows(b, how.b) ||
      c.rows != d.rows || c.cols != d.cols || a.batches != d.batches || b.batches != d.batches ||
      c.batches != d.batches)
    return CUBLAS_STATUS_INVALID_VALUE;
  for (const Layout* layout : {&a, &b, &c, &d})
    if (layout->ld < static_cast<std::int64_t>(
                         layout->order == CUBLASLT_ORDER_COL ? layout->rows : layout->cols) ||
        layout->batches < 0)
      return CUBLAS_STATUS_INVALID_VALUE;
  for (const Layout* layout : {&a, &b, &c, &d})
    if (size_of(layout->type) == 0 ||
        (layout->order != CUBLASLT_ORDER_COL && layout->order != CUBLASLT_ORDER_ROW))
      return CUBLAS_STATUS_NOT_SUPPORTED;
  switch (how.epilogue) {
  case CUBLASLT_EPILOGUE_DEFAULT:
  case CUBLASLT_EPILOGUE_RELU:
  case CUBLASLT_EPILOGUE_BIAS:
  case CUBLASLT_EPILOGUE_RELU_BIAS:
  case CUBLASLT_EPILOGUE_GELU:
  case CUBLASLT_EPILOGUE_GELU_BIAS:
    break;
  default:
    return CUBLAS_STATUS_NOT_SUPPORTED;
  }
  if (how.c != CUBLAS_OP_N || how.fill != CUBLAS_FILL_MODE_FULL || size_of(how.scale) == 0 ||
      is_complex(a.type) != is_complex(d.type) ||
      (is_complex(d.type) && how.epilogue != CUBLASLT_EPILOGUE_DEFAULT))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  return CUBLAS_STATUS_SUCCESS;
}

} // namespace
} // namespace gputest::cuda::libraries::blaslt

using namespace gputest::cuda;
using namespace gputest::cuda::libraries;
using namespace gputest::cuda::libraries::blaslt;

struct cublasLtContext {};

template <typename Opaque, typename T> static cublasStatus_t make(Opaque** opaque, const T& value) {
  if (!opaque)
    return CUBLAS_STATUS_INVALID_VALUE;
  *opaque = new Opaque;
  blaslt::set(*opaque, value);
  return CUBLAS_STATUS_SUCCESS;
}
template <typename T> static cublasStatus_t destroy(T* what) {
  delete what;
  return CUBLAS_STATUS_SUCCESS;
}
static Layout layout_of(cudaDataType type, uint64_t rows, uint64_t cols, int64_t ld) {
  return {.type = type, .rows = rows, .cols = cols, .ld = ld};
}

extern "C" {
cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle) {
  if (!handle)
    return CUBLAS_STATUS_INVALID_VALUE;
  *handle = nullptr;
  if (!open_blas.open("cuBLASLt") || cudaFree(nullptr) != cudaSuccess)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  *handle = new cublasLtContext;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) {
  return handle ? destroy(handle) : CUBLAS_STATUS_NOT_INITIALIZED;
}
size_t cublasLtGetVersion(void) {
  return CUBLAS_VERSION;
}
size_t cublasLtGetCudartVersion(void) {
  return CUDART_VERSION;
}
cublasStatus_t cublasLtMatrixLayoutInit(cublasLtMatrixLayout_t layout, cudaDataType type,
                                        uint64_t rows, uint64_t cols, int64_t ld) {
  if (!layout)
    return CUBLAS_STATUS_INVALID_VALUE;
  blaslt::set(layout, layout_of(type, rows, cols, ld));
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* layout, cudaDataType type,
                                          uint64_t rows, uint64_t cols, int64_t ld) {
  return make(layout, layout_of(type, rows, cols, ld));
}
cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout) {
  return destroy(layout);
}
cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t layout,
                                                cublasLtMatrixLayoutAttribute_t attribute,
                                                const void* from, size_t size) {
  return set_attribute<Layout>(layout, attribute, from, size);
}
cublasStatus_t cublasLtMatrixLayoutGetAttribute(cublasLtMatrixLayout_t layout,
                                                cublasLtMatrixLayoutAttribute_t attribute, void* to,
                                                size_t size, size_t* written) {
  return get_attribute<Layout>(layout, attribute, to, size, written);
}
cublasStatus_t cublasLtMatmulDescInit(cublasLtMatmulDesc_t descr, cublasComputeType_t compute,
                                      cudaDataType scale) {
  if (!descr)
    return CUBLAS_STATUS_INVALID_VALUE;
  blaslt::set(descr, Description{.compute = compute, .scale = scale});
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* descr, cublasComputeType_t compute,
                                        cudaDataType scale) {
  return make(descr, Description{.compute = compute, .scale = scale});
}
cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t descr) {
  return destroy(descr);
}
cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t descr,
                                              cublasLtMatmulDescAttributes_t attribute,
                                              const void* from, size_t size) {
  return set_attribute<Description>(descr, attribute, from, size);
}
cublasStatus_t cublasLtMatmulDescGetAttribute(cublasLtMatmulDesc_t descr,
                                              cublasLtMatmulDescAttributes_t attribute, void* to,
                                              size_t size, size_t* written) {
  return get_attribute<Description>(descr, attribute, to, size, written);
}
// There is one algorithm, which needs no work area: preferences change nothing.
cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* preference) {
  return make(preference, 0);
}
cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference) {
  return destroy(preference);
}
cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t preference,
                                                    cublasLtMatmulPreferenceAttributes_t,
                                                    const void* from, size_t) {
  return preference && from ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}
cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t handle, cublasLtMatmulDesc_t descr,
                                              cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                              cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                              cublasLtMatmulPreference_t, int wanted,
                                              cublasLtMatmulHeuristicResult_t results[],
                                              int* count) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!descr || !a || !b || !c || !d || !results || !count || wanted < 1)
    return CUBLAS_STATUS_INVALID_VALUE;
  *count = 0;
  Matmul what{};
  what.how = get<Description>(descr);
  what.a = get<Layout>(a);
  what.b = get<Layout>(b);
  what.c = get<Layout>(c);
  what.d = get<Layout>(d);
  if (const cublasStatus_t problem = problem_of(what))
    return problem;
  *count = 1;
  results[0] = {};
  results[0].wavesCount = 1;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t descr,
                              const void* alpha, const void* A, cublasLtMatrixLayout_t a,
                              const void* B, cublasLtMatrixLayout_t b, const void* beta,
                              const void* C, cublasLtMatrixLayout_t c, void* D,
                              cublasLtMatrixLayout_t d, const cublasLtMatmulAlgo_t*, void*, size_t,
                              cudaStream_t stream) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!descr || !a || !b || !c || !d || !alpha || !beta)
    return CUBLAS_STATUS_INVALID_VALUE;
  Matmul what{.how = get<Description>(descr),
              .a = get<Layout>(a),
              .b = get<Layout>(b),
              .c = get<Layout>(c),
              .d = get<Layout>(d),
              .A = A,
              .B = B,
              .C = C,
              .alpha = alpha,
              .beta = beta,
              .bias = nullptr,
              .D = D,
              .factors = {}};
  if (const cublasStatus_t problem = problem_of(what))
    return problem;
  what.bias = what.how.bias;
  HostWork work{.call = "cublasLtMatmul()", .operands = {}, .find_more = {}, .run = {}};
  if (what.how.mode == CUBLASLT_POINTER_MODE_DEVICE) {
    work.operands.push_back(read(array_of("alpha", alpha, size_of(what.how.scale))));
    work.operands.push_back(read(array_of("beta", beta, size_of(what.how.scale))));
  } else {
    what.factors[0] = complex_at(alpha, what.how.scale, 0);
    what.factors[1] = complex_at(beta, what.how.scale, 0);
  }
  add_operands(work.operands, "A", A, what.a, read);
  add_operands(work.operands, "B", B, what.b, read);
  if (what.reads_c())
    add_operands(work.operands, "C", C, what.c,
                 what.how.mode == CUBLASLT_POINTER_MODE_DEVICE ? partly_read : read);
  if (what.how.epilogue & CUBLASLT_EPILOGUE_BIAS)
    work.operands.push_back(read(vector_of(
        "the bias", what.bias, static_cast<std::int64_t>(what.d.rows), 1, size_of(what.d.type))));
  add_operands(work.operands, "D", D, what.d, written);
  work.run = [=] { what.run(); };
  return gputest_cuda_host_work(stream, work) == cudaSuccess ? CUBLAS_STATUS_SUCCESS
                                                             : CUBLAS_STATUS_EXECUTION_FAILED;
}
}
