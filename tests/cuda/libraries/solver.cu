// cuSOLVER for dense matrices: the factors multiply to the matrix, solutions solve, vectors are orthogonal.
// Link: -lcusolver -lcublas
#include <cusolverDn.h>

#include "dense.h"

static cusolverDnHandle_t handle;

#define PASSES(call) EXPECT((call) == CUSOLVER_STATUS_SUCCESS)

#define FUNCTIONS(P, ORGQR, ORMQR, SYEVD, SYGVD, SYEVJ)                                            \
  static constexpr auto potrf_size = cusolverDn##P##potrf_bufferSize;                              \
  static constexpr auto potrf = cusolverDn##P##potrf;                                              \
  static constexpr auto potrs = cusolverDn##P##potrs;                                              \
  static constexpr auto potri_size = cusolverDn##P##potri_bufferSize;                              \
  static constexpr auto potri = cusolverDn##P##potri;                                              \
  static constexpr auto potrfBatched = cusolverDn##P##potrfBatched;                                \
  static constexpr auto potrsBatched = cusolverDn##P##potrsBatched;                                \
  static constexpr auto getrf_size = cusolverDn##P##getrf_bufferSize;                              \
  static constexpr auto getrf = cusolverDn##P##getrf;                                              \
  static constexpr auto getrs = cusolverDn##P##getrs;                                              \
  static constexpr auto geqrf_size = cusolverDn##P##geqrf_bufferSize;                              \
  static constexpr auto geqrf = cusolverDn##P##geqrf;                                              \
  static constexpr auto orgqr_size = cusolverDn##P##ORGQR##_bufferSize;                            \
  static constexpr auto orgqr = cusolverDn##P##ORGQR;                                              \
  static constexpr auto ormqr_size = cusolverDn##P##ORMQR##_bufferSize;                            \
  static constexpr auto ormqr = cusolverDn##P##ORMQR;                                              \
  static constexpr auto gesvd_size = cusolverDn##P##gesvd_bufferSize;                              \
  static constexpr auto gesvd = cusolverDn##P##gesvd;                                              \
  static constexpr auto syevd_size = cusolverDn##P##SYEVD##_bufferSize;                            \
  static constexpr auto syevd = cusolverDn##P##SYEVD;                                              \
  static constexpr auto sygvd_size = cusolverDn##P##SYGVD##_bufferSize;                            \
  static constexpr auto sygvd = cusolverDn##P##SYGVD;                                              \
  static constexpr auto syevj_size = cusolverDn##P##SYEVJ##_bufferSize;                            \
  static constexpr auto syevj = cusolverDn##P##SYEVJ;                                              \
  static constexpr auto syevjBatched_size = cusolverDn##P##SYEVJ##Batched_bufferSize;              \
  static constexpr auto syevjBatched = cusolverDn##P##SYEVJ##Batched;                              \
  static constexpr auto gesvdj_size = cusolverDn##P##gesvdj_bufferSize;                            \
  static constexpr auto gesvdj = cusolverDn##P##gesvdj;                                            \
  static constexpr auto gesvdjBatched_size = cusolverDn##P##gesvdjBatched_bufferSize;              \
  static constexpr auto gesvdjBatched = cusolverDn##P##gesvdjBatched;
struct Single : Types<float, float> {
  FUNCTIONS(S, orgqr, ormqr, syevd, sygvd, syevj)
};
struct Double : Types<double, double> {
  FUNCTIONS(D, orgqr, ormqr, syevd, sygvd, syevj)
};
struct SingleComplex : Types<std::complex<float>, cuComplex> {
  FUNCTIONS(C, ungqr, unmqr, heevd, hegvd, heevj)
};
struct DoubleComplex : Types<std::complex<double>, cuDoubleComplex> {
  FUNCTIONS(Z, ungqr, unmqr, heevd, hegvd, heevj)
};

template <typename N> Dense<N> random_dense(int m, int n) {
  return {m, n, random_numbers<N>(long(m) * n)};
}
template <typename N> Dense<N> adjoint(const Dense<N>& a) {
  return op(a, CUBLAS_OP_C);
}
template <typename N> Dense<N> identity(int n) {
  return dense<N>(n, n, [](int i, int j) { return N(i == j ? 1 : 0); });
}
template <typename N> bool equal(const Dense<N>& a, const Dense<N>& b) {
  return is_close(a.values, b.values, 300);
}

template <typename Functions> struct Tests {
  using L = Functions;
  using N = typename L::N;
  using T = typename L::T;
  using R = Real<N>;
  using Array = Both<N, T>;

  struct Work {
    int size = 0;
    T* data = nullptr;
    T* get() {
      EXPECT(size > 0);
      cudaMalloc(reinterpret_cast<void**>(&data), size_t(size) * sizeof(T));
      return data;
    }
    ~Work() { cudaFree(data); }
  };
  static Dense<N> got(const Array& array, int m, int n) { return {m, n, array.get()}; }
  static bool is_zero(const Both<int>& info) { return info.get() == std::vector<int>{0}; }

  static Dense<N> positive(int n) {
    const Dense<N> a = random_dense<N>(n, n);
    Dense<N> result = product(a, adjoint(a));
    for (int i = 0; i < n; ++i)
      result(i, i) = N(std::real(result(i, i)) + R(n));
    return result;
  }

  static void cholesky() {
    const int n = random_int(1, 12), columns = random_int(1, 4);
    const bool upper = random_int(0, 1);
    const cublasFillMode_t fill = upper ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER;
    const Dense<N> a = positive(n), x = random_dense<N>(n, columns);
    const Array of_a(a.values), b(product(a, x).values);
    const Both<int> info({7});
    Work work;
    PASSES(L::potrf_size(handle, fill, n, of_a.device, n, &work.size));
    PASSES(L::potrf(handle, fill, n, of_a.device, n, work.get(), work.size, info.device));
    EXPECT(is_zero(info));
    Dense<N> factor = got(of_a, n, n);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        if (upper ? i > j : i < j) {
          EXPECT(factor(i, j) == a(i, j)); // the other triangle stays
          factor(i, j) = N(0);
        }
    EXPECT(equal(upper ? product(adjoint(factor), factor) : product(factor, adjoint(factor)), a));
    PASSES(L::potrs(handle, fill, n, columns, of_a.device, n, b.device, n, info.device));
    EXPECT(is_zero(info) && equal(got(b, n, columns), x));
    Work more;
    PASSES(L::potri_size(handle, fill, n, of_a.device, n, &more.size));
    PASSES(L::potri(handle, fill, n, of_a.device, n, more.get(), more.size, info.device));
    Dense<N> inverse = got(of_a, n, n);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        if (upper ? i > j : i < j)
          inverse(i, j) = conjugate(inverse(j, i));
    EXPECT(is_zero(info) && equal(product(a, inverse), identity<N>(n)));
    // Batches
    const Array first(a.values), second(a.values), one(product(a, x).values), other(product(a, x).values);
    const Both<T*> matrices({first.device, second.device}), sides({one.device, other.device});
    const Both<int> infos({7, 7});
    PASSES(L::potrfBatched(handle, fill, n, matrices.device, n, infos.device, 2));
    EXPECT(infos.get() == (std::vector<int>{0, 0}));
    PASSES(L::potrsBatched(handle, fill, n, 1, matrices.device, n, sides.device, n, info.device, 2));
    const Dense<N> solved = got(other, n, columns);
    EXPECT(is_close(std::vector<N>(solved.values.begin(), solved.values.begin() + n),
                    std::vector<N>(x.values.begin(), x.values.begin() + n), 300));
    // One that is not positive
    Dense<N> bad = identity<N>(n);
    bad(n - 1, n - 1) = N(-1);
    const Array of_bad(bad.values);
    PASSES(L::potrf(handle, fill, n, of_bad.device, n, work.data, work.size, info.device));
    EXPECT(info.get()[0] == n);
  }

  static void lu() {
    const int n = random_int(1, 12), columns = random_int(1, 4);
    Dense<N> a = random_dense<N>(n, n);
    for (int i = 0; i < n; ++i)
      a(i, i) += N(R(4));
    const Dense<N> x = random_dense<N>(n, columns);
    const auto op = static_cast<cublasOperation_t>(random_int(0, 2));
    const Dense<N> side = product(::op(a, op), x);
    for (const bool pivoting : {true, false}) {
      const Array of_a(a.values), b(side.values);
      const Both<int> info({7}), pivots{std::vector<int>(size_t(n))};
      int* const used = pivoting ? pivots.device : nullptr;
      Work work;
      PASSES(L::getrf_size(handle, n, n, of_a.device, n, &work.size));
      PASSES(L::getrf(handle, n, n, of_a.device, n, work.get(), used, info.device));
      EXPECT(is_zero(info));
      PASSES(L::getrs(handle, op, n, columns, of_a.device, n, used, b.device, n, info.device));
      EXPECT(is_zero(info) && equal(got(b, n, columns), x));
    }
  }

  static void qr() {
    const int n = random_int(1, 8), m = n + random_int(0, 5), columns = random_int(1, 4);
    const Dense<N> a = random_dense<N>(m, n), c = random_dense<N>(m, columns);
    const Array of_a(a.values), tau(std::vector<N>(size_t(n), N(0))), of_c(c.values);
    const Both<int> info({7});
    Work work, more, last;
    PASSES(L::geqrf_size(handle, m, n, of_a.device, m, &work.size));
    PASSES(L::geqrf(handle, m, n, of_a.device, m, tau.device, work.get(), work.size, info.device));
    EXPECT(is_zero(info));
    Dense<N> r = got(of_a, m, n);
    const cublasOperation_t back = kIsComplex<N> ? CUBLAS_OP_C : CUBLAS_OP_T;
    PASSES(L::ormqr_size(handle, CUBLAS_SIDE_LEFT, back, m, columns, n, of_a.device, m, tau.device, of_c.device, m,
                         &more.size));
    PASSES(L::ormqr(handle, CUBLAS_SIDE_LEFT, back, m, columns, n, of_a.device, m, tau.device, of_c.device, m,
                    more.get(), more.size, info.device));
    EXPECT(is_zero(info));
    PASSES(L::orgqr_size(handle, m, n, n, of_a.device, m, tau.device, &last.size));
    PASSES(L::orgqr(handle, m, n, n, of_a.device, m, tau.device, last.get(), last.size, info.device));
    const Dense<N> q = got(of_a, m, n);
    Dense<N> triangle(n, n);
    for (int i = 0; i < n; ++i)
      for (int j = i; j < n; ++j)
        triangle(i, j) = r(i, j);
    EXPECT(is_zero(info) && equal(product(q, triangle), a) && equal(product(adjoint(q), q), identity<N>(n)));
    const Dense<N> all = got(of_c, m, columns), want = product(adjoint(q), c);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < columns; ++j)
        EXPECT(std::abs(all(i, j) - want(i, j)) < R(1e-4));
  }

  static void singular_values() {
    const int n = random_int(1, 8), m = n + random_int(0, 4);
    const Dense<N> a = random_dense<N>(m, n);
    const Array of_a(a.values), u(std::vector<N>(size_t(m) * m)), vt(std::vector<N>(size_t(n) * n));
    const Both<R> s(std::vector<R>(size_t(n), 0));
    const Both<int> info({7});
    Work work;
    PASSES(L::gesvd_size(handle, m, n, &work.size));
    PASSES(L::gesvd(handle, 'A', 'A', m, n, of_a.device, m, s.device, u.device, m, vt.device, n, work.get(), work.size,
                    nullptr, info.device));
    EXPECT(is_zero(info));
    const std::vector<R> values = s.get();
    Dense<N> middle(m, n);
    for (int i = 0; i < n; ++i) {
      EXPECT(values[size_t(i)] >= 0 && (i == 0 || values[size_t(i) - 1] >= values[size_t(i)]));
      middle(i, i) = N(values[size_t(i)]);
    }
    const Dense<N> left = got(u, m, m), right = got(vt, n, n);
    EXPECT(equal(product(product(left, middle), right), a));
    EXPECT(equal(product(adjoint(left), left), identity<N>(m)));
    EXPECT(L::gesvd(handle, 'A', 'A', n, n + 1, of_a.device, m, s.device, u.device, m, vt.device, n + 1, work.data,
                    work.size, nullptr, info.device) == CUSOLVER_STATUS_INVALID_VALUE);
  }

  static void eigenvalues() {
    const int n = random_int(1, 10);
    const cublasFillMode_t fill = random_int(0, 1) ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER;
    const Dense<N> half = random_dense<N>(n, n), b = positive(n);
    Dense<N> a = adjoint(half);
    for (size_t i = 0; i < a.values.size(); ++i)
      a.values[i] += half.values[i];
    const Array of_a(a.values);
    const Both<R> w(std::vector<R>(size_t(n), 0)), alone(std::vector<R>(size_t(n), 0));
    const Both<int> info({7});
    Work work;
    PASSES(L::syevd_size(handle, CUSOLVER_EIG_MODE_VECTOR, fill, n, of_a.device, n, w.device, &work.size));
    PASSES(L::syevd(handle, CUSOLVER_EIG_MODE_VECTOR, fill, n, of_a.device, n, w.device, work.get(), work.size,
                    info.device));
    EXPECT(is_zero(info));
    const Dense<N> vectors = got(of_a, n, n);
    const std::vector<R> values = w.get();
    Dense<N> scaled = vectors;
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i)
        scaled(i, j) *= values[size_t(j)];
    EXPECT(equal(product(a, vectors), scaled) && equal(product(adjoint(vectors), vectors), identity<N>(n)));
    const Array again(a.values), of_b(b.values);
    PASSES(L::syevd(handle, CUSOLVER_EIG_MODE_NOVECTOR, fill, n, again.device, n, alone.device, work.data, work.size,
                    info.device));
    EXPECT(is_close(alone.get(), values, 100));
    // A x = w B x
    const Array general(a.values);
    Work more;
    PASSES(L::sygvd_size(handle, CUSOLVER_EIG_TYPE_1, CUSOLVER_EIG_MODE_VECTOR, fill, n, general.device, n, of_b.device,
                         n, w.device, &more.size));
    PASSES(L::sygvd(handle, CUSOLVER_EIG_TYPE_1, CUSOLVER_EIG_MODE_VECTOR, fill, n, general.device, n, of_b.device, n,
                    w.device, more.get(), more.size, info.device));
    const Dense<N> of_both = got(general, n, n);
    Dense<N> right = product(b, of_both);
    const std::vector<R> others = w.get();
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i)
        right(i, j) *= others[size_t(j)];
    EXPECT(is_zero(info) && equal(product(a, of_both), right));
  }

  // The same by the names of Jacobi's methods.
  static void jacobi_eigenvalues() {
    const int n = random_int(1, 8);
    const cublasFillMode_t fill = random_int(0, 1) ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER;
    const Dense<N> half = random_dense<N>(n, n);
    Dense<N> a = adjoint(half);
    for (size_t i = 0; i < a.values.size(); ++i)
      a.values[i] += half.values[i];
    std::vector<N> twice = a.values;
    twice.insert(twice.end(), a.values.begin(), a.values.end());
    const Array of_a(a.values), of_both(twice);
    const Both<R> w(std::vector<R>(size_t(n), 0)), all(std::vector<R>(size_t(2 * n), 0));
    const Both<int> info({7}), infos({7, 7});
    syevjInfo_t params = nullptr;
    PASSES(cusolverDnCreateSyevjInfo(&params));
    PASSES(cusolverDnXsyevjSetTolerance(params, 1e-7));
    PASSES(cusolverDnXsyevjSetMaxSweeps(params, 50));
    PASSES(cusolverDnXsyevjSetSortEig(params, 1));
    Work work, more;
    PASSES(L::syevj_size(handle, CUSOLVER_EIG_MODE_VECTOR, fill, n, of_a.device, n, w.device, &work.size, params));
    PASSES(L::syevj(handle, CUSOLVER_EIG_MODE_VECTOR, fill, n, of_a.device, n, w.device, work.get(), work.size, info.device, params));
    double residual = -1;
    int sweeps = 0;
    PASSES(cusolverDnXsyevjGetResidual(handle, params, &residual));
    PASSES(cusolverDnXsyevjGetSweeps(handle, params, &sweeps));
    EXPECT(is_zero(info) && residual >= 0 && residual < 1e-4 && sweeps == 1);
    const Dense<N> vectors = got(of_a, n, n);
    const std::vector<R> values = w.get();
    Dense<N> scaled = vectors;
    for (int j = 0; j < n; ++j) {
      EXPECT(j == 0 || values[size_t(j) - 1] <= values[size_t(j)]);
      for (int i = 0; i < n; ++i)
        scaled(i, j) *= values[size_t(j)];
    }
    EXPECT(equal(product(a, vectors), scaled) && equal(product(adjoint(vectors), vectors), identity<N>(n)));
    PASSES(L::syevjBatched_size(handle, CUSOLVER_EIG_MODE_VECTOR, fill, n, of_both.device, n, all.device, &more.size, params, 2));
    PASSES(L::syevjBatched(handle, CUSOLVER_EIG_MODE_VECTOR, fill, n, of_both.device, n, all.device, more.get(), more.size, infos.device, params, 2));
    std::vector<R> wanted = values;
    wanted.insert(wanted.end(), values.begin(), values.end());
    EXPECT(infos.get() == (std::vector<int>{0, 0}) && is_close(all.get(), wanted, 100));
    EXPECT(cusolverDnXsyevjGetResidual(handle, params, &residual) == CUSOLVER_STATUS_NOT_SUPPORTED);
    PASSES(cusolverDnDestroySyevjInfo(params));
    EXPECT(L::syevj(handle, CUSOLVER_EIG_MODE_VECTOR, fill, n, of_a.device, n, w.device, work.data, work.size, info.device, nullptr) ==
           CUSOLVER_STATUS_INVALID_VALUE);
  }

  static void jacobi_singular_values() {
    const int m = random_int(1, 8), n = random_int(1, 8), k = std::min(m, n), economic = random_int(0, 1);
    const int of_u = economic ? k : m, of_v = economic ? k : n;
    const Dense<N> a = random_dense<N>(m, n);
    std::vector<N> twice = a.values;
    twice.insert(twice.end(), a.values.begin(), a.values.end());
    const Array of_a(a.values), of_both(twice), u(std::vector<N>(size_t(m) * of_u)), v(std::vector<N>(size_t(n) * of_v)),
        us(std::vector<N>(size_t(2 * m * m))), vs(std::vector<N>(size_t(2 * n * n)));
    const Both<R> s(std::vector<R>(size_t(k), 0)), all(std::vector<R>(size_t(2 * k), 0));
    const Both<int> info({7}), infos({7, 7});
    gesvdjInfo_t params = nullptr;
    PASSES(cusolverDnCreateGesvdjInfo(&params));
    PASSES(cusolverDnXgesvdjSetTolerance(params, 1e-7));
    PASSES(cusolverDnXgesvdjSetMaxSweeps(params, 15));
    Work work, more;
    const auto mode = CUSOLVER_EIG_MODE_VECTOR;
    PASSES(L::gesvdj_size(handle, mode, economic, m, n, of_a.device, m, s.device, u.device, m, v.device, n, &work.size, params));
    PASSES(L::gesvdj(handle, mode, economic, m, n, of_a.device, m, s.device, u.device, m, v.device, n, work.get(), work.size, info.device, params));
    double residual = -1;
    PASSES(cusolverDnXgesvdjGetResidual(handle, params, &residual));
    EXPECT(is_zero(info) && residual >= 0 && residual < 1e-4);
    const std::vector<R> values = s.get();
    Dense<N> middle(of_u, of_v);
    for (int i = 0; i < k; ++i) {
      EXPECT(values[size_t(i)] >= 0 && (i == 0 || values[size_t(i) - 1] >= values[size_t(i)]));
      middle(i, i) = N(values[size_t(i)]);
    }
    const Dense<N> left = got(u, m, of_u), right = got(v, n, of_v);
    EXPECT(equal(product(product(left, middle), adjoint(right)), a));
    EXPECT(equal(product(adjoint(left), left), identity<N>(of_u)) && equal(product(adjoint(right), right), identity<N>(of_v)));
    PASSES(L::gesvdjBatched_size(handle, mode, m, n, of_both.device, m, all.device, us.device, m, vs.device, n, &more.size, params, 2));
    PASSES(L::gesvdjBatched(handle, mode, m, n, of_both.device, m, all.device, us.device, m, vs.device, n, more.get(), more.size, infos.device, params, 2));
    std::vector<R> wanted = values;
    wanted.insert(wanted.end(), values.begin(), values.end());
    EXPECT(infos.get() == (std::vector<int>{0, 0}) && is_close(all.get(), wanted, 100));
    PASSES(cusolverDnDestroyGesvdjInfo(params));
  }

  static void all() {
    jacobi_eigenvalues();
    jacobi_singular_values();
    for (int i = 0; i < repeats(); ++i) {
      cholesky();
      lu();
      qr();
      singular_values();
      eigenvalues();
    }
  }
};

int main() {
  PASSES(cusolverDnCreate(&handle));
  Tests<Single>::all();
  Tests<Double>::all();
  Tests<SingleComplex>::all();
  Tests<DoubleComplex>::all();
  PASSES(cusolverDnDestroy(handle));
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  return wrong;
}
