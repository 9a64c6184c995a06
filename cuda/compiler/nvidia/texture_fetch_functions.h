// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Empty: Clang 19 includes this file, which CUDA 13 has removed together with texture references.
