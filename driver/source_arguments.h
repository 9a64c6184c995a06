// The options that say how a kernel file is to be read, shared by the subcommands that read one.
#pragma once

#include "frontend/flat_source.h"
#include "frontend/parse.h"
#include "frontend/source_options.h"

#include <cxxopts.hpp>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace gputest::driver {

// -D, -I, --cl-std, --source-root, --help and the file itself.
void add_source_options(cxxopts::Options& options);
// The languages of the files that a subcommand reads.
enum class Languages { OpenCL, All };

// Options of subcommands that a build starts: --depfile, what the device defines, and of CUDA
// --instance.
void add_build_options(cxxopts::Options& options, Languages languages = Languages::OpenCL);

// All values of an option that may be repeated; none where it is not given.
std::vector<std::string> list_of(const cxxopts::ParseResult& arguments, const char* name);

// The lines of a file that are not empty, such as ids of mutants. Throws CommandError if it cannot
// be read.
std::vector<std::string> lines_of(const std::string& file);

// "64" or "64,8", such as --global-size has it; none where the option is not given. Throws
// CommandError for anything else.
std::vector<std::size_t> sizes_of(const cxxopts::ParseResult& arguments, const char* name);

enum class Named { File, FileOrFolder };

// Throws CommandError when no source is named, or one that does not exist, or that is in a language
// which the subcommand does not read.
passes::SourceOptions source_options(const cxxopts::ParseResult& arguments,
                                     Named named = Named::File,
                                     Languages languages = Languages::OpenCL);

// The kernel that --kernel names in a CUDA file, where Clang may have to instantiate its template;
// empty for OpenCL C.
std::string instance_of(const cxxopts::ParseResult& arguments, const passes::SourceOptions& source);

// Options of subcommands that make something of one file: the source's, the build's, and
// --function.
void add_variant_options(cxxopts::Options& options, Languages languages = Languages::OpenCL);

// --function: adds the kernel that calls a device function to what is read.
void add_wrapper(const cxxopts::ParseResult& arguments, passes::SourceOptions& source);

// The preprocessed source. Throws CommandError with the compiler's messages.
passes::FlatSource flat_source(const passes::SourceOptions& options);

enum class Kernels { Needed, Any };

// Parses a file. Throws CommandError with the compiler's messages, and when there is no kernel
// where one is needed.
void parse_kernels(const passes::FlatSource& flat, const passes::SourceOptions& options,
                   const std::function<void(const passes::Tree&)>& use,
                   Kernels kernels = Kernels::Needed);

// --output-dir, where a command writes variants to.
void add_output_option(cxxopts::Options& options);
// Throws CommandError when it is missing.
std::filesystem::path output_folder(const cxxopts::ParseResult& arguments);

// A Makefile rule: `targets` depend on `dependencies`. Written atomically.
void write_depfile(const std::filesystem::path& file, const std::vector<std::string>& targets,
                   const std::vector<std::string>& dependencies);

// "partial_sum.cl" of the path the user gave, relative to the source root where it lies below it.
std::string source_name(const passes::SourceOptions& options);

} // namespace gputest::driver
