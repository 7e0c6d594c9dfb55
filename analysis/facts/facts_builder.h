// Builds small Facts by hand for tests: one call per statement, blocks opened explicitly. Tests only.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "analysis/facts/facts.h"

namespace kernel_audit::analysis::facts {

class FactsBuilder {
 public:
  FactsBuilder() {
    facts_.units.push_back(Unit{"candidate.py", UnitLanguage::kPython, kNone, kNone, "", true, {}, {}, {}});
    facts_.units.push_back(Unit{"candidate.py:cuda", UnitLanguage::kCuda, 0, kNone, "", true, {}, {}, {}});
  }

  Id klass(const std::string& name, std::vector<std::string> bases = {"torch.nn.Module"}) {
    Class made;
    made.name = made.qualified_name = name;
    made.unit = 0;
    made.bases = std::move(bases);
    facts_.classes.push_back(made);
    return static_cast<Id>(facts_.classes.size()) - 1;
  }
  // Starts a function; statements go into its block 0. A method is registered with its class.
  Id function(const std::string& name, Id class_id = kNone, bool native = false) {
    Function made;
    made.name = name;
    made.qualified_name = class_id == kNone ? name : at(facts_.classes, class_id).name + "." + name;
    made.unit = native ? 1 : 0;
    made.class_id = class_id;
    made.blocks.resize(1);
    facts_.functions.push_back(made);
    function_ = static_cast<Id>(facts_.functions.size()) - 1;
    if (class_id != kNone) at(facts_.classes, class_id).methods.emplace_back(name, function_);
    block_ = 0;
    return function_;
  }
  Id parameter(const std::string& name, const Type& type = {TypeKind::kTensor, ""}, bool is_const = false) {
    const Id stored = storage(StorageKind::kLocal, name, Lifetime::kCall);
    Value value;
    value.type = type;
    value.origin = OriginKind::kArgument;
    const Id id = add(value);
    current().parameters.push_back(Parameter{name, type, stored, id, is_const, false});
    return id;
  }
  Id storage(StorageKind kind, const std::string& name, Lifetime lifetime, Id owner_class = kNone,
             const Type& type = {}) {
    Storage made{kind,        name,
                 lifetime,    kind == StorageKind::kLocal || kind == StorageKind::kStaticLocal ? function_ : kNone,
                 owner_class, type,
                 {}};
    facts_.storages.push_back(made);
    return static_cast<Id>(facts_.storages.size()) - 1;
  }
  Id add(const Value& value) {
    facts_.values.push_back(value);
    return static_cast<Id>(facts_.values.size()) - 1;
  }
  Id constant(const Json& json) {
    Value value;
    value.origin = OriginKind::kConstant;
    value.constant = json;
    return add(value);
  }
  Id computed(TypeKind type = TypeKind::kUnknown) {
    Value value;
    value.origin = OriginKind::kComputed;
    value.type.kind = type;
    return add(value);
  }
  Id call(const std::string& callee, std::vector<Id> args, Id receiver = kNone, Id target = kNone) {
    Statement s;
    s.kind = StatementKind::kCall;
    s.callee = callee;
    s.args = std::move(args);
    s.receiver = receiver;
    s.target = target;
    s.result = computed();
    push(s);
    return s.result;
  }
  // Calls the object or function that `callee_value` is.
  Id call_value(Id callee_value, std::vector<Id> args) {
    Statement s;
    s.kind = StatementKind::kCall;
    s.callee_value = callee_value;
    s.args = std::move(args);
    s.result = computed();
    push(s);
    return s.result;
  }
  Id load(Id storage, Id base = kNone) {
    Statement s;
    s.kind = StatementKind::kLoad;
    s.location.storage = storage;
    s.location.base = base;
    s.result = computed();
    push(s);
    return s.result;
  }
  void store(Id storage, Id value, Id base = kNone) {
    Statement s;
    s.kind = StatementKind::kStore;
    s.location.storage = storage;
    s.location.base = base;
    s.value = value;
    push(s);
  }
  Id load_element(Id container, Id key) {
    Statement s;
    s.kind = StatementKind::kLoad;
    s.location.base = container;
    s.location.element = true;
    s.location.key = key;
    s.result = computed();
    push(s);
    return s.result;
  }
  void store_element(Id container, Id key, Id value, Id storage = kNone) {
    Statement s;
    s.kind = StatementKind::kStore;
    s.location.base = container;
    s.location.storage = storage;
    s.location.element = true;
    s.location.key = key;
    s.value = value;
    push(s);
  }
  void launch(const std::string& kernel, std::vector<Id> args, Id stream = kNone,
              const std::string& stream_origin = "default", Id kernel_function = kNone) {
    Statement s;
    s.kind = StatementKind::kLaunch;
    s.args = std::move(args);
    s.launch = Launch{kernel_function, kernel, kNone, kNone, kNone, stream, stream_origin};
    push(s);
  }
  void ret(Id value) {
    Statement s;
    s.kind = StatementKind::kReturn;
    s.value = value;
    push(s);
  }
  // Ends the current block with a branch; returns the blocks of both sides. Continue with in_block().
  std::pair<Id, Id> branch(Id condition) {
    const Id yes = new_block(), no = new_block();
    block().condition = condition;
    block().successors = {{yes, EdgeKind::kTrue}, {no, EdgeKind::kFalse}};
    return {yes, no};
  }
  Id new_block() {
    current().blocks.emplace_back();
    return static_cast<Id>(current().blocks.size()) - 1;
  }
  void in_block(Id block) { block_ = block; }
  void jump(Id to, EdgeKind kind = EdgeKind::kNormal) { block().successors.push_back({to, kind}); }
  Block& block() { return at(current().blocks, block_); }
  Function& current() { return at(facts_.functions, function_); }
  void entry(Id class_id, Id function) {
    facts_.entry_class = class_id;
    facts_.entry_function = function;
  }
  Facts& facts() { return facts_; }

 private:
  template <typename T>
  static T& at(std::vector<T>& items, Id id) {
    return items[static_cast<std::size_t>(id)];
  }
  // Every statement gets a place of its own, so that findings have distinct spans.
  void push(Statement& s) {
    ++line_;
    s.span = SourceSpan{"candidate.py", std::int64_t{10} * line_, std::int64_t{10} * line_ + 5, line_, 1, line_, 6};
    block().statements.push_back(s);
  }

  Facts facts_;
  Id function_ = kNone;
  Id block_ = 0;
  int line_ = 0;
};

}  // namespace kernel_audit::analysis::facts
