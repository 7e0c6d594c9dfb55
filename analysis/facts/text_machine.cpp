#include "analysis/facts/text_machine.h"

#include <algorithm>

namespace kernel_audit::analysis::facts {
namespace {

constexpr int kMostSteps = 50'000;  // of all that one machine runs
constexpr int kDeepest = 4;         // calls
constexpr std::size_t kLongest = 4096;

std::string last_part(const std::string& name) { return name.substr(name.rfind(':') + 1); }

char character(const Json& number) { return static_cast<char>(number.get<std::int64_t>() & 0xFF); }

// An element of a text, or of an array.
std::optional<Json> element(const Json& whole, const Json& index) {
  if (!index.is_number_integer()) return std::nullopt;
  const auto at = index.get<std::int64_t>();
  const bool text = whole.is_string();
  if (!text && !whole.is_array()) return std::nullopt;
  const auto size = static_cast<std::int64_t>(text ? whole.get_ref<const std::string&>().size() : whole.size());
  if (text && at == size) return Json(0);  // the end of a text
  if (at < 0 || at >= size) return std::nullopt;
  if (!text) return whole[static_cast<std::size_t>(at)];
  return Json(static_cast<std::int64_t>(
      static_cast<unsigned char>(whole.get_ref<const std::string&>()[static_cast<std::size_t>(at)])));
}

std::optional<Json> of_numbers(const std::string& name, std::int64_t a, std::int64_t b) {
  if (name == "add" || name == "iadd") return a + b;
  if (name == "sub" || name == "isub") return a - b;
  if (name == "mul" || name == "imul") return a * b;
  if (name == "xor" || name == "ixor") return a ^ b;
  if (name == "and_" || name == "iand") return a & b;
  if (name == "or_" || name == "ior") return a | b;
  if (name == "lt") return a < b;
  if (name == "le") return a <= b;
  if (name == "gt") return a > b;
  if (name == "ge") return a >= b;
  if (name == "eq") return a == b;
  if (name == "ne") return a != b;
  const bool small = b >= 0 && b < 32;
  if ((name == "lshift" || name == "ilshift") && small) return a << b;
  if ((name == "rshift" || name == "irshift") && small) return a >> b;
  if (b == 0) return std::nullopt;
  if (name == "floordiv" || name == "ifloordiv") return a / b;
  if (name == "mod" || name == "imod") return a % b;
  return std::nullopt;
}

std::optional<bool> truth(const Json& value) {
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number_integer()) return value.get<std::int64_t>() != 0;
  return std::nullopt;
}

}  // namespace

std::optional<Json> TextMachine::value(const Run& run, Id id) const {
  if (id == kNone) return std::nullopt;
  if (const auto known = run.values.find(id); known != run.values.end()) return known->second;
  const auto& constant = facts_.values[static_cast<std::size_t>(id)].constant;
  return constant ? std::optional(*constant) : std::nullopt;
}

// A table of the namespace that is stored once.
std::optional<Json> TextMachine::constant_of(Id storage) {
  std::optional<Json> found;
  for (const Function& function : facts_.functions) {
    for (const Block& block : function.blocks) {
      for (const Statement& s : block.statements) {
        if (s.kind != StatementKind::kStore || s.location.storage != storage) continue;
        if (found || s.location.element || s.value == kNone) return std::nullopt;
        if (const auto& constant = facts_.values[static_cast<std::size_t>(s.value)].constant) found = *constant;
        for (const Statement& made : block.statements) {
          if (made.result != s.value || made.callee != "builtins.list") continue;
          Json list = Json::array();
          for (const Id arg : made.args) {
            const auto& item =
                arg == kNone ? std::optional<Json>() : facts_.values[static_cast<std::size_t>(arg)].constant;
            if (!item) return std::nullopt;
            list.push_back(*item);
          }
          found = list;
        }
        if (!found) return std::nullopt;
      }
    }
  }
  return found;
}

std::optional<Json> TextMachine::load(Run& run, const Statement& s) {
  if (s.location.element) {
    auto whole = value(run, s.location.base);
    if (!whole && s.location.storage != kNone && run.variables.contains(s.location.storage))
      whole = run.variables[s.location.storage];
    const auto key = value(run, s.location.key);
    return whole && key ? element(*whole, *key) : std::nullopt;
  }
  const Id storage = s.location.storage;
  if (storage == kNone || s.location.base != kNone) return std::nullopt;
  if (const auto known = run.variables.find(storage); known != run.variables.end()) {
    run.read_from[s.result] = storage;
    return known->second;
  }
  const Storage& place = facts_.storages[static_cast<std::size_t>(storage)];
  return place.kind == StorageKind::kGlobal || place.kind == StorageKind::kStaticLocal ? constant_of(storage)
                                                                                       : std::nullopt;
}

bool TextMachine::set_part(Run& run, Id variable, std::size_t at, const Json& stored) {
  Json& whole = run.variables[variable];
  if (!stored.is_number_integer()) return false;
  if (whole.is_array() && at < whole.size()) {
    whole[at] = stored;
    return true;
  }
  if (!whole.is_string() || at >= whole.get_ref<std::string&>().size()) return false;
  whole.get_ref<std::string&>()[at] = character(stored);
  return true;
}

bool TextMachine::store(Run& run, const Statement& s) {
  const auto stored = value(run, s.value);
  if (!stored) return false;
  const auto from = run.read_from.find(s.location.base);
  if (s.location.element) {
    const auto key = value(run, s.location.key);
    return from != run.read_from.end() && key && key->is_number_integer() && key->get<std::int64_t>() >= 0 &&
           set_part(run, from->second, key->get<std::size_t>(), *stored);
  }
  if (s.location.base != kNone) {  // through a reference
    const auto part = from == run.read_from.end() ? run.references.end() : run.references.find(from->second);
    if (part == run.references.end()) return false;
    run.variables[part->first] = *stored;
    return set_part(run, part->second.first, part->second.second, *stored);
  }
  if (s.location.storage == kNone) return false;
  run.variables[s.location.storage] = *stored;
  if (const auto part = run.parts.find(s.value); part != run.parts.end())
    run.references[s.location.storage] = part->second;
  return true;
}

std::optional<Json> TextMachine::method(Run& run, const Statement& s, const std::vector<Json>& args) {
  const auto whole = value(run, s.receiver);
  const std::string name = last_part(s.callee);
  if (!whole || (!whole->is_string() && !whole->is_array())) return std::nullopt;
  const bool text = whole->is_string();
  const std::size_t size = text ? whole->get_ref<const std::string&>().size() : whole->size();
  if (name == "size" || name == "length") return Json(size);
  if (name == "empty") return Json(size == 0);
  if (name == "at" && args.size() == 1) return element(*whole, args[0]);
  if (!text) return std::nullopt;
  if (name == "c_str" || name == "data" || name == "str") return *whole;
  if (name == "reserve") return Json();
  const auto from = run.read_from.find(s.receiver);
  if (from == run.read_from.end() || args.size() != 1 || size > kLongest) return std::nullopt;
  auto& changed = run.variables[from->second].get_ref<std::string&>();
  if (name == "push_back" && args[0].is_number_integer()) {
    changed.push_back(character(args[0]));
  } else if (name == "append" && args[0].is_string()) {
    changed += args[0].get_ref<const std::string&>();
  } else {
    return std::nullopt;
  }
  return Json(changed);
}

std::optional<Json> TextMachine::call(Run& run, const Statement& s) {
  std::vector<Json> args;
  for (const Id arg : s.args) {
    auto known = value(run, arg);
    if (s.callee == "builtins.next") known = Json();
    if (!known) return std::nullopt;
    args.push_back(std::move(*known));
  }
  if (s.target != kNone) return s.receiver == kNone ? this->run(s.target, args, run.depth + 1) : std::nullopt;
  if (s.callee == "builtins.iter" && args.size() == 1) {
    run.iterators[s.result] = {args[0], 0};
    if (const auto from = run.read_from.find(s.args[0]); from != run.read_from.end())
      run.read_from[s.result] = from->second;
    return Json();
  }
  if (s.callee == "builtins.next" && s.args.size() == 1) {
    const auto iterator = run.iterators.find(s.args[0]);
    if (iterator == run.iterators.end()) return std::nullopt;
    auto& [whole, at] = iterator->second;
    const std::size_t size = whole.is_string() ? whole.get_ref<const std::string&>().size() : whole.size();
    run.more = at < size;
    if (!*run.more) return Json();
    if (const auto from = run.read_from.find(s.args[0]); from != run.read_from.end())
      run.parts[s.result] = {from->second, at};
    return element(whole, Json(at++));
  }
  if (s.receiver != kNone) return method(run, s, args);
  if (s.callee == "builtins.list") return Json(args);
  if (s.callee == "std::string::string") {
    if (args.empty()) return Json("");
    if (args.size() == 1 && args[0].is_string()) return args[0];
    const bool filled = args.size() == 2 && args[0].is_number_unsigned() && args[1].is_number_integer();
    if (!filled || args[0].get<std::size_t>() > kLongest) return std::nullopt;
    return Json(std::string(args[0].get<std::size_t>(), character(args[1])));
  }
  if (!s.callee.starts_with("operator.")) return std::nullopt;
  const std::string name = s.callee.substr(9);
  if (args.size() == 1) {
    if (name == "cast") return args[0];
    if (!args[0].is_number_integer()) return std::nullopt;
    const auto number = args[0].get<std::int64_t>();
    if (name == "neg") return -number;
    if (name == "invert") return ~number;
    if (name == "not_") return number == 0;
    return std::nullopt;
  }
  if (args.size() != 2) return std::nullopt;
  if (args[0].is_string() && (name == "add" || name == "iadd")) {
    if (args[1].is_string()) return args[0].get<std::string>() + args[1].get<std::string>();
    if (args[1].is_number_integer()) return args[0].get<std::string>() + character(args[1]);
  }
  if (!args[0].is_number_integer() || !args[1].is_number_integer()) return std::nullopt;
  return of_numbers(name, args[0].get<std::int64_t>(), args[1].get<std::int64_t>());
}

std::optional<Json> TextMachine::run(Id id, const std::vector<Json>& arguments, int depth) {
  const Function& function = facts_.functions[static_cast<std::size_t>(id)];
  if (depth > kDeepest || function.blocks.empty() || function.parameters.size() != arguments.size())
    return std::nullopt;
  Run at;
  at.depth = depth;
  for (std::size_t p = 0; p < arguments.size(); ++p) {
    at.variables[function.parameters[p].storage] = arguments[p];
    if (function.parameters[p].value != kNone) at.values[function.parameters[p].value] = arguments[p];
  }
  for (Id block = 0; block != kNone;) {
    const Block& here = function.blocks[static_cast<std::size_t>(block)];
    at.more.reset();
    if (++steps_ > kMostSteps) return std::nullopt;
    for (const Statement& s : here.statements) {
      if (++steps_ > kMostSteps) return std::nullopt;
      std::optional<Json> made;
      if (s.kind == StatementKind::kReturn) return value(at, s.value);
      if (s.kind == StatementKind::kStore) {
        if (!store(at, s)) return std::nullopt;
        continue;
      }
      if (s.kind == StatementKind::kLoad) made = load(at, s);
      if (s.kind == StatementKind::kCall) made = call(at, s);
      if (!made) return std::nullopt;
      if (s.result != kNone) at.values[s.result] = std::move(*made);
    }
    std::optional<bool> holds = at.more;
    if (here.condition != kNone && !holds) {
      const auto condition = value(at, here.condition);
      holds = condition ? truth(*condition) : std::nullopt;
      if (!holds) return std::nullopt;
    }
    block = kNone;
    for (const Edge& edge : here.successors) {
      const bool yes = edge.kind == EdgeKind::kTrue, no = edge.kind == EdgeKind::kFalse;
      if (edge.kind != EdgeKind::kException && ((!yes && !no) || holds == yes)) block = edge.to;
    }
  }
  return std::nullopt;
}

}  // namespace kernel_audit::analysis::facts
