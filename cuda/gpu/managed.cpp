// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that nvcc's object files with managed variables call before main().
#include "cuda/gpu/server.h"

extern "C" void __real___cudaRegisterManagedVar(void** binary, void** symbol, char* address,
                                                const char* name, int is_extern, std::size_t size,
                                                int is_constant, int is_global);
extern "C" void __wrap___cudaRegisterManagedVar(void** binary, void** symbol, char* address,
                                                const char* name, int is_extern, std::size_t size,
                                                int is_constant, int is_global) {
  gputest::cuda::gpu::Server::get().refuse("managed variables");
  __real___cudaRegisterManagedVar(binary, symbol, address, name, is_extern, size, is_constant,
                                  is_global);
}
