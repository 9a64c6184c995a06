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
  bool relocatable = false;              // -rdc=true, -dc: device code may use what other units
                                         // define
  bool verbose = false;                  // -v
  bool as_nvcc = false;                  // --gputest-as-nvcc: bin/nvcc has started this program
  bool debug_device = false;             // -G
  std::string image;                     // "ptx", "cubin" or "fatbin"
  std::vector<std::string> sources;      // .cu files, and files after -x cu
  std::vector<std::string> others;       // host sources, objects and libraries, in order
  std::vector<std::string> preprocess;   // -I, -D, -U, -include, -std: for host and device
  std::vector<std::string> compile;      // for host code: -O2, -g, -fPIC, values of -Xcompiler
  std::vector<std::string> device;       // for device code: -ffast-math
  std::vector<std::string> link;         // -L, -l, values of -Xlinker
  std::vector<std::string> dependencies; // -MD, -MF x, -MT x: for the compilation of host code
  std::vector<unsigned> architectures;   // -arch, -gencode: 90 for sm_90 and compute_90a
  std::string output;
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
