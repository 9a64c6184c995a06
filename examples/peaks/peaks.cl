// Marks the peaks of a signal with 1 and its valleys with -1: places that rise above both of their
// neighbours, or fall below them, by at least `least`.
kernel void peaks(global const float* signal, global int* kind, const int n, const float least) {
  const int i = get_global_id(0);
  if (i >= n)
    return;
  int result = 0;
  if (i > 0 && i < n - 1) {
    const float left = signal[i] - signal[i - 1], right = signal[i] - signal[i + 1];
    if (left >= least && right >= least)
      result = 1;
    else if (left <= -least && right <= -least)
      result = -1;
  }
  kind[i] = result;
}
