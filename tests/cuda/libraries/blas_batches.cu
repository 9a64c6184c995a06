// Batches of cuBLAS: QR factorisations, least squares and inverses. Factors multiply to the matrix, residuals are
// orthogonal to it.
// Link: -lcublas
#include "dense.h"

static cublasHandle_t handle;

#define PASSES(call) EXPECT((call) == CUBLAS_STATUS_SUCCESS)
#define FUNCTIONS(P)                                                                               \
  static constexpr auto qr = cublas##P##geqrfBatched;                                              \
  static constexpr auto least_squares = cublas##P##gelsBatched;                                    \
  static constexpr auto inverse = cublas##P##matinvBatched;
struct Single : Types<float, float> {
  FUNCTIONS(S)
};
struct Double : Types<double, double> {
  FUNCTIONS(D)
};
struct SingleComplex : Types<std::complex<float>, cuComplex> {
  FUNCTIONS(C)
};
struct DoubleComplex : Types<std::complex<double>, cuDoubleComplex> {
  FUNCTIONS(Z)
};

template <typename L> struct Tests {
  using N = typename L::N;
  using T = typename L::T;
  using R = Real<N>;
  static constexpr int kCount = 3;

  // Matrices one behind the other, with gaps between columns.
  struct Batch {
    int rows, cols, ld;
    std::vector<Dense<N>> host{};
    Both<N, T> values;
    Both<T*> places;
    Batch(int m, int n, bool diagonal) : Batch(m, n, m + random_int(0, 2), random_all(m, n, diagonal)) {}
    Batch(int m, int n, int of_columns, std::vector<Dense<N>> all)
        : rows(m), cols(n), ld(of_columns), host(all), values(laid_out(all, ld)), places(places_of()) {}
    static std::vector<Dense<N>> random_all(int m, int n, bool diagonal) {
      std::vector<Dense<N>> all;
      for (int b = 0; b < kCount; ++b) {
        all.push_back({m, n, random_numbers<N>(long(m) * n)});
        for (int i = 0; diagonal && i < std::min(m, n); ++i)
          all.back()(i, i) += N(R(3));
      }
      return all;
    }
    static std::vector<N> laid_out(const std::vector<Dense<N>>& all, int ld) {
      std::vector<N> values;
      for (const Dense<N>& one : all)
        for (int j = 0; j < one.cols; ++j)
          for (int i = 0; i < ld; ++i)
            values.push_back(i < one.rows ? one(i, j) : N(0));
      return values;
    }
    std::vector<T*> places_of() const {
      std::vector<T*> all;
      for (int b = 0; b < kCount; ++b)
        all.push_back(values.device + size_t(b) * ld * cols);
      return all;
    }
    Dense<N> got(int b) const {
      const std::vector<N> all = values.get();
      return dense<N>(rows, cols, [&](int i, int j) { return all[size_t(b) * ld * cols + size_t(j) * ld + i]; });
    }
  };

  static void qr() {
    const int m = random_int(1, 9), n = random_int(1, 9), k = std::min(m, n);
    const Batch a(m, n, false), tau(k, 1, k, std::vector<Dense<N>>(kCount, Dense<N>(k, 1)));
    int info = 7;
    PASSES(L::qr(handle, m, n, a.places.device, a.ld, tau.places.device, &info, kCount));
    EXPECT(info == 0);
    for (int b = 0; b < kCount; ++b) {
      const Dense<N> packed = a.got(b), factors = tau.got(b);
      Dense<N> whole = dense<N>(m, n, [&](int i, int j) { return i <= j ? packed(i, j) : N(0); });
      for (int q = k - 1; q >= 0; --q) { // Q R, from the last reflection to the first
        const Dense<N> v = dense<N>(m, 1, [&](int i, int) { return i < q ? N(0) : i == q ? N(1) : packed(i, q); });
        const Dense<N> by = product(v, product(op(v, CUBLAS_OP_C), whole));
        for (size_t i = 0; i < whole.values.size(); ++i)
          whole.values[i] -= factors(q, 0) * by.values[i];
      }
      EXPECT(is_close(whole.values, a.host[size_t(b)].values, 40));
    }
    EXPECT(L::qr(handle, 2, 2, a.places.device, 1, tau.places.device, &info, 1) == CUBLAS_STATUS_INVALID_VALUE && info == -4);
  }

  static void least_squares() {
    const int n = random_int(1, 6), m = n + random_int(0, 4), columns = random_int(1, 3);
    const Batch a(m, n, true), c(m, columns, false);
    const Both<int> each(std::vector<int>(kCount, 7));
    int info = 7;
    PASSES(L::least_squares(handle, CUBLAS_OP_N, m, n, columns, a.places.device, a.ld, c.places.device, c.ld, &info,
                            each.device, kCount));
    EXPECT(info == 0 && each.get() == std::vector<int>(kCount, 0));
    for (int b = 0; b < kCount; ++b) {
      const Dense<N> solved = c.got(b), &matrix = a.host[size_t(b)], &right = c.host[size_t(b)];
      const Dense<N> x = dense<N>(n, columns, [&](int i, int j) { return solved(i, j); });
      Dense<N> rest = product(matrix, x);
      for (size_t i = 0; i < rest.values.size(); ++i)
        rest.values[i] -= right.values[i];
      EXPECT(is_close(product(op(matrix, CUBLAS_OP_C), rest).values, std::vector<N>(size_t(n) * columns), 100));
    }
    EXPECT(L::least_squares(handle, CUBLAS_OP_N, m, n, -1, a.places.device, a.ld, c.places.device, c.ld, &info,
                            each.device, kCount) == CUBLAS_STATUS_INVALID_VALUE &&
           info < 0);
  }

  static void inverses() {
    const int n = random_int(1, 32);
    const Batch a(n, n, true);
    Batch inverse(n, n, false);
    const Both<int> info(std::vector<int>(kCount, 7));
    PASSES(L::inverse(handle, n, a.places.device, a.ld, inverse.places.device, inverse.ld, info.device, kCount));
    EXPECT(info.get() == std::vector<int>(kCount, 0));
    for (int b = 0; b < kCount; ++b) {
      const Dense<N>& matrix = a.host[size_t(b)];
      EXPECT(matrix.values == a.got(b).values);
      // The residual grows with the condition of the matrix.
      const Dense<N> x = inverse.got(b), residual = product(matrix, x);
      R largest = 0;
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
          largest = std::max(largest, std::abs(residual(i, j) - N(R(i == j))));
      EXPECT(largest < (std::is_same<R, float>::value ? R(2e-2) : R(1e-9)));
    }
    const Batch zeros(2, 2, 2, std::vector<Dense<N>>(kCount, Dense<N>(2, 2)));
    PASSES(L::inverse(handle, 2, zeros.places.device, 2, inverse.places.device, std::max(2, inverse.ld), info.device, 1));
    EXPECT(info.get()[0] == 1);
    EXPECT(L::inverse(handle, 33, a.places.device, 33, inverse.places.device, 33, info.device, 1) ==
           CUBLAS_STATUS_INVALID_VALUE);
  }

  static void all() {
    for (int i = 0; i < 2 * repeats(); ++i)
      qr(), least_squares(), inverses();
  }
};

int main() {
  PASSES(cublasCreate(&handle));
  Tests<Single>::all(), Tests<Double>::all(), Tests<SingleComplex>::all(), Tests<DoubleComplex>::all();
  PASSES(cublasDestroy(handle));
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  return wrong;
}
