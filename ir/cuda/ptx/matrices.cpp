// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/cuda/ptx/matrices.h"

#include "ir/call.h"
#include "ir/cuda/ptx/arithmetic.h"
#include "ir/cuda/ptx/memory.h"
#include "ir/cuda/warp_size.h"
#include "ir/host.h"
#include "templates/simulator/context.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/Module.h>

#include <optional>

namespace gputest::ir {
namespace {

constexpr unsigned kShown = 4;

// The fragments of a product (PTX ISA, "Matrix Fragments for mma"). Lane 4 g + t has rows g and g +
// 8 of A, column g of B, and columns 2 t and 2 t + 1 of these rows of C and D. A register has
// `packed` adjacent elements of a row of A or a column of B. Four lanes have a block of them.
struct Product {
  unsigned halves = 2; // of 8 rows each
  unsigned blocks = 1; // along k
  unsigned packed = 2;
  llvm::Type* element = nullptr; // of A and B; null: tf32, or fp8
  llvm::StringRef fp8[2]{};      // of A and B: e4m3, e5m2
  bool a_signed = false, b_signed = false;
};

class PtxMatrix : PtxStep {
public:
  explicit PtxMatrix(const PtxStep& step) : PtxStep(step) {}

  bool run() {
    if (parts_.size() < 6 || parts_[1] != "sync" || parts_[2] != "aligned")
      return false;
    call_by_name(builder_, kNeeds32Function, builder_.getVoidTy());
    return parts_[0] == "mma" ? multiply() : parts_[0] == "ldmatrix" ? load() : transpose();
  }

private:
  // Lanes exchange elements through memory of the block, in which each lane has four numbers.
  llvm::Value* shown(llvm::Value* lane, unsigned index) {
    llvm::Module& module = *builder_.GetInsertBlock()->getModule();
    llvm::Type* const type = llvm::ArrayType::get(
        llvm::ArrayType::get(llvm::ArrayType::get(builder_.getInt64Ty(), kShown), 32), 32);
    llvm::GlobalVariable* variable = module.getNamedGlobal(kShownToWarp);
    if (!variable)
      variable = new llvm::GlobalVariable(
          module, type, false, llvm::GlobalValue::LinkOnceODRLinkage, llvm::UndefValue::get(type),
          kShownToWarp, nullptr, llvm::GlobalValue::NotThreadLocal, kLocalSpace);
    return builder_.CreateInBoundsGEP(
        type, variable,
        {number(0), values_.read("%warpid", builder_.getInt32Ty()), lane, number(index)});
  }
  void show(llvm::Value* value, unsigned index) {
    builder_.CreateStore(builder_.CreateZExt(value, builder_.getInt64Ty()), shown(lane(), index));
  }
  llvm::Value* from_lane(llvm::Value* lane, unsigned index) {
    return builder_.CreateLoad(builder_.getInt64Ty(), shown(lane, index));
  }
  void wait() { warp(GPUTEST_WARP_SYNC, builder_.getInt64(~0U), builder_.getInt64(0), number(0)); }
  llvm::Value* lane() { return values_.read("%laneid", builder_.getInt32Ty()); }

  std::optional<Product> product() {
    const llvm::StringRef shape = parts_[3], a = parts_[parts_.size() - 3],
                          b = parts_[parts_.size() - 2];
    Product result{.element = values_.type_of(a),
                   .a_signed = a.starts_with("s"),
                   .b_signed = b.starts_with("s")};
    unsigned k = 0;
    const auto bits_of = [](llvm::StringRef type) { // of a whole number, or of an fp8
      return llvm::StringSwitch<unsigned>(type)
          .Cases("u8", "s8", "e4m3", "e5m2", 8)
          .Cases("u4", "s4", 4)
          .Default(0);
    };
    const auto is_fp8 = [](llvm::StringRef type) { return type.starts_with("e"); };
    const unsigned bits = bits_of(a);
    if (shape == "m8n8k4" && a == "f64" && b == "f64") {
      result.halves = result.packed = 1;
      return result;
    }
    llvm::StringRef rest = shape;
    if (!rest.consume_front("m16n8k") || rest.getAsInteger(10, k) ||
        (a != b && (bits == 0 || bits != bits_of(b) || is_fp8(a) != is_fp8(b))))
      return std::nullopt;
    if (is_fp8(a))
      result.fp8[0] = a, result.fp8[1] = b;
    else if (bits == 4)
      result.element = builder_.getInt8Ty();
    result.packed = bits > 0 ? 32 / bits : a == "f16" || a == "bf16" ? 2 : a == "tf32" ? 1 : 0;
    result.blocks = result.packed == 0 ? 0 : k / (4 * result.packed);
    return result.blocks == 1 || result.blocks == 2 ? std::optional(result) : std::nullopt;
  }

  // E5M2 is the upper half of an f16. E4M3 has one bit less of the exponent, which begins at 2^-6
  // and not at 2^-14, and no infinity.
  llvm::Value* real_of_fp8(llvm::StringRef type, llvm::Value* code) {
    llvm::Value* const wide = builder_.CreateZExt(code, builder_.getInt16Ty());
    const auto real = [&](llvm::Value* bits) {
      return builder_.CreateFPExt(builder_.CreateBitCast(bits, builder_.getHalfTy()),
                                  builder_.getDoubleTy());
    };
    if (type == "e5m2")
      return real(builder_.CreateShl(wide, 8));
    llvm::Value* const size = builder_.CreateAnd(wide, 0x7f);
    llvm::Value* const sign = builder_.CreateShl(builder_.CreateAnd(wide, 0x80), 8);
    llvm::Type* const type_of_real = builder_.getDoubleTy();
    return builder_.CreateSelect(
        builder_.CreateICmpEQ(size, builder_.getInt16(0x7f)),
        llvm::ConstantFP::getNaN(type_of_real),
        builder_.CreateFMul(real(builder_.CreateOr(sign, builder_.CreateShl(size, 7))),
                            llvm::ConstantFP::get(type_of_real, 256)));
  }

  // Returns an element of a register in the type for products and sums.
  llvm::Value* element(const Product& product, llvm::Value* word, unsigned index, bool is_signed,
                       llvm::StringRef fp8 = {}) {
    if (product.halves == 1) // f64
      return builder_.CreateBitCast(word, builder_.getDoubleTy());
    if (!fp8.empty())
      return real_of_fp8(
          fp8, builder_.CreateTrunc(builder_.CreateLShr(word, 8 * index), builder_.getInt8Ty()));
    if (!product.element)
      return builder_.CreateFPExt(
          builder_.CreateBitCast(builder_.CreateAnd(word, ~0x1fffU), builder_.getFloatTy()),
          builder_.getDoubleTy());
    const unsigned bits = 32 / product.packed;
    llvm::Value* const part =
        builder_.CreateTrunc(builder_.CreateLShr(word, index * bits), builder_.getIntNTy(bits));
    if (product.element->isIntegerTy())
      return is_signed ? builder_.CreateSExt(part, builder_.getInt64Ty())
                       : builder_.CreateZExt(part, builder_.getInt64Ty());
    if (product.element->isBFloatTy())
      return builder_.CreateFPExt(widened_bf16(builder_, part), builder_.getDoubleTy());
    return builder_.CreateFPExt(
        builder_.CreateFPExt(builder_.CreateBitCast(part, product.element), builder_.getFloatTy()),
        builder_.getDoubleTy());
  }

  // Two registers, if there is a second one, as one number.
  llvm::Value* both(llvm::Value* first, llvm::Value* second) {
    llvm::Type* const wide = builder_.getInt64Ty();
    llvm::Value* const lower = builder_.CreateZExt(first, wide);
    return second
               ? builder_.CreateOr(lower, builder_.CreateShl(builder_.CreateZExt(second, wide), 32))
               : lower;
  }
  std::vector<llvm::Value*> parts_of(llvm::Value* number, bool is_f64) {
    if (is_f64)
      return {number};
    return {builder_.CreateTrunc(number, builder_.getInt32Ty()),
            builder_.CreateTrunc(builder_.CreateLShr(number, 32), builder_.getInt32Ty())};
  }

  bool read_all(llvm::StringRef list, llvm::Type* type, std::size_t count,
                std::vector<llvm::Value*>& to) {
    for (const llvm::StringRef name : elements_of(list))
      to.push_back(values_.read(name, type));
    return to.size() == count && !llvm::is_contained(to, nullptr);
  }

  // mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 d, a, b, c
  bool multiply() {
    const std::optional<Product> what = parts_.size() >= 10 ? product() : std::nullopt;
    if (!what || operands_.size() != 4 || parts_[4] != "row" || parts_[5] != "col" ||
        parts_.size() > (has("satfinite") ? 11u : 10u))
      return false;
    llvm::Type* const sum_type = values_.type_of(parts_.back());
    const bool whole = what->element && what->element->isIntegerTy(), is_f64 = what->halves == 1,
               in_halves = sum_type && sum_type->isHalfTy();
    if (!sum_type || parts_[parts_.size() - 4] != parts_.back() ||
        (whole    ? parts_.back() != "s32"
         : is_f64 ? !sum_type->isDoubleTy()
                  : !sum_type->isFloatTy() &&
                        !(in_halves &&
                          (!what->fp8[0].empty() || (what->element && what->element->isHalfTy())))))
      return false;
    llvm::Type* const word = is_f64 ? builder_.getInt64Ty() : builder_.getInt32Ty();
    std::vector<llvm::Value*> a, b, c;
    if (!read_all(operands_[1], word, std::size_t{what->halves} * what->blocks, a) ||
        !read_all(operands_[2], word, what->blocks, b) ||
        !read_all(operands_[3], in_halves ? word : sum_type, in_halves ? 2 : 2 * what->halves, c))
      return false;
    std::vector<llvm::Value*> sums = start(c, in_halves, whole, is_f64);
    add_products(*what, a, b, sums);
    return give(sums, sum_type, in_halves, whole);
  }

  // The rows of C, each with two columns.
  std::vector<llvm::Value*> start(const std::vector<llvm::Value*>& c, bool in_halves, bool whole,
                                  bool is_f64) {
    std::vector<llvm::Value*> sums;
    for (llvm::Value* value : c) {
      if (!in_halves) {
        sums.push_back(whole    ? builder_.CreateSExt(value, builder_.getInt64Ty())
                       : is_f64 ? value
                                : builder_.CreateFPExt(value, builder_.getDoubleTy()));
        continue;
      }
      for (const unsigned index : {0U, 1U})
        sums.push_back(element({.element = builder_.getHalfTy()}, value, index, false));
    }
    return sums;
  }

  void add_products(const Product& what, const std::vector<llvm::Value*>& a,
                    const std::vector<llvm::Value*>& b, std::vector<llvm::Value*>& sums) {
    llvm::Value* const here = lane();
    llvm::Value* const group = builder_.CreateAnd(here, number(~3U));
    llvm::Value* const column = builder_.CreateShl(builder_.CreateAnd(here, number(3)), 3);
    const bool is_f64 = what.halves == 1;
    show(both(b[0], what.blocks > 1 ? b[1] : nullptr), what.blocks);
    for (unsigned block = 0; block < what.blocks; ++block)
      show(both(a[what.halves * block], is_f64 ? nullptr : a[what.halves * block + 1]), block);
    wait();
    std::vector<std::vector<std::vector<llvm::Value*>>> columns; // by their number, and the lane
    for (const unsigned number_of : {0U, 1U}) {
      columns.emplace_back();
      for (unsigned from = 0; from < 4; ++from)
        columns.back().push_back(parts_of(
            from_lane(builder_.CreateAdd(column, number(4 * number_of + from)), what.blocks),
            is_f64));
    }
    for (unsigned block = 0; block < what.blocks; ++block)
      for (unsigned from = 0; from < 4; ++from) {
        const std::vector<llvm::Value*> rows =
            parts_of(from_lane(builder_.CreateOr(group, number(from)), block), is_f64);
        for (unsigned half = 0; half < what.halves; ++half)
          for (const unsigned which : {0U, 1U})
            for (unsigned index = 0; index < what.packed; ++index) {
              llvm::Value *const x = element(what, rows[half], index, what.a_signed, what.fp8[0]),
                                 *const y = element(what, columns[which][from][block], index,
                                                    what.b_signed, what.fp8[1]);
              llvm::Value*& sum = sums[2 * half + which];
              sum =
                  x->getType()->isIntegerTy()
                      ? builder_.CreateAdd(sum, builder_.CreateMul(x, y))
                      : builder_.CreateIntrinsic(llvm::Intrinsic::fma, {x->getType()}, {x, y, sum});
            }
      }
    wait(); // until the others have read
  }

  bool give(const std::vector<llvm::Value*>& sums, llvm::Type* type, bool in_halves, bool whole) {
    std::vector<llvm::Value*> results;
    for (llvm::Value* sum : sums) {
      if (whole && has("satfinite")) {
        sum = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, sum,
                                             builder_.getInt64(0x7fffffff));
        sum = builder_.CreateBinaryIntrinsic(
            llvm::Intrinsic::smax, sum,
            builder_.getInt64(static_cast<std::uint64_t>(std::int64_t{-0x80000000LL})));
      }
      results.push_back(whole                    ? builder_.CreateTrunc(sum, type)
                        : sum->getType() == type ? sum
                        : in_halves              ? builder_.CreateFPTrunc(
                                          builder_.CreateFPTrunc(sum, builder_.getFloatTy()), type)
                                    : builder_.CreateFPTrunc(sum, type));
    }
    const PtxTexts names = operands_inside(operands_[0]);
    const std::size_t in_each = in_halves ? 2 : 1;
    if (names.size() * in_each != results.size())
      return false;
    for (std::size_t i = 0; i < names.size(); ++i) {
      llvm::Value* value = results[in_each * i];
      if (in_halves) {
        llvm::Value* both = llvm::UndefValue::get(llvm::FixedVectorType::get(type, 2));
        both = builder_.CreateInsertElement(both, value, std::uint64_t{0});
        value = builder_.CreateInsertElement(both, results[2 * i + 1], 1);
      }
      if (!values_.write(names[i], value))
        return false;
    }
    return true;
  }

  // ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {a, b, c, d}, [p]: the lanes 8 i to 8 i + 7 say
  // where the rows of matrix i are. Lane 4 g + t gets the elements 2 t and 2 t + 1 of row g, or, of
  // the transposed matrix, of column g.
  bool load() {
    if (operands_.size() != 2 || parts_[3] != "m8n8" || parts_.back() != "b16")
      return false;
    const PtxTexts names = operands_inside(operands_[0]);
    const auto count = llvm::StringSwitch<std::size_t>(parts_[4])
                           .Case("x1", 1)
                           .Case("x2", 2)
                           .Case("x4", 4)
                           .Default(0);
    llvm::Value* const mine = place_of(builder_, values_, operands_[1], has("shared"));
    if (count == 0 || names.size() != count || !mine)
      return false;
    show(builder_.CreatePtrToInt(mine, builder_.getInt64Ty()), 0);
    wait();
    llvm::Value* const here = lane();
    llvm::Value *const g = builder_.CreateLShr(here, 2), *const t = builder_.CreateAnd(here, 3);
    const auto read = [&](llvm::Value* row, llvm::Value* bytes, llvm::Type* type) {
      llvm::Value* const begin = builder_.CreateIntToPtr(from_lane(row, 0), mine->getType());
      return builder_.CreateLoad(
          type, builder_.CreateGEP(builder_.getInt8Ty(), begin,
                                   builder_.CreateZExt(bytes, builder_.getInt64Ty())));
    };
    llvm::Type *const half = builder_.getInt16Ty(), *const word = builder_.getInt32Ty();
    for (unsigned matrix = 0; matrix < count; ++matrix) {
      llvm::Value* const first = number(8 * matrix);
      llvm::Value* value = nullptr;
      if (!has("trans")) {
        value = read(builder_.CreateAdd(first, g), builder_.CreateShl(t, 2), word);
      } else {
        llvm::Value* const row = builder_.CreateAdd(first, builder_.CreateShl(t, 1));
        llvm::Value* const column = builder_.CreateShl(g, 1);
        llvm::Value *const lower = read(row, column, half), *const upper = read(
                                                                builder_.CreateAdd(row, number(1)),
                                                                column, half);
        value = builder_.CreateOr(builder_.CreateZExt(lower, word),
                                  builder_.CreateShl(builder_.CreateZExt(upper, word), 16));
      }
      if (!values_.write(names[matrix], value))
        return false;
    }
    wait();
    return true;
  }

  // movmatrix.sync.aligned.m8n8.trans.b16 d, a: lane 4 g + t has the elements 2 t and 2 t + 1 of
  // row g, and gets those of column g.
  bool transpose() {
    if (operands_.size() != 2 || parts_.size() != 6 || parts_[3] != "m8n8" ||
        parts_[4] != "trans" || parts_[5] != "b16")
      return false;
    llvm::Type* const word = builder_.getInt32Ty();
    llvm::Value* const own = values_.read(operands_[1], word);
    if (!own)
      return false;
    show(own, 0);
    wait();
    llvm::Value* const g = builder_.CreateLShr(lane(), 2);
    llvm::Value* const row = builder_.CreateShl(builder_.CreateAnd(lane(), number(3)), 1);
    llvm::Value* const shift = builder_.CreateShl(builder_.CreateAnd(g, number(1)), 4);
    const auto element_of = [&](llvm::Value* of_row) {
      llvm::Value* const from =
          builder_.CreateAdd(builder_.CreateShl(of_row, 2), builder_.CreateLShr(g, 1));
      return builder_.CreateAnd(
          builder_.CreateLShr(builder_.CreateTrunc(from_lane(from, 0), word), shift),
          number(0xffff));
    };
    llvm::Value* const value = builder_.CreateOr(
        element_of(row), builder_.CreateShl(element_of(builder_.CreateAdd(row, number(1))), 16));
    wait(); // until the others have read
    return values_.write(operands_[0], value);
  }
};

} // namespace

bool is_of_matrix(const PtxTexts& parts) {
  return parts[0] == "mma" || parts[0] == "ldmatrix" || parts[0] == "movmatrix";
}

bool use_matrix(const PtxStep& step) {
  return PtxMatrix(step).run();
}

} // namespace gputest::ir
