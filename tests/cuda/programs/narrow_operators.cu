// Which operators and conversions half, bfloat16 and pairs of them have, with which types, and the
// types of the results, as in the headers of CUDA 13. And what is no number has one code.
#include "check.h"

#include <cstring>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <string>
#include <type_traits>
#include <utility>

using std::declval;
template <typename T> int take(T);

// A letter for each type; '.' stands for an expression that does not compile.
template <typename T> constexpr char letter = '?';
#define TYPES(x)                                                                                   \
  x(__half, 'h') x(__nv_bfloat16, 'b') x(__half2, 'H') x(__nv_bfloat162, 'B') OTHERS(x)
#define OTHERS(x)                                                                                  \
  x(float, 'f') x(double, 'd') x(int, 'i') x(unsigned, 'u') x(short, 's') x(unsigned short, 'w')   \
      x(long, 'l') x(unsigned long, 'U') x(long long, 'L') x(unsigned long long, 'Q') x(char, 'c') \
          x(signed char, 'y') x(unsigned char, 'x') x(bool, 'o') x(__half_raw, 'q')                \
              x(__nv_bfloat16_raw, 'r')
#define LETTER(type, of_type) template <> constexpr char letter<type> = of_type;
TYPES(LETTER)

#define OF_TWO(name, ...)                                                                          \
  template <typename A, typename B, typename = void> struct name {                                 \
    static constexpr char result = '.';                                                            \
  };                                                                                               \
  template <typename A, typename B> struct name<A, B, std::void_t<decltype(__VA_ARGS__)>> {        \
    static constexpr char result = letter<std::decay_t<decltype(__VA_ARGS__)>>;                    \
  };
#define OF_ONE(name, ...)                                                                          \
  template <typename A, typename = void> struct name {                                             \
    static constexpr char result = '.';                                                            \
  };                                                                                               \
  template <typename A> struct name<A, std::void_t<decltype(__VA_ARGS__)>> {                       \
    static constexpr char result = letter<std::decay_t<decltype(__VA_ARGS__)>>;                    \
  };
OF_TWO(add, declval<A>() + declval<B>())
OF_TWO(add_to, declval<A&>() += declval<B>())
OF_TWO(equal, declval<A>() == declval<B>())
OF_TWO(less, declval<A>() < declval<B>())
OF_TWO(one_of, false ? declval<A>() : declval<B>())
OF_TWO(cast, (A)declval<B>())
OF_TWO(passed, take<A>(declval<B>()))
OF_ONE(minus, -declval<A>())
OF_ONE(plus, +declval<A>())
OF_ONE(negated, !declval<A>())
OF_ONE(before, ++declval<A&>())
OF_ONE(after, declval<A&>()++)
OF_ONE(decremented, --declval<A&>())
OF_ONE(complement, ~declval<A>())
OF_ONE(element, declval<int*>()[declval<A>()])

// The results with A on the left and each type on the right; and the other way round, for the types
// that are not narrow.
template <template <typename, typename, typename> class Operator, typename A> std::string row() {
  std::string results;
#define RIGHT(type, of_type) results += Operator<A, type, void>::result;
  TYPES(RIGHT)
  return results;
}
template <template <typename, typename, typename> class Operator> std::string others() {
  std::string results;
#define LEFT(type, of_type)                                                                        \
  results +=                                                                                       \
      {Operator<type, __half, void>::result, Operator<type, __nv_bfloat16, void>::result,          \
       Operator<type, __half2, void>::result, Operator<type, __nv_bfloat162, void>::result};
  OTHERS(LEFT)
  return results;
}
template <template <typename, typename> class Operator> std::string each() {
  return {Operator<__half, void>::result, Operator<__nv_bfloat16, void>::result,
          Operator<__half2, void>::result, Operator<__nv_bfloat162, void>::result};
}
template <template <typename, typename, typename> class Operator>
void compare(const char* name, const std::string& half, const std::string& bfloat16,
             const std::string& half2, const std::string& bfloat162, const std::string& left) {
  const std::string pairs[][2] = {{row<Operator, __half>(), half},
                                  {row<Operator, __nv_bfloat16>(), bfloat16},
                                  {row<Operator, __half2>(), half2},
                                  {row<Operator, __nv_bfloat162>(), bfloat162},
                                  {others<Operator>(), left}};
  for (const auto& [found, wanted] : pairs)
    if (found != wanted) {
      std::printf("%s: %s, not %s\n", name, found.c_str(), wanted.c_str());
      ++wrong;
    }
}

// Numbers that are none: of float, half and bfloat16.
struct Codes {
  unsigned short of[24];
  unsigned wide[2];
};
__host__ __device__ unsigned short code(__half x) {
  return __half_as_ushort(x);
}
__host__ __device__ unsigned short code(__nv_bfloat16 x) {
  return __bfloat16_as_ushort(x);
}
template <typename T, typename FromCode>
__host__ __device__ int fill(unsigned short* of, FromCode from, int none, int infinity) {
  const T x = from(none), y = from(0x8000 | none | 1), big = from(infinity), zero = from(0);
  of[0] = code(__hneg(x));
  of[1] = code(__habs(y));
  of[2] = code(x + T(1.0f));
  of[3] = code(T(1.0f) - y);
  of[4] = code(big - big);
  of[5] = code(big * zero);
  of[6] = code(zero / zero);
  of[7] = code(T((float)y));
  of[8] = code(__hmin(x, y));
  of[9] = code(__hmax(y, x));
  of[10] = code(T((double)y));
  return 11;
}
__host__ __device__ void fill(Codes* out) {
  const auto half = [](int bits) { return __ushort_as_half((unsigned short)bits); };
  const auto bfloat16 = [](int bits) { return __ushort_as_bfloat16((unsigned short)bits); };
  const int count = fill<__half>(out->of, half, 0x7e00, 0x7c00);
  fill<__nv_bfloat16>(out->of + count, bfloat16, 0x7fc0, 0x7f80);
  const float wide[] = {(float)half(0x7e00), __half2float(half(0xfc01))};
  std::memcpy(out->wide, wide, sizeof wide);
}
__global__ void run(Codes* out) {
  fill(out);
}

// Truncated, within the type.
template <typename T> __global__ void convert(long long* out) {
  const float in[] = {1.75f, -1.75f, 300.0f, -300.0f, 60000.0f};
  for (int i = 0; i < 5; ++i) {
    const T x = in[i];
    const signed char s = x;
    const unsigned char u = x;
    const short sh = x;
    const unsigned w = x;
    const long l = x;
    out[5 * i] = s;
    out[5 * i + 1] = u;
    out[5 * i + 2] = sh;
    out[5 * i + 3] = w;
    out[5 * i + 4] = l;
  }
}

int main() {
  compare<add>("add", "h.................h.", ".b.................b", "..H.................",
               "...B................",
               "........................................................h....b..");
  compare<add_to>("add_to", "h...hhhhhhhhhhhhhhh.", ".b..bbbbbbbbbbbbbb.b", "..H.................",
                  "...B................",
                  "................................................................");
  compare<equal>("equal", "o.................o.", ".o.................o", "..o.................",
                 "...o................",
                 "........................................................o....o..");
  compare<less>("less", "o.................o.", ".o.................o", "..o.................",
                "...o................",
                "........................................................o....o..");
  compare<one_of>("one_of", "h...................", ".b..................", "..H.................",
                  "...B................",
                  "................................................................");
  compare<cast>("cast", "hh..hhhhhhhhhhhhhhhh", "bb..bbbbbbbbbbbbbbbb", "..H.................",
                "...B................",
                "ff..dd..ii..uu..ss..ww..ll..UU..LL..QQ..cc..yy..xx..oo..q....r..");
  compare<passed>("passed", "i...iiiiiiiiiiiiiii.", ".i..iiiiiiiiiiiiii.i", "..i.................",
                  "...i................",
                  "ii..ii..ii..ii..ii..ii..ii..ii..ii..ii..ii..ii..ii..ii..i....i..");
  EXPECT(each<minus>() == "hbHB");
  EXPECT(each<plus>() == "hbHB");
  EXPECT(each<negated>() == "oo..");
  EXPECT(each<before>() == "hbHB");
  EXPECT(each<after>() == "hbHB");
  EXPECT(each<decremented>() == "hbHB");
  EXPECT(each<complement>() == "....");
  EXPECT(each<element>() == "ii..");
  const Device<Codes> codes(1);
  run<<<1, 1>>>(codes.data);
  Codes here;
  fill(&here);
  for (const Codes& all : {codes[0], here}) {
    for (int i = 0; i < 22; ++i)
      EXPECT(all.of[i] == 0x7fff || i == 21); // a GPU keeps the sign of a double as a bfloat16
    EXPECT(all.wide[0] == 0x7fffffff && all.wide[1] == 0x7fffffff);
  }
  const Device<long long> numbers(25);
  const long long wanted[25] = {1,  1,    1,   1,   1,     -1,    0,    -1, 0,
                                -1, 127,  255, 300, 300,   300,   -128, 0,  -300,
                                0,  -300, 127, 255, 32767, 60000, 60000};
  convert<__half><<<1, 1>>>(numbers.data);
  for (int i = 0; i < 25; ++i)
    EXPECT(numbers[i] == (i < 23 ? wanted[i] : 60000));
  convert<__nv_bfloat16><<<1, 1>>>(numbers.data);
  for (int i = 0; i < 25; ++i)
    EXPECT(numbers[i] == (wanted[i] == 60000 ? 59904 : wanted[i]));
  return wrong;
}
