// PoCL reads its library of built-in functions whole for each program that it builds: 23,000
// functions of bitcode, which take two thirds of the time, and of which a kernel calls a few. The
// tests build thousands of small programs. For them, this library comes before PoCL's and takes the
// place of two of LLVM's functions: the file is opened, and each function is read when PoCL looks
// it up. Programs are the same (same_code.cmake).
//
// LLVM 15 has no headers here. So its functions are declared with the names that linkers see.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <string_view>

namespace gputest::tests::llvm_of_pocl {

struct Text { // llvm::StringRef
  const char* begin;
  std::size_t size;
};

// std::unique_ptr<llvm::Module>. Its destructor is why it is returned in memory.
struct Owned {
  void* value;
  ~Owned() {}
};
using Error = Owned; // llvm::Error, whose lowest bit says that nobody has looked at it

// llvm::getLazyIRFileModule(), Module::materializeAll() and GlobalValue::materialize().
Owned open_lazily(Text file, void* problem, void* context, bool lazy_metadata) __asm__(
    "_ZN4llvm19getLazyIRFileModuleENS_9StringRefERNS_12SMDiagnosticERNS_11LLVMContextEb");
Error read_all(void* module) __asm__("_ZN4llvm6Module14materializeAllEv");
Error read(void* function) __asm__("_ZN4llvm11GlobalValue11materializeEv");

// What PoCL calls: llvm::parseIRFile(), whose last parameter nobody needs, and
// Module::getFunction().
// clang-format off
#define GET_FUNCTION "_ZNK4llvm6Module11getFunctionENS_9StringRefE"
Owned parse_file(Text file, void* problem, void* context) __asm__(
    "_ZN4llvm11parseIRFileENS_9StringRefERNS_12SMDiagnosticERNS_11LLVMContextENS_12function_refIFNS"
    "_8OptionalINSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEEEES0_EEE");
// clang-format on
using GetFunction = void*(const void* module, Text name);
GetFunction get_function __asm__(GET_FUNCTION);

namespace {

void expect(bool success, const char* what) {
  if (success)
    return;
  std::fprintf(stderr, "tests/pocl/lazy_library.cpp: %s\n", what);
  std::abort();
}

void expect_none(const Error& error) {
  expect(reinterpret_cast<std::uintptr_t>(error.value) <= 1, "LLVM cannot read bitcode");
}

} // namespace

Owned parse_file(Text file, void* problem, void* context) {
  const bool of_built_in =
      std::string_view(file.begin, file.size).find("/share/pocl/kernel-") != std::string_view::npos;
  Owned module = open_lazily(file, problem, context, false);
  if (module.value && !of_built_in)
    expect_none(read_all(module.value));
  return module;
}

void* get_function(const void* module, Text name) {
  static GetFunction* const of_llvm = [] {
    void* const llvm = dlopen(GPUTEST_LLVM_OF_POCL, RTLD_LAZY | RTLD_NOLOAD);
    return llvm ? reinterpret_cast<GetFunction*>(dlsym(llvm, GET_FUNCTION)) : nullptr;
  }();
  expect(of_llvm, "LLVM has no Module::getFunction()");
  void* const function = of_llvm(module, name);
  if (function)
    expect_none(read(function)); // nothing to do for what has been read
  return function;
}

} // namespace gputest::tests::llvm_of_pocl
