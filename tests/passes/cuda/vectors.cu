// Each component of a vector decides, by its sign; of GNU's vectors by whether it is 0.
typedef int int4v __attribute__((ext_vector_type(4)));
typedef int gnu4 __attribute__((vector_size(16)));
template <class V> __device__ V relu(V x, V low) { return x > low ? x : low; }
__global__ void k(int* out, const int* in) {
  const int i = threadIdx.x;
  int4v v = {in[i], 1, 2, 3};
  int4v w = v > 1 ? v : -v;
  gnu4 g = {in[i], 1, 2, 3};
  g = g ? g + 1 : g;
  w += !v;
  w = relu(w, v);
  w.x += relu(in[i], 2);
  const int* p = in[i] > 2 ? in : nullptr;
  w.y += *(p ?: in) + (in[i] ?: 7);
  out[i] = w.x + w.y + w.z + w.w + g[0];
}
