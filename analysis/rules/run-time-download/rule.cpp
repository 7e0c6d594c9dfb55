// KA618: packages, sources or data are fetched from elsewhere while the candidate runs.
#include <algorithm>

#include "analysis/rules/conditions.h"
#include "analysis/rules/native_calls.h"
#include "analysis/rules/ran.h"
#include "analysis/rules/rules.h"
#include "analysis/rules/support.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Id;
using facts::kNone;
using facts::Model;
using facts::Statement;

const RuleInfo kInfo{"KA618",
                     "run-time-download",
                     "packages, sources or data are fetched while the candidate runs",
                     Severity::kWarning,
                     Confidence::kHigh,
                     Stage::kAnalysis,
                     Effect::kReview,
                     {89}};

constexpr std::string_view kFetching[] = {"urllib.request.urlopen",
                                          "urllib.request.urlretrieve",
                                          "requests.get",
                                          "requests.post",
                                          "requests.request",
                                          "requests.Session.get",
                                          "httpx.get",
                                          "httpx.stream",
                                          "http.client.",
                                          "wget.download",
                                          "gdown.download",
                                          "torch.hub.load",
                                          "torch.hub.load_state_dict_from_url",
                                          "torch.hub.download_url_to_file",
                                          "huggingface_hub.",
                                          "socket.create_connection",
                                          "ftplib.",
                                          "pip.main",
                                          "pip._internal.main",
                                          "pip._internal.cli.",
                                          "curl_easy_perform",
                                          "kagglehub.",
                                          "gitpython.",
                                          "git.Repo.clone_from",
                                          "transformers.AutoModel.from_pretrained",
                                          "kernels.get_kernel"};

constexpr std::string_view kCommands[] = {"subprocess.",
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

bool fetching_word(const std::string& word) {
  return one_of(word,
                {"pip", "pip3", "conda", "mamba", "uv", "curl", "wget", "apt", "apt-get", "aria2c", "git", "scp"});
}

bool fetching_verb(const std::string& word) {
  return one_of(word, {"install", "download", "clone", "fetch", "pull", "-O", "-o"}) ||
         word.find("://") != std::string::npos;
}

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

// The command that is run, as far as it folds: "pip install".
std::string fetching_command(const Model& model, const Ran& call) {
  std::vector<std::string> words;
  for (const Id arg : call.statement->args) texts(model, call.where.function, arg, words);
  for (const auto& [name, value] : call.statement->keywords) texts(model, call.where.function, value, words);
  std::string program;
  bool verb = false;
  for (const std::string& text : words) {
    std::string word;
    for (std::size_t i = 0; i <= text.size(); ++i) {
      const bool ends = i == text.size() || text[i] == ' ' || text[i] == ';' || text[i] == '\n' || text[i] == '&';
      if (!ends) {
        word += text[i];
        continue;
      }
      const std::string name = word.substr(word.rfind('/') == std::string::npos ? 0 : word.rfind('/') + 1);
      if (program.empty() && fetching_word(name)) {
        program = name;
      } else if (!program.empty() && fetching_verb(word)) {
        verb = true;
      }
      word.clear();
    }
  }
  return verb ? program : "";
}

std::vector<Finding> check(const Model& model, const Policy& policy) {
  std::vector<Finding> findings;
  Once once;
  const auto add = [&](const Ran& call, const std::string& what) {
    if (once.seen(call.statement->span)) return;
    Finding finding = make_finding(kInfo, policy, what + " " + when(*call.record) + ".");
    finding.span = call.statement->span;
    findings.push_back(std::move(finding));
  };
  for (const Ran& call : ran(model, kFetching)) add(call, call.name + " fetches from elsewhere");
  for (const Ran& call : ran(model, kCommands)) {
    const std::string program = fetching_command(model, call);
    if (!program.empty()) add(call, call.name + " runs " + program + ", which fetches from elsewhere,");
  }
  return findings;
}

}  // namespace

const Rule& run_time_download() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
