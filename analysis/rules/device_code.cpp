#include "analysis/rules/device_code.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "analysis/facts/device_access.h"
#include "analysis/rules/ran.h"

namespace kernel_audit::analysis::rules {

using facts::Function;
using facts::Id;
using facts::kNone;
using facts::Model;
using facts::Statement;
using facts::StatementKind;
using facts::StorageKind;

Finding finding_in_launched(const RuleInfo& info, const Model& model, const Policy& policy, const DeviceFunction& code,
                            const Statement& at, const std::string& says, std::vector<FlowNote> notes) {
  Finding finding = make_finding(info, policy, model.function(code.function).qualified_name + " " + says);
  finding.span = at.span;
  finding.notes = std::move(notes);
  finding.notes.push_back({model.span(code.launch), "launched here"});
  return finding;
}

std::vector<Id> kernels_of(const Model& model, const facts::StatementRef& launch) {
  if (const Id kernel = model.kernel_of(launch); kernel != kNone) return {kernel};
  const auto table = model.run().kernels_in_table.find(launch);
  if (table == model.run().kernels_in_table.end()) return {};
  return {table->second.begin(), table->second.end()};
}

std::vector<DeviceFunction> launched_code(const Model& model) {
  std::vector<DeviceFunction> found;
  std::set<Id> seen;
  const auto add = [&](Id function, const facts::StatementRef& launch) {
    if (function != kNone && seen.insert(function).second) found.push_back({function, launch});
  };
  for (const facts::StatementRef& launch : model.run().executed_launches) {
    for (const Id kernel : kernels_of(model, launch)) {
      if (model.native(kernel)) add(kernel, launch);
    }
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    const facts::StatementRef launch = found[i].launch;
    for (const facts::Block& block : model.function(found[i].function).blocks) {
      for (const Statement& statement : block.statements) {
        add(statement.target, launch);
        for (const Id argument : statement.args) {
          if (argument != kNone) add(model.value(argument).function, launch);
        }
      }
    }
  }
  return found;
}

bool PtxInstruction::has(std::string_view modifier) const {
  return std::find(modifiers.begin(), modifiers.end(), modifier) != modifiers.end();
}

std::vector<PtxInstruction> parse_ptx(const std::string& text) {
  // Comments first, then one instruction up to each semicolon or brace.
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.compare(i, 2, "//") == 0) {
      while (i < text.size() && text[i] != '\n') ++i;
      plain += '\n';
    } else if (text.compare(i, 2, "/*") == 0) {
      const std::size_t end = text.find("*/", i + 2);
      i = end == std::string::npos ? text.size() : end + 1;
      plain += ' ';
    } else {
      plain += text[i];
    }
  }
  std::vector<PtxInstruction> instructions;
  std::string piece;
  int braces = 0;
  const auto finish = [&] {
    std::size_t at = 0;
    const auto skip = [&] {
      while (at < piece.size() && std::isspace(static_cast<unsigned char>(piece[at])) != 0) ++at;
    };
    skip();
    if (at < piece.size() && piece[at] == '@') {  // a predicate
      while (at < piece.size() && std::isspace(static_cast<unsigned char>(piece[at])) == 0) ++at;
      skip();
    }
    std::size_t end = at;
    while (end < piece.size() && std::isspace(static_cast<unsigned char>(piece[end])) == 0) ++end;
    std::string head = piece.substr(at, end - at);
    if (!head.empty() && head.back() == ':') {  // a label
      piece.erase(0, end);
      return;
    }
    if (!head.empty() && std::islower(static_cast<unsigned char>(head[0])) != 0) {
      PtxInstruction instruction;
      std::string word;
      for (std::size_t i = 0; i <= head.size(); ++i) {
        if (i < head.size() && head[i] != '.' && head[i] != ':') {
          word += head[i];
          continue;
        }
        if (word.empty()) continue;
        if (instruction.opcode.empty()) {
          instruction.opcode = word;
        } else {
          instruction.modifiers.push_back(word);
        }
        word.clear();
      }
      std::string operand;
      for (std::size_t i = end; i <= piece.size(); ++i) {
        if (i < piece.size() && piece[i] != ',') {
          if (std::isspace(static_cast<unsigned char>(piece[i])) == 0) operand += piece[i];
          continue;
        }
        if (!operand.empty()) instruction.operands.push_back(operand);
        operand.clear();
      }
      instructions.push_back(std::move(instruction));
    }
    piece.clear();
  };
  for (const char c : plain) {
    // Braces group statements where one may begin, and vectors of operands elsewhere.
    const bool empty = std::all_of(piece.begin(), piece.end(),
                                   [](char p) { return std::isspace(static_cast<unsigned char>(p)) != 0; });
    if (c == '{' && !empty) ++braces;
    if (c == ';' || (c == '{' && empty) || (c == '}' && braces == 0)) {
      finish();
      piece.clear();
      continue;
    }
    if (c == '}') --braces;
    piece += c;
  }
  finish();
  return instructions;
}

std::vector<PtxInstruction> ptx_of(const Model& model, const Statement& statement) {
  if (statement.kind != StatementKind::kCall || statement.callee != "asm" || statement.args.empty()) return {};
  const auto& text = model.value(statement.args[0]).constant;
  return text && text->is_string() ? parse_ptx(text->get<std::string>()) : std::vector<PtxInstruction>{};
}

namespace {

// s = cuda.shared.array(256, float32)
bool makes_array(const Function& function, Id value) {
  static constexpr std::string_view makers[] = {"numba.cuda.shared.array", "numba.cuda.local.array",
                                                "cupyx.jit.shared_memory"};
  return std::any_of(function.blocks.begin(), function.blocks.end(), [&](const facts::Block& block) {
    return std::any_of(block.statements.begin(), block.statements.end(),
                       [&](const Statement& s) { return s.result == value && matches(s.callee, makers); });
  });
}

}  // namespace

Id pointer_root(const Model& model, const Function& function, Id value) {
  const auto& facts = model.facts();
  for (int hops = 0; hops < 16 && value != kNone; ++hops) {
    for (const facts::Parameter& parameter : function.parameters) {
      if (parameter.value == value) return parameter.storage;
    }
    const Statement* made = nullptr;
    for (const facts::Block& block : function.blocks) {
      for (const Statement& s : block.statements) {
        if (s.result == value) made = &s;
      }
    }
    if (made == nullptr) return kNone;
    if (made->kind == StatementKind::kLoad) {
      const Id storage = made->location.storage;
      if (storage == kNone) return kNone;
      const facts::Storage& place = facts.storages[static_cast<std::size_t>(storage)];
      if (place.kind == StorageKind::kDeref) {
        value = made->location.base;
        continue;
      }
      if (place.kind != StorageKind::kLocal) return storage;
      const bool parameter = std::any_of(function.parameters.begin(), function.parameters.end(),
                                         [&](const facts::Parameter& p) { return p.storage == storage; });
      if (parameter) return storage;
      Id stored = kNone;
      int stores = 0;
      for (const facts::Block& block : function.blocks) {
        for (const Statement& s : block.statements) {
          if (s.kind != StatementKind::kStore || s.location.storage != storage || s.location.element) continue;
          if (s.augmented) continue;  // p += n stays in what p points into
          ++stores;
          stored = s.value;
        }
      }
      if (stores != 1 || makes_array(function, stored)) return storage;
      value = stored;
      continue;
    }
    if (made->kind != StatementKind::kCall) return kNone;
    if (made->receiver != kNone && made->args.empty()) {
      value = made->receiver;
      continue;
    }
    if (made->args.empty()) return kNone;
    value = made->args[0];
  }
  return kNone;
}

namespace {

// Kernels in Python that are handed arrays: their elements are what pointers lead to elsewhere.
bool works_on_arrays(const Function& function) {
  return std::any_of(function.decorators.begin(), function.decorators.end(), [](const std::string& name) {
    return name.starts_with("numba.cuda.") || name.starts_with("cupyx.jit.");
  });
}

bool of_parameter(const Model& model, const Function& function, Id array) {
  const Id root = pointer_root(model, function, array);
  return root != kNone && std::any_of(function.parameters.begin(), function.parameters.end(),
                                      [&](const facts::Parameter& each) { return each.storage == root; });
}

bool element_of_array(const Model& model, const Function& function, const Statement& s) {
  return s.location.element && s.location.base != kNone && of_parameter(model, function, s.location.base);
}

// Of a shared array, or one of the thread.
bool element_of_own_array(const Model& model, const Function& function, const Statement& s) {
  if (!s.location.element || s.location.base == kNone) return false;
  const Id root = pointer_root(model, function, s.location.base);
  return root != kNone && std::any_of(function.blocks.begin(), function.blocks.end(), [&](const facts::Block& block) {
           return std::any_of(block.statements.begin(), block.statements.end(), [&](const Statement& store) {
             return store.kind == StatementKind::kStore && store.location.storage == root && !store.location.element &&
                    makes_array(function, store.value);
           });
         });
}

}  // namespace

DeviceFlow::DeviceFlow(const Model& model, const Function& function) : model_(model), function_(function) {
  find_elements_of_arrays();
  for (const facts::Block& block : function.blocks) {
    for (const Statement& s : block.statements) {
      if (s.result != kNone) made_[s.result] = &s;
      if (s.kind == StatementKind::kStore && s.location.storage != kNone && !deref(s))
        stores_[s.location.storage].push_back(&s);
    }
  }
}

const Statement* DeviceFlow::made(Id value) const {
  const auto found = made_.find(value);
  return found == made_.end() ? nullptr : found->second;
}

bool DeviceFlow::deref(const Statement& s) const {
  return s.location.storage != kNone &&
         (model_.facts().storages[static_cast<std::size_t>(s.location.storage)].kind == StorageKind::kDeref ||
          elements_.contains(&s));
}

void DeviceFlow::find_elements_of_arrays() {
  if (!works_on_arrays(function_)) return;
  for (const facts::Block& block : function_.blocks) {
    for (const Statement& s : block.statements) {
      if (element_of_array(model_, function_, s) || element_of_own_array(model_, function_, s)) elements_.insert(&s);
    }
  }
}

const std::vector<const Statement*>& DeviceFlow::stores_to(Id storage) const {
  static const std::vector<const Statement*> none;
  const auto found = stores_.find(storage);
  return found == stores_.end() ? none : found->second;
}

const std::vector<const Statement*>& DeviceFlow::stores_into(Id array) {
  if (!arrays_known_) {
    arrays_known_ = true;
    for (const facts::Block& block : function_.blocks) {
      for (const Statement& s : block.statements) {
        if (s.kind == StatementKind::kStore && deref(s))
          arrays_[pointer_root(model_, function_, s.location.base)].push_back(&s);
      }
    }
  }
  return arrays_[array];
}

const std::set<Id>& DeviceFlow::memory_behind(Id value) {
  const auto [it, fresh] = memory_.try_emplace(value);
  std::set<Id>& found = it->second;
  if (!fresh) return found;
  std::set<Id> values, storages;
  std::vector<Id> todo{value};
  const auto through = [&](Id storage) {
    if (!storages.insert(storage).second) return;
    for (const Statement* store : stores_to(storage)) todo.push_back(store->value);
  };
  const auto from_memory = [&](Id pointer) {
    const Id root = pointer_root(model_, function_, pointer);
    if (root == kNone) return;
    found.insert(root);
    // Arrays of the kernel's own hold what was stored there, also by way of a pointer.
    const facts::Storage& place = model_.facts().storages[static_cast<std::size_t>(root)];
    const bool own =
        place.kind == StorageKind::kLocal && std::none_of(function_.parameters.begin(), function_.parameters.end(),
                                                          [&](const facts::Parameter& p) { return p.storage == root; });
    if (place.kind != StorageKind::kBlockShared && !own) return;
    const bool seen = storages.contains(root);
    through(root);
    if (own && !seen) {
      for (const Statement* store : stores_into(root)) todo.push_back(store->value);
    }
  };
  while (!todo.empty()) {
    const Id at = todo.back();
    todo.pop_back();
    if (at == kNone || !values.insert(at).second) continue;
    const Statement* s = made(at);
    if (s == nullptr) continue;
    if (s->kind == StatementKind::kLoad) {
      if (deref(*s)) {
        from_memory(s->location.base);
      } else if (s->location.storage != kNone) {
        through(s->location.storage);
        if (s->location.base != kNone && !s->location.element) todo.push_back(s->location.base);  // v.x
      }
      continue;
    }
    if (s->callee.starts_with("__ld") && !s->args.empty()) {  // __ldg(p + i)
      from_memory(s->args[0]);
      continue;
    }
    if (const auto access = facts::device_access(model_.facts(), *s); access && access->read != kNone) {
      if (const Id root = pointer_root(model_, function_, access->read); root != kNone) found.insert(root);
    }
    for (const Id arg : s->args) todo.push_back(arg);
    if (s->receiver != kNone) todo.push_back(s->receiver);
  }
  return found;
}

bool DeviceFlow::same(Id a, Id b, int depth) const {
  if (a == b) return true;
  if (a == kNone || b == kNone || depth > 12) return false;
  const facts::Value& left = model_.value(a);
  const facts::Value& right = model_.value(b);
  if (left.constant || right.constant) return left.constant == right.constant;
  if (!left.symbol.empty() || !right.symbol.empty()) return left.symbol == right.symbol;
  const Statement *x = made(a), *y = made(b);
  if (x == nullptr || y == nullptr || x->kind != y->kind) return false;
  if (x->kind == StatementKind::kLoad)
    return !x->location.element && x->location.storage == y->location.storage && x->location.base == y->location.base;
  if (x->callee != y->callee || x->args.size() != y->args.size()) return false;
  if (!same(x->receiver, y->receiver, depth + 1)) return false;
  for (std::size_t i = 0; i < x->args.size(); ++i) {
    if (!same(x->args[i], y->args[i], depth + 1)) return false;
  }
  return true;
}

DeviceFlow::Behind DeviceFlow::behind(Id value) const {
  Behind found;
  auto& [values, variables] = found;
  std::vector<Id> todo{value};
  while (!todo.empty()) {
    const Id at = todo.back();
    todo.pop_back();
    if (at == kNone || !values.insert(at).second) continue;
    const Statement* s = made(at);
    if (s == nullptr || deref(*s)) continue;
    if (s->kind == StatementKind::kLoad) {
      if (s->location.storage == kNone || !variables.insert(s->location.storage).second) continue;
      for (const Statement* store : stores_to(s->location.storage)) todo.push_back(store->value);
      continue;
    }
    for (const Id arg : s->args) todo.push_back(arg);
    if (s->callee.ends_with(".to")) todo.push_back(s->receiver);  // the same number in another type
  }
  return found;
}

bool uses_symbol(const Model& model, const DeviceFlow& flow, Id value, const std::string& name) {
  static constexpr std::string_view package = "numba.cuda.";
  for (const Id behind : flow.behind(value).values) {
    std::string_view symbol = model.value(behind).symbol;
    if (symbol.starts_with(package)) symbol.remove_prefix(package.size());
    if (symbol.starts_with(name)) return true;
  }
  return false;
}

std::vector<NaturalLoop> natural_loops(const Function& function, const facts::FlowGraph& flow) {
  std::vector<NaturalLoop> loops;
  for (std::size_t b = 0; b < function.blocks.size(); ++b) {
    for (const facts::Edge& edge : function.blocks[b].successors) {
      if (edge.kind != facts::EdgeKind::kLoopBack) continue;
      NaturalLoop loop{edge.to, static_cast<Id>(b), {edge.to}};
      std::vector<Id> todo{loop.last};
      while (!todo.empty()) {
        const Id at = todo.back();
        todo.pop_back();
        if (!loop.blocks.insert(at).second) continue;
        for (const Id before : flow.predecessors(at)) todo.push_back(before);
      }
      loops.push_back(std::move(loop));
    }
  }
  return loops;
}

const std::set<Id>& blocks_in_loops(const Model& model, Id function) {
  struct Known {
    std::map<Id, std::set<Id>> blocks;
  };
  const auto [known, fresh] = model.kept<Known>().blocks.try_emplace(function);
  if (fresh) {
    for (const NaturalLoop& loop : natural_loops(model.function(function), model.run().flow(function)))
      known->second.insert(loop.blocks.begin(), loop.blocks.end());
  }
  return known->second;
}

bool writes_global(const Model& model, const Function& function, const Statement& statement) {
  const auto& facts = model.facts();
  const auto shared = [&](Id value) {
    const Id root = pointer_root(model, function, value);
    if (root == kNone) return false;
    const facts::Storage& storage = facts.storages[static_cast<std::size_t>(root)];
    return storage.kind == StorageKind::kBlockShared || (storage.kind == StorageKind::kLocal && storage.bytes > 8);
  };
  if (statement.kind == StatementKind::kStore && statement.location.storage != kNone) {
    const facts::Storage& storage = facts.storages[static_cast<std::size_t>(statement.location.storage)];
    if (storage.kind == StorageKind::kGlobal) return true;
    if (works_on_arrays(function)) return element_of_array(model, function, statement);
    return storage.kind == StorageKind::kDeref && !shared(statement.location.base);
  }
  if (statement.kind != StatementKind::kCall) return false;
  if (statement.callee == "triton.language.store" || statement.callee.starts_with("triton.language.atomic_"))
    return true;
  if (statement.callee.starts_with("numba.cuda.atomic.") && !statement.args.empty())
    return of_parameter(model, function, statement.args[0]);
  if (statement.callee.compare(0, 6, "atomic") == 0 && !statement.args.empty()) return !shared(statement.args[0]);
  if (const auto through = facts::device_access(facts, statement); through && through->written != kNone)
    return !shared(through->written);
  for (const PtxInstruction& instruction : ptx_of(model, statement)) {
    const bool stores = instruction.opcode == "st" || instruction.opcode == "red" || instruction.opcode == "atom" ||
                        (instruction.opcode == "cp" && instruction.has("bulk") && instruction.has("global"));
    if (stores && !instruction.has("shared")) return true;
  }
  return false;
}

}  // namespace kernel_audit::analysis::rules
