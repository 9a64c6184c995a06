// Which functions of a CUDA file have device code.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace gputest::passes {

class Tree;

// Those with a body in a file that is no system header, in order: kernels, __device__ functions,
// also those for the host as well, methods, lambdas of device code; of templates what is written
// and not what is made of it. Without functions that the compiler adds, and those called gputest_….
std::vector<const clang::FunctionDecl*> device_functions(clang::ASTContext& context);

// What is made of a template's function, or the function itself if it is no template.
std::vector<const clang::FunctionDecl*> instantiations(clang::ASTContext& context,
                                                       const clang::FunctionDecl& written);

// What is made of templates and may run on the device, by the place of the body that is written.
// A function of host and device counts only if one for the device may call it.
std::map<clang::SourceLocation, std::vector<const clang::FunctionDecl*>>
device_instantiations(clang::ASTContext& context);

// The functions that a kernel may call, at any depth, and itself: whatever its code and theirs
// names or constructs. Of templates what is written; in no order.
std::set<const clang::FunctionDecl*> called_by(const clang::FunctionDecl& kernel);

// The names (name_of_function) of those that are the author's, in order of the alphabet.
std::vector<std::string> names_called_by(const clang::FunctionDecl& kernel);

// The kernels as tables list them: those of a program by the names of functions, and of a file that
// is by itself those that users have named, with what they call.
struct ListedKernel {
  std::string name;
  std::vector<std::string> functions;
};
std::vector<ListedKernel> listed_kernels(const Tree& tree, bool of_program);

} // namespace gputest::passes
