// A command line of nvcc or of Clang, sorted by what each part is for.
#pragma once

#include <string>
#include <vector>

namespace gputest::cuda::compiler {

enum class Action {
  Link,       // compile what is to be compiled, and link
  Compile,    // -c, -dc, -dw
  Preprocess, // -E
  Image,      // -ptx, -cubin, -fatbin: the device's code alone, for programs that load it
  DeviceLink, // -dlink: nothing is left to do here, so an empty object
  Archive,    // -lib: a static library
  Version,    // --version, -V
  Toolkit     // what CMake asks nvcc for: where the toolkit is
};

struct Command {
  Action action = Action::Link;
  bool relocatable = false;            // -rdc=true, -dc: other units define what is used
  bool verbose = false;                // -v
  bool as_nvcc = false;                // bin/nvcc has started this: --gputest-as-nvcc
  std::string image;                   // "ptx", "cubin" or "fatbin"
  std::vector<std::string> sources;    // .cu, or what follows -x cu
  std::vector<std::string> others;     // sources of the host alone, objects, libraries, in order
  std::vector<std::string> preprocess; // -I, -D, -U, -include, -std: of host and device
  std::vector<std::string> compile;    // of the host's code: -O2, -g, -fPIC, what -Xcompiler passes
  std::vector<std::string> device;     // of the device's code: -ffast-math
  std::vector<std::string> link;       // -L, -l, what -Xlinker passes
  std::vector<std::string> dependencies; // -MD, -MF x, -MT x: of the compilation of the host's code
  std::vector<unsigned> architectures;   // -arch, -gencode: 90 of sm_90 and compute_90a
  std::string output;
  // What gputest_add_cuda_program() asks for: --gputest-variant=coverage, --gputest-folder=<for
  // what is made of sources>, --gputest-source-root=<to which names of files are relative>.
  std::vector<std::string> variants;
  std::string variant_folder, source_root;
  // What NVRTC asks for: --gputest-names=<file that gets a line for each variable gputest_name_<n>
  // of the source: the compiler's name of what it points to>. The variables go.
  std::string names_file;
};

// Throws std::runtime_error that names an option which changes the meaning of the program and is
// not known. Options that are for NVIDIA's tools alone, such as architectures, are taken and do
// nothing.
Command read_command(std::vector<std::string> arguments);

} // namespace gputest::cuda::compiler
