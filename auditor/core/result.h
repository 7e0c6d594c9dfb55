// Errors that a user or a candidate can cause are values, not exceptions.
// `Error` names what went wrong, where (file, field) and what to do about it; `Result<T>` holds
// either a value or an Error. Exceptions of third-party libraries (torch, json) are caught at the
// border of the library that throws them and become Errors.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace kernel_audit {

enum class ErrorKind {
  kUsage,     // bad argument or bad input file: exit code 2
  kTool,      // our own failure or a missing facility: exit code 2
  kTimeout,   // a limit on time was hit
  kMemory,    // a limit on memory was hit
  kSignal,    // the process died by a signal
  kExit,      // the process left with a non-zero exit code
  kProtocol,  // a malformed, oversized or unexpected message
};

const char* to_string(ErrorKind kind);
std::optional<ErrorKind> error_kind_from_string(const std::string& text);

struct Error {
  ErrorKind kind = ErrorKind::kTool;
  std::string message;  // one full factual sentence
  std::string file;     // user's file, empty when there is none
  std::string field;    // field, option or line inside it
  std::string remedy;   // what the user can do

  // "file: field: message (remedy)" with the empty parts left out.
  std::string describe() const;
};

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }
  T& value() { return std::get<0>(state_); }
  const T& value() const { return std::get<0>(state_); }
  T& operator*() { return value(); }
  const T& operator*() const { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  const Error& error() const { return std::get<1>(state_); }

 private:
  std::variant<T, Error> state_;
};

// For functions that return nothing but can fail.
struct Ok {};
using Status = Result<Ok>;

}  // namespace kernel_audit
