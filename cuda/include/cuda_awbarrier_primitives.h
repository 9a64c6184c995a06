// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C interface of barriers for a block's threads (CUDA C++ Programming Guide, "Asynchronous
// Barrier Primitives Interface").
#pragma once
#include <cuda/barrier>
#ifdef __CUDA__
typedef cuda::barrier<cuda::thread_scope_block> __mbarrier_t;
typedef __mbarrier_t::arrival_token __mbarrier_token_t;
static constexpr __device__ __forceinline__ unsigned __mbarrier_maximum_count() {
  return (1 << 20) - 1;
}
static __device__ __forceinline__ void __mbarrier_init(__mbarrier_t* at, unsigned expected) {
  at->start(expected);
}
static __device__ __forceinline__ void __mbarrier_inval(__mbarrier_t*) {}
static __device__ __forceinline__ __mbarrier_token_t __mbarrier_arrive(__mbarrier_t* at) {
  return at->arrive();
}
static __device__ __forceinline__ __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t* at) {
  const __mbarrier_token_t token = at->phase();
  at->arrive_and_drop();
  return token;
}
// Waits, because programs ask again until the answer is true.
static __device__ __forceinline__ bool __mbarrier_test_wait(__mbarrier_t* at,
                                                            __mbarrier_token_t token) {
  at->wait(static_cast<__mbarrier_token_t&&>(token));
  return true;
}
static __device__ __forceinline__ bool __mbarrier_try_wait(__mbarrier_t* at,
                                                           __mbarrier_token_t token, unsigned = 0) {
  return __mbarrier_test_wait(at, token);
}
static __device__ __forceinline__ bool __mbarrier_test_wait_parity(__mbarrier_t* at, bool parity) {
  at->wait_parity(parity);
  return true;
}
static __device__ __forceinline__ bool __mbarrier_try_wait_parity(__mbarrier_t* at, bool parity, unsigned = 0) {
  return __mbarrier_test_wait_parity(at, parity);
}

// The old name of cuda::barrier.
namespace nvcuda {
namespace experimental {
class awbarrier : public cuda::barrier<cuda::thread_scope_block> {
public:
  awbarrier() = default;
  __device__ bool timed_wait(arrival_token token, unsigned) {
    wait(static_cast<arrival_token&&>(token));
    return true;
  }
  static constexpr __host__ __device__ unsigned max() { return (1 << 20) - 1; }
};
static __device__ __forceinline__ void init(awbarrier* at, unsigned expected) {
  at->start(expected);
}
} // namespace experimental
} // namespace nvcuda
#endif
