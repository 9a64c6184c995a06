// ?: without a middle on objects: they stay where they are, and are asked once more.
struct Found {
  int at = -1;
  __device__ Found(int place) : at(place) {}
  Found(const Found&) = delete;
  __device__ Found(Found&& other) : at(other.at) {}
  __device__ bool is_there() const { return at >= 0; }
  __device__ explicit operator bool() const { return is_there(); }
};
struct Ticket {
  int left;
  __device__ operator bool() { return left-- > 0; }
};
struct Both {
  Found found;
  __device__ Both(Found&& first, Found&& second)
      : found(static_cast<Found&&>(first) ?: static_cast<Found&&>(second)) {}
};
__device__ Found find(const int* in, int count, int value) {
  for (int i = 0; i < count; ++i)
    if (in[i] == value)
      return Found(i);
  return Found(-1);
}
template <class T> __device__ T& pick(T& a, T& b) { return a ?: b; }
__global__ void k(int* out, const int* in, int count) {
  const int i = threadIdx.x;
  Found first = find(in, count, i) ?: Found(count);
  Found second = find(in, count, 7);
  (first ?: second).at += 1;
  pick(first, second).at += 2;
  int zero = 0, one = 1;
  pick(zero, one) += 3;
  Ticket ticket = {i}, other = {9};
  const Both both(Found(i - 1), Found(first.at));
  out[i] = first.at + second.at + (ticket ?: other).left + both.found.at;
}
// The instance decides whether its object can be asked again, and so do classes derived from it.
struct Asked {
  int left;
  __device__ Asked(int count) : left(count) {}
  __device__ virtual operator bool() const { return left > 0; }
};
template <class T> __device__ T& take(T& a, T& b) { return a ?: b; }
__global__ void taken(int* out) {
  Ticket ticket = {1}, other = {9};
  Asked asked(1), unasked(2);
  out[0] = take(ticket, other).left + (asked ?: unasked).left;
}
