// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cublasLtMatrixTransform(): C = alpha op(A) + beta op(B), between types and orders.
#include "cuda/libraries/blaslt/descriptions.h"

using namespace gputest::cuda;
using namespace gputest::cuda::libraries;
using namespace gputest::cuda::libraries::blaslt;

namespace {

// A term of the sum. Nothing is read where its factor is 0.
struct Term {
  const void* factor; // of the device, or null: `value`
  std::complex<double> value;
  const void* matrix;
  Layout layout;
  cublasOperation_t op;

  std::complex<double> by(cudaDataType type) const {
    return factor ? complex_at(at(factor), type, 0) : value;
  }
  bool is_read() const { return factor || value != std::complex<double>{}; }
  bool fits(const Layout& result) const {
    const bool is_plain = op == CUBLAS_OP_N;
    return (is_plain ? layout.rows : layout.cols) == result.rows &&
           (is_plain ? layout.cols : layout.rows) == result.cols &&
           layout.batches == result.batches;
  }
  std::complex<double> element(int batch, std::ptrdiff_t i, std::ptrdiff_t j) const {
    const std::complex<double> found =
        complex_at(at(of_batch(matrix, layout, batch)), layout.type,
                   op == CUBLAS_OP_N ? index_in(layout, i, j) : index_in(layout, j, i));
    return op == CUBLAS_OP_C ? std::conj(found) : found;
  }
};

} // namespace

extern "C" {
cublasStatus_t cublasLtMatrixTransformDescInit(cublasLtMatrixTransformDesc_t descr,
                                               cudaDataType scale) {
  if (!descr)
    return CUBLAS_STATUS_INVALID_VALUE;
  blaslt::set(descr, TransformDescription{.scale = scale});
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatrixTransformDescCreate(cublasLtMatrixTransformDesc_t* descr,
                                                 cudaDataType scale) {
  return make(descr, TransformDescription{.scale = scale});
}
cublasStatus_t cublasLtMatrixTransformDescDestroy(cublasLtMatrixTransformDesc_t descr) {
  return destroy(descr);
}
cublasStatus_t
cublasLtMatrixTransformDescSetAttribute(cublasLtMatrixTransformDesc_t descr,
                                        cublasLtMatrixTransformDescAttributes_t attribute,
                                        const void* from, size_t size) {
  return set_attribute<TransformDescription>(descr, attribute, from, size);
}
cublasStatus_t
cublasLtMatrixTransformDescGetAttribute(cublasLtMatrixTransformDesc_t descr,
                                        cublasLtMatrixTransformDescAttributes_t attribute, void* to,
                                        size_t size, size_t* written) {
  return get_attribute<TransformDescription>(descr, attribute, to, size, written);
}
cublasStatus_t cublasLtMatrixTransform(cublasLtHandle_t handle, cublasLtMatrixTransformDesc_t descr,
                                       const void* alpha, const void* A, cublasLtMatrixLayout_t a,
                                       const void* beta, const void* B, cublasLtMatrixLayout_t b,
                                       void* C, cublasLtMatrixLayout_t c, cudaStream_t stream) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!descr || !c || !alpha || !beta || (A && !a) || (B && !b))
    return CUBLAS_STATUS_INVALID_VALUE;
  const auto how = get<TransformDescription>(descr);
  const auto result = get<Layout>(c);
  const bool is_on_device = how.mode == CUBLASLT_POINTER_MODE_DEVICE;
  const auto term = [&](const void* factor, const void* matrix, cublasLtMatrixLayout_t layout,
                        cublasOperation_t op) {
    return Term{.factor = matrix && is_on_device ? factor : nullptr,
                .value = matrix && !is_on_device ? complex_at(factor, how.scale, 0) : 0,
                .matrix = matrix,
                .layout = matrix ? get<Layout>(layout) : result,
                .op = matrix ? op : CUBLAS_OP_N};
  };
  const Term first = term(alpha, A, a, how.a), second = term(beta, B, b, how.b);
  for (const Layout* layout : {&first.layout, &second.layout, &result})
    if (const cublasStatus_t problem = problem_of(*layout))
      return problem;
  if (size_of(how.scale) == 0)
    return CUBLAS_STATUS_NOT_SUPPORTED;
  if (!first.fits(result) || !second.fits(result))
    return CUBLAS_STATUS_INVALID_VALUE;
  HostWork work{.call = "cublasLtMatrixTransform()", .operands = {}, .find_more = {}, .run = {}};
  const auto add = [&](const char* name, const char* of_factor, const Term& of) {
    if (of.factor)
      work.operands.push_back(read(array_of(of_factor, of.factor, size_of(how.scale))));
    if (of.is_read())
      add_operands(work.operands, name, of.matrix, of.layout, of.factor ? partly_read : read);
  };
  add("A", "alpha", first);
  add("B", "beta", second);
  add_operands(work.operands, "C", C, result, written);
  work.run = [=] {
    const std::complex<double> by = first.by(how.scale), of_b = second.by(how.scale);
    for (int batch = 0; batch < result.batches; ++batch)
      for (std::ptrdiff_t j = 0; j < static_cast<std::ptrdiff_t>(result.cols); ++j)
        for (std::ptrdiff_t i = 0; i < static_cast<std::ptrdiff_t>(result.rows); ++i) {
          std::complex<double> sum;
          if (by != std::complex<double>{})
            sum += by * first.element(batch, i, j);
          if (of_b != std::complex<double>{})
            sum += of_b * second.element(batch, i, j);
          set_value(const_cast<std::byte*>(at(of_batch(C, result, batch))), result.type,
                    index_in(result, i, j), sum);
        }
  };
  return gputest_cuda_host_work(stream, work) == cudaSuccess ? CUBLAS_STATUS_SUCCESS
                                                             : CUBLAS_STATUS_EXECUTION_FAILED;
}
}
