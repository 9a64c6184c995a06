// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/source_arguments.h"

#include "driver/command_error.h"
#include "frontend/cuda/named_kernel.h"
#include "frontend/file_names.h"
#include "frontend/languages/languages.h"
#include "model/files.h"
#include "model/language.h"
#include "model/spirv/module.h"
#include "model/text/depfile.h"
#include "passes/wrapper.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <sstream>

namespace gputest::driver {
namespace fs = std::filesystem;

std::vector<std::string> lines_of(const std::string& file) {
  const std::optional<std::string> text = model::read_text(file);
  if (!text)
    throw CommandError(fmt::format("{}: error: cannot be read", file));
  std::vector<std::string> found;
  std::istringstream lines(*text);
  for (std::string line; std::getline(lines, line);)
    if (!line.empty())
      found.push_back(line);
  return found;
}

void add_source_options(cxxopts::Options& options) {
  const auto text = [] { return cxxopts::value<std::string>(); };
  const auto list = [] { return cxxopts::value<std::vector<std::string>>(); };
  auto add = options.add_options("Source");
  add("source", "The OpenCL C or CUDA file", text());
  add("D,define", "Define a macro", list(), "NAME[=VALUE]");
  add("I,include", "Search a folder for included files", list(), "DIR");
  add("cl-std,std",
      "Version of OpenCL C: CL1.0, CL1.1, CL1.2, CL2.0 or CL3.0 (default: CL1.2); of C++ for "
      "OpenCL: CLC++1.0 or CLC++2021 (default: CLC++1.0); of CUDA and HIP: c++11, c++14, c++17, "
      "c++20 or c++23 (default: c++17)",
      text(), "STANDARD");
  add("source-root", "Name files below this folder relative to it", text()->default_value(""),
      "DIR");
  add("h,help", "Print this");
  options.parse_positional({"source"});
}

void add_build_options(cxxopts::Options& options, Languages languages) {
  const auto list = [] { return cxxopts::value<std::vector<std::string>>(); };
  auto add = options.add_options("Source");
  add("device-macro", "A macro that the device defines", list(), "NAME[=VALUE]");
  add("no-device-macro", "A macro that the device does not define", list(), "NAME");
  add("depfile", "Write a Makefile rule that names every file read", cxxopts::value<std::string>(),
      "FILE");
  if (languages == Languages::All)
    add("instance", "For a CUDA file: the kernel template to instantiate, such as 'saxpy<float>'",
        cxxopts::value<std::string>()->default_value(""), "KERNEL");
}

std::string standard_of(const std::string& file, const cxxopts::ParseResult& arguments) {
  const model::LanguageRow& row = model::row_of(fs::path(file));
  if (!arguments.count("cl-std"))
    return std::string(row.standard);
  const auto given = arguments["cl-std"].as<std::string>();
  if (row.standards.empty())
    throw CommandError(
        fmt::format("error: --cl-std is for source code, and {} is {}", file, row.name));
  std::string list(row.standards.substr(0, row.standards.size() - 1));
  for (std::size_t at = 0; (at = list.find(' ', at)) != std::string::npos; at += 2)
    list.replace(at, 1, ", ");
  if (given.find(' ') != std::string::npos || row.standards.find(given + ' ') == std::string::npos)
    throw CommandError(
        fmt::format("error: --cl-std '{}' is none of {}, the versions of {}{}", given, list,
                    row.name, row.is_simulated ? "" : "; files of C++ for OpenCL end with .clcpp"));
  return given;
}

frontend::SourceOptions source_options(const cxxopts::ParseResult& arguments, Named named,
                                       Languages languages) {
  const auto list = [&](const char* name) { return list_of(arguments, name); };
  if (!arguments.count("source"))
    throw CommandError(
        "error: no source file; give the .cl, .clcpp, .spv, .cu or .hip file to read");
  if (!arguments.unmatched().empty())
    throw CommandError(fmt::format("error: one source file at a time; '{}' is one too many",
                                   arguments.unmatched().front()));
  frontend::SourceOptions options;
  options.file = arguments["source"].as<std::string>();
  if (!fs::is_regular_file(options.file) &&
      (named == Named::File || !fs::is_directory(options.file)))
    throw CommandError(fmt::format("{}: error: no such file", options.file));
  const model::LanguageRow& row = model::row_of(fs::path(options.file));
  if (languages == Languages::OpenCL)
    expect_source(options, "this");
  if (languages == Languages::OpenCL && !row.has_orders)
    throw CommandError(fmt::format("{}: error: this is done with OpenCL C, and not with {}",
                                   options.file, row.name));
  options.definitions = list("define");
  options.include_directories = list("include");
  options.source_root = arguments["source-root"].as<std::string>();
  const bool instance = languages == Languages::All && arguments.count("instance") > 0;
  if (instance && !row.has_instances)
    throw CommandError(
        "error: --instance is for CUDA and HIP files; a kernel of OpenCL C is no template");
  if (instance)
    options.kernel = arguments["instance"].as<std::string>();
  options.cl_std = standard_of(options.file, arguments);
  for (const std::string& macro : list("device-macro")) {
    const auto equals = macro.find('=');
    options.device_macros[macro.substr(0, equals)] =
        equals == std::string::npos ? "1" : macro.substr(equals + 1);
  }
  for (const std::string& macro : list("no-device-macro"))
    options.device_macros[macro] = std::nullopt;
  return options;
}

std::string instance_of(const cxxopts::ParseResult& arguments,
                        const frontend::SourceOptions& source) {
  return model::row_of(fs::path(source.file)).has_instances ? arguments["kernel"].as<std::string>()
                                                            : "";
}

frontend::FlatSource flat_source(const frontend::SourceOptions& options) {
  llvm::Expected<frontend::FlatSource> flat = frontend::read_file(options);
  if (!flat)
    throw CommandError(llvm::toString(flat.takeError()));
  return std::move(*flat);
}

// Returns what is wrong with a file that defines no kernel which could be launched; empty: nothing.
static std::string missing_kernel(const frontend::Tree& tree) {
  if (tree.kernels().empty())
    return "the file defines no kernel";
  if (!tree.named_kernels().empty())
    return "";
  return fmt::format(
      "all kernels of the file are templates, and nothing is made of them here; name "
      "one with its arguments, such as --instance '{}<float>' (in CMake: KERNEL)",
      frontend::name_of_function(*tree.kernels().front()));
}

void parse_kernels(const frontend::FlatSource& flat, const frontend::SourceOptions& options,
                   const std::function<void(const frontend::Tree&)>& use, Kernels kernels) {
  if (llvm::Error error =
          frontend::parse_file(flat, options, [&](const frontend::Tree& tree) -> llvm::Error {
            const std::string missing =
                kernels == Kernels::Needed ? missing_kernel(tree) : std::string();
            if (!missing.empty())
              return llvm::createStringError(llvm::inconvertibleErrorCode(), "%s: error: %s",
                                             source_name(options).c_str(), missing.c_str());
            use(tree);
            return llvm::Error::success();
          }))
    throw CommandError(llvm::toString(std::move(error)));
}

void add_output_option(cxxopts::Options& options) {
  options.add_options()("output-dir", "The folder to write to", cxxopts::value<std::string>(),
                        "DIR");
}

fs::path output_folder(const cxxopts::ParseResult& arguments) {
  if (!arguments.count("output-dir"))
    throw CommandError("error: --output-dir is missing: say where to write to");
  return arguments["output-dir"].as<std::string>();
}

void add_variant_options(cxxopts::Options& options, Languages languages) {
  add_source_options(options);
  add_build_options(options, languages);
  options.positional_help("SOURCE");
  options.add_options()("function",
                        "Add a kernel that calls this device function element by element",
                        cxxopts::value<std::string>(), "NAME");
}

// The text around the function must be parsed to write the wrapper.
void add_wrapper(const cxxopts::ParseResult& arguments, frontend::SourceOptions& source,
                 std::string* host_version) {
  if (arguments.count("function") == 0)
    return;
  const auto function = arguments["function"].as<std::string>();
  expect_source(source, "--function");
  frontend::SourceOptions before = source;
  before.kernel.clear(); // the wrapper itself
  std::string wrong;     // with the name of a template's instance
  if (model::row_of(fs::path(source.file)).has_instances) {
    before.appended = frontend::reference_to_function(function);
    if (!before.appended.empty())
      if (auto flat = frontend::read_file(before); !flat) {
        wrong = llvm::toString(flat.takeError());
        before.appended.clear();
      }
  }
  const frontend::FlatSource flat = flat_source(before);
  std::string wrapper;
  if (llvm::Error error =
          frontend::parse_file(flat, before, [&](const frontend::Tree& tree) -> llvm::Error {
            llvm::Expected<std::string> text = passes::wrap_function(tree, function);
            if (!text)
              return text.takeError();
            wrapper = std::move(*text);
            if (host_version) {
              llvm::Expected<std::string> host = passes::host_version(tree, function);
              if (!host)
                return host.takeError();
              *host_version = std::move(*host);
            }
            return llvm::Error::success();
          }))
    throw CommandError(source_name(source) + ": " + llvm::toString(std::move(error)) +
                       (wrong.empty() ? "" : '\n' + wrong));
  source.appended = std::move(wrapper);
}

void write_depfile(const fs::path& file, const std::vector<std::string>& targets,
                   const std::vector<std::string>& dependencies) {
  std::string text;
  for (const std::string& target : targets)
    text += (text.empty() ? "" : " ") + model::depfile_name(target);
  text += ":";
  for (const std::string& dependency : dependencies)
    text += " \\\n  " + model::depfile_name(fs::absolute(dependency).lexically_normal().string());
  model::write_atomically(file, text + "\n");
}

void expect_source(const frontend::SourceOptions& options, std::string_view what) {
  const model::LanguageRow& row = model::row_of(fs::path(options.file));
  if (!row.has_source)
    throw CommandError(fmt::format("{}: error: {} needs the source of a kernel, and this is {}; {}",
                                   options.file, what, row.name,
                                   model::advice_for_source(options.file)));
}

std::string source_name(const frontend::SourceOptions& options) {
  return frontend::FileNames(options.source_root).name(options.file);
}

} // namespace gputest::driver
