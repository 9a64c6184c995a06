#include "runtime/program.h"

#include <fmt/format.h>
#include <fstream>
#include <sstream>

namespace gputest::runtime {
namespace {

// Compilers split options at spaces, and honour double quotes.
std::string quoted(const std::string& option) {
  return option.find(' ') == std::string::npos ? option : '"' + option + '"';
}

} // namespace

std::string BuildSettings::options() const {
  std::vector<std::string> options = build_options;
  if (!cl_std.empty())
    options.push_back("-cl-std=" + cl_std);
  for (const std::string& definition : definitions)
    options.push_back("-D" + quoted(definition));
  for (const std::filesystem::path& folder : include_dirs)
    options.push_back("-I" + quoted(folder.string()));
  return fmt::format("{}", fmt::join(options, " "));
}

BuiltProgram build_program(const Context& context, const std::string& text,
                           const std::string& options, const std::string& name) {
  BuiltProgram built;
  built.program = checked(name, [&] { return cl::Program(context.context, text); });
  const auto log = [&] {
    return built.program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(context.device.device);
  };
  try {
    built.program.build({context.device.device}, options.c_str());
  } catch (const cl::Error& error) { // cl::BuildError is one
    std::string text_of_log;
    try {
      text_of_log = log();
    } catch (const cl::Error&) {
      text_of_log = "(the device gives no build log)";
    }
    throw BuildError(fmt::format("{}: error: does not build for {} with options '{}' ({})", name,
                                 context.device.name, options, error_name(error.err())),
                     text_of_log);
  }
  built.log = checked(name, log);
  return built;
}

std::string read_source(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream || std::filesystem::is_directory(file))
    throw UsageError(fmt::format("{}: error: cannot be read", file.string()));
  std::ostringstream text;
  text << "#line 1 \"" << file.string() << "\"\n" << stream.rdbuf();
  return std::move(text).str();
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
