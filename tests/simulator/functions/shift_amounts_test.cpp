// Which masks of shifts are the compiler's.
#include "ir/kernels/shift_amounts.h"
#include "ir/protected.h"
#include "tests/catch.h"

#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/Support/SourceMgr.h>

using namespace gputest::ir;

namespace {

std::size_t marked_masks(const std::string& body, MadeBy made_by) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic error;
  const std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(
      "define void @k(ptr %a, i32 %n) {\n" + body + "ret void\n}\n", error, context);
  REQUIRE(module);
  mark_masked_shifts(*module, made_by);
  std::size_t count = 0;
  for (const llvm::Instruction& instruction : llvm::instructions(*module->getFunction("k")))
    count += instruction.getMetadata(kClamped) != nullptr;
  return count;
}

} // namespace

TEST_CASE("Masks of shifts are the author's in optimised SPIR-V, and Clang's otherwise") {
  const std::string plain = "%v = alloca i32\nstore i32 %n, ptr %v\n%x = load i32, ptr %v\n";
  const std::string shift = "%m = and i32 %x, 31\n%s = shl i32 7, %m\n";
  const std::string optimised = "%m = and i32 %n, 31\n%s = shl i32 7, %m\n";
  for (const MadeBy made_by : {MadeBy::Clang, MadeBy::AnyCompiler}) {
    CHECK(marked_masks(plain + shift, made_by) == 1);
    // Below Clang's mask is the author's.
    CHECK(marked_masks(plain + "%y = and i32 %x, 31\n%m = and i32 %y, 31\n%s = shl i32 7, %m\n",
                       made_by) == 0);
  }
  CHECK(marked_masks(optimised, MadeBy::Clang) == 1);
  CHECK(marked_masks(optimised, MadeBy::AnyCompiler) == 0);
  CHECK(marked_masks("%v = alloca i32\n" + optimised, MadeBy::AnyCompiler) == 0);
}
