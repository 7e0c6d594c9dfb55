#include "analysis/rules/native_calls.h"

#include <algorithm>
#include <set>

namespace kernel_audit::analysis::rules {

using facts::Id;
using facts::Model;
using facts::Phase;
using facts::Statement;
using facts::StatementRef;

namespace {

const facts::Abstract* argument(const Model& model, const NativeCall& call, std::size_t i) {
  const auto found = model.run().call_arguments.find(call.where);
  if (found == model.run().call_arguments.end() || i >= found->second.size()) return nullptr;
  return &found->second[i];
}

// The statement that calls `function` first, in forward when there is one.
StatementRef caller_of(const Model& model, Id function) {
  const auto& functions = model.facts().functions;
  for (const Phase phase : {Phase::kForward, Phase::kImport, Phase::kInit}) {
    for (std::size_t f = 0; f < functions.size(); ++f) {
      if (!model.reached(static_cast<Id>(f), phase)) continue;
      for (std::size_t b = 0; b < functions[f].blocks.size(); ++b) {
        const auto& statements = functions[f].blocks[b].statements;
        for (std::size_t s = 0; s < statements.size(); ++s) {
          if (statements[s].target == function) return {static_cast<Id>(f), static_cast<Id>(b), static_cast<Id>(s)};
        }
      }
    }
  }
  return {};
}

}  // namespace

std::vector<NativeCall> native_calls(const Model& model, const std::function<bool(std::string_view)>& wanted) {
  std::vector<NativeCall> calls;
  for (const auto& [where, names] : model.run().called_symbols) {
    for (const std::string& name : names) {
      if (!wanted(name)) continue;
      calls.push_back({where, name, model.run().executed_in_forward.contains(where), !model.native(where.function)});
    }
  }
  return calls;
}

std::optional<std::string> text_argument(const Model& model, const NativeCall& call, std::size_t i) {
  const facts::Abstract* value = argument(model, call, i);
  return value == nullptr ? std::nullopt : model.run().text_of(*value);
}

std::optional<std::int64_t> number_argument(const Model& model, const NativeCall& call, std::size_t i) {
  const facts::Abstract* value = argument(model, call, i);
  if (value == nullptr || value->open || !value->objects.empty() || value->constants.size() != 1) return std::nullopt;
  const Json& json = model.run().constant_at(value->constants[0]);
  if (json.is_boolean()) return json.get<bool>() ? 1 : 0;
  if (!json.is_number_integer()) return std::nullopt;
  return json.get<std::int64_t>();
}

std::string symbol_argument(const Model& model, const NativeCall& call, std::size_t i) {
  const facts::Abstract* value = argument(model, call, i);
  if (value == nullptr || value->open || value->objects.size() != 1) return {};
  const std::string& symbol = model.run().object(value->objects[0]).symbol;
  return symbol.substr(symbol.rfind('.') + 1);
}

bool loads_program(const Model& model, const NativeCall& call, std::size_t i) {
  const facts::Abstract* value = argument(model, call, i);
  return value != nullptr && !value->open && !value->objects.empty() &&
         std::all_of(value->objects.begin(), value->objects.end(),
                     [&](facts::ObjectId id) { return model.run().object(id).kind == facts::ObjectKind::kProgram; });
}

bool open_argument(const Model& model, const NativeCall& call, std::size_t i) {
  const facts::Abstract* value = argument(model, call, i);
  return value == nullptr || value->open;
}

bool starts_with_any(std::string_view name, std::initializer_list<std::string_view> prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](std::string_view prefix) { return name.compare(0, prefix.size(), prefix) == 0; });
}

const char* caller_text(const NativeCall& call) { return call.in_python ? "Python code" : "C++ code"; }

const char* phase_text(const NativeCall& call) {
  if (call.in_forward) return "while forward runs";
  return call.in_python ? "before forward runs" : "while the extension is loaded";
}

void add_route_notes(const Model& model, const StatementRef& where, std::vector<FlowNote>& notes) {
  std::vector<FlowNote> chain;
  std::set<Id> seen;
  for (Id function = where.function; function != facts::kNone && seen.insert(function).second && chain.size() < 8;) {
    if (model.function(function).is_constructor_attribute) {
      chain.push_back({model.function(function).name_span, "the loader runs this by itself"});
      break;
    }
    const StatementRef call = caller_of(model, function);
    if (!call.known()) break;
    chain.push_back({model.span(call), "called from " + model.function(call.function).qualified_name + " here"});
    function = call.function;
  }
  notes.insert(notes.end(), chain.rbegin(), chain.rend());
}

bool surely_followed_by(const Model& model, const StatementRef& where,
                        const std::function<bool(const Statement&)>& wanted) {
  const auto& blocks = model.function(where.function).blocks;
  const facts::FlowGraph flow(model.function(where.function));
  const auto heads_loop = [&](Id block) {
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      for (const facts::Edge& edge : blocks[b].successors) {
        if (edge.to == block && edge.kind == facts::EdgeKind::kLoopBack) return true;
      }
    }
    return false;
  };
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const Id block = static_cast<Id>(b);
    for (std::size_t s = 0; s < blocks[b].statements.size(); ++s) {
      if (!wanted(blocks[b].statements[s])) continue;
      if (block == where.block) {
        if (static_cast<Id>(s) > where.index) return true;
        continue;
      }
      if (flow.post_dominates(block, where.block)) return true;
      // In a loop over all of them that comes afterwards on every way.
      for (std::size_t h = 0; h < blocks.size(); ++h) {
        const Id header = static_cast<Id>(h);
        if (heads_loop(header) && flow.dominates(header, block) && flow.post_dominates(header, where.block) &&
            !flow.dominates(header, where.block)) {
          return true;
        }
      }
    }
  }
  return false;
}

}  // namespace kernel_audit::analysis::rules
