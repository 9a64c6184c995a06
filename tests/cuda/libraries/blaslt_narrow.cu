// cuBLASLt's products of numbers of 8 bits, their scales, and transformations between types and orders.
// Link: -lcublasLt
#include <cublasLt.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include "numbers.h"

#include <algorithm>

static cublasLtHandle_t handle;

#define PASSES(call) EXPECT((call) == CUBLAS_STATUS_SUCCESS)

template <typename N> struct TypeOf;
template <> struct TypeOf<__nv_fp8_e4m3> {
  static constexpr cudaDataType value = CUDA_R_8F_E4M3;
};
template <> struct TypeOf<__nv_fp8_e5m2> {
  static constexpr cudaDataType value = CUDA_R_8F_E5M2;
};
template <> struct TypeOf<__half> {
  static constexpr cudaDataType value = CUDA_R_16F;
};
template <> struct TypeOf<__nv_bfloat16> {
  static constexpr cudaDataType value = CUDA_R_16BF;
};
template <> struct TypeOf<float> {
  static constexpr cudaDataType value = CUDA_R_32F;
};
template <> struct TypeOf<signed char> {
  static constexpr cudaDataType value = CUDA_R_8I;
};
template <> struct TypeOf<int> {
  static constexpr cudaDataType value = CUDA_R_32I;
};

// By columns, without gaps.
template <typename N> struct Matrix {
  int rows, cols;
  Both<N> values;
  cublasLtMatrixLayout_t layout = nullptr;
  template <typename F>
  Matrix(int m, int n, F value, cublasLtOrder_t order = CUBLASLT_ORDER_COL) : rows(m), cols(n), values(filled(m, n, value)) {
    PASSES(cublasLtMatrixLayoutCreate(&layout, TypeOf<N>::value, uint64_t(m), uint64_t(n), order == CUBLASLT_ORDER_COL ? m : n));
    PASSES(cublasLtMatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_ORDER, &order, sizeof order));
  }
  ~Matrix() { cublasLtMatrixLayoutDestroy(layout); }
  template <typename F> static std::vector<N> filled(int m, int n, F value) {
    std::vector<N> all;
    for (int i = 0; i < m * n; ++i)
      all.push_back(N(value()));
    return all;
  }
  float operator()(int i, int j) const { return float(values.host[size_t(j) * rows + i]); }
};
static float small() {
  return float(random_int(-16, 16)) / 8;
}

// D = scale of D * (alpha * scales of A and B * A^T B + beta * C). Sizes are multiples of 16, as the hardware needs them.
template <typename A, typename B, typename C, typename D> static void float8() {
  const int m = 16 * random_int(1, 3), n = 16 * random_int(1, 3), k = 16 * random_int(1, 3);
  const Matrix<A> a(k, m, small);
  const Matrix<B> b(k, n, small);
  const Matrix<C> c(m, n, small);
  Matrix<D> d(m, n, small);
  const bool is_narrow = sizeof(D) == 1, has_bias = random_int(0, 1);
  // The scales of A and B are at multiples of 16 bytes.
  const Both<float> scales({0.5F, 0, 0, 0, 2, 0.25F}), largest({-1});
  const Both<__nv_bfloat16> bias(Matrix<__nv_bfloat16>::filled(m, 1, small));
  const cublasOperation_t trans = CUBLAS_OP_T, plain = CUBLAS_OP_N;
  const float *of_a = scales.device, *of_b = scales.device + 4, *of_d = scales.device + 5;
  cublasLtMatmulDesc_t descr = nullptr;
  PASSES(cublasLtMatmulDescCreate(&descr, CUBLAS_COMPUTE_32F, CUDA_R_32F));
  const auto set = [&](cublasLtMatmulDescAttributes_t which, const auto& value) {
    PASSES(cublasLtMatmulDescSetAttribute(descr, which, &value, sizeof value));
  };
  set(CUBLASLT_MATMUL_DESC_TRANSA, trans);
  set(CUBLASLT_MATMUL_DESC_TRANSB, plain);
  set(CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, of_a);
  set(CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, of_b);
  if (is_narrow) {
    set(CUBLASLT_MATMUL_DESC_D_SCALE_POINTER, of_d);
    set(CUBLASLT_MATMUL_DESC_AMAX_D_POINTER, largest.device);
  }
  const int8_t fast = 0;
  set(CUBLASLT_MATMUL_DESC_FAST_ACCUM, fast);
  if (has_bias && !std::is_same<D, float>::value) {
    const cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_BIAS;
    const cudaDataType type = CUDA_R_16BF;
    set(CUBLASLT_MATMUL_DESC_EPILOGUE, epilogue);
    set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, bias.device);
    set(CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, type);
  }
  const bool adds = has_bias && !std::is_same<D, float>::value;
  const float alpha = 0.5F, beta = random_int(0, 1) ? 0.75F : 0.0F;
  cublasLtMatmulPreference_t preference = nullptr;
  PASSES(cublasLtMatmulPreferenceCreate(&preference));
  cublasLtMatmulHeuristicResult_t result{};
  int found = 0;
  PASSES(cublasLtMatmulAlgoGetHeuristic(handle, descr, a.layout, b.layout, c.layout, d.layout, preference, 1, &result, &found));
  EXPECT(found == 1);
  Both<char> work(std::vector<char>(result.workspaceSize, 0));
  PASSES(cublasLtMatmul(handle, descr, &alpha, a.values.device, a.layout, b.values.device, b.layout, &beta, c.values.device,
                        c.layout, d.values.device, d.layout, &result.algo, work.device, result.workspaceSize, nullptr));
  const std::vector<D> got = d.values.get();
  float most = 0;
  int different = 0;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i) {
      float sum = 0;
      for (int l = 0; l < k; ++l)
        sum += a(l, i) * b(l, j);
      sum = alpha * 0.5F * 2 * sum + beta * c(i, j) + (adds ? float(bias.host[size_t(i)]) : 0.0F);
      most = std::max(most, std::fabs(sum));
      const D want = D(is_narrow ? sum * 0.25F : sum);
      different += float(got[size_t(j) * m + i]) != float(want);
    }
  EXPECT(different == 0);
  if (is_narrow)
    EXPECT(largest.get()[0] == most);
  cublasLtMatmulPreferenceDestroy(preference);
  cublasLtMatmulDescDestroy(descr);
}

// Sums of products of bytes are exact in 32 bits, and are rounded and cut off for bytes.
static void bytes() {
  const int m = 16 * random_int(1, 2), n = 16 * random_int(1, 2), k = 16 * random_int(1, 3);
  const auto byte = [] { return random_int(-128, 127); };
  const Matrix<signed char> a(k, m, byte), b(k, n, byte);
  const Matrix<int> d(m, n, byte);
  const Matrix<signed char> narrow(m, n, byte);
  const cublasOperation_t trans = CUBLAS_OP_T;
  const int one = 1, zero = 0;
  const float factor = 1.0F / 512, none = 0;
  for (const bool wide : {true, false}) {
    cublasLtMatmulDesc_t descr = nullptr;
    PASSES(cublasLtMatmulDescCreate(&descr, CUBLAS_COMPUTE_32I, wide ? CUDA_R_32I : CUDA_R_32F));
    PASSES(cublasLtMatmulDescSetAttribute(descr, CUBLASLT_MATMUL_DESC_TRANSA, &trans, sizeof trans));
    const auto to = wide ? d.layout : narrow.layout;
    void* const place = wide ? static_cast<void*>(d.values.device) : narrow.values.device;
    PASSES(cublasLtMatmul(handle, descr, wide ? static_cast<const void*>(&one) : &factor, a.values.device, a.layout,
                          b.values.device, b.layout, wide ? static_cast<const void*>(&zero) : &none, place, to, place, to,
                          nullptr, nullptr, 0, nullptr));
    cublasLtMatmulDescDestroy(descr);
  }
  const std::vector<int> got = d.values.get();
  const std::vector<signed char> cut = narrow.values.get();
  int different = 0;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i) {
      int sum = 0;
      for (int l = 0; l < k; ++l)
        sum += a.values.host[size_t(i) * k + l] * b.values.host[size_t(j) * k + l];
      const float rounded = std::nearbyint(float(sum) / 512);
      different += got[size_t(j) * m + i] != sum;
      different += cut[size_t(j) * m + i] != int(std::min(127.0F, std::max(-128.0F, rounded)));
    }
  EXPECT(different == 0);
}

// C = alpha A^T + beta B, by rows, in half precision.
static void transformed() {
  const int m = random_int(1, 9), n = random_int(1, 9);
  const Matrix<float> a(n, m, small), b(m, n, small);
  const Matrix<__half> c(m, n, small, CUBLASLT_ORDER_ROW);
  cublasLtMatrixTransformDesc_t descr = nullptr;
  PASSES(cublasLtMatrixTransformDescCreate(&descr, CUDA_R_32F));
  const cublasOperation_t trans = CUBLAS_OP_T;
  PASSES(cublasLtMatrixTransformDescSetAttribute(descr, CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSA, &trans, sizeof trans));
  const float alpha = 2, beta = 0.5F;
  const Matrix<float> same(m, n, small, CUBLASLT_ORDER_ROW);
  PASSES(cublasLtMatrixTransform(handle, descr, &alpha, a.values.device, a.layout, &beta, b.values.device, b.layout,
                                 same.values.device, same.layout, nullptr));
  const std::vector<float> got = same.values.get();
  int different = 0;
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j)
      different += got[size_t(i) * n + j] != alpha * a(j, i) + beta * b(i, j);
  EXPECT(different == 0);
  // One matrix alone, which is the other in half precision
  const Matrix<__half> from(m, n, small);
  PASSES(cublasLtMatrixTransformDescSetAttribute(descr, CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSA, &trans, sizeof trans));
  const Matrix<__half> back(n, m, small);
  const float one = 1, zero = 0;
  PASSES(cublasLtMatrixTransform(handle, descr, &one, from.values.device, from.layout, &zero, nullptr, nullptr,
                                 back.values.device, back.layout, nullptr));
  const std::vector<__half> turned = back.values.get();
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j)
      EXPECT(float(turned[size_t(i) * n + j]) == from(i, j));
  EXPECT(cublasLtMatrixTransform(handle, descr, &one, nullptr, from.layout, &zero, nullptr, nullptr, back.values.device,
                                 nullptr, nullptr) == CUBLAS_STATUS_INVALID_VALUE);
  const int64_t ld = 0; // columns would overlap
  PASSES(cublasLtMatrixLayoutSetAttribute(back.layout, CUBLASLT_MATRIX_LAYOUT_LD, &ld, sizeof ld));
  EXPECT(cublasLtMatrixTransform(handle, descr, &one, from.values.device, from.layout, &zero, nullptr, nullptr,
                                 back.values.device, back.layout, nullptr) == CUBLAS_STATUS_INVALID_VALUE);
  PASSES(cublasLtMatrixTransformDescDestroy(descr));
}

// The hardware multiplies numbers of 8 bits only where A is transposed, and finds scales at multiples of 16 bytes.
static void mistakes() {
  const Matrix<__nv_fp8_e4m3> a(16, 16, small), b(16, 16, small);
  const Both<float> scales({1, 1});
  const Matrix<float> d(16, 16, small);
  cublasLtMatmulDesc_t descr = nullptr;
  PASSES(cublasLtMatmulDescCreate(&descr, CUBLAS_COMPUTE_32F, CUDA_R_32F));
  const float one = 1, zero = 0;
  EXPECT(cublasLtMatmul(handle, descr, &one, a.values.device, a.layout, b.values.device, b.layout, &zero, d.values.device,
                        d.layout, d.values.device, d.layout, nullptr, nullptr, 0, nullptr) == CUBLAS_STATUS_NOT_SUPPORTED);
  const cublasOperation_t trans = CUBLAS_OP_T;
  const float* const between = scales.device + 1;
  PASSES(cublasLtMatmulDescSetAttribute(descr, CUBLASLT_MATMUL_DESC_TRANSA, &trans, sizeof trans));
  PASSES(cublasLtMatmulDescSetAttribute(descr, CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, &between, sizeof between));
  EXPECT(cublasLtMatmul(handle, descr, &one, a.values.device, a.layout, b.values.device, b.layout, &zero, d.values.device,
                        d.layout, d.values.device, d.layout, nullptr, nullptr, 0, nullptr) == CUBLAS_STATUS_NOT_SUPPORTED);
  cublasLtMatmulDescDestroy(descr);
}

int main() {
  PASSES(cublasLtCreate(&handle));
  for (int i = 0; i < repeats(); ++i) {
    float8<__nv_fp8_e4m3, __nv_fp8_e4m3, __nv_bfloat16, __nv_fp8_e4m3>();
    float8<__nv_fp8_e4m3, __nv_fp8_e5m2, __nv_bfloat16, __nv_fp8_e5m2>();
    float8<__nv_fp8_e5m2, __nv_fp8_e4m3, __nv_bfloat16, __nv_bfloat16>();
    float8<__nv_fp8_e4m3, __nv_fp8_e4m3, float, float>();
    bytes();
    transformed();
  }
  mistakes();
  PASSES(cublasLtDestroy(handle));
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  return wrong;
}
