#include "auditor/executor/lint_cache.h"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "analysis/engine_json.h"
#include "analysis/extract_protocol.h"
#include "auditor/core/digest.h"
#include "auditor/core/version.h"
#include "auditor/executor/paths.h"

namespace kernel_audit::executor {
namespace {

namespace fs = std::filesystem;

// A file's content cannot change without one of these changing.
std::string identity_of(const std::string& path) {
  struct stat info = {};
  if (::stat(path.c_str(), &info) != 0) return path + " is absent\n";
  std::ostringstream text;
  text << path << ' ' << info.st_dev << ' ' << info.st_ino << ' ' << info.st_size << ' ' << info.st_mtim.tv_sec << '.'
       << info.st_mtim.tv_nsec << ' ' << info.st_ctim.tv_sec << '.' << info.st_ctim.tv_nsec << '\n';
  return text.str();
}

std::string text_of(const Policy& policy) {
  Json json = {{"review_above", policy.framework_compute.review_above},
               {"forbid_above", policy.framework_compute.forbid_above},
               {"thresholds", policy.thresholds}};
  for (const auto& [topic, stance] : policy.topics) json["topics"][to_string(topic)] = to_string(stance);
  for (const auto& [code, effect] : policy.effects) json["effects"][code] = to_string(effect);
  return dump_json(json);
}

}  // namespace

Result<LintCache> LintCache::open(const std::string& folder, const std::string& extractor, const std::string& python,
                                  const Policy& policy) {
  std::error_code problem;
  fs::create_directories(folder, problem);
  if (problem || ::access(folder.c_str(), W_OK) != 0) {
    return Error{ErrorKind::kUsage, "the folder cannot be written", folder, "--cache", "name a writable folder"};
  }
  LintCache cache;
  cache.folder_ = folder;
  std::error_code ignored;
  cache.makers_ = std::string(tool_version()) + '\n' + std::to_string(analysis::kExtractorVersion) + '\n' +
                  std::to_string(analysis::facts::kFactsVersion) + '\n' +
                  identity_of(fs::read_symlink("/proc/self/exe", ignored).string()) + identity_of(extractor) +
                  identity_of(python_path(python).value_or(python)) + text_of(policy);
  return cache;
}

std::string LintCache::path_of(const tasks::Candidate& candidate) const {
  Sha256 digest;
  digest.update(makers_);
  const auto add = [&](const std::string& text) { digest.update(std::to_string(text.size()) + '\n' + text); };
  for (const tasks::SourceFile& file : candidate.files) {
    add(file.file);  // spans carry it
    add(file.path);
    add(std::to_string(static_cast<int>(file.language)));
    add(file.text);
  }
  return folder_ + "/" + to_hex(digest.finish()) + ".json";
}

std::optional<analysis::AnalysisResult> LintCache::find(const tasks::Candidate& candidate) const {
  const std::string path = path_of(candidate);
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::ostringstream text;
  text << file.rdbuf();
  const Result<Json> json = parse_json(text.str(), path);
  if (!json) return std::nullopt;
  Result<analysis::AnalysisResult> result = analysis::result_from_json(*json, path);
  if (!result) return std::nullopt;
  return std::move(*result);
}

void LintCache::store(const tasks::Candidate& candidate, const analysis::AnalysisResult& result) const {
  const std::string path = path_of(candidate);
  const std::string temporary = path + "." + std::to_string(::getpid()) + ".tmp";
  std::ofstream file(temporary, std::ios::binary);
  file << dump_json(analysis::result_to_json(result));
  file.close();
  std::error_code problem;
  if (file) fs::rename(temporary, path, problem);
  if (!file || problem) fs::remove(temporary, problem);  // a full disk costs time, not the result
}

}  // namespace kernel_audit::executor
