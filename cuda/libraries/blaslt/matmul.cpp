// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of cuBLASLt: D = epilogue(alpha op(A) op(B) + beta C), for matrices of any type and
// order.
#include "cuda/libraries/blaslt/descriptions.h"

#include <algorithm>
#include <cblas.h>
#include <optional>

namespace gputest::cuda::libraries::blaslt {
namespace {

SystemLibrary open_blas("libopenblas.so.0", "libopenblas0"); // NOLINT

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

cudaDataType bias_type_of(const Description& how, const Layout& d) {
  if (how.bias_type != kTypeOfResult)
    return static_cast<cudaDataType>(how.bias_type);
  return is_of_8_bits(d.type) ? CUDA_R_16BF : d.type;
}
std::complex<double> finished(std::complex<double> value, const Description& how, const void* bias,
                              const Layout& d, std::ptrdiff_t row) {
  if (how.epilogue & CUBLASLT_EPILOGUE_BIAS)
    value += complex_at(bias, bias_type_of(how, d), row);
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
  // What a matrix of 8 bits is multiplied by.
  static double scale_of(const Layout& layout, const float* scale) {
    return is_of_8_bits(layout.type) && scale ? *at(scale) : 1;
  }
  int k() const { return static_cast<int>(how.a == CUBLAS_OP_N ? a.cols : a.rows); }

  template <typename F> void run_as() const {
    const auto m = static_cast<int>(d.rows), n = static_cast<int>(d.cols);
    const std::complex<double> by = factor(0) * scale_of(a, how.scale_a) * scale_of(b, how.scale_b),
                               of_c = factor(1) * scale_of(c, how.scale_c);
    const double of_d = scale_of(d, how.scale_d);
    double largest = 0;
    for (int batch = 0; batch < d.batches; ++batch) {
      std::vector<F> sums(d.rows * d.cols);
      if (k() > 0)
        gemm(m, n, k(), values_of<F>(at(of_batch(A, a, batch)), a, how.a).data(),
             values_of<F>(at(of_batch(B, b, batch)), b, how.b).data(), sums.data());
      const std::byte* const old = at(of_batch(C, c, batch));
      auto* const to = const_cast<std::byte*>(at(of_batch(D, d, batch)));
      const void* const of_bias =
          bias ? static_cast<const std::byte*>(at(bias)) +
                     batch * how.bias_stride *
                         static_cast<std::ptrdiff_t>(size_of(bias_type_of(how, d)))
               : nullptr;
      for (std::ptrdiff_t j = 0; j < n; ++j)
        for (std::ptrdiff_t i = 0; i < m; ++i) {
          std::complex<double> value =
              by * std::complex<double>(sums[static_cast<std::size_t>(i + j * m)]);
          if (of_c != std::complex<double>{})
            value += of_c * complex_at(old, c.type, index_in(c, i, j));
          value = finished(value, how, of_bias, d, i);
          largest = std::max(largest, std::abs(value));
          set_value(to, d.type, index_in(d, i, j), value * of_d);
        }
    }
    if (how.largest)
      *at(how.largest) = static_cast<float>(largest);
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
    if (const cublasStatus_t problem = blaslt::problem_of(*layout))
      return problem;
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
  // Floating point of 8 bits: as the hardware multiplies it.
  if ((is_of_8_bits(a.type) || is_of_8_bits(b.type) || is_of_8_bits(d.type)) &&
      (!is_of_8_bits(a.type) || !is_of_8_bits(b.type) || how.a != CUBLAS_OP_T ||
       how.b != CUBLAS_OP_N || how.compute != CUBLAS_COMPUTE_32F || how.scale != CUDA_R_32F ||
       (a.type == CUDA_R_8F_E5M2 && b.type == CUDA_R_8F_E5M2)))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  const auto is_placed = [](const float* scale) {
    return reinterpret_cast<std::uintptr_t>(scale) % 16 == 0;
  };
  if (is_of_8_bits(a.type) && !(is_placed(how.scale_a) && is_placed(how.scale_b)))
    return CUBLAS_STATUS_NOT_SUPPORTED; // an H200 says so when the product is asked for
  if (size_of(bias_type_of(how, d)) == 0 || how.c != CUBLAS_OP_N ||
      how.fill != CUBLAS_FILL_MODE_FULL || size_of(how.scale) == 0 ||
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
    for (int batch = 0; batch < (what.how.bias_stride ? what.d.batches : 1); ++batch) {
      const std::size_t size = size_of(bias_type_of(what.how, what.d));
      work.operands.push_back(
          read(vector_of("the bias",
                         static_cast<const std::byte*>(what.bias) +
                             batch * what.how.bias_stride * static_cast<std::ptrdiff_t>(size),
                         static_cast<std::int64_t>(what.d.rows), 1, size)));
    }
  const auto add_scale = [&](const char* name, const Layout& layout, const float* scale) {
    if (is_of_8_bits(layout.type) && scale)
      work.operands.push_back(read(array_of(name, scale, sizeof(float))));
  };
  add_scale("A's scale", what.a, what.how.scale_a);
  add_scale("B's scale", what.b, what.how.scale_b);
  add_scale("C's scale", what.c, what.how.scale_c);
  add_scale("D's scale", what.d, what.how.scale_d);
  if (what.how.largest)
    work.operands.push_back(written(array_of("the largest |D|", what.how.largest, sizeof(float))));
  add_operands(work.operands, "D", D, what.d, written);
  work.run = [=] { what.run(); };
  return gputest_cuda_host_work(stream, work) == cudaSuccess ? CUBLAS_STATUS_SUCCESS
                                                             : CUBLAS_STATUS_EXECUTION_FAILED;
}
}
