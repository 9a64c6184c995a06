// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls each function of the runtime and of the driver API with wrong arguments: each pointer null
// in turn, each handle one that nobody has made, and all of them null. functions.def has
// FUNCTION(name, result, parameters) for each. Prints the calls that crash, and those that take a
// wrong handle.
#include <cuda.h>
#include <cuda_runtime_api.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <string>
#include <sys/mman.h>
#include <sys/wait.h>
#include <tuple>
#include <type_traits>
#include <unistd.h>
#include <utility>

namespace {

struct Shared { // with the parent
  int done = 0; // calls that have ended or crashed
  char call[256] = {};
};
Shared* shared = nullptr;

alignas(64) char buffers[16][1 << 14]; // what pointers point to: zeros
int called = 0;                        // the number of the next call
int wrong = 0;

const char* const kModule = ".version 7.0\n.target sm_50\n.address_size 64\n"
                            ".visible .global .u32 word;\n.visible .entry k() { ret; }\n";

template <typename T> constexpr bool kIsFunction = std::is_function_v<std::remove_pointer_t<T>>;
template <typename T>
concept Complete = requires { sizeof(T); };
template <typename T>
constexpr bool kIsHandle =
    std::is_pointer_v<T> && !kIsFunction<T> && !std::is_void_v<std::remove_pointer_t<T>> &&
    !Complete<std::remove_pointer_t<T>>;

void nothing() {}

// A new handle, because calls may destroy it.
template <typename T> T handle() {
  T made{};
  if constexpr (std::is_same_v<T, cudaStream_t>) {
    cudaStreamCreate(&made);
  } else if constexpr (std::is_same_v<T, cudaEvent_t>) {
    cudaEventCreate(&made);
  } else if constexpr (std::is_same_v<T, cudaGraph_t>) {
    cudaGraphCreate(&made, 0);
  } else if constexpr (std::is_same_v<T, cudaGraphNode_t>) {
    cudaGraphAddEmptyNode(&made, handle<cudaGraph_t>(), nullptr, 0);
  } else if constexpr (std::is_same_v<T, cudaGraphExec_t>) {
    cuGraphInstantiateWithFlags(&made, handle<cudaGraph_t>(), 0);
  } else if constexpr (std::is_same_v<T, CUmodule>) {
    cuModuleLoadData(&made, kModule);
  } else if constexpr (std::is_same_v<T, CUfunction>) {
    cuModuleGetFunction(&made, handle<CUmodule>(), "k");
  } else if constexpr (std::is_same_v<T, CUcontext>) {
    cuCtxGetCurrent(&made);
  } else if constexpr (std::is_same_v<T, cudaArray_t>) {
    const cudaChannelFormatDesc format{32, 0, 0, 0, cudaChannelFormatKindFloat};
    cudaMallocArray(&made, &format, 8, 8, 0);
  } else if constexpr (std::is_same_v<T, CUlinkState>) {
    cuLinkCreate(0, nullptr, nullptr, &made);
  }
  return made;
}
enum class What { Good, Null, Garbage };

template <typename T> T argument(What what, std::size_t index) {
  if constexpr (std::is_pointer_v<T>) {
    if (what == What::Null)
      return nullptr;
    if (what == What::Garbage)
      return reinterpret_cast<T>(0x1230);
    if constexpr (kIsHandle<T>)
      return handle<T>();
    else if constexpr (kIsFunction<T>)
      return reinterpret_cast<T>(&nothing);
    else
      return reinterpret_cast<T>(buffers[index]);
  } else if constexpr (std::is_same_v<T, CUdeviceptr>) {
    return 0;
  } else if constexpr (std::is_integral_v<T>) {
    return T(1);
  } else {
    T zero;
    std::memset(static_cast<void*>(&zero), 0, sizeof zero);
    return zero;
  }
}

template <typename Result, typename... Parameters, std::size_t... I>
void call(const char* name, Result (*function)(Parameters...),
          const std::array<What, sizeof...(I)>& what, std::index_sequence<I...>) {
  if (called++ < shared->done)
    return;
  std::string text = name;
  for (const What one : what)
    text += one == What::Null ? " null" : one == What::Garbage ? " garbage" : " -";
  std::strncpy(shared->call, text.c_str(), sizeof shared->call - 1);
  shared->done = called;
  std::memset(buffers, 0, sizeof buffers);
  const auto result = static_cast<int>(function(argument<Parameters>(what[I], I)...));
  if (((what[I] == What::Garbage) || ...) && result == 0)
    std::printf("takes a handle of nobody: %s\n", text.c_str());
}

template <typename Result, typename... Parameters>
void try_all(const char* name, Result (*function)(Parameters...)) {
  constexpr std::size_t count = sizeof...(Parameters);
  const auto numbers = std::make_index_sequence<count>();
  const std::array<bool, count> pointers{std::is_pointer_v<Parameters>...};
  const std::array<bool, count> handles{kIsHandle<Parameters>...};
  std::array<What, count> what{};
  for (std::size_t i = 0; i < count; ++i) {
    if (pointers[i]) {
      what[i] = What::Null;
      call(name, function, what, numbers);
    }
    if (handles[i]) {
      what[i] = What::Garbage;
      call(name, function, what, numbers);
    }
    what[i] = What::Good;
  }
  what.fill(What::Null);
  call(name, function, what, numbers);
}

} // namespace

int main() {
  shared = static_cast<Shared*>(
      mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  new (shared) Shared;
  for (;;) {
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
      alarm(60);
      cuInit(0);
      CUcontext context;
      cuCtxCreate(&context, 0, 0);
#define FUNCTION(name, result, parameters) try_all(#name, static_cast<result(*) parameters>(&name));
#include "functions.def"
      std::fflush(stdout);
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFEXITED(status))
      break;
    std::printf("ends by signal %d: %s\n", WTERMSIG(status), shared->call);
  }
  std::printf("%d calls\n", shared->done);
  return 0;
}
