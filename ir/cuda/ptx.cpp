#include "ir/cuda/ptx.h"

#include "ir/call.h"
#include "ir/cuda/ptx_arithmetic.h"
#include "ir/cuda/ptx_memory.h"
#include "ir/cuda/ptx_operands.h"
#include "ir/cuda/ptx_video.h"
#include "ir/cuda/ptx_waits.h"
#include "ir/lower.h"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <string>
#include <vector>

namespace gputest::simulator {
namespace {

using Builder = llvm::IRBuilder<>;
using Texts = PtxTexts;

class Translation {
public:
  Translation(llvm::CallInst& call, const SpecialRegister& special)
      : call_(call), builder_(&call), values_(call, builder_, special) {}

  bool run() {
    const auto& assembly = *llvm::cast<llvm::InlineAsm>(call_.getCalledOperand());
    text_ = assembly.getAsmString();
    llvm::SmallVector<llvm::StringRef, 8> statements;
    remove_comments();
    llvm::StringRef(text_).split(statements, ';');
    for (const llvm::StringRef statement : statements)
      if (!translate(statement))
        return false; // a kernel that calls it does not run, nor what was made of the others
    finish();
    return true;
  }

private:
  llvm::Type* type_of(llvm::StringRef suffix) { return values_.type_of(suffix); }
  llvm::Value* read(llvm::StringRef operand, llvm::Type* type) {
    return values_.read(operand, type);
  }
  bool write(llvm::StringRef operand, llvm::Value* value) { return values_.write(operand, value); }

  void remove_comments() {
    for (const auto& [begin, end] : {std::pair{"//", "\n"}, {"/*", "*/"}})
      for (std::size_t at = 0; (at = text_.find(begin)) != std::string::npos;) {
        const std::size_t last = text_.find(end, at);
        text_.erase(at, last == std::string::npos ? last : last + std::strlen(end) - at);
      }
  }

  llvm::Type* output_type(unsigned index) const {
    auto* const parts = llvm::dyn_cast<llvm::StructType>(call_.getType());
    return parts ? parts->getElementType(index) : call_.getType();
  }

  void finish() {
    llvm::Value* result = nullptr;
    if (!call_.getType()->isVoidTy()) {
      result = llvm::UndefValue::get(call_.getType());
      for (unsigned i = 0; i < values_.outputs(); ++i) {
        llvm::Type* const type = output_type(i);
        llvm::Value* value = values_.output(i, type);
        if (!value)
          value = llvm::UndefValue::get(type);
        result =
            call_.getType()->isStructTy() ? builder_.CreateInsertValue(result, value, i) : value;
      }
      call_.replaceAllUsesWith(result);
    }
    call_.eraseFromParent();
  }

  bool translate(llvm::StringRef statement) {
    statement = statement.trim().ltrim("{}").trim();
    values_.set_predicate(nullptr);
    if (statement.empty())
      return true;
    if (statement.consume_front(".reg"))
      return values_.declare(statement);
    if (statement.consume_front("@")) {
      const std::size_t end = statement.find_first_of(" \t\n");
      llvm::Value* const holds = read(statement.take_front(end), builder_.getInt1Ty());
      statement =
          statement.drop_front(end == llvm::StringRef::npos ? statement.size() : end).trim();
      if (!holds)
        return false;
      values_.set_predicate(holds);
    }
    const std::size_t end = statement.find_first_of(" \t\n");
    Texts parts;
    statement.take_front(end).split(parts, '.');
    const Texts operands =
        end == llvm::StringRef::npos ? Texts() : operands_of(statement.drop_front(end));
    return instruction(parts, operands);
  }

  static bool has(const Texts& parts, llvm::StringRef word) {
    return PtxArithmetic::has(parts, word);
  }

  bool instruction(const Texts& parts, const Texts& operands) {
    const llvm::StringRef name = parts[0];
    if (name == "membar" || name == "fence") {
      call_by_name(builder_, kFenceFunction, builder_.getVoidTy(),
                   {builder_.getInt32(!has(parts, "cta"))});
      return true;
    }
    if (name == "prefetch" || name == "prefetchu" || name == "discard" || name == "applypriority" ||
        name == "nanosleep" || name == "pmevent" || name == "brkpt" || name == "griddepcontrol")
      return true;
    if (is_memory_access(parts))
      return access_memory(builder_, values_, parts, operands);
    if (is_wait(parts))
      return wait_for_others(builder_, values_, parts, operands);
    if (operands.empty())
      return false;
    llvm::Type* const type = type_of(parts.back());
    if (is_video(name)) {
      llvm::Value* const a =
          operands.size() == 4 ? read(operands[1], builder_.getInt32Ty()) : nullptr;
      llvm::Value* const b = a ? read(operands[2], builder_.getInt32Ty()) : nullptr;
      llvm::Value* const c = b ? read(operands[3], builder_.getInt32Ty()) : nullptr;
      return c && write(operands[0], video(builder_, parts, a, b, c));
    }
    if (is_scalar_video(name))
      return of_words(parts, operands);
    if (!type)
      return false;
    if (name == "mov" && (operands[0].starts_with("{") || operands[1].starts_with("{")))
      return operands.size() == 2 && pack(type, operands);
    if (name == "cvt")
      return convert(parts, type, operands);
    if (name == "setp" || name == "set")
      return compare(parts, type, operands);
    std::vector<llvm::Value*> values;
    const bool is_signed = values_.is_signed();
    for (std::size_t i = 1; i < operands.size(); ++i) {
      const bool is_choice = name == "selp" && i == 3;
      values.push_back(
          read(operands[i], is_choice ? builder_.getInt1Ty() : operand_type(parts, type, i)));
      if (!values.back())
        return false;
    }
    return write(operands[0], arithmetic_.compute(parts, type, is_signed, values));
  }

  bool of_words(const Texts& parts, const Texts& operands) { // vadd.u32.u32.u32 $0, $1.b0, $2
    if (operands.size() < 3 || operands.size() > 4)
      return false;
    std::vector<llvm::Value*> values;
    Texts selectors;
    for (std::size_t i = 1; i < operands.size(); ++i) {
      const auto [name, selector] = operands[i].split('.');
      values.push_back(read(name, builder_.getInt32Ty()));
      selectors.push_back(selector);
      if (!values.back())
        return false;
    }
    return write(operands[0], scalar_video(builder_, parts, values, selectors));
  }

  // Counts, positions and selectors have 32 bits; what a wide product is added to has twice those
  // of its factors.
  llvm::Type* operand_type(const Texts& parts, llvm::Type* type, std::size_t index) {
    const llvm::StringRef name = parts[0];
    if (((name == "shl" || name == "shr") && index == 2) || (name == "bfe" && index > 1) ||
        (name == "bfi" && index > 2))
      return builder_.getInt32Ty();
    if (name == "mad" && index == 3 && has(parts, "wide"))
      return builder_.getIntNTy(2 * type->getIntegerBitWidth());
    return type;
  }

  bool pack(llvm::Type* type, const Texts& operands) { // mov.b64 d, {a, b} and mov.b64 {a, b}, d
    const bool takes_apart = operands[0].starts_with("{");
    const Texts parts =
        operands_of((takes_apart ? operands[0] : operands[1]).drop_front().drop_back());
    const unsigned bits = type->getIntegerBitWidth() / static_cast<unsigned>(parts.size());
    llvm::Type* const part = builder_.getIntNTy(bits);
    llvm::Value* whole = takes_apart ? read(operands[1], type) : llvm::ConstantInt::get(type, 0);
    if (!whole)
      return false;
    for (unsigned i = 0; i < parts.size(); ++i) {
      if (takes_apart) {
        if (!write(parts[i],
                   builder_.CreateTrunc(builder_.CreateLShr(whole, std::uint64_t{i} * bits), part)))
          return false;
        continue;
      }
      llvm::Value* const value = read(parts[i], part);
      if (!value)
        return false;
      whole = builder_.CreateOr(
          whole, builder_.CreateShl(builder_.CreateZExt(value, type), std::uint64_t{i} * bits));
    }
    return takes_apart || write(operands[0], whole);
  }

  bool convert(const Texts& parts, llvm::Type* from, const Texts& operands) { // cvt.rn.f32.s32 d, a
    const bool from_signed = values_.is_signed();
    llvm::Type* const to = type_of(parts[parts.size() - 2]);
    const bool to_signed = values_.is_signed();
    llvm::Value* const value = operands.size() == 2 && to ? read(operands[1], from) : nullptr;
    if (!value || has(parts, "sat"))
      return false;
    llvm::Value* const converted = arithmetic_.convert(parts, from_signed, to, to_signed, value);
    return converted && write(operands[0], converted);
  }

  bool compare(const Texts& parts, llvm::Type* type, const Texts& operands) { // setp.lt.u32 p, a, b
    const bool is_signed = values_.is_signed();
    if (operands.size() != 3 || parts.size() < 3 || operands[0].contains('|'))
      return false;
    llvm::Value *const a = read(operands[1], type), *const b = read(operands[2], type);
    if (!a || !b)
      return false;
    using P = llvm::CmpInst::Predicate;
    const bool real = type->isFloatingPointTy();
    const auto choose = [&](P of_reals, P of_signed, P of_unsigned) {
      return real ? of_reals : is_signed ? of_signed : of_unsigned;
    };
    const P how = llvm::StringSwitch<P>(parts[1])
                      .Case("eq", choose(P::FCMP_OEQ, P::ICMP_EQ, P::ICMP_EQ))
                      .Case("ne", choose(P::FCMP_ONE, P::ICMP_NE, P::ICMP_NE))
                      .Cases("lt", "lo", choose(P::FCMP_OLT, P::ICMP_SLT, P::ICMP_ULT))
                      .Cases("le", "ls", choose(P::FCMP_OLE, P::ICMP_SLE, P::ICMP_ULE))
                      .Cases("gt", "hi", choose(P::FCMP_OGT, P::ICMP_SGT, P::ICMP_UGT))
                      .Cases("ge", "hs", choose(P::FCMP_OGE, P::ICMP_SGE, P::ICMP_UGE))
                      .Default(P::BAD_ICMP_PREDICATE);
    if (how == P::BAD_ICMP_PREDICATE)
      return false;
    llvm::Value* const result =
        real ? builder_.CreateFCmp(how, a, b) : builder_.CreateICmp(how, a, b);
    if (parts[0] == "setp")
      return parts.size() <= (has(parts, "ftz") ? 4 : 3) && write(operands[0], result);
    llvm::Type* const to = type_of(parts[parts.size() - 2]);
    if (!to)
      return false;
    return write(operands[0], to->isFloatTy() ? builder_.CreateUIToFP(result, to)
                                              : builder_.CreateSExt(result, to));
  }

  llvm::CallInst& call_;
  Builder builder_;
  PtxOperands values_;
  std::string text_;
  PtxArithmetic arithmetic_{builder_};
};

} // namespace

bool translate_ptx(llvm::CallInst& call, const SpecialRegister& special) {
  return Translation(call, special).run();
}

} // namespace gputest::simulator
