// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "hostgen/harness.h"

#include "embedded/harness_cpp_in.h"
#include "hostgen/cpp_text.h"
#include "hostgen/reference.h"
#include "hostgen/reference_skeleton.h"
#include "model/kernel_name.h"
#include "model/launches/reference_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>

namespace gputest::hostgen {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> relative_paths(const std::vector<fs::path>& paths,
                                        const fs::path& directory) {
  std::vector<std::string> relative;
  for (const fs::path& path : paths)
    relative.push_back(relative_path(path, directory));
  return relative;
}

// Returns notes for an error, one for each kernel.
std::string kernel_notes(const model::Interface& interface) {
  std::string notes;
  for (const model::KernelInterface& kernel : interface.kernels)
    notes += fmt::format("\n{}:{}: note: kernel '{}'", kernel.file, kernel.line, kernel.name);
  return notes;
}

// Returns "name" for "name=3.5" and "name:size=4".
std::string_view argument_name(std::string_view specification) {
  return specification.substr(0, specification.find_first_of("=:"));
}

void check_arguments(const model::KernelInterface& kernel,
                     const std::vector<std::string>& specifications) {
  for (const std::string& specification : specifications) {
    const std::string_view name = argument_name(specification);
    if (name.size() == specification.size())
      throw HarnessError(fmt::format("{}:{}: error: argument '{}': write name=value, or "
                                     "name:size=…,fill=…",
                                     kernel.file, kernel.line, specification));
    if (kernel.find(name))
      continue;
    std::vector<std::string_view> names;
    for (const model::Argument& argument : kernel.arguments)
      names.push_back(argument.name);
    throw HarnessError(fmt::format(
        "{}:{}: error: kernel '{}' has no argument '{}'; it has: {}", kernel.file, kernel.line,
        kernel.name, name, names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
  }
}

// Throws where the reference kernel cannot be launched in the place of the kernel.
void check_reference_kernel(const model::KernelInterface& kernel, const HarnessSettings& settings) {
  if (settings.reference_dir.empty())
    return;
  const model::Interface interface =
      model::read_interface(settings.reference_dir / "interface.json");
  try {
    model::reference_arguments(model::reference_kernel(interface, settings.reference_kernel),
                               settings.reference_arguments, kernel);
    model::reference_sizes("GLOBAL_SIZE", settings.reference_global_size, kernel);
    model::reference_sizes("LOCAL_SIZE", settings.reference_local_size, kernel);
  } catch (const model::ReferenceKernelError& error) {
    throw HarnessError(
        fmt::format("{}: error: {}", settings.reference_source.string(), error.what()));
  }
}

// Returns "name:size=64,file=a.npy" and "name=a.npy" with the file's path relative to the
// executable.
std::string with_relative_file(const std::string& specification, const fs::path& directory) {
  static const std::regex file_key("^([^=:]+:(?:.*,)?file=)([^,]+)(.*)$");
  static const std::regex file_alone("^([^=:]+=)(.+\\.npy)()$");
  std::smatch parts;
  if (!std::regex_match(specification, parts, file_key) &&
      !std::regex_match(specification, parts, file_alone))
    return specification;
  return parts[1].str() + relative_path(parts[2].str(), directory) + parts[3].str();
}

void check_include(const std::string& path) {
  if (path.find_first_of("\"\n\r") != std::string::npos)
    throw HarnessError(
        fmt::format("{}: error: C++ cannot include a file of this name; rename it", path));
}

std::vector<std::string> number_literals(const std::vector<std::size_t>& numbers) {
  std::vector<std::string> literals;
  for (const std::size_t number : numbers)
    literals.push_back(fmt::format("{}", number));
  return literals;
}

std::vector<std::string> tolerance_initialisers(const HarnessSettings& settings) {
  std::vector<std::string> initialisers;
  if (settings.absolute)
    initialisers.push_back(".absolute = " + number_literal(*settings.absolute));
  if (settings.relative)
    initialisers.push_back(".relative = " + number_literal(*settings.relative));
  if (settings.ulp)
    initialisers.push_back(fmt::format(".ulp = {}u", *settings.ulp));
  return initialisers;
}

std::vector<std::string> setting_initialisers(const HarnessSettings& settings) {
  std::vector<std::string> initialisers;
  for (const model::NamedSetting& named : settings.settings) {
    const bool is_file = named.setting.kind == model::ValueKind::File;
    initialisers.push_back(fmt::format(
        "{{{}, {}}}", string_literal(fmt::format("{}.{}", named.analysis.name, named.setting.name)),
        string_literal(is_file ? relative_path(named.value, settings.executable_dir)
                               : named.value)));
  }
  return initialisers;
}

std::vector<std::string> reference_kernel_initialisers(const HarnessSettings& settings) {
  const auto text = [&](const fs::path& path) {
    return string_literal(relative_path(path, settings.executable_dir));
  };
  std::vector<std::string> initialisers{
      fmt::format(".source = {}", text(settings.reference_source)),
      fmt::format(".kernel = {}", string_literal(settings.reference_kernel)),
      fmt::format(".dir = {}", text(settings.reference_dir))};
  const auto add = [&](const char* field, const std::vector<std::string>& texts) {
    std::vector<std::string> literals;
    for (const std::string& one : texts)
      literals.push_back(string_literal(one));
    if (!literals.empty())
      initialisers.push_back(
          fmt::format(".{} = {{{}}}", field, fmt::format("{}", fmt::join(literals, ", "))));
  };
  add("global_size", settings.reference_global_size);
  add("local_size", settings.reference_local_size);
  add("arguments", settings.reference_arguments);
  return initialisers;
}

std::string description(const model::KernelInterface& kernel, const HarnessSettings& settings) {
  const auto seen_from_executable = [&](const fs::path& path) {
    return relative_path(path, settings.executable_dir);
  };
  DesignatedInitialisers fields(6);
  fields.add_text("name", settings.name.empty() ? kernel.name : settings.name);
  fields.add_text("source", seen_from_executable(settings.source));
  fields.add_text("kernel", kernel.name);
  fields.add_text("function", settings.function);
  fields.add_text("kernel_dir", seen_from_executable(settings.kernel_dir));
  fields.add_text("user_interface", seen_from_executable(settings.user_interface));
  fields.add_list("global_size", number_literals(settings.global_size));
  fields.add_list("local_size", number_literals(settings.local_size));
  fields.add_list("global_offset", number_literals(settings.global_offset));
  if (settings.shared_memory != 0)
    fields.add("shared_memory", fmt::format("{}", settings.shared_memory));
  if (settings.lock_step != 0)
    fields.add("lock_step", fmt::format("{}", settings.lock_step));
  std::vector<std::string> arguments;
  for (const std::string& specification : settings.arguments)
    arguments.push_back(with_relative_file(specification, settings.executable_dir));
  fields.add_texts("arguments", arguments);
  fields.add_texts("requirements", settings.requirements);
  fields.add_texts("test_cases", relative_paths(settings.test_cases, settings.executable_dir));
  if (settings.has_case_of_arguments)
    fields.add("has_case_of_arguments", "true");
  fields.add_list("tolerance", tolerance_initialisers(settings));
  fields.add_texts("build_options", settings.build_options);
  fields.add_texts("definitions", settings.definitions);
  fields.add_texts("include_dirs", relative_paths(settings.include_dirs, settings.executable_dir));
  fields.add_text("cl_std", settings.cl_std);
  if (settings.timeout)
    fields.add("timeout", number_literal(*settings.timeout));
  fields.add_text("device", settings.device);
  fields.add_list("settings", setting_initialisers(settings));
  fields.add_text("driver", seen_from_executable(settings.driver));
  fields.add_text("simulator", seen_from_executable(settings.simulator));
  if (!settings.reference.empty())
    fields.add("reference", calling_lambda(kReference, kernel, 6));
  if (settings.reference_host)
    fields.add("reference", fmt::format("[](const gputest::ReferenceCall& call) {{\n{:8}"
                                        "call.run_on_host({});\n{:6}}}",
                                        "", model::host_version_name(settings.function), ""));
  if (!settings.reference_source.empty())
    fields.add_list("reference_kernel", reference_kernel_initialisers(settings));
  if (!settings.property.empty())
    fields.add("property", calling_lambda(kProperty, kernel, 6));
  return fields.text();
}

} // namespace

std::string relative_path(const fs::path& path, const fs::path& directory) {
  if (path.empty())
    return {};
  // The operating system resolves links before "..", so this does the same.
  const fs::path from = fs::weakly_canonical(fs::absolute(directory));
  const fs::path absolute = fs::absolute(path);
  const fs::path to = fs::is_directory(absolute) || !absolute.has_filename()
                          ? fs::weakly_canonical(absolute)
                          : fs::weakly_canonical(absolute.parent_path()) / absolute.filename();
  const bool related = std::next(from.begin()) != from.end() && std::next(to.begin()) != to.end() &&
                       *std::next(from.begin()) == *std::next(to.begin());
  return (related ? to.lexically_relative(from) : to).generic_string();
}

const model::KernelInterface& choose_kernel(const model::Interface& interface,
                                            const HarnessSettings& settings) {
  const std::string name =
      settings.function.empty() ? settings.kernel : model::wrapper_name(settings.function);
  if (!name.empty()) {
    if (const model::KernelInterface* kernel = interface.find(name))
      return *kernel;
    throw HarnessError(fmt::format("{}: error: no kernel '{}'; there {}", interface.source, name,
                                   interface.kernels.empty() ? "is none" : "are:") +
                       kernel_notes(interface));
  }
  if (interface.kernels.empty())
    throw HarnessError(fmt::format("{}: error: no kernel in this file; to test a device function, "
                                   "give --function (in CMake: FUNCTION)",
                                   interface.source));
  if (interface.kernels.size() > 1)
    throw HarnessError(fmt::format("{}: error: {} kernels; say with --kernel (in CMake: KERNEL) "
                                   "which to test:",
                                   interface.source, interface.kernels.size()) +
                       kernel_notes(interface));
  return interface.kernels.front();
}

std::string generate_harness(const model::Interface& interface, const HarnessSettings& settings) {
  const model::KernelInterface& kernel = choose_kernel(interface, settings);
  check_arguments(kernel, settings.arguments);
  check_reference_kernel(kernel, settings);

  const std::string tested = settings.function.empty() ? kernel.name : settings.function;
  const std::string plain = model::plain_name(tested);
  const std::string fields = description(kernel, settings); // knows which types can be passed
  std::string headers, includes, callers;
  const auto add = [&](const UserFunction& function, const fs::path& file,
                       const std::string& given) {
    if (file.empty())
      return;
    const std::string path = relative_path(file, settings.executable_dir);
    const std::string name = given.empty() ? fmt::format("{}_{}", plain, function.what) : given;
    check_include(path);
    headers += fmt::format("\n#include <gputest/{}.h>", function.what);
    if (!is_qualified_name(name))
      throw HarnessError(fmt::format(
          "{}: error: '{}' cannot be the name of a C++ function; give --{}-function (in CMake: "
          "{}_FUNCTION) one",
          file.string(), name, function.what, function.keyword));
    const std::string include = fmt::format("\n#include \"{}\"", path);
    if (includes.find(include) == std::string::npos) // both may be in one file
      includes += include;
    callers += caller(function, name, file.filename().string(),
                      function.what == kReference.what ? reference_signature(kernel, name) : "");
  };
  if (settings.reference_host) {
    headers += "\n#include <gputest/reference.h>";
    callers += fmt::format("\n// The host's version of {}, from a library that is linked.\n"
                           "extern \"C\" gputest::HostVersion {};\n",
                           settings.function, model::host_version_name(settings.function));
  }
  add(kReference, settings.reference, settings.reference_function);
  add(kProperty, settings.property, settings.property_function);
  if (!callers.empty())
    callers += "\n";
  return fill_template(
      embedded::harness_cpp_in,
      {{"summary", fmt::format("the {} {} of {} with its test cases",
                               settings.function.empty() ? "kernel" : "device function", tested,
                               fs::path(interface.source).filename().string())},
       {"headers", headers},
       {"includes", includes},
       {"callers", callers},
       {"fields", fields}});
}

} // namespace gputest::hostgen
