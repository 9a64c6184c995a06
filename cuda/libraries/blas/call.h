// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A call of cuBLAS: its checks of arguments, its operands, and its work.
#pragma once

#include "cuda/libraries/blas/include/cublas_v2.h"
#include "cuda/libraries/host.h"

#include <algorithm>
#include <cblas.h>
#include <type_traits>

struct cublasContext {
  cudaStream_t stream = nullptr;
  cublasPointerMode_t pointer_mode = CUBLAS_POINTER_MODE_HOST;
  cublasAtomicsMode_t atomics = CUBLAS_ATOMICS_NOT_ALLOWED;
  cublasMath_t math = CUBLAS_DEFAULT_MATH;
  int multiprocessors = 0; // cublasSetSmCountTarget()
};

namespace gputest::cuda::libraries::blas {

extern SystemLibrary open_blas;

template <typename T> Number<T>* numbers(T* pointer) {
  return reinterpret_cast<Number<T>*>(at(pointer));
}
template <typename T> const Number<T>* numbers(const T* pointer) {
  return reinterpret_cast<const Number<T>*>(at(pointer));
}
template <typename T> T conjugate(const T& x) {
  if constexpr (std::is_floating_point_v<T>)
    return x;
  else
    return std::conj(x);
}

// CBLAS takes real scalars by value, and complex ones by address.
inline float passed(const float& x) {
  return x;
}
inline double passed(const double& x) {
  return x;
}
template <typename T> const void* passed(const T& x) {
  return &x;
}

inline CBLAS_TRANSPOSE cblas(cublasOperation_t op) {
  return op == CUBLAS_OP_N ? CblasNoTrans : op == CUBLAS_OP_T ? CblasTrans : CblasConjTrans;
}
inline CBLAS_UPLO cblas(cublasFillMode_t fill) {
  return fill == CUBLAS_FILL_MODE_UPPER ? CblasUpper : CblasLower;
}
inline CBLAS_DIAG cblas(cublasDiagType_t diagonal) {
  return diagonal == CUBLAS_DIAG_UNIT ? CblasUnit : CblasNonUnit;
}
inline CBLAS_SIDE cblas(cublasSideMode_t side) {
  return side == CUBLAS_SIDE_LEFT ? CblasLeft : CblasRight;
}
inline bool is_valid(cublasOperation_t op) {
  return op == CUBLAS_OP_N || op == CUBLAS_OP_T || op == CUBLAS_OP_C;
}
inline bool is_valid(cublasFillMode_t fill) {
  return fill == CUBLAS_FILL_MODE_LOWER || fill == CUBLAS_FILL_MODE_UPPER;
}
inline bool is_valid(cublasDiagType_t diagonal) {
  return diagonal == CUBLAS_DIAG_UNIT || diagonal == CUBLAS_DIAG_NON_UNIT;
}
inline bool is_valid(cublasSideMode_t side) {
  return side == CUBLAS_SIDE_LEFT || side == CUBLAS_SIDE_RIGHT;
}
inline bool is_upper(cublasFillMode_t fill) {
  return fill == CUBLAS_FILL_MODE_UPPER;
}

// A factor, whose value is known when the call is made or, in device memory, when the work begins.
template <typename T> class Scalar {
public:
  explicit Scalar(const T& value) : value_(value) {}
  explicit Scalar(const T* place) : place_(place) {}
  T operator()() const { return place_ ? *at(place_) : value_; }
  bool is_known_zero() const {
    if (place_)
      return false;
    if constexpr (std::is_arithmetic_v<T>)
      return value_ == T{};
    else
      return value_.x == 0 && value_.y == 0;
  }
  bool is_known() const { return !place_; }

private:
  T value_{};
  const T* place_ = nullptr;
};

class Call {
public:
  Call(cublasHandle_t handle, const char* name)
      : handle_(handle),
        work_{.call = std::string(name) + "()", .operands = {}, .find_more = {}, .run = {}} {
    if (!handle)
      status_ = CUBLAS_STATUS_NOT_INITIALIZED;
  }

  // The call fails unless its arguments are as cuBLAS documents it.
  void require(bool is_met) {
    if (!is_met && status_ == CUBLAS_STATUS_SUCCESS)
      status_ = CUBLAS_STATUS_INVALID_VALUE;
  }
  void unsupported(bool is) {
    if (is && status_ == CUBLAS_STATUS_SUCCESS)
      status_ = CUBLAS_STATUS_NOT_SUPPORTED;
  }
  bool is_on_device() const {
    return handle_ && handle_->pointer_mode == CUBLAS_POINTER_MODE_DEVICE;
  }

  template <typename T> Scalar<T> scalar(const char* name, const T* pointer) {
    require(pointer != nullptr);
    if (status_ != CUBLAS_STATUS_SUCCESS)
      return Scalar<T>(T{});
    if (!is_on_device())
      return Scalar<T>(*pointer);
    add(read(array_of(name, pointer, sizeof(T))));
    return Scalar<T>(pointer);
  }
  // One value that the call returns, or updates. The host waits for what it gets.
  template <typename T> void result(const char* name, T* pointer, bool is_updated = false) {
    require(pointer != nullptr);
    if (is_on_device())
      add(is_updated ? updated(array_of(name, pointer, sizeof(T)))
                     : written(array_of(name, pointer, sizeof(T))));
    else
      waits_ = true;
  }

  void add(Operand operand) { work_.operands.push_back(std::move(operand)); }
  // A result to which the former value times `beta` is added.
  template <typename T> void add_sum(Operand operand, const Scalar<T>& beta) {
    operand.writes = true;
    operand.reads = !beta.is_known_zero();
    operand.may_be_unwritten = !beta.is_known();
    add(std::move(operand));
  }
  void find_more(std::function<void(std::vector<Operand>&)> find) {
    work_.find_more = std::move(find);
  }

  // Does the work unless an argument is wrong or there is nothing to do. Returns the call's status.
  cublasStatus_t run(bool is_something, std::function<void()> what) {
    if (status_ != CUBLAS_STATUS_SUCCESS || !is_something)
      return status_;
    work_.run = std::move(what);
    if (gputest_cuda_host_work(handle_->stream, work_) != cudaSuccess ||
        (waits_ && cudaStreamSynchronize(handle_->stream) != cudaSuccess))
      return CUBLAS_STATUS_EXECUTION_FAILED;
    return CUBLAS_STATUS_SUCCESS;
  }

private:
  cublasHandle_t handle_;
  HostWork work_;
  cublasStatus_t status_ = CUBLAS_STATUS_SUCCESS;
  bool waits_ = false;
};

} // namespace gputest::cuda::libraries::blas
