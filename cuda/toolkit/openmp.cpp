// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clang 19 calls this at the end of a loop with a dynamic schedule. OpenMP's libraries before 19 do
// not have it, and in those that do it does nothing.

// NOLINTNEXTLINE(bugprone-reserved-identifier)
extern "C" __attribute__((weak)) void __kmpc_dispatch_deinit(void* /*place*/, int /*thread*/) {}
