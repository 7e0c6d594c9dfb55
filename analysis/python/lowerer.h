// The lowering itself (private to analysis/python; lower.h is the interface). One class whose parts
// live in lower_*.cpp: statements, control flow, expressions, names and attributes, calls, known
// functions, string folding, embedded sources.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "analysis/python/lower.h"
#include "analysis/split/directives.h"

namespace kernel_audit::analysis::python {

// The type of what dataclasses.fields() gives, by the name of the field.
inline constexpr const char* kFieldOfClass = "dataclasses.Field";
// The type of what dataclasses.field(default_factory=f) gives.
inline constexpr const char* kMadeByFactory = "dataclasses.field";
inline constexpr const char* kPartialMethod = "functools.partialmethod";

struct Operand {
  Id value = kNone;
  Abstract abs;
};

struct Argument {
  Operand operand;
  std::string keyword;  // "" for positional
  bool star = false;    // *x or **x
  const Node* node = nullptr;
};

struct FlowState {
  bool reachable = true;
  std::map<Cell*, Abstract> variables;
  std::map<const Node*, std::shared_ptr<const HeapObject>> heap;
};

// What return, break, continue and raise pass through, innermost last.
struct Guard {
  enum class Kind { kLoop, kHandler, kCleanup } kind = Kind::kLoop;
  Id break_block = kNone, continue_block = kNone;  // kLoop
  Id exception_block = kNone;                      // kHandler, kCleanup: where exceptions go
  Id try_id = kNone;
  bool in_handler = false;        // code inside is a handler of try_id
  std::function<void()> cleanup;  // kCleanup: emits finally body or context exit
};

struct Frame {
  Id function = kNone;
  PythonUnit* unit = nullptr;
  Scope* scope = nullptr;
  std::vector<facts::Block> blocks;
  std::vector<Id> exception_targets;  // by block
  Id current = 0;
  FlowState state;
  int loop_depth = 0;
  int conditional_depth = 0;
  int finally_depth = 0;
  std::vector<Guard> guards;
  Id handler_value = kNone;
  std::vector<Operand> entered;  // by ExitStack.enter_context, in the `with` statements around
};

class Lowerer {
 public:
  Lowerer(const std::vector<PythonFile>& files, const std::vector<split::VirtualFile>& others, Interpreter& interpreter,
          const split::Locator& locator, const LowerLimits& limits);
  LowerResult run();

 private:
  // lower.cpp: rounds, units, functions
  bool load_unit(PythonUnit& unit, const char* mode);
  void note_directives(const PythonUnit& unit, const Json& answer);
  void run_round();
  bool finish_round(bool widen);
  void lower_body(Id function);
  void lower_module(PythonUnit& unit);
  void finish_function(Frame& frame);
  void fill_classes();
  void entered_through(const Atom& object, Id owner, const std::string& method, std::vector<Id>& functions);
  void choose_entry();
  // lower_sizes.cpp
  Usual usual_of_call(const std::string& name, const std::vector<const Abstract*>& args);
  static Usual usual_of_method(const Abstract& receiver, const std::string& method, const std::vector<Argument>& args);
  static Usual usual_element(const Abstract& shape, const Abstract& key);
  Abstract given_by_task(const char* list, std::size_t place);
  Abstract number_of_task(const FunctionInfo& info, const std::string& name);
  Abstract parameter_value(FunctionInfo& info, const std::string& name);
  Abstract variadic_value(const FunctionInfo& info, const std::string& name, Abstract given, const Node* node);
  void bind_parameters(Id function);
  void problem(const std::string& kind, const std::string& message, const Node* node, bool blocks_clean = true);
  bool over_budget();

  // scopes.cpp
  Scope* make_scope(ScopeKind kind, Scope* parent, PythonUnit* unit, const Node* node, Id function, Id class_id);
  void collect_names(const Node* node, Scope& scope);
  void collect_target(const Node* node, Scope& scope);
  struct Found {
    Cell* cell = nullptr;
    Scope* scope = nullptr;
  };
  Found lookup(const std::string& name, Scope* from, bool skip_own_class = false);
  Cell& store_cell(const std::string& name, Scope* scope, Scope** owner);
  void assigned_cells(const Node* node, std::vector<Cell*>& cells);

  // emit.cpp
  SourceSpan span(const Node* node) const;
  SourceSpan span(const PythonUnit& unit, std::int64_t begin, std::int64_t end) const;
  Operand make_value(Abstract abs, const Node* node, facts::OriginKind origin);
  facts::Statement& emit(facts::StatementKind kind, const Node* node);
  facts::Statement* last_statement();  // of the current block
  Operand emit_call(const std::string& callee, const std::vector<Operand>& args, Abstract result, const Node* node);
  Operand emit_phi(const std::vector<Operand>& parts, const Node* node);
  Id new_block();
  void edge(Id from, Id to, facts::EdgeKind kind);
  void start_block(Id block);
  void jump(Id to, facts::EdgeKind kind = facts::EdgeKind::kNormal);
  void branch(const Operand& condition, Id on_true, Id on_false);
  void dead_code();
  Id storage_of(Cell& cell, const Scope& scope, const std::string& name, const Node* node);
  Id storage(facts::StorageKind kind, const std::string& name, facts::Lifetime lifetime, Id owner_function,
             Id owner_class);
  Operand emit_load(facts::Location location, Abstract abs, const Node* node);
  void emit_store(facts::Location location, const Operand& value, const Node* node, bool augmented = false);

  // flow.cpp
  Abstract read_cell(Cell& cell);
  void write_cell(Cell& cell, const Scope* owner, const Abstract& value);
  void forget(const std::vector<Cell*>& cells);
  static FlowState merge(const FlowState& left, const FlowState& right);
  const Node* site_in_copy(const Node* site);
  Operand new_heap(TypeKind kind, HeapObject object, const Node* node, Id value);
  HeapObject read_heap(const Node* site);
  void change_heap(const Atom& atom, const std::function<void(HeapObject&)>& change);
  Abstract elements_of(const Abstract& container);
  // Items in order when all are known.
  HeapObject entries_given(const std::vector<Argument>& args);
  std::optional<std::vector<Abstract>> sequence_of(const Abstract& container);

  // lower_statements.cpp
  void statements(const std::vector<const Node*>& body);
  void statement(const Node* node);
  void assign(const Node* target, const Operand& value, bool augmented = false);
  void unpack(const std::vector<const Node*>& targets, const Operand& value, const Node* node);
  void store_name(const std::string& name, const Operand& value, const Node* node, bool augmented = false);
  void augmented_assign(const Node* node);
  void delete_target(const Node* target);
  void import_statement(const Node* node);
  void import_from(const Node* node);
  PythonUnit* own_unit(const std::string& folder, const std::string& path);
  Abstract own_part(const Atom& package, const std::string& name, const Node* node);
  Abstract imported_unit(PythonUnit& unit, const Node* node);
  Abstract import_module(const std::string& name, int level, const Node* node);
  void define_function(const Node* node);
  Id function_of(const Node* node, const std::string& name, bool is_lambda);
  Id class_made_by(const Node* node, const std::string& name, const std::string& qualified_name);
  void define_class(const Node* node);
  void note_field(const Node* annotated);
  std::vector<std::string> fields_of_class(Id class_id);
  void fill_fields(Id class_id, const Operand& instance, const std::vector<Argument>& args, const Node* node);
  void set_bases(Id id, const std::vector<Operand>& bases);
  bool record_call(const std::string& name, const Operand& callee, const std::vector<Argument>& args, const Node* node,
                   Operand& result);
  std::optional<Operand> replaced_record(const Operand& record, const std::vector<Argument>& changes, const Node* node);
  std::optional<Operand> made_by_factory(Id class_id, const std::string& field, const Node* node);
  Operand class_value(Id class_id, const Node* node);
  Operand class_from_parts(const std::vector<Argument>& args, const Node* node);
  void apply_decorators(const Node* node, Operand value);

  // lower_control.cpp
  void if_statement(const Node* node);
  void while_loop(const Node* node);
  void for_loop(const Node* node);
  void loop(const Node* node, const std::function<void()>& header, const std::function<Operand()>& condition,
            const std::function<void()>& body, const std::vector<const Node*>& otherwise, bool forever);
  void try_statement(const Node* node);
  // What a cleanup does with an exception: lets it go on, perhaps ends it, or ends it.
  enum class Exceptions { kPass, kMayEnd, kEnd };
  void with_cleanup(const std::function<void()>& body, const std::function<void()>& cleanup, const Node* node,
                    Exceptions exceptions);
  void with_statement(const Node* node, std::size_t item);
  void match_statement(const Node* node);
  Operand match_pattern(const Node* pattern, const Operand& subject);
  void return_value(const Operand* value, const Node* node);
  Operand yield_value(const Operand& value, const Node* node);
  Operand yield_from(const Node* node);
  void break_or_continue(bool is_break);
  void raise_statement(const Node* node);
  void run_cleanups(std::size_t down_to);

  // lower_expressions.cpp
  Operand expression(const Node* node);
  Operand bool_operation(const Node* node);
  Operand conditional(const Node* node);
  Operand compare(const Node* node);
  Operand binary(const std::string& op, const Operand& left, const Operand& right, const Node* node,
                 bool in_place = false);
  std::optional<Operand> own_operator(const std::string& op, const Operand& left, const Operand& right, bool in_place,
                                      const Node* node);
  Abstract both_in_order(const Abstract& left, const Abstract& right, const Node* node);
  Operand unary(const Node* node);
  Operand display(const Node* node);
  Operand dict_display(const Node* node);
  Operand comprehension(const Node* node);
  Scope* comprehension_scope(const Node* node);
  void comprehension_loop(const Node* node, std::size_t index, const std::function<void()>& innermost);

  // lower_unrolled.cpp
  Operand tuple_of(const std::vector<Operand>& parts, const Node* node);
  std::optional<std::vector<Operand>> elements_in_turn(const Operand& container, const std::string& view,
                                                       const Node* node);
  std::optional<std::vector<Operand>> iterated(const Node* node, bool displays = false);
  bool shows_fields(const Node* node);
  bool holds_text(const Abstract& value, bool& known, int depth = 0);
  std::optional<std::vector<Operand>> numbers(const std::vector<const Node*>& args, const Node* node);
  std::vector<Operand> written_out(const Node* iter, std::size_t most, bool for_texts, bool for_names = false);
  std::optional<std::vector<Operand>> taken(const std::vector<Operand>& items, const Node* node);
  std::optional<Operand> unrolled(const Node* node);
  bool unrolled_loop(const Node* node);
  bool own_modules_of_kinds(const std::vector<Operand>& elements);
  bool takes_buffers(const Node* loop);
  bool never_asked(const Node* value, const Node* target);
  Operand joined_string(const Node* node);
  Operand constant_value(const Node* node);
  Operand subscript(const Node* node);
  Operand get_item(const Operand& base, const Operand& key, const Node* node);
  std::optional<Operand> named_part(const Atom& atom, const Operand& base, const std::string& name, const Node* node,
                                    bool for_call);
  void set_item(const Operand& base, const Operand& key, const Operand& value, const Node* node, bool augmented);

  // lower_names.cpp
  Operand name(const Node* node);
  Operand load_name(const std::string& name, const Node* node, Scope* scope);
  Operand attribute(const Operand& base, const std::string& name, const Node* node, bool for_call = false);
  bool is_enum_member(const Operand& read);
  Operand attribute_of(const Atom& atom, const Operand& base, const std::string& name, const Node* node, bool for_call);
  Operand module_around(Scope* scope, const Node* node);
  Operand table_of_attributes(const Operand& base, const std::string& name, const Node* node);
  Operand instance_attribute(Id class_id, const Operand& base, const std::string& name, const Node* node);
  Operand other_attribute(const Operand& base, const std::string& name, Abstract abs, const Node* node);
  Operand method_value(const std::string& symbol, const Operand& base, const Node* node, Id class_id = kNone);
  // As an assignment does it, whatever the class says of those; `set_attribute` stores.
  void assign_attribute(const Operand& base, const std::string& name, const Operand& value, const Node* node,
                        bool augmented);
  void note_property(const Abstract& getter, const Abstract& setter);
  bool assigned_by_method(const Operand& base, const std::string& name, const Operand& value, const Node* node);
  void set_attribute(const Operand& base, const std::string& name, const Operand& value, const Node* node,
                     bool augmented);
  Operand held_by_class(const Abstract& member, Id owner, Id class_id, const Operand& base, const std::string& name,
                        const Node* node);
  bool forwards_attributes() const;
  Operand word_of(const std::string& name, const Node* node);
  std::optional<Operand> looked_up(Id class_id, const Operand& base, const std::string& name, const Node* node);
  std::optional<Operand> made_by_getattr(Id class_id, const Operand& base, const std::string& name, const Node* node);
  Operand attribute_past_own(const Operand& base, const Operand& name, const Node* node);
  Cell& instance_cell(Id class_id, const std::string& name, Id* owner);
  Abstract class_attribute(Id class_id, const std::string& name, bool skip_self, Id* owner);
  Cell* find_instance_cell(Id class_id, const std::string& name, Id* owner);
  std::vector<Id> mro(Id class_id);
  bool is_subclass_of_module(Id class_id);
  bool is_enumeration(Id class_id);
  std::string foreign_base_of(Id class_id);
  // The framework's module whose forward is found after the own class `after` (kNone: from the first on) and before
  // that of the own class `before` (kNone: before none); or "".
  std::string framework_forward(Id class_id, Id before, Id after = kNone);
  Abstract bound(const Abstract& member, const Operand& receiver, Id class_id, bool on_class);
  Operand foreign_attribute(const std::string& symbol, const std::string& name, const Node* node);

  // lower_calls.cpp
  Operand call_node(const Node* node);
  std::vector<Argument> arguments_of(const Node* node);
  Operand call(const Operand& callee, const std::vector<Argument>& args, const Node* node);
  Operand call_atom(const Atom& atom, const Operand& callee, const std::vector<Argument>& args, const Node* node);
  Operand call_function(const Atom& atom, const Operand& callee, const std::vector<Argument>& args, const Node* node);
  Atom instance_of(Id class_id);
  Operand call_class(Id class_id, const Operand& callee, const std::vector<Argument>& args, const Node* node);
  Operand call_instance(Id class_id, const Operand& callee, const std::vector<Argument>& args, const Node* node);
  Operand call_typed(const Atom& atom, const Operand& callee, const std::vector<Argument>& args, const Node* node);
  Operand call_method(const Atom& atom, const Operand& callee, const std::vector<Argument>& args, const Node* node);
  Operand plain_call(const std::string& name, const Operand& callee, Id receiver, const std::vector<Argument>& args,
                     Abstract result, const Node* node, Id target = kNone);
  // lower_in_place.cpp
  static const Node* end_of(const FunctionInfo& info);
  std::optional<std::vector<Operand>> known_arguments(const FunctionInfo& info, const std::vector<Argument>& args);
  std::optional<Operand> call_in_place(Id function, const std::vector<Argument>& args, const Node* node);
  void note_keywords(FunctionInfo& info, const std::vector<Argument>& args);
  void pass_arguments(Id function, const Operand* receiver, const std::vector<Argument>& args);
  void escape(const Abstract& value);
  void hand_out(const FunctionInfo& from, const Abstract& value);
  Operand launch(const Atom& kernel, const Operand& callee, const Operand* grid, const std::vector<Argument>& args,
                 const Node* node);
  void configure(facts::Launch& launch, const Atom& kernel, const Operand& callee) const;
  bool kernel_call(const Atom& kernel, const Operand& callee, const std::vector<Argument>& args, const Node* node,
                   Operand& result);
  void note_allocated(const Abstract& compiled, const Abstract& positions);
  std::set<std::size_t> allocated_parameters(const FunctionInfo& kernel) const;
  Abstract kernels_taking(const Abstract& callees, const std::vector<Argument>& args) const;
  static bool is_cuda_library(const Atom& value);
  std::vector<Id> packed_values(const Operand& packed) const;
  bool driver_call(const std::string& name, const Operand& callee, const std::vector<Argument>& args, const Node* node,
                   Operand& result);
  Operand launch_of_call(const Atom& called, const Operand& callee, const std::vector<Argument>& options,
                         const Node* node);

  // lower_callables.cpp
  bool callable_call(const std::string& name, const Operand& callee, const std::vector<Argument>& args,
                     const Node* node, Operand& result);
  std::optional<Abstract> text_of_call(const FunctionInfo& info, Id function, const std::vector<Argument>& args);
  bool map_call(const std::vector<Argument>& args, const Node* node, Operand& result);
  Operand reduce_call(const std::vector<Argument>& args, const Node* node);
  bool warp_launch(const std::vector<Argument>& args, const Node* node, Operand& result);
  Operand attribute_at(const Operand& object, const Operand& path, const Node* node, bool for_call);
  bool getter_call(const Atom& getter, const std::vector<Argument>& args, const Node* node, Operand& result);
  Operand enter_context(const std::vector<Argument>& args, const Node* node);
  std::optional<Operand> described(const Abstract& member, const Operand& held, const Operand& owner, Id class_id,
                                   const Node* node);
  std::optional<Operand> kept_by_instance(const Abstract& member, Id member_owner, Id class_id, const Operand& base,
                                          const std::string& name, const Node* node);
  static std::optional<Abstract> entry_of(const HeapObject& object, const Abstract& key);
  bool is_plain_dictionary(Id class_id);
  void note_changed_elements(Id class_id, const std::string& method);
  std::optional<HeapObject> entries_of_own(const Atom& dictionary);
  Abstract missing_element(const Atom& dictionary, const Operand& base, const Operand& key);
  Abstract fields_of(const Abstract& object);
  std::optional<Operand> formatted(const Operand& value, const Operand* spec, const Node* node);
  std::vector<Operand> base_classes(const std::vector<Operand>& given, const Node* node);
  void tell_names(Id class_id, const Operand& klass, const Node* node);
  Id subclass_hook(Id base);
  void tell_bases(Id class_id, const Operand& klass, const std::vector<Argument>& given, const Node* node);

  // lower_known.cpp: functions of packages that need more than a name
  Operand call_symbol(const std::string& name, const Operand& callee, const std::vector<Argument>& args,
                      const Node* node);
  bool special_call(const std::string& name, const Operand& callee, const std::vector<Argument>& args, const Node* node,
                    Operand& result);
  bool reflective_call(const std::string& name, const std::vector<Argument>& args, const Node* node, Operand& result);
  bool container_call(const std::string& name, const Operand& callee, const std::vector<Argument>& args,
                      const Node* node, Operand& result);
  Operand run_code(const std::string& name, const std::vector<Argument>& args, const Node* node);
  std::optional<Operand> matching_methods(const Operand& object, const Abstract& name, const Node* node);
  Operand get_attribute_call(const std::vector<Argument>& args, const Node* node);
  const Argument* argument(const std::vector<Argument>& args, std::size_t position, const std::string& keyword) const;
  bool heap_method(const Atom& atom, const std::string& method, const std::vector<Argument>& args, Abstract& result);
  bool update_attributes(const Operand& receiver, const std::string& method, const std::vector<Argument>& args,
                         const Node* node);
  static std::vector<std::string> possible_names(const Abstract& name);
  void perhaps(const Node* node, const std::function<void()>& body);
  bool names_known(const Argument& arg);
  bool slot_call(const std::string& name, const std::vector<Argument>& args, const Node* node, Operand& result);
  bool dictionary_call(const std::string& name, const std::vector<Argument>& args, const Node* node, Operand& result);
  Operand owner_of_attributes(const Operand& table, const Atom& atom, const Node* node);
  Operand found_or(const Operand& found, const Operand& otherwise, const Node* node);
  std::optional<Operand> read_by_name(const Operand& table, const std::string& method,
                                      const std::vector<Argument>& args, const Node* node);
  void pass_to_hook(const Operand& module, const std::string& method, const std::vector<Argument>& args,
                    const Node* node);
  void set_named(const Operand& holder, const std::string& name, const Operand& value, const Node* node);
  void note_replaced_part(const Atom& atom, const std::string& name, const Node* node);
  void problem_of_class(const ClassInfo& info, const std::string& message);
  void note_dynamic_class(Id class_id);
  bool module_method(const Operand& receiver, const std::string& method, const std::vector<Argument>& args,
                     const Node* node);

  // lower_strings.cpp
  Abstract fold_binary(const std::string& op, const Abstract& left, const Abstract& right, const Node* node);
  static Abstract each_text(const std::vector<Argument>& args, std::size_t most,
                            const std::function<Abstract(const std::vector<Argument>&)>& fold);
  Abstract fold_method(const Atom& self, const std::string& method, const std::vector<Argument>& args,
                       const Node* node);
  static Abstract fold_text_item(const Atom& atom, const Abstract& key);
  std::optional<split::Text> to_text(const Abstract& value, const Node* node, bool& partial);
  Abstract fold_format(const split::Text& format, bool partial, const std::vector<Argument>& args, const Node* node);
  Abstract fold_template(const Atom& format, const std::vector<Argument>& args, const Node* node);
  Abstract fold_percent(const Atom& format, const Abstract& values, const Node* node);
  Abstract fold_unpacked(const std::string& function, const std::vector<Argument>& args);  // lower_packed.cpp
  std::optional<std::string> bytes_of(const Abstract& numbers);
  Abstract fold_call(const std::string& name, const std::vector<Argument>& args, const Node* node);
  void write_file(const std::string& path, const Abstract& contents);
  Abstract file_text(const std::string& path, bool& found);

  // lower_builds.cpp: sources that are compiled by other means
  bool elementwise_call(const std::string& name, const Operand& callee, const std::vector<Argument>& args,
                        const Node* node, Operand& result);
  Operand elementwise_launch(const Atom& kernel, const Operand& callee, const std::vector<Argument>& args,
                             const Node* node);
  void compiler_run(const std::string& name, const std::vector<Argument>& args, const Node* node);
  Abstract written_in(const std::string& folder, const std::string& pattern, const Atom& like, const Node* node);
  void include_written(Abstract& sources);
  void file_move(const std::string& name, const std::vector<Argument>& args);
  void move_file(const std::string& from, const std::string& to);

  // lower_embedded.cpp: sources given to a compiler
  bool extension_call(const std::string& name, const Operand& callee, const std::vector<Argument>& args,
                      const Node* node, Operand& result);
  std::string label_of_sources(const std::string& label, const std::vector<Argument>& args);
  void record_source(EmbeddedSource source, const Node* node);
  std::vector<std::string> folded_strings(const Abstract& value, bool& known);

  const std::vector<PythonFile>& files_;
  const std::vector<split::VirtualFile>& others_;
  Interpreter& interpreter_;
  const split::Locator& locator_;
  const LowerLimits& limits_;

  // Persistent across rounds.
  std::vector<std::unique_ptr<PythonUnit>> units_;
  std::vector<std::unique_ptr<Scope>> scopes_;
  std::vector<std::unique_ptr<FunctionInfo>> functions_;
  std::vector<std::unique_ptr<ClassInfo>> classes_;
  std::map<const Node*, Id> function_ids_;
  std::map<const Node*, Id> class_ids_;
  std::map<std::pair<const Node*, std::string>, PythonUnit*> code_units_;  // exec'd text at a call
  std::map<const Node*, Scope*> scope_of_node_;
  std::map<const Node*, HeapCell> heap_;
  std::map<std::pair<const Node*, std::vector<std::size_t>>, Node> site_copies_;
  std::map<const Node*, std::size_t> calls_in_place_;  // each of them numbered
  std::vector<std::size_t> copies_;      // which writing out of the bodies of loops is being lowered, outermost first
  std::map<std::string, Cell> foreign_;  // attributes of packages that the candidate stores to
  std::map<std::string, Cell> other_;    // attributes stored to objects of classes that are not its own, by name
  std::map<std::string, Cell> written_files_;                                           // by path
  std::map<std::pair<std::string, std::string>, std::optional<std::string>> unpacked_;  // by packing and constant
  std::vector<facts::Storage> storages_;
  std::map<std::string, Id> storage_ids_;
  std::map<Id, Id> owners_of_attributes_;  // by the value that is their `__dict__`
  std::vector<facts::Problem> unit_problems_;
  std::vector<facts::Directive> directives_;

  // This round.
  int round_ = 0;
  bool final_round_ = false;
  bool grew_ = false;
  int epoch_ = 0;  // raised whenever own code may run during the module body
  std::size_t statement_count_ = 0;
  bool limit_hit_ = false;
  facts::Facts facts_;
  std::vector<EmbeddedSource> sources_;
  std::map<std::string, std::string> built_libraries_;  // what a compiler process is told to write: extension by path
  std::map<std::string, std::vector<std::string>> labels_;  // sources of what is built under each, in order
  std::string nvrtc_program_;  // the extension of the one program given to NVRTC, "ext:?" when there are several
  std::vector<Id> pending_;
  Frame* frame_ = nullptr;
  int next_try_ = 0;
  int depth_ = 0;
  int inlined_ = 0;        // calls in text_of_call
  int in_place_ = 0;       // calls that are being lowered where they stand
  bool past_own_ = false;  // an attribute is looked up as object.__getattribute__ does it
};

// known_apis.cpp
std::string canonical(const std::string& symbol);
Abstract foreign_result(const std::string& callee);  // of calling a package's function or class
Abstract foreign_attribute_type(const facts::Type& type,
                                const std::string& name);  // bottom: not a known data attribute
Abstract method_result(const facts::Type& type, const std::string& name);
bool is_builtin(const std::string& name);
bool gives_tuple(const std::string& name);
Abstract extension_module(const std::string& symbol_name);
Abstract kernel_object(const std::string& symbol_name, const std::string& kernel);  // calling it is a launch
Abstract kernels_named(const Atom& module, const Abstract& name);
// A wrapper whose result is its argument as far as rules see: triton.jit, copy.copy, …
bool is_transparent_wrapper(const std::string& callee);
bool is_wrapper(const std::string& callee);  // torch.compile, functools.lru_cache, …: result behaves like the argument
bool keeps_kernels(
    const std::string& wrapper);  // triton.jit, numba.cuda.jit, …: a kernel stays one, or its host function
std::string class_of(const facts::Type& type);  // "torch.Tensor" for a tensor, its name otherwise, "?" when unknown
bool is_framework_module(const std::string& symbol);
std::string parent_of(const std::string& path);  // its folder, empty when it names none

}  // namespace kernel_audit::analysis::python
