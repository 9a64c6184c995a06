// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/machine/cuda/compiler.h"

#include "gputest/error.h"
#include "model/cache.h"
#include "model/files.h"
#include "process/command.h"
#include "process/scratch_folder.h"
#include "runtime/machine/cuda/kernel_text.h"
#include "runtime/machine/text.h"
#include "runtime/process/inputs.h"
#include "store/store.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <optional>
#include <sstream>
#include <unistd.h>
#include <utility>

namespace gputest::runtime::cuda {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> places_of_compiler() {
  std::vector<fs::path> places;
  for (const char* const toolkit : {"CUDAToolkit_ROOT", "CUDA_PATH", "CUDA_HOME"})
    if (const std::string root = environment(toolkit); !root.empty())
      places.push_back(fs::path(root) / "bin");
  std::istringstream folders(environment("PATH"));
  for (std::string folder; std::getline(folders, folder, ':');)
    if (!folder.empty())
      places.emplace_back(folder);
  places.emplace_back("/usr/local/cuda/bin");
  return places;
}

// Returns a text that changes when the compiler or its settings change.
std::string compiler_print(const fs::path& program) {
  std::string print = program.string();
  // The programs that do its work, in known toolkits.
  for (const char* const part : {"nvcc", "ptxas", "cudafe++", "../nvvm/bin/cicc", "gputest-cuda"}) {
    std::error_code error;
    const fs::path file = program.parent_path() / part;
    const auto time = fs::last_write_time(file, error);
    if (!error)
      print += fmt::format(" {} {} {}", part, fs::file_size(file, error),
                           time.time_since_epoch().count());
  }
  for (const char* const name : {"NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS", "NVCC_CCBIN"})
    print += '\n' + environment(name);
  return print;
}

// One compilation.
class Compilation {
public:
  Compilation(const fs::path& program, const std::string& text, const BuildSettings& settings,
              const std::string& kernel, const std::string& source, const Target& target)
      : program_(program), text_(text), settings_(settings), kernel_(kernel), source_(source),
        target_(target),
        options_{fmt::format("-arch=sm_{}{}", target.major, target.minor),
                 "-std=" + (settings.cl_std.empty() ? "c++17" : settings.cl_std),
                 "--expt-relaxed-constexpr", "--extended-lambda", "-DGPUTEST_GPU=1"} {
    for (const fs::path& folder : settings.include_dirs)
      options_.push_back("-I" + folder.string());
  }

  DeviceCode run() {
    whole_ = with_kernel(text_, settings_.definitions, kernel_, source_);
    if (auto kept = find())
      return *std::move(kept);
    DeviceCode code;
    const fs::path ptx = make_ptx(whole_, code.log);
    const std::string text = model::read_text(ptx).value_or("");
    Declarations declared = declarations_of(text);
    if (declared.kernel.empty())
      throw DeviceError(fmt::format("{}: error: {} does not say what it calls kernel '{}'", source_,
                                    program_.string(), kernel_));
    code.kernel = std::move(declared.kernel);
    code.variables = std::move(declared.variables);
    code.image = assemble(text);
    keep(code);
    return code;
  }

private:
  fs::path write(const char* name, const std::string& text) const {
    const fs::path file = folder_.path() / name;
    std::ofstream(file, std::ios::binary) << text;
    return file;
  }

  process::CommandResult start(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), options_.begin(), options_.end());
    arguments.insert(arguments.begin(), program_.string());
    process::CommandResult result = process::run_command(arguments);
    result.output = with_places(result.output);
    if (result.exit_code != 0 &&
        result.output.find("Unsupported gpu architecture") != std::string::npos)
      throw DeviceError(fmt::format("{} makes no code for {}, whose compute capability is {}.{}: "
                                    "name another toolkit with CUDAToolkit_ROOT\n{}",
                                    program_.string(), target_.gpu, target_.major, target_.minor,
                                    result.output));
    return result;
  }

  BuildError failure(const std::string& log) const {
    return {fmt::format("{}: error: does not build for {} with {} {}", source_, target_.gpu,
                        program_.string(), fmt::join(options_, " ")),
            log};
  }

  fs::path make_ptx(const std::string& text, std::string& log) const {
    const fs::path ptx = folder_.path() / "made.ptx";
    process::CommandResult result = start({"-ptx", "-MD", "-MF", depfile().string(),
                                           write("kernel.cu", text).string(), "-o", ptx.string()});
    if (result.exit_code != 0)
      explain(result.output);
    log = std::move(result.output);
    return ptx;
  }

  // Compiles the text without the name, to find out whether the name is wrong.
  [[noreturn]] void explain(const std::string& messages) const {
    if (messages.find(kNameOfKernel) == std::string::npos)
      throw failure(messages);
    const fs::path ptx = folder_.path() / "without.ptx";
    const process::CommandResult without =
        start({"-ptx",
               write("without.cu", with_kernel(text_, settings_.definitions, "", source_)).string(),
               "-o", ptx.string()});
    if (without.exit_code != 0)
      throw failure(without.output);
    std::string there;
    for (const std::string& one : declarations_of(model::read_text(ptx).value_or("")).kernels)
      there += "\n  " + demangled(one);
    throw UsageError(fmt::format("{}: error: there is no kernel '{}'; there {}{}\nthe compiler "
                                 "says: {}",
                                 source_, kernel_, there.empty() ? "is none" : "are:", there,
                                 messages));
  }

  std::string assemble(const std::string& ptx) const {
    const fs::path image = folder_.path() / "image";
    const process::CommandResult result =
        start({"-cubin", write("kernel.ptx", for_assembler(ptx)).string(), "-o", image.string()});
    if (result.exit_code != 0)
      throw failure(result.output);
    return model::read_text(image).value_or("");
  }

  fs::path depfile() const { return folder_.path() / "inputs.d"; }

  // Returns the folder of the kept code; empty: nothing is kept.
  fs::path kept() const {
    const fs::path cache = model::cache_folder();
    if (cache.empty())
      return {};
    return cache / "cuda" /
           store::content_hash(fmt::format("{}\n{}\n{}", compiler_print(program_),
                                           fmt::join(options_, "\n"), whole_));
  }

  std::optional<DeviceCode> find() const {
    const fs::path folder = kept();
    const auto inputs = model::read_text(folder / "inputs.txt");
    if (folder.empty() || !inputs || !are_unchanged(*inputs))
      return std::nullopt;
    DeviceCode code{.image = model::read_text(folder / "image").value_or(""),
                    .kernel = {},
                    .variables = {},
                    .log = model::read_text(folder / "log.txt").value_or("")};
    std::istringstream names(model::read_text(folder / "names.txt").value_or(""));
    std::getline(names, code.kernel);
    for (std::string name; std::getline(names, name);)
      code.variables.push_back(name);
    if (code.image.empty() || code.kernel.empty())
      return std::nullopt;
    return code;
  }

  // Keeps the code. A cache that cannot be written is ignored.
  void keep(const DeviceCode& code) const try {
    std::vector<fs::path> files = files_of_rule(depfile());
    const fs::path folder = kept();
    if (folder.empty() || files.empty())
      return;
    std::erase_if(files,
                  [&](const fs::path& file) { return file.parent_path() == folder_.path(); });
    fs::create_directories(folder);
    std::string names = code.kernel + '\n';
    for (const std::string& variable : code.variables)
      names += variable + '\n';
    model::write_atomically(folder / "image", code.image);
    model::write_atomically(folder / "names.txt", names);
    model::write_atomically(folder / "log.txt", code.log);
    // Written last, when all is there.
    model::write_atomically(folder / "inputs.txt", record_inputs(files));
  } catch (const std::exception&) {
  }

  const fs::path& program_;
  const std::string& text_;
  const BuildSettings& settings_;
  const std::string &kernel_, &source_;
  const Target& target_;
  std::vector<std::string> options_;
  std::string whole_;
  process::ScratchFolder folder_{"gputest-nvcc"};
};

} // namespace

Compiler::Compiler() {
  for (const fs::path& place : places_of_compiler()) {
    std::error_code ignored;
    const fs::path program = place / "nvcc";
    if (fs::is_regular_file(program, ignored) && ::access(program.c_str(), X_OK) == 0) {
      program_ = program;
      return;
    }
  }
  throw NoDevice("no CUDA compiler (nvcc): put it into PATH, or set CUDAToolkit_ROOT to the folder "
                 "above its bin");
}

std::string Compiler::version() const {
  const std::string text = process::run_command({program_.string(), "--version"}).output;
  const std::size_t release = text.find("release ");
  const std::size_t begin = release == std::string::npos ? release : text.find(" V", release);
  return begin == std::string::npos
             ? ""
             : text.substr(begin + 1, text.find_first_of(" \n", begin + 1) - begin - 1);
}

DeviceCode Compiler::compile(const std::string& text, const BuildSettings& settings,
                             const std::string& kernel, const std::string& source,
                             const Target& target) const {
  return Compilation(program_, text, settings, kernel, source, target).run();
}

} // namespace gputest::runtime::cuda
