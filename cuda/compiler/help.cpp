// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/compiler/help.h"

#include <iostream>

namespace gputest::cuda::compiler {

int print_help() {
  std::cout << R"(usage: gputest-cuda [OPTION…] FILE…

Compiles CUDA programs for the simulator of GpuTestCheck, on machines without CUDA.
Files that end in .cu are CUDA; all others go to the host's compiler and linker.

Options of nvcc, with one dash or two:
  -o FILE              write this file
  -c, -dc, -E, -M, -MM compile, compile relocatable device code, preprocess,
                       print dependencies
  -ptx, -cubin, -fatbin
                       write device code alone, for programs that load it
  -dlink, -lib         link device code, make a static library
  -run, -run-args A,B  start what was linked, with these arguments
  -odir DIR            write objects and device code into this folder
  -rdc=true|false      relocatable device code
  -arch=A, -gencode A  the architecture that the macros of device code tell
  -std=S, -I, -D, -U, -include, -isystem, -l, -L, -O, -g, -w, -v, -x cu
  -Xcompiler, -Xlinker, -Xarch_host, -Xarch_device, -Xclang
                       options of one of the compilers, or of the linker
  -ccbin mpicxx        the options of this compiler of MPI; other values are ignored
  --default-stream=legacy|per-thread
  --options-file FILE  read options from this file, as from @FILE
  --use_fast_math, --no-exceptions, -pg, --shared
  --version, -h, --help
Other options of nvcc for the code of GPUs are ignored, and those of Clang go to
Clang. -optix-ir is an error.

Options of its own:
  --gputest-variant=coverage|mutants
                       also compile instrumented device code
  --gputest-folder=DIR the folder for its tables
  --gputest-source-root=DIR
                       name files below this folder relative to it
  --gputest-names=FILE write the names of kernels to this file
  --gputest-as-nvcc    answer --version as nvcc does

The manual is docs/cuda.md.
)";
  return 0;
}

} // namespace gputest::cuda::compiler
