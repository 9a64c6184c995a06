// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of matrices whose types are parameters, and of half precision.
#include "cuda/libraries/blas/mixed.h"

namespace gputest::cuda::libraries::blas {
namespace {

// The types that cuBLAS documents for each type of the computation.
bool is_offered(const MixedTypes& types) {
  const cudaDataType a = types.a, b = types.b, c = types.c;
  if (a != b)
    return false;
  const bool is_same = a == c;
  switch (types.compute) {
  case CUBLAS_COMPUTE_16F:
  case CUBLAS_COMPUTE_16F_PEDANTIC:
    return a == CUDA_R_16F && is_same;
  case CUBLAS_COMPUTE_32I:
  case CUBLAS_COMPUTE_32I_PEDANTIC:
    return a == CUDA_R_8I && c == CUDA_R_32I;
  case CUBLAS_COMPUTE_64F:
  case CUBLAS_COMPUTE_64F_PEDANTIC:
    return (a == CUDA_R_64F || a == CUDA_C_64F) && is_same;
  case CUBLAS_COMPUTE_32F_FAST_16F:
  case CUBLAS_COMPUTE_32F_FAST_16BF:
  case CUBLAS_COMPUTE_32F_FAST_TF32:
    return (a == CUDA_R_32F || a == CUDA_C_32F) && is_same;
  default:
    return ((a == CUDA_R_16F || a == CUDA_R_16BF) && (is_same || c == CUDA_R_32F)) ||
           (a == CUDA_R_8I && c == CUDA_R_32F) || ((a == CUDA_R_32F || a == CUDA_C_32F) && is_same);
  }
}

template <typename F>
std::vector<F> values_of(const void* begin, cudaDataType type, const Operand& shape) {
  std::vector<F> values;
  const std::size_t rows = shape.bytes / size_of(type);
  values.reserve(rows * shape.rows);
  const std::ptrdiff_t ld = shape.pitch / static_cast<std::ptrdiff_t>(size_of(type));
  for (std::size_t j = 0; j < shape.rows; ++j)
    for (std::size_t i = 0; i < rows; ++i)
      values.push_back(static_cast<F>(value_at(
          begin, type, static_cast<std::ptrdiff_t>(j) * ld + static_cast<std::ptrdiff_t>(i))));
  return values;
}

void gemm(const Product& p, const float* a, int lda, const float* b, int ldb, float* c) {
  GPUTEST_SYSTEM_FUNCTION(open_blas, cblas_sgemm)
  (CblasColMajor, cblas(p.transa), cblas(p.transb), p.m, p.n, p.k, 1, a, lda, b, ldb, 0, c, p.m);
}
void gemm(const Product& p, const double* a, int lda, const double* b, int ldb, double* c) {
  GPUTEST_SYSTEM_FUNCTION(open_blas, cblas_dgemm)
  (CblasColMajor, cblas(p.transa), cblas(p.transb), p.m, p.n, p.k, 1, a, lda, b, ldb, 0, c, p.m);
}

template <typename F>
void multiply_as(const Product& p, const MixedTypes& types, double alpha, const void* A,
                 const void* B, double beta, void* C) {
  const Operand of_a = p.a("", A, size_of(types.a)), of_b = p.b("", B, size_of(types.b));
  const std::vector<F> a = values_of<F>(at(A), types.a, of_a),
                       b = values_of<F>(at(B), types.b, of_b);
  std::vector<F> sums(static_cast<std::size_t>(p.m) * static_cast<std::size_t>(p.n));
  const auto ld_of = [](const Operand& shape, cudaDataType type) {
    return std::max(1, static_cast<int>(shape.bytes / size_of(type)));
  };
  if (p.k > 0)
    gemm(p, a.data(), ld_of(of_a, types.a), b.data(), ld_of(of_b, types.b), sums.data());
  void* const to = at(C);
  for (int j = 0; j < p.n; ++j)
    for (int i = 0; i < p.m; ++i) {
      const std::ptrdiff_t index = i + std::ptrdiff_t{j} * p.ldc;
      const F sum = static_cast<F>(alpha) * sums[static_cast<std::size_t>(i + j * p.m)];
      set_value(to, types.c, index,
                beta == 0
                    ? sum
                    : static_cast<double>(sum + static_cast<F>(beta) *
                                                    static_cast<F>(value_at(to, types.c, index))));
    }
}

} // namespace

void multiply_mixed(const Product& p, const MixedTypes& types, const MixedFactor& alpha,
                    const void* A, const void* B, const MixedFactor& beta, void* C) {
  if (types.a == CUDA_C_32F)
    multiply(GPUTEST_SYSTEM_FUNCTION(open_blas, cblas_cgemm), p, alpha.as<cuComplex>(),
             static_cast<const cuComplex*>(A), static_cast<const cuComplex*>(B),
             beta.as<cuComplex>(), static_cast<cuComplex*>(C));
  else if (types.a == CUDA_C_64F)
    multiply(GPUTEST_SYSTEM_FUNCTION(open_blas, cblas_zgemm), p, alpha.as<cuDoubleComplex>(),
             static_cast<const cuDoubleComplex*>(A), static_cast<const cuDoubleComplex*>(B),
             beta.as<cuDoubleComplex>(), static_cast<cuDoubleComplex*>(C));
  else if (types.a == CUDA_R_64F || types.a == CUDA_R_8I) // exact for integers
    multiply_as<double>(p, types, alpha.value(), A, B, beta.value(), C);
  else
    multiply_as<float>(p, types, alpha.value(), A, B, beta.value(), C);
}

MixedCall::MixedCall(cublasHandle_t handle, const char* name, const Product& product,
                     const MixedTypes& types, const void* alpha, const void* beta)
    : call(handle, name), product_(product), types_(types), alpha_(factor("alpha", alpha)),
      beta_(factor("beta", beta)) {
  call.require(product.is_valid());
  call.unsupported(!is_offered(types));
}

MixedFactor MixedCall::factor(const char* name, const void* place) {
  const cudaDataType type = types_.factor();
  call.require(place != nullptr);
  if (place && call.is_on_device())
    call.add(read(array_of(name, place, size_of(type))));
  return {type, place, call.is_on_device()};
}

std::vector<Operand> MixedCall::operands(const std::string& a, const void* A, const std::string& b,
                                         const void* B, const std::string& c, void* C) const {
  Operand result = updated(product_.c(c, C, size_of(types_.c)));
  result.reads = !beta_.is_known_zero();
  result.may_be_unwritten = !beta_.is_known();
  return {read(product_.a(a, A, size_of(types_.a))), read(product_.b(b, B, size_of(types_.b))),
          result};
}

} // namespace gputest::cuda::libraries::blas

using namespace gputest::cuda;
using namespace gputest::cuda::libraries;
using namespace gputest::cuda::libraries::blas;

static const void* moved(const void* begin, cudaDataType type, long long elements) {
  return static_cast<const std::byte*>(begin) +
         elements * static_cast<std::ptrdiff_t>(size_of(type));
}

static cublasStatus_t one(cublasHandle_t handle, const char* name, const Product& product,
                          const MixedTypes& types, const void* alpha, const void* A, const void* B,
                          const void* beta, void* C, int count = 1, long long stride_a = 0,
                          long long stride_b = 0, long long stride_c = 0) {
  MixedCall mixed(handle, name, product, types, alpha, beta);
  mixed.call.require(count >= 0);
  const auto of = [=](int i) {
    return std::array<const void*, 3>{moved(A, types.a, i * stride_a),
                                      moved(B, types.b, i * stride_b),
                                      moved(C, types.c, i * stride_c)};
  };
  for (int i = 0; i < count; ++i)
    for (Operand& operand :
         mixed.operands("A", of(i)[0], "B", of(i)[1], "C", const_cast<void*>(of(i)[2])))
      mixed.call.add(std::move(operand));
  return mixed.run(count, of);
}
static cublasStatus_t batch(cublasHandle_t handle, const char* name, const Product& product,
                            const MixedTypes& types, const void* alpha, const void* const* A,
                            const void* const* B, const void* beta, void* const* C, int count) {
  MixedCall mixed(handle, name, product, types, alpha, beta);
  const Batch<void> of_a(mixed.call, "Aarray", A, count), of_b(mixed.call, "Barray", B, count),
      of_c(mixed.call, "Carray", C, count);
  mixed.call.find_more([=](std::vector<Operand>& operands) {
    for (int i = 0; i < count; ++i)
      for (Operand& operand :
           mixed.operands(of_a.name(i), of_a[i], of_b.name(i), of_b[i], of_c.name(i), of_c[i]))
        operands.push_back(std::move(operand));
  });
  return mixed.run(count,
                   [=](int i) { return std::array<const void*, 3>{of_a[i], of_b[i], of_c[i]}; });
}

extern "C" {
cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa,
                            cublasOperation_t transb, int m, int n, int k, const void* alpha,
                            const void* A, cudaDataType Atype, int lda, const void* B,
                            cudaDataType Btype, int ldb, const void* beta, void* C,
                            cudaDataType Ctype, int ldc, cublasComputeType_t computeType,
                            cublasGemmAlgo_t) {
  return one(handle, __func__, {transa, transb, m, n, k, lda, ldb, ldc},
             {Atype, Btype, Ctype, computeType}, alpha, A, B, beta, C);
}
cublasStatus_t cublasSgemmEx(cublasHandle_t handle, cublasOperation_t transa,
                             cublasOperation_t transb, int m, int n, int k, const float* alpha,
                             const void* A, cudaDataType Atype, int lda, const void* B,
                             cudaDataType Btype, int ldb, const float* beta, void* C,
                             cudaDataType Ctype, int ldc) {
  return one(handle, __func__, {transa, transb, m, n, k, lda, ldb, ldc},
             {Atype, Btype, Ctype, CUBLAS_COMPUTE_32F}, alpha, A, B, beta, C);
}
cublasStatus_t cublasGemmStridedBatchedEx(
    cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,
    const void* alpha, const void* A, cudaDataType Atype, int lda, long long strideA, const void* B,
    cudaDataType Btype, int ldb, long long strideB, const void* beta, void* C, cudaDataType Ctype,
    int ldc, long long strideC, int batchCount, cublasComputeType_t computeType, cublasGemmAlgo_t) {
  return one(handle, __func__, {transa, transb, m, n, k, lda, ldb, ldc},
             {Atype, Btype, Ctype, computeType}, alpha, A, B, beta, C, batchCount, strideA, strideB,
             strideC);
}
cublasStatus_t cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t transa,
                                   cublasOperation_t transb, int m, int n, int k, const void* alpha,
                                   const void* const Aarray[], cudaDataType Atype, int lda,
                                   const void* const Barray[], cudaDataType Btype, int ldb,
                                   const void* beta, void* const Carray[], cudaDataType Ctype,
                                   int ldc, int batchCount, cublasComputeType_t computeType,
                                   cublasGemmAlgo_t) {
  return batch(handle, __func__, {transa, transb, m, n, k, lda, ldb, ldc},
               {Atype, Btype, Ctype, computeType}, alpha, Aarray, Barray, beta, Carray, batchCount);
}

// __half and what points to it are numbers of 16 bits here: not all compilers know the type.
static const MixedTypes kHalves{CUDA_R_16F, CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_16F};
cublasStatus_t cublasHgemm(cublasHandle_t handle, cublasOperation_t transa,
                           cublasOperation_t transb, int m, int n, int k, const __half* alpha,
                           const __half* A, int lda, const __half* B, int ldb, const __half* beta,
                           __half* C, int ldc) {
  return one(handle, __func__, {transa, transb, m, n, k, lda, ldb, ldc}, kHalves, alpha, A, B, beta,
             C);
}
cublasStatus_t cublasHgemmStridedBatched(cublasHandle_t handle, cublasOperation_t transa,
                                         cublasOperation_t transb, int m, int n, int k,
                                         const __half* alpha, const __half* A, int lda,
                                         long long strideA, const __half* B, int ldb,
                                         long long strideB, const __half* beta, __half* C, int ldc,
                                         long long strideC, int batchCount) {
  return one(handle, __func__, {transa, transb, m, n, k, lda, ldb, ldc}, kHalves, alpha, A, B, beta,
             C, batchCount, strideA, strideB, strideC);
}
cublasStatus_t cublasHgemmBatched(cublasHandle_t handle, cublasOperation_t transa,
                                  cublasOperation_t transb, int m, int n, int k,
                                  const __half* alpha, const __half* const Aarray[], int lda,
                                  const __half* const Barray[], int ldb, const __half* beta,
                                  __half* const Carray[], int ldc, int batchCount) {
  return batch(handle, __func__, {transa, transb, m, n, k, lda, ldb, ldc}, kHalves, alpha,
               reinterpret_cast<const void* const*>(Aarray),
               reinterpret_cast<const void* const*>(Barray), beta,
               reinterpret_cast<void* const*>(Carray), batchCount);
}
}
