// Functions of cuBLAS against plain loops, for random sizes, increments and operations.
// Link: -lcublas
#include "dense.h"

static cublasHandle_t handle;

// The functions of a type: by their names without the letters.
#define COMMON(P)                                                                                  \
  static constexpr auto axpy = cublas##P##axpy;                                                    \
  static constexpr auto copy = cublas##P##copy;                                                    \
  static constexpr auto scal = cublas##P##scal;                                                    \
  static constexpr auto swap = cublas##P##swap;                                                    \
  static constexpr auto rot = cublas##P##rot;                                                      \
  static constexpr auto gemv = cublas##P##gemv;                                                    \
  static constexpr auto gbmv = cublas##P##gbmv;                                                    \
  static constexpr auto trmv = cublas##P##trmv;                                                    \
  static constexpr auto trsv = cublas##P##trsv;                                                    \
  static constexpr auto tbmv = cublas##P##tbmv;                                                    \
  static constexpr auto tbsv = cublas##P##tbsv;                                                    \
  static constexpr auto tpmv = cublas##P##tpmv;                                                    \
  static constexpr auto tpsv = cublas##P##tpsv;                                                    \
  static constexpr auto symv = cublas##P##symv;                                                    \
  static constexpr auto syr = cublas##P##syr;                                                      \
  static constexpr auto syr2 = cublas##P##syr2;                                                    \
  static constexpr auto gemm = cublas##P##gemm;                                                    \
  static constexpr auto gemmBatched = cublas##P##gemmBatched;                                      \
  static constexpr auto gemmStridedBatched = cublas##P##gemmStridedBatched;                        \
  static constexpr auto symm = cublas##P##symm;                                                    \
  static constexpr auto syrk = cublas##P##syrk;                                                    \
  static constexpr auto syr2k = cublas##P##syr2k;                                                  \
  static constexpr auto syrkx = cublas##P##syrkx;                                                  \
  static constexpr auto trmm = cublas##P##trmm;                                                    \
  static constexpr auto trsm = cublas##P##trsm;                                                    \
  static constexpr auto trsmBatched = cublas##P##trsmBatched;                                      \
  static constexpr auto geam = cublas##P##geam;                                                    \
  static constexpr auto dgmm = cublas##P##dgmm;                                                    \
  static constexpr auto getrfBatched = cublas##P##getrfBatched;                                    \
  static constexpr auto getriBatched = cublas##P##getriBatched;                                    \
  static constexpr auto getrsBatched = cublas##P##getrsBatched;
#define OF_REAL(P, p)                                                                              \
  COMMON(P)                                                                                        \
  static constexpr auto amax = cublasI##p##amax, amin = cublasI##p##amin;                          \
  static constexpr auto asum = cublas##P##asum, nrm2 = cublas##P##nrm2;                            \
  static constexpr auto dotu = cublas##P##dot, dotc = cublas##P##dot;                              \
  static constexpr auto geru = cublas##P##ger, gerc = cublas##P##ger;                              \
  static constexpr auto hbmv = cublas##P##sbmv;                                                    \
  static constexpr auto hpmv = cublas##P##spmv;                                                    \
  static constexpr auto hpr = cublas##P##spr;                                                      \
  static constexpr auto hpr2 = cublas##P##spr2;                                                    \
  static constexpr auto hemv = cublas##P##symv;                                                    \
  static constexpr auto her = cublas##P##syr;                                                      \
  static constexpr auto her2 = cublas##P##syr2;                                                    \
  static constexpr auto hemm = cublas##P##symm;                                                    \
  static constexpr auto herk = cublas##P##syrk;                                                    \
  static constexpr auto her2k = cublas##P##syr2k;                                                  \
  static constexpr auto herkx = cublas##P##syrkx;
#define OF_COMPLEX(P, p, sum)                                                                      \
  COMMON(P)                                                                                        \
  static constexpr auto amax = cublasI##p##amax, amin = cublasI##p##amin;                          \
  static constexpr auto asum = cublas##sum##asum, nrm2 = cublas##sum##nrm2;                        \
  static constexpr auto dotu = cublas##P##dotu, dotc = cublas##P##dotc;                            \
  static constexpr auto geru = cublas##P##geru, gerc = cublas##P##gerc;                            \
  static constexpr auto hbmv = cublas##P##hbmv;                                                    \
  static constexpr auto hpmv = cublas##P##hpmv;                                                    \
  static constexpr auto hpr = cublas##P##hpr;                                                      \
  static constexpr auto hpr2 = cublas##P##hpr2;                                                    \
  static constexpr auto hemv = cublas##P##hemv;                                                    \
  static constexpr auto her = cublas##P##her;                                                      \
  static constexpr auto her2 = cublas##P##her2;                                                    \
  static constexpr auto hemm = cublas##P##hemm;                                                    \
  static constexpr auto herk = cublas##P##herk;                                                    \
  static constexpr auto her2k = cublas##P##her2k;                                                  \
  static constexpr auto herkx = cublas##P##herkx;
struct Single : Types<float, float> {
  OF_REAL(S, s)
};
struct Double : Types<double, double> {
  OF_REAL(D, d)
};
struct SingleComplex : Types<std::complex<float>, cuComplex> {
  OF_COMPLEX(C, c, Sc)
};
struct DoubleComplex : Types<std::complex<double>, cuDoubleComplex> {
  OF_COMPLEX(Z, z, Dz)
};

#define PASSES(call) EXPECT((call) == CUBLAS_STATUS_SUCCESS)

static cublasOperation_t random_operation() {
  return static_cast<cublasOperation_t>(random_int(0, 2));
}
static cublasFillMode_t random_fill() {
  return random_int(0, 1) ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER;
}
static cublasDiagType_t random_diagonal() {
  return random_int(0, 1) ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT;
}
static int random_increment() {
  const int increments[] = {1, 2, 3, -1, -2};
  return increments[random_int(0, 4)];
}
static bool is_in(cublasFillMode_t fill, int i, int j) {
  return fill == CUBLAS_FILL_MODE_UPPER ? i <= j : i >= j;
}

template <typename Functions> struct Tests {
  using L = Functions;
  using N = typename L::N;
  using T = typename L::T;
  using R = Real<N>;
  using Array = Both<N, T>;
  static const T* cuda(const N& value) { return reinterpret_cast<const T*>(&value); }

  // A vector with gaps.
  struct Vector {
    int n, increment;
    Array array;
    explicit Vector(int count)
        : n(count), increment(random_increment()),
          array(random_numbers<N>(1 + long(std::max(0, count - 1)) * std::abs(increment))) {}
    size_t place(int i) const {
      return size_t(increment > 0 ? i * increment : (n - 1 - i) * -increment);
    }
    const N& operator[](int i) const { return array.host[place(i)]; }
    N& operator[](int i) { return array.host[place(i)]; }
    T* device() const { return array.device; }
    Dense<N> column() const {
      return dense<N>(n, 1, [&](int i, int) { return (*this)[i]; });
    }
    void add(const Dense<N>& values, N alpha, N beta) {
      for (int i = 0; i < n; ++i)
        (*this)[i] = alpha * values(i, 0) + (beta == N(0) ? N(0) : beta * (*this)[i]);
    }
    bool is_right(int terms) const { return is_close(array.get(), array.host, terms); }
  };
  // A matrix with a gap below each column.
  struct Matrix {
    int rows, columns, ld;
    Array array;
    Matrix(int m, int n)
        : rows(m), columns(n), ld(std::max(1, m) + random_int(0, 2)),
          array(random_numbers<N>(long(std::max(0, n - 1)) * ld + std::max(1, m))) {}
    N& operator()(int i, int j) { return array.host[size_t(j) * ld + i]; }
    const N& operator()(int i, int j) const { return array.host[size_t(j) * ld + i]; }
    T* device() const { return array.device; }
    Dense<N> plain() const {
      return dense<N>(rows, columns, [&](int i, int j) { return (*this)(i, j); });
    }
    template <typename Where> void add(const Dense<N>& values, N alpha, N beta, Where where) {
      for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j)
          if (where(i, j))
            (*this)(i, j) = alpha * values(i, j) + (beta == N(0) ? N(0) : beta * (*this)(i, j));
    }
    void add(const Dense<N>& values, N alpha, N beta) {
      add(values, alpha, beta, [](int, int) { return true; });
    }
    // For systems of equations.
    void make_dominant() {
      for (int i = 0; i < std::min(rows, columns); ++i)
        (*this)(i, i) = N(R(4 + rows));
      array.give();
    }
    bool is_right(int terms) const { return is_close(array.get(), array.host, terms); }
  };
  static Dense<N> triangle(const Matrix& a, cublasFillMode_t fill, cublasDiagType_t diagonal) {
    return dense<N>(a.rows, a.rows, [&](int i, int j) {
      return i == j && diagonal == CUBLAS_DIAG_UNIT ? N(1) : is_in(fill, i, j) ? a(i, j) : N(0);
    });
  }
  static Dense<N> mirrored(const Matrix& a, cublasFillMode_t fill, bool hermitian) {
    return dense<N>(a.rows, a.rows, [&](int i, int j) {
      if (hermitian && i == j)
        return N(std::real(a(i, i)));
      return is_in(fill, i, j) ? a(i, j) : hermitian ? conjugate(a(j, i)) : a(j, i);
    });
  }
  // The place of (i, j), which the triangle has, in packed storage.
  static size_t packed(cublasFillMode_t fill, int n, int i, int j) {
    return fill == CUBLAS_FILL_MODE_UPPER ? size_t(j) * (j + 1) / 2 + i
                                          : size_t(j) * (2 * n - j + 1) / 2 + (i - j);
  }

  static void vectors() {
    const int n = random_int(0, 40);
    Vector x(n), y(n);
    const N alpha = random_number<N>();
    PASSES(L::axpy(handle, n, cuda(alpha), x.device(), x.increment, y.device(), y.increment));
    y.add(x.column(), alpha, N(1));
    EXPECT(y.is_right(1));
    N dot{}, want_u{}, want_c{};
    PASSES(L::dotu(handle, n, x.device(), x.increment, y.device(), y.increment,
                   reinterpret_cast<T*>(&dot)));
    for (int i = 0; i < n; ++i) {
      want_u += x[i] * y[i];
      want_c += conjugate(x[i]) * y[i];
    }
    EXPECT(is_close<N>({dot}, {want_u}, n));
    PASSES(L::dotc(handle, n, x.device(), x.increment, y.device(), y.increment,
                   reinterpret_cast<T*>(&dot)));
    EXPECT(is_close<N>({dot}, {want_c}, n));
    PASSES(L::swap(handle, n, x.device(), x.increment, y.device(), y.increment));
    for (int i = 0; i < n; ++i)
      std::swap(x[i], y[i]);
    EXPECT(x.is_right(0) && y.is_right(0));
    const R c = R(0.6);
    const N s = kIsComplex<N> ? N(R(0.8)) * random_number<N>() : N(R(0.8));
    PASSES(L::rot(handle, n, x.device(), x.increment, y.device(), y.increment, &c, cuda(s)));
    for (int i = 0; i < n; ++i) {
      const N a = c * x[i] + s * y[i];
      y[i] = c * y[i] - conjugate(s) * x[i];
      x[i] = a;
    }
    EXPECT(x.is_right(2) && y.is_right(2));
    PASSES(L::copy(handle, n, x.device(), x.increment, y.device(), y.increment));
    for (int i = 0; i < n; ++i)
      y[i] = x[i];
    EXPECT(y.is_right(2));
    // Those below have no order backwards.
    Vector z(n);
    z.increment = std::abs(z.increment);
    PASSES(L::scal(handle, n, cuda(alpha), z.device(), z.increment));
    R sum = 0, squares = 0;
    int most = 0, least = 0;
    const auto size = [&](int i) { return std::abs(std::real(z[i])) + std::abs(std::imag(z[i])); };
    for (int i = 0; i < n; ++i) {
      z[i] *= alpha;
      sum += size(i);
      squares += std::norm(z[i]);
    }
    EXPECT(z.is_right(1));
    z.array.give();
    for (int i = 0; i < n; ++i) {
      most = size(i) > size(most) ? i : most;
      least = size(i) < size(least) ? i : least;
    }
    R got_sum = -1, got_norm = -1;
    int got_most = -1, got_least = -1;
    PASSES(L::asum(handle, n, z.device(), z.increment, &got_sum));
    PASSES(L::nrm2(handle, n, z.device(), z.increment, &got_norm));
    PASSES(L::amax(handle, n, z.device(), z.increment, &got_most));
    PASSES(L::amin(handle, n, z.device(), z.increment, &got_least));
    EXPECT(is_close<R>({got_sum, got_norm}, {sum, std::sqrt(squares)}, n));
    EXPECT(got_most == (n ? most + 1 : 0) && got_least == (n ? least + 1 : 0));
  }

  static void matrix_and_vector() {
    const int m = random_int(0, 20), n = random_int(0, 20);
    const cublasOperation_t trans = random_operation();
    const N alpha = random_number<N>(), beta = random_int(0, 2) ? random_number<N>() : N(0);
    Matrix a(m, n);
    const bool plain = trans == CUBLAS_OP_N;
    Vector x(plain ? n : m), y(plain ? m : n);
    PASSES(L::gemv(handle, trans, m, n, cuda(alpha), a.device(), a.ld, x.device(), x.increment,
                   cuda(beta), y.device(), y.increment));
    if (m > 0 && n > 0)
      y.add(product(op(a.plain(), trans), x.column()), alpha, beta);
    EXPECT(y.is_right(m + n));
    if (m == 0 || n == 0)
      return;
    // A band: element (i, j) is in row ku + i - j.
    const int kl = random_int(0, m - 1), ku = random_int(0, n - 1);
    Matrix band(kl + ku + 1, n);
    const Dense<N> of_band = dense<N>(m, n, [&](int i, int j) {
      return i - j <= kl && j - i <= ku ? band(ku + i - j, j) : N(0);
    });
    PASSES(L::gbmv(handle, trans, m, n, kl, ku, cuda(alpha), band.device(), band.ld, x.device(),
                   x.increment, cuda(beta), y.device(), y.increment));
    y.add(product(op(of_band, trans), x.column()), alpha, beta);
    EXPECT(y.is_right(m + n));
    Vector u(m), v(n);
    PASSES(L::geru(handle, m, n, cuda(alpha), u.device(), u.increment, v.device(), v.increment,
                   a.device(), a.ld));
    a.add(product(u.column(), op(v.column(), CUBLAS_OP_T)), alpha, N(1));
    PASSES(L::gerc(handle, m, n, cuda(alpha), u.device(), u.increment, v.device(), v.increment,
                   a.device(), a.ld));
    a.add(product(u.column(), op(v.column(), CUBLAS_OP_C)), alpha, N(1));
    EXPECT(a.is_right(4));
  }

  static void triangles() {
    const int n = random_int(1, 16);
    const cublasFillMode_t fill = random_fill();
    const cublasOperation_t trans = random_operation();
    const cublasDiagType_t diagonal = random_diagonal();
    Matrix a(n, n);
    for (N& value : a.array.host) // a good condition
      value *= R(0.25);
    a.make_dominant();
    Vector x(n);
    const auto multiply = [&](const Dense<N>& matrix) {
      x.add(product(op(matrix, trans), x.column()), N(1), N(0));
      x.array.give();
    };
    // Multiplying and solving gives what was there.
    const auto solves = [&](cublasStatus_t status, const std::vector<N>& before) {
      x.array.host = before;
      return status == CUBLAS_STATUS_SUCCESS && x.is_right(200);
    };
    std::vector<N> before = x.array.host;
    PASSES(L::trmv(handle, fill, trans, diagonal, n, a.device(), a.ld, x.device(), x.increment));
    x.add(product(op(triangle(a, fill, diagonal), trans), x.column()), N(1), N(0));
    EXPECT(x.is_right(4 * n));
    EXPECT(
        solves(L::trsv(handle, fill, trans, diagonal, n, a.device(), a.ld, x.device(), x.increment),
               before));
    // Packed
    std::vector<N> values(size_t(n) * (n + 1) / 2);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        if (is_in(fill, i, j))
          values[packed(fill, n, i, j)] = a(i, j);
    const Array ap(values);
    x.array.give();
    PASSES(L::tpmv(handle, fill, trans, diagonal, n, ap.device, x.device(), x.increment));
    x.add(product(op(triangle(a, fill, diagonal), trans), x.column()), N(1), N(0));
    EXPECT(x.is_right(4 * n));
    EXPECT(solves(L::tpsv(handle, fill, trans, diagonal, n, ap.device, x.device(), x.increment),
                  before));
    // A band
    const int k = random_int(0, n - 1);
    Matrix band(k + 1, n);
    const bool upper = fill == CUBLAS_FILL_MODE_UPPER;
    const Dense<N> of_band = dense<N>(n, n, [&](int i, int j) {
      return is_in(fill, i, j) && std::abs(i - j) <= k ? a(i, j) : N(0);
    });
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i)
        if (is_in(fill, i, j) && std::abs(i - j) <= k)
          band(upper ? k + i - j : i - j, j) = a(i, j);
    band.array.give();
    x.array.give();
    Matrix whole(n, n);
    whole.add(of_band, N(1), N(0));
    PASSES(L::tbmv(handle, fill, trans, diagonal, n, k, band.device(), band.ld, x.device(),
                   x.increment));
    x.add(product(op(triangle(whole, fill, diagonal), trans), x.column()), N(1), N(0));
    EXPECT(x.is_right(4 * n));
    EXPECT(solves(L::tbsv(handle, fill, trans, diagonal, n, k, band.device(), band.ld, x.device(),
                          x.increment),
                  before));
  }

  static void symmetric_and_vector() {
    const int n = random_int(1, 16), k = random_int(0, n - 1);
    const cublasFillMode_t fill = random_fill();
    const N alpha = random_number<N>(), beta = random_number<N>();
    const R real = random_number<R>();
    Matrix a(n, n);
    Vector x(n), y(n);
    PASSES(L::symv(handle, fill, n, cuda(alpha), a.device(), a.ld, x.device(), x.increment,
                   cuda(beta), y.device(), y.increment));
    y.add(product(mirrored(a, fill, false), x.column()), alpha, beta);
    PASSES(L::hemv(handle, fill, n, cuda(alpha), a.device(), a.ld, x.device(), x.increment,
                   cuda(beta), y.device(), y.increment));
    y.add(product(mirrored(a, fill, true), x.column()), alpha, beta);
    EXPECT(y.is_right(2 * n));
    std::vector<N> values(size_t(n) * (n + 1) / 2);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        if (is_in(fill, i, j))
          values[packed(fill, n, i, j)] = i == j ? N(std::real(a(i, j))) : a(i, j);
    Array ap(values);
    PASSES(L::hpmv(handle, fill, n, cuda(alpha), ap.device, x.device(), x.increment, cuda(beta),
                   y.device(), y.increment));
    y.add(product(mirrored(a, fill, true), x.column()), alpha, beta);
    Matrix band(k + 1, n), whole(n, n);
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) {
        const bool is_there = is_in(fill, i, j) && std::abs(i - j) <= k;
        whole(i, j) = is_there ? a(i, j) : N(0);
        if (is_there)
          band(fill == CUBLAS_FILL_MODE_UPPER ? k + i - j : i - j, j) = a(i, j);
      }
    band.array.give();
    PASSES(L::hbmv(handle, fill, n, k, cuda(alpha), band.device(), band.ld, x.device(), x.increment,
                   cuda(beta), y.device(), y.increment));
    y.add(product(mirrored(whole, fill, true), x.column()), alpha, beta);
    EXPECT(y.is_right(3 * n));
    y.array.give();
    // Products of vectors
    const auto where = [&](int i, int j) { return is_in(fill, i, j); };
    Matrix s(n, n), h(n, n);
    for (int i = 0; i < n; ++i)
      h(i, i) = std::real(h(i, i));
    h.array.give();
    const Dense<N> xs = x.column(), ys = y.column();
    const auto both = [&](cublasOperation_t operation, N factor) {
      Dense<N> sum = product(xs, op(ys, operation));
      const Dense<N> other = product(ys, op(xs, operation));
      const N of_other = operation == CUBLAS_OP_C ? conjugate(factor) : factor;
      for (size_t i = 0; i < sum.values.size(); ++i)
        sum.values[i] = factor * sum.values[i] + of_other * other.values[i];
      return sum;
    };
    PASSES(L::syr(handle, fill, n, cuda(alpha), x.device(), x.increment, s.device(), s.ld));
    s.add(product(xs, op(xs, CUBLAS_OP_T)), alpha, N(1), where);
    PASSES(L::syr2(handle, fill, n, cuda(alpha), x.device(), x.increment, y.device(), y.increment,
                   s.device(), s.ld));
    s.add(both(CUBLAS_OP_T, alpha), N(1), N(1), where);
    EXPECT(s.is_right(4));
    PASSES(L::her(handle, fill, n, &real, x.device(), x.increment, h.device(), h.ld));
    h.add(product(xs, op(xs, CUBLAS_OP_C)), N(real), N(1), where);
    PASSES(L::her2(handle, fill, n, cuda(alpha), x.device(), x.increment, y.device(), y.increment,
                   h.device(), h.ld));
    h.add(both(CUBLAS_OP_C, alpha), N(1), N(1), where);
    EXPECT(h.is_right(4));
    Dense<N> of_packed = mirrored(a, fill, true);
    PASSES(L::hpr(handle, fill, n, &real, x.device(), x.increment, ap.device));
    PASSES(L::hpr2(handle, fill, n, cuda(alpha), x.device(), x.increment, y.device(), y.increment,
                   ap.device));
    const Dense<N> once = product(xs, op(xs, CUBLAS_OP_C)), twice = both(CUBLAS_OP_C, alpha);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        if (where(i, j))
          ap.host[packed(fill, n, i, j)] = of_packed(i, j) + real * once(i, j) + twice(i, j);
    EXPECT(is_close(ap.get(), ap.host, 6));
  }

  static void products() {
    const int m = random_int(0, 24), n = random_int(0, 24), k = random_int(0, 24);
    const cublasOperation_t ta = random_operation(), tb = random_operation();
    const N alpha = random_number<N>(), beta = random_int(0, 2) ? random_number<N>() : N(0);
    Matrix a(ta ? k : m, ta ? m : k), b(tb ? n : k, tb ? k : n), c(m, n);
    if (beta == N(0)) // it is not read
      for (int i = 0; i < m && i < n; ++i)
        c(i, i) = N(R(NAN));
    c.array.give();
    PASSES(L::gemm(handle, ta, tb, m, n, k, cuda(alpha), a.device(), a.ld, b.device(), b.ld,
                   cuda(beta), c.device(), c.ld));
    if (m > 0 && n > 0)
      c.add(product(op(a.plain(), ta), op(b.plain(), tb)), alpha, beta);
    EXPECT(c.is_right(k));
    // The same with factors on the device.
    const Array factors({alpha, beta});
    PASSES(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
    PASSES(L::gemm(handle, ta, tb, m, n, k, factors.device, a.device(), a.ld, b.device(), b.ld,
                   factors.device + 1, c.device(), c.ld));
    PASSES(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
    if (m > 0 && n > 0)
      c.add(product(op(a.plain(), ta), op(b.plain(), tb)), alpha, beta);
    EXPECT(c.is_right(2 * k));
  }

  static void batches() {
    const int m = random_int(1, 9), n = random_int(1, 9), k = random_int(1, 9),
              count = random_int(1, 4);
    const N alpha = random_number<N>(), beta = random_number<N>();
    Array a(random_numbers<N>(long(m) * k * count)), b(random_numbers<N>(long(k) * n * count)),
        c(random_numbers<N>(long(m) * n * count));
    std::vector<T*> of_a, of_b, of_c;
    for (int i = 0; i < count; ++i) {
      of_a.push_back(a.device + long(m) * k * i);
      of_b.push_back(b.device + long(k) * n * i);
      of_c.push_back(c.device + long(m) * n * i);
    }
    const Both<T*> as(of_a), bs(of_b), cs(of_c);
    for (int turn = 0; turn < 2; ++turn) {
      if (turn == 0)
        PASSES(L::gemmBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, cuda(alpha), as.device, m,
                              bs.device, k, cuda(beta), cs.device, m, count));
      else
        PASSES(L::gemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, cuda(alpha),
                                     a.device, m, long(m) * k, b.device, k, long(k) * n, cuda(beta),
                                     c.device, m, long(m) * n, count));
      for (int q = 0; q < count; ++q)
        for (int i = 0; i < m; ++i)
          for (int j = 0; j < n; ++j) {
            N sum{};
            for (int l = 0; l < k; ++l)
              sum += a.host[size_t(m) * k * q + size_t(l) * m + i] *
                     b.host[size_t(k) * n * q + size_t(j) * k + l];
            N& result = c.host[size_t(m) * n * q + size_t(j) * m + i];
            result = alpha * sum + beta * result;
          }
      EXPECT(is_close(c.get(), c.host, 2 * k));
    }
    // Systems of equations: LU, with and without pivoting.
    for (const bool pivoting : {true, false}) {
      Array lu(random_numbers<N>(long(n) * n * count)), x(random_numbers<N>(long(n) * 2 * count)),
          inverse(std::vector<N>(size_t(n) * n * count));
      std::vector<T*> of_lu, of_x, of_inverse;
      for (int q = 0; q < count; ++q) {
        for (int i = 0; i < n; ++i) // the second row has the largest elements of the first column
          lu.host[size_t(n) * n * q + size_t(i) * n + (pivoting ? (i + 1) % n : i)] += N(R(5));
        of_lu.push_back(lu.device + long(n) * n * q);
        of_x.push_back(x.device + long(n) * 2 * q);
        of_inverse.push_back(inverse.device + long(n) * n * q);
      }
      lu.give();
      const Both<T*> lus(of_lu), xs(of_x), inverses(of_inverse);
      const Both<int> pivots(std::vector<int>(size_t(n) * count)),
          info(std::vector<int>(size_t(count), 7));
      int* const used = pivoting ? pivots.device : nullptr;
      const cublasOperation_t trans = random_operation();
      int status = 7;
      PASSES(L::getrfBatched(handle, n, lus.device, n, used, info.device, count));
      EXPECT(info.get() == std::vector<int>(size_t(count), 0));
      PASSES(
          L::getriBatched(handle, n, lus.device, n, used, inverses.device, n, info.device, count));
      PASSES(
          L::getrsBatched(handle, trans, n, 2, lus.device, n, used, xs.device, n, &status, count));
      EXPECT(status == 0);
      const std::vector<N> got = x.get(), inverted = inverse.get();
      for (int q = 0; q < count; ++q) {
        const Dense<N> matrix = dense<N>(
            n, n, [&](int i, int j) { return lu.host[size_t(n) * n * q + size_t(j) * n + i]; });
        const Dense<N> solution = dense<N>(
            n, 2, [&](int i, int j) { return got[size_t(n) * 2 * q + size_t(j) * n + i]; });
        const Dense<N> of_inverse = dense<N>(
            n, n, [&](int i, int j) { return inverted[size_t(n) * n * q + size_t(j) * n + i]; });
        const Dense<N> want = dense<N>(
            n, 2, [&](int i, int j) { return x.host[size_t(n) * 2 * q + size_t(j) * n + i]; });
        EXPECT(is_close(product(op(matrix, trans), solution).values, want.values, 50));
        EXPECT(is_close(product(matrix, of_inverse).values,
                        dense<N>(n, n, [](int i, int j) { return N(R(i == j)); }).values, 50));
      }
    }
  }

  static void structured() {
    const int m = random_int(1, 16), n = random_int(1, 16), k = random_int(1, 16);
    const cublasSideMode_t side = random_int(0, 1) ? CUBLAS_SIDE_LEFT : CUBLAS_SIDE_RIGHT;
    const bool left = side == CUBLAS_SIDE_LEFT;
    const cublasFillMode_t fill = random_fill();
    const cublasOperation_t trans = random_operation();
    const cublasDiagType_t diagonal = random_diagonal();
    const N alpha = random_number<N>(), beta = random_number<N>();
    const R real_alpha = random_number<R>(), real_beta = random_number<R>();
    const int order = left ? m : n;
    Matrix a(order, order), b(m, n), c(m, n);
    const auto times = [&](const Dense<N>& matrix) {
      return left ? product(matrix, b.plain()) : product(b.plain(), matrix);
    };
    PASSES(L::symm(handle, side, fill, m, n, cuda(alpha), a.device(), a.ld, b.device(), b.ld,
                   cuda(beta), c.device(), c.ld));
    c.add(times(mirrored(a, fill, false)), alpha, beta);
    PASSES(L::hemm(handle, side, fill, m, n, cuda(alpha), a.device(), a.ld, b.device(), b.ld,
                   cuda(beta), c.device(), c.ld));
    c.add(times(mirrored(a, fill, true)), alpha, beta);
    EXPECT(c.is_right(2 * order));
    PASSES(L::trmm(handle, side, fill, trans, diagonal, m, n, cuda(alpha), a.device(), a.ld,
                   b.device(), b.ld, c.device(), c.ld));
    c.add(times(op(triangle(a, fill, diagonal), trans)), alpha, N(0));
    EXPECT(c.is_right(order));
    for (N& value : a.array.host)
      value *= R(0.25);
    a.make_dominant();
    std::vector<N> before = b.array.host;
    b.add(times(op(triangle(a, fill, diagonal), trans)), N(1), N(0));
    b.array.give();
    T* const pointers[] = {a.device(), b.device()};
    const Both<T*> as({pointers[0]}), bs({pointers[1]});
    if (random_int(0, 1))
      PASSES(L::trsm(handle, side, fill, trans, diagonal, m, n, cuda(alpha), a.device(), a.ld,
                     b.device(), b.ld));
    else
      PASSES(L::trsmBatched(handle, side, fill, trans, diagonal, m, n, cuda(alpha), as.device, a.ld,
                            bs.device, b.ld, 1));
    b.array.host = before;
    b.add(b.plain(), alpha, N(0));
    EXPECT(b.is_right(200));

    // Products that are symmetric
    const cublasOperation_t s = random_int(0, 1) ? CUBLAS_OP_N : CUBLAS_OP_T,
                            h = random_int(0, 1) ? CUBLAS_OP_N : CUBLAS_OP_C;
    const auto where = [&](int i, int j) { return is_in(fill, i, j); };
    const auto square = [&](const Matrix& one, const Matrix& other, cublasOperation_t operation,
                            cublasOperation_t transposing) {
      return operation == CUBLAS_OP_N ? product(one.plain(), op(other.plain(), transposing))
                                      : product(op(one.plain(), transposing), other.plain());
    };
    Matrix of_s(s ? k : n, s ? n : k), other_s(s ? k : n, s ? n : k), cs(n, n);
    PASSES(L::syrk(handle, fill, s, n, k, cuda(alpha), of_s.device(), of_s.ld, cuda(beta),
                   cs.device(), cs.ld));
    cs.add(square(of_s, of_s, s, CUBLAS_OP_T), alpha, beta, where);
    PASSES(L::syr2k(handle, fill, s, n, k, cuda(alpha), of_s.device(), of_s.ld, other_s.device(),
                    other_s.ld, cuda(beta), cs.device(), cs.ld));
    cs.add(square(of_s, other_s, s, CUBLAS_OP_T), alpha, beta, where);
    cs.add(square(other_s, of_s, s, CUBLAS_OP_T), alpha, N(1), where);
    PASSES(L::syrkx(handle, fill, s, n, k, cuda(alpha), of_s.device(), of_s.ld, of_s.device(),
                    of_s.ld, cuda(beta), cs.device(), cs.ld));
    cs.add(square(of_s, of_s, s, CUBLAS_OP_T), alpha, beta, where);
    EXPECT(cs.is_right(4 * k));
    Matrix of_h(h ? k : n, h ? n : k), other_h(h ? k : n, h ? n : k), ch(n, n);
    for (int i = 0; i < n; ++i)
      ch(i, i) = std::real(ch(i, i));
    ch.array.give();
    PASSES(L::herk(handle, fill, h, n, k, &real_alpha, of_h.device(), of_h.ld, &real_beta,
                   ch.device(), ch.ld));
    ch.add(square(of_h, of_h, h, CUBLAS_OP_C), N(real_alpha), N(real_beta), where);
    PASSES(L::her2k(handle, fill, h, n, k, cuda(alpha), of_h.device(), of_h.ld, other_h.device(),
                    other_h.ld, &real_beta, ch.device(), ch.ld));
    ch.add(square(of_h, other_h, h, CUBLAS_OP_C), alpha, N(real_beta), where);
    ch.add(square(other_h, of_h, h, CUBLAS_OP_C), conjugate(alpha), N(1), where);
    const N real_factor = N(real_alpha);
    PASSES(L::herkx(handle, fill, h, n, k, cuda(real_factor), of_h.device(), of_h.ld, of_h.device(),
                    of_h.ld, &real_beta, ch.device(), ch.ld));
    ch.add(square(of_h, of_h, h, CUBLAS_OP_C), real_factor, N(real_beta), where);
    EXPECT(ch.is_right(4 * k));

    // Sums, and products with a diagonal matrix
    const cublasOperation_t ta = random_operation(), tb = random_operation();
    Matrix ga(ta ? n : m, ta ? m : n), gb(tb ? n : m, tb ? m : n);
    PASSES(L::geam(handle, ta, tb, m, n, cuda(alpha), ga.device(), ga.ld, cuda(beta), gb.device(),
                   gb.ld, c.device(), c.ld));
    c.add(op(ga.plain(), ta), alpha, N(0));
    c.add(op(gb.plain(), tb), beta, N(1));
    EXPECT(c.is_right(2));
    Vector x(order);
    PASSES(
        L::dgmm(handle, side, m, n, b.device(), b.ld, x.device(), x.increment, c.device(), c.ld));
    b.array.host = b.array.get();
    c.add(dense<N>(m, n, [&](int i, int j) { return b(i, j) * x[left ? i : j]; }), N(1), N(0));
    EXPECT(c.is_right(2));
  }

  static void all() {
    for (int i = 0; i < repeats(); ++i) {
      vectors();
      matrix_and_vector();
      triangles();
      symmetric_and_vector();
      products();
      batches();
      structured();
    }
  }
};

// A product that is part of a graph, and one that comes after a copy in its stream.
static void streams() {
  const float one = 1, zero = 0, first[] = {1, 2, 3, 4}, second[] = {5, 6, 7, 8};
  Both<float> a({first, first + 4}), b({second, second + 4}), c(std::vector<float>(4));
  cudaStream_t stream = nullptr, got = nullptr;
  cudaStreamCreate(&stream);
  PASSES(cublasSetStream(handle, stream));
  PASSES(cublasGetStream(handle, &got));
  EXPECT(got == stream);
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
  PASSES(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, a.device, 2, b.device, 2,
                     &zero, c.device, 2));
  cudaStreamEndCapture(stream, &graph);
  EXPECT(c.get()[0] == 0);
  EXPECT(cudaGraphInstantiate(&exec, graph, 0) == cudaSuccess);
  cudaGraphLaunch(exec, stream);
  cudaStreamSynchronize(stream);
  EXPECT(c.get() == (std::vector<float>{23, 34, 31, 46}));
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  PASSES(cublasSetStream(handle, nullptr));
  cudaStreamDestroy(stream);
}

static void mixed() {
  for (int turn = 0; turn < repeats(); ++turn) {
    const int m = 4 * random_int(1, 4), n = 4 * random_int(1, 4), k = 4 * random_int(1, 6);
    std::vector<signed char> a8(size_t(m) * k), b8(size_t(k) * n);
    for (auto& value : a8)
      value = static_cast<signed char>(random_int(-128, 127));
    for (auto& value : b8)
      value = static_cast<signed char>(random_int(-128, 127));
    const Both<signed char> a(a8), b(b8);
    const Both<int> c(std::vector<int>(size_t(m) * n, 1));
    const int one = 1, two = 2;
    PASSES(cublasGemmEx(handle, CUBLAS_OP_T, CUBLAS_OP_N, m, n, k, &one, a.device, CUDA_R_8I, k,
                        b.device, CUDA_R_8I, k, &two, c.device, CUDA_R_32I, m, CUBLAS_COMPUTE_32I,
                        CUBLAS_GEMM_DEFAULT));
    const std::vector<int> got = c.get();
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j) {
        int sum = 2;
        for (int l = 0; l < k; ++l)
          sum += a8[size_t(i) * k + l] * b8[size_t(j) * k + l];
        EXPECT(got[size_t(j) * m + i] == sum);
      }
    // Small whole numbers are exact in half precision and in bfloat16.
    std::vector<__half> ah(size_t(m) * k), bh(size_t(k) * n);
    std::vector<__nv_bfloat16> ab(ah.size()), bb(bh.size());
    for (size_t i = 0; i < ah.size(); ++i)
      ab[i] = __float2bfloat16(float(a8[i] % 3)), ah[i] = __float2half(float(a8[i] % 3));
    for (size_t i = 0; i < bh.size(); ++i)
      bb[i] = __float2bfloat16(float(b8[i] % 3)), bh[i] = __float2half(float(b8[i] % 3));
    const Both<__half> half_a(ah), half_b(bh),
        half_c(std::vector<__half>(size_t(m) * n, __float2half(1)));
    const Both<__nv_bfloat16> brain_a(ab), brain_b(bb);
    const Both<float> float_c(std::vector<float>(size_t(m) * n, 1));
    const float onef = 1, twof = 2;
    const __half oneh = __float2half(1), twoh = __float2half(2);
    PASSES(cublasHgemm(handle, CUBLAS_OP_T, CUBLAS_OP_N, m, n, k, &oneh, half_a.device, k,
                       half_b.device, k, &twoh, half_c.device, m));
    PASSES(cublasGemmStridedBatchedEx(handle, CUBLAS_OP_T, CUBLAS_OP_N, m, n, k, &onef,
                                      brain_a.device, CUDA_R_16BF, k, 0, brain_b.device,
                                      CUDA_R_16BF, k, 0, &twof, float_c.device, CUDA_R_32F, m, 0, 1,
                                      CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
    const auto halves = half_c.get();
    const auto floats = float_c.get();
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j) {
        int sum = 2;
        for (int l = 0; l < k; ++l)
          sum += a8[size_t(i) * k + l] % 3 * (b8[size_t(j) * k + l] % 3);
        EXPECT(__half2float(halves[size_t(j) * m + i]) == float(sum));
        EXPECT(floats[size_t(j) * m + i] == float(sum));
      }
  }
}

// Vectors whose types are parameters. Small whole numbers are exact in all types.
template <typename N> static N number_of(int value) {
  if constexpr (std::is_same_v<N, __half>)
    return __float2half(float(value));
  else if constexpr (std::is_same_v<N, __nv_bfloat16>)
    return __float2bfloat16(float(value));
  else
    return N(value);
}
template <typename N, typename F>
static void typed_vectors(cudaDataType type, cudaDataType compute) {
  const int n = random_int(1, 12), step = random_int(1, 2), back = random_int(0, 1) ? -1 : 1;
  std::vector<int> x, y;
  std::vector<N> of_x, of_y;
  for (int i = 0; i < n * step; ++i) {
    x.push_back(random_int(-3, 3));
    of_x.push_back(number_of<N>(x.back()));
  }
  for (int i = 0; i < n; ++i) {
    y.push_back(random_int(-3, 3));
    of_y.push_back(number_of<N>(y.back()));
  }
  const Both<N> a(of_x), b(of_y);
  const F alpha = 2;
  N dot{};
  PASSES(cublasDotEx(handle, n, a.device, type, step, b.device, type, back, &dot, type, compute));
  PASSES(cublasAxpyEx(handle, n, &alpha, compute, a.device, type, step, b.device, type, back,
                      compute));
  PASSES(cublasScalEx(handle, n, &alpha, compute, a.device, type, step, compute));
  int want = 0;
  const std::vector<N> sums = b.get(), products = a.get();
  for (int i = 0; i < n; ++i) {
    const int of_i = y[size_t(back > 0 ? i : n - 1 - i)];
    want += x[size_t(i) * step] * of_i;
    EXPECT(float(sums[size_t(back > 0 ? i : n - 1 - i)]) == float(2 * x[size_t(i) * step] + of_i));
    EXPECT(float(products[size_t(i) * step]) == float(2 * x[size_t(i) * step]));
  }
  EXPECT(float(dot) == float(want));
  // The length of (3, 4), on the device.
  const Both<N> two(std::vector<N>{number_of<N>(3), number_of<N>(4)}), length(std::vector<N>(1));
  PASSES(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
  PASSES(cublasNrm2Ex(handle, 2, two.device, type, 1, length.device, type, compute));
  PASSES(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
  EXPECT(float(length.get()[0]) == 5);
}

static void mistakes() {
  {
    float x = 0;
    const Both<float> vector(std::vector<float>(2, 1));
    EXPECT(cublasDotEx(handle, 2, vector.device, CUDA_R_32F, 1, vector.device, CUDA_R_64F, 1, &x,
                       CUDA_R_32F, CUDA_R_32F) == CUBLAS_STATUS_NOT_SUPPORTED);
    EXPECT(cublasScalEx(handle, 2, nullptr, CUDA_R_32F, vector.device, CUDA_R_32F, 1, CUDA_R_32F) ==
           CUBLAS_STATUS_INVALID_VALUE);
  }
  const float one = 1;
  float result = 0;
  Both<float> a(std::vector<float>(16));
  EXPECT(cublasSdot(nullptr, 1, a.device, 1, a.device, 1, &result) ==
         CUBLAS_STATUS_NOT_INITIALIZED);
  EXPECT(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one, a.device, 3, a.device, 4,
                     &one, a.device, 4) == CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, -1, 4, 4, &one, a.device, 4, a.device, 4,
                     &one, a.device, 4) == CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(cublasCreate(nullptr) == CUBLAS_STATUS_INVALID_VALUE ||
         cublasCreate(nullptr) == CUBLAS_STATUS_NOT_INITIALIZED);
  EXPECT(cublasDestroy(nullptr) == CUBLAS_STATUS_NOT_INITIALIZED);
}

static void copies() {
  std::vector<double> from = random_numbers<double>(24), to(24, 0);
  double* device = nullptr;
  cudaMalloc(reinterpret_cast<void**>(&device), 24 * sizeof(double));
  PASSES(cublasSetMatrix(3, 4, sizeof(double), from.data(), 6, device, 5));
  PASSES(cublasGetMatrix(3, 4, sizeof(double), device, 5, to.data(), 4));
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 4; ++j)
      EXPECT(to[size_t(j) * 4 + i] == from[size_t(j) * 6 + i]);
  PASSES(cublasSetVector(5, sizeof(double), from.data(), 4, device, 2));
  PASSES(cublasGetVector(5, sizeof(double), device, 2, to.data(), 1));
  for (int i = 0; i < 5; ++i)
    EXPECT(to[size_t(i)] == from[size_t(i) * 4]);
  EXPECT(cublasSetVector(5, 0, from.data(), 1, device, 1) == CUBLAS_STATUS_INVALID_VALUE);
  cudaFree(device);
}

int main() {
  PASSES(cublasCreate(&handle));
  int version = 0;
  PASSES(cublasGetVersion(handle, &version));
  EXPECT(version >= 11000);
  Tests<Single>::all();
  Tests<Double>::all();
  Tests<SingleComplex>::all();
  Tests<DoubleComplex>::all();
  streams();
  mixed();
  typed_vectors<float, float>(CUDA_R_32F, CUDA_R_32F);
  typed_vectors<double, double>(CUDA_R_64F, CUDA_R_64F);
  typed_vectors<__half, float>(CUDA_R_16F, CUDA_R_32F);
  typed_vectors<__nv_bfloat16, float>(CUDA_R_16BF, CUDA_R_32F);
  mistakes();
  copies();
  PASSES(cublasDestroy(handle));
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  std::printf("%d wrong\n", wrong);
  return wrong;
}
