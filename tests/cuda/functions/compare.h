// main() of a generated program: makes values, runs the kernels, and compares results with the
// oracles.
#pragma once

static std::mt19937_64 generator(kSeed);

template <typename T> void fill(T* values, std::initializer_list<T> edges) {
  int at = 0;
  for (const T edge : edges)
    values[at++] = edge;
  for (; at < kValues; ++at) { // half of them small
    const unsigned long long any = generator();
    values[at] = static_cast<T>(any >> 63 ? any : (any & 255) - 128);
  }
}
template <typename T, typename Bits>
void fill_real(T* values, int exponents, std::initializer_list<double> edges) {
  int at = 0;
  for (const double edge : edges)
    values[at++] = T(edge);
  for (; at < kValues; ++at) {
    const auto any = static_cast<Bits>(generator());
    const double small = std::ldexp(static_cast<double>(generator() >> 11) * 0x1p-53,
                                    static_cast<int>(generator() % 16) - exponents);
    if (at % 3 == 0)
      std::memcpy(values + at, &any, sizeof any);
    else
      values[at] = T(generator() & 1 ? -small : small);
  }
}

static void make(Inputs& in) {
  fill<int>(in.i, {0, 1, -1, 2, -2, 31, 32, 33, INT_MAX, INT_MIN, INT_MIN + 1, 0x7fff8000,
                   0x00ff00ff, -0x7f7f7f80, 0x80008000 - 0x100000000, 0x01234567});
  fill<unsigned>(in.u, {0,          1,          2,          31,         32,         33,
                        63,         0x7fffffff, 0x80000000, 0x80000001, 0xffffffff, 0xfffffffe,
                        0x80808080, 0x7f7f7f7f, 0x80008000, 0x7fff7fff, 0x3210,     0x7654,
                        0x00ff00ff, 0x8000ffff, 0x00010001, 0xff00ff01});
  fill<short>(in.s, {0, 1, -1, SHRT_MAX, SHRT_MIN, 255, 256, -129});
  fill<unsigned short>(in.t, {0, 1, 2, 0x7fff, 0x8000, 0xffff, 255, 2049, 65519, 65520});
  fill<long long>(in.l, {0, 1, -1, 2, LLONG_MAX, LLONG_MIN, LLONG_MIN + 1, INT_MAX, INT_MIN,
                         0xffffffff, 0x100000000, (1ll << 24) + 1, (1ll << 53) + 1,
                         -(1ll << 53) - 1, (1ll << 62) + 1, 65519, 65520});
  fill<unsigned long long>(in.m,
                           {0, 1, 2, ~0ull, ~0ull - 1, 1ull << 63, (1ull << 63) + 1, 0xffffffff,
                            0x100000000, (1ull << 24) + 1, (1ull << 53) + 1, (1ull << 63) - 1,
                            0xfffffffffffffbff, 0xfffffffffffffc00, 0xffffff7fffffffff});
  fill_real<float, unsigned>(in.f, 10,
                             {0.0,
                              -0.0,
                              1,
                              -1,
                              0.5,
                              -0.5,
                              1.5,
                              2.5,
                              -2.5,
                              2,
                              1e-45,
                              -1e-45,
                              FLT_MIN,
                              FLT_MAX,
                              -FLT_MAX,
                              INFINITY,
                              -INFINITY,
                              NAN,
                              3.14159274,
                              1.57079637,
                              16777215,
                              2147483520,
                              2147483648.0,
                              -2147483648.0,
                              4294967040.0,
                              9223371487098961920.0,
                              88.7,
                              -104,
                              65504,
                              65520,
                              10});
  fill_real<double, unsigned long long>(in.d, 10,
                                        {0.0,
                                         -0.0,
                                         1,
                                         -1,
                                         0.5,
                                         -0.5,
                                         1.5,
                                         2.5,
                                         -2.5,
                                         2,
                                         4.9e-324,
                                         -4.9e-324,
                                         DBL_MIN,
                                         DBL_MAX,
                                         -DBL_MAX,
                                         INFINITY,
                                         -INFINITY,
                                         NAN,
                                         3.141592653589793,
                                         2147483647.5,
                                         -2147483648.5,
                                         4294967295.5,
                                         9007199254740993.0,
                                         709.7,
                                         -745,
                                         1e-46,
                                         3.5e38,
                                         65520,
                                         1e22,
                                         10});
  fill_real<__half, unsigned short>(
      in.h, 8, {0.0,    -0.0,  1,      -1,       0.5,       1.5, 2.5, -2.5, 6e-8, -6e-8,
                6.2e-5, 65504, -65504, INFINITY, -INFINITY, NAN, 2,   3,    10,   0.1});
  fill_real<__nv_bfloat16, unsigned short>(
      in.b, 8, {0.0,     -0.0,    1,        -1,       0.5,       1.5, 2.5, -2.5, 1e-40, -1e-40,
                1.2e-38, 3.38e38, -3.38e38, INFINITY, -INFINITY, NAN, 2,   3,    10,    0.1});
}

static long double unit(Type type, long double value) {
  int digits = DBL_MANT_DIG, least = DBL_MIN_EXP;
  if (type == Type::Float)
    digits = FLT_MANT_DIG, least = FLT_MIN_EXP;
  if (type == Type::Half)
    digits = kHalf.digits, least = -13;
  if (type == Type::Bfloat16)
    digits = kBfloat16.digits, least = -125;
  int exponent = least;
  if (value != 0)
    exponent = std::ilogb(value) + 1;
  return std::ldexp(1.0L, (exponent < least ? least : exponent) - digits);
}
static bool same_part(unsigned got, unsigned wanted, Format format) {
  const double a = widened(got, format), b = widened(wanted, format);
  return got == wanted || (std::isnan(a) && std::isnan(b));
}
static bool is_right(unsigned long long bits, const Expected& wanted, char* shown, size_t size) {
  long double got = 0, most = 0;
  switch (wanted.type) {
  case Type::Bits:
    std::snprintf(shown, size, "%#llx, not %#llx", bits, wanted.bits);
    return bits == wanted.bits;
  case Type::Halves:
  case Type::Bfloats: {
    std::snprintf(shown, size, "%#llx, not %#llx", bits, wanted.bits);
    const Format format = wanted.type == Type::Halves ? kHalf : kBfloat16;
    return same_part(bits & 0xffff, wanted.bits & 0xffff, format) &&
           same_part(bits >> 16, wanted.bits >> 16, format);
  }
  case Type::Half:
  case Type::Bfloat16: {
    const Format format = wanted.type == Type::Half ? kHalf : kBfloat16;
    got = widened(static_cast<unsigned>(bits), format);
    most = widened(format.width == 5 ? 0x7bff : 0x7f7f, format);
    std::snprintf(shown, size, "%.6Lg (%#llx), not %.6g (%#llx)", got, bits,
                  widened(static_cast<unsigned>(wanted.bits), format), wanted.bits);
    if (wanted.units == 0)
      return same_part(static_cast<unsigned>(bits), static_cast<unsigned>(wanted.bits), format);
    break;
  }
  case Type::Float:
    got = bits_of<float>(static_cast<unsigned>(bits)), most = FLT_MAX;
    std::snprintf(shown, size, "%.9Lg (%La), not %.9Lg (%La)", got, got, wanted.value,
                  wanted.value);
    break;
  case Type::Double:
    got = bits_of<double>(bits), most = DBL_MAX;
    std::snprintf(shown, size, "%.17Lg (%La), not %.17Lg (%La)", got, got, wanted.value,
                  wanted.value);
    break;
  }
  if (std::isnan(wanted.value) || std::isnan(got))
    return std::isnan(wanted.value) && std::isnan(got);
  if (wanted.units == 0)
    return got == wanted.value && std::signbit(got) == std::signbit(wanted.value);
  const long double allowed = wanted.units * unit(wanted.type, wanted.value) + wanted.absolute;
  if (std::isinf(got)) // an overflow may begin a little earlier
    return std::signbit(got) == std::signbit(wanted.value) &&
           std::fabs(wanted.value) >= most - wanted.units * unit(wanted.type, most);
  if (std::isinf(wanted.value) || std::fabs(wanted.value) > most)
    return std::signbit(got) == std::signbit(wanted.value) &&
           std::fabs(got) >= most - wanted.units * unit(wanted.type, most) &&
           !std::isinf(wanted.value);
  return std::fabs(got - wanted.value) <= allowed;
}

static void show(const Inputs& in, char of, int at) {
  switch (of) {
  case 'i':
    std::printf("%d", in.i[at]);
    break;
  case 'u':
    std::printf("%#x", in.u[at]);
    break;
  case 's':
    std::printf("%d", in.s[at]);
    break;
  case 't':
    std::printf("%#x", in.t[at]);
    break;
  case 'l':
    std::printf("%lld", in.l[at]);
    break;
  case 'm':
    std::printf("%#llx", in.m[at]);
    break;
  case 'f':
    std::printf("%.9g", in.f[at]);
    break;
  case 'd':
    std::printf("%.17g", in.d[at]);
    break;
  case 'h':
    std::printf("%.6g", number(in.h[at]));
    break;
  case 'b':
    std::printf("%.6g", number(in.b[at]));
    break;
  default:
    break;
  }
}

int main() {
  constexpr int kRows = sizeof rows / sizeof *rows;
  int wrong = 0;
  Inputs in, *there = nullptr;
  unsigned long long* out = nullptr;
  auto* results = new unsigned long long[static_cast<size_t>(kRows) * kCalls];
  cudaMalloc(reinterpret_cast<void**>(&there), sizeof in);
  cudaMalloc(reinterpret_cast<void**>(&out), sizeof *out * kRows * kCalls);
  for (int round = 0; round < kRounds; ++round) {
    make(in);
    cudaMemcpy(there, &in, sizeof in, cudaMemcpyHostToDevice);
    for (int kernel = 0; kernel < kKernels; ++kernel)
      launch(kernel, there, out, kCalls);
    if (const cudaError_t error = cudaDeviceSynchronize(); error != cudaSuccess) {
      std::printf("%s\n", cudaGetErrorString(error));
      return 2;
    }
    cudaMemcpy(results, out, sizeof *out * kRows * kCalls, cudaMemcpyDeviceToHost);
    for (int row = 0; row < kRows; ++row) {
      int wrong_here = 0;
      for (int call = 0; call < kCalls; ++call) {
        const Picked at = pick(call);
        const Expected wanted = rows[row].expected(in, at);
        char text[200];
        if (wanted.skipped || is_right(results[row * kCalls + call], wanted, text, sizeof text))
          continue;
        ++wrong;
        if (++wrong_here > 3)
          continue;
        std::printf("%s with ", rows[row].call);
        const int positions[] = {at.a, at.b, at.c};
        for (int k = 0; rows[row].arguments[k]; ++k)
          std::printf(k ? ", " : ""), show(in, rows[row].arguments[k], positions[k]);
        std::printf(" is %s\n", text);
      }
    }
  }
  delete[] results;
  if (wrong)
    std::printf("%d results of seed %u are wrong\n", wrong, kSeed);
  return wrong != 0;
}
