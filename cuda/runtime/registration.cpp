// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions that Clang's object files call before main() and around launches.
#include "cuda/runtime/call.h"
#include "cuda/runtime/forks.h"
#include "ir/cuda/container.h"

#include <cstdio>

// Where the linker puts managed variables (cuda/include/host_defines.h).
extern "C" {
extern const char __start_gputest_managed[] __attribute__((weak));
extern const char __stop_gputest_managed[] __attribute__((weak));
}

using namespace gputest::cuda;

namespace {

// Clang and nvcc write one for each object file with device code.
struct FatBinaryWrapper {
  int magic, version;
  const void* data;
  void* filename;
};

struct Configuration {
  dim3 grid, block;
  size_t shared_memory;
  void* stream;
};
thread_local std::vector<Configuration> configurations;

// Linkers put this library behind the program's own objects, so these have been initialized.
[[gnu::constructor]] void in_front_of_main() {
  serve_simulated_forks();
}

} // namespace

extern "C" {
void** __cudaRegisterFatBinary(void* wrapper) {
  State& state = State::get();
  const Lock lock(state.mutex);
  const void* const data = static_cast<const FatBinaryWrapper*>(wrapper)->data;
  if (gputest::ir::cuda::container_size(data) == 0)
    std::fprintf(stderr, "gputest-cuda: error: an object file has not been compiled with "
                         "gputest-cuda: its device code is for a GPU\n");
  return state.add_module(data);
}
// Loads managed variables at once, because the host may read them before it calls anything.
void __cudaRegisterFatBinaryEnd(void** handle) {
  State& state = State::get();
  const Lock lock(state.mutex);
  for (const auto& [symbol, name] : state.module_of(handle).variables)
    if (symbol >= __start_gputest_managed && symbol < __stop_gputest_managed) {
      state.variable(symbol);
      return;
    }
}
void __cudaUnregisterFatBinary(void**) { // nothing: programs launch kernels until they end
}
int __cudaRegisterFunction(void** handle, const void* stub, char*, const char* name, int, void*,
                           void*, void*, void*, int*) {
  State& state = State::get();
  const Lock lock(state.mutex);
  state.module_of(handle).functions[stub] = name;
  return 0;
}
void __cudaRegisterVar(void** handle, void* symbol, char*, const char* name, int, size_t, int,
                       int) {
  State& state = State::get();
  const Lock lock(state.mutex);
  state.module_of(handle).variables[symbol] = name;
}
// Is called by relocatable sources after they have registered a variable. Adds the symbol by which
// host code of other sources knows the variable.
void gputest_cuda_symbol(const void* symbol, const char* name) {
  State& state = State::get();
  const Lock lock(state.mutex);
  state.last_module().variables[symbol] = name;
}
// Is called by sources that are compiled with their mutants.
unsigned gputest_cuda_launch(const char* unit, unsigned site) {
  State& state = State::get();
  const Lock lock(state.mutex);
  return state.measured.launch(unit, site);
}
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_memory, void* stream) {
  configurations.push_back({grid, block, shared_memory, stream});
  return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared_memory,
                                       void* stream) {
  if (configurations.empty())
    return cudaErrorMissingConfiguration;
  const Configuration last = configurations.back();
  configurations.pop_back();
  *grid = last.grid;
  *block = last.block;
  *shared_memory = last.shared_memory;
  *static_cast<void**>(stream) = last.stream;
  return cudaSuccess;
}
}
