// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The options that say how a kernel file is read. The subcommands that read one share them.
#pragma once

#include "frontend/flat_source.h"
#include "frontend/parse.h"
#include "frontend/source_options.h"

#include <cxxopts.hpp>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace gputest::driver {

// Adds -D, -I, --cl-std, --source-root, --help and the file itself.
void add_source_options(cxxopts::Options& options);
// The languages of the files that a subcommand reads.
enum class Languages { OpenCL, All };

// Adds the options of subcommands that a build starts: --depfile, what the device defines and, for
// CUDA, --instance.
void add_build_options(cxxopts::Options& options, Languages languages = Languages::OpenCL);

// Returns the lines of a file that are not empty, such as ids of mutants. Throws CommandError if it
// cannot be read.
std::vector<std::string> lines_of(const std::string& file);

// Returns the version of the file's language: that of --cl-std, or the usual one. Throws
// CommandError if --cl-std is none of the language.
std::string standard_of(const std::string& file, const cxxopts::ParseResult& arguments);

enum class Named { File, FileOrFolder };

// Returns the source and how to read it. Throws CommandError when no source is named, or one that
// does not exist, or one in a language that the subcommand does not read.
frontend::SourceOptions source_options(const cxxopts::ParseResult& arguments,
                                       Named named = Named::File,
                                       Languages languages = Languages::OpenCL);

// Returns the kernel that --kernel names in a CUDA file, because Clang may have to instantiate its
// template; empty for OpenCL C.
std::string instance_of(const cxxopts::ParseResult& arguments,
                        const frontend::SourceOptions& source);

// Adds the options of subcommands that make variants of a file: the source's, the build's, and
// --function.
void add_variant_options(cxxopts::Options& options, Languages languages = Languages::OpenCL);

// For --function: adds the kernel that calls a device function to what is read. `host_version`:
// gets what calls the function on the host (passes/wrapper.h); null: nobody wants that.
void add_wrapper(const cxxopts::ParseResult& arguments, frontend::SourceOptions& source,
                 std::string* host_version = nullptr);

// Returns the preprocessed source. Throws CommandError with the compiler's messages.
frontend::FlatSource flat_source(const frontend::SourceOptions& options);

enum class Kernels { Needed, Any };

// Parses a file and calls `use` with the tree. Throws CommandError with the compiler's messages,
// and when a kernel is needed and there is none.
void parse_kernels(const frontend::FlatSource& flat, const frontend::SourceOptions& options,
                   const std::function<void(const frontend::Tree&)>& use,
                   Kernels kernels = Kernels::Needed);

// Adds --output-dir, the folder for variants.
void add_output_option(cxxopts::Options& options);
// Returns the folder of --output-dir. Throws CommandError when it is missing.
std::filesystem::path output_folder(const cxxopts::ParseResult& arguments);

// Writes a Makefile rule, atomically: `targets` depend on `dependencies`.
void write_depfile(const std::filesystem::path& file, const std::vector<std::string>& targets,
                   const std::vector<std::string>& dependencies);

// Throws CommandError where the file has no text that people wrote, and says where that is. `what`
// needs it: "coverage".
void expect_source(const frontend::SourceOptions& options, std::string_view what);

// Returns the name of the source, such as "partial_sum.cl": the path that the user gave, relative
// to the source root if it is below it.
std::string source_name(const frontend::SourceOptions& options);

} // namespace gputest::driver
