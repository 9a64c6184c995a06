#include "tests/simulator/made_up/float_division.h"

#include "ir/places.h"
#include "simulator/checks/monitor.h"
#include "simulator/memory/ndrange.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

namespace gputest::simulator::tests {
namespace {

// What is linked with the kernel, and reports.
constexpr const char* kText = R"(
void gputest_divided_by_zero(struct gputest_context *context, gputest_u32 site);
__attribute__((always_inline)) void gputest_divides(struct gputest_context *context, float by,
                                                    gputest_u32 site) {
  if (by == 0)
    gputest_divided_by_zero(context, site);
}
)";

bool is_division(const llvm::BinaryOperator& operation) {
  return operation.getOpcode() == llvm::Instruction::FDiv && operation.getType()->isFloatTy();
}

void check_divisions(CheckedKernel& kernel) {
  for (llvm::BinaryOperator* operation : kernel.operations) {
    if (!is_division(*operation))
      continue;
    llvm::IRBuilder<> builder(operation);
    const llvm::FunctionCallee divides = kernel.item.getParent()->getOrInsertFunction(
        "gputest_divides", builder.getVoidTy(), builder.getPtrTy(), builder.getFloatTy(),
        builder.getInt32Ty());
    builder.CreateCall(divides, {kernel.item.getArg(0), operation->getOperand(1),
                                 builder.getInt32(ir::site_of(*operation, kernel.shape))});
  }
}

class DivisionWatch : public Watch {
public:
  explicit DivisionWatch(const WatchedLaunch& launch) : launch_(launch) {}

  void begin_group() override { ++groups_; }

  void report(unsigned site) {
    if (Finding* const finding = launch_.findings.add("float_division", site, 0))
      finding->message = text_of(running_item(launch_.context), launch_.dimensions) +
                         " divides by zero, in group number " + std::to_string(groups_);
  }

private:
  WatchedLaunch launch_;
  unsigned groups_ = 0;
};

extern "C" void gputest_divided_by_zero(gputest_context*, gputest_u32 site) {
  static_cast<DivisionWatch&>(running_watch(float_division_check())).report(site);
}

} // namespace

const Check& float_division_check() {
  static const Check kCheck{
      .name = "float_division",
      .needs = {.operation = is_division},
      .passes = {{Stage::Operations, check_divisions}},
      .text = kText,
      .natives = {{"gputest_divided_by_zero", reinterpret_cast<void*>(&gputest_divided_by_zero)}},
      .watch = [](const WatchedLaunch& launch) -> std::unique_ptr<Watch> {
        return std::make_unique<DivisionWatch>(launch);
      }};
  return kCheck;
}

} // namespace gputest::simulator::tests
