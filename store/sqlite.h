// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Wraps SQLite for the store: handles close themselves, and errors tell the user what to do.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <sqlite3.h>
#include <string>
#include <string_view>

namespace gputest::store {

enum class Access { Read, Write };

// Returns whether several machines may see files on this file system: NFS, SMB, Lustre, BeeGFS,
// GPFS, Ceph, AFS, 9P and whatever FUSE brings. `type`: the number of the file system, as in
// statfs(2).
bool is_network_type(std::uint32_t type);
// As above, for the file system that has the file's folder; false where the system does not tell.
bool is_on_network(const std::filesystem::path& file);

class Connection {
public:
  // Opens the file. Write creates it and the folders above it, and Read requires that it exists.
  // Throws StoreError, like everything here. `patience`: how long a call waits for a lock.
  Connection(const std::filesystem::path& file, Access access, std::chrono::milliseconds patience);

  const std::filesystem::path& file() const { return file_; }
  std::chrono::milliseconds patience() const { return patience_; }
  sqlite3* handle() const { return handle_.get(); }

  void execute(const char* sql) const;
  std::int64_t number(const char* sql) const; // returns the first column of the first row

  // Throws the StoreError for a result code, extended or not.
  [[noreturn]] void fail(int code) const;
  [[noreturn]] void fail_as_damaged(std::string_view what) const;

private:
  struct Close {
    void operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }
  };
  std::filesystem::path file_;
  Access access_;
  std::chrono::milliseconds patience_;
  std::unique_ptr<sqlite3, Close> handle_;
};

// A prepared statement. Its connection must outlive it and stay where it is.
class Statement {
public:
  Statement(const Connection& connection, std::string_view sql);

  // Binds the parameters in order. Texts and values must live until run() or the last next().
  template <class... Values> Statement& bind(const Values&... values) {
    sqlite3_reset(handle_.get());
    int index = 0;
    (bind_one(++index, values), ...);
    return *this;
  }
  // Binds the first `columns` of the current row of `other`.
  Statement& bind_row(const Statement& other, int columns);
  void run();  // runs the statement to its end
  bool next(); // goes to the next row; false: there is none

  // Return columns of the row, from 0. They are valid until the next call of next().
  std::string text(int column) const;
  std::int64_t number(int column) const;
  double real(int column) const;

private:
  struct Finalize {
    void operator()(sqlite3_stmt* handle) const { sqlite3_finalize(handle); }
  };
  void bind_one(int index, std::string_view text);
  void bind_one(int index, const std::string& text) { bind_one(index, std::string_view(text)); }
  void bind_one(int index, std::int64_t number);
  void bind_one(int index, double number);
  void check(int code) const;

  const Connection* connection_;
  std::unique_ptr<sqlite3_stmt, Finalize> handle_;
};

// A transaction that is rolled back unless it is committed.
class Transaction {
public:
  Transaction(const Connection& connection, Access access);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

private:
  const Connection& connection_;
};

} // namespace gputest::store
