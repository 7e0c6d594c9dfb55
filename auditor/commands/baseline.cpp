#include "auditor/commands/baseline.h"

#include <filesystem>
#include <set>

#include "auditor/commands/options.h"
#include "auditor/commands/output.h"
#include "auditor/core/json.h"
#include "reports/text/source_place.h"

namespace kernel_audit::commands {
namespace {

constexpr int kVersion = 1;
constexpr const char* kKind = "kernel-audit-baseline";

Error unreadable(const std::string& path, const std::string& field, const std::string& what) {
  return Error{ErrorKind::kUsage, what, path, field, "write it anew with --write-baseline"};
}

}  // namespace

std::string Baseline::file_of(const std::string& file) const {
  namespace fs = std::filesystem;
  const reports::ArtifactName name = reports::artifact_of(file);
  std::error_code problem;
  const fs::path folder = fs::absolute(path_, problem).parent_path();
  const fs::path relative =
      fs::absolute(name.path, problem).lexically_normal().lexically_relative(folder.lexically_normal());
  const std::string shown = relative.empty() ? name.path : relative.generic_string();
  return name.inner.empty() ? shown : shown + ":" + name.inner;
}

std::string Baseline::key_of(const Finding& finding, const Sources& sources) const {
  return reports::fingerprint(finding, file_of(finding.span.file), sources);
}

void Baseline::add(const Finding& finding, const Sources& sources) {
  Entry& entry = entries_[key_of(finding, sources)];
  entry.code = finding.code;
  entry.file = file_of(finding.span.file);
  ++entry.count;
  ++entry.left;
}

bool Baseline::take(const Finding& finding, const Sources& sources) {
  const auto entry = entries_.find(key_of(finding, sources));
  if (entry == entries_.end() || entry->second.left == 0) return false;
  --entry->second.left;
  return true;
}

int Baseline::gone(const std::vector<std::string>& files,
                   const std::function<bool(const std::string& code)>& looked_for) const {
  std::set<std::string> looked_at;
  for (const std::string& file : files) looked_at.insert(file_of(file));
  int count = 0;
  for (const auto& [fingerprint, entry] : entries_) {
    if (entry.left == entry.count && looked_at.contains(entry.file) && looked_for(entry.code)) count += entry.left;
  }
  return count;
}

Result<Baseline> Baseline::read(const std::string& path) {
  const Result<std::string> text = read_text_file(path);
  if (!text) return unreadable(path, "--baseline", text.error().message);
  const Result<Json> json = parse_json(*text, path);
  if (!json) return unreadable(path, "", json.error().message);
  if (!json->is_object() || json->value("kind", Json()) != kKind)
    return unreadable(path, "kind", "this is no baseline of kernel-audit");
  if (json->value("schema_version", Json()) != kVersion)
    return unreadable(path, "schema_version", "the baseline is of another version");
  Baseline baseline(path);
  const Json findings = json->value("findings", Json());
  if (!findings.is_array()) return unreadable(path, "findings", "this is not a list");
  for (std::size_t i = 0; i < findings.size(); ++i) {
    try {
      Entry entry;
      findings[i].at("code").get_to(entry.code);
      findings[i].at("file").get_to(entry.file);
      findings[i].at("count").get_to(entry.count);
      entry.left = entry.count;
      if (entry.count < 1) return unreadable(path, "findings[" + std::to_string(i) + "].count", "this is not positive");
      baseline.entries_[findings[i].at("fingerprint").get<std::string>()] = entry;
    } catch (const Json::exception&) {
      return unreadable(path, "findings[" + std::to_string(i) + "]", "this has no code, file, fingerprint and count");
    }
  }
  return baseline;
}

Status Baseline::write() const {
  Json findings = Json::array();
  for (const auto& [fingerprint, entry] : entries_) {
    findings.push_back(
        {{"code", entry.code}, {"file", entry.file}, {"fingerprint", fingerprint}, {"count", entry.count}});
  }
  const Json json = {{"kind", kKind}, {"schema_version", kVersion}, {"findings", std::move(findings)}};
  return write_file(path_, dump_json(json, 2) + "\n");
}

}  // namespace kernel_audit::commands
