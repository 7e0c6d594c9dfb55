// Clang's AST of one unit → Facts, by the rules of analysis/facts/LOWERING.md. Control flow is lowered
// from statements, not from clang::CFG: scopes of guards, immediately called lambdas and joins of
// conditional expressions then come out as the page says. Instances of templates are lowered one by one, or from
// their pattern where there are many. Includes Clang; split over lower_*.cpp.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "analysis/cuda/extract/builder.h"
#include "analysis/cuda/extract/clang_headers.h"
#include "analysis/cuda/extract/parse.h"

namespace kernel_audit::analysis::cuda {

// The class of a value or of what a reference refers to; nullptr when it is none. Lists in parentheses, as they are
// left in code that could not be parsed, have no type at all.
const clang::CXXRecordDecl* record_of(clang::QualType type);

class Lowering {
 public:
  Lowering(clang::CompilerInstance& compiler, const split::SourceUnit& unit,
           const std::vector<split::VirtualFile>& neighbours, const ParseOutcome& parsed, Budget& budget,
           facts::Facts& facts, Id unit_id);
  void run();

 private:
  struct Place {  // where something is in the user's file
    SourceSpan span;
    bool in_macro = false;
  };
  struct JumpTarget {
    Id block = kNone;
    std::size_t scope = 0;  // guards above this one end on the way
  };
  // An immediately called lambda whose body is lowered in place: its returns meet at `join`.
  struct InlineCall {
    Id join = kNone;
    std::vector<Id> returned;
    std::size_t scope = 0;
  };
  struct FunctionState {
    std::vector<JumpTarget> breaks, continues;
    std::vector<InlineCall> inline_calls;
    std::vector<std::pair<Id, std::size_t>> guards;  // value entered, scope depth
    std::size_t scope = 0;
    std::map<const clang::LabelDecl*, Id> labels;
    Id this_value = kNone;
    const clang::CXXRecordDecl* this_class = nullptr;
    std::map<Id, Id> pointees;  // storage of a pointer → its kDeref storage
    Id pointee_of_unknown = kNone;
  };

  // lower_places.cpp: positions, names, types
  Place place(clang::SourceRange range);
  Place place(const clang::Stmt* statement) { return place(statement->getSourceRange()); }
  bool in_candidate(clang::SourceLocation location);
  std::string name_of(const clang::NamedDecl* decl);
  std::string spelled(clang::SourceRange range);
  Type type_of(clang::QualType type);
  bool is_guard(clang::QualType type);
  bool narrows(clang::QualType from, clang::QualType to);  // a float or double that becomes a 16 or 8 bit float

  // lower_declarations.cpp
  void declare(const clang::DeclContext* context);
  void declare_class(const clang::CXXRecordDecl* record);
  Id declare_function(const clang::FunctionDecl* function);
  void define_functions();
  void lower_body(Id id, const clang::FunctionDecl* function, const clang::Stmt* body);
  void lower_parameters(Id id, const clang::FunctionDecl* function);
  void lower_static_initialisers();
  Id function_of(const clang::FunctionDecl* function);  // kNone when it is not the candidate's
  const std::vector<const clang::FunctionDecl*>& separate_instances(const clang::FunctionDecl* pattern);
  const clang::FunctionDecl* lowered_as(const clang::FunctionDecl* function);
  Id class_of(const clang::CXXRecordDecl* record);
  Id storage_of(const clang::ValueDecl* variable);
  std::int64_t bytes_of(const clang::ValueDecl* variable) const;
  Id lower_lambda(const clang::LambdaExpr* lambda);
  std::string binding_scope(const clang::Expr* object, int depth);
  std::size_t stores_to(const clang::VarDecl* variable);  // so far, in the current function
  Id bound_function(const clang::Expr* argument, int depth);
  void bind_class(const clang::CXXConstructExpr* made, const Place& where);
  void bind_arguments(Id function, const clang::CallExpr* call);
  void bind_schema(Id function, const std::string& schema, const Place& where);
  void bind_python(const std::string& callee, const clang::CallExpr* call, const std::vector<Id>& args,
                   const Place& where);

  // lower_statements.cpp
  void lower_statement(const clang::Stmt* statement);
  void lower_declaration(const clang::Decl* declaration);
  void lower_local(const clang::VarDecl* variable);
  void lower_if(const clang::IfStmt* statement);
  void lower_loop(const clang::Stmt* init, const clang::VarDecl* condition_variable, const clang::Expr* condition,
                  const clang::Stmt* body, const clang::Expr* increment);
  void lower_do(const clang::DoStmt* statement);
  void lower_range_for(const clang::CXXForRangeStmt* statement);
  // lower_tables.cpp
  bool lower_over_table(const clang::CXXForRangeStmt* statement);
  bool stands_for(const clang::VarDecl* variable, const clang::Expr* element);
  const clang::Expr* stood_for(const clang::Expr* expression) const;
  // lower_statements.cpp
  void lower_switch(const clang::SwitchStmt* statement);
  void lower_try(const clang::CXXTryStmt* statement);
  void lower_return(const clang::ReturnStmt* statement);
  void lower_asm(const clang::AsmStmt* statement);
  void lower_condition(const clang::Expr* condition, Id on_true, Id on_false);
  void lower_openmp(const clang::OMPExecutableDirective* directive);
  void open_scope() { ++state().scope; }
  void close_scope();
  void leave_guards(std::size_t down_to_scope);  // emits exits, keeps them open
  Id label(const clang::LabelDecl* label);

  // lower_expressions.cpp
  Id lower(const clang::Expr* expression);
  Id lower_inner(const clang::Expr* expression);
  // lower_locations.cpp
  facts::Location location(const clang::Expr* expression);
  const facts::Location* place_of(const clang::ValueDecl* reference) const;
  Id read(const clang::Expr* lvalue);
  Id lower_unary(const clang::UnaryOperator* expression);
  Id lower_binary(const clang::BinaryOperator* expression);
  Id lower_short_circuit(const clang::BinaryOperator* expression);
  Id lower_conditional(const clang::Expr* condition, const clang::Expr* on_true, const clang::Expr* on_false,
                       const clang::Expr* whole);
  void assign(const clang::Expr* target, Id value, const Place& where, bool augmented = false);
  std::optional<Json> fold(const clang::Expr* expression);
  bool made_of_option(const clang::Stmt* statement, int depth = 0);
  bool is_option(const clang::VarDecl* variable);
  Id pointee_storage(const facts::Location& pointer_location);
  facts::Location dereference(const clang::Expr* pointer, const clang::Expr* index);
  Id unknown(const std::string& reason, const clang::Expr* expression);

  // lower_calls.cpp
  Id lower_call(const clang::CallExpr* call);
  void target_forward(const clang::FunctionDecl* apply, Statement& statement, const Place& where);
  Id lower_operator_call(const clang::CXXOperatorCallExpr* call);
  Id lower_member_call(const clang::CXXMemberCallExpr* call);
  Id lower_bound_method(const clang::Expr* object, const clang::Expr* method, const clang::CallExpr* call);
  std::optional<facts::Location> taken_element(const clang::CallExpr* call);
  // lower_launches.cpp
  static bool launches_kernel(const std::string& callee);
  Id lower_launch(const clang::CUDAKernelCallExpr* call);
  Id lower_launch_call(const clang::CallExpr* call, const std::string& callee);
  Id lower_make(const clang::CallExpr* call, const clang::FunctionDecl* function, const std::string& callee);
  Id lower_visit(const clang::CallExpr* call, const clang::FunctionDecl* visit, const Place& where);
  // lower_calls.cpp
  Id lower_construction(const clang::CXXConstructExpr* expression);
  Id lower_inline_lambda(const clang::LambdaExpr* lambda, const clang::CallExpr* call);
  // lower_recovered.cpp
  Id lower_recovery(const clang::RecoveryExpr* expression);
  Id named_by_template(const clang::OverloadExpr* called);
  // lower_calls.cpp
  Id lower_argument(const clang::Expr* argument, const clang::ParmVarDecl* parameter);
  Id made_of_class(const clang::CXXRecordDecl* record, std::vector<Id> fields, clang::QualType type,
                   const Place& where);
  Id finish_call(Statement statement, const clang::FunctionDecl* callee, const clang::CallExpr* call,
                 clang::QualType type, const Place& where);
  std::vector<Id> lower_arguments(clang::CallExpr::const_arg_range arguments, const clang::FunctionDecl* callee,
                                  unsigned skip = 0);
  bool element_access(const clang::CXXOperatorCallExpr* call);

  FunctionState& state() { return states_.back(); }
  void problem(const std::string& kind, const std::string& message, const SourceSpan& span, bool blocks_clean = true);

  clang::ASTContext& context_;
  clang::SourceManager& sources_;
  const split::SourceUnit& unit_;
  const std::vector<split::VirtualFile>& neighbours_;
  const ParseOutcome& parsed_;
  Budget& budget_;
  Builder build_;
  Id unit_id_;

  std::unordered_map<const clang::Decl*, Id> functions_, classes_, storages_;
  std::unordered_map<const clang::Decl*, std::vector<const clang::FunctionDecl*>> instances_;
  std::map<std::string, std::string> schemas_;  // of a library's operators that have no function yet, by name
  std::vector<std::pair<Id, const clang::FunctionDecl*>> pending_;  // bodies still to lower
  std::vector<const clang::VarDecl*> globals_;
  std::unordered_map<std::string, std::string> neighbour_names_;  // virtual path → user's name
  std::unordered_map<const clang::Decl*, const clang::Expr*>
      aliases_;  // reference variables of the candidate → what they denote
  std::map<const clang::ValueDecl*, std::pair<Id, facts::Location>>
      places_;  // the same, of an element whose index is computed: the function, and the place there
  // Variables of a loop over a constant table that is written out → the element at hand, or the part of it.
  std::unordered_map<const clang::Decl*, const clang::Expr*> elements_;
  int tables_ = 0;  // loops that are being written out
  std::unordered_map<const clang::Type*, Type> types_;
  std::vector<FunctionState> states_;
  int depth_ = 0;
  bool depth_reported_ = false;
};

// The function that a callee names among candidates that the stubs leave open, where there is only one.
const clang::FunctionDecl* only_candidate(const clang::Expr* callee);

// "operator.add" for an overloadable operator, with "operator.iadd" for its assigning form; empty when it has none.
std::string operator_name(clang::OverloadedOperatorKind kind, unsigned operands);
std::string operator_name(clang::BinaryOperatorKind kind);

}  // namespace kernel_audit::analysis::cuda
