// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/cuda/ptx/module.h"

#include "frontend/llvm_version.h"
#include "ir/cuda/ptx/body.h"
#include "ir/cuda/ptx/places.h"
#include "ir/cuda/ptx/pointers.h"
#include "ir/cuda/ptx/variables.h"

#include <fmt/format.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

#include <set>

namespace gputest::ir {
namespace {

constexpr unsigned kCapability = 80; // of the device

// Functions that every kernel may call. They have pointers where PTX has numbers.
llvm::FunctionType* type_of_known(llvm::StringRef name, llvm::LLVMContext& context) {
  auto* const pointer = llvm::PointerType::getUnqual(context);
  llvm::Type *const half = llvm::Type::getInt32Ty(context),
                    *const word = llvm::Type::getInt64Ty(context),
                    *const none = llvm::Type::getVoidTy(context);
  const auto function = [](llvm::Type* result, std::vector<llvm::Type*> parameters) {
    return llvm::FunctionType::get(result, parameters, false);
  };
  if (name == "vprintf")
    return function(half, {pointer, pointer});
  if (name == "malloc")
    return function(pointer, {word});
  if (name == "free")
    return function(none, {pointer});
  return name == "__assertfail" ? function(none, {pointer, pointer, half, pointer, word}) : nullptr;
}

struct Definition {
  llvm::Function* function = nullptr;
  PtxPrototype prototype;
  llvm::StringRef body;
  bool is_kernel = false;
};

class PtxModule {
public:
  PtxModule(llvm::Module& module, std::string text, const std::string& name)
      : module_(module), text_(std::move(text)), places_(module, text_, name), variables_(module) {}

  void read() {
    try {
      // The text ends at a zero.
      text_.resize(std::min(text_.find('\0'), text_.size()));
      blank_comments(text_);
      places_.find_lines();
      declare_all();
      variables_.set_values();
      for (const Definition& definition : definitions_)
        translate(definition);
    } catch (const PtxFault& fault) {
      throw PtxError(fmt::format("{}error: {}", places_.prefix(fault.at), fault.what()));
    }
  }

private:
  void declare_all() {
    PtxReader reader(text_);
    for (PtxStatement statement; reader.next(statement);) {
      llvm::StringRef rest = statement.text;
      const llvm::StringRef word = take_word(rest);
      rest = rest.trim();
      if (statement.kind != PtxStatement::Kind::Directive)
        throw PtxFault(statement.text.data(),
                       fmt::format("'{}' is not understood here", word.str()));
      if (!has_version_ && word != ".version")
        throw PtxFault(word.data(), "the text does not begin with .version: it is no PTX");
      if (word == ".version")
        has_version_ = true;
      else if (word == ".target")
        target(rest);
      else if (word == ".address_size")
        address_size(rest);
      else if (word == ".section")
        reader.take_block();
      else if (word == ".file")
        places_.add_file(rest);
      else if (word.starts_with("@@") || word == ".pragma" || word == ".loc")
        continue;
      else if (begins_with(statement.text, {".entry", ".func"}))
        function(statement.text, reader);
      else
        variables_.add(declaration_of(statement.text));
    }
    if (!has_version_)
      throw PtxFault(text_.data(), "the text is empty: it is no PTX");
  }

  static void target(llvm::StringRef text) {
    for (const llvm::StringRef one : operands_of(text)) {
      llvm::StringRef number = one;
      unsigned capability = 0;
      if (number.consume_front("sm_") || number.consume_front("compute_")) {
        if (number.rtrim("af").getAsInteger(10, capability) || capability > kCapability)
          throw PtxFault(one.data(), fmt::format("the PTX is for {}, and the device is an sm_{}",
                                                 one.str(), kCapability));
        continue;
      }
      if (!one.starts_with("texmode_") && one != "debug" && one != "map_f64_to_f32")
        throw PtxFault(one.data(), fmt::format("'{}' is no target", one.str()));
    }
  }

  static void address_size(llvm::StringRef text) {
    if (text != "64")
      throw PtxFault(text.data(), "addresses have 64 bits on this device");
  }

  void function(llvm::StringRef head, PtxReader& reader) {
    Definition definition;
    bool is_external = false, is_visible = false, is_weak = false, is_noreturn = false;
    llvm::StringRef text = head;
    while (text.starts_with(".")) {
      const llvm::StringRef word = take_directive(text);
      definition.is_kernel |= word == ".entry";
      is_external |= word == ".extern";
      is_visible |= word == ".visible";
      is_weak |= word == ".weak";
      is_noreturn |= word == ".noreturn";
      text = text.ltrim();
      if (word == ".attribute")
        text =
            text.drop_until([](char c) { return c == ')'; }).drop_front(text.contains(')')).ltrim();
    }
    definition.prototype = prototype_of(text);
    const llvm::StringRef name = definition.prototype.name;
    definition.function = declared(definition, is_external, is_visible, is_weak);
    if (is_noreturn || definition.prototype.rest.contains(".noreturn"))
      definition.function->addFnAttr(llvm::Attribute::NoReturn);
    if (!reader.rest().ltrim().starts_with("{"))
      return;
    if (is_external || !defined_.insert(definition.function).second)
      throw PtxFault(name.data(), fmt::format("there is '{}' already", name.str()));
    definition.body = reader.take_block();
    definition.function->removeFnAttr(kPtxExternal);
    if (definition.is_kernel)
      frontend::llvm_version::make_cuda_kernel(*definition.function,
                                               most_threads(definition.prototype.rest));
    definitions_.push_back(std::move(definition));
  }

  // `.maxntid 128, 1, 1 .minnctapersm 2`
  static unsigned most_threads(llvm::StringRef text) {
    std::uint64_t threads = 0;
    for (const char* word : {".maxntid", ".reqntid"}) {
      const std::size_t at = text.find(word);
      if (at == llvm::StringRef::npos)
        continue;
      llvm::StringRef rest = text.drop_front(at + llvm::StringRef(word).size());
      threads = 1;
      for (const llvm::StringRef one :
           operands_of(rest.take_until([](char c) { return c == '.'; }))) {
        const std::optional<std::int64_t> extent = integer_of(one);
        if (!extent || *extent < 1 || *extent > 1024)
          throw PtxFault(one.data(), fmt::format("'{}' is no number of threads", one.str()));
        threads *= static_cast<std::uint64_t>(*extent);
      }
    }
    return static_cast<unsigned>(std::min<std::uint64_t>(threads, 1024));
  }

  llvm::Function* declared(Definition& definition, bool is_external, bool is_visible,
                           bool is_weak) {
    const llvm::StringRef name = definition.prototype.name;
    PtxSignature& signature = definition.prototype.signature;
    llvm::LLVMContext& context = module_.getContext();
    llvm::FunctionType* type = function_type(signature, context);
    if (llvm::FunctionType* const known = is_external ? type_of_known(name, context) : nullptr;
        known && known->getNumParams() == type->getNumParams())
      type = known;
    if (llvm::Function* const before = module_.getFunction(name)) {
      const auto found = functions_.find(before);
      if (found == functions_.end() || before->getFunctionType() != type)
        throw PtxFault(name.data(), fmt::format("there is another '{}'", name.str()));
      return before;
    }
    if (module_.getNamedValue(name) || name.starts_with("llvm."))
      throw PtxFault(name.data(), fmt::format("no function can be called '{}'", name.str()));
    const bool is_known = definition.is_kernel || is_external || is_visible;
    auto* const function = llvm::Function::Create(type,
                                                  is_weak    ? llvm::GlobalValue::WeakAnyLinkage
                                                  : is_known ? llvm::GlobalValue::ExternalLinkage
                                                             : llvm::GlobalValue::InternalLinkage,
                                                  name, module_);
    add_attributes(signature, context, [&](unsigned parameter, llvm::Attribute one) {
      function->addParamAttr(parameter, one);
    });
    function->addFnAttr(kPtxExternal, std::to_string(places_.line_of(name.data())));
    functions_[function] = signature;
    return function;
  }

  void translate(const Definition& definition) {
    llvm::Function& function =
        definition.is_kernel ? with_pointers(definition) : *definition.function;
    places_.begin_function(function, definition.prototype.name.data());
    PtxBody body(function,
                 [this](llvm::IRBuilder<>& builder, const char* at) { places_.set(builder, at); });
    places_.set(body.builder(), definition.prototype.name.data());
    give_parameters(definition, function, body);
    body.translate(definition.body, {&functions_, definition.is_kernel});
    give_result(definition, body);
    body.finish();
    point_into_objects(function);
    std::string message;
    llvm::raw_string_ostream stream(message);
    if (llvm::verifyFunction(function, &stream))
      throw PtxFault(definition.prototype.name.data(),
                     fmt::format("'{}' has operands that do not fit: {}",
                                 definition.prototype.name.str(), stream.str()));
  }

  // Parameters that the kernel uses as pointers to global memory are pointers.
  llvm::Function& with_pointers(const Definition& definition) {
    llvm::Function& before = *definition.function;
    const std::set<llvm::StringRef> used = used_as_pointers(definition.body);
    std::vector<llvm::Type*> types(before.getFunctionType()->params());
    const std::vector<PtxDeclaration>& parameters = definition.prototype.parameters;
    for (std::size_t i = 0; i < parameters.size(); ++i)
      if (types[i]->isIntegerTy(64) &&
          (parameters[i].is_pointer || used.contains(parameters[i].names.front().name)))
        types[i] = llvm::PointerType::getUnqual(module_.getContext());
    if (types == before.getFunctionType()->params().vec())
      return before;
    auto* const function =
        llvm::Function::Create(llvm::FunctionType::get(before.getReturnType(), types, false),
                               before.getLinkage(), "", module_);
    function->copyAttributesFrom(&before);
    function->takeName(&before);
    before.replaceAllUsesWith(function);
    functions_[function] = functions_[&before];
    functions_.erase(&before);
    before.eraseFromParent();
    return *function;
  }

  static std::set<llvm::StringRef> used_as_pointers(llvm::StringRef body) {
    std::map<llvm::StringRef, llvm::StringRef> loaded; // register, parameter
    std::set<llvm::StringRef> used;
    PtxReader reader(body);
    for (PtxStatement statement; reader.next(statement);) {
      if (statement.kind != PtxStatement::Kind::Instruction)
        continue;
      const PtxInstruction one = instruction_of(statement.text);
      const auto base = [](llvm::StringRef operand) {
        return operand.consume_front("[") ? operand.ltrim().take_while(is_of_name)
                                          : llvm::StringRef();
      };
      if (one.name.starts_with("ld.param.") && one.operands.size() == 2) {
        loaded[one.operands[0]] = base(one.operands[1]);
        continue;
      }
      for (const llvm::StringRef operand : one.operands) {
        const auto found =
            loaded.find(one.name.starts_with("cvta.to.global") ? operand : base(operand));
        if (found != loaded.end())
          used.insert(found->second);
      }
    }
    return used;
  }

  static void give_parameters(const Definition& definition, llvm::Function& function,
                              PtxBody& body) {
    const auto& [signature, results, parameters, name, rest] = definition.prototype;
    for (unsigned i = 0; i < parameters.size(); ++i) {
      const llvm::StringRef called = parameters[i].names.front().name;
      llvm::Argument& argument = *function.getArg(i);
      argument.setName(called);
      if (signature.parameters[i].is_array)
        body.values().add(called, &argument);
      else
        body.builder().CreateStore(
            body.values().converted(&argument, word_of(signature.parameters[i], body)),
            variable(parameters[i], signature.parameters[i], body));
    }
    if (!results.empty())
      variable(results.front(), signature.results.front(), body);
  }

  static llvm::Type* word_of(const PtxParameter& parameter, PtxBody& body) {
    return body.builder().getIntNTy(static_cast<unsigned>(8 * parameter.size));
  }

  // A parameter or result in memory, or in a register.
  static llvm::AllocaInst* variable(const PtxDeclaration& declaration,
                                    const PtxParameter& parameter, PtxBody& body) {
    const llvm::StringRef name = declaration.names.front().name;
    llvm::Type* const type = parameter.is_array
                                 ? llvm::ArrayType::get(body.builder().getInt8Ty(), parameter.size)
                                 : word_of(parameter, body);
    llvm::AllocaInst* const place = body.values().make(type, name, parameter.align);
    if (declaration.space == "reg")
      body.values().add_register(name, place);
    else
      body.values().add(name, place);
    return place;
  }

  static void give_result(const Definition& definition, PtxBody& body) {
    llvm::IRBuilder<>& builder = body.builder();
    const std::vector<PtxDeclaration>& results = definition.prototype.results;
    if (results.empty()) {
      builder.CreateRetVoid();
      return;
    }
    llvm::Type* const type = builder.GetInsertBlock()->getParent()->getReturnType();
    const llvm::StringRef name = results.front().names.front().name;
    llvm::Value* const place = body.values().object(name);
    builder.CreateRet(place ? builder.CreateLoad(type, place) : body.values().read(name, type));
  }

  llvm::Module& module_;
  std::string text_;
  PtxPlaces places_;
  PtxVariables variables_;
  bool has_version_ = false;
  std::map<const llvm::Function*, PtxSignature> functions_;
  std::set<const llvm::Function*> defined_;
  std::vector<Definition> definitions_;
};

} // namespace

std::unique_ptr<llvm::Module> read_ptx(const std::string& text, const std::string& name,
                                       llvm::LLVMContext& context) {
  auto module = std::make_unique<llvm::Module>(name, context);
  module->setDataLayout("e-i64:64-i128:128-v16:16-v32:32-n16:32:64");
  PtxModule(*module, text, name).read();
  return module;
}

void refuse_undefined(const llvm::Module& module) {
  const auto refuse = [&](const llvm::GlobalValue& one) {
    throw PtxError(fmt::format("error: '{}' is defined nowhere, and PTX of the program uses it",
                               one.getName().str()));
  };
  for (const llvm::Function& function : module)
    if (function.isDeclaration() && !function.use_empty() &&
        function.hasFnAttribute(kPtxExternal) && !function.getName().starts_with("__nv_") &&
        !function.getName().starts_with("gputest_") &&
        !type_of_known(function.getName(), module.getContext()))
      refuse(function);
  for (const llvm::GlobalVariable& variable : module.globals())
    if (variable.isDeclaration() && !variable.use_empty() && variable.hasAttribute(kPtxExternal))
      refuse(variable);
}

} // namespace gputest::ir
