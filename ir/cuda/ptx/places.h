// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Places in PTX, for findings and messages.
#pragma once

#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <map>
#include <string>
#include <vector>

namespace gputest::ir {

class PtxPlaces {
public:
  // `text` must outlive this object. It may change until find_lines(), but not afterwards.
  PtxPlaces(llvm::Module& module, const std::string& text, const std::string& name);
  ~PtxPlaces();
  PtxPlaces(const PtxPlaces&) = delete;
  PtxPlaces& operator=(const PtxPlaces&) = delete;

  void find_lines();
  void add_file(llvm::StringRef text);      // adds the operands of .file: `1 "saxpy.cu"`
  unsigned line_of(const char* at) const;   // 0: `at` is not in the text
  std::string prefix(const char* at) const; // "module.ptx:12:3: "

  void begin_function(llvm::Function& function, const char* at);
  // Sets the place of following instructions to the statement at `at`. A `.loc` applies to all
  // statements after it.
  void set(llvm::IRBuilder<>& builder, const char* at);

private:
  void read_loc(llvm::StringRef text);

  const std::string& text_;
  std::string name_;
  std::vector<std::size_t> lines_; // the begin of each line
  llvm::DIBuilder builder_;
  llvm::DIFile* file_;
  std::map<unsigned, llvm::DIFile*> files_;
  llvm::DISubprogram* function_ = nullptr;
  llvm::DILocation* source_ = nullptr; // of the last .loc
};

} // namespace gputest::ir
