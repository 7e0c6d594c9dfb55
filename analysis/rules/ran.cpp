#include "analysis/rules/ran.h"

#include <algorithm>

namespace kernel_audit::analysis::rules {

using facts::Id;
using facts::kNone;
using facts::Model;
using facts::Node;
using facts::NodeId;
using facts::NodeKind;
using facts::NodeSet;
using facts::Statement;

bool matches(std::string_view name, std::span<const std::string_view> patterns) {
  return std::any_of(patterns.begin(), patterns.end(), [&](std::string_view pattern) {
    return pattern.ends_with('.') ? name.starts_with(pattern) : name == pattern;
  });
}

std::vector<Ran> ran(const Model& model, const std::function<bool(const std::string&)>& wanted) {
  std::vector<Ran> found;
  for (const auto& [where, record] : model.run().operations) {
    const Statement* statement = model.statement(where);
    if (statement == nullptr) continue;
    for (const std::string& name : record.names) {
      if (!wanted(name)) continue;
      found.push_back({where, statement, name, &record});
      break;
    }
  }
  std::stable_sort(found.begin(), found.end(), [](const Ran& a, const Ran& b) {
    return std::tie(a.statement->span.file, a.statement->span.begin) <
           std::tie(b.statement->span.file, b.statement->span.begin);
  });
  return found;
}

std::vector<Ran> ran(const Model& model, std::span<const std::string_view> patterns) {
  return ran(model, [&](const std::string& name) { return matches(name, patterns); });
}

std::string when(const facts::OperationRecord& record) {
  if (record.in_forward) return record.in_later_calls ? "in every call" : "in the first call";
  return record.at_init ? "when it is constructed" : "at import";
}

std::string when(facts::Phase phase) {
  return phase == facts::Phase::kForward ? "in every call"
         : phase == facts::Phase::kInit  ? "when it is constructed"
                                         : "at import";
}

Id argument(const Statement& statement, std::size_t position, std::string_view keyword) {
  for (const auto& [name, value] : statement.keywords) {
    if (!keyword.empty() && name == keyword) return value;
  }
  return position < statement.args.size() ? statement.args[position] : kNone;
}

const Json* constant_of(const Model& model, Id value) {
  if (value == kNone) return nullptr;
  const auto& constant = model.value(value).constant;
  return constant ? &*constant : nullptr;
}

std::string text_of(const Model& model, Id value) {
  const Json* constant = constant_of(model, value);
  return constant != nullptr && constant->is_string() ? constant->get<std::string>() : "";
}

std::string symbol_of(const Model& model, Id value) { return value == kNone ? "" : model.value(value).symbol; }

const Statement* maker(const Model& model, Id function, Id value) {
  if (function == kNone || value == kNone) return nullptr;
  for (const auto& block : model.function(function).blocks) {
    for (const Statement& statement : block.statements) {
      if (statement.result == value) return &statement;
    }
  }
  return nullptr;
}

Id behind(const Model& model, Id function, Id value) {
  for (int hops = 0; hops < 4; ++hops) {
    const Statement* loaded = maker(model, function, value);
    if (loaded == nullptr || loaded->kind != facts::StatementKind::kLoad || loaded->location.element ||
        loaded->location.storage == kNone)
      return value;
    Id found = kNone, owner = kNone;
    int stores = 0;
    for (std::size_t f = 0; f < model.facts().functions.size(); ++f) {
      for (const auto& block : model.facts().functions[f].blocks) {
        for (const Statement& statement : block.statements) {
          if (statement.kind != facts::StatementKind::kStore || statement.location.element ||
              statement.location.storage != loaded->location.storage)
            continue;
          found = statement.value;
          owner = static_cast<Id>(f);
          ++stores;
        }
      }
    }
    if (stores != 1 || found == kNone) return value;
    value = found;
    if (owner != function) return value;
  }
  return value;
}

NodeSet made_of(const Model& model, const NodeSet& from) {
  NodeSet nodes;
  model.provenance().walk(from, [&](const Node& node, NodeId id) {
    facts::insert_into(nodes, id);
    return node.kind != NodeKind::kMetadata && node.kind != NodeKind::kIdentity;
  });
  return nodes;
}

bool looks_at(const Model& model, const facts::Guard& guard, const std::function<bool(const Node&)>& wanted) {
  const auto condition = model.run().conditions.find({guard.function, guard.block});
  if (condition == model.run().conditions.end()) return false;
  bool found = false;
  model.provenance().walk(condition->second, [&](const Node& node, NodeId) {
    found = found || wanted(node);
    return !found;
  });
  return found;
}

SourceSpan span_of_symbol(const Model& model, const std::string& symbol) {
  for (const facts::Value& value : model.facts().values) {
    if (value.symbol == symbol && value.span.known()) return value.span;
  }
  return {};
}

bool Once::seen(const SourceSpan& span) {
  const bool known = std::any_of(spans_.begin(), spans_.end(), [&](const SourceSpan& other) {
    return other.file == span.file && other.line == span.line;
  });
  if (!known) spans_.push_back(span);
  return known;
}

}  // namespace kernel_audit::analysis::rules
