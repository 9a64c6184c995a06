// Counts readings below and above two limits, and clears those with the code of a broken sensor.
struct Limits {
  int low, high;
};

__global__ void classify(int* readings, unsigned* counts, Limits limits, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const int reading = readings[i];
  if (reading == 0x7ead) {
    readings[i] = 0;
    atomicAdd(&counts[0], 1u);
  } else if (reading < limits.low) {
    atomicAdd(&counts[1], 1u);
  } else if (reading > limits.high) {
    atomicAdd(&counts[2], 1u);
  }
}
