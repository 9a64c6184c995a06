// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/libraries/host.h"

#include <cstdio>
#include <dlfcn.h>

namespace gputest::cuda::libraries {

bool SystemLibrary::open(const char* user) {
  if (handle_ || is_missing_)
    return handle_ != nullptr;
  // They start threads when they are loaded, as many as these variables say.
  constexpr const char* kThreads[] = {"OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"};
  bool is_set[2] = {};
  for (int i = 0; i < 2; ++i)
    is_set[i] = std::getenv(kThreads[i]) || ::setenv(kThreads[i], "1", 0) != 0;
  handle_ = ::dlopen(file_, RTLD_NOW | RTLD_LOCAL);
  for (int i = 0; i < 2; ++i)
    if (!is_set[i])
      ::unsetenv(kThreads[i]);
  is_missing_ = !handle_;
  if (is_missing_)
    std::fprintf(stderr, "gputest-cuda: error: %s needs %s, which cannot be loaded: install %s\n",
                 user, file_, package_);
  return !is_missing_;
}

void* SystemLibrary::function(const char* name) {
  void* const found = handle_ ? ::dlsym(handle_, name) : nullptr;
  if (!found) {
    std::fprintf(stderr, "gputest-cuda: error: %s has no function %s: install another %s\n", file_,
                 name, package_);
    std::_Exit(3);
  }
  return found;
}

} // namespace gputest::cuda::libraries
