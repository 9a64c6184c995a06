// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes expressions in one form, so that two kernels that write the same in other words have the
// same label where that is easy to see: operands in one order, sums cut to their lowest bits, and
// one variable for the first work-item of a group.
#pragma once

#include "testgen/solve/statics.h"

#include <map>

namespace gputest::testgen {

class CommonForm {
public:
  // `statics`: has the variables of the launch. It must outlive the form.
  explicit CommonForm(Statics& statics) : statics_(statics), table_(statics.table) {}

  Label make(Op op, unsigned bits, Label a, Label b = 0, Label c = 0);
  // Brings an expression whose operands have the form into it. 0 stays 0.
  Label of(Label label);

private:
  Label lowest(Label label, unsigned bits);
  Label first_item(Label a, Label b, unsigned bits);

  Statics& statics_;
  Table& table_;
  std::map<Label, Label> known_;
};

} // namespace gputest::testgen
