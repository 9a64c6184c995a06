// cuFFT against sums by definition: one to three dimensions, batches, strides, in place and not.
// Link: -lcufft -lcufftw
#include <cufft.h>
#include <cufftw.h>

#include "numbers.h"

#define PASSES(call) EXPECT((call) == CUFFT_SUCCESS)

template <typename R> struct Functions;
template <> struct Functions<float> {
  using Complex = cufftComplex;
  static constexpr cufftType c2c = CUFFT_C2C, r2c = CUFFT_R2C, c2r = CUFFT_C2R;
  static cufftResult exec(cufftHandle p, Complex* in, Complex* out, int d) { return cufftExecC2C(p, in, out, d); }
  static cufftResult exec(cufftHandle p, float* in, Complex* out) { return cufftExecR2C(p, in, out); }
  static cufftResult exec(cufftHandle p, Complex* in, float* out) { return cufftExecC2R(p, in, out); }
};
template <> struct Functions<double> {
  using Complex = cufftDoubleComplex;
  static constexpr cufftType c2c = CUFFT_Z2Z, r2c = CUFFT_D2Z, c2r = CUFFT_Z2D;
  static cufftResult exec(cufftHandle p, Complex* in, Complex* out, int d) { return cufftExecZ2Z(p, in, out, d); }
  static cufftResult exec(cufftHandle p, double* in, Complex* out) { return cufftExecD2Z(p, in, out); }
  static cufftResult exec(cufftHandle p, Complex* in, double* out) { return cufftExecZ2D(p, in, out); }
};

// By definition, over up to three dimensions.
template <typename N> static std::vector<N> sums(const std::vector<N>& in, const int (&n)[3], int direction) {
  std::vector<N> out(in.size());
  const double turn = direction * 2 * 3.14159265358979323846;
  for (int a = 0; a < n[0]; ++a)
    for (int b = 0; b < n[1]; ++b)
      for (int c = 0; c < n[2]; ++c) {
        std::complex<double> sum = 0;
        for (int x = 0; x < n[0]; ++x)
          for (int y = 0; y < n[1]; ++y)
            for (int z = 0; z < n[2]; ++z)
              sum += std::complex<double>(in[size_t(x * n[1] + y) * n[2] + z]) *
                     std::polar(1.0, turn * (double(a * x) / n[0] + double(b * y) / n[1] + double(c * z) / n[2]));
        out[size_t(a * n[1] + b) * n[2] + c] = N(sum);
      }
  return out;
}

template <typename R> static cufftHandle plan_of(int rank, const int (&n)[3], cufftType type) {
  cufftHandle plan = 0;
  PASSES(rank == 1   ? cufftPlan1d(&plan, n[2], type, 1)
         : rank == 2 ? cufftPlan2d(&plan, n[1], n[2], type)
                     : cufftPlan3d(&plan, n[0], n[1], n[2], type));
  return plan;
}

template <typename R> static void shapes(int rank) {
  using F = Functions<R>;
  using T = typename F::Complex;
  using N = std::complex<R>;
  const int n[3] = {rank > 2 ? random_int(1, 5) : 1, rank > 1 ? random_int(1, 6) : 1, random_int(1, 12)};
  const int count = n[0] * n[1] * n[2], half = n[2] / 2 + 1, rows = n[0] * n[1];
  const int direction = random_int(0, 1) ? CUFFT_FORWARD : CUFFT_INVERSE;
  const Both<N, T> in(random_numbers<N>(count)), out(std::vector<N>(size_t(count), N(0)));
  const cufftHandle complex = plan_of<R>(rank, n, F::c2c);
  PASSES(F::exec(complex, in.device, out.device, direction));
  EXPECT(is_close(out.get(), sums(in.host, n, direction), 8 * count));
  EXPECT(in.get() == in.host);
  PASSES(F::exec(complex, in.device, in.device, direction));
  EXPECT(is_close(in.get(), sums(in.host, n, direction), 8 * count));
  PASSES(cufftDestroy(complex));
  // Real values and half of the complex ones
  const Both<R> real(random_numbers<R>(count));
  const Both<N, T> halves(std::vector<N>(size_t(rows) * half));
  const cufftHandle forward = plan_of<R>(rank, n, F::r2c), back = plan_of<R>(rank, n, F::c2r);
  PASSES(F::exec(forward, real.device, halves.device));
  const std::vector<N> whole = sums(std::vector<N>(real.host.begin(), real.host.end()), n, CUFFT_FORWARD);
  std::vector<N> want;
  for (int row = 0; row < rows; ++row)
    want.insert(want.end(), whole.begin() + long(row) * n[2], whole.begin() + long(row) * n[2] + half);
  EXPECT(is_close(halves.get(), want, 8 * count));
  const Both<R> again(std::vector<R>(size_t(count), 0));
  PASSES(F::exec(back, halves.device, again.device));
  std::vector<R> scaled = again.get();
  for (R& value : scaled)
    value /= R(count);
  EXPECT(is_close(scaled, real.host, 8));
  // In place: rows of real values are as long as those of complex ones.
  std::vector<R> padded(size_t(rows) * half * 2);
  for (int row = 0; row < rows; ++row)
    for (int i = 0; i < n[2]; ++i)
      padded[size_t(row) * half * 2 + i] = real.host[size_t(row) * n[2] + i];
  const Both<R> place(padded);
  PASSES(F::exec(forward, place.device, reinterpret_cast<T*>(place.device)));
  const std::vector<R> parts = place.get();
  std::vector<N> got;
  for (size_t i = 0; i < parts.size(); i += 2)
    got.emplace_back(parts[i], parts[i + 1]);
  EXPECT(is_close(got, want, 8 * count));
  PASSES(F::exec(back, reinterpret_cast<T*>(place.device), place.device));
  const std::vector<R> back_again = place.get();
  bool same = true;
  for (int row = 0; row < rows; ++row)
    for (int i = 0; i < n[2]; ++i)
      same = same && std::abs(back_again[size_t(row) * half * 2 + i] / R(count) - real.host[size_t(row) * n[2] + i]) < R(1e-5);
  EXPECT(same);
  PASSES(cufftDestroy(forward));
  PASSES(cufftDestroy(back));
}

// Transforms of the columns of a matrix: a stride, and a distance of one.
template <typename R> static void columns() {
  using F = Functions<R>;
  using T = typename F::Complex;
  using N = std::complex<R>;
  int n = random_int(1, 12), batch = random_int(1, 5), embed[] = {n};
  const Both<N, T> in(random_numbers<N>(n * batch)), out(std::vector<N>(size_t(n) * batch));
  cufftHandle plan = 0;
  size_t work = 7;
  PASSES(cufftCreate(&plan));
  PASSES(cufftMakePlanMany(plan, 1, &n, embed, batch, 1, embed, 1, n, F::c2c, batch, &work));
  PASSES(F::exec(plan, in.device, out.device, CUFFT_FORWARD));
  std::vector<N> want;
  for (int column = 0; column < batch; ++column) {
    std::vector<N> values;
    for (int i = 0; i < n; ++i)
      values.push_back(in.host[size_t(i) * batch + column]);
    const std::vector<N> of_column = sums(values, {1, 1, n}, CUFFT_FORWARD);
    want.insert(want.end(), of_column.begin(), of_column.end());
  }
  EXPECT(is_close(out.get(), want, 8 * n));
  PASSES(cufftDestroy(plan));
  // Several in a row
  const Both<R> real(random_numbers<R>(n * batch));
  const Both<N, T> halves(std::vector<N>(size_t(n / 2 + 1) * batch));
  PASSES(cufftPlan1d(&plan, n, F::r2c, batch));
  PASSES(F::exec(plan, real.device, halves.device));
  want.clear();
  for (int row = 0; row < batch; ++row) {
    const std::vector<N> values(real.host.begin() + long(row) * n, real.host.begin() + long(row + 1) * n);
    const std::vector<N> of_row = sums(values, {1, 1, n}, CUFFT_FORWARD);
    want.insert(want.end(), of_row.begin(), of_row.begin() + n / 2 + 1);
  }
  EXPECT(is_close(halves.get(), want, 8 * n));
  PASSES(cufftDestroy(plan));
}

static void mistakes() {
  cufftHandle plan = 0;
  EXPECT(cufftPlan1d(&plan, 0, CUFFT_C2C, 1) == CUFFT_INVALID_SIZE);
  EXPECT(cufftPlan1d(&plan, 8, static_cast<cufftType>(1), 1) == CUFFT_INVALID_TYPE);
  EXPECT(cufftDestroy(12345) == CUFFT_INVALID_PLAN);
  PASSES(cufftPlan1d(&plan, 8, CUFFT_R2C, 1));
  const Both<std::complex<float>, cufftComplex> data(std::vector<std::complex<float>>(8));
  EXPECT(cufftExecC2R(plan, data.device, reinterpret_cast<float*>(data.device)) != CUFFT_SUCCESS);
  cudaStream_t stream = nullptr;
  cudaStreamCreate(&stream);
  PASSES(cufftSetStream(plan, stream));
  PASSES(cufftExecR2C(plan, reinterpret_cast<float*>(data.device), data.device));
  cudaStreamDestroy(stream);
  PASSES(cufftDestroy(plan));
}

// Plans of FFTW, on memory of the host.
static void of_fftw() {
  const int n[3] = {6, 5, 1};
  const std::vector<std::complex<double>> values = random_numbers<std::complex<double>>(n[0] * n[1]);
  std::vector<std::complex<double>> in = values, out(in.size());
  fftw_plan plan = fftw_plan_dft_2d(n[0], n[1], reinterpret_cast<fftw_complex*>(in.data()),
                                    reinterpret_cast<fftw_complex*>(out.data()), FFTW_FORWARD, FFTW_ESTIMATE);
  EXPECT(plan != nullptr);
  fftw_execute(plan);
  fftw_destroy_plan(plan);
  EXPECT(is_close(out, sums(values, n, -1), 100));
}

int main() {
  of_fftw();
  for (int i = 0; i < repeats(); ++i)
    for (int rank = 1; rank <= 3; ++rank) {
      shapes<float>(rank);
      shapes<double>(rank);
      columns<float>();
      columns<double>();
    }
  mistakes();
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  return wrong;
}
