// Functions that call themselves twice, with one less each time: 2^depth calls.
__device__ unsigned itself(unsigned depth) {
  return depth == 0 ? 1 : itself(depth - 1) * 3 ^ itself(depth - 1) >> 1;
}

__device__ __noinline__ unsigned there(unsigned depth);
__device__ __noinline__ unsigned back(unsigned depth) {
  return depth == 0 ? 1 : there(depth - 1) * 3 ^ there(depth - 1) >> 1;
}
__device__ __noinline__ unsigned there(unsigned depth) {
  return depth == 0 ? 2 : back(depth - 1) * 5 ^ back(depth - 1) >> 1;
}

typedef unsigned (*Function)(unsigned);
__device__ __noinline__ unsigned one(unsigned depth);
__device__ __noinline__ unsigned two(unsigned depth);
__device__ Function functions[] = {one, two};
__device__ __noinline__ unsigned one(unsigned depth) {
  return depth == 0 ? 1 : functions[depth & 1](depth - 1) * 3 ^ functions[1](depth - 1) >> 1;
}
__device__ __noinline__ unsigned two(unsigned depth) {
  return depth == 0 ? 2 : functions[depth & 1](depth - 1) * 5 ^ functions[0](depth - 1) >> 1;
}

__global__ void of_itself(unsigned* out, int depth) {
  out[0] = itself(depth);
}
__global__ void by_turns(unsigned* out, int depth) {
  out[0] = there(depth);
}
__global__ void by_pointer(unsigned* out, int depth) {
  out[0] = functions[depth & 1](depth);
}
