// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/kernels/pipes.h"

#include "ir/call.h"
#include "ir/error.h"
#include "ir/places.h"

#include <fmt/format.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/Support/MathExtras.h>

namespace gputest::ir {

std::size_t packet_size(llvm::StringRef type, const llvm::Module& module) {
  const auto [base, attribute] = type.split(" __attribute__((ext_vector_type(");
  unsigned width = 1;
  attribute.take_while([](char letter) { return llvm::isDigit(letter); }).getAsInteger(10, width);
  llvm::StringRef name = base;
  name.consume_front("unsigned ");
  const std::size_t scalar = llvm::StringSwitch<std::size_t>(name)
                                 .Cases("char", "uchar", 1)
                                 .Cases("short", "ushort", "half", 2)
                                 .Cases("int", "uint", "float", 4)
                                 .Cases("long", "ulong", "double", 8)
                                 .Default(0);
  if (scalar != 0)
    return scalar * llvm::PowerOf2Ceil(width); // vectors of three have the size of four
  name.consume_front("struct ");
  llvm::StructType* const record =
      llvm::StructType::getTypeByName(module.getContext(), ("struct." + name).str());
  if (!record || record->isOpaque())
    throw SourceError(
        fmt::format("error: the simulator has no pipes of packets of the type '{}'", type.str()));
  return module.getDataLayout().getTypeAllocSize(record);
}

bool lower_pipe(llvm::IRBuilder<>& builder, llvm::CallInst& call, KernelShape& shape) {
  const llvm::StringRef name = call.getCalledFunction()->getName();
  if (name == "_Z19is_valid_reserve_id13ocl_reserveid") {
    call.replaceAllUsesWith(builder.CreateIsNotNull(call.getArgOperand(0)));
    call.eraseFromParent();
    return true;
  }
  if (!name.starts_with("gputest_pipe_"))
    return false;
  call_by_name(builder, "gputest_pipe_site", builder.getVoidTy(),
               {builder.getInt32(site_of(call, shape))});
  return true;
}

} // namespace gputest::ir
