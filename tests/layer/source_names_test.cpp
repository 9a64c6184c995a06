#include "layer/sources/source_names.h"

#include "tests/catch.h"
#include "tests/temporary_folder.h"

#include <fstream>

using gputest::layer::SourceNames;
using gputest::tests::TemporaryFolder;

namespace {

struct Files {
  TemporaryFolder folder;
  std::vector<std::filesystem::path> paths;

  std::string add(const std::string& name, const std::string& text) {
    paths.push_back(folder.path() / name);
    std::ofstream(paths.back(), std::ios::binary) << text;
    return paths.back().string();
  }
};

} // namespace

TEST_CASE("A program that is a file is named after it") {
  Files files;
  const std::string a = files.add("a.cl", "int a;\nint b;\n\n");
  SourceNames names(files.paths);
  const auto named = names.name("int a;\nint b;"); // read without its end
  CHECK(named.text == "#line 1 \"" + a + "\"\nint a;\nint b;\n");
  CHECK(named.stem == "a");
  CHECK(named.has_file);
  CHECK_FALSE(named.has_other);
}

TEST_CASE("Files within a program are named, and so is what stands between them") {
  Files files;
  const std::string a = files.add("a.cl", "int a;\n");
  const std::string b = files.add("b.cl", "int b;\nint c;\n");
  SourceNames names(files.paths);
  const auto named = names.name("#define X 1\nint a;\n#define Y 2\n\nint b;\nint c;\n");
  CHECK(named.text == "#line 1 \"" + named.name + "\"\n#define X 1\n#line 1 \"" + a +
                          "\"\nint a;\n#line 2 \"" + named.name +
                          "\"\n\n#define Y 2\n\n#line 1 \"" + b + "\"\nint b;\nint c;\n");
  CHECK(named.has_file);
  CHECK(named.has_other);
}

TEST_CASE("Of files that overlap, the longest is meant; text inside a line is no file") {
  Files files;
  files.add("part.cl", "int b;");
  const std::string whole = files.add("whole.cl", "int a;\nint b;\n");
  SourceNames names(files.paths);
  CHECK(names.name("int a;\nint b;\n").text == "#line 1 \"" + whole + "\"\nint a;\nint b;\n");
  CHECK_FALSE(names.name("const int b;").has_file);
}

TEST_CASE("A program that asks for its lines keeps them") {
  Files files;
  const std::string a = files.add("a.cl", "int a = __LINE__;\n");
  SourceNames names(files.paths);
  CHECK(names.name("int a = __LINE__;\n").has_file);
  CHECK_FALSE(names.name("int z;\nint a = __LINE__;\n").has_file);
}

TEST_CASE("A program that no file holds is called by its content") {
  SourceNames names({});
  const auto one = names.name("int a;"), two = names.name("int b;");
  CHECK(one.name == names.name("int a;").name);
  CHECK(one.name != two.name);
  CHECK(one.text == "#line 1 \"" + one.name + "\"\nint a;\n");
  CHECK(one.name == one.stem + ".cl");
}

TEST_CASE("A program that is a literal is named after the file, with its lines") {
  Files files;
  const std::string py = files.add("host.py", "import x\nA = \"\"\"\nkernel void a() {\n}\n\"\"\"\n"
                                              "B = \"\"\"kernel void b() {\n}\n\"\"\"\n");
  SourceNames names({}, files.paths);
  const auto a = names.name("\nkernel void a() {\n}\n");
  CHECK(a.text == "#line 3 \"" + py + "\"\nkernel void a() {\n}\n");
  CHECK(a.stem == "host");
  CHECK((a.has_file && !a.has_other));
  const auto b = names.name("#define N 2\nkernel void b() {\n}\n");
  CHECK(b.text ==
        "#line 1 \"" + b.name + "\"\n#define N 2\n#line 6 \"" + py + "\"\nkernel void b() {\n}\n");
  CHECK(b.stem == "host-2");
  CHECK(b.files == std::vector{py});
  CHECK_FALSE(names.name("int n = __LINE__;\nkernel void a() {\n}\n").has_file);
  CHECK_FALSE(names.name("  kernel void a() {\n}\n").has_file);
}

TEST_CASE("Lines of literals are told anew where they do not follow each other") {
  Files files;
  const std::string c = files.add("host.c", "const char* s =\n\"kernel void a() {\\n\"\n"
                                            "\n\"  b();\\n  c(1,\\n\"\n\"2);\\n\"\n\"}\\n\";\n");
  SourceNames names({}, files.paths);
  CHECK(names.name("kernel void a() {\n  b();\n  c(1,\n2);\n}\n").text ==
        "#line 2 \"" + c + "\"\nkernel void a() {\n#line 4 \"" + c + "\"\n  b();\n#line 4 \"" + c +
            "\"\n  c(1,\n2);\n}\n");
}

TEST_CASE("Different files of one name have different stems") {
  Files files;
  std::filesystem::create_directories(files.folder.path() / "one");
  std::filesystem::create_directories(files.folder.path() / "two");
  files.add("one/k.cl", "kernel void a() {}\n");
  files.add("two/k.cl", "kernel void b() {}\n");
  files.add("host.c", "x = \"kernel void c() {}\";\n");
  files.add("host.py", "x = \"kernel void d() {}\"\n");
  SourceNames names({files.paths[0], files.paths[1]}, {files.paths[2], files.paths[3]});
  CHECK(names.name("kernel void a() {}").stem == "one-k");
  CHECK(names.name("kernel void b() {}\n").stem == "two-k");
  CHECK(names.name("kernel void c() {}").stem == "host");
  CHECK(names.name("kernel void d() {}").stem == "host.py");
}
