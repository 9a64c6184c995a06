// nvcc takes an alignas() behind __shared__ and its like, where C++ has no attributes. Clang has those of GNU there.
#ifndef GPUTEST_CUDA_ALIGNAS_H
#define GPUTEST_CUDA_ALIGNAS_H

#ifdef __cplusplus
namespace gputest_cuda_details {

// alignas(X) has a type or a number: int(X) is the type of a function, or a number.
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
