// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HIPRTC, HIP's run-time compiler (docs/hip.md): NVRTC that reads HIP.
#ifndef GPUTEST_HIP_HIPRTC_H
#define GPUTEST_HIP_HIPRTC_H

#include "gputest_hip/names.h"
#include "nvrtc.h"

#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif
static inline nvrtcResult hiprtcCompileProgram(nvrtcProgram program, int count,
                                               const char *const *options) {
  const char **const all = (const char **)malloc((count < 0 ? 1 : count + 1) * sizeof(char *));
  nvrtcResult result;
  int i;
  if (!all)
    return NVRTC_ERROR_OUT_OF_MEMORY;
  all[0] = "--gputest-as-hipcc";
  for (i = 0; i < count && options; ++i)
    all[i + 1] = options[i];
  result = count < 0 || (count > 0 && !options) ? NVRTC_ERROR_INVALID_INPUT
                                                : nvrtcCompileProgram(program, count + 1, all);
  free(all);
  return result;
}
static inline const char *hiprtcGetErrorString(nvrtcResult result) {
  static const char *const names[] = {
      "HIPRTC_SUCCESS",
      "HIPRTC_ERROR_OUT_OF_MEMORY",
      "HIPRTC_ERROR_PROGRAM_CREATION_FAILURE",
      "HIPRTC_ERROR_INVALID_INPUT",
      "HIPRTC_ERROR_INVALID_PROGRAM",
      "HIPRTC_ERROR_INVALID_OPTION",
      "HIPRTC_ERROR_COMPILATION",
      "HIPRTC_ERROR_BUILTIN_OPERATION_FAILURE",
      "HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION",
      "HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION",
      "HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID",
      "HIPRTC_ERROR_INTERNAL_ERROR"};
  const unsigned number = (unsigned)result;
  return number < sizeof names / sizeof *names ? names[number] : "HIPRTC_ERROR unknown";
}
#ifdef __cplusplus
}
#endif

#endif
