// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/cuda/ptx/textures.h"

#include "embedded/textures_cu.h"
#include "ir/call.h"
#include "ir/cuda/compile.h"
#include "ir/error.h"

#include <algorithm>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/Module.h>
#include <llvm/Linker/Linker.h>

namespace gputest::ir {
namespace {

constexpr const char* kPrefix = "gputest_ptx_";

class PtxTexture : PtxStep {
public:
  explicit PtxTexture(const PtxStep& step) : PtxStep(step) {}

  bool run() {
    const llvm::StringRef name = parts_[0];
    if (parts_.size() < 2)
      return false;
    if (name == "tex" || name == "tld4")
      return fetch();
    return name == "suld" || name == "sust" ? move() : ask();
  }

private:
  llvm::Value* object(llvm::StringRef operand) {
    return values_.read(operand, builder_.getInt64Ty());
  }

  // Reads the coordinates of a place: {layer, x, y}. Further elements are padding.
  bool read_place(llvm::StringRef geometry, llvm::Type* type, const PtxTexts& from,
                  std::vector<llvm::Value*>& to) {
    llvm::StringRef shape = geometry;
    const bool has_layer = shape.consume_front("a");
    const std::size_t count = llvm::StringSwitch<std::size_t>(shape)
                                  .Case("1d", 1)
                                  .Case("2d", 2)
                                  .Cases("3d", "cube", 3)
                                  .Default(0);
    if (count == 0 || from.size() < count + (has_layer ? 1 : 0))
      return false;
    for (std::size_t i = 0; i < count + (has_layer ? 1 : 0); ++i) {
      to.push_back(values_.read(from[i], has_layer && i == 0 ? builder_.getInt32Ty() : type));
      if (!to.back())
        return false;
    }
    return true;
  }

  // tex.2d.v4.f32.f32 {a, b, c, d}, [object, {x, y}]; tex.level.2d… with a level behind; tld4.r.2d…
  bool fetch() {
    const bool gathers = parts_[0] == "tld4", of_level = parts_[1] == "level";
    const std::size_t at = gathers || of_level ? 2 : 1;
    if (parts_.size() != at + 4 || parts_[at + 1] != "v4" ||
        operands_.size() != (of_level ? 3u : 2u))
      return false;
    const PtxTexts results = operands_inside(operands_[0]), place = operands_inside(operands_[1]);
    const bool is_whole = parts_[at + 3] == "s32";
    llvm::Type* const type = values_.type_of(parts_[at + 2]);
    if (results.size() != 4 || place.size() != 2 || !type || type->getPrimitiveSizeInBits() != 32 ||
        (is_whole ? parts_[at] != "1d" || at != 1 : parts_[at + 3] != "f32"))
      return false;
    llvm::Value* const texel = values_.make(llvm::FixedVectorType::get(type, 4), "texel", 16);
    std::vector<llvm::Value*> arguments{texel, object(place[0])};
    if (!arguments[1] ||
        !read_place(parts_[at], is_whole ? builder_.getInt32Ty() : builder_.getFloatTy(),
                    operands_inside(place[1]), arguments))
      return false;
    if (of_level)
      arguments.push_back(values_.read(operands_[2], builder_.getFloatTy()));
    const std::size_t channel = llvm::StringRef("rgba").find(parts_[1]);
    if (gathers)
      arguments.push_back(channel < 4 && parts_[1].size() == 1
                              ? builder_.getInt32(static_cast<unsigned>(channel))
                              : nullptr);
    if (!arguments.back())
      return false;
    call_by_name(builder_,
                 (kPrefix + parts_[0] + (of_level ? "_level_" : "_") + parts_[at] +
                  (is_whole ? "_at_" : "_") + parts_[at + 2])
                     .str(),
                 builder_.getVoidTy(), arguments);
    for (unsigned i = 0; i < 4; ++i)
      if (!values_.write(results[i],
                         builder_.CreateLoad(type, builder_.CreateConstGEP1_64(type, texel, i))))
        return false;
    return true;
  }

  // suld.b.2d.v2.b32.trap {a, b}, [object, {x, y}]; sust.b.2d.b32.clamp [object, {x, y}], {a}
  bool move() {
    const bool writes = parts_[0] == "sust";
    if (parts_.size() < 5 || parts_[1] != "b" || operands_.size() != 2)
      return false;
    llvm::Type* const type = values_.type_of(parts_[parts_.size() - 2]);
    const auto mode = llvm::StringSwitch<unsigned>(parts_.back()) // cudaBoundaryModeZero, …
                          .Case("zero", 0)
                          .Case("clamp", 1)
                          .Case("trap", 2)
                          .Default(3);
    const PtxTexts elements = elements_of(operands_[writes ? 1 : 0]),
                   place = operands_inside(operands_[writes ? 0 : 1]);
    std::vector<llvm::Value*> at;
    if (!type || !type->isIntegerTy() || mode > 2 || place.size() != 2 || elements.empty() ||
        !read_place(parts_[2], builder_.getInt32Ty(), operands_inside(place[1]), at))
      return false;
    const bool has_layer = parts_[2].starts_with("a");
    if (has_layer)
      std::rotate(at.begin(), at.begin() + 1, at.end());
    if (at.size() == 2 && has_layer) // x and a layer
      at.insert(at.begin() + 1, builder_.getInt32(0));
    at.resize(3, builder_.getInt32(0));
    const auto bytes =
        static_cast<unsigned>(elements.size() * type->getPrimitiveSizeInBits().getFixedValue() / 8);
    llvm::Value* const memory =
        values_.make(llvm::ArrayType::get(builder_.getInt8Ty(), 16), "texel", 16);
    const auto element = [&](unsigned i) { return builder_.CreateConstGEP1_64(type, memory, i); };
    if (bytes > 16 || !object(place[0]))
      return false;
    for (unsigned i = 0; writes && i < elements.size(); ++i) {
      llvm::Value* const value = values_.read(elements[i], type);
      if (!value)
        return false;
      builder_.CreateStore(value, element(i));
    }
    call_by_name(builder_, std::string(kPrefix) + "surface", builder_.getVoidTy(),
                 {memory, builder_.getInt32(bytes), builder_.getInt1(writes), object(place[0]),
                  at[0], at[1], at[2], builder_.getInt32(mode)});
    for (unsigned i = 0; !writes && i < elements.size(); ++i)
      if (!values_.write(elements[i], builder_.CreateLoad(type, element(i))))
        return false;
    return true;
  }

  bool ask() { // txq.width.b32 a, [object]
    const auto which = llvm::StringSwitch<unsigned>(parts_.size() == 3 ? parts_[1] : "")
                           .Case("width", 0)
                           .Case("height", 1)
                           .Case("depth", 2)
                           .Default(3);
    if (which > 2 || operands_.size() != 2)
      return false;
    const PtxTexts place = operands_inside(operands_[1]);
    llvm::Value* const of = place.size() == 1 ? object(place[0]) : nullptr;
    return of && values_.write(operands_[0],
                               call_by_name(builder_, std::string(kPrefix) + "extent",
                                            builder_.getInt32Ty(), {of, builder_.getInt32(which)}));
  }
};

} // namespace

bool is_of_texture(const PtxTexts& parts) {
  return llvm::StringSwitch<bool>(parts[0])
      .Cases("tex", "tld4", "txq", "suld", "sust", "suq", true)
      .Default(false);
}

bool access_texture(const PtxStep& step) {
  return PtxTexture(step).run();
}

void link_texture_functions(llvm::Module& module) {
  const bool is_needed = std::ranges::any_of(module, [](const llvm::Function& function) {
    return function.isDeclaration() && function.getName().starts_with(kPrefix);
  });
  if (!is_needed)
    return;
  std::unique_ptr<llvm::Module> functions =
      compile_cuda_functions(std::string(embedded::textures_cu), module.getContext());
  llvm::StripDebugInfo(*functions); // code has the places of its calls
  functions->setDataLayout(module.getDataLayout());
  functions->setTargetTriple(module.getTargetTriple());
  if (llvm::Linker::linkModules(module, std::move(functions), llvm::Linker::LinkOnlyNeeded))
    throw SimulatorFailure("the simulator's textures.cu cannot be linked");
}

} // namespace gputest::ir
