// Numbers that host code computes of the sizes of its tensors: grids, arguments of launches, shapes of buffers. The
// sizes of forward's arguments are those that the candidate's get_inputs makes; without it little is known.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "analysis/facts/flow_graph.h"
#include "analysis/facts/model.h"

namespace kernel_audit::analysis::rules {

class KernelView;

class HostNumbers {
 public:
  struct Value {
    std::optional<double> number;
    bool list = false;
    std::vector<Value> items;
  };
  using Shape = std::vector<double>;

  explicit HostNumbers(const facts::Model& model);
  bool knows_inputs() const { return inputs_ != facts::kNone; }
  facts::Id get_inputs() const { return inputs_; }            // kNone where there is none
  facts::Id get_init_inputs() const { return init_inputs_; }  // the same

  // The function of a launch in one of the ways that calls lead there.
  int frame(const facts::StatementRef& where, facts::ContextId context);
  // A function by its only caller; what several call is not told apart.
  int frame_by_caller(facts::Id function);
  Value of(facts::Id value, int frame, int depth = 0);
  std::optional<double> number(facts::Id value, int frame) { return of(value, frame).number; }
  std::optional<Shape> shape(facts::Id tensor, int frame, int depth = 0);
  std::optional<double> elements(facts::Id tensor, int frame);
  std::optional<Shape> input(std::size_t position);  // of what get_inputs returns
  // The part of another tensor that a tensor is, by its first axes: x[2:, 0], x.narrow(0, 2, n).
  struct Span {
    double begin = 0, end = 0, step = 1;
    bool single = false;  // an index, which takes the axis away
    bool operator==(const Span&) const = default;
  };
  struct Part {
    facts::Id whole = facts::kNone;
    int frame = -1;
    std::vector<Span> axes;
  };
  std::optional<Part> part(facts::Id tensor, int frame, int depth = 0);
  // What an object of that class is made of, where it is made in this function.
  std::vector<facts::Id> parts(facts::Id object, int frame, const std::string& class_name);
  // Elements of a tensor in the list that get_inputs returns.
  std::optional<double> input_elements(std::size_t position);
  // The first number of a loop over range(…), and the end that it does not come to; equal for an empty list.
  std::optional<std::pair<double, double>> range_of(const facts::Statement& next, int frame);
  // Members of a structure of that class that are numbers, where it is made in this function and each is set once.
  std::map<std::string, double> fields(facts::Id object, int frame, const std::string& class_name);
  // Grid of a launch, by axis; empty when it is not known.
  std::vector<double> grid(const facts::Statement& launch, facts::Id value, int frame);
  // How many elements iterating over something gives.
  std::optional<double> turns(facts::Id iterable, int frame, int depth = 0);
  // Which way the condition of a block goes when it is come to first.
  std::optional<bool> goes(facts::Id function, facts::Id block, int frame);
  // The way that it goes, where there is one alone; of a loop, that it is not entered.
  std::optional<bool> decides(facts::Id function, facts::Id block, int frame);
  // Whether the grid of a launch has no blocks.
  bool no_blocks(const facts::Statement& launch, int frame);
  // How many processors the device is taken to have: what is right for one number of them only is not right.
  static constexpr double kProcessors = 132;

 private:
  static constexpr int kDeepestPart = 60;
  struct Frame {
    facts::Id function = facts::kNone;
    const facts::Statement* call = nullptr;    // in the frame around it
    const facts::Statement* launch = nullptr;  // whose grid the function makes
    int around = -1;
    bool by_language = false;  // a method that the language calls for the first time
  };
  struct Made {
    const facts::Statement* statement = nullptr;
    int frame = 0;
  };
  struct Place {
    const facts::Statement* statement = nullptr;
    facts::StatementRef where;
  };

  int add(Frame frame);
  void note_handed_out(const facts::Statement& call);
  bool only_read(facts::Id function, std::size_t parameter) const;
  Place made_at(facts::Id value) const;
  // The value that a load of a variable or attribute gives, and where it is a value.
  struct Held {
    facts::Id value = facts::kNone;
    int frame = 0;
  };
  std::optional<Held> held(const Place& load, int frame);
  Value spread(facts::Id storage, int frame, int depth);
  std::vector<Place> stores_to_member(const std::string& name) const;
  std::optional<Held> member(const facts::Statement& load, int frame, int depth);
  std::optional<Held> handed(facts::Id function, std::size_t parameter, int frame);
  // The call that made an object, through variables.
  Made origin(facts::Id value, int frame, int depth = 0);
  std::optional<Held> element_of(const Made& container, facts::Id key, int frame, int depth);
  std::optional<Json> key_of(facts::Id key, int frame, int depth);
  // Containers that calls and stores change after they are made; those that these numbers keep from being run do not.
  void note_growth();
  void note_grown(facts::Id value, const facts::StatementRef& where, std::set<facts::Id>& seen);
  bool grown(const facts::Statement& container);
  bool never_reached(const facts::StatementRef& where);
  Value in_bytes(double elements) const;
  Value of_call(const facts::Statement& call, int frame, int depth);
  Value of_attribute(const facts::Statement& load, int frame, int depth);
  Value filled_with(facts::Id tensor, int frame, int depth);
  Value result_of(const facts::Statement& call, int frame, int depth);
  // The only value that a function returns in a frame of it.
  facts::Id returned(facts::Id function, int frame);
  // host_parts.cpp
  std::optional<Shape> shape_of_element(const facts::Statement& load, int frame, int depth);
  std::optional<Shape> shape_of_piece(const facts::Statement& call, const std::string& name, int frame, int depth);
  std::optional<Shape> shape_of_repeat(const facts::Statement& call, const std::string& name, int frame, int depth);
  std::optional<Shape> shape_of_call(const facts::Statement& call, int frame, int depth);
  std::optional<Shape> shape_of_joined(const facts::Statement& call, const std::string& name, int frame, int depth);
  std::optional<Shape> shape_of_part(facts::Id tensor, int frame, int depth);
  std::optional<Span> span_of_slice(const std::vector<facts::Id>& bounds, double size, int frame, int depth);
  bool index_axes(const std::vector<facts::Id>& indices, const Shape& whole, Part& part, int depth);
  std::optional<Shape> shape_of_weight(const facts::Statement& module, const std::string& name, int frame, int depth);
  std::optional<Shape> sizes(const std::vector<facts::Id>& args, int frame, int depth);
  bool kept_from(facts::Id block, int frame);
  bool kept_by_decider(facts::Id block, int frame);
  bool runs_in(facts::Id function, int frame) const;
  facts::Id chosen(const facts::Statement& phi, const facts::StatementRef& where, int frame);
  std::optional<double> only_range(int frame);
  std::optional<bool> truth(facts::Id value, int frame, int depth = 0);
  std::optional<bool> enters(facts::Id function, facts::Id block, int frame);
  bool none_passes(const facts::Statement& filter, int frame, int depth);
  std::optional<double> turns_of_vector(const facts::Statement& made, int frame);
  std::optional<double> turns_of_call(const facts::Statement& call, int frame, int depth);
  std::optional<double> elements_of_slice(const facts::Statement& slice, std::optional<double> size, int frame,
                                          int depth);
  bool in_entered_loop(facts::Id function, facts::Id block) const;
  bool only_lent(const KernelView& view, facts::Id storage) const;
  bool handed_out(facts::Id function, facts::Id storage);
  bool may_change_unseen(facts::Id function, facts::Id storage) const;
  bool others_store(facts::Id storage) const;
  // host_protocols.cpp
  struct Asked {
    facts::Id function = facts::kNone;
    int frame = -1;
  };
  std::optional<Asked> ask(const Made& object, const std::string& method);
  bool only_raises(const Asked& asked);
  bool yields_nothing(facts::Id generator, int frame);
  std::optional<double> turns_of_object(const Made& object, int depth);
  std::optional<double> length_of_object(const Made& object, int depth);
  std::optional<bool> truth_of_object(const Made& object, int depth);
  bool is_first_place(const facts::Statement& load, int frame) const;
  bool after_first_step(const Place& store, const Place& load, int frame) const;
  std::optional<Held> made_with(const Place& store, facts::Id object, int frame);

  const facts::Model& model_;
  std::deque<Frame> frames_;
  std::deque<facts::Statement> implied_;  // calls that the language makes
  std::vector<Place> made_;               // by value
  std::map<facts::Id, std::vector<Place>> stores_;
  std::map<facts::Id, std::vector<facts::StatementRef>> grown_;  // by the container's value
  std::map<facts::Id, int> function_frames_;
  // Variables that calls are handed the address of: they hold anything, or the number of processors.
  std::set<facts::Id> handed_out_, processors_;
  std::map<std::pair<facts::Id, facts::Id>, bool> changed_unseen_;  // by function and variable
  std::map<facts::Id, std::vector<Place>> callers_;
  bool deciding_ = false;  // which way a condition goes: calls may have changed what lasts, lists may have grown
  std::pair<facts::Id, facts::Id> entered_{facts::kNone, facts::kNone};  // function, head of a loop come to first
  facts::Id inputs_ = facts::kNone, init_inputs_ = facts::kNone;         // functions
  // Which questions of kept_from are being answered: block and frame, and the loop that is come to first. One that
  // comes down to itself is not known.
  std::set<std::tuple<facts::Id, int, std::pair<facts::Id, facts::Id>>> asked_;
  // Questions that lead to each other: past so many nothing is known.
  static constexpr int kMostNested = 20;
  class Nested {
   public:
    explicit Nested(int& count) : count_(count) { ++count_; }
    ~Nested() { --count_; }
    Nested(const Nested&) = delete;
    Nested& operator=(const Nested&) = delete;

   private:
    int& count_;
  };
  int nested_ = 0;
  // Values that are computed from each other twice over take twice as long each time: past it nothing is known.
  static constexpr int kMostSteps = 500'000;
  int steps_ = 0;
};

}  // namespace kernel_audit::analysis::rules
