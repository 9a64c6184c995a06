// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/machine/opencl/program.h"

#include "model/spirv/module.h"
#include "process/scratch_folder.h"
#include "runtime/machine/opencl/device_features.h"
#include "runtime/machine/opencl/pocl.h"
#include "runtime/machine/opencl/pocl_header.h"

#include <algorithm>
#include <atomic>
#include <cctype>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <iterator>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>

namespace gputest::runtime {
namespace {

namespace fs = std::filesystem;

constexpr cl_device_info kIlVersion = 0x105B; // CL_DEVICE_IL_VERSION (OpenCL 2.1)

// Makes links without spaces to folders with spaces. The destructor removes them.
class FolderLinks {
public:
  fs::path without_spaces(const fs::path& folder) {
    if (folder.string().find(' ') == std::string::npos)
      return folder;
    if (!folder_)
      folder_.emplace("gputest-include");
    const fs::path link = folder_->path() / std::to_string(count_++);
    fs::create_directory_symlink(fs::absolute(folder), link);
    return link;
  }

private:
  std::optional<process::ScratchFolder> folder_;
  int count_ = 0;
};

// Compilers split their options at spaces, and some mind other characters.
bool is_plain(const std::string& definition) {
  return std::ranges::all_of(definition, [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("_=.+-").find(static_cast<char>(c)) != std::string_view::npos;
  });
}

std::string options_of(const BuildSettings& settings, FolderLinks& links) {
  std::vector<std::string> options = settings.build_options;
  if (settings.signature)
    options.push_back("-cl-kernel-arg-info");
  if (!settings.cl_std.empty())
    options.push_back("-cl-std=" + settings.cl_std);
  for (const std::string& definition : settings.definitions)
    if (is_plain(definition))
      options.push_back("-D" + definition);
  for (const fs::path& folder : settings.include_dirs)
    options.push_back("-I" + links.without_spaces(folder).string());
  return fmt::format("{}", fmt::join(options, " "));
}

// Returns the definitions that cannot be options, a line each.
std::string prelude_of(const BuildSettings& settings) {
  std::string prelude;
  for (const std::string& definition : settings.definitions)
    if (!is_plain(definition))
      prelude += macro_line(definition);
  return prelude;
}

// NVIDIA's compiler ignores #line in its messages: "<kernel>:4:12" is the fourth line of the text
// that it got. Returns messages that name the file, and count without the `lines_before` it.
std::string with_places(const std::string& log, const std::string& name, long lines_before) {
  constexpr std::string_view kPlace = "<kernel>:";
  std::string text;
  std::size_t from = 0;
  for (std::size_t at = 0; (at = log.find(kPlace, from)) != std::string::npos;) {
    const char* number = log.c_str() + at + kPlace.size();
    char* end = nullptr;
    const long line = std::strtol(number, &end, 10);
    text += log.substr(from, at - from);
    text +=
        line > lines_before ? fmt::format("{}:{}", name, line - lines_before) : std::string(kPlace);
    from = line > lines_before ? static_cast<std::size_t>(end - log.c_str()) : at + kPlace.size();
  }
  return text + log.substr(from);
}

} // namespace

// Throws NoDevice if the device has no compiler for the version of C++ for OpenCL. Its name among
// the versions is "C++ for OpenCL", or the extension tells.
static void expect_language(const Context& context, const BuildSettings& settings,
                            const std::string& name) {
  if (!model::row_of(settings.language).is_cpp)
    return;
  const auto& device = context.device.device;
  if (device.getInfo<CL_DEVICE_EXTENSIONS>().find("cl_ext_cxx_for_opencl") == std::string::npos)
    throw NoDevice(fmt::format("{} does not compile {}, which is C++ for OpenCL "
                               "(cl_ext_cxx_for_opencl)",
                               context.device.name, name));
}

// Returns a program of a SPIR-V module. Throws NoDevice if the device takes none.
static cl::Program program_of_spirv(const Context& context, const std::string& bytes,
                                    const std::string& name) {
  const auto& device = context.device.device;
  std::string versions;
  try {
    device.getInfo(kIlVersion, &versions);
  } catch (const cl::Error&) { // OpenCL 2.0 and before
    versions.clear();
  }
  if (versions.find("SPIR-V") == std::string::npos)
    throw NoDevice(fmt::format("{} does not take {}, which is SPIR-V (CL_DEVICE_IL_VERSION)",
                               context.device.name, name));
  cl_int error = CL_SUCCESS;
  cl_program program = clCreateProgramWithIL(context.context(), bytes.data(), bytes.size(), &error);
  if (error != CL_SUCCESS)
    throw cl::Error(error, "clCreateProgramWithIL");
  return cl::Program(program);
}

// For a source that does not build: throws NoDevice if it uses what the device lacks.
static void expect_features(const Context& context, const std::string& text,
                            const std::string& name, const FailedBuild& failed) {
  if (const auto feature = missing_feature(context.device.device(), text, failed))
    throw NoDevice(
        fmt::format("{} does not compile {}, which needs {}", context.device.name, name, *feature));
}

// Returns whether a log tells what is wrong with the source. PoCL's does not if its cache cannot be
// written for a moment: the log says that the device failed, and no more.
static bool names_an_error(std::string log) {
  std::ranges::transform(log, log.begin(), [](unsigned char c) { return std::tolower(c); });
  return log.find("error") != std::string::npos;
}

// Pauses before a program is built again, and returns whether it is worth it: a device that has
// failed for no reason again and again is not waited for in each build of the process.
static bool waits_for_compiler() {
  constexpr std::chrono::milliseconds kPauses[]{std::chrono::milliseconds(100),
                                                std::chrono::milliseconds(400),
                                                std::chrono::milliseconds(1500)};
  static std::atomic<std::size_t> paused = 0;
  const std::size_t number = paused++;
  if (number >= std::size(kPauses))
    return false;
  std::this_thread::sleep_for(kPauses[number]);
  return true;
}

BuiltProgram build_program(const Context& context, const std::string& text,
                           const BuildSettings& settings, const std::string& name) {
  expect_language(context, settings, name);
  FolderLinks links;
  const std::string options = options_of(settings, links);
  const std::string prelude = prelude_of(settings);
  const std::string whole = prelude + text;
  const std::optional<std::string> spirv = model::spirv_of_text(text);
  const long lines_before =
      std::ranges::count(prelude, '\n') + (text.starts_with("#line 1 ") ? 1 : 0);
  BuiltProgram built;
  const auto log = [&] {
    return with_places(built.program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(context.device.device),
                       name, lines_before);
  };
  std::optional<NeededDeclarations> needed;
  if (speeds_up_pocl() && !spirv && !model::row_of(settings.language).is_cpp)
    needed = needed_declarations(context.device, whole, options);
  for (bool is_built = false; !is_built;)
    try {
      built.program = checked(name, [&] {
        return spirv ? program_of_spirv(context, *spirv, name)
                     : cl::Program(context.context, needed ? needed->text + whole : whole);
      });
      built.program.build({context.device.device},
                          (needed ? options + ' ' + needed->option : options).c_str());
      is_built = true;
    } catch (const cl::Error& error) { // cl::BuildError is one
      // A function may have come from elsewhere, and messages must be those for the text alone.
      if (std::exchange(needed, std::nullopt))
        continue;
      std::string text_of_log;
      try {
        text_of_log = log();
      } catch (const cl::Error&) {
        text_of_log = "(the device gives no build log)";
      }
      if (error.err() == CL_BUILD_PROGRAM_FAILURE && !names_an_error(text_of_log) &&
          waits_for_compiler()) {
        fmt::print(stderr, "note: {} failed to build {}, and does not say why: it is built again\n",
                   context.device.name, name);
        continue;
      }
      expect_features(context, text, name, {text_of_log, settings.cl_std});
      throw BuildError(fmt::format("{}: error: does not build for {} with options '{}' ({})", name,
                                   context.device.name, options, error_name(error.err())),
                       text_of_log);
    }
  built.log = checked(name, log);
  return built;
}

cl::Kernel make_kernel(const BuiltProgram& program, const std::string& kernel,
                       const std::string& source) {
  try {
    return cl::Kernel(program.program, kernel.c_str());
  } catch (const cl::Error& error) {
    if (error.err() != CL_INVALID_KERNEL_NAME)
      throw device_error(error, source);
  }
  std::string names =
      checked(source, [&] { return program.program.getInfo<CL_PROGRAM_KERNEL_NAMES>(); });
  for (std::size_t at = 0; (at = names.find(';', at)) != std::string::npos; at += 2)
    names.replace(at, 1, ", ");
  throw UsageError(fmt::format("{}: error: there is no kernel '{}'; there are: {}", source, kernel,
                               names.empty() ? "none" : names));
}

} // namespace gputest::runtime
