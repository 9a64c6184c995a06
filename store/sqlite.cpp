// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "store/sqlite.h"

#include "store/store.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/vfs.h>
#include <system_error>
#include <unistd.h>

namespace gputest::store {
namespace fs = std::filesystem;
namespace {

fs::path log_of(const fs::path& file) {
  fs::path log = file;
  log += "-wal";
  return log;
}

bool can_write(const fs::path& folder) {
  return ::faccessat(AT_FDCWD, folder.c_str(), W_OK, AT_EACCESS) == 0;
}

// SQLite writes files beside a database that it reads, unless it is told that nobody will change
// the database. So a store in a read-only folder, such as a CI run's artifacts, is opened like
// that.
bool nobody_can_write(const fs::path& file) {
  std::error_code ignored;
  return !can_write(file.parent_path()) && !fs::exists(log_of(file), ignored);
}

std::string immutable_uri(const fs::path& file) {
  std::string uri = "file:";
  for (const char c : file.string())
    if (c == '%' || c == '?' || c == '#')
      uri += fmt::format("%{:02x}", static_cast<unsigned char>(c));
    else
      uri += c;
  return uri + "?immutable=1";
}

void create_folders(const fs::path& file) {
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  if (error)
    throw StoreError(fmt::format("{}: error: its folder cannot be created: {}; choose another "
                                 "folder, or make this one writable",
                                 file.string(), error.message()),
                     error == std::errc::no_space_on_device ? 3 : 2);
}

bool is_full(int code, int system_error) {
  return code == SQLITE_FULL ||
         (code == SQLITE_IOERR &&
          (system_error == ENOSPC || system_error == EDQUOT || system_error == EFBIG));
}

bool is_forbidden(int code, int system_error) {
  return code == SQLITE_READONLY || code == SQLITE_PERM ||
         ((code == SQLITE_CANTOPEN || code == SQLITE_IOERR) &&
          (system_error == EACCES || system_error == EPERM || system_error == EROFS));
}

} // namespace

bool is_network_type(std::uint32_t type) {
  // statfs(2), and linux/magic.h
  constexpr std::array<std::uint32_t, 10> network{
      0x6969,                             // NFS
      0x517b,     0xff534d42, 0xfe534d42, // SMB, CIFS, SMB 2
      0x0bd00bd0,                         // Lustre
      0x19830326,                         // BeeGFS
      0x47504653,                         // GPFS
      0x00c36400,                         // Ceph
      0x5346414f,                         // AFS
      0x01021997,                         // 9P
  };
  constexpr std::uint32_t fuse = 0x65735546; // sshfs, GlusterFS, cloud storage
  return type == fuse || std::ranges::find(network, type) != network.end();
}

bool is_on_network(const fs::path& file) {
  struct statfs info{};
  const fs::path folder = fs::absolute(file).parent_path();
  return ::statfs(folder.c_str(), &info) == 0 &&
         is_network_type(static_cast<std::uint32_t>(info.f_type));
}

Connection::Connection(const fs::path& file, Access access, std::chrono::milliseconds patience)
    : file_(file), access_(access), patience_(patience) {
  if (file.empty())
    throw StoreError("error: the name of a store is empty; give a file, such as results.db", 2);
  // Absolute, because SQLite gives names such as ":memory:" a meaning of their own.
  const fs::path absolute = fs::absolute(file);
  std::error_code ignored;
  if (fs::is_directory(absolute, ignored))
    throw StoreError(fmt::format("{}: error: is a folder; give the store in it, results.db, or "
                                 "another file",
                                 file.string()),
                     2);
  if (access == Access::Write)
    create_folders(absolute);
  else if (!fs::exists(absolute, ignored))
    throw StoreError(fmt::format("{}: error: no such file", file.string()), 2);

  const bool immutable = access == Access::Read && nobody_can_write(absolute);
  sqlite3* handle = nullptr;
  const int code =
      sqlite3_open_v2(immutable ? immutable_uri(absolute).c_str() : absolute.c_str(), &handle,
                      (immutable ? SQLITE_OPEN_READONLY | SQLITE_OPEN_URI : SQLITE_OPEN_READWRITE) |
                          (access == Access::Write ? SQLITE_OPEN_CREATE : 0) | SQLITE_OPEN_NOMUTEX,
                      nullptr);
  handle_.reset(handle);
  if (code != SQLITE_OK)
    fail(code);
  // SQLite opens a file that may not be written for reading only.
  if (access == Access::Write && sqlite3_db_readonly(handle, "main") == 1)
    fail(SQLITE_READONLY);
  sqlite3_busy_timeout(handle, static_cast<int>(patience.count()));
}

void Connection::execute(const char* sql) const {
  errno = 0;
  const int code = sqlite3_exec(handle(), sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK)
    fail(code);
}

std::int64_t Connection::number(const char* sql) const {
  Statement statement(*this, sql);
  return statement.next() ? statement.number(0) : 0;
}

void Connection::fail(int code) const {
  // SQLite does not keep every error of the system, such as that of a failed commit.
  const int latest = errno;
  const int kept = handle() == nullptr ? ENOMEM : sqlite3_system_errno(handle());
  const int system_error = kept != 0 ? kept : latest;
  const int primary = code & 0xff;
  const auto error = [&](int exit_code, const std::string& what) {
    return StoreError(fmt::format("{}: error: {}", file_.string(), what), exit_code);
  };
  const auto reason = [&] {
    return kept != 0 ? std::generic_category().message(kept)
                     : std::string(sqlite3_errmsg(handle()));
  };
  if (is_full(primary, system_error))
    throw error(3, "cannot be written: the disk is full, or a limit on the size of files is "
                   "reached; make room and start again, what was written is kept");
  if (access_ == Access::Read && is_forbidden(primary, system_error))
    throw error(2, "may not be read; make it readable, or copy it to where it is");
  // For a new file, SQLite reports the error of its second attempt, to read: the file does not
  // exist.
  if (is_forbidden(primary, system_error) ||
      (primary == SQLITE_CANTOPEN && !can_write(fs::absolute(file_).parent_path())))
    throw error(2, fmt::format("may not be written; make the file and its folder {} writable (the "
                               "log {} is kept there), or choose another file",
                               fs::absolute(file_).parent_path().string(),
                               log_of(file_).filename().string()));
  switch (primary) {
  case SQLITE_NOTADB:
    throw error(2, "is no store of results, nor any database; choose another file");
  case SQLITE_CORRUPT:
  case SQLITE_ERROR: // a table or a column is missing
    fail_as_damaged(sqlite3_errmsg(handle()));
  case SQLITE_BUSY:
  case SQLITE_LOCKED:
    throw error(3, fmt::format("stays locked by another process, waited {:g} s; end that process, "
                               "or start again when it is done",
                               std::chrono::duration<double>(patience_).count()));
  case SQLITE_CANTOPEN:
    throw error(2, fmt::format("cannot be opened: {}; choose another file", reason()));
  default:
    throw error(3, fmt::format("cannot be read or written: {}; check the disk, or choose another "
                               "file",
                               reason()));
  }
}

void Connection::fail_as_damaged(std::string_view what) const {
  throw StoreError(
      fmt::format("{}: error: is damaged ({}); delete it, and results will be run again",
                  file_.string(), what),
      2);
}

Statement::Statement(const Connection& connection, std::string_view sql)
    : connection_(&connection) {
  sqlite3_stmt* handle = nullptr;
  check(sqlite3_prepare_v2(connection.handle(), sql.data(), static_cast<int>(sql.size()), &handle,
                           nullptr));
  handle_.reset(handle);
}

Statement& Statement::bind_row(const Statement& other, int columns) {
  sqlite3_reset(handle_.get());
  for (int column = 0; column < columns; ++column)
    check(sqlite3_bind_value(handle_.get(), column + 1,
                             sqlite3_column_value(other.handle_.get(), column)));
  return *this;
}

void Statement::run() {
  while (next())
    ;
}

bool Statement::next() {
  errno = 0;
  const int code = sqlite3_step(handle_.get());
  if (code == SQLITE_ROW)
    return true;
  // Reset, so that no lock outlives the last row. It repeats the code of a failure.
  check(sqlite3_reset(handle_.get()));
  return false;
}

std::string Statement::text(int column) const {
  const unsigned char* text = sqlite3_column_text(handle_.get(), column);
  const int size = sqlite3_column_bytes(handle_.get(), column);
  return text == nullptr
             ? std::string()
             : std::string(reinterpret_cast<const char*>(text), static_cast<std::size_t>(size));
}

std::int64_t Statement::number(int column) const {
  return sqlite3_column_int64(handle_.get(), column);
}

double Statement::real(int column) const {
  return sqlite3_column_double(handle_.get(), column);
}

void Statement::bind_one(int index, std::string_view text) {
  // A null pointer would be NULL.
  check(sqlite3_bind_text64(handle_.get(), index, text.data() == nullptr ? "" : text.data(),
                            text.size(), SQLITE_STATIC, SQLITE_UTF8));
}

void Statement::bind_one(int index, std::int64_t number) {
  check(sqlite3_bind_int64(handle_.get(), index, number));
}

void Statement::bind_one(int index, double number) {
  check(sqlite3_bind_double(handle_.get(), index, number));
}

void Statement::check(int code) const {
  if (code != SQLITE_OK)
    connection_->fail(code);
}

Transaction::Transaction(const Connection& connection, Access access) : connection_(connection) {
  connection.execute(access == Access::Write ? "BEGIN IMMEDIATE" : "BEGIN");
}

Transaction::~Transaction() {
  // After a commit, or a failure that has already rolled back, there is no transaction.
  if (sqlite3_get_autocommit(connection_.handle()) == 0)
    sqlite3_exec(connection_.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
}

void Transaction::commit() {
  connection_.execute("COMMIT");
}

} // namespace gputest::store
