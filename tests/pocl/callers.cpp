// callers <libgputest_pocl.so> <library of caller.cpp>: loads both, in this order, as host programs
// do. Prints the file to which the caller's getFunction() goes, and what it finds, also while the
// program ends. The program itself needs no LLVM.
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>

namespace {

using Get = void*(const void*, const char*);

const void* module = nullptr;
Get* by_call = nullptr;
Get* by_jump = nullptr;

void print(const char* when, Get* get) {
  std::printf("%s: %s, %s\n", when, get(module, "somewhere") ? "found" : "not found",
              get(module, "nowhere") ? "found" : "not found");
  std::fflush(stdout);
}

void* loaded(const char* file, int how) {
  void* const library = ::dlopen(file, RTLD_NOW | how);
  if (!library) {
    std::puts(::dlerror());
    std::exit(1);
  }
  return library;
}

template <typename Function> Function* symbol(void* library, const char* name) {
  return reinterpret_cast<Function*>(::dlsym(library, name));
}

} // namespace

int main(int, char** arguments) {
  std::atexit([] { print("at exit", by_call); }); // after what the libraries do there
  loaded(arguments[1], RTLD_GLOBAL);
  void* const caller = loaded(arguments[2], RTLD_LOCAL);
  Dl_info callee{};
  ::dladdr(symbol<const void*()>(caller, "callee")(), &callee);
  std::puts(std::filesystem::path(callee.dli_fname).filename().c_str());
  by_call = symbol<Get>(caller, "by_call");
  by_jump = symbol<Get>(caller, "by_jump");
  module = symbol<void*()>(caller, "make_module")();
  print("by call", by_call);
  print("by jump", by_jump);
  std::thread([] { print("in a thread", by_jump); }).join();
}
