// KA618: packages, sources or data are fetched from elsewhere while the candidate runs.
#include <algorithm>

#include "analysis/rules/commands.h"
#include "analysis/rules/conditions.h"
#include "analysis/rules/native_calls.h"
#include "analysis/rules/ran.h"
#include "analysis/rules/rules.h"
#include "analysis/rules/support.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Model;

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

bool fetching_word(const std::string& word) {
  return one_of(word,
                {"pip", "pip3", "conda", "mamba", "uv", "curl", "wget", "apt", "apt-get", "aria2c", "git", "scp"});
}

bool fetching_verb(const std::string& word) {
  return one_of(word, {"install", "download", "clone", "fetch", "pull", "-O", "-o"}) ||
         word.find("://") != std::string::npos;
}

// The command that is run, as far as it folds: "pip install".
std::string fetching_command(const Model& model, const Ran& call) {
  std::string program;
  bool verb = false;
  for (const std::string& word : command_words(model, call)) {
    const std::string name = program_name(word);
    if (program.empty() && fetching_word(name)) {
      program = name;
    } else if (!program.empty() && fetching_verb(word)) {
      verb = true;
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
  for (const Ran& call : commands(model)) {
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
