// Places of PTX, for findings and messages.
#pragma once

#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <map>
#include <string>
#include <vector>

namespace gputest::simulator {

class PtxPlaces {
public:
  // `text` may change until find_lines(), and not thereafter.
  PtxPlaces(llvm::Module& module, const std::string& text, const std::string& name);
  ~PtxPlaces();
  PtxPlaces(const PtxPlaces&) = delete;
  PtxPlaces& operator=(const PtxPlaces&) = delete;

  void find_lines();
  void add_file(llvm::StringRef text);      // of .file: `1 "saxpy.cu"`
  unsigned line_of(const char* at) const;   // 0: at is not in the text
  std::string prefix(const char* at) const; // "module.ptx:12:3: "

  void begin_function(llvm::Function& function, const char* at);
  // What is built from here on is of the statement at `at`. A `.loc` holds for those that follow.
  void set(llvm::IRBuilder<>& builder, const char* at);

private:
  void read_loc(llvm::StringRef text);

  const std::string& text_;
  std::string name_;
  std::vector<std::size_t> lines_; // where they begin
  llvm::DIBuilder builder_;
  llvm::DIFile* file_;
  std::map<unsigned, llvm::DIFile*> files_;
  llvm::DISubprogram* function_ = nullptr;
  llvm::DILocation* source_ = nullptr; // of .loc
};

} // namespace gputest::simulator
