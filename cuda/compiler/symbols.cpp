// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/compiler/symbols.h"

#include <fstream>
#include <sstream>
#include <string_view>

namespace gputest::cuda::compiler {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kManaged = ", section \"gputest_managed\"";

// The static library that an argument of the linker names; empty: none.
fs::path library_of(const Command& command, const std::string& argument) {
  if (argument.ends_with(".a"))
    return argument;
  if (argument.starts_with("-l"))
    for (const std::string& option : command.link)
      if (option.starts_with("-L"))
        if (fs::path file = fs::path(option.substr(2)) / ("lib" + argument.substr(2) + ".a");
            fs::exists(file))
          return file;
  return {};
}

// Whether a library has objects of link-time optimisation, Clang's or GCC's.
bool has_other_objects(const fs::path& library) {
  const std::string bytes = model::read_text(library).value_or("");
  return bytes.find("BC\xC0\xDE") != std::string::npos ||
         bytes.find("__gnu_lto") != std::string::npos;
}

// Writes the names that the library defines to a file. nm loads each plugin for such objects that
// is installed; that of LLVM takes longer to load than all else here.
bool list_names(const fs::path& library, const fs::path& file, bool verbose) {
  Arguments arguments{"nm", "--defined-only", library.string()};
  if (!has_other_objects(library))
    arguments.insert(arguments.begin() + 1, {"--plugin", "/dev/null"});
  return start_quietly(arguments, file.string(), verbose) == 0;
}

} // namespace

int find_variables(const Toolkit& toolkit, const fs::path& bitcode, std::vector<std::string>& names,
                   bool verbose) {
  const fs::path text = bitcode.string() + ".ll";
  if (const int failed = start({toolkit.clang, "--target=nvptx64-nvidia-cuda", "-nogpulib", "-x",
                                "ir", "-S", "-emit-llvm", "-Xclang", "-disable-llvm-passes",
                                bitcode.string(), "-o", text.string()},
                               verbose))
    return failed;
  std::ifstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    const std::size_t equals = line.find(" = "),
                      kind = line.find(" externally_initialized "); // global or constant
    if (!line.starts_with("@") || equals == std::string::npos || kind == std::string::npos)
      continue;
    const std::string name = line.substr(1, equals - 1);
    std::istringstream words(line.substr(equals + 3, kind - equals - 3));
    std::string linkage; // may also be another word, or empty
    words >> linkage;
    if (linkage != "internal" && !linkage.starts_with("linkonce") &&
        line.find(kManaged, kind) == std::string::npos)
      names.push_back(name);
  }
  return 0;
}

int add_symbols(const Toolkit& toolkit, const std::vector<std::string>& names,
                const fs::path& folder, const fs::path& object, bool verbose) {
  const fs::path text = folder / "symbols.c", symbols = folder / "symbols.o",
                 alone = folder / "alone.o";
  std::ofstream stream(text);
  stream << "void gputest_cuda_symbol(const void*, const char*);\n";
  for (const std::string& name : names)
    stream << "__attribute__((weak)) char " << name << ";\n";
  stream << "__attribute__((constructor)) static void symbols(void) {\n";
  for (const std::string& name : names)
    stream << "  gputest_cuda_symbol(&" << name << ", \"" << name << "\");\n";
  stream << "}\n";
  stream.close();
  if (const int failed =
          start({toolkit.clang, "-x", "c", "-fPIC", "-c", text.string(), "-o", symbols.string()},
                verbose))
    return failed;
  fs::copy_file(object, alone);
  return start(
      {toolkit.clang, "-r", "-nostdlib", alone.string(), symbols.string(), "-o", object.string()},
      verbose);
}

Arguments options_for_units(const Command& command, const fs::path& folder) {
  constexpr std::string_view kUnit = "gputest_cuda_unit_"; // gputest_cuda/relocatable_unit.h
  Arguments options;
  for (const std::string& argument : command.others) {
    const fs::path library = library_of(command, argument), symbols = folder / "symbols.txt";
    if (library.empty() || !list_names(library, symbols, command.verbose))
      continue;
    std::ifstream stream(symbols);
    for (std::string line; std::getline(stream, line);)
      if (const std::size_t at = line.find(kUnit); at != std::string::npos)
        options.push_back("-Wl,-u," + line.substr(at));
  }
  return options;
}

} // namespace gputest::cuda::compiler
