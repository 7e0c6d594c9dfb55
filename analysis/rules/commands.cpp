#include "analysis/rules/commands.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Id;
using facts::kNone;
using facts::Model;
using facts::Statement;

constexpr std::string_view kStarts[] = {"subprocess.",
                                        "os.system",
                                        "os.popen",
                                        "os.execv",
                                        "os.execvp",
                                        "system",
                                        "std::system",
                                        "popen",
                                        "execlp",
                                        "execvp",
                                        "os.spawnlp",
                                        "asyncio.create_subprocess_shell",
                                        "asyncio.create_subprocess_exec"};

// Texts among the arguments, in lists too.
void texts(const Model& model, Id function, Id value, std::vector<std::string>& out, int depth = 0) {
  if (value == kNone || depth > 4) return;
  const Id known = behind(model, function, value);
  const Json* constant = constant_of(model, known);
  if (constant != nullptr && constant->is_string()) out.push_back(constant->get<std::string>());
  if (constant != nullptr && constant->is_array()) {
    for (const Json& item : *constant) {
      if (item.is_string()) out.push_back(item.get<std::string>());
    }
  }
  const Statement* made = maker(model, function, known);
  if (made == nullptr || made->kind != facts::StatementKind::kCall) return;
  for (const Id arg : made->args) texts(model, function, arg, out, depth + 1);
}

}  // namespace

std::vector<Ran> commands(const Model& model) { return ran(model, kStarts); }

std::vector<std::string> command_words(const Model& model, const Ran& call) {
  std::vector<std::string> given;
  for (const Id arg : call.statement->args) texts(model, call.where.function, arg, given);
  for (const auto& [name, value] : call.statement->keywords) texts(model, call.where.function, value, given);
  std::vector<std::string> words;
  for (const std::string& text : given) {
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = std::min(text.find_first_of(" ;\n&", begin), text.size());
      if (end > begin) words.push_back(text.substr(begin, end - begin));
      begin = end + 1;
    }
  }
  return words;
}

std::string program_name(const std::string& word) { return word.substr(word.rfind('/') + 1); }

}  // namespace kernel_audit::analysis::rules
