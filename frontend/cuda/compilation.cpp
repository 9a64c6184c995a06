// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/cuda/compilation.h"

#include "frontend/clang_run.h"
#include "frontend/cuda/accepted_texts.h"
#include "frontend/cuda/amd_assembler.h"
#include "frontend/cuda/kept_header.h"
#include "frontend/cuda/toolkit.h"
#include "frontend/llvm_version.h"
#include "model/files.h"

#include <clang/AST/Decl.h>
#include <clang/Basic/SourceManager.h>
#include <llvm/Support/Program.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

namespace gputest::frontend {

namespace {

int run_quietly(const std::vector<std::string>& command) {
  const std::vector<llvm::StringRef> arguments(command.begin(), command.end());
  constexpr llvm::StringRef kNowhere = "";
  return llvm::sys::ExecuteAndWait(command.front(), arguments, std::nullopt,
                                   {kNowhere, kNowhere, kNowhere});
}

// Clang of the version that this program has is the one that keeps headers for it.
std::vector<std::string> with_header(const std::vector<std::string>& driver) {
#ifdef GPUTEST_KEEPING_CLANG
  if (driver.front() == model::file_of_others(nullptr, "bin/clang++", GPUTEST_KEEPING_CLANG))
    return cuda::with_kept_header(driver, run_quietly).arguments;
#endif
  return driver;
}

// Gives Clang texts that it can read (accepted_texts.h).
class FileWithMarks : public llvm::vfs::File {
public:
  explicit FileWithMarks(std::unique_ptr<llvm::vfs::File> file) : file_(std::move(file)) {}

  llvm::ErrorOr<llvm::vfs::Status> status() override { return file_->status(); }
  llvm::ErrorOr<std::string> getName() override { return file_->getName(); }
  std::error_code close() override { return file_->close(); }
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>>
  getBuffer(const llvm::Twine& name, std::int64_t size, bool needs_end, bool is_volatile) override {
    auto buffer = file_->getBuffer(name, size, needs_end, is_volatile);
    // A kept header has been read before: it is many megabytes of Clang's own format.
    if (!buffer || (*buffer)->getBuffer().starts_with("CPCH"))
      return buffer;
    const std::string text = (*buffer)->getBuffer().str();
    const std::string marked = cuda::without_assembler_of_amd(cuda::with_marks(text));
    if (marked == text)
      return buffer;
    return llvm::MemoryBuffer::getMemBufferCopy(marked, (*buffer)->getBufferIdentifier());
  }

private:
  std::unique_ptr<llvm::vfs::File> file_;
};

class FilesWithMarks : public llvm::vfs::ProxyFileSystem {
public:
  using ProxyFileSystem::ProxyFileSystem;

  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>>
  openFileForRead(const llvm::Twine& path) override {
    auto file = ProxyFileSystem::openFileForRead(path);
    if (!file)
      return file;
    return std::make_unique<FileWithMarks>(std::move(*file));
  }
};

llvm::IntrusiveRefCntPtr<llvm::vfs::InMemoryFileSystem> files_in_memory() {
  auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  if (const auto here = llvm::vfs::getRealFileSystem()->getCurrentWorkingDirectory())
    std::ignore = memory->setCurrentWorkingDirectory(*here); // names may be relative; it takes any
  return memory;
}

// Returns `files` with mended texts in the place of those that Clang refused.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
with_mended_texts(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files,
                  const std::vector<cuda::RefusedPlaces>& refused) {
  std::map<std::string, std::string> texts;
  for (const cuda::RefusedPlaces& mended : refused)
    for (const auto& [file, places] : mended) {
      if (!texts.contains(file))
        if (auto buffer = files->getBufferForFile(file))
          texts[file] = cuda::with_marks((*buffer)->getBuffer().str());
      texts[file] = cuda::edited(texts[file], cuda::edits_of_refused(texts[file], places));
    }
  return with_texts(std::move(files), texts);
}

} // namespace

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
with_texts(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files,
           const std::map<std::string, std::string>& texts) {
  auto memory = files_in_memory();
  for (const auto& [file, text] : texts)
    memory->addFile(file, 0, llvm::MemoryBuffer::getMemBufferCopy(text, file));
  auto all = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(std::move(files));
  all->pushOverlay(std::move(memory));
  return all;
}

llvm::Expected<std::vector<std::string>> compiler_arguments(const CudaOptions& options) {
  std::vector<std::string> driver = options.arguments;
  driver.emplace_back("--cuda-device-only");
  if (std::ranges::none_of(driver, [](const std::string& argument) {
        return argument.find("GPUTEST_WARP_SIZE") != std::string::npos;
      })) // any code can be read that uses warpSize as a constant
    driver.emplace_back("-DGPUTEST_WARP_SIZE=32");
  if (options.uses_kept_header)
    driver = with_header(driver);
  driver.insert(driver.end(), {"-fsyntax-only", "-w", options.file});
  std::vector<const char*> raw;
  raw.reserve(driver.size());
  for (const std::string& argument : driver)
    raw.push_back(argument.c_str());
  Messages messages(
      [](clang::SourceLocation, const clang::SourceManager&) { return std::string(); });
  const auto diagnostics = llvm_version::diagnostics_engine(messages);
  std::vector<std::string> arguments;
  clang::CreateInvocationOptions how;
  how.Diags = diagnostics;
  how.CC1Args = &arguments;
  if (!clang::createInvocation(raw, std::move(how)))
    return messages.as_error();
  if (!arguments.empty() && arguments.front() == "-cc1")
    arguments.erase(arguments.begin());
  return arguments;
}

void visit_no_kept_header(clang::ASTContext& context, const std::vector<std::string>& arguments) {
  if (std::ranges::none_of(arguments, cuda::is_of_kept_header))
    return;
  const auto own = context.getTranslationUnitDecl()->noload_decls();
  context.setTraversalScope({own.begin(), own.end()});
}

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files_of(const CudaOptions& options) {
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files = llvm::vfs::getRealFileSystem();
  const std::vector<std::string>& arguments = options.arguments;
  for (auto at = std::ranges::find(arguments, "-ivfsoverlay"); at != arguments.end();
       at = std::find(at + 1, arguments.end(), "-ivfsoverlay"))
    if (at + 1 != arguments.end())
      if (auto list = files->getBufferForFile(*(at + 1)))
        if (auto other =
                llvm::vfs::getVFSFromYAML(std::move(*list), nullptr, *(at + 1), nullptr, files))
          files = std::move(other);
  if (!options.refused.empty())
    files = with_mended_texts(files, options.refused);
  return llvm::makeIntrusiveRefCnt<FilesWithMarks>(files);
}

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> in_place_of_file(const CudaOptions& options,
                                                                 llvm::StringRef text) {
  std::string mended = cuda::with_marks(text.str());
  for (const cuda::RefusedPlaces& places : options.refused)
    if (const auto found = places.find(cuda::absolute_name(options.file)); found != places.end())
      mended = cuda::edited(mended, cuda::edits_of_refused(mended, found->second));
  return with_texts(files_of(options), {{options.file, mended}});
}

llvm::Error read_as_nvcc(CudaOptions& options, const std::string* text,
                         const std::function<llvm::Error()>& read) {
  const auto text_of = [&](const std::string& file) -> std::optional<std::string> {
    const auto files = text ? in_place_of_file(options, *text) : files_of(options);
    const auto buffer = files->getBufferForFile(file);
    return buffer ? std::optional((*buffer)->getBuffer().str()) : std::nullopt;
  };
  std::vector<cuda::IncludedFile> files =
      cuda::included_files(options.file, cuda::folders_of(options.arguments, {"-I", "-iquote"}));
  if (text)
    files.front().text = *text;
  cuda::add_places(cuda::deduction_guides(files), options.refused, text_of);
  while (true) {
    llvm::Error error = read();
    if (!error)
      return error;
    const std::string messages = llvm::toString(std::move(error));
    if (!cuda::add_refused(messages, options.refused, text_of) &&
        !std::exchange(options.uses_kept_header, false))
      return llvm::createStringError(llvm::inconvertibleErrorCode(), "%s", messages.c_str());
  }
}

} // namespace gputest::frontend
