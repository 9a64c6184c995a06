// cuSOLVER's functions whose types are parameters, and its solvers that refine: factors multiply to the matrix,
// solutions solve.
// Link: -lcusolver -lcublas
#include <cusolverDn.h>

#include "dense.h"

static cusolverDnHandle_t handle;
static cusolverDnParams_t params;

#define PASSES(call) EXPECT((call) == CUSOLVER_STATUS_SUCCESS)

template <typename N_, typename T_, cudaDataType of, cudaDataType of_real> struct Typed : Types<N_, T_> {
  static constexpr cudaDataType type = of, real = of_real;
};
using Single = Typed<float, float, CUDA_R_32F, CUDA_R_32F>;
using Double = Typed<double, double, CUDA_R_64F, CUDA_R_64F>;
using SingleComplex = Typed<std::complex<float>, cuComplex, CUDA_C_32F, CUDA_R_32F>;
using DoubleComplex = Typed<std::complex<double>, cuDoubleComplex, CUDA_C_64F, CUDA_R_64F>;

struct Work {
  size_t on_device = 0, on_host = 0;
  void* device = nullptr;
  std::vector<char> host{};
  void* get() {
    cudaMalloc(&device, on_device + 1);
    host.resize(on_host + 1);
    return device;
  }
  ~Work() { cudaFree(device); }
};

template <typename L> struct Tests {
  using N = typename L::N;
  using T = typename L::T;
  using R = Real<N>;
  using Array = Both<N, T>;
  static constexpr cudaDataType type = L::type, real = L::real;
  static constexpr int kTerms = 400;

  static Dense<N> random_dense(int m, int n, R diagonal = 0) {
    Dense<N> a{m, n, random_numbers<N>(long(m) * n)};
    for (int i = 0; i < std::min(m, n); ++i)
      a(i, i) += N(diagonal);
    return a;
  }
  static Dense<N> adjoint(const Dense<N>& a) { return op(a, CUBLAS_OP_C); }
  static Dense<N> identity(int n) {
    return dense<N>(n, n, [](int i, int j) { return N(R(i == j)); });
  }
  static Dense<N> got(const Array& array, int m, int n) { return {m, n, array.get()}; }
  static bool equal(const Dense<N>& a, const Dense<N>& b) { return is_close(a.values, b.values, kTerms); }
  static bool is_zero(const Both<int>& info) { return info.get() == std::vector<int>{0}; }
  static Dense<N> positive(int n) {
    const Dense<N> a = random_dense(n, n);
    Dense<N> result = product(a, adjoint(a));
    for (int i = 0; i < n; ++i)
      result(i, i) = N(std::real(result(i, i)) + R(n));
    return result;
  }

  static void cholesky() {
    const int n = random_int(1, 10), columns = random_int(1, 3);
    const auto fill = random_int(0, 1) ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER;
    const Dense<N> a = positive(n), x = random_dense(n, columns);
    const Array of_a(a.values), b(product(a, x).values);
    const Both<int> info({7});
    Work work;
    PASSES(cusolverDnXpotrf_bufferSize(handle, params, fill, n, type, of_a.device, n, type, &work.on_device, &work.on_host));
    work.get();
    PASSES(cusolverDnXpotrf(handle, params, fill, n, type, of_a.device, n, type, work.device, work.on_device,
                            work.host.data(), work.on_host, info.device));
    EXPECT(is_zero(info));
    PASSES(cusolverDnXpotrs(handle, params, fill, n, columns, type, of_a.device, n, type, b.device, n, info.device));
    EXPECT(is_zero(info) && equal(got(b, n, columns), x));
  }

  static void lu() {
    const int n = random_int(1, 10), columns = random_int(1, 3);
    const cublasOperation_t trans = cublasOperation_t(random_int(0, 2));
    const Dense<N> a = random_dense(n, n, 3), x = random_dense(n, columns);
    const Array of_a(a.values), b(product(op(a, trans), x).values);
    const Both<int64_t> pivots(std::vector<int64_t>(size_t(n), -7));
    const Both<int> info({7});
    Work work;
    PASSES(cusolverDnXgetrf_bufferSize(handle, params, n, n, type, of_a.device, n, type, &work.on_device, &work.on_host));
    work.get();
    PASSES(cusolverDnXgetrf(handle, params, n, n, type, of_a.device, n, pivots.device, type, work.device, work.on_device,
                            work.host.data(), work.on_host, info.device));
    EXPECT(is_zero(info));
    for (const int64_t pivot : pivots.get())
      EXPECT(pivot >= 1 && pivot <= n);
    PASSES(cusolverDnXgetrs(handle, params, trans, n, columns, type, of_a.device, n, pivots.device, type, b.device, n,
                            info.device));
    EXPECT(is_zero(info) && equal(got(b, n, columns), x));
  }

  static void qr() {
    const int n = random_int(1, 6), m = n + random_int(0, 4);
    const Dense<N> a = random_dense(m, n);
    const Array of_a(a.values), tau(std::vector<N>(static_cast<size_t>(n)));
    const Both<int> info({7});
    Work work;
    PASSES(cusolverDnXgeqrf_bufferSize(handle, params, m, n, type, of_a.device, m, type, tau.device, type, &work.on_device,
                                       &work.on_host));
    work.get();
    PASSES(cusolverDnXgeqrf(handle, params, m, n, type, of_a.device, m, type, tau.device, type, work.device, work.on_device,
                            work.host.data(), work.on_host, info.device));
    EXPECT(is_zero(info));
    const Dense<N> packed = got(of_a, m, n);
    const Dense<N> r = dense<N>(n, n, [&](int i, int j) { return i <= j ? packed(i, j) : N(0); });
    EXPECT(equal(product(adjoint(r), r), product(adjoint(a), a)));
  }

  static void values() {
    const int n = random_int(1, 8), m = n + random_int(0, 3);
    const Both<int> info({7});
    { // Eigenvalues
      const auto fill = random_int(0, 1) ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER;
      const Dense<N> a = positive(n);
      const Array of_a(a.values);
      const Both<R> w(std::vector<R>(static_cast<size_t>(n)));
      Work work;
      PASSES(cusolverDnXsyevd_bufferSize(handle, params, CUSOLVER_EIG_MODE_VECTOR, fill, n, type, of_a.device, n, real,
                                         w.device, type, &work.on_device, &work.on_host));
      work.get();
      PASSES(cusolverDnXsyevd(handle, params, CUSOLVER_EIG_MODE_VECTOR, fill, n, type, of_a.device, n, real, w.device, type,
                              work.device, work.on_device, work.host.data(), work.on_host, info.device));
      const Dense<N> vectors = got(of_a, n, n);
      const std::vector<R> of_w = w.get();
      EXPECT(is_zero(info) && equal(product(a, vectors), dense<N>(n, n, [&](int i, int j) {
                                      return vectors(i, j) * N(of_w[size_t(j)]);
                                    })));
    }
    const Dense<N> a = random_dense(m, n);
    const Array of_a(a.values), u(std::vector<N>(size_t(m) * n)), vt(std::vector<N>(size_t(n) * n));
    const Both<R> s(std::vector<R>(static_cast<size_t>(n)));
    Work work;
    PASSES(cusolverDnXgesvd_bufferSize(handle, params, 'S', 'S', m, n, type, of_a.device, m, real, s.device, type, u.device,
                                       m, type, vt.device, n, type, &work.on_device, &work.on_host));
    work.get();
    PASSES(cusolverDnXgesvd(handle, params, 'S', 'S', m, n, type, of_a.device, m, real, s.device, type, u.device, m, type,
                            vt.device, n, type, work.device, work.on_device, work.host.data(), work.on_host, info.device));
    const std::vector<R> of_s = s.get();
    const Dense<N> left = got(u, m, n);
    EXPECT(is_zero(info) && equal(product(dense<N>(m, n, [&](int i, int j) { return left(i, j) * N(of_s[size_t(j)]); }),
                                          got(vt, n, n)),
                                  a));
  }

  static void triangle() {
    const int n = random_int(1, 8);
    const bool unit = random_int(0, 1);
    const Dense<N> a = random_dense(n, n, 3);
    const Array of_a(a.values);
    const Both<int> info({7});
    Work work;
    const auto diagonal = unit ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT;
    PASSES(cusolverDnXtrtri_bufferSize(handle, CUBLAS_FILL_MODE_UPPER, diagonal, n, type, of_a.device, n, &work.on_device,
                                       &work.on_host));
    work.get();
    PASSES(cusolverDnXtrtri(handle, CUBLAS_FILL_MODE_UPPER, diagonal, n, type, of_a.device, n, work.device, work.on_device,
                            work.host.data(), work.on_host, info.device));
    const auto triangle_of = [&](const Dense<N>& all) {
      return dense<N>(n, n, [&](int i, int j) { return i > j ? N(0) : i == j && unit ? N(1) : all(i, j); });
    };
    EXPECT(is_zero(info) && equal(product(triangle_of(a), triangle_of(got(of_a, n, n))), identity(n)));
  }

  static void all() {
    for (int i = 0; i < 2 * repeats(); ++i)
      cholesky(), lu(), qr(), values(), triangle();
  }
};

template <typename L, typename System, typename SystemSize, typename Least, typename LeastSize>
static void refined(System system, SystemSize system_size, Least least, LeastSize least_size) {
  using Of = Tests<L>;
  using N = typename L::N;
  const int n = random_int(1, 8), m = n + random_int(0, 4), columns = random_int(1, 3);
  const Both<int> info({7}), pivots(std::vector<int>(static_cast<size_t>(n)));
  size_t size = 0;
  int iterations = -77;
  {
    const Dense<N> a = Of::random_dense(n, n, 4), x = Of::random_dense(n, columns);
    const typename Of::Array of_a(a.values), b(product(a, x).values), to(std::vector<N>(x.values.size()));
    PASSES(system_size(handle, n, columns, of_a.device, n, pivots.device, b.device, n, to.device, n, nullptr, &size));
    Both<char> work(std::vector<char>(size, 0));
    PASSES(system(handle, n, columns, of_a.device, n, pivots.device, b.device, n, to.device, n, work.device, size,
                  &iterations, info.device));
    EXPECT(Of::is_zero(info) && iterations >= 0 && Of::equal(Of::got(to, n, columns), x));
    EXPECT(of_a.get() == a.values && b.get() == b.host);
  }
  const Dense<N> a = Of::random_dense(m, n, 4), right = Of::random_dense(m, columns);
  const typename Of::Array of_a(a.values), b(right.values), to(std::vector<N>(size_t(n) * columns));
  PASSES(least_size(handle, m, n, columns, of_a.device, m, b.device, m, to.device, n, nullptr, &size));
  Both<char> work(std::vector<char>(size, 0));
  PASSES(least(handle, m, n, columns, of_a.device, m, b.device, m, to.device, n, work.device, size, &iterations,
               info.device));
  Dense<N> rest = product(a, Of::got(to, n, columns));
  for (size_t i = 0; i < rest.values.size(); ++i)
    rest.values[i] -= right.values[i];
  EXPECT(of_a.get() == a.values && b.get() == b.host && iterations >= 0);
  EXPECT(Of::is_zero(info) && is_close(product(Of::adjoint(a), rest).values, std::vector<N>(size_t(n) * columns), 400));
}

static void mistakes() {
  const Both<int> info({7});
  const Both<float> a({1, 0, 0, 1});
  const Both<char> work(std::vector<char>(1 << 20));
  std::vector<char> of_host(1 << 20);
  PASSES(cusolverDnSetAdvOptions(params, CUSOLVERDN_GETRF, CUSOLVER_ALG_0));
  EXPECT(cusolverDnXpotrf(handle, params, CUBLAS_FILL_MODE_LOWER, 2, CUDA_R_32F, a.device, 1, CUDA_R_32F, work.device,
                          1 << 20, of_host.data(), 1 << 20, info.device) == CUSOLVER_STATUS_INVALID_VALUE);
}

int main() {
  PASSES(cusolverDnCreate(&handle));
  PASSES(cusolverDnCreateParams(&params));
  Tests<Single>::all(), Tests<Double>::all(), Tests<SingleComplex>::all(), Tests<DoubleComplex>::all();
  for (int i = 0; i < repeats(); ++i) {
    refined<Single>(cusolverDnSSgesv, cusolverDnSSgesv_bufferSize, cusolverDnSSgels, cusolverDnSSgels_bufferSize);
    refined<Double>(cusolverDnDDgesv, cusolverDnDDgesv_bufferSize, cusolverDnDDgels, cusolverDnDDgels_bufferSize);
    refined<Double>(cusolverDnDSgesv, cusolverDnDSgesv_bufferSize, cusolverDnDSgels, cusolverDnDSgels_bufferSize);
    refined<SingleComplex>(cusolverDnCCgesv, cusolverDnCCgesv_bufferSize, cusolverDnCCgels, cusolverDnCCgels_bufferSize);
    refined<DoubleComplex>(cusolverDnZCgesv, cusolverDnZCgesv_bufferSize, cusolverDnZZgels, cusolverDnZZgels_bufferSize);
  }
  mistakes();
  PASSES(cusolverDnDestroyParams(params));
  PASSES(cusolverDnDestroy(handle));
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  return wrong;
}
