// Abstract interpreter over Facts: runs import, construction and then several calls of the entry's
// forward, inlining callees (both languages) with their calling context, and records what every value
// is made of (provenance.h), which tensors are written by what, which work is on which stream, and
// what state one call leaves to the next. Everything the semantic model answers comes from here.
//
// It errs towards "unknown": a callee it cannot resolve makes its result and every fresh tensor handed
// to it unknown. Work is bounded; past the bound results are unknown with that reason.
#pragma once

#include <memory>
#include <set>
#include <unordered_map>

#include "analysis/facts/abstract.h"
#include "analysis/facts/flow_graph.h"
#include "analysis/facts/interpreter_results.h"
#include "analysis/facts/operations.h"
#include "analysis/facts/task_call.h"

namespace kernel_audit::analysis::facts {

class Interpreter {
 public:
  // With a call of the task's it is rehearsed: what runs at those sizes and settings is followed alone, turn by turn.
  Interpreter(const Facts& facts, Provenance& graph, const std::optional<TaskCall>& rehearsed = {});
  ~Interpreter();
  void run();

  // Results.
  std::vector<EntryReturn> returns;
  std::map<Id, std::vector<StateStore>> stores;     // by canonical storage
  std::map<std::pair<Id, Id>, NodeSet> conditions;  // (function, block) → what its condition depends on
  std::set<std::pair<Id, Id>> settled;  // conditions that are one way in one call, the other way in a later one
  std::map<std::pair<Id, Phase>, int> executed;  // function → times entered in that phase
  std::map<StatementRef, OperationRecord> operations;
  std::vector<ForeignStore> foreign_stores;
  // Steps through something, in forward: whether it never was anything but empty containers.
  std::map<StatementRef, bool> steps_of_nothing;
  // Calls in forward of one of several functions or objects, which of them what is around the candidate decides.
  std::map<StatementRef, NodeSet> chosen_callees;
  std::vector<StateStore> appends;          // to containers that outlive the call
  std::vector<ForeignStore> tensor_stores;  // to attributes of tensors
  bool own_parts = false;  // an object or function of the candidate's was put into a module of the framework
  std::vector<StatementRef> stale_replays;  // of graphs from earlier calls, on nothing that this call handed over
  std::set<StatementRef> executed_launches, executed_in_forward;  // launch statements; call statements in forward
  std::vector<std::pair<StatementRef, std::string>> limits;       // where the analysis gave up, and why
  // Library functions that calls in C++ reach, pointers and dlsym included, and what they were given (receiver first).
  std::map<StatementRef, std::set<std::string>> called_symbols;
  std::map<StatementRef, std::vector<Abstract>> call_arguments;
  std::map<StatementRef, std::set<int>> argument_writes;  // what certainly writes an argument of forward
  std::set<ObjectId> rewritten;                           // from an earlier call, written by a later one
  std::map<StatementRef, Id> handle_kernels;  // what launches through a handle were found to launch, or kNone
  std::map<StatementRef, std::set<Id>> kernels_in_table;  // of launches through a pointer that may be one of several
  std::set<StatementRef> blind_launches;                  // none of whose buffers could be followed
  // What a launch hands to each parameter of a kernel that is known, by the chain of calls that leads to it;
  // contents are among the nodes.
  std::map<std::pair<StatementRef, ContextId>, std::vector<Abstract>> launch_arguments;
  // What the numbers that a launch takes are computed from, and what part of a tensor is taken, in forward.
  struct LaunchAmounts {
    NodeSet grid, arguments;
    NodeSet tuning;  // block, and what is a constant of the kernel's compilation
  };
  std::map<StatementRef, LaunchAmounts> launch_amounts;
  std::map<StatementRef, NodeSet> parts_taken;
  // Of the buffers within a structure that is handed to a launch: by the slot of the launch's node, the argument and
  // the member that holds it.
  std::map<std::pair<NodeId, std::size_t>, std::pair<std::size_t, std::string>> launch_members;
  // Which parts of forward's arguments are read, by their position, and where those are taken; `other` ones are not
  // told apart.
  struct InputReads {
    bool whole = false, other = false;
    std::set<std::pair<StatementRef, ContextId>> parts;
  };
  std::map<int, InputReads> input_reads;
  // Calls in forward that give what they are handed several times over: expand, tile, cat of one tensor twice.
  std::map<StatementRef, NodeSet> repeats;
  // What the elements of a tensor are: what it was asked for by, or else the tensors after whose likeness it was made.
  struct ElementType {
    Abstract asked;
    ObjectSet like;
  };
  std::map<ObjectId, ElementType> element_types;
  int argument_position(ObjectId tensor) const;  // in forward, -1 when it is no argument
  // The same of what contiguous() gave of an argument: the task's tensors are contiguous as they come.
  int argument_behind(ObjectId tensor) const;
  std::set<Id> graph_storages;  // canonical storages that hold buffers of captured graphs
  // Work in forward on streams of which none is the caller's, whether it waits for them or not.
  std::map<NodeId, ObjectSet> on_other_streams;
  // Work in forward that runs on the caller's stream or on one of these, whichever is chosen.
  std::map<NodeId, ObjectSet> on_either;
  // Of the framework's work that runs within torch.autocast: the calls that made the scopes.
  std::map<NodeId, std::set<StatementRef>> under_autocast;
  bool waits_in_forward = false;  // forward waits for some stream or event, or for the device
  bool ran_forward = false;

  // Which parameters a kernel may write through or read, by position.
  struct KernelAccess {
    std::vector<bool> written, read;
    bool known = false;
    bool precise = false;  // every store was followed to its parameter
    bool effects = false;  // it does what is not a store to a parameter: globals, calls that are not known
    bool copies = false;   // all it does is to copy elements to the same places of another buffer
    // Of each parameter that is a structure, the members that it may write through; "" where that is not told apart.
    std::vector<std::set<std::string>> written_members;
    std::set<std::string> object_members;                      // the same of the object that a method is called on
    std::set<std::pair<std::size_t, std::string>> given_back;  // parameters and members that the result is made of
  };
  const KernelAccess& kernel_access(Id function);

  const Object& object(ObjectId id) const { return objects_[static_cast<std::size_t>(id)]; }
  const Json& constant_at(int constant) const { return constants_[static_cast<std::size_t>(constant)]; }
  // The text that a value certainly is.
  std::optional<std::string> text_of(const Abstract& value) const;
  // Tensors that the caller hands over, by the position of the argument.
  const std::map<ObjectId, int>& argument_objects() const { return argument_objects_; }
  Id canonical_storage(Id storage) const { return canonical_[static_cast<std::size_t>(storage)]; }
  const FlowGraph& flow(Id function) const;
  std::vector<Id> class_order(Id class_id) const;  // it and the own classes above it, as Python looks them up
  Id find_method(Id class_id, const std::string& name) const;
  bool derives_from(Id class_id, const std::string& base) const;
  bool derives_from_module(Id class_id) const;
  bool overrides_tensor(Id class_id) const;

 private:
  struct Frame;
  struct Rehearsal;  // interpreter_rehearsal.h
  using Keywords = std::vector<std::pair<std::string, Abstract>>;
  struct Capture {
    std::set<ObjectSet> written;
    ObjectSet read;
    NodeSet nodes;
  };
  struct CallSite {
    const Statement* statement = nullptr;
    StatementRef where;
    ContextId context = 0;
  };

  // interpreter.cpp: phases and functions
  void run_import();
  Abstract run_init();
  void run_forward(const Abstract& instance);
  // What a call of an instance enters: an own function, or another value.
  struct Entry {
    Id function = kNone;
    Abstract callee;
    StatementRef where;  // of the store that put `callee` there
  };
  std::vector<Entry> entries_of(ObjectId instance);
  std::vector<Abstract> entry_arguments(const Function& shape, const StatementRef& where);
  struct TaskInputs {
    std::set<std::size_t> numbers;     // positions
    std::optional<std::size_t> count;  // where the list is known
  };
  TaskInputs task_inputs() const;
  void call_entry(const Entry& entry, const Abstract& instance);
  StatementRef return_of(Id function) const;
  void follow_kept(const std::function<bool(Id)>& outlives, const std::function<void(ObjectId, Id)>& visit) const;
  void note_too_large();
  std::function<bool(Id)> attributes_that_outlive();
  void age_state();
  std::vector<std::pair<Id, Abstract>> own_variables(Id function) const;
  bool repeats_itself(Id function_id, const std::vector<Abstract>& args, const CallSite& site);
  Abstract invoke(Id function, std::vector<Abstract> args, const Keywords& keywords, const CallSite& site);
  void bind_parameters(Frame& frame, std::vector<Abstract>& args, const Keywords& keywords, const CallSite& site);
  void run_block(Frame& frame, Id block);
  void prepare(Frame& frame);
  void run_frame(Frame& frame);
  void leave(Frame& frame);
  void run_block_from(Frame& frame, Id block, State from, const std::set<Id>& exits, bool leaving, Id first = 0,
                      bool raises = false);
  const std::map<Id, std::set<Id>>& loop_exits(Id function);
  bool acyclic(Id function);
  bool may_be_none(const Abstract& number) const;
  std::optional<NodeSet> turns_by_earlier_calls(Frame& frame, const Block& block);
  // interpreter_joins.cpp
  // What a value may be on several ways, and what it holds on each.
  struct Ways {
    ObjectSet objects;
    NodeSet contents;
    int count = 0;
  };
  bool join_state(State& into, const State& from);
  bool join_chosen(State& into, const State& before, const State& from,
                   const std::vector<std::pair<ObjectSet, ObjectSet>>& chosen);
  bool held_on_both(const State& a, const State& b, const std::function<bool(const Abstract&)>& wanted) const;
  bool lives(Id variable) const;
  void add_way(Ways& ways, const Abstract& value);
  void settle(const Ways& ways);
  void note_ways(Frame& frame, Id from, Id to);
  void settle_phi(Frame& frame, const Abstract& result, const StatementRef& where);
  // interpreter_narrowing.cpp
  void narrow(Frame& frame, Id condition, bool way);
  // interpreter.cpp
  void collect_return(const Abstract& value, const StatementRef& where);
  void flatten(const Abstract& value, EntryReturn& out, int depth);

  // interpreter_memory.cpp
  ObjectId make_object(ObjectKind kind, const StatementRef& where, ContextId context, std::int64_t discriminator);
  Abstract of_object(ObjectId id) const;
  Abstract fresh_tensor(const CallSite& site, const NodeSet& contents, std::int64_t discriminator = 0);
  Abstract symbol(const std::string& name);
  Abstract function_value(Id function, std::vector<Abstract> bound, const CallSite& site);
  NodeSet read_contents(const State& state, const ObjectSet& objects) const;
  SetId set_id(const ObjectSet& objects);
  void write_contents(const ObjectSet& objects, const NodeSet& nodes);
  void write_tensor(const Abstract& target, const NodeSet& nodes, const CallSite& site, std::int64_t discriminator);
  NodeSet nodes_of(const Abstract& value) const;  // contents and what scalars are computed from
  std::vector<NodeSet> taken_together(const Abstract& operand, int depth = 0) const;
  ObjectSet objects_of_kind(const Abstract& value, ObjectKind kind) const;
  bool has_kind(const Abstract& value, ObjectKind kind) const;
  Abstract read_field(ObjectId object, KeyId key) const;
  Abstract all_fields(ObjectId object) const;
  void write_field(ObjectId object, KeyId key, const Abstract& value, bool strong);
  // Calls `visit(key, value)` for each field in the order of the keys.
  template <typename Visit>
  void for_each_field(ObjectId object, const Visit& visit) const;
  KeyId key_of(const Abstract& value);
  KeyId key_of(const std::string& name);
  int constant_id(const Json& constant);
  Abstract constant(const Json& json);
  Abstract open_value(NodeSet nodes) const;
  Abstract unknown(const std::string& reason, const CallSite& site, const NodeSet& inputs = {});
  std::optional<bool> truth(const Abstract& value) const;
  std::optional<std::int64_t> integer(const Abstract& value) const;
  const Statement* maker_of(Id value) const;
  bool only_null(const Abstract& value) const;
  bool never_null(const Abstract& value) const;
  Abstract value_from_facts(Id id, const CallSite& site);

  // interpreter_statements.cpp
  Abstract value(Frame& frame, Id id);
  void run_statement(Frame& frame, const Statement& statement, const StatementRef& where);
  Abstract load(Frame& frame, const Statement& statement, const CallSite& site);
  bool lacks_attribute(ObjectId id, const std::string& name);
  bool certainly_lacks(const Abstract& holder, const Abstract& name);
  bool bind_operator(const std::string& owner, const std::string& method, const std::vector<Abstract>& args);
  bool nothing_stored(Frame& frame, const Location& location);
  Abstract load_or(Frame& frame, const Statement& statement, const CallSite& site);
  Abstract load_storage(Id storage, const Statement& statement, const CallSite& site);
  bool slices(const Statement& statement) const;
  Abstract field_by_place(ObjectId id, const Abstract& key, const Statement& statement, const CallSite& site);
  Abstract load_element(const Abstract& base, const Abstract& key, const Statement& statement, const CallSite& site);
  Abstract inner_structure(ObjectId whole, const std::string& name, const Statement& load, const CallSite& site);
  bool keeps_own_attributes(ObjectId id) const;
  void store_own_attribute(const Abstract& base, const std::string& name, const Abstract& stored);
  std::optional<Abstract> own_attribute(const Abstract& base, const Storage& attribute);
  Abstract load_attribute(const Abstract& base, const std::string& name, const Statement& statement,
                          const CallSite& site);
  void store(Frame& frame, const Statement& statement, const CallSite& site);
  void store_storage(Id storage, const Abstract& value, const CallSite& site);
  // What a launch is handed: the first `in_order` are the kernel's first parameters, those with names go by them, which
  // parameters the rest are is not known.
  struct LaunchArguments {
    std::vector<Abstract> values;
    std::vector<std::string> names;  // of each, "" of those by place
    std::size_t in_order = 0;
  };
  static constexpr int kAnywhere = -1, kNoParameter = -2;
  void launch(Frame& frame, const Statement& statement, const CallSite& site);
  void launch_kernel(Frame& frame, const Statement& statement, const CallSite& site, Id kernel,
                     const LaunchArguments& given);

  // interpreter_modules.cpp
  ObjectId hooks_of(ObjectId module, bool before);
  bool register_hook(const Abstract& receiver, const std::string& name, const std::vector<Abstract>& args,
                     const Keywords& keywords);
  bool has_hooks(ObjectId module);
  ObjectSet hooks(ObjectId module, bool before);
  Abstract call_hook(ObjectId hook, std::vector<Abstract> given, const CallSite& site);
  void run_pre_hooks(ObjectId module, std::vector<Abstract>& args, const CallSite& site);
  Abstract run_hooks(ObjectId module, const std::vector<Abstract>& args, Abstract output, const CallSite& site);
  Abstract packed(const std::vector<Abstract>& items, const CallSite& site, std::int64_t discriminator);
  std::optional<Abstract> made_subclass(const std::string& callee, const std::vector<Abstract>& operands,
                                        const CallSite& site);
  static bool remembers(const Function& function);
  Abstract remembered(Id function, const Abstract& result);
  std::vector<Id> virtual_targets(Id target, const Abstract& receiver) const;

  // interpreter_generators.cpp
  struct GeneratorShape {
    bool driven = false, context_manager = false;
    std::vector<Id> variables;         // storages
    std::set<Id> carried;              // values that are used past a yield
    std::vector<StatementRef> places;  // of the yields
  };
  enum class Step { kSend, kThrow };
  const GeneratorShape& generator_shape(Id function);
  bool is_driven(Id function);
  Abstract make_generator(Frame& frame);
  void suspend(Frame& frame, const StatementRef& where);
  void leave_generator(Frame& frame, const Statement& statement, const Abstract& value);
  Abstract resume(ObjectId generator, const Abstract& sent, Step step, bool alone, const CallSite& site);
  Abstract next_of(ObjectId generator, const CallSite& site);
  Abstract drained(const Abstract& value, const CallSite& site);
  std::optional<Abstract> generator_method(const Abstract& receiver, const std::string& name,
                                           const std::vector<Abstract>& args, const CallSite& site);
  Abstract delegate(const std::string& callee, const std::vector<Abstract>& args, const CallSite& site);

  // interpreter_calls.cpp
  Abstract call(Frame& frame, const Statement& statement, const CallSite& site);
  std::optional<Abstract> call_method(const Abstract& receiver, const std::string& name, std::vector<Abstract>& args,
                                      const Keywords& keywords, const CallSite& site);
  Abstract call_object(const Abstract& callee, std::vector<Abstract>& args, const Keywords& keywords,
                       const CallSite& site);
  Abstract construct(Id class_id, std::vector<Abstract>& args, const Keywords& keywords, const CallSite& site);
  bool holds_elements(ObjectId id) const;
  ObjectId elements_held(ObjectId id);
  void adopt_elements(const Abstract& owner, const std::vector<Abstract>& args, const Keywords& keywords);
  std::optional<Abstract> children_of(ObjectId id, const CallSite& site);
  std::optional<Abstract> call_inherited(ObjectId id, std::vector<Abstract>& args, const CallSite& site);
  Abstract call_in_turn(ObjectId module, std::vector<Abstract>& args, const CallSite& site);
  Abstract call_module(ObjectId module, std::vector<Abstract>& args, const CallSite& site);
  Abstract call_framework_module(const std::string& symbol, ObjectId module, std::vector<Abstract>& args,
                                 const CallSite& site);
  Abstract selects(Frame& frame, const Statement& statement, const CallSite& site);
  Id bound_class(const std::string& name) const;
  Abstract construct_bound(Id class_id, std::vector<Abstract>& args, const Keywords& keywords, const CallSite& site);
  std::optional<Abstract> call_bound_method(ObjectId instance, const std::string& name, std::vector<Abstract>& args,
                                            const Keywords& keywords, const CallSite& site);
  Abstract instance_attribute(Id class_id, const std::string& name) const;
  Abstract class_attribute(Id class_id, const std::string& name) const;
  Abstract function_attribute(Id function, const std::string& name) const;
  bool related(Id a, Id b) const;
  void call_callbacks(const std::vector<Abstract>& args, const CallSite& site);

  // interpreter_containers.cpp
  void take_entries(ObjectId into, const Abstract& from);
  void note_choice(Abstract& taken, const Abstract& key) const;
  Abstract apply_container(const std::string& callee, std::vector<Abstract>& args, const Keywords& keywords,
                           const CallSite& site);
  std::optional<Abstract> container_method(const Abstract& receiver, const std::string& name,
                                           std::vector<Abstract>& args, const CallSite& site);

  // interpreter_operations.cpp
  Abstract apply(const Operation& operation, const std::string& callee, const Abstract* receiver,
                 std::vector<Abstract>& args, const Keywords& keywords, const CallSite& site);
  Abstract apply_compute(const Operation& operation, const std::string& callee, std::vector<Abstract>& operands,
                         const Keywords& keywords, const CallSite& site);
  ObjectSet hand_over(const std::vector<Abstract>& operands, const Abstract& result);
  Abstract apply_unknown(const std::string& callee, std::vector<Abstract>& operands, const Keywords& keywords,
                         const CallSite& site);
  Abstract apply_vendor(const Operation& operation, const std::string& callee, std::vector<Abstract>& operands,
                        const CallSite& site);
  // interpreter_reflection.cpp
  Abstract bound_method(ObjectId owner, const std::string& name, const CallSite& site);
  Abstract bound_arguments(const Abstract& callee, const std::vector<Abstract>& args, const CallSite& site);
  Abstract call_bound_symbol(ObjectId id, const std::vector<Abstract>& args, const Keywords& keywords,
                             const CallSite& site);
  std::optional<Abstract> attribute_by_name(const std::vector<Abstract>& operands, const CallSite& site);
  std::optional<Abstract> set_attribute_by_name(const std::vector<Abstract>& operands, const CallSite& site);
  std::optional<Abstract> found_in_process(const std::string& callee, const std::vector<Abstract>& operands,
                                           const CallSite& site);
  Abstract elements_of(const Abstract& value);
  Abstract iterator_of(const Abstract& value, const CallSite& site);
  std::optional<Abstract> apply_iterator(const std::string& callee, std::vector<Abstract>& operands,
                                         const CallSite& site);
  std::optional<Abstract> apply_reduce(const std::vector<Abstract>& operands, const CallSite& site);
  std::optional<Abstract> shared_memory(const std::string& callee, const std::vector<Abstract>& operands,
                                        const CallSite& site);
  std::optional<Abstract> apply_reflection(const std::string& callee, std::vector<Abstract>& operands,
                                           const Keywords& keywords, const CallSite& site);
  // interpreter_texts.cpp
  using TextOfTexts = std::function<std::optional<Json>(const std::vector<std::string>&)>;
  std::vector<std::string> texts_of(const Abstract& value) const;
  bool for_each_texts(const std::vector<Abstract>& values,
                      const std::function<bool(const std::vector<std::string>&)>& visit) const;
  std::optional<Abstract> each_text(const std::vector<Abstract>& values, const TextOfTexts& of);
  std::optional<Abstract> part_of_constant(const Abstract& base, const Abstract& key);
  std::optional<Abstract> cut_text(const std::string& name, const std::vector<Abstract>& operands,
                                   const CallSite& site);
  std::optional<Abstract> concatenated(const std::vector<Abstract>& operands, const CallSite& site);
  Abstract text_in_part(const std::vector<Abstract>& operands, const CallSite& site);
  std::optional<Abstract> joined_texts(const std::vector<Abstract>& operands);
  std::optional<Abstract> text_of_codes(const std::string& callee, const Abstract& codes);
  std::optional<Abstract> decoded_text(const Statement& call, const std::vector<Abstract>& args);
  std::optional<Abstract> apply_text(const std::string& callee, const std::vector<Abstract>& operands,
                                     const CallSite& site);
  // interpreter_threads.cpp
  Abstract run_in_thread(const Abstract& function, std::vector<Abstract> args, const CallSite& site);
  Abstract join_threads(const ObjectSet& threads);
  std::vector<Abstract> items_in_order(const Abstract& container) const;
  std::optional<Abstract> apply_thread(const std::string& callee, std::vector<Abstract>& args, const Keywords& keywords,
                                       const CallSite& site);
  Abstract thread_method(ObjectId id, const std::string& method, std::vector<Abstract>& args, const CallSite& site);
  std::optional<Abstract> own_thread_method(ObjectId id, const std::string& method, std::vector<Abstract>& args,
                                            const CallSite& site);
  // interpreter_records.cpp
  void note_operation(const std::string& name, const CallSite& site);
  void note_launch_amounts(Frame& frame, Id kernel, const Statement& statement, const LaunchArguments& given,
                           const StatementRef& where);
  void note_part(const NodeSet& amount, const StatementRef& where);
  void note_input_read(const Abstract& value, int depth = 0);
  void note_part_of_input(const Abstract& whole, bool told_apart, const CallSite& site);
  void note_repeat(const std::string& callee, const std::vector<Abstract>& operands, const CallSite& site);
  void note_reads(const Operation& operation, const std::string& callee, const std::vector<Abstract>& operands,
                  const Keywords& keywords, const CallSite& site);
  NodeSet chosen_by_surroundings(const NodeSet& nodes) const;
  NodeSet decided_around(const Frame& frame, Id block) const;
  void note_sniff(const Frame& frame, Id block, const NodeSet& condition);
  void note_tried(const Frame& frame, Id block, Id value);
  NodeSet settings_in(const NodeSet& nodes) const;
  void add_decided(Abstract& value, const NodeSet& around) const;
  void add_choice_of_phi(const Frame& frame, Abstract& chosen, Id block) const;
  void note_chosen_callee(const Abstract& called, const StatementRef& where);
  void note_step(const Abstract& iterated, const StatementRef& where);
  NodeSet surroundings_in(const std::vector<Abstract>& operands);
  Abstract surroundings_value(const std::string& name, const CallSite& site, const NodeSet& inputs, bool tensor);
  void bind_missing_receiver(Id function, std::vector<Abstract>& args);
  void note_foreign_store(const std::string& name, const Abstract& stored, const CallSite& site);
  Abstract apply_wrapper(const std::string& callee, std::vector<Abstract>& args, const CallSite& site);
  // interpreter_driver.cpp
  std::optional<Abstract> apply_driver(const std::string& callee, std::vector<Abstract>& operands,
                                       const CallSite& site);
  Abstract add_node(const std::vector<Abstract>& operands, const CallSite& site);
  // interpreter_launches.cpp
  Abstract program_of(const std::string& extension, const CallSite& site);
  std::string extension_of_text(const std::string& text) const;
  Abstract kernel_of(const ObjectSet& programs, const Abstract& name, const CallSite& site);
  std::optional<Abstract> apply_program(const std::string& callee, std::vector<Abstract>& operands,
                                        const CallSite& site);
  std::ptrdiff_t count_pointers(const std::vector<Abstract>& operands) const;
  bool moves_pointer(const std::string& callee, const std::vector<Abstract>& operands) const;
  bool compares_pointers(const std::string& callee, const std::vector<Abstract>& operands) const;
  Abstract program_method(ObjectId program, const std::string& name, const std::vector<Abstract>& args,
                          const CallSite& site);
  bool compiled_by_call(Frame& frame, const Statement& statement, const CallSite& site);
  bool launched_by_call(Frame& frame, const Statement& statement, const Abstract& callee, const CallSite& site);
  bool launches_unknown(const Statement& statement, const Abstract& handle) const;
  bool unpack_arguments(std::vector<Abstract>& args) const;
  ObjectSet held_buffers(const Abstract& value, bool native, int depth = 0) const;
  void put_addresses(const ObjectSet& memory, const Abstract& from, const CallSite& site);
  bool is_input(ObjectId tensor) const;
  ObjectSet filled_by(NodeId launch, const ObjectSet& held) const;
  int parameter_of(Id kernel, const LaunchArguments& given, std::size_t argument) const;
  bool named_alone(const ObjectSet& containers) const;
  void spread_launch_arguments(LaunchArguments& given) const;
  void spread_over_places(std::vector<Abstract>& args, std::size_t places) const;
  LaunchArguments arguments_of_launch(Frame& frame, const Statement& statement);
  bool may_use(Id kernel, const LaunchArguments& given, std::size_t argument, const std::vector<bool>& marked) const;
  void note_launch_arguments(Id kernel, const LaunchArguments& given, const CallSite& site);
  void note_launch_member(NodeId launch, std::size_t slot, std::size_t argument, const Abstract& structure,
                          ObjectId buffer);
  std::vector<Abstract> members_written(const Abstract& arg, const KernelAccess& access, std::size_t place) const;
  // interpreter_types.cpp
  void note_element_type(const Abstract& made, const std::string& callee, const std::vector<Abstract>& operands,
                         const Keywords& keywords);
  // interpreter_native.cpp
  std::string library_function(const std::string& callee, const CallSite& site) const;
  bool in_native(Id function) const;  // C++ or CUDA
  Id binding(const std::string& name) const;
  void note_call(const std::string& callee, const std::vector<Abstract>& operands, const CallSite& site);
  std::optional<Abstract> apply_native(const std::string& callee, std::vector<Abstract>& operands,
                                       const CallSite& site);
  Abstract apply_spawn(const std::string& callee, std::vector<Abstract>& operands, const CallSite& site);
  void note_argument_write(const ObjectSet& objects, const StatementRef& where);
  // interpreter_loops.cpp
  const Statement* made_by(ObjectId id) const;
  bool plain_number(Id value) const;
  void for_each_on_host(const std::function<void(const Statement&)>& visit) const;
  void find_plain_numbers();
  void add_set_by_lambdas(std::set<Id>& variables) const;
  bool passes_number_on(const Statement& s) const;
  void note_exposed(const std::string& callee, const std::vector<Abstract>& operands, const CallSite& site);
  bool known_empty(const Abstract& value) const;
  bool turns(Id function, Id block) const;
  std::optional<std::int64_t> offset_in_range(Id iterator, const CallSite& site) const;
  std::optional<Abstract> apply_comparison(const std::string& callee, const std::vector<Abstract>& operands,
                                           const CallSite& site);
  void loop_on_host(const std::string& name, const ObjectSet& memory, const NodeSet& stored, const CallSite& site);
  std::optional<Abstract> apply_memory_algorithm(const std::string& callee, const std::vector<Abstract>& operands,
                                                 const CallSite& site);
  std::optional<Abstract> apply_algorithm(const std::string& callee, const std::vector<Abstract>& operands,
                                          const CallSite& site);
  // interpreter_iterators.cpp
  Abstract own_iterator(const Abstract& value, const CallSite& site);
  void note_iterator(const Abstract& made, const CallSite& site);
  void note_end(const Abstract& iterated);
  bool at_end(const Abstract& iterated);
  bool body_has_ended(ObjectId generator) const;
  void take_from_iterators(const std::string& callee, std::vector<Abstract>& args, const CallSite& site);
  Abstract made_by_call(const std::string& callee, Abstract result, const CallSite& site);
  bool never_turns(Frame& frame, const Block& block);
  void leave_loop(Frame& frame, const Block& block);
  // interpreter_streams.cpp
  void keep_in_fields(Id storage_id, const Abstract& handle);
  void keep_in_elements(const Function& function, Id variable, const Abstract& handle);
  void store_through(std::size_t argument, const Abstract& handle, const CallSite& site);
  std::optional<Abstract> apply_stream(const Operation& operation, const std::string& callee, const Abstract* receiver,
                                       std::vector<Abstract>& args, const CallSite& site);
  Abstract autocast_scope(const std::string& callee, const std::vector<Abstract>& args, const Keywords& keywords,
                          const CallSite& site);
  void note_autocast_function(const Abstract& decorator, const std::vector<Abstract>& args);
  void enter_scope(const Abstract& scope);
  void exit_scope(const Abstract& scope);
  void note_work(NodeId node, const ObjectSet& streams);
  void join_streams(const ObjectSet& waiting, const ObjectSet& awaited, bool awaited_known);
  void note_write(const ObjectSet& objects);
  ObjectId special_stream(const std::string& name, bool caller);

  void replay(const Abstract& graph_value, const CallSite& site);
  void note_stale_replay(ObjectId graph, const Capture& capture, const CallSite& site);
  bool out_of_budget(const StatementRef& where);

  const Facts& facts_;
  Provenance& graph_;
  // Which ways a condition went, as bits: true, false. By call of forward.
  std::map<std::tuple<Id, Id, ContextId>, std::map<int, int>> decisions_;
  int call_ = 0;
  std::unique_ptr<Rehearsal> rehearsal_;
  State state_;
  Phase phase_ = Phase::kImport;
  std::vector<Object> objects_;
  std::unordered_map<MadeAt, ObjectId, MadeAtHash> object_index_;
  std::vector<ObjectSet> sets_;  // by SetId
  std::map<ObjectSet, SetId> set_index_;
  std::unordered_map<ObjectId, std::vector<SetId>> sets_with_;  // object → the sets that hold it
  std::map<std::string, ObjectId> symbols_;
  std::map<std::string, KeyId> keys_;
  std::vector<std::string> key_names_;
  std::map<std::string, int> constant_index_;
  std::vector<Json> constants_;
  std::vector<Id> canonical_;
  mutable std::map<Id, std::unique_ptr<FlowGraph>> flows_;
  mutable std::vector<const Statement*> makers_;  // by value
  std::map<Id, KernelAccess> accesses_;
  std::map<Id, std::map<Id, std::set<Id>>> loop_exits_;
  std::map<Id, GeneratorShape> generator_shapes_;
  std::map<std::pair<std::string, std::string>, Id> bindings_;
  std::map<std::string, Id> bound_classes_;          // by canonical name: "ext:ops.Scaler"
  std::map<Id, std::string> names_of_classes_;       // the same, by class
  std::multimap<std::string, Id> attributes_;        // instance attributes by name
  std::multimap<std::string, Id> class_attributes_;  // the same of classes
  std::set<ObjectId> outliving_;                     // own objects that a call has made and left behind
  std::map<Id, int> instances_;                      // class → distinct objects made of it
  std::vector<Id> call_stack_;
  std::map<ObjectId, Capture> captures_;
  std::vector<ObjectId> in_construction_;      // instances whose __new__ or __init__ runs
  std::set<ObjectId> memos_;                   // what functools keeps of results
  std::set<ObjectId> shrunk_, grown_;          // containers that calls take elements out of, and put them into
  std::map<Id, Abstract> autocast_functions_;  // function → the scope in which it runs
  std::set<std::string> unbuilt_;              // extensions whose build always fails
  Abstract this_object_;                       // of the C++ method that is entered next
  // Conditions that look at what is around the candidate, and what of it decides whether the block at hand runs.
  std::map<std::pair<Id, Id>, NodeSet> sniffs_;
  std::map<std::pair<Id, Id>, NodeSet> tried_;  // (function, try) → what of it the try reads
  NodeSet around_;
  int protected_ = 0;                         // blocks in flight that lie in a try
  bool call_raised_ = false;                  // the call just run can only raise
  std::map<ObjectId, int> argument_objects_;  // tensors of the entry's arguments → position
  std::map<ObjectId, Abstract> contiguous_;   // what contiguous() gave → what it gives back as it is, where it can
  bool certain_writes_ = true;                // whether a write that is seen now surely happens
  Id entry_frame_function_ = kNone;           // function whose returns are the entry's
  std::map<StatementRef, std::pair<Phase, int>> ran_once_;  // calls of std::call_once, and when they first ran
  std::map<ObjectId, ObjectId> ends_;                       // iterator → what says whether it has come to its end
  ObjectSet in_symbols_;                                    // buffers whose addresses constant memory was given
  std::set<ObjectId> exposed_;                              // containers handed to what may fill them unseen
  std::set<Id> plain_values_;                               // of C++, that hold what the stores to their variables say
  std::size_t entry_frame_depth_ = 0;
  ContextId context_ = 0;
  std::int64_t steps_ = 0;
  bool exhausted_ = false;
  ObjectId caller_stream_ = -1, per_thread_stream_ = -1, created_stream_ = -1;
};

template <typename Visit>
void Interpreter::for_each_field(ObjectId object, const Visit& visit) const {
  const State& state = state_;
  for (auto at = state.fields.first_from(field_key(object, kAnyKey));
       at.second != nullptr && field_object(at.first) == object; at = state.fields.first_from(at.first + 1)) {
    visit(field_name(at.first), *at.second);
  }
}

}  // namespace kernel_audit::analysis::facts
