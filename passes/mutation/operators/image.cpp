// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// image_coordinate_replacement: one coordinate of an image access one higher or lower, or two of
// them exchanged (CLTestCheck, FASE 2019, Table 2).
#include "passes/mutation/operators/operators.h"
#include "passes/nodes.h"

namespace gputest::passes::mutation {
namespace {

// The number of coordinates in use: the last of an int4 is not used.
unsigned coordinates(const clang::Expr& image) {
  const std::string type = image.getType().getUnqualifiedType().getAsString();
  const llvm::StringRef name(type);
  if (name.contains("3d") || name.contains("2d_array"))
    return 3;
  return name.contains("2d") || name.contains("1d_array") ? 2 : 1;
}

} // namespace

void propose_image(const Candidate& place, Proposals& out) {
  const auto* call = llvm::dyn_cast<clang::CallExpr>(&place.node);
  if (!call)
    return;
  const llvm::StringRef name = builtin_name(*call);
  const bool reads = name.starts_with("read_image"), writes = name.starts_with("write_image");
  if ((!reads && !writes) || call->getNumArgs() < 2)
    return;
  const bool sampled = reads && call->getArg(1)->getType()->isSamplerT();
  if (sampled && call->getNumArgs() < 3)
    return;
  const clang::Expr* coordinate = call->getArg(sampled ? 2 : 1)->IgnoreImplicit();
  // The type as it is written; that of the parameter may be wider.
  const std::string type = arithmetic_name(call->getArg(sampled ? 2 : 1)->getType());
  const unsigned count = coordinates(*call->getArg(0)->IgnoreImplicit());
  if (type.empty())
    return;
  const unsigned begin = out.begin(*coordinate), end = out.end(*coordinate);
  const auto* vector = call->getArg(sampled ? 2 : 1)->getType()->getAs<clang::ExtVectorType>();
  const auto wrap = [&](const std::string& left, const std::string& right) {
    out.replace("image_coordinate_replacement", *coordinate,
                {{begin, begin, {{left, nullptr, false}}}, {end, end, {{right, nullptr, false}}}});
  };
  if (!vector) {
    wrap("((", ") + 1)");
    wrap("((", ") - 1)");
    return;
  }
  const unsigned width = vector->getNumElements();
  for (unsigned i = 0; i < count && i < width; ++i)
    for (const char* step : {"+", "-"}) {
      std::string offset = "(" + type + ")(";
      for (unsigned k = 0; k < width; ++k)
        offset += std::string(k > 0 ? ", " : "") + (k == i ? "1" : "0");
      wrap("((", std::string(") ") + step + " " + offset + "))");
    }
  static constexpr const char* kNames = "xyzw";
  for (unsigned i = 0; i < count && i < width; ++i)
    for (unsigned j = i + 1; j < count && j < width; ++j) {
      std::string order;
      for (unsigned k = 0; k < width; ++k)
        order += kNames[k == i ? j : k == j ? i : k];
      wrap("((", ")." + order + ")");
    }
}

} // namespace gputest::passes::mutation
