// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables of PTX modules, with their initial values.
#pragma once

#include "ir/cuda/ptx/text.h"

#include <llvm/IR/Module.h>

namespace gputest::ir {

class PtxVariables {
public:
  explicit PtxVariables(llvm::Module& module) : module_(module) {}

  // Adds a variable. Throws PtxFault.
  void add(const PtxDeclaration& declaration);
  // Sets initial values. To be called when everything that they may name has been added. Throws
  // PtxFault.
  void set_values();

private:
  // An initial value: bytes, with addresses at some places.
  struct Value {
    std::string bytes;
    std::vector<std::pair<std::size_t, llvm::Constant*>> addresses; // in the order of places
  };

  void add_one(const PtxDeclaration& declaration);
  Value value_of(const PtxDeclaration& declaration) const;
  void fill(const PtxDeclaration& declaration, llvm::StringRef text, std::size_t& at,
            Value& value) const;
  void put(const PtxDeclaration& declaration, llvm::StringRef text, std::size_t at,
           Value& value) const;
  void put_byte_of_address(llvm::StringRef text, std::size_t at, Value& value) const;
  llvm::Constant* address_of(llvm::StringRef text) const;
  llvm::Constant* constant_of(const Value& value) const;
  void mark_managed();

  llvm::Module& module_;
  std::vector<std::pair<llvm::GlobalVariable*, PtxDeclaration>> with_values_;
  std::vector<llvm::GlobalVariable*> managed_;
};

} // namespace gputest::ir
