// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parses a command line of nvcc or Clang into options by their purpose.
#pragma once

#include <string>
#include <vector>

namespace gputest::cuda::compiler {

enum class Action {
  Link,       // compile sources and link
  Compile,    // -c, -dc, -dw
  Preprocess, // -E
  Image,      // -ptx, -cubin, -fatbin: only device code, for programs that load it
  DeviceLink, // -dlink: writes an empty object, because there is nothing to link
  Archive,    // -lib: a static library
  Version,    // --version, -V
  Toolkit     // CMake's question to nvcc where the toolkit is
};

struct Command {
  Action action = Action::Link;
  bool help = false;                   // --help, -h
  bool host_only = false;              // --cuda-host-only: programs have no kernels to launch
  bool relocatable = false;            // -rdc=true, -dc: other units define what is used
  bool openmp = false;                 // -fopenmp
  bool verbose = false;                // -v
  bool dry_run = false;                // --dryrun: prints what it would do
  bool cleans = false;                 // --clean-targets: removes what it would write
  std::string listed;                  // "sm_" or "compute_": --list-gpu-code, --list-gpu-arch
  bool as_nvcc = false;                // bin/nvcc has started this: --gputest-as-nvcc
  bool as_hipcc = false;               // bin/hipcc has started this: --gputest-as-hipcc
  bool hip = false;                    // the sources are HIP: .hip, -x hip, or what hipcc is given
  std::string gpu;                     // of AMD: the first of --offload-arch, without its features
  std::string image;                   // "ptx", "cubin" or "fatbin"
  std::vector<std::string> sources;    // .cu, .hip, or what follows -x cu or -x hip
  std::vector<std::string> others;     // sources of the host alone, objects, libraries, in order
  std::vector<std::string> c_sources;  // those of the host that are C
  std::vector<std::string> preprocess; // -I, -D, -U, -include, -std: of host and device
  std::vector<std::string> compile;    // of the host's code: -O2, -g, -fPIC, what -Xcompiler passes
  std::vector<std::string> device;     // of the device's code: what -Xarch_device passes
  bool contracts = true;               // a product and a sum to one operation: not with -fmad=false
  std::vector<std::string> link;       // -L, -l, what -Xlinker passes
  std::vector<std::string> dependencies; // -MD, -MF x, -MT x: of the compilation of the host's code
  std::vector<unsigned> architectures;   // -arch, -gencode: 90 of sm_90 and compute_90a
  std::string output, output_folder;     // -o, -odir
  bool starts_program = false;           // -run: what is linked, with these arguments
  std::vector<std::string> program_arguments;
  // Options of gputest_add_cuda_program(): --gputest-variant=coverage, --gputest-folder=<folder for
  // copies of sources>, --gputest-source-root=<folder to which names of files are relative>.
  std::vector<std::string> variants;
  std::string variant_folder, source_root;
  // The option of NVRTC: --gputest-names=<file>. The file gets a line for each variable
  // gputest_name_<n> of the source, with the mangled name of what it points to. The variables are
  // removed from the code.
  std::string names_file;
};

// Parses the arguments, without the program's name. Options for NVIDIA's tools alone are accepted
// and have no effect. Throws std::runtime_error with the option's name for an unknown option that
// would change the program's meaning.
Command read_command(std::vector<std::string> arguments);

} // namespace gputest::cuda::compiler
