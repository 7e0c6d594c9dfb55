#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "analysis/cuda/extract/passes.h"

namespace kernel_audit::analysis::cuda {
namespace {

using facts::Id;
using facts::kNone;
using facts::Statement;
using facts::StatementKind;

constexpr int kMaxSteps = 64;

bool ends_with(const std::string& text, const std::string& tail) {
  return text.size() >= tail.size() && text.compare(text.size() - tail.size(), tail.size(), tail) == 0;
}

// What a call that yields a stream says of it; empty when it is no such call.
std::string origin_of_call(const std::string& callee) {
  if (ends_with(callee, "::getCurrentCUDAStream") || ends_with(callee, "::getCurrentHIPStream")) return "current";
  if (ends_with(callee, "::getDefaultCUDAStream")) return "default";
  if (ends_with(callee, "::getStreamFromPool")) return "created";
  return "";
}
bool creates_stream(const std::string& callee) {
  return callee.rfind("cudaStreamCreate", 0) == 0 || callee.rfind("cuStreamCreate", 0) == 0;
}

class StreamResolver {
 public:
  explicit StreamResolver(facts::Facts& facts) : facts_(facts) { index(); }

  void run() {
    for (facts::Function& function : facts_.functions) {
      for (facts::Block& block : function.blocks) {
        for (Statement& statement : block.statements) {
          if (!statement.launch || !native(function)) continue;
          if (statement.launch->stream == kNone) {
            statement.launch->stream_origin = per_thread(function) ? "per-thread" : "default";
            continue;
          }
          steps_ = 0;
          seen_.clear();
          statement.launch->stream_origin = join(follow(statement.launch->stream), function);
        }
      }
    }
  }

 private:
  using Origins = std::set<std::string>;

  bool native(const facts::Function& function) const {
    if (function.unit == kNone) return false;
    const facts::UnitLanguage language = facts_.units[static_cast<std::size_t>(function.unit)].language;
    return language == facts::UnitLanguage::kCuda || language == facts::UnitLanguage::kCpp;
  }

  bool per_thread(const facts::Function& function) const {
    const std::vector<std::string>& flags = facts_.units[static_cast<std::size_t>(function.unit)].build_flags;
    for (std::size_t i = 0; i < flags.size(); ++i) {
      if (flags[i] == "--default-stream=per-thread" || flags[i] == "-default-stream=per-thread") return true;
      if ((flags[i] == "--default-stream" || flags[i] == "-default-stream") && i + 1 < flags.size() &&
          flags[i + 1] == "per-thread")
        return true;
      if (flags[i].rfind("-DCUDA_API_PER_THREAD_DEFAULT_STREAM", 0) == 0) return true;
    }
    return false;
  }

  std::string join(const Origins& origins, const facts::Function& function) const {
    if (origins.size() != 1) return "unknown";
    if (*origins.begin() == "default" && per_thread(function)) return "per-thread";
    return *origins.begin();
  }

  void index() {
    for (std::size_t i = 0; i < facts_.functions.size(); ++i) {
      const facts::Function& function = facts_.functions[i];
      for (std::size_t p = 0; p < function.parameters.size(); ++p) {
        if (function.parameters[p].storage != kNone)
          parameters_[function.parameters[p].storage] = {static_cast<Id>(i), p};
        if (function.parameters[p].value != kNone)
          parameter_values_[function.parameters[p].value] = {static_cast<Id>(i), p};
      }
      for (const facts::Block& block : function.blocks) {
        for (const Statement& statement : block.statements) {
          if (statement.result != kNone) definitions_[statement.result] = &statement;
          if (statement.kind == StatementKind::kStore && statement.location.storage != kNone)
            stores_[statement.location.storage].push_back(&statement);
          if (statement.kind == StatementKind::kCall && statement.target != kNone)
            calls_[statement.target].push_back(&statement);
        }
      }
    }
    // cudaStreamCreate(&s): the address of what was loaded from s.
    for (const auto& entry : definitions_) {
      const Statement& call = *entry.second;
      if (call.kind != StatementKind::kCall || call.args.empty()) continue;
      const auto address = definitions_.find(call.args[0]);
      if (address == definitions_.end() || address->second->callee != "operator.addressof" ||
          address->second->args.empty())
        continue;
      const auto loaded = definitions_.find(address->second->args[0]);
      if (loaded == definitions_.end() || loaded->second->kind != StatementKind::kLoad) continue;
      const Id storage = loaded->second->location.storage;
      if (creates_stream(call.callee)) created_.insert(storage);
    }
  }

  Origins follow(Id value) {
    if (++steps_ > kMaxSteps || value == kNone) return {"unknown"};
    if (!seen_.insert(value).second) return {};
    const facts::Value& known = facts_.values[static_cast<std::size_t>(value)];
    if (known.constant) {
      if (known.constant->is_null()) return {"default"};
      if (known.constant->is_number_integer()) {
        const std::int64_t number = known.constant->get<std::int64_t>();
        return {number == 0 || number == 1 ? "default" : number == 2 ? "per-thread" : "unknown"};
      }
      return {"unknown"};
    }
    if (const auto parameter = parameter_values_.find(value); parameter != parameter_values_.end())
      return from_callers(parameter->second);
    const auto found = definitions_.find(value);
    if (found == definitions_.end()) return {"unknown"};
    const Statement& statement = *found->second;
    if (statement.kind == StatementKind::kPhi) return unite(statement.args);
    if (statement.kind == StatementKind::kLoad) return from_storage(statement.location);
    if (statement.kind != StatementKind::kCall) return {"unknown"};
    if (const std::string origin = origin_of_call(statement.callee); !origin.empty()) return {origin};
    const bool passes_on = ends_with(statement.callee, "::CUDAStream") || statement.callee == "operator.cast" ||
                           statement.callee == "builtins.list";
    if (statement.receiver != kNone &&
        (ends_with(statement.callee, "CUDAStream::stream") || ends_with(statement.callee, "::unwrap")))
      return follow(statement.receiver);
    if (passes_on && statement.args.size() == 1) return follow(statement.args[0]);
    if (statement.target != kNone) return from_returns(statement.target);
    return {"unknown"};
  }

  Origins unite(const std::vector<Id>& values) {
    Origins all;
    for (const Id value : values) {
      const Origins some = follow(value);
      all.insert(some.begin(), some.end());
    }
    return all;
  }

  Origins from_storage(const facts::Location& location) {
    if (location.storage == kNone) return {"unknown"};
    Origins all;
    if (created_.count(location.storage) != 0) all.insert("created");
    const auto parameter = parameters_.find(location.storage);
    if (parameter != parameters_.end()) {
      const Origins callers = from_callers(parameter->second);
      all.insert(callers.begin(), callers.end());
    }
    const auto stored = stores_.find(location.storage);
    if (stored != stores_.end()) {
      for (const Statement* store : stored->second) {
        const facts::Value& value = facts_.values[static_cast<std::size_t>(store->value)];
        // `cudaStream_t s = nullptr;` before cudaStreamCreate(&s) is not a stream yet.
        if (value.constant && value.constant->is_null() && created_.count(location.storage) != 0) continue;
        const Origins some = follow(store->value);
        all.insert(some.begin(), some.end());
      }
    }
    if (all.empty()) all.insert("unknown");
    return all;
  }

  // "argument" when nobody in sight calls the function; otherwise what the callers pass.
  Origins from_callers(const std::pair<Id, std::size_t>& parameter) {
    const auto callers = calls_.find(parameter.first);
    if (callers == calls_.end()) return {"argument"};
    Origins all;
    for (const Statement* call : callers->second) {
      if (parameter.second >= call->args.size()) {
        all.insert("unknown");  // a default argument
        continue;
      }
      const Origins some = follow(call->args[parameter.second]);
      all.insert(some.begin(), some.end());
    }
    return all;
  }

  Origins from_returns(Id function) {
    Origins all;
    for (const facts::Block& block : facts_.functions[static_cast<std::size_t>(function)].blocks) {
      for (const Statement& statement : block.statements) {
        if (statement.kind != StatementKind::kReturn || statement.value == kNone) continue;
        const Origins some = follow(statement.value);
        all.insert(some.begin(), some.end());
      }
    }
    if (all.empty()) all.insert("unknown");
    return all;
  }

  facts::Facts& facts_;
  std::map<Id, const Statement*> definitions_;
  std::map<Id, std::vector<const Statement*>> stores_, calls_;
  std::map<Id, std::pair<Id, std::size_t>> parameters_, parameter_values_;
  std::set<Id> created_;
  std::set<Id> seen_;
  int steps_ = 0;
};

}  // namespace

void resolve_streams(facts::Facts& facts) { StreamResolver(facts).run(); }

}  // namespace kernel_audit::analysis::cuda
