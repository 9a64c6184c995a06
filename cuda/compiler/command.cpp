#include "cuda/compiler/command.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <set>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace gputest::cuda::compiler {
namespace {

std::vector<std::string> split(std::string_view text, char at) {
  std::vector<std::string> parts;
  std::string part;
  bool quoted = false;
  for (const char letter : text) {
    if (letter == '"' || letter == '\'')
      quoted = !quoted;
    else if (letter == at && !quoted)
      parts.push_back(std::exchange(part, ""));
    else
      part += letter;
  }
  parts.push_back(part);
  std::erase(parts, "");
  return parts;
}

// nvcc's options for NVIDIA's tools, which are not used here.
const std::set<std::string, std::less<>> kIgnored{"--extended-lambda",
                                                  "-extended-lambda",
                                                  "--expt-extended-lambda",
                                                  "-expt-extended-lambda",
                                                  "--expt-relaxed-constexpr",
                                                  "-expt-relaxed-constexpr",
                                                  "-lineinfo",
                                                  "--generate-line-info",
                                                  "--keep",
                                                  "-keep",
                                                  "-keep-device-functions",
                                                  "-res-usage",
                                                  "--resource-usage",
                                                  "-restrict",
                                                  "--restrict",
                                                  "-Wno-deprecated-gpu-targets",
                                                  "-no-align-double",
                                                  "-ewp",
                                                  "-extra-device-vectorization",
                                                  "-use-local-env",
                                                  "--display-error-number",
                                                  "--no-display-error-number",
                                                  "-nohdrinitlist",
                                                  "--source-in-ptx",
                                                  "-src-in-ptx",
                                                  "-forward-unknown-to-host-compiler",
                                                  "--forward-unknown-to-host-compiler",
                                                  "-forward-unknown-opts",
                                                  "--forward-unknown-opts",
                                                  "-dlto",
                                                  "--dlink-time-opt",
                                                  "-Wreorder",
                                                  "--Wno-deprecated-gpu-targets",
                                                  "-fgpu-rdc",
                                                  "-fno-gpu-rdc",
                                                  "-nocudalib",
                                                  "-nocudainc",
                                                  "-Wext-lambda-captures-this",
                                                  "--no-host-device-initializer-list",
                                                  "-allow-unsupported-compiler",
                                                  "--allow-unsupported-compiler",
                                                  "-no-compress",
                                                  "--no-compress",
                                                  "-device-int128",
                                                  "--device-int128",
                                                  "-gen-opt-lto",
                                                  "--gen-opt-lto",
                                                  "-err-no",
                                                  "-Wdefault-stream-launch",
                                                  "-Wmissing-launch-bounds",
                                                  "--no-host-device-move-forward",
                                                  "-link",
                                                  "--link"};

// The same with a value, after the name or after '='.
const std::set<std::string, std::less<>> kIgnoredWithValue{"-code",
                                                           "--gpu-code",
                                                           "-maxrregcount",
                                                           "--maxrregcount",
                                                           "-Xcudafe",
                                                           "-Xfatbin",
                                                           "-Xcicc",
                                                           "-Xarchive",
                                                           "--archive-options",
                                                           "--Werror",
                                                           "-static-global-template-stub",
                                                           "--static-global-template-stub",
                                                           "-compress-mode",
                                                           "--compress-mode",
                                                           "-Xptxas",
                                                           "--ptxas-options",
                                                           "-Xnvlink",
                                                           "--nvlink-options",
                                                           "-Xfatbinary",
                                                           "--fatbinary-options",
                                                           "-ccbin",
                                                           "--compiler-bindir",
                                                           "-cudart",
                                                           "--cudart",
                                                           "-cudadevrt",
                                                           "--cudadevrt",
                                                           "-t",
                                                           "--threads",
                                                           "--keep-dir",
                                                           "-keep-dir",
                                                           "-diag-suppress",
                                                           "--diag-suppress",
                                                           "-diag_suppress",
                                                           "--diag_suppress",
                                                           "-diag-error",
                                                           "--diag-error",
                                                           "-diag-warn",
                                                           "--diag-warn",
                                                           "-ftz",
                                                           "--ftz",
                                                           "-prec-div",
                                                           "--prec-div",
                                                           "-prec-sqrt",
                                                           "--prec-sqrt",
                                                           "-fmad",
                                                           "--fmad",
                                                           "-Werror-cross",
                                                           "--machine",
                                                           "--cuda-gpu-arch",
                                                           "--offload-arch",
                                                           "--cuda-path",
                                                           "--target-directory",
                                                           "-target-dir",
                                                           "-Xcuda-ptxas",
                                                           "-Xcuda-fatbinary",
                                                           "-split-compile",
                                                           "--split-compile",
                                                           "-Wno-cuda",
                                                           "--options-mode",
                                                           "-time",
                                                           "--time",
                                                           "-dryrun-dir"};

// Names that nvcc also accepts with one dash.
const std::set<std::string, std::less<>> kLong{
    "compiler-options", "linker-options",   "ptxas-options",    "nvlink-options",
    "archive-options",  "gpu-architecture", "gpu-code",         "generate-code",
    "compiler-bindir",  "include-path",     "system-include",   "pre-include",
    "define-macro",     "undefine-macro",   "library",          "library-path",
    "optimize",         "output-file",      "options-file",     "relocatable-device-code",
    "device-debug",     "device-c",         "device-link",      "generate-line-info",
    "resource-usage",   "threads",          "disable-warnings", "machine"};

// Values of nvcc's -Werror that do not exist in the host's compiler.
const std::set<std::string, std::less<>> kKindsOfWarnings{"all-warnings",
                                                          "cross-execution-space-call",
                                                          "reorder",
                                                          "deprecated-declarations",
                                                          "default-stream-launch",
                                                          "missing-launch-bounds",
                                                          "ext-lambda-captures-this"};

bool is_cuda_source(const std::string& file) {
  return file.ends_with(".cu");
}

// "-Wall,-Wextra" and "-Wall -Wextra".
std::vector<std::string> options_of(const std::string& text) {
  std::vector<std::string> options;
  for (const std::string& part : split(text, ','))
    for (std::string& option : split(part, ' '))
      options.push_back(std::move(option));
  return options;
}

class Parser {
public:
  explicit Parser(std::vector<std::string> arguments) : arguments_(std::move(arguments)) {}

  Command run() {
    for (at_ = 0; at_ < arguments_.size(); ++at_)
      read(arguments_[at_]);
    if (device_only_ && assembly_) { // Clang's words for -ptx, which CMake uses
      command_.action = Action::Image;
      command_.image = "ptx";
    } else if (assembly_)
      command_.compile.emplace_back("-S");
    return std::move(command_);
  }

private:
  bool has(std::initializer_list<const char*> names, const std::string& argument) const {
    return std::ranges::find(names, argument) != names.end();
  }

  std::string next(const std::string& option) {
    if (at_ + 1 >= arguments_.size())
      throw std::runtime_error("nothing follows " + option);
    return arguments_[++at_];
  }

  // The value of `argument`, if it is one of `names`: "-o x", "-o=x" or "--output-file=x".
  bool value_of(std::initializer_list<const char*> names, const std::string& argument,
                std::string& value) {
    for (const char* name : names) {
      if (argument == name) {
        value = next(argument);
        return true;
      }
      if (argument.starts_with(std::string(name) + "=")) {
        value = argument.substr(std::string_view(name).size() + 1);
        return true;
      }
    }
    return false;
  }

  bool is_ignored(const std::string& argument) {
    if (argument == "-Werror" && at_ + 1 < arguments_.size() &&
        kKindsOfWarnings.contains(arguments_[at_ + 1])) {
      ++at_;
      return true;
    }
    if (kIgnored.contains(argument) || argument.starts_with("-fcuda-") ||
        argument.starts_with("--no-cuda-") || argument.starts_with("-Wno-unknown-cuda"))
      return true;
    if (kIgnoredWithValue.contains(argument)) {
      next(argument);
      return true;
    }
    const std::size_t equals = argument.find('=');
    return equals != std::string::npos && kIgnoredWithValue.contains(argument.substr(0, equals));
  }

  void read_file(const std::string& name) {
    std::ifstream stream(name);
    if (!stream)
      throw std::runtime_error("cannot read the file of options " + name);
    std::string text{std::istreambuf_iterator<char>(stream), {}};
    std::ranges::replace(text, '\n', ' ');
    const std::vector<std::string> more = split(text, ' ');
    arguments_.insert(arguments_.begin() + static_cast<std::ptrdiff_t>(at_) + 1, more.begin(),
                      more.end());
  }

  void read(const std::string& argument) {
    std::string value;
    if (argument.size() > 2 && argument[0] == '-' && argument[1] != '-' &&
        kLong.contains(argument.substr(1, argument.find('=') - 1)))
      read("-" + argument);
    else if (argument.starts_with("@"))
      read_file(argument.substr(1));
    else if (value_of({"-optf", "--options-file"}, argument, value))
      for (const std::string& file : split(value, ','))
        read_file(file);
    else if (has({"--version", "-V"}, argument))
      command_.action = Action::Version;
    else if (argument == "--gputest-as-nvcc")
      command_.as_nvcc = true;
    else if (value_of({"--gputest-variant"}, argument, value)) {
      if (std::ranges::find(command_.variants, value) == command_.variants.end())
        command_.variants.push_back(value);
    } else if (value_of({"--gputest-folder"}, argument, value))
      command_.variant_folder = value;
    else if (value_of({"--gputest-source-root"}, argument, value))
      command_.source_root = value;
    else if (value_of({"--gputest-names"}, argument, value))
      command_.names_file = value;
    else if (argument == "__cmake_determine_cuda")
      command_.action = Action::Toolkit;
    else if (has({"-c", "--compile", "-dw", "--device-w"}, argument))
      command_.action = Action::Compile;
    else if (has({"-dc", "--device-c"}, argument)) {
      command_.action = Action::Compile;
      command_.relocatable = true;
    } else if (has({"-dlink", "--device-link"}, argument))
      command_.action = Action::DeviceLink;
    else if (has({"-lib", "--lib"}, argument))
      command_.action = Action::Archive;
    else if (has({"-E", "--preprocess"}, argument))
      command_.action = Action::Preprocess;
    else if (has({"-M", "-MM", "--generate-dependencies", "--generate-nonsystem-dependencies"},
                 argument)) { // prints only dependencies
      command_.action = Action::Preprocess;
      command_.dependencies.emplace_back(
          argument.ends_with("MM") || argument.find("non") != std::string::npos ? "-MM" : "-M");
    } else if (has({"-ptx", "--ptx", "-cubin", "--cubin", "-fatbin", "--fatbin"}, argument)) {
      command_.action = Action::Image;
      command_.image = argument.substr(argument.find_first_not_of('-'));
    } else if (argument == "--cuda-device-only")
      device_only_ = true;
    else if (argument == "-S")
      assembly_ = true;
    else if (value_of({"-default-stream", "--default-stream"}, argument, value)) {
      if (value == "per-thread")
        command_.preprocess.emplace_back("-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1");
      else if (value != "legacy" && value != "null")
        throw std::runtime_error(argument + ": '" + value + "' is neither legacy nor per-thread");
    } else if (has({"-optix-ir", "--optix-ir"}, argument))
      throw std::runtime_error(argument + " asks for the code of a GPU, which is not made here: "
                                          "kernels run in the simulator");
    else if (has({"-fgpu-rdc", "-rdc=true", "--relocatable-device-code=true"}, argument))
      command_.relocatable = true;
    else if (has({"-rdc=false", "--relocatable-device-code=false"}, argument))
      command_.relocatable = false;
    else if (has({"-rdc", "--relocatable-device-code"}, argument))
      command_.relocatable = next(argument) == "true";
    else if (has({"-v", "--verbose", "-dryrun", "--dryrun"}, argument))
      command_.verbose = true;
    else if (has({"-G", "--device-debug"}, argument))
      command_.debug_device = true;
    else if (has({"-use_fast_math", "--use_fast_math"}, argument))
      command_.device.emplace_back("-fgpu-approx-transcendentals");
    else if (value_of({"-arch", "--gpu-architecture", "-gencode", "--generate-code"}, argument,
                      value))
      read_architecture(value);
    else if (is_ignored(argument))
      return;
    else if (value_of({"-o", "--output-file"}, argument, value))
      command_.output = value;
    else if (argument == "--disable-warnings")
      command_.compile.emplace_back("-w");
    else if (value_of({"-x", "--x"}, argument, value))
      language_ = value;
    else if (value_of({"-Xcompiler", "--compiler-options"}, argument, value))
      for (const std::string& option : options_of(value))
        read_host(option);
    else if (value_of({"-Xlinker", "--linker-options"}, argument, value))
      for (const std::string& option : options_of(value))
        command_.link.insert(command_.link.end(), {"-Xlinker", option});
    else if (value_of({"-Xarch_host"}, argument, value))
      read_host(value);
    else if (value_of({"-Xarch_device"}, argument, value))
      command_.device.push_back(value);
    else if (value_of({"-Xclang", "-Xpreprocessor"}, argument, value))
      command_.compile.insert(command_.compile.end(), {argument, value});
    else if (value_of({"-std", "--std"}, argument, value))
      command_.preprocess.push_back("-std=" + value);
    else if (value_of({"-include", "--pre-include"}, argument, value))
      command_.preprocess.insert(command_.preprocess.end(), {"-include", value});
    else if (value_of({"-isystem", "--system-include"}, argument, value))
      include("-isystem", value);
    else if (value_of({"--include-path", "-I"}, argument, value))
      include("-I", value);
    else if (value_of({"--define-macro", "-D"}, argument, value))
      command_.preprocess.push_back("-D" + value);
    else if (value_of({"--undefine-macro", "-U"}, argument, value))
      command_.preprocess.push_back("-U" + value);
    else if (value_of({"--library", "-l"}, argument, value))
      command_.others.push_back("-l" + value);
    else if (value_of({"--library-path", "-L"}, argument, value))
      command_.link.push_back("-L" + value);
    else if (value_of({"--optimize"}, argument, value))
      command_.compile.push_back("-O" + value);
    else if (value_of({"-ftemplate-depth", "--ftemplate-depth"}, argument, value))
      command_.preprocess.push_back("-ftemplate-depth=" + value);
    else if (has({"-noeh", "--no-exceptions"}, argument))
      command_.compile.emplace_back("-fno-exceptions");
    else if (has({"-pg", "--profile"}, argument))
      for (std::vector<std::string>* options : {&command_.compile, &command_.link})
        options->emplace_back("-pg");
    else if (has({"--debug"}, argument))
      command_.compile.emplace_back("-g");
    else if (has({"--shared"}, argument))
      command_.link.emplace_back("-shared");
    else
      read_host(argument);
  }

  // "sm_90", "compute_90a", "arch=compute_90,code=[compute_90,sm_90]"; "native" and "all" say none.
  void read_architecture(const std::string& text) {
    const std::size_t at = text.find('_');
    if (at != std::string::npos && at + 1 < text.size() && text[at + 1] >= '0' &&
        text[at + 1] <= '9')
      command_.architectures.push_back(
          static_cast<unsigned>(std::strtoul(text.c_str() + at + 1, nullptr, 10)));
  }

  // Headers of another toolkit come last, because they are not for Clang alone.
  void include(const std::string& option, const std::string& folder) {
    const bool is_of_toolkit = std::ifstream(folder + "/crt/host_config.h").good();
    command_.preprocess.insert(command_.preprocess.end(),
                               {is_of_toolkit ? "-idirafter" : option, folder});
  }

  // Options of Clang and GCC.
  void read_host(const std::string& argument) {
    if (has({"-MD", "-MMD", "-MP", "-MG"}, argument))
      command_.dependencies.push_back(argument);
    else if (has({"-MF", "-MT", "-MQ"}, argument))
      command_.dependencies.insert(command_.dependencies.end(), {argument, next(argument)});
    else if (argument.starts_with("-I") && argument.size() > 2)
      include("-I", argument.substr(2));
    else if (argument.starts_with("-D") || argument.starts_with("-U"))
      command_.preprocess.push_back(argument);
    else if (argument.starts_with("-l") || argument == "--start-group" || argument == "--end-group")
      command_.others.push_back(argument); // NOLINT(bugprone-branch-clone): as what no branch takes
    else if (argument.starts_with("-L") || argument.starts_with("-Wl,") || argument == "-shared" ||
             argument == "-rdynamic" || argument == "-static" || argument == "-pie" ||
             argument == "-no-pie" || argument.starts_with("-B"))
      command_.link.push_back(argument);
    else if (argument.starts_with("-fopenmp")) // Clang's library may not be there: one thread
      command_.link.emplace_back("-lgomp");
    else if (argument == "-pthread" || argument.starts_with("-fsanitize") ||
             argument.starts_with("--coverage") || argument.starts_with("-flto")) {
      command_.compile.push_back(argument);
      command_.link.push_back(argument);
    } else if (argument.starts_with("-ffast-math")) {
      command_.compile.push_back(argument);
      command_.device.push_back(argument);
    } else if (argument.starts_with("-") && argument != "-")
      command_.compile.push_back(argument);
    else if (is_cuda_source(argument) || language_ == "cu" || language_ == "cuda")
      command_.sources.push_back(argument);
    else
      command_.others.push_back(argument);
  }

  std::vector<std::string> arguments_;
  std::size_t at_ = 0;
  std::string language_;
  bool device_only_ = false, assembly_ = false;
  Command command_;
};

} // namespace

Command read_command(std::vector<std::string> arguments) {
  return Parser(std::move(arguments)).run();
}

} // namespace gputest::cuda::compiler
