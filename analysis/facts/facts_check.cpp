#include "analysis/facts/facts_check.h"

namespace kernel_audit::analysis::facts {
namespace {

// Ids into the vectors of `facts`.
class Checker {
 public:
  explicit Checker(const Facts& facts) : facts_(facts) {}

  void check_all() const {
    for (const Unit& unit : facts_.units) {
      check(unit.parent, facts_.units, "unit.parent");
      function(unit.module_body);
    }
    for (const Class& klass : facts_.classes) {
      check(klass.unit, facts_.units, "class.unit");
      for (const Id base : klass.base_classes) check(base, facts_.classes, "class.base_classes", true);
      for (const auto& method : klass.methods) check(method.second, facts_.functions, "class.methods", true);
    }
    for (const Storage& storage : facts_.storages) {
      function(storage.owner_function);
      check(storage.owner_class, facts_.classes, "storage.class");
    }
    for (const Value& value : facts_.values) {
      function(value.function);
      check(value.class_id, facts_.classes, "value.class");
    }
    for (const Function& f : facts_.functions) check_function(f);
    for (const Binding& binding : facts_.bindings) function(binding.function);
    for (const Problem& problem : facts_.problems) check(problem.unit, facts_.units, "problem.unit");
    check(facts_.entry_class, facts_.classes, "entry_class");
    function(facts_.entry_function);
  }

 private:
  template <typename T>
  void check(Id id, const std::vector<T>& items, const char* where, bool required = false) const {
    if (id == kNone && !required) return;
    if (id < 0 || static_cast<std::size_t>(id) >= items.size()) throw Malformed{where, "refers to nothing"};
  }
  void function(Id id) const { check(id, facts_.functions, "function"); }
  void value(Id id, bool required = false) const { check(id, facts_.values, "value", required); }

  void check_function(const Function& f) const {
    check(f.unit, facts_.units, "function.unit");
    check(f.class_id, facts_.classes, "function.class");
    function(f.enclosing_function);
    for (const Parameter& parameter : f.parameters) {
      check(parameter.storage, facts_.storages, "parameter.storage");
      value(parameter.value);
      value(parameter.default_value);
    }
    for (const Block& block : f.blocks) {
      value(block.condition);
      for (const Edge& edge : block.successors) check(edge.to, f.blocks, "successors", true);
      for (const Statement& statement : block.statements) check_statement(statement);
    }
  }

  void check_statement(const Statement& s) const {
    value(s.result);
    value(s.callee_value);
    function(s.target);
    value(s.receiver);
    for (const Id arg : s.args) value(arg);
    for (const auto& keyword : s.keywords) value(keyword.second);
    check(s.location.storage, facts_.storages, "location.storage");
    value(s.location.base);
    value(s.location.key);
    value(s.value);
    if ((s.kind == StatementKind::kLaunch) != s.launch.has_value())
      throw Malformed{"launch", "does not fit the statement's kind"};
    if (!s.launch) return;
    function(s.launch->kernel_function);
    for (const Id id : {s.launch->grid, s.launch->block, s.launch->shared_bytes, s.launch->stream}) value(id);
  }

  const Facts& facts_;
};

}  // namespace

void check_ids(const Facts& facts) { Checker(facts).check_all(); }

}  // namespace kernel_audit::analysis::facts
