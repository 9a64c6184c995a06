// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions on vectors whose types are parameters.
#include "cuda/libraries/blas/call.h"
#include "cuda/libraries/values.h"

#include <cmath>

using namespace gputest::cuda;
using namespace gputest::cuda::libraries;
using namespace gputest::cuda::libraries::blas;

namespace {

using Value = std::complex<double>;

bool is_half(cudaDataType type) {
  return type == CUDA_R_16F || type == CUDA_R_16BF;
}
// Halves are computed in single precision, all others in their own.
bool is_offered(cudaDataType type, cudaDataType compute) {
  return is_half(type) ? compute == CUDA_R_32F
                       : type == compute && (type == CUDA_R_32F || type == CUDA_R_64F ||
                                             type == CUDA_C_32F || type == CUDA_C_64F);
}

// What the device has, as BLAS counts elements: from the end if the increment is negative.
struct Elements {
  const void* begin;
  cudaDataType type;
  int count, increment;

  std::ptrdiff_t place(int i) const {
    return increment < 0 ? std::ptrdiff_t{i - count + 1} * increment
                         : std::ptrdiff_t{i} * increment;
  }
  Value operator[](int i) const { return complex_at(at(begin), type, place(i)); }
  void set(int i, Value value) const {
    set_value(at(const_cast<void*>(begin)), type, place(i), value);
  }
  Operand operand(const char* name) const {
    return vector_of(name, begin, count, increment, size_of(type));
  }
};

// A sum of the computation's precision.
class Sum {
public:
  explicit Sum(cudaDataType type) : is_double_(type == CUDA_R_64F || type == CUDA_C_64F) {}
  void operator+=(Value value) {
    value_ += value;
    if (!is_double_)
      value_ = std::complex<float>(value_);
  }
  Value value() const { return value_; }

private:
  bool is_double_;
  Value value_{};
};

// A result of one value. The host waits for what it gets.
void add_result(Call& call, void* place, cudaDataType type) {
  switch (size_of(type)) {
  case sizeof(std::uint16_t):
    return call.result("result", static_cast<std::uint16_t*>(place));
  case sizeof(float):
    return call.result("result", static_cast<float*>(place));
  case sizeof(double):
    return call.result("result", static_cast<double*>(place));
  default:
    return call.result("result", static_cast<cuDoubleComplex*>(place));
  }
}

cublasStatus_t dot(cublasHandle_t handle, const char* name, const Elements& x, const Elements& y,
                   void* result, cudaDataType type, cudaDataType compute, bool conjugates) {
  Call call(handle, name);
  call.unsupported(x.type != y.type || x.type != type || !is_offered(type, compute));
  call.add(read(x.operand("x")));
  call.add(read(y.operand("y")));
  add_result(call, result, type);
  return call.run(true, [=] {
    Sum sum(compute);
    for (int i = 0; i < x.count; ++i)
      sum += (conjugates ? std::conj(x[i]) : x[i]) * y[i];
    set_value(at(result), type, 0, sum.value());
  });
}

// A factor of the host or the device.
class TypedFactor {
public:
  TypedFactor(Call& call, const void* place, cudaDataType type) : type_(type) {
    call.require(place != nullptr);
    if (call.is_on_device()) {
      place_ = place;
      call.add(read(array_of("alpha", place, size_of(type))));
    } else if (place)
      value_ = complex_at(place, type, 0);
  }
  Value operator()() const { return place_ ? complex_at(at(place_), type_, 0) : value_; }

private:
  cudaDataType type_;
  const void* place_ = nullptr;
  Value value_{};
};

} // namespace

extern "C" {
cublasStatus_t cublasDotEx(cublasHandle_t handle, int n, const void* x, cudaDataType xType,
                           int incx, const void* y, cudaDataType yType, int incy, void* result,
                           cudaDataType resultType, cudaDataType executionType) {
  return dot(handle, __func__, {x, xType, n, incx}, {y, yType, n, incy}, result, resultType,
             executionType, false);
}
cublasStatus_t cublasDotcEx(cublasHandle_t handle, int n, const void* x, cudaDataType xType,
                            int incx, const void* y, cudaDataType yType, int incy, void* result,
                            cudaDataType resultType, cudaDataType executionType) {
  return dot(handle, __func__, {x, xType, n, incx}, {y, yType, n, incy}, result, resultType,
             executionType, true);
}
cublasStatus_t cublasNrm2Ex(cublasHandle_t handle, int n, const void* x, cudaDataType xType,
                            int incx, void* result, cudaDataType resultType,
                            cudaDataType executionType) {
  Call call(handle, __func__);
  const Elements from{x, xType, n, incx};
  const bool is_complex_type = is_complex(xType);
  const cudaDataType real = xType == CUDA_C_32F   ? CUDA_R_32F
                            : xType == CUDA_C_64F ? CUDA_R_64F
                                                  : xType;
  call.unsupported(resultType != real ||
                   !is_offered(xType, is_complex_type ? xType : executionType) ||
                   (is_complex_type && executionType != real));
  call.add(read(from.operand("x")));
  add_result(call, result, resultType);
  return call.run(true, [=] {
    Sum sum(executionType);
    for (int i = 0; i < n && incx > 0; ++i)
      sum += std::norm(from[i]);
    set_value(at(result), resultType, 0, std::sqrt(sum.value().real()));
  });
}
cublasStatus_t cublasAxpyEx(cublasHandle_t handle, int n, const void* alpha, cudaDataType alphaType,
                            const void* x, cudaDataType xType, int incx, void* y,
                            cudaDataType yType, int incy, cudaDataType executionType) {
  Call call(handle, __func__);
  const Elements from{x, xType, n, incx}, to{y, yType, n, incy};
  call.unsupported(xType != yType || alphaType != executionType ||
                   !is_offered(xType, executionType));
  const TypedFactor by(call, alpha, alphaType);
  call.add(read(from.operand("x")));
  call.add(updated(to.operand("y")));
  return call.run(n > 0, [=] {
    for (int i = 0; i < n; ++i) {
      Sum sum(executionType);
      sum += by() * from[i] + to[i];
      to.set(i, sum.value());
    }
  });
}
cublasStatus_t cublasScalEx(cublasHandle_t handle, int n, const void* alpha, cudaDataType alphaType,
                            void* x, cudaDataType xType, int incx, cudaDataType executionType) {
  Call call(handle, __func__);
  const Elements of{x, xType, n, incx};
  call.unsupported(alphaType != executionType || !is_offered(xType, executionType));
  const TypedFactor by(call, alpha, alphaType);
  call.add(updated(of.operand("x")));
  return call.run(n > 0 && incx > 0, [=] {
    for (int i = 0; i < n; ++i) {
      Sum product(executionType);
      product += by() * of[i];
      of.set(i, product.value());
    }
  });
}
}
