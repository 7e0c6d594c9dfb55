// The Python whose `ast` reads the candidates: one persistent child, found at run time, that answers
// each source with its syntax tree (ast_server.py) and executes nothing. A child that dies, hangs or
// answers nonsense is replaced; the source in flight gets a typed Error. Not thread-safe.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <string_view>

#include "auditor/core/json.h"
#include "auditor/core/result.h"

namespace kernel_audit::analysis::python {

class Interpreter {
 public:
  // `python`: path or name; empty: $KERNEL_AUDIT_PYTHON, else python3 on PATH.
  explicit Interpreter(const std::string& python = {}, std::chrono::milliseconds time_limit = std::chrono::seconds(30));
  ~Interpreter();
  Interpreter(const Interpreter&) = delete;
  Interpreter& operator=(const Interpreter&) = delete;

  // The answer of ast_server.py: "types" and "nodes", or "error" for a source that does not parse.
  // mode: "exec" or "eval"; "unpack:zlib" and its like answer with "unpacked", in base64, empty when it does not.
  Result<Json> parse(std::string_view source, const char* mode = "exec");
  // "3.11.7", of the running child; starts it when needed.
  Result<std::string> version();
  int starts() const { return starts_; }
  pid_t pid() const { return pid_; }

 private:
  Status start();
  void stop();
  Status write_all(std::string_view bytes, std::chrono::steady_clock::time_point deadline);
  Result<std::string> read_answer(std::chrono::steady_clock::time_point deadline);

  std::string python_;
  std::chrono::milliseconds time_limit_;
  std::string version_;
  std::string buffer_;  // bytes read past the last answer
  pid_t pid_ = -1;
  int to_child_ = -1;
  int from_child_ = -1;
  int starts_ = 0;
};

}  // namespace kernel_audit::analysis::python
