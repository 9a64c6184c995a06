// Words of a kernel's file on which patches rest.
#include "memory/patches/words.h"

#include "frontend/languages/languages.h"
#include "tests/catch.h"
#include "tests/temporary_folder.h"

#include <fstream>
#include <llvm/Support/Error.h>
#include <string>
#include <vector>

using namespace gputest;
using namespace gputest::memory;

namespace {

// Whether `text` names `word` only in the flat text between "begin" and "end", all of it there.
bool only_there(const std::string& text, const std::string& word) {
  const gputest::tests::TemporaryFolder folder;
  const std::string path = (folder.path() / "k.cl").string();
  std::ofstream(path) << text;
  frontend::SourceOptions options;
  options.file = path;
  const frontend::FlatSource source = llvm::cantFail(frontend::read_file(options));
  const auto offset_of = [&](const std::string& what) {
    const std::size_t at = source.text.find(what);
    REQUIRE(at != std::string::npos);
    return static_cast<unsigned>(at);
  };
  std::vector<unsigned> places;
  for (const frontend::FlatToken& token : source.tokens)
    if (source.text.compare(token.begin, token.end - token.begin, word) == 0)
      places.push_back(token.begin);
  return are_all(source, offset_of("begin"), offset_of("end"), places,
                 [&](std::string_view name) { return name == word; });
}

} // namespace

TEST_CASE("All places of a word are known only if no other text of the file may have one") {
  CHECK(only_there("void k() { int begin; int x = 1; x++; int end; }\n", "x"));
  // Behind the end it does not matter.
  CHECK(only_there("void k() { int begin; int x = 1; int end; }\n"
                   "#if 0\nint x;\n#endif\n",
                   "x"));
  CHECK(only_there("// x\nvoid k() { int begin; int x = 1; /* x */ int end; }\n", "x"));
  CHECK(only_there("#define ONE 1\nvoid k() { int begin; int x = ONE; int end; }\n", "x"));
  // A build without the condition, or with it.
  CHECK_FALSE(only_there("void k() { int begin; int x = 1;\n"
                         "#ifdef MORE\n  x = 2;\n#endif\n int end; }\n",
                         "x"));
  // A macro's body names it, used or not, before or behind.
  CHECK_FALSE(only_there("#define MORE x\nvoid k() { int begin; int x = 1; int end; }\n", "x"));
  CHECK_FALSE(only_there("#define MORE x\nvoid k() { int begin; int x = MORE; int end; }\n", "x"));
  CHECK_FALSE(only_there("void k() { int begin; int x = 1; int end; }\n"
                         "#define MORE \\\n  x\n",
                         "x"));
  // An argument of a macro is where it is written.
  CHECK(only_there("#define SAME(a) a\nvoid k() { int begin; int x = 1; SAME(x)++; int end; }\n",
                   "x"));
}

TEST_CASE("Words that tell the order of work-items are known in both languages") {
  for (const char* const word :
       {"get_local_linear_id", "sub_group_reduce_add", "get_sub_group_local_id",
        "intel_sub_group_shuffle", "work_group_scan_inclusive_add", "__shfl_down_sync",
        "__ballot_sync", "__match_any_sync", "thread_rank", "warpSize", "asm"}) {
    INFO(word);
    CHECK(depends_on_order(word));
    CHECK_FALSE(asks_in_opencl(word));
    CHECK_FALSE(asks_in_cuda(word));
  }
  for (const char* const word : {"get_global_id", "threadIdx", "work_group_reduce_add", "barrier",
                                 "__syncthreads", "assemble", "group"}) {
    INFO(word);
    CHECK_FALSE(depends_on_order(word));
  }
  CHECK(asks_in_opencl("get_enqueued_local_size"));
  CHECK(asks_in_cuda("gridDim"));
}
