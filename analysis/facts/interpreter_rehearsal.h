// The call of a candidate as its task makes it: what sizes and settings decide goes one way alone, and loops whose
// turns are known are followed turn by turn. Where something is not known, all ways are followed to where they meet, as
// without a rehearsal. Private to the interpreter's files.
#pragma once

#include "analysis/facts/interpreter_frame.h"

namespace kernel_audit::analysis::facts {

struct Interpreter::Rehearsal {
  using Shape = std::vector<std::int64_t>;

  explicit Rehearsal(TaskCall task) : call(std::move(task)) {}

  // Whether an invocation can be followed that way.
  static bool follows(const Interpreter& run, const Frame& frame);
  void walk(Interpreter& run, Frame& frame);

  // What a statement gives, with what is known of it here.
  Abstract known(Interpreter& run, Frame& frame, const CallSite& site, Abstract result);
  void hand_over(Interpreter& run, Abstract& argument, std::size_t position);
  void configure(Interpreter& run, Abstract& argument, std::size_t position, Id otherwise, const CallSite& site) const;
  // A number that a call has computed may be another one in the next.
  static void forget_number(const Provenance& graph, Abstract& kept);

 private:
  // Where a walk stands.
  struct Way {
    Id at = 0;
    Id from = kNone;
    State state;
    std::map<Id, std::size_t> turns;  // by header of a loop
  };
  void begin_turn(Interpreter& run, Frame& frame, Way& way);
  std::vector<Way> go_on(Interpreter& run, Frame& frame, Way way);
  std::vector<Way> follow_all(Interpreter& run, Frame& frame, Way way, const std::vector<Id>& next);
  static void clear_ways(Frame& frame);
  std::optional<std::vector<Abstract>> sequence(Interpreter& run, Frame& frame, Id value, const CallSite& site,
                                                int depth = 0);
  std::vector<Abstract> layers(Interpreter& run, const Abstract& list) const;
  Id meeting(Interpreter& run, Id function, Id block);
  const std::set<Id>& raising(Interpreter& run, Id function);

  // interpreter_sizes.cpp
  const Shape* shape_of(const Abstract& tensor) const;
  int interned(const Shape& shape);
  Abstract sizes(Interpreter& run, const Shape& shape, const NodeSet& nodes, const CallSite& site);
  static bool doubtful(const Interpreter& run, const Frame& frame, const Statement& load);
  std::optional<Abstract> loaded(Interpreter& run, Frame& frame, const CallSite& site, const Abstract& result);
  std::optional<Abstract> asked(Interpreter& run, const std::string& last, const std::vector<Abstract>& operands,
                                const Abstract& result, const CallSite& site);
  std::optional<Shape> made(Interpreter& run, const std::string& last, OperationKind kind,
                            const std::vector<Abstract>& operands) const;
  bool same_sizes(Interpreter& run, const Abstract& a, const Abstract& b, bool& same) const;

  TaskCall call;
  std::vector<Shape> shapes_;
  std::map<Shape, int> index_;
  ObjectSet sizes_;  // containers that hold the sizes of a tensor
  std::map<std::pair<Id, Id>, Id> meetings_;
  std::map<Id, std::set<Id>> raising_;
};

}  // namespace kernel_audit::analysis::facts
