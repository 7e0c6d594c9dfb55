#include "auditor/core/result.h"

#include "auditor/core/names.h"

namespace kernel_audit {
namespace {

constexpr Names<ErrorKind, 7> kErrorKinds = {{{ErrorKind::kUsage, "usage"},
                                              {ErrorKind::kTool, "tool"},
                                              {ErrorKind::kTimeout, "timeout"},
                                              {ErrorKind::kMemory, "memory"},
                                              {ErrorKind::kSignal, "signal"},
                                              {ErrorKind::kExit, "exit"},
                                              {ErrorKind::kProtocol, "protocol"}}};

}  // namespace

const char* to_string(ErrorKind kind) { return name_of(kErrorKinds, kind); }
std::optional<ErrorKind> error_kind_from_string(const std::string& text) { return value_of(kErrorKinds, text); }

std::string Error::describe() const {
  std::string text;
  for (const std::string* part : {&file, &field}) {
    if (!part->empty()) text += *part + ": ";
  }
  text += message;
  if (!remedy.empty()) text += (text.empty() ? "(" : " (") + remedy + ")";
  return text;
}

}  // namespace kernel_audit
