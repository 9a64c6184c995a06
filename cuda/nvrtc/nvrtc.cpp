// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NVRTC. gputest-cuda compiles; it is in bin/ beside the folder of this library.
#include "cuda/include/nvrtc.h"

#include "cuda/nvrtc/kept_result.h"
#include "cuda/nvrtc/options.h"
#include "ir/cuda/image.h"
#include "model/files.h"
#include "model/name_below.h"
#include "model/text/depfile.h"
#include "process/command.h"
#include "process/scratch_folder.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace fs = std::filesystem;
namespace nvrtc = gputest::cuda::nvrtc;

struct _nvrtcProgram { // NOLINT: the published name
  std::string source, name;
  std::map<std::string, std::string> headers; // by the names that sources include them by
  std::vector<std::string> expressions;
  bool compiled = false; // nvrtcCompileProgram() was called
  std::string image, log;
  bool for_gpu = false;    // of a real architecture: there is a cubin
  bool for_linker = false; // asks for LTO code, which is not made here
  std::map<std::string, std::string> lowered;
};

namespace {

std::string bytes_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

fs::path compiler() {
  if (const char* const named = std::getenv("GPUTEST_CUDA_COMPILER"); named && *named)
    return named;
  Dl_info here;
  if (::dladdr(reinterpret_cast<const void*>(&nvrtcVersion), &here) == 0)
    return "gputest-cuda";
  return fs::weakly_canonical(here.dli_fname).parent_path().parent_path() / "bin" / "gputest-cuda";
}

// Runs the compiler, whose output becomes the log, and returns its exit code.
int run(const std::vector<std::string>& command, const std::map<std::string, std::string>& settings,
        std::string& log) {
  gputest::process::CommandResult result;
  gputest::process::Tries tries;
  do {
    result = gputest::process::run_command(command, settings);
  } while (tries.again(result.ended, command[0]));
  log = result.output + tries.given_up();
  return result.exit_code;
}

// Whether a header's name, which may have folders, stays within the folder.
bool write_headers(const _nvrtcProgram& program, const fs::path& folder) {
  for (const auto& [name, text] : program.headers) {
    const fs::path file = (folder / name).lexically_normal();
    if (!gputest::model::name_below(file, folder))
      return false;
    fs::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
  }
  return true;
}

void write_source(const _nvrtcProgram& program, bool for_device, const fs::path& file) {
  std::ofstream stream(file, std::ios::binary);
  if (for_device)
    stream << "#pragma clang force_cuda_host_device begin\n";
  stream << "#line 1 \"" << program.name << "\"\n" << program.source << "\n";
  if (for_device)
    stream << "#pragma clang force_cuda_host_device end\n";
  for (std::size_t i = 0; i < program.expressions.size(); ++i)
    stream << "#line 1 \"name expression\"\nextern \"C\" { __device__ const void* gputest_name_"
           << i << " = (const void*)(" << program.expressions[i] << "); }\n";
}

// All that decides what is compiled, but for the content of the files that the source includes.
std::vector<std::string> parts_of(const _nvrtcProgram& program, const nvrtc::Options& options) {
  const auto variable = [](const char* name) {
    const char* const value = std::getenv(name);
    return std::string(value ? value : "");
  };
  std::vector<std::string> parts{compiler().string(),
                                 gputest::model::state_of(compiler()),
                                 fs::current_path().string(),
                                 variable("CPATH"),
                                 variable("CPLUS_INCLUDE_PATH"),
                                 variable("GPUTEST_CLANG"),
                                 variable("GPUTEST_CUDA_TOOLKIT"),
                                 options.default_device ? "device" : "",
                                 std::to_string(options.compiler.size())};
  parts.insert(parts.end(), options.compiler.begin(), options.compiler.end());
  parts.insert(parts.end(), {program.name, program.source});
  parts.insert(parts.end(), program.expressions.begin(), program.expressions.end());
  for (const auto& [name, text] : program.headers)
    parts.insert(parts.end(), {"header", name, text});
  return parts;
}

// Gives the program what its compilation gave.
void take(_nvrtcProgram& program, nvrtc::Result result) {
  program.image = std::move(result.image);
  program.log = std::move(result.log);
  for (std::size_t i = 0; i < program.expressions.size(); ++i)
    program.lowered[program.expressions[i]] = std::move(result.lowered[i]);
}

nvrtcResult compile(_nvrtcProgram& program, const std::vector<std::string>& given) {
  const nvrtc::Options options = nvrtc::read_options(given);
  program.log = options.wrong;
  if (!options.wrong.empty())
    return NVRTC_ERROR_INVALID_OPTION;
  program.for_gpu = options.for_gpu;
  program.for_linker = std::ranges::any_of(given, [](const std::string& option) {
    return option == "-dlto" || option == "--dlink-time-opt";
  });
  const nvrtc::KeptResults kept(parts_of(program, options));
  if (auto result = kept.find(); result && result->lowered.size() == program.expressions.size()) {
    take(program, std::move(*result));
    return NVRTC_SUCCESS;
  }
  const gputest::process::ScratchFolder folder("gputest-nvrtc");
  const fs::path headers = folder.path() / "headers", source = folder.path() / "source.cu",
                 image = folder.path() / "image", names = folder.path() / "names",
                 rule = folder.path() / "rule";
  if (!write_headers(program, headers)) {
    program.log = "nvrtc: error: the name of a header leaves the folder of headers\n";
    return NVRTC_ERROR_INVALID_INPUT;
  }
  write_source(program, options.default_device, source);
  std::vector<std::string> command{compiler(), "-ptx",         source.string(),
                                   "-o",       image.string(), "-MD",
                                   "-MF",      rule.string(),  "-D__CUDACC_RTC__=1"};
  // The header of CUDA is kept for each set of folders: for one that goes, that is a waste.
  std::map<std::string, std::string> settings;
  if (!program.headers.empty()) {
    command.insert(command.end(), {"-iquote", headers.string(), "-I", headers.string()});
    settings["GPUTEST_CUDA_KEPT_HEADERS"] = "0";
  }
  command.insert(command.end(), options.compiler.begin(), options.compiler.end());
  // Behind the headers of C++, because <limits> is not a program of that name in this folder.
  const std::string here = fs::current_path().string();
  command.insert(command.end(), {"-iquote", here, "-idirafter", here});
  if (!program.expressions.empty())
    command.push_back("--gputest-names=" + names.string());
  nvrtc::Result result;
  const auto begin = fs::file_time_type::clock::now();
  const int failed = run(command, settings, result.log);
  if (failed) {
    program.log = result.log;
    return failed == 127                                 ? NVRTC_ERROR_INTERNAL_ERROR
           : program.log.starts_with("name expression:") ? NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID
                                                         : NVRTC_ERROR_COMPILATION;
  }
  result.image = bytes_of(image);
  std::ifstream lowered(names);
  result.lowered.resize(program.expressions.size());
  for (std::string& name : result.lowered)
    std::getline(lowered, name);
  std::vector<std::string> files = gputest::model::depfile_names(bytes_of(rule));
  std::erase_if(files, [&](const std::string& file) {
    return gputest::model::name_below(file, folder.path()).has_value();
  });
  kept.keep(result, files, begin);
  take(program, std::move(result));
  return NVRTC_SUCCESS;
}

std::string cubin_of(const _nvrtcProgram& program) {
  if (!program.for_gpu)
    return "";
  return gputest::ir::cuda::container_of_image(program.image.c_str()).value_or("");
}

nvrtcResult give(const std::string& what, std::size_t size, char* to) {
  if (!to)
    return NVRTC_ERROR_INVALID_INPUT;
  std::memcpy(to, what.c_str(), size);
  return NVRTC_SUCCESS;
}

template <typename What> nvrtcResult of(nvrtcProgram program, What&& what) {
  if (!program)
    return NVRTC_ERROR_INVALID_PROGRAM;
  try {
    return what(*program);
  } catch (const std::bad_alloc&) {
    return NVRTC_ERROR_OUT_OF_MEMORY;
  } catch (const std::exception& error) {
    program->log = std::string("nvrtc: error: ") + error.what() + "\n";
    return NVRTC_ERROR_INTERNAL_ERROR;
  }
}

template <typename What> nvrtcResult of_compiled(nvrtcProgram program, What&& what) {
  return of(program, [&](_nvrtcProgram& one) {
    return one.image.empty() ? NVRTC_ERROR_INVALID_PROGRAM : what(one);
  });
}

} // namespace

extern "C" {
const char* nvrtcGetErrorString(nvrtcResult result) {
  switch (result) {
#define GPUTEST_NVRTC_RESULT(name)                                                                 \
  case name:                                                                                       \
    return #name;
    GPUTEST_NVRTC_RESULT(NVRTC_SUCCESS)
    GPUTEST_NVRTC_RESULT(NVRTC_ERROR_OUT_OF_MEMORY)
    GPUTEST_NVRTC_RESULT(NVRTC_ERROR_PROGRAM_CREATION_FAILURE)
    GPUTEST_NVRTC_RESULT(NVRTC_ERROR_INVALID_INPUT)
    GPUTEST_NVRTC_RESULT(NVRTC_ERROR_INVALID_PROGRAM)
    GPUTEST_NVRTC_RESULT(NVRTC_ERROR_INVALID_OPTION)
    GPUTEST_NVRTC_RESULT(NVRTC_ERROR_COMPILATION)
    GPUTEST_NVRTC_RESULT(NVRTC_ERROR_BUILTIN_OPERATION_FAILURE)
    GPUTEST_NVRTC_RESULT(NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION)
    GPUTEST_NVRTC_RESULT(NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION)
    GPUTEST_NVRTC_RESULT(NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID)
    GPUTEST_NVRTC_RESULT(NVRTC_ERROR_INTERNAL_ERROR)
    GPUTEST_NVRTC_RESULT(NVRTC_ERROR_TIME_FILE_WRITE_FAILED)
    GPUTEST_NVRTC_RESULT(NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED)
    GPUTEST_NVRTC_RESULT(NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED)
    GPUTEST_NVRTC_RESULT(NVRTC_ERROR_PCH_CREATE)
    GPUTEST_NVRTC_RESULT(NVRTC_ERROR_CANCELLED)
#undef GPUTEST_NVRTC_RESULT
  }
  return "NVRTC_ERROR unknown";
}
nvrtcResult nvrtcVersion(int* major, int* minor) {
  if (!major || !minor)
    return NVRTC_ERROR_INVALID_INPUT;
  *major = 12;
  *minor = 5;
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetNumSupportedArchs(int* count) {
  if (!count)
    return NVRTC_ERROR_INVALID_INPUT;
  *count = 1;
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetSupportedArchs(int* architectures) {
  if (!architectures)
    return NVRTC_ERROR_INVALID_INPUT;
  *architectures = 80; // that of the device
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcCreateProgram(nvrtcProgram* program, const char* source, const char* name,
                               int headerCount, const char* const* headers,
                               const char* const* includeNames) {
  if (!program || !source || headerCount < 0 || (headerCount > 0 && (!headers || !includeNames)))
    return NVRTC_ERROR_INVALID_INPUT;
  auto made = std::make_unique<_nvrtcProgram>();
  made->source = source;
  made->name = name && *name ? name : "default_program";
  for (int i = 0; i < headerCount; ++i)
    made->headers[includeNames[i]] = headers[i];
  *program = made.release();
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcDestroyProgram(nvrtcProgram* program) {
  if (!program || !*program)
    return NVRTC_ERROR_INVALID_PROGRAM;
  delete *program;
  *program = nullptr;
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcAddNameExpression(nvrtcProgram program, const char* expression) {
  return of(program, [&](_nvrtcProgram& one) {
    if (!expression)
      return NVRTC_ERROR_INVALID_INPUT;
    if (one.compiled)
      return NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
    if (std::ranges::find(one.expressions, expression) == one.expressions.end())
      one.expressions.emplace_back(expression);
    return NVRTC_SUCCESS;
  });
}
nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int optionCount, const char* const* options) {
  return of(program, [&](_nvrtcProgram& one) {
    if (optionCount < 0 || (optionCount > 0 && !options))
      return NVRTC_ERROR_INVALID_INPUT;
    one.compiled = true;
    one.image.clear();
    return compile(one, {options, options + optionCount});
  });
}
nvrtcResult nvrtcGetLoweredName(nvrtcProgram program, const char* expression, const char** name) {
  return of(program, [&](_nvrtcProgram& one) {
    if (!expression || !name)
      return NVRTC_ERROR_INVALID_INPUT;
    if (one.image.empty())
      return NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
    const auto found = one.lowered.find(expression);
    if (found == one.lowered.end())
      return NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
    *name = found->second.c_str();
    return NVRTC_SUCCESS;
  });
}
// Sizes of texts include the terminating zero.
nvrtcResult nvrtcGetPTXSize(nvrtcProgram program, size_t* size) {
  return of_compiled(program, [&](_nvrtcProgram& one) {
    *size = one.image.size() + 1;
    return NVRTC_SUCCESS;
  });
}
nvrtcResult nvrtcGetPTX(nvrtcProgram program, char* text) {
  return of_compiled(
      program, [&](_nvrtcProgram& one) { return give(one.image, one.image.size() + 1, text); });
}
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, size_t* size) {
  return of_compiled(program, [&](_nvrtcProgram& one) {
    *size = cubin_of(one).size();
    return NVRTC_SUCCESS;
  });
}
nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char* code) {
  return of_compiled(program, [&](_nvrtcProgram& one) {
    const std::string cubin = cubin_of(one);
    return give(cubin, cubin.size(), code);
  });
}
// There is no such code here: sizes are 0, and a program that asked for it gets an error.
nvrtcResult nvrtcGetLTOIRSize(nvrtcProgram program, size_t* size) {
  return of_compiled(program, [&](_nvrtcProgram& one) {
    if (!size)
      return NVRTC_ERROR_INVALID_INPUT;
    *size = 0;
    return one.for_linker ? NVRTC_ERROR_INVALID_PROGRAM : NVRTC_SUCCESS;
  });
}
nvrtcResult nvrtcGetLTOIR(nvrtcProgram program, char* code) {
  return of_compiled(program, [&](_nvrtcProgram& one) {
    if (!code)
      return NVRTC_ERROR_INVALID_INPUT;
    return one.for_linker ? NVRTC_ERROR_INVALID_PROGRAM : NVRTC_SUCCESS;
  });
}
nvrtcResult nvrtcGetOptiXIRSize(nvrtcProgram program, size_t* size) {
  return of_compiled(program, [&](_nvrtcProgram&) {
    if (!size)
      return NVRTC_ERROR_INVALID_INPUT;
    *size = 0;
    return NVRTC_SUCCESS;
  });
}
nvrtcResult nvrtcGetOptiXIR(nvrtcProgram program, char* code) {
  return of_compiled(
      program, [&](_nvrtcProgram&) { return code ? NVRTC_SUCCESS : NVRTC_ERROR_INVALID_INPUT; });
}
nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, size_t* size) {
  return of(program, [&](_nvrtcProgram& one) {
    *size = one.log.size() + 1;
    return NVRTC_SUCCESS;
  });
}
nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char* log) {
  return of(program, [&](_nvrtcProgram& one) { return give(one.log, one.log.size() + 1, log); });
}
}
