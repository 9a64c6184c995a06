// Counts the digits of numbers, and the numbers above a limit.
struct Limits {
  int low, high;
};

__device__ int digits(int number) {
  int count = 0;
  while (number > 0) {
    number /= 10;
    ++count;
  }
  return count;
}

__global__ void classify(const int* numbers, int* lengths, unsigned* counts, Limits limits, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  lengths[i] = digits(numbers[i]);
  if (numbers[i] < limits.low)
    atomicAdd(&counts[0], 1u);
  else if (numbers[i] > limits.high)
    atomicAdd(&counts[1], 1u);
}
