// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/cuda/ptx/body.h"

#include "ir/analysis_managers.h"
#include "ir/call.h"
#include "ir/host.h"
#include "ir/lowered_names.h"

#include <algorithm>
#include <fmt/format.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace gputest::ir {

namespace {

std::vector<std::string> text_of(const PtxTexts& operands) {
  std::vector<std::string> texts;
  for (const llvm::StringRef operand : operands) {
    texts.push_back(operand.substr(0, 80).str());
    std::ranges::replace(texts.back(), '\n', ' ');
  }
  return texts;
}

} // namespace

PtxBody::PtxBody(llvm::Function& function,
                 std::function<void(llvm::IRBuilder<>&, const char*)> place)
    : function_(function), place_(std::move(place)),
      first_(llvm::BasicBlock::Create(function.getContext(), "", &function)),
      end_(llvm::BasicBlock::Create(function.getContext(), "end", &function)),
      builder_(llvm::BasicBlock::Create(function.getContext(), "", &function)),
      values_(builder_, function), instructions_(builder_, values_) {}

llvm::BasicBlock* PtxBody::new_block() {
  return llvm::BasicBlock::Create(function_.getContext(), "", &function_);
}

void PtxBody::find_labels(llvm::StringRef text) {
  PtxReader reader(text);
  std::vector<unsigned> scopes{0};
  unsigned last = 0;
  for (PtxStatement statement; reader.next(statement);)
    if (statement.kind == PtxStatement::Kind::Open) {
      scopes.push_back(++last);
    } else if (statement.kind == PtxStatement::Kind::Close) {
      if (scopes.size() == 1)
        throw PtxFault(statement.text.data(), "there is no '{' for this '}'");
      scopes.pop_back();
    } else if (statement.kind == PtxStatement::Kind::Label &&
               !reader.rest().ltrim().starts_with(".branchtargets") &&
               !reader.rest().ltrim().starts_with(".callprototype") &&
               !reader.rest().ltrim().starts_with(".calltargets") &&
               !labels_.try_emplace({scopes.back(), statement.text}, new_block()).second)
      throw PtxFault(statement.text.data(),
                     fmt::format("there is a label '{}' already", statement.text.str()));
  if (scopes.size() > 1)
    throw PtxFault(text.data(), "a '{' of the body has no '}'");
}

llvm::BasicBlock* PtxBody::label(llvm::StringRef name) {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
    if (const auto found = labels_.find({*scope, name}); found != labels_.end())
      return found->second;
  throw PtxFault(name.data(), fmt::format("there is no label '{}'", name.str()));
}

void PtxBody::translate(llvm::StringRef text, const Settings& settings) {
  settings_ = settings;
  llvm::BasicBlock* const begin = builder_.GetInsertBlock();
  find_labels(text);
  PtxReader reader(text);
  for (PtxStatement statement; reader.next(statement);) {
    place_(builder_, statement.text.data());
    switch (statement.kind) {
    case PtxStatement::Kind::Open:
      scopes_.push_back(++last_scope_);
      values_.enter_scope();
      break;
    case PtxStatement::Kind::Close:
      scopes_.pop_back();
      values_.leave_scope();
      break;
    case PtxStatement::Kind::Label:
      last_label_ = statement.text;
      ended_ = false;
      if (const auto found = labels_.find({scopes_.back(), statement.text});
          found != labels_.end()) {
        builder_.CreateBr(found->second);
        builder_.SetInsertPoint(found->second);
      }
      break;
    case PtxStatement::Kind::Directive:
      directive(statement.text);
      break;
    case PtxStatement::Kind::Instruction:
      instruction(statement.text);
      break;
    }
  }
  builder_.CreateBr(end_);
  end_->moveAfter(&function_.back());
  builder_.SetInsertPoint(end_);
  llvm::IRBuilder<>(first_).CreateBr(begin);
}

void PtxBody::finish() {
  llvm::EliminateUnreachableBlocks(function_);
  AnalysisManagers analyses;
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
  passes.run(function_, analyses.functions);
}

void PtxBody::directive(llvm::StringRef text) {
  llvm::StringRef rest = text;
  const llvm::StringRef word = take_word(rest);
  rest = rest.trim();
  if (word == ".loc" || word == ".pragma" || word == ".file" || word == ".calltargets")
    return;
  if (word == ".branchtargets") {
    tables_[last_label_] = operands_of(rest);
    return;
  }
  if (word == ".callprototype") {
    prototypes_[last_label_] = prototype_of(rest).signature;
    return;
  }
  declare(declaration_of(text));
}

void PtxBody::declare(const PtxDeclaration& declaration) {
  if (declaration.space == "reg") {
    values_.declare(declaration);
    return;
  }
  llvm::Module& module = *function_.getParent();
  const PtxDeclaration::Name& first = declaration.names.front();
  if ((declaration.space != "param" && declaration.space != "local" &&
       declaration.space != "shared") ||
      declaration.element_size() == 0 || !declaration.value.empty())
    throw PtxFault(first.name.data(), "such a variable is not supported here");
  for (const PtxDeclaration::Name& one : declaration.names) {
    PtxDeclaration alone = declaration;
    alone.names = {one};
    llvm::Type* const type = llvm::ArrayType::get(builder_.getInt8Ty(), alone.size());
    const auto align = llvm::Align(alone.alignment());
    if (declaration.space != "shared") {
      const bool is_number =
          declaration.space == "param" && one.extents.empty() && declaration.vector == 1;
      values_.add(one.name, values_.make(is_number ? builder_.getIntNTy(
                                                         static_cast<unsigned>(8 * alone.size()))
                                                   : type,
                                         one.name, align.value()));
      continue;
    }
    auto* const variable = new llvm::GlobalVariable(
        module, type, false,
        one.unsized ? llvm::GlobalValue::ExternalLinkage : llvm::GlobalValue::InternalLinkage,
        one.unsized ? nullptr : llvm::UndefValue::get(type), one.name, nullptr,
        llvm::GlobalValue::NotThreadLocal, kLocalSpace);
    variable->setAlignment(align);
    values_.add(one.name, variable);
  }
}

void PtxBody::instruction(llvm::StringRef text) {
  const PtxInstruction one = instruction_of(text);
  if (one.guard.empty()) {
    do_instruction(one);
    return;
  }
  llvm::Value* const holds = values_.read(one.guard, builder_.getInt1Ty());
  if (!holds)
    throw PtxFault(text.data(), fmt::format("there is no predicate '{}'", one.guard.str()));
  llvm::BasicBlock *const inside = new_block(), *const after = new_block();
  builder_.CreateCondBr(holds, inside, after);
  builder_.SetInsertPoint(inside);
  do_instruction(one);
  ended_ = false;
  builder_.CreateBr(after);
  builder_.SetInsertPoint(after);
}

void PtxBody::do_instruction(const PtxInstruction& instruction) {
  const llvm::StringRef name = instruction.parts[0];
  if (name == "bra")
    jump(instruction);
  else if (name == "brx")
    jump_by_table(instruction);
  else if (name == "ret" || name == "exit")
    leave(instruction);
  else if (name == "call")
    call(instruction);
  else if (!instructions_.translate(instruction))
    throw PtxFault(instruction.name.data(),
                   fmt::format("the simulator does not know '{} {}'", instruction.name.str(),
                               fmt::join(text_of(instruction.operands), ", ")));
  ended_ = name == "trap" || (ended_ && name == "call");
}

void PtxBody::jump(const PtxInstruction& instruction) {
  if (instruction.operands.size() != 1)
    throw PtxFault(instruction.name.data(), "a jump has one label");
  builder_.CreateBr(label(instruction.operands[0]));
  builder_.SetInsertPoint(new_block());
}

void PtxBody::jump_by_table(const PtxInstruction& instruction) { // brx.idx %r1, ts
  const auto table =
      instruction.operands.size() == 2 ? tables_.find(instruction.operands[1]) : tables_.end();
  llvm::Value* const index = table == tables_.end()
                                 ? nullptr
                                 : values_.read(instruction.operands[0], builder_.getInt32Ty());
  if (!index || table->second.empty())
    throw PtxFault(instruction.name.data(), "there is no such list of labels, or no such number");
  llvm::SwitchInst* const jump = builder_.CreateSwitch(index, label(table->second[0]));
  for (unsigned i = 1; i < table->second.size(); ++i)
    jump->addCase(builder_.getInt32(i), label(table->second[i]));
  builder_.SetInsertPoint(new_block());
}

void PtxBody::leave(const PtxInstruction& instruction) {
  const bool ends_thread = instruction.parts[0] == "exit";
  // Instructions behind a trap are not reached.
  if (ends_thread && !settings_.is_kernel && !ended_)
    call_by_name(builder_, kExitFunction, builder_.getVoidTy());
  else if (!settings_.functions)
    throw PtxFault(instruction.name.data(),
                   fmt::format("'{}' is not supported here", instruction.name.str()));
  builder_.CreateBr(end_);
  builder_.SetInsertPoint(new_block());
}

// call (result), name, (a, b), prototype
void PtxBody::call(const PtxInstruction& instruction) {
  if (!settings_.functions)
    throw PtxFault(instruction.name.data(), "calls are not supported here");
  PtxTexts operands = instruction.operands;
  PtxTexts results, arguments;
  if (!operands.empty() && operands[0].starts_with("(")) {
    results = operands_inside(operands[0]);
    operands.erase(operands.begin());
  }
  if (operands.empty())
    throw PtxFault(instruction.name.data(), "nothing is called");
  const llvm::StringRef target = operands[0];
  if (operands.size() > 1 && operands[1].starts_with("("))
    arguments = operands_inside(operands[1]);
  llvm::Value* callee = values_.object(target);
  const PtxSignature* signature = nullptr;
  if (auto* const function = llvm::dyn_cast_or_null<llvm::Function>(callee)) {
    const auto found = settings_.functions->find(function);
    signature = found == settings_.functions->end() ? nullptr : &found->second;
  } else if (operands.size() > 1) {
    const auto found = prototypes_.find(operands.back());
    signature = found == prototypes_.end() ? nullptr : &found->second;
    llvm::Value* const address = values_.read(target, builder_.getInt64Ty());
    callee = address ? builder_.CreateIntToPtr(address, builder_.getPtrTy()) : nullptr;
  }
  if (!callee || !signature)
    throw PtxFault(target.data(),
                   fmt::format("there is no function '{}', or no prototype of it", target.str()));
  if (results.size() != signature->results.size() ||
      arguments.size() != signature->parameters.size())
    throw PtxFault(instruction.name.data(),
                   fmt::format("'{}' has other parameters or results", target.str()));
  auto* const known = llvm::dyn_cast<llvm::Function>(callee);
  llvm::FunctionType* const type =
      known ? known->getFunctionType() : function_type(*signature, function_.getContext());
  std::vector<llvm::Value*> values;
  for (unsigned i = 0; i < arguments.size(); ++i) {
    llvm::Value* const variable = values_.object(arguments[i]);
    llvm::Value* value = nullptr;
    if (signature->parameters[i].is_array)
      value = llvm::isa_and_nonnull<llvm::AllocaInst>(variable) ? variable : nullptr;
    else if (llvm::isa_and_nonnull<llvm::AllocaInst>(variable))
      value = values_.converted(builder_.CreateLoad(builder_.getIntNTy(static_cast<unsigned>(
                                                        8 * signature->parameters[i].size)),
                                                    variable),
                                type->getParamType(i));
    else
      value = values_.read(arguments[i], type->getParamType(i));
    if (!value)
      throw PtxFault(arguments[i].data(), fmt::format("'{}' is no argument", arguments[i].str()));
    values.push_back(value);
  }
  llvm::CallInst* const made = builder_.CreateCall(type, callee, values);
  add_attributes(*signature, function_.getContext(), [&](unsigned parameter, llvm::Attribute one) {
    made->addParamAttr(parameter, one);
  });
  ended_ = known && known->getName() == "__assertfail";
  if (results.empty())
    return;
  llvm::Value* const place = values_.object(results[0]);
  if (llvm::isa_and_nonnull<llvm::AllocaInst>(place))
    builder_.CreateStore(
        made->getType()->isPointerTy() ? values_.converted(made, builder_.getInt64Ty()) : made,
        place);
  else if (made->getType()->isArrayTy() || !values_.write(results[0], made))
    throw PtxFault(results[0].data(), fmt::format("'{}' takes no result", results[0].str()));
}

} // namespace gputest::ir
