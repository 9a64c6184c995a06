// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls each function of the driver API in a thread without a context: with zeros, and with
// pointers to zeros. contexts.def has FUNCTION(name, context, parameters) for each. Prints those
// that want a context although the table says `any`, and those that never do although it says
// `current`; then the number of functions of each kind.
#include <cuda.h>

#include <cstdio>
#include <cstring>
#include <type_traits>

namespace {

template <typename T>
concept Complete = requires { sizeof(T); };

alignas(64) char zeros[1 << 14];
bool pointers = false; // whether arguments that are pointers have an address

template <typename T> T argument() {
  if constexpr (std::is_pointer_v<T>) {
    using To = std::remove_cv_t<std::remove_pointer_t<T>>;
    if constexpr (std::is_void_v<To> || (!std::is_function_v<To> && Complete<To>))
      return pointers ? reinterpret_cast<T>(zeros) : nullptr;
  }
  return T{};
}

template <typename... Parameters> bool wants_context(CUresult (*function)(Parameters...)) {
  cuCtxSetCurrent(nullptr);
  std::memset(zeros, 0, sizeof zeros);
  return function(argument<Parameters>()...) == CUDA_ERROR_INVALID_CONTEXT;
}

enum class Context { current, any };

template <typename Function>
void check(const char* name, Context context, Function* function, int (&count)[2]) {
  bool wants = false;
  for (int with = 0; with < 2; ++with) {
    pointers = with == 1;
    wants |= wants_context(function);
  }
  if (wants != (context == Context::current))
    std::printf("%s %s a context\n", name, wants ? "wants" : "does not want");
  ++count[int(context)];
}

} // namespace

int main() {
  int count[2] = {};
  cuInit(0);
#define FUNCTION(name, context, parameters)                                                        \
  {                                                                                                \
    typedef CUresult Function parameters;                                                          \
    check<Function>(#name, Context::context, &name, count);                                        \
  }
#include "contexts.def"
  std::printf("%d %d\n", count[0], count[1]);
}
