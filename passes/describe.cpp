// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/describe.h"

#include "frontend/llvm_version.h"
#include "frontend/walk.h"
#include "passes/blocks.h"
#include "passes/nodes.h"

#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ParentMap.h>
#include <clang/AST/RecordLayout.h>
#include <set>

namespace gputest::passes {
namespace {

std::string name_of_record(const clang::RecordDecl& record) {
  if (const clang::TypedefNameDecl* name = record.getTypedefNameForAnonDecl())
    return name->getNameAsString();
  if (record.getIdentifier())
    return record.getNameAsString();
  return record.isUnion() ? "union" : "struct";
}

// The fields of base classes, in front of a class's own.
void add_bases(const clang::RecordDecl& record, const clang::ASTRecordLayout& layout,
               const clang::ASTContext& context, model::Type& type) {
  const auto* const derived = llvm::dyn_cast<clang::CXXRecordDecl>(&record);
  if (!derived)
    return;
  for (const clang::CXXBaseSpecifier& specifier : derived->bases()) {
    const clang::CXXRecordDecl* const base = specifier.getType()->getAsCXXRecordDecl();
    if (!base || specifier.isVirtual())
      continue;
    const auto offset = static_cast<std::size_t>(layout.getBaseClassOffset(base).getQuantity());
    for (model::Field field : describe_type(specifier.getType(), context).fields) {
      field.offset += offset;
      type.fields.push_back(std::move(field));
    }
  }
}

model::Type describe_record(const clang::RecordDecl& record, const clang::ASTContext& context) {
  const clang::ASTRecordLayout& layout = context.getASTRecordLayout(&record);
  model::Type type;
  type.kind = record.isUnion() ? model::Type::Kind::Union : model::Type::Kind::Struct;
  type.name = name_of_record(record);
  type.size = static_cast<std::size_t>(layout.getSize().getQuantity());
  type.alignment = static_cast<std::size_t>(layout.getAlignment().getQuantity());
  add_bases(record, layout, context, type);
  for (const clang::FieldDecl* field : record.fields()) {
    model::Field entry;
    entry.name = field->getNameAsString();
    entry.offset = layout.getFieldOffset(field->getFieldIndex()) / 8;
    clang::QualType element = field->getType();
    while (const auto* array = context.getAsConstantArrayType(element)) {
      entry.dimensions.push_back(static_cast<std::size_t>(array->getSize().getZExtValue()));
      element = array->getElementType();
    }
    entry.type = describe_type(element, context);
    type.fields.push_back(std::move(entry));
  }
  return type;
}

// The accesses that a kernel makes to the memory of a pointer parameter.
class PointerUse {
public:
  PointerUse(const clang::ParmVarDecl& parameter, const clang::Stmt& body)
      : parents_(const_cast<clang::Stmt*>(&body)) {
    frontend::walk(body, [&](const clang::Stmt& node) {
      const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(&node);
      if (reference && reference->getDecl() == &parameter)
        classify(*reference);
      return true;
    });
    for (const clang::BlockExpr* block : blocks_in(body)) // parents end at blocks: assume both
      if (frontend::any_of(*block->getBody(), [&](const clang::Stmt& node) {
            const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(&node);
            return reference && reference->getDecl() == &parameter;
          }))
        reads_ = writes_ = true;
  }

  // A pointer that is never used counts as read.
  model::Access access() const {
    if (writes_ && reads_)
      return model::Access::ReadWrite;
    return writes_ ? model::Access::Write : model::Access::Read;
  }

private:
  const clang::Stmt* parent(const clang::Stmt& statement) const {
    return parents_.getParent(&statement);
  }

  // Climbs from the parameter to the object that it designates, and checks what is done to that
  // object.
  void classify(const clang::DeclRefExpr& reference) {
    const clang::Stmt* child = &reference;
    bool designates = false; // child is the pointed-to object, no longer the pointer
    for (const clang::Stmt* up = parent(*child); up; child = up, up = parent(*up)) {
      if (llvm::isa<clang::ParenExpr, clang::MemberExpr, clang::ExtVectorElementExpr>(up)) {
        if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(up))
          designates |= member->isArrow();
        continue;
      }
      if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(up)) {
        if (cast->getCastKind() == clang::CK_LValueToRValue) {
          if (!designates)
            continue; // loads the pointer itself
          reads_ = true;
          return;
        }
        if (cast->getCastKind() == clang::CK_ArrayToPointerDecay && designates)
          continue;
        if (!designates && cast->getType()->isPointerType()) {
          if (cast->getType()->getPointeeType().isConstQualified()) {
            reads_ = true;
            return;
          }
          continue;
        }
        break;
      }
      if (const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(up)) {
        if (subscript->getBase() != child) {
          reads_ = true; // it is the index
          return;
        }
        designates = true;
        continue;
      }
      if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(up)) {
        if (unary->getOpcode() == clang::UO_Deref) {
          designates = true;
          continue;
        }
        if (designates && unary->isIncrementDecrementOp()) {
          reads_ = writes_ = true;
          return;
        }
        break;
      }
      if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(up)) {
        if (binary->isAdditiveOp() && !designates)
          continue; // pointer arithmetic
        if (binary->isAssignmentOp() && designates && binary->getLHS() == child) {
          writes_ = true;
          reads_ |= binary->isCompoundAssignmentOp();
          // The value of the assignment is read further up only by a load.
          return;
        }
        break;
      }
      break;
    }
    // It escapes into a function, a variable or a comparison. Assume both.
    reads_ = writes_ = true;
  }

  clang::ParentMap parents_; // of the body alone: those of a file take as long as parsing it
  bool reads_ = false, writes_ = false;
};

model::AddressSpace address_space_of(clang::LangAS space, bool is_cuda) {
  if (is_cuda) // whose pointers do not tell
    return model::AddressSpace::Global;
  switch (space) {
  case clang::LangAS::opencl_global:
  case clang::LangAS::opencl_global_device:
  case clang::LangAS::opencl_global_host:
    return model::AddressSpace::Global;
  case clang::LangAS::opencl_constant:
    return model::AddressSpace::Constant;
  case clang::LangAS::opencl_local:
    return model::AddressSpace::Local;
  default:
    return model::AddressSpace::Private;
  }
}

// Returns how the kernel may access an image or a pipe.
model::Access access_of(const clang::ParmVarDecl& parameter) {
  const auto* qualifier = parameter.getAttr<clang::OpenCLAccessAttr>();
  if (qualifier && qualifier->isReadWrite())
    return model::Access::ReadWrite;
  if (qualifier && qualifier->isWriteOnly())
    return model::Access::Write;
  return model::Access::Read;
}

model::Argument describe_argument(const clang::ParmVarDecl& parameter,
                                  const clang::FunctionDecl& kernel, clang::ASTContext& context) {
  model::Argument argument;
  argument.position = parameter.getFunctionScopeIndex();
  argument.name = argument_name(parameter);
  const clang::QualType type = parameter.getType();
  if (type->isPointerType()) {
    const clang::QualType element = type->getPointeeType();
    argument.pointer = true;
    // Sizes count innermost elements, also for a pointer to an array. The kernel may read memory
    // without a type as anything, so its elements are bytes.
    argument.type = element->isVoidType()
                        ? model::void_type()
                        : describe_type(context.getBaseElementType(element), context);
    argument.address_space =
        address_space_of(element.getAddressSpace(), context.getLangOpts().CUDA);
    if (element.isConstQualified() || argument.address_space == model::AddressSpace::Constant) {
      argument.access = model::Access::Read;
    } else {
      argument.access = PointerUse(parameter, *kernel.getBody()).access();
    }
    argument.output = argument.address_space == model::AddressSpace::Global &&
                      argument.access != model::Access::Read;
    return argument;
  }
  if (const auto* pipe = type->getAs<clang::PipeType>()) { // a buffer of packets
    argument.pointer = true;
    argument.type = describe_type(pipe->getElementType(), context);
    argument.address_space = model::AddressSpace::Global;
    argument.access = access_of(parameter);
    argument.output = argument.access == model::Access::Write;
    return argument;
  }
  argument.type = describe_type(type, context);
  if (argument.type.kind == model::Type::Kind::Image) {
    argument.address_space = model::AddressSpace::Global;
    argument.access = access_of(parameter);
    argument.output = argument.access != model::Access::Read;
  }
  return argument;
}

} // namespace

model::Type describe_type(clang::QualType type, const clang::ASTContext& context) {
  type = context.getCanonicalType(type).getUnqualifiedType();
  if (const auto* atomic = type->getAs<clang::AtomicType>()) // "atomic_int" of OpenCL C 2.0
    return describe_type(atomic->getValueType(), context);
  if (const auto* vector = type->getAs<clang::ExtVectorType>()) {
    const auto* element = vector->getElementType()->getAs<clang::BuiltinType>();
    if (const auto scalar = element ? scalar_of(*element) : std::nullopt)
      return model::vector_type(*scalar, vector->getNumElements());
  }
  if (const auto* enumeration = type->getAs<clang::EnumType>())
    return describe_type(enumeration->getDecl()->getIntegerType(), context);
  if (const auto* record = type->getAs<clang::RecordType>(); record && !type->isIncompleteType())
    return describe_record(*record->getDecl(), context);
  model::Type result;
  result.name = type.getAsString();
  if (type->isSamplerT()) {
    result.kind = model::Type::Kind::Sampler;
    result.name = "sampler_t";
  } else if (type->isImageType()) {
    result.kind = model::Type::Kind::Image;
    // Clang spells the access in the name: "__read_only image2d_t".
    result.name = result.name.substr(result.name.rfind(' ') + 1);
  } else if (type->isPointerType()) {
    result.kind = model::Type::Kind::Pointer;
    result.size = result.alignment = 8;
  } else if (const auto* builtin = type->getAs<clang::BuiltinType>();
             builtin && scalar_of(*builtin)) {
    // CUDA's bool, which arguments may be, is a byte.
    const bool is_byte = type->isBooleanType() && context.getLangOpts().CUDA;
    return model::scalar_type(is_byte ? model::Scalar::UChar : *scalar_of(*builtin));
  } else {
    result.kind = model::Type::Kind::Opaque;
    if (!type->isIncompleteType()) {
      result.size = static_cast<std::size_t>(context.getTypeSizeInChars(type).getQuantity());
      result.alignment = static_cast<std::size_t>(context.getTypeAlignInChars(type).getQuantity());
    }
  }
  return result;
}

// The first number of __launch_bounds__. Other bounds do not refuse launches.
std::optional<std::size_t> launch_bounds(const clang::FunctionDecl& kernel,
                                         const clang::ASTContext& context) {
  const auto* const bounds = kernel.getAttr<clang::CUDALaunchBoundsAttr>();
  clang::Expr::EvalResult threads;
  if (!bounds || bounds->getMaxThreads()->isValueDependent() ||
      !bounds->getMaxThreads()->EvaluateAsInt(threads, context))
    return std::nullopt;
  const std::int64_t most = threads.Val.getInt().getExtValue();
  return most > 0 ? std::optional(static_cast<std::size_t>(most)) : std::nullopt;
}

model::Interface describe(const frontend::Tree& tree, const std::string& source_name) {
  model::Interface interface;
  interface.source = source_name;
  for (const auto& [kernel, name] : tree.named_kernels()) {
    model::KernelInterface entry;
    entry.name = name;
    const frontend::Excerpt place = tree.excerpt(kernel->getNameInfo().getSourceRange());
    entry.file = place.file;
    entry.line = place.line;
    if (const auto* size = kernel->getAttr<clang::ReqdWorkGroupSizeAttr>())
      entry.required_work_group_size = {
          frontend::llvm_version::extent(size->getXDim(), tree.context()),
          frontend::llvm_version::extent(size->getYDim(), tree.context()),
          frontend::llvm_version::extent(size->getZDim(), tree.context())};
    entry.most_work_items = launch_bounds(*kernel, tree.context());
    for (const clang::ParmVarDecl* parameter : kernel->parameters())
      entry.arguments.push_back(describe_argument(*parameter, *kernel, tree.context()));
    interface.kernels.push_back(std::move(entry));
  }
  return interface;
}

std::vector<std::string> unused_templates(const frontend::Tree& tree) {
  std::set<std::string> made; // of the templates
  for (const frontend::NamedKernel& kernel : tree.named_kernels())
    made.insert(frontend::name_of_function(*kernel.function));
  std::vector<std::string> unused;
  for (const clang::FunctionDecl* kernel : tree.kernels())
    if (kernel->isDependentContext() && made.insert(frontend::name_of_function(*kernel)).second)
      unused.push_back(frontend::name_of_function(*kernel));
  return unused;
}

} // namespace gputest::passes
