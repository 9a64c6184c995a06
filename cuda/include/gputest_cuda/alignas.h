// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lets alignas() follow __shared__ and similar words, as nvcc does. C++ allows no attribute there,
// but Clang accepts GNU's.
#ifndef GPUTEST_CUDA_ALIGNAS_H
#define GPUTEST_CUDA_ALIGNAS_H

#ifdef __cplusplus
namespace gputest_cuda_details {

// X in alignas(X) is a type or a number. So int(X) is a function type or a number.
template <typename Function> struct Parameter;
template <typename T> struct Parameter<int(T)> {
  static constexpr int alignment = alignof(T);
};
template <typename Function> constexpr int alignment_of() {
  return Parameter<Function>::alignment;
}
template <int Number> constexpr int alignment_of() {
  return Number;
}

} // namespace gputest_cuda_details

#define alignas(...) __attribute__((aligned(gputest_cuda_details::alignment_of<int(__VA_ARGS__)>())))
#endif

#endif
