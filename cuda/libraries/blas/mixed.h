// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of matrices whose types are parameters. Values are computed in single precision, those
// of integers and of double precision in double precision, and rounded once.
#pragma once

#include "cuda/libraries/blas/products.h"
#include "cuda/libraries/values.h"

#include <array>

namespace gputest::cuda::libraries::blas {

struct MixedTypes {
  cudaDataType a, b, c;
  cublasComputeType_t compute;

  cudaDataType factor() const { // of alpha and beta
    switch (compute) {
    case CUBLAS_COMPUTE_16F:
    case CUBLAS_COMPUTE_16F_PEDANTIC:
      return CUDA_R_16F;
    case CUBLAS_COMPUTE_32I:
    case CUBLAS_COMPUTE_32I_PEDANTIC:
      return CUDA_R_32I;
    case CUBLAS_COMPUTE_64F:
    case CUBLAS_COMPUTE_64F_PEDANTIC:
      return a == CUDA_C_64F ? CUDA_C_64F : CUDA_R_64F;
    default:
      return a == CUDA_C_32F ? CUDA_C_32F : CUDA_R_32F;
    }
  }
};

// alpha or beta: its value, or where it is on the device.
class MixedFactor {
public:
  MixedFactor(cudaDataType type, const void* place, bool is_on_device)
      : type_(type), place_(is_on_device ? place : nullptr) {
    if (place && !is_on_device)
      std::memcpy(value_.data(), place, size_of(type));
  }
  double value() const { return value_at(where(), type_, 0); }
  template <typename T> T as() const {
    T value{};
    std::memcpy(&value, where(), sizeof value);
    return value;
  }
  bool is_known() const { return !place_; }
  bool is_known_zero() const { return !place_ && is_zero(value_.data(), type_); }

private:
  const void* where() const { return place_ ? at(place_) : value_.data(); }
  cudaDataType type_;
  const void* place_;
  alignas(16) std::array<std::byte, 16> value_{};
};

void multiply_mixed(const Product& product, const MixedTypes& types, const MixedFactor& alpha,
                    const void* A, const void* B, const MixedFactor& beta, void* C);

class MixedCall {
public:
  MixedCall(cublasHandle_t handle, const char* name, const Product& product,
            const MixedTypes& types, const void* alpha, const void* beta);
  // The operands of one product, with their names.
  std::vector<Operand> operands(const std::string& a, const void* A, const std::string& b,
                                const void* B, const std::string& c, void* C) const;
  // `of(i)`: A, B and C of product i.
  template <typename Of> cublasStatus_t run(int count, Of of) {
    return call.run(product_.m > 0 && product_.n > 0 && count > 0,
                    [=, product = product_, types = types_, alpha = alpha_, beta = beta_] {
                      for (int i = 0; i < count; ++i) {
                        const auto [a, b, c] = of(i);
                        multiply_mixed(product, types, alpha, a, b, beta, const_cast<void*>(c));
                      }
                    });
  }

  Call call;

private:
  MixedFactor factor(const char* name, const void* place);
  Product product_;
  MixedTypes types_;
  MixedFactor alpha_, beta_;
};

} // namespace gputest::cuda::libraries::blas
