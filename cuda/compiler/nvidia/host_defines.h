// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes managed variables device variables, which suffices to parse device code: Clang 19 does not
// know __managed__.
#pragma once
#include_next <host_defines.h>
#undef __managed__
#define __managed__ __device__
