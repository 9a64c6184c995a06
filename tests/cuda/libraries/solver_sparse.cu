// cuSOLVER's sparse systems: solutions solve, pivots that are missing are told.
// Link: -lcusolver -lcusparse
#include <cusolverSp.h>

#include "matrices.h"

#include <algorithm>

static cusolverSpHandle_t handle;

#undef PASSES
#define PASSES(call) EXPECT(int(call) == 0) // of cuSOLVER and of the runtime, too

#define FUNCTIONS(P)                                                                               \
  static constexpr auto lu_host = cusolverSp##P##csrlsvluHost;                                     \
  static constexpr auto qr_host = cusolverSp##P##csrlsvqrHost;                                     \
  static constexpr auto qr = cusolverSp##P##csrlsvqr;                                              \
  static constexpr auto cholesky_host = cusolverSp##P##csrlsvcholHost;                             \
  static constexpr auto cholesky = cusolverSp##P##csrlsvchol;
struct Single {
  using N = float;
  using T = float;
  FUNCTIONS(S)
};
struct DoublePrecision {
  using N = double;
  using T = double;
  FUNCTIONS(D)
};
struct SingleComplex {
  using N = std::complex<float>;
  using T = cuComplex;
  FUNCTIONS(C)
};
struct DoubleComplex {
  using N = std::complex<double>;
  using T = cuDoubleComplex;
  FUNCTIONS(Z)
};

template <typename L> struct Systems {
  using N = typename L::N;
  using T = typename L::T;
  using R = Real<N>;

  static const T* numbers(const std::vector<N>& values) { return reinterpret_cast<const T*>(values.data()); }

  static void systems() {
    const int n = random_int(1, 30), base = random_int(0, 1);
    Dense<N> a(n, n);
    const bool is_positive = random_int(0, 1);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < i && is_positive; ++j)
        a(i, j) = conjugate(a(j, i));
      a(i, i) = N(R(n + 1));
    }
    const Csr<N> csr(a, base);
    const int nnz = int(csr.values.size());
    const std::vector<N> want = random_numbers<N>(n);
    std::vector<N> b(size_t(n), N(0));
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        b[size_t(i)] += a(i, j) * want[size_t(j)];
    const Both<int> offsets(csr.offsets), indices(csr.indices);
    const Both<N, T> values(csr.values), right(b);
    const R tolerance = R(1e-12);
    for (int way = 0; way < (is_positive ? 5 : 3); ++way) {
      int singular = 7;
      std::vector<N> x(static_cast<size_t>(n));
      const Both<N, T> on_device(x);
      const bool is_on_device = way == 2 || way == 4;
      const auto host = way == 0 ? L::lu_host : way == 1 ? L::qr_host : L::cholesky_host;
      const auto device = way == 2 ? L::qr : L::cholesky;
      if (is_on_device)
        PASSES(device(handle, n, nnz, csr.descr, values.device, offsets.device, indices.device, right.device, tolerance, 0,
                      on_device.device, &singular));
      else
        PASSES(host(handle, n, nnz, csr.descr, numbers(csr.values), csr.offsets.data(), csr.indices.data(), numbers(b),
                    tolerance, 1, reinterpret_cast<T*>(x.data()), &singular));
      EXPECT(singular == -1 && is_close(is_on_device ? on_device.get() : x, want, 500));
    }
    // An order is a permutation.
    std::vector<int> order(size_t(n), -1);
    PASSES(cusolverSpXcsrsymrcmHost(handle, n, nnz, csr.descr, csr.offsets.data(), csr.indices.data(), order.data()));
    std::sort(order.begin(), order.end());
    for (int i = 0; i < n; ++i)
      EXPECT(order[size_t(i)] == i);
  }

  static void singular() {
    Dense<N> zeros(2, 2, false), indefinite(2, 2, false);
    zeros(0, 0) = N(1), zeros(1, 0) = N(1);
    indefinite(0, 0) = N(1), indefinite(0, 1) = indefinite(1, 0) = N(2), indefinite(1, 1) = N(1);
    const std::vector<N> b{N(1), N(1)};
    std::vector<N> x(2);
    for (const bool is_positive : {false, true}) {
      const Csr<N> csr(is_positive ? indefinite : zeros, 0);
      int where = -7;
      PASSES((is_positive ? L::cholesky_host : L::lu_host)(
          handle, 2, int(csr.values.size()), csr.descr, numbers(csr.values), csr.offsets.data(), csr.indices.data(),
          numbers(b), R(1e-6), 0, reinterpret_cast<T*>(x.data()), &where));
      EXPECT(where == 0 || where == 1);
    }
  }

  // What is no number is no singular matrix, and stays no number. An empty matrix is refused.
  static void no_numbers() {
    Dense<N> a(2, 2, false);
    a(0, 0) = a(1, 1) = N(1);
    const Csr<N> csr(a, 0);
    const std::vector<N> b{N(1), N(std::nan(""))};
    std::vector<N> x(2);
    int where = -7;
    PASSES(L::lu_host(handle, 2, 2, csr.descr, numbers(csr.values), csr.offsets.data(), csr.indices.data(), numbers(b), R(1e-6),
                      0, reinterpret_cast<T*>(x.data()), &where));
    EXPECT(where == -1 && x[1] != x[1]);
    EXPECT(L::lu_host(handle, 0, 0, csr.descr, numbers(csr.values), csr.offsets.data(), csr.indices.data(), numbers(b), R(1e-6),
                      0, reinterpret_cast<T*>(x.data()), &where) == CUSOLVER_STATUS_INVALID_VALUE);
  }

  static void all() {
    no_numbers();
    for (int i = 0; i < 2 * repeats(); ++i)
      systems();
    singular();
  }
};

// A grid of 100 by 100 points: far too large for a dense matrix.
static void grid() {
  const int side = 100, n = side * side;
  std::vector<int> offsets{0}, indices;
  std::vector<double> values, b(size_t(n), 1), x(b.size());
  for (int i = 0; i < n; ++i) {
    for (const int other : {i - side, i % side ? i - 1 : -1, i, i % side < side - 1 ? i + 1 : -1, i + side})
      if (other >= 0 && other < n)
        indices.push_back(other), values.push_back(other == i ? 4 : -1);
    offsets.push_back(int(values.size()));
  }
  cusparseMatDescr_t descr = nullptr;
  PASSES(cusparseCreateMatDescr(&descr));
  int where = 7;
  PASSES(cusolverSpDcsrlsvcholHost(handle, n, int(values.size()), descr, values.data(), offsets.data(), indices.data(), b.data(),
                                   1e-12, 0, x.data(), &where));
  EXPECT(where == -1);
  double most = 0;
  for (int i = 0; i < n; ++i) {
    double sum = -1;
    for (int k = offsets[size_t(i)]; k < offsets[size_t(i) + 1]; ++k)
      sum += values[size_t(k)] * x[size_t(indices[size_t(k)])];
    most = std::max(most, std::abs(sum));
  }
  EXPECT(most < 1e-9);
  cusparseDestroyMatDescr(descr);
}

int main() {
  PASSES(cusolverSpCreate(&handle));
  Systems<Single>::all(), Systems<DoublePrecision>::all(), Systems<SingleComplex>::all(), Systems<DoubleComplex>::all();
  grid();
  cudaStream_t stream = nullptr, same = nullptr;
  PASSES(cudaStreamCreate(&stream));
  PASSES(cusolverSpSetStream(handle, stream));
  PASSES(cusolverSpGetStream(handle, &same));
  EXPECT(same == stream);
  PASSES(cusolverSpDestroy(handle));
  PASSES(cudaStreamDestroy(stream));
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  return wrong;
}
