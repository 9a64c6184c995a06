// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A library of its own, libgputest_pocl.so, which host programs load before PoCL (pocl.h).
//
// PoCL reads its library of built-in functions whole before it builds the first program of a
// process: 23,000 functions of bitcode, which take most of the time, and of which a kernel calls a
// few. So this library takes the place of two of LLVM's functions: the file is opened, and each
// function is read when PoCL looks it up. Programs are the same (tests/pocl/same_code.cmake).
//
// Only PoCL 3.1 with LLVM 15 is known to look up each function that it takes. For all other
// callers, these functions do what LLVM's do. LLVM 15 has no headers here, so its functions are
// declared with the names that linkers see. They have LLVM 15's version, so nothing that needs
// another LLVM, or names no version, comes here (pocl_library.map).
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <link.h>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace gputest::runtime::pocl_library {

struct Text { // llvm::StringRef
  const char* begin;
  std::size_t size;
};

struct Callback { // llvm::function_ref
  void* function;
  std::intptr_t callable;
};

// std::unique_ptr<llvm::Module>. Its destructor is why it is returned in memory.
struct Owned {
  void* value;
  ~Owned() {}
};
using Error = Owned; // llvm::Error, whose lowest bit says that nobody has looked at it

#define PARSE_FILE                                                                                 \
  "_ZN4llvm11parseIRFileENS_9StringRefERNS_12SMDiagnosticERNS_11LLVMContextENS_12function_refIFNS" \
  "_8OptionalINSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEEEES0_EEE"
#define OPEN_LAZILY                                                                                \
  "_ZN4llvm19getLazyIRFileModuleENS_9StringRefERNS_12SMDiagnosticERNS_11LLVMContextEb"
#define GET_FUNCTION "_ZNK4llvm6Module11getFunctionENS_9StringRefE"
#define READ "_ZN4llvm11GlobalValue11materializeEv"

#define VERSION "LLVM_15"

// What PoCL calls: llvm::parseIRFile() and Module::getFunction().
__attribute__((visibility("default"))) Owned parse_file(
    Text file, void* problem, void* context, Callback layout) __asm__("gputest_pocl_parse_file");
__attribute__((visibility("default"))) void*
get_function(const void* module, Text name) __asm__("gputest_pocl_get_function");
__asm__(".symver gputest_pocl_parse_file, " PARSE_FILE "@" VERSION);
__asm__(".symver gputest_pocl_get_function, " GET_FUNCTION "@" VERSION);

namespace {

// Functions of the LLVM that a caller uses.
struct Llvm {
  decltype(&parse_file) parse_file = nullptr;
  decltype(&get_function) get_function = nullptr;
  // llvm::getLazyIRFileModule() and GlobalValue::materialize().
  Owned (*open_lazily)(Text file, void* problem, void* context, bool lazy_metadata) = nullptr;
  Error (*read)(void* function) = nullptr;
  bool lazy = false; // functions are read when they are looked up; else with their file
};

// Whether this is part of the library's name with its version, to which other names are links.
bool is_version(const Dl_info& library, std::string_view part) {
  std::error_code none;
  const auto file = std::filesystem::canonical(library.dli_fname, none);
  return file.filename().native().find(part) != std::string::npos;
}

// The library that has the address; its base is null if there is none.
Dl_info library_of(const void* address) {
  Dl_info library{};
  return address && ::dladdr(address, &library) != 0 ? library : Dl_info{};
}

template <typename Function> const void* find(void* library, const char* name, Function*& found) {
  void* const symbol = ::dlvsym(library, name, VERSION);
  found = reinterpret_cast<Function*>(symbol);
  return library_of(symbol).dli_fbase;
}

// Finds LLVM 15 in a loaded library and in what that needs. Returns whether it is there. All of it
// must be in one library: those that take the place of some functions, as this one, are none.
bool find_llvm(const char* file, Llvm& llvm) {
  void* const library = ::dlopen(file, RTLD_LAZY | RTLD_NOLOAD);
  if (!library)
    return false;
  const void* const base = find(library, GET_FUNCTION, llvm.get_function);
  if (base && find(library, PARSE_FILE, llvm.parse_file) == base &&
      find(library, OPEN_LAZILY, llvm.open_lazily) == base &&
      find(library, READ, llvm.read) == base)
    return true; // the library stays open, so that its functions stay
  ::dlclose(library);
  return false;
}

int add_file(dl_phdr_info* library, std::size_t, void* files) {
  if (library->dlpi_name && *library->dlpi_name)
    static_cast<std::vector<std::string>*>(files)->push_back(library->dlpi_name);
  return 0;
}

// Ends the program if there is none, because the caller needs it.
Llvm find_llvm_for(void* caller) {
  Llvm llvm;
  const Dl_info library = library_of(caller);
  if (library.dli_fname && find_llvm(library.dli_fname, llvm)) {
    llvm.lazy = is_version(library, "libpocl.so.2.10.") &&
                is_version(library_of(reinterpret_cast<void*>(llvm.read)), "libLLVM-15.");
    return llvm;
  }
  // After a tail call, the address is in the caller's caller, which may not need LLVM.
  std::vector<std::string> files;
  ::dl_iterate_phdr(add_file, &files);
  for (const std::string& file : files)
    if (find_llvm(file.c_str(), llvm))
      return llvm;
  std::fputs("libgputest_pocl.so does not find LLVM 15, which its caller needs.\n", stderr);
  std::abort();
}

// `caller`: an address in its code. What it knows is never destroyed, because threads may compile
// while the program ends. The loader is asked without the lock: its own may be held by a thread
// that waits here, in a library's constructor.
const Llvm& llvm_of(void* caller) {
  static std::mutex mutex;
  static auto& known = *new std::map<void*, Llvm>;
  {
    const std::scoped_lock lock(mutex);
    if (const auto at = known.find(caller); at != known.end())
      return at->second;
  }
  const Llvm llvm = find_llvm_for(caller);
  const std::scoped_lock lock(mutex);
  return known.try_emplace(caller, llvm).first->second;
}

} // namespace

Owned parse_file(Text file, void* problem, void* context, Callback layout) {
  const Llvm& llvm = llvm_of(__builtin_return_address(0));
  const bool of_built_in =
      std::string_view(file.begin, file.size).find("/share/pocl/kernel-") != std::string_view::npos;
  if (of_built_in && llvm.lazy)
    return llvm.open_lazily(file, problem, context, false);
  return llvm.parse_file(file, problem, context, layout);
}

void* get_function(const void* module, Text name) {
  const Llvm& llvm = llvm_of(__builtin_return_address(0));
  void* const function = llvm.get_function(module, name);
  if (!function || !llvm.lazy)
    return function;
  // Nothing is left to do for what has been read. An error says that the file is damaged: then PoCL
  // names the function, as one that is nowhere.
  const Error error = llvm.read(function);
  return reinterpret_cast<std::uintptr_t>(error.value) > 1 ? nullptr : function;
}

} // namespace gputest::runtime::pocl_library
