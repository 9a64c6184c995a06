// A library that calls llvm::Module::getFunction() as PoCL does. It is linked to LLVM 15, and to
// the project's own LLVM. Both have these functions, so they are declared by the names that linkers
// see.
#include <cstddef>
#include <cstring>

struct Text { // llvm::StringRef
  const char* begin;
  std::size_t size;
};

extern "C" {
void* LLVMContextCreate();
void* LLVMModuleCreateWithNameInContext(const char* name, void* context);
void* LLVMVoidTypeInContext(void* context);
void* LLVMFunctionType(void* result, void** parameters, unsigned count, int is_variadic);
void* LLVMAddFunction(void* module, const char* name, void* type);
}

void* get_function(const void* module,
                   Text name) __asm__("_ZNK4llvm6Module11getFunctionENS_9StringRefE");

extern "C" {

// It stays until the process has ended.
void* make_module() {
  void* const context = LLVMContextCreate();
  void* const module = LLVMModuleCreateWithNameInContext("module", context);
  void* const type = LLVMFunctionType(LLVMVoidTypeInContext(context), nullptr, 0, 0);
  LLVMAddFunction(module, "somewhere", type);
  return module;
}

// A tail call, whose return address is in the program.
void* by_jump(const void* module, const char* name) {
  return get_function(module, {name, std::strlen(name)});
}

void* by_call(const void* module, const char* name) {
  void* const volatile function = by_jump(module, name);
  return function;
}

// Where calls of getFunction() go.
const void* callee() {
  return reinterpret_cast<const void*>(&get_function);
}
}
