// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/printf.h"

#include <cctype>
#include <cstdio>
#include <cstring>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <string_view>

namespace gputest::ir {
namespace {

PrintfArgument describe(const llvm::Type& type) {
  const llvm::Type* const scalar = type.getScalarType();
  const auto* const vector = llvm::dyn_cast<llvm::FixedVectorType>(&type);
  const auto count = static_cast<unsigned char>(vector ? vector->getNumElements() : 1);
  if (scalar->isPointerTy())
    return {PrintfArgument::Pointer, 8, 1};
  return {scalar->isFloatingPointTy() ? PrintfArgument::Floating : PrintfArgument::Integer,
          static_cast<unsigned char>(scalar->getScalarSizeInBits() / 8), count};
}

double floating(const unsigned char* from, unsigned size) {
  if (size == 4) {
    float value = 0;
    std::memcpy(&value, from, sizeof value);
    return static_cast<double>(value);
  }
  double value = 0;
  std::memcpy(&value, from, sizeof value);
  return value;
}

template <typename Signed> long long widened(const unsigned char* from) {
  Signed value{};
  std::memcpy(&value, from, sizeof value);
  return value;
}

long long integer(const unsigned char* from, unsigned size) {
  switch (size) {
  case 1:
    return widened<signed char>(from);
  case 2:
    return widened<short>(from);
  case 4:
    return widened<int>(from);
  default:
    return widened<long long>(from);
  }
}

// A conversion: "%5.2v4hlf" has flags "5.2", components 4, conversion 'f'.
struct Conversion {
  std::string flags; // with width and precision
  unsigned components = 1;
  unsigned size = 0; // bytes for h, hh, hl and l; 0: the argument's size
  char letter = 0;
};

// Reads past '%'.
Conversion read_conversion(const char*& at) {
  Conversion conversion;
  while (*at != 0 && std::strchr("+-# 0123456789.", *at))
    conversion.flags += *at++;
  if (*at == 'v') {
    conversion.components = 0;
    for (++at; std::isdigit(static_cast<unsigned char>(*at)) != 0; ++at)
      conversion.components = conversion.components * 10 + static_cast<unsigned>(*at - '0');
  }
  const std::string_view rest = at;
  for (const auto& [text, size] :
       {std::pair<std::string_view, unsigned>{"hh", 1}, {"hl", 4}, {"h", 2}, {"l", 8}})
    if (rest.starts_with(text)) {
      conversion.size = size;
      at += text.size();
      break;
    }
  conversion.letter = *at;
  if (*at != 0)
    ++at;
  return conversion;
}

template <typename Value> std::string formatted(const std::string& format, Value value) {
  char text[512];
  const int length = std::snprintf(text, sizeof text, format.c_str(), value);
  return {text, static_cast<std::size_t>(std::clamp(length, 0, 511))};
}

std::string component(const Conversion& conversion, const PrintfArgument& argument,
                      const unsigned char* from) {
  const std::string percent = "%" + conversion.flags;
  switch (conversion.letter) {
  case 'd':
  case 'i':
  case 'c':
    if (argument.kind != PrintfArgument::Integer)
      return "(?)";
    if (conversion.letter == 'c')
      return formatted(percent + 'c', static_cast<int>(integer(from, argument.size)));
    return formatted(percent + "ll" + conversion.letter, integer(from, argument.size));
  case 'o':
  case 'u':
  case 'x':
  case 'X': {
    if (argument.kind != PrintfArgument::Integer)
      return "(?)";
    const unsigned size =
        conversion.size ? std::min<unsigned>(conversion.size, argument.size) : argument.size;
    auto value = static_cast<unsigned long long>(integer(from, argument.size));
    if (size < 8)
      value &= (1ULL << (8 * size)) - 1;
    return formatted(percent + "ll" + conversion.letter, value);
  }
  case 's':
    if (argument.kind != PrintfArgument::Pointer)
      return "(?)";
    return formatted(percent + 's', reinterpret_cast<const char*>(integer(from, 8)));
  case 'p':
    return formatted(percent + 'p', reinterpret_cast<const void*>(integer(from, argument.size)));
  default:
    if (argument.kind != PrintfArgument::Floating || conversion.letter == 0 ||
        !std::strchr("aAeEfFgG", conversion.letter))
      return "(?)";
    return formatted(percent + conversion.letter, floating(from, argument.size));
  }
}

} // namespace

void lower_printf(llvm::CallInst& call, KernelShape&) {
  llvm::Function& function = *call.getFunction();
  llvm::IRBuilder<> entry(&function.getEntryBlock(),
                          function.getEntryBlock().getFirstInsertionPt());
  llvm::IRBuilder<> builder(&call);
  const unsigned count = call.arg_size() - 1;
  llvm::AllocaInst* const slots = entry.CreateAlloca(
      llvm::ArrayType::get(entry.getInt8Ty(), std::max<std::size_t>(count, 1) * kPrintfSlot));
  slots->setAlignment(llvm::Align(kPrintfSlot));
  std::string kinds;
  for (unsigned i = 0; i < count; ++i) {
    llvm::Value* const value = call.getArgOperand(i + 1);
    const PrintfArgument argument = describe(*value->getType());
    kinds += {static_cast<char>(argument.kind), static_cast<char>(argument.size),
              static_cast<char>(argument.count)};
    builder.CreateAlignedStore(
        value, builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), slots, i * kPrintfSlot),
        llvm::Align(kPrintfSlot));
  }
  llvm::Type* const pointer = builder.getPtrTy();
  const llvm::FunctionCallee print = function.getParent()->getOrInsertFunction(
      "gputest_printf", builder.getInt32Ty(), pointer, builder.getInt32Ty(), pointer, pointer);
  llvm::Value* const format =
      builder.CreatePointerBitCastOrAddrSpaceCast(call.getArgOperand(0), pointer);
  llvm::CallInst* const lowered = builder.CreateCall(
      print, {format, builder.getInt32(count), builder.CreateGlobalString(kinds), slots});
  call.replaceAllUsesWith(lowered);
  call.eraseFromParent();
}

std::string printf_text(const char* format, unsigned count, const PrintfArgument* arguments,
                        const unsigned char* slots) {
  std::string text;
  unsigned next = 0;
  for (const char* at = format; *at != 0;) {
    if (*at != '%') {
      text += *at++;
      continue;
    }
    ++at;
    if (*at == '%') {
      text += *at++;
      continue;
    }
    const Conversion conversion = read_conversion(at);
    if (next == count) {
      text += "(?)";
      continue;
    }
    const PrintfArgument& argument = arguments[next];
    const unsigned char* const slot = slots + next * kPrintfSlot;
    ++next;
    for (unsigned i = 0; i < conversion.components; ++i)
      text += (i ? "," : "") +
              (i < argument.count
                   ? component(conversion, argument, slot + std::size_t{i} * argument.size)
                   : std::string("(?)"));
  }
  return text;
}

} // namespace gputest::ir
