// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/compiler/command.h"

#include "cuda/compiler/amd_gpus.h"
#include "cuda/compiler/ignored.h"
#include "cuda/compiler/mpi_wrapper.h"
#include "cuda/compiler/names.h"

#include "model/files.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
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

// hipcc takes sources of C++ for HIP, too.
const Names kHipEndings = names_in(".hip .cu .cpp .cc .cxx .c++ .C");

const Names kDeviceLanguages = names_in("cu cuda hip");

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
    join_paths_with_blanks();
    for (at_ = 0; at_ < arguments_.size(); ++at_)
      read(arguments_[at_]);
    if (device_only_ && assembly_) { // Clang's words for -ptx, which CMake uses
      command_.action = Action::Image;
      command_.image = "ptx";
    } else if (device_only_ && command_.action == Action::Compile) { // no object: code to load
      command_.action = Action::Image;
      command_.image = "fatbin";
    } else if (assembly_)
      command_.compile.emplace_back("-S");
    return std::move(command_);
  }

private:
  // CMake writes the paths of a device link without quotes, so a shell splits them at blanks.
  void join_paths_with_blanks() {
    const auto is_stub = [](const std::string& name) { return name.ends_with("/link.stub"); };
    if (std::ranges::none_of(arguments_, is_stub))
      return;
    std::vector<std::string> joined;
    for (const std::string& argument : arguments_) {
      const std::string last = joined.empty() ? "" : joined.back();
      const bool is_open = (last.starts_with("-DREGISTERLINKBINARYFILE=\"") ||
                            last.starts_with("-DFATBINFILE=\"")) &&
                           !last.ends_with("\"");
      const bool is_output =
          joined.size() > 1 && joined[joined.size() - 2] == "-o" && !argument.starts_with("-");
      if (is_open || is_output)
        joined.back() += " " + argument;
      else
        joined.push_back(argument);
    }
    arguments_ = std::move(joined);
  }

  // What follows a name in an argument. nvcc takes long names with one dash as well.
  static std::optional<std::string> after(std::string_view name, const std::string& argument) {
    if (name.starts_with("--") && !argument.starts_with("--"))
      name.remove_prefix(1);
    if (!argument.starts_with(name))
      return std::nullopt;
    return argument.substr(name.size());
  }

  static bool has(std::initializer_list<const char*> names, const std::string& argument) {
    return std::ranges::any_of(names,
                               [&](const char* name) { return after(name, argument) == ""; });
  }

  std::string next(const std::string& option) {
    if (at_ + 1 >= arguments_.size())
      throw std::runtime_error("nothing follows " + option);
    return arguments_[++at_];
  }

  // The value of `argument`, if it is one of `names`: "-o x", "-o=x" or "--output-file=x".
  bool value_of(std::initializer_list<const char*> names, const std::string& argument,
                std::string& value) {
    for (const char* name : names)
      if (const auto rest = after(name, argument);
          rest && (rest->empty() || rest->front() == '=')) {
        value = rest->empty() ? next(argument) : rest->substr(1);
        return true;
      }
    return false;
  }

  bool is_ignored(const std::string& argument) {
    const std::string name = argument.substr(0, argument.find('='));
    const bool has_kind = argument == "-Werror" && at_ + 1 < arguments_.size() &&
                          is_kind_of_warning(arguments_[at_ + 1]);
    if (has_kind || name == "--Werror" || is_ignored_with_value(after("--", name).value_or(""))) {
      if (name == argument)
        next(argument);
      return true;
    }
    return compiler::is_ignored(after("--", argument).value_or("")) ||
           argument.starts_with("-fcuda-") || argument.starts_with("--no-cuda-") ||
           argument.starts_with("-Wno-unknown-cuda") || argument.starts_with("-parallel-jobs=") ||
           argument.starts_with("-mcode-object-version=") || argument.starts_with("-amdgpu-") ||
           argument.starts_with("-fhip-") || argument.ends_with("unsafe-fp-atomics") ||
           argument.starts_with("-mllvm=-amdgpu-");
  }

  void read_file(const std::string& name) {
    std::optional<std::string> text = model::read_text(name);
    if (!text)
      throw std::runtime_error("cannot read the file of options " + name);
    std::ranges::replace(*text, '\n', ' ');
    const std::vector<std::string> more = split(*text, ' ');
    arguments_.insert(arguments_.begin() + static_cast<std::ptrdiff_t>(at_) + 1, more.begin(),
                      more.end());
  }

  void read(const std::string& argument) {
    std::string value;
    if (argument.starts_with("@"))
      read_file(argument.substr(1));
    else if (value_of({"-optf", "--options-file"}, argument, value))
      for (const std::string& file : split(value, ','))
        read_file(file);
    else if (has({"--help", "-h"}, argument))
      command_.help = true;
    else if (has({"--version", "-V"}, argument))
      command_.action = Action::Version;
    else if (argument == "--gputest-as-nvcc")
      command_.as_nvcc = true;
    else if (argument == "--gputest-as-hipcc")
      command_.as_hipcc = command_.hip = true;
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
    else if (has({"--lib"}, argument))
      command_.action = Action::Archive;
    else if (has({"-E", "--preprocess"}, argument))
      command_.action = Action::Preprocess;
    else if (has({"-M", "-MM", "--generate-dependencies", "--generate-nonsystem-dependencies"},
                 argument)) { // prints only dependencies
      command_.action = Action::Preprocess;
      command_.dependencies.emplace_back(
          argument.ends_with("MM") || argument.find("non") != std::string::npos ? "-MM" : "-M");
    } else if (has({"--genco"}, argument)) {
      command_.action = Action::Image;
      command_.image = "fatbin";
    } else if (value_of({"--offload-arch", "--amdgpu-target"}, argument, value)) {
      for (const std::string& one : split(value, ','))
        read_gpu(one);
    } else if (has({"--ptx", "--cubin", "--fatbin"}, argument)) {
      command_.action = Action::Image;
      command_.image = argument.substr(argument.find_first_not_of('-'));
    } else if (argument == "--cuda-device-only" || argument == "--offload-device-only")
      device_only_ = true;
    else if (argument == "--cuda-host-only" || argument == "--offload-host-only")
      command_.host_only = true;
    else if (argument == "-S")
      assembly_ = true;
    else if (value_of({"--default-stream"}, argument, value)) {
      if (value == "per-thread")
        command_.preprocess.emplace_back("-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1");
      else if (value != "legacy" && value != "null")
        throw std::runtime_error(argument + ": '" + value + "' is neither legacy nor per-thread");
    } else if (has({"--optix-ir"}, argument))
      throw std::runtime_error(argument + " asks for the code of a GPU, which is not made here: "
                                          "kernels run in the simulator");
    else if (has({"-fgpu-rdc", "-rdc=true", "--relocatable-device-code=true"}, argument))
      command_.relocatable = true;
    else if (has({"-rdc=false", "--relocatable-device-code=false"}, argument))
      command_.relocatable = false;
    else if (has({"-rdc", "--relocatable-device-code"}, argument))
      command_.relocatable = next(argument) == "true";
    else if (has({"-v", "--verbose"}, argument))
      command_.verbose = true;
    else if (has({"-dryrun", "--dryrun"}, argument))
      command_.dry_run = true;
    else if (has({"-clean", "--clean-targets"}, argument))
      command_.cleans = true;
    else if (has({"-code-ls", "--list-gpu-code"}, argument))
      command_.listed = "sm_";
    else if (has({"-arch-ls", "--list-gpu-arch"}, argument))
      command_.listed = "compute_";
    else if (value_of({"--fmad", "-fmad"}, argument, value))
      command_.contracts = command_.contracts && value != "false";
    else if (has({"-G", "--device-debug"}, argument)) { // nvcc optimises nothing then
      command_.contracts = false;
      command_.preprocess.emplace_back("-D__CUDACC_DEBUG__=1");
    } else if (has({"--use_fast_math"}, argument))
      command_.device.emplace_back("-fgpu-approx-transcendentals");
    else if (value_of({"-arch", "--gpu-architecture", "-gencode", "--generate-code"}, argument,
                      value))
      read_architecture(value);
    else if (value_of({"-ccbin", "--compiler-bindir"}, argument, value))
      read_host_compiler(value);
    else if (is_ignored(argument))
      return;
    else if (value_of({"-o", "--output-file"}, argument, value))
      command_.output = value;
    else if (has({"--disable-warnings"}, argument))
      command_.compile.emplace_back("-w");
    else if (value_of({"--x"}, argument, value)) {
      language_ = value == "none" ? "" : value;
      command_.hip = value == "hip" || (command_.hip && !value.starts_with("cu"));
    } else if (value_of({"-Xcompiler", "--compiler-options"}, argument, value))
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
    else if (value_of({"--std"}, argument, value))
      read_standard(value);
    else if (value_of({"-include", "--pre-include"}, argument, value))
      command_.preprocess.insert(command_.preprocess.end(), {"-include", value});
    else if (value_of({"-isystem", "--system-include"}, argument, value))
      include("-isystem", value);
    else if (value_of({"-iquote"}, argument, value))
      include("-iquote", value);
    else if (value_of({"-idirafter"}, argument, value))
      include("-idirafter", value);
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
    else if (value_of({"--ftemplate-depth"}, argument, value))
      command_.preprocess.push_back("-ftemplate-depth=" + value);
    else if (value_of({"--ftemplate-backtrace-limit"}, argument, value))
      command_.compile.push_back("-ftemplate-backtrace-limit=" + value);
    else if (value_of({"-odir", "--output-directory"}, argument, value))
      command_.output_folder = value;
    else if (has({"--run"}, argument))
      command_.starts_program = true;
    else if (value_of({"--run-args"}, argument, value))
      for (const std::string& one : split(value, ','))
        command_.program_arguments.push_back(one);
    else if (has({"-O"}, argument) && at_ + 1 < arguments_.size() &&
             arguments_[at_ + 1].size() == 1 && arguments_[at_ + 1] <= "3")
      command_.compile.push_back("-O" + next(argument));
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

  // Clang compiles for the host. Of a compiler of MPI it takes the options.
  void read_host_compiler(const std::string& name) {
    if (!is_mpi_wrapper(name))
      return;
    const std::vector<std::string> more = options_of_mpi_wrapper(name);
    arguments_.insert(arguments_.end(), more.begin(), more.end());
  }

  // The toolkit's headers need C++11.
  void read_standard(const std::string& name) {
    const bool is_old = name.ends_with("++03") || name.ends_with("++98");
    command_.preprocess.push_back("-std=" +
                                  (is_old ? name.substr(0, name.size() - 2) + "11" : name));
  }

  // "gfx90a", "gfx90a:sramecc+:xnack-"; "native" says none.
  void read_gpu(const std::string& text) {
    const std::string name = text.substr(0, text.find(':'));
    if (name == "native" || name.starts_with("sm_") || name.starts_with("compute_"))
      return;
    if (!is_gpu_of_amd(name))
      throw std::runtime_error("--offload-arch: '" + text +
                               "' is no GPU of AMD's, such as gfx90a or gfx1030");
    if (command_.gpu.empty())
      command_.gpu = name;
    command_.hip = true;
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
    if (is_of_gcc(argument) || argument == "-ansi" || argument == "--Wno-deprecated-declarations")
      return;
    std::string value;
    if (has({"-MD", "-MMD", "-MP", "-MG"}, argument))
      command_.dependencies.push_back(argument);
    else if (has({"--generate-dependencies-with-compile"}, argument))
      command_.dependencies.emplace_back("-MD");
    else if (has({"--generate-nonsystem-dependencies-with-compile"}, argument))
      command_.dependencies.emplace_back("-MMD");
    else if (has({"--generate-dependency-targets"}, argument))
      command_.dependencies.emplace_back("-MP");
    else if (value_of({"--dependency-output"}, argument, value))
      command_.dependencies.insert(command_.dependencies.end(), {"-MF", value});
    else if (value_of({"--dependency-target-name"}, argument, value))
      command_.dependencies.insert(command_.dependencies.end(), {"-MT", value});
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
    else if (argument == "-ffp-contract=off") { // of hipcc
      command_.compile.push_back(argument);
      command_.contracts = command_.contracts && !command_.as_hipcc;
    } else if (argument == "-fopenmp" || argument.starts_with("-fopenmp="))
      command_.openmp = true;
    else if (argument == "-fno-openmp")
      command_.openmp = false;
    else if (argument == "-pthread" || argument.starts_with("-fsanitize") ||
             argument.starts_with("--coverage") || argument.starts_with("-flto")) {
      command_.compile.push_back(argument);
      command_.link.push_back(argument);
    } else if (argument.starts_with("-") && argument != "-")
      command_.compile.push_back(argument);
    else if (is_source(argument)) {
      command_.sources.push_back(argument);
      command_.hip = command_.hip || argument.ends_with(".hip");
    } else if (language_ == "c" || (language_.empty() && argument.ends_with(".c")))
      command_.c_sources.push_back(argument);
    else
      command_.others.push_back(argument);
  }

  // Whether the file has device code.
  bool is_source(const std::string& file) const {
    const std::string ending = std::filesystem::path(file).extension();
    return kDeviceLanguages.contains(language_) || ending == ".cu" || ending == ".hip" ||
           (command_.as_hipcc && language_.empty() && kHipEndings.contains(ending));
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
