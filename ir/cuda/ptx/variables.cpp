// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/cuda/ptx/variables.h"

#include "ir/cuda/ptx/module.h"
#include "ir/host.h"

#include <fmt/format.h>
#include <llvm/IR/Constants.h>

#include <cstring>

namespace gputest::ir {
namespace {

constexpr std::uint64_t kMostInitialised = 64 << 20; // bytes

llvm::Type* bytes_of(llvm::LLVMContext& context, std::uint64_t size) {
  return llvm::ArrayType::get(llvm::Type::getInt8Ty(context), size);
}

// In bytes: an array without an extent is as large as there are values.
std::uint64_t size_of(const PtxDeclaration& declaration) {
  return declaration.names.front().unsized && !declaration.value.empty()
             ? operands_inside(declaration.value).size() * declaration.element_size()
             : declaration.size();
}

// Variables begin with zeros; set_values() sets given values.
llvm::Constant* first_value(const PtxDeclaration& declaration, llvm::Type* type) {
  const bool has_none =
      declaration.external || (declaration.names.front().unsized && declaration.value.empty());
  if (has_none)
    return nullptr;
  return declaration.space == "shared" ? llvm::UndefValue::get(type)
                                       : llvm::Constant::getNullValue(type);
}

} // namespace

void PtxVariables::add(const PtxDeclaration& declaration) {
  for (const PtxDeclaration::Name& one : declaration.names) {
    PtxDeclaration alone = declaration;
    alone.names = {one};
    add_one(alone);
  }
}

void PtxVariables::add_one(const PtxDeclaration& declaration) {
  const PtxDeclaration::Name& name = declaration.names.front();
  const unsigned space = declaration.space == "shared"  ? kLocalSpace
                         : declaration.space == "const" ? kConstantSpace
                                                        : kGlobalSpace;
  if ((declaration.space != "shared" && declaration.space != "const" &&
       declaration.space != "global") ||
      name.range > 0 || declaration.element_size() == 0)
    throw PtxFault(name.name.data(), "such a variable is not supported here");
  llvm::Type* const type = bytes_of(module_.getContext(), size_of(declaration));
  llvm::Constant* const value = first_value(declaration, type);
  if (auto* const before = module_.getNamedGlobal(name.name)) {
    if (!value) // a second declaration
      return;
    if (before->hasInitializer())
      throw PtxFault(name.name.data(), fmt::format("there is '{}' already", name.name.str()));
    before->setName("");
  }
  if (module_.getFunction(name.name))
    throw PtxFault(name.name.data(), fmt::format("there is '{}' already", name.name.str()));
  const bool is_known = !value || declaration.visible || declaration.weak;
  auto* const variable =
      new llvm::GlobalVariable(module_, type, false,
                               !is_known                   ? llvm::GlobalValue::InternalLinkage
                               : declaration.weak && value ? llvm::GlobalValue::WeakAnyLinkage
                                                           : llvm::GlobalValue::ExternalLinkage,
                               value, name.name, nullptr, llvm::GlobalValue::NotThreadLocal, space,
                               value && space != kLocalSpace);
  variable->setAlignment(llvm::Align(declaration.alignment()));
  if (!value && space != kLocalSpace)
    variable->addAttribute(kPtxExternal);
  if (!declaration.value.empty())
    with_values_.emplace_back(variable, declaration);
  if (declaration.managed)
    managed_.push_back(variable);
}

void PtxVariables::set_values() {
  for (auto& [variable, declaration] : with_values_) {
    if (declaration.space == "shared")
      throw PtxFault(declaration.value.data(), "shared memory has no initial values");
    const Value value = value_of(declaration);
    llvm::Constant* const constant = constant_of(value);
    // With addresses, the initial value has another type.
    auto* const other = new llvm::GlobalVariable(
        module_, constant->getType(), false, variable->getLinkage(), constant, "", variable,
        llvm::GlobalValue::NotThreadLocal, variable->getAddressSpace(), true);
    other->setAlignment(variable->getAlign());
    other->takeName(variable);
    variable->replaceAllUsesWith(other);
    std::ranges::replace(managed_, variable, other);
    variable->eraseFromParent();
  }
  mark_managed();
}

PtxVariables::Value PtxVariables::value_of(const PtxDeclaration& declaration) const {
  Value value;
  const std::uint64_t size = size_of(declaration);
  if (size > kMostInitialised)
    throw PtxFault(declaration.value.data(), "the variable is too large");
  value.bytes.assign(size, '\0');
  std::size_t at = 0;
  fill(declaration, declaration.value, at, value);
  return value;
}

// Writes elements from `at` on. Inner braces have no meaning: ptxas 13 gives the values to one
// element after the other.
void PtxVariables::fill(const PtxDeclaration& declaration, llvm::StringRef text, std::size_t& at,
                        Value& value) const {
  text = text.trim();
  if (!text.starts_with("{")) {
    put(declaration, text, at, value);
    at += size_of_type(declaration.type);
    return;
  }
  for (const llvm::StringRef one : operands_inside(text))
    fill(declaration, one, at, value);
}

void PtxVariables::put(const PtxDeclaration& declaration, llvm::StringRef text, std::size_t at,
                       Value& value) const {
  const std::uint64_t size = size_of_type(declaration.type);
  std::uint64_t bits = 0;
  llvm::StringRef digits = text;
  double real = 0;
  if (at + size > value.bytes.size())
    throw PtxFault(text.data(), "there are more values than elements");
  if (digits.consume_front_insensitive("0f") || digits.consume_front_insensitive("0d")) {
    if (digits.getAsInteger(16, bits))
      throw PtxFault(text.data(), fmt::format("'{}' is no number", text.str()));
    const bool is_single = text[1] == 'f' || text[1] == 'F';
    if (is_single && declaration.type == "f64") {
      const auto word = static_cast<std::uint32_t>(bits);
      float single = 0;
      std::memcpy(&single, &word, sizeof single);
      real = single;
      std::memcpy(&bits, &real, sizeof bits);
    }
  } else if (const std::optional<std::int64_t> number = integer_of(text);
             number && !declaration.type.starts_with("f")) {
    bits = static_cast<std::uint64_t>(*number);
  } else if (declaration.type.starts_with("f") && !text.getAsDouble(real)) {
    const auto single = static_cast<float>(real);
    std::memcpy(&bits, &real, sizeof bits);
    if (size == 4)
      std::memcpy(&bits, &single, sizeof single);
  } else if (size == 1) {
    put_byte_of_address(text, at, value);
    return;
  } else {
    if (size != 8)
      throw PtxFault(text.data(), fmt::format("'{}' is no number that fits", text.str()));
    value.addresses.emplace_back(at, address_of(text));
    return;
  }
  std::memcpy(value.bytes.data() + at, &bits, std::min<std::size_t>(size, sizeof bits));
}

// 0xFF00(generic(table)+8): the second byte of the address
void PtxVariables::put_byte_of_address(llvm::StringRef text, std::size_t at, Value& value) const {
  const auto [mask, after] = text.split('(');
  const std::optional<std::int64_t> bits = integer_of(mask.trim());
  if (!bits || !after.ends_with(")"))
    throw PtxFault(text.data(), fmt::format("'{}' is no number", text.str()));
  unsigned byte = 0;
  while (byte < 8 && static_cast<std::uint64_t>(*bits) != std::uint64_t{255} << 8 * byte)
    ++byte;
  if (byte == 0 && at + 8 <= value.bytes.size())
    value.addresses.emplace_back(at, address_of(after.drop_back().trim()));
  else if (byte == 8 || value.addresses.empty() || value.addresses.back().first + byte != at)
    throw PtxFault(text.data(), "a part of an address by itself is not supported");
}

// table, table+8, generic(table)+8, generic(table+8)
llvm::Constant* PtxVariables::address_of(llvm::StringRef text) const {
  const llvm::StringRef whole = text;
  std::int64_t offset = 0;
  const auto take_offset = [&](llvm::StringRef& from) {
    const auto [rest, number] = from.rsplit('+');
    if (const std::optional<std::int64_t> bytes = integer_of(number.trim());
        bytes && rest.size() < from.size()) {
      offset += *bytes;
      from = rest.rtrim();
    }
  };
  take_offset(text);
  if (text.consume_front("generic(") && text.consume_back(")"))
    take_offset(text);
  llvm::GlobalValue* const variable = module_.getNamedValue(text.trim());
  if (!variable || variable->getAddressSpace() == kLocalSpace)
    throw PtxFault(whole.data(),
                   fmt::format("'{}' is no address of a variable or function", whole.str()));
  llvm::Constant* address = variable;
  if (offset != 0)
    address = llvm::ConstantExpr::getGetElementPtr(
        llvm::Type::getInt8Ty(module_.getContext()), address,
        llvm::ConstantInt::get(llvm::Type::getInt64Ty(module_.getContext()),
                               static_cast<std::uint64_t>(offset), true));
  return llvm::ConstantExpr::getPtrToInt(address, llvm::Type::getInt64Ty(module_.getContext()));
}

llvm::Constant* PtxVariables::constant_of(const Value& value) const {
  llvm::LLVMContext& context = module_.getContext();
  const auto bytes = [&](std::size_t begin, std::size_t end) -> llvm::Constant* {
    return llvm::ConstantDataArray::getRaw(llvm::StringRef(value.bytes).slice(begin, end),
                                           end - begin, llvm::Type::getInt8Ty(context));
  };
  if (value.addresses.empty())
    return bytes(0, value.bytes.size());
  std::vector<llvm::Constant*> parts;
  std::size_t done = 0;
  for (const auto& [at, address] : value.addresses) {
    if (at < done)
      throw PtxFault("", "addresses overlap");
    if (at > done)
      parts.push_back(bytes(done, at));
    parts.push_back(address);
    done = at + 8;
  }
  if (done < value.bytes.size())
    parts.push_back(bytes(done, value.bytes.size()));
  return llvm::ConstantStruct::getAnon(context, parts, /*Packed=*/true);
}

// Marks variables as Clang does for gputest-cuda's __managed__.
void PtxVariables::mark_managed() {
  if (managed_.empty())
    return;
  llvm::LLVMContext& context = module_.getContext();
  auto* const pointer = llvm::PointerType::getUnqual(context);
  auto* const text = llvm::ConstantDataArray::getString(context, "gputest.managed");
  auto* const name = new llvm::GlobalVariable(module_, text->getType(), true,
                                              llvm::GlobalValue::PrivateLinkage, text, "managed");
  name->setSection("llvm.metadata");
  std::vector<llvm::Constant*> entries;
  for (llvm::GlobalVariable* variable : managed_)
    entries.push_back(llvm::ConstantStruct::getAnon(
        context, {llvm::ConstantExpr::getPointerBitCastOrAddrSpaceCast(variable, pointer), name,
                  llvm::ConstantPointerNull::get(pointer),
                  llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), 0),
                  llvm::ConstantPointerNull::get(pointer)}));
  auto* const type = llvm::ArrayType::get(entries.front()->getType(), entries.size());
  auto* const list =
      new llvm::GlobalVariable(module_, type, false, llvm::GlobalValue::AppendingLinkage,
                               llvm::ConstantArray::get(type, entries), "llvm.global.annotations");
  list->setSection("llvm.metadata");
}

} // namespace gputest::ir
