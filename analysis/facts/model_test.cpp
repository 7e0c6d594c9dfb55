#include "analysis/facts/model.h"

#include <gtest/gtest.h>

#include "analysis/facts/facts_builder.h"

namespace kernel_audit::analysis::facts {
namespace {

// A ModelNew whose forward(self, x) the test fills in; `x` is its argument.
struct Candidate : FactsBuilder {
  Id model = klass("ModelNew");
  Id forward = kNone, self = kNone, x = kNone;
  void begin_forward() {
    forward = function("forward", model);
    self = parameter("self", {TypeKind::kModule, "ModelNew"});
    x = parameter("x");
    entry(model, forward);
  }
  Id attribute(const std::string& name) {
    return storage(StorageKind::kInstanceAttribute, name, Lifetime::kObject, model);
  }
};

TEST(Model, ALaunchedBufferIsMadeOfTheLaunch) {
  Candidate c;
  c.begin_forward();
  const Id out = c.call("torch.empty_like", {c.x});
  c.launch("scale", {c.x, out});
  c.ret(out);
  const Model model(c.facts());
  ASSERT_EQ(model.alternatives().size(), 1U);
  const Alternative& way = model.alternatives()[0];
  EXPECT_EQ(way.launches.size(), 1U);
  EXPECT_TRUE(way.framework.empty());
  EXPECT_TRUE(way.depends_on_contents);
  EXPECT_TRUE(model.state_uses().empty());
}

TEST(Model, MetadataIsNotContents) {
  Candidate c;
  c.begin_forward();
  const Id shape = c.call("torch.Tensor.size", {}, c.x);
  c.ret(c.call("torch.zeros", {shape}));
  const Model model(c.facts());
  ASSERT_EQ(model.alternatives().size(), 1U);
  EXPECT_FALSE(model.alternatives()[0].depends_on_contents);
}

TEST(Model, BothSidesOfABranchAreAlternatives) {
  Candidate c;
  c.begin_forward();
  const Id condition = c.call("operator.gt", {c.call("torch.Tensor.size", {}, c.x), c.constant(8)});
  const auto [yes, no] = c.branch(condition);
  c.in_block(yes);
  const Id out = c.call("torch.empty_like", {c.x});
  c.launch("scale", {c.x, out});
  c.ret(out);
  c.in_block(no);
  c.ret(c.call("torch.relu", {c.x}));
  const Model model(c.facts());
  ASSERT_EQ(model.alternatives().size(), 2U);
  for (const Alternative& way : model.alternatives()) {
    ASSERT_EQ(way.guards.size(), 1U);
    EXPECT_EQ(way.guards[0].kind, GuardKind::kShape);
    EXPECT_NE(way.launches.empty(), way.framework.empty());
  }
}

TEST(Model, ALazilyMadeWorkspaceThatEveryCallOverwritesIsNotState) {
  Candidate c;
  const Id buffer = c.attribute("buffer");
  c.function("__init__", c.model);
  const Id init_self = c.parameter("self");
  c.store(buffer, c.constant(Json()), init_self);
  c.begin_forward();
  const Id held = c.load(buffer, c.self);
  const auto [yes, no] = c.branch(c.call("operator.is_", {held, c.constant(Json())}));
  const Id done = c.new_block();
  c.in_block(yes);
  c.store(buffer, c.call("torch.empty_like", {c.x}), c.self);
  c.jump(done);
  c.in_block(no);
  c.jump(done);
  c.in_block(done);
  const Id out = c.load(buffer, c.self);
  c.launch("scale", {c.x, out});
  c.ret(c.load(buffer, c.self));
  const Model model(c.facts());
  for (const StateUse& use : model.state_uses()) EXPECT_FALSE(use.depends_on_contents && use.direct);
  ASSERT_FALSE(model.alternatives().empty());
  for (const Alternative& way : model.alternatives()) EXPECT_FALSE(way.launches.empty());
}

TEST(Model, AResultKeptByIdentityIsDirectState) {
  Candidate c;
  const Id last = c.attribute("last"), result = c.attribute("result");
  c.function("__init__", c.model);
  const Id init_self = c.parameter("self");
  c.store(last, c.constant(Json()), init_self);
  c.store(result, c.constant(Json()), init_self);
  c.begin_forward();
  const auto [yes, no] = c.branch(c.call("operator.is_", {c.load(last, c.self), c.x}));
  c.in_block(yes);
  c.ret(c.load(result, c.self));
  c.in_block(no);
  const Id out = c.call("torch.empty_like", {c.x});
  c.launch("scale", {c.x, out});
  c.store(last, c.x, c.self);
  c.store(result, out, c.self);
  c.ret(out);
  const Model model(c.facts());
  ASSERT_EQ(model.state_uses().size(), 1U);
  const StateUse& use = model.state_uses()[0];
  EXPECT_TRUE(use.direct);
  EXPECT_TRUE(use.depends_on_contents);
  EXPECT_FALSE(use.stored.empty());
  EXPECT_TRUE(
      std::any_of(use.guards.begin(), use.guards.end(), [](const Guard& g) { return g.kind == GuardKind::kIdentity; }));
}

TEST(Model, RecurrentStateIsNeitherDirectNorRefreshed) {
  Candidate c;
  const Id hidden = c.attribute("hidden");
  c.function("__init__", c.model);
  const Id init_self = c.parameter("self");
  c.store(hidden, c.call("torch.zeros", {c.constant(4)}), init_self);
  c.begin_forward();
  const Id next = c.call("torch.empty_like", {c.x});
  c.launch("cell", {c.x, c.load(hidden, c.self), next});
  c.store(hidden, next, c.self);
  c.ret(next);
  const Model model(c.facts());
  for (const StateUse& use : model.state_uses()) {
    EXPECT_FALSE(use.direct);
    EXPECT_FALSE(use.refreshed);
  }
}

TEST(Model, CallsCrossTheBorderAndBindArguments) {
  Candidate c;
  const Id native = c.function("scale_cuda", kNone, true);
  const Id input = c.parameter("input");
  const Id out = c.call("at::empty_like", {input});
  c.launch("scale", {c.call("at::Tensor::data_ptr", {}, input), c.call("at::Tensor::data_ptr", {}, out)});
  c.ret(out);
  c.begin_forward();
  c.ret(c.call("ext:m.scale_cuda", {c.x}, kNone, native));
  const Model model(c.facts());
  ASSERT_EQ(model.alternatives().size(), 1U);
  EXPECT_EQ(model.alternatives()[0].launches.size(), 1U);
  EXPECT_TRUE(model.alternatives()[0].depends_on_contents);
  EXPECT_TRUE(model.reached(native, Phase::kForward));
  std::vector<FlowNote> notes;
  model.add_call_notes(model.alternatives()[0].launches[0], notes);
  EXPECT_EQ(notes.size(), 1U);
}

TEST(Model, SideStreamWorkIsPendingUntilJoined) {
  for (const bool joined : {false, true}) {
    Candidate c;
    c.begin_forward();
    const Id stream = c.call("torch.cuda.Stream", {});
    const Id scope = c.call("torch.cuda.stream", {stream});
    c.call("contextlib.enter", {scope});
    const Id y = c.call("torch.matmul", {c.x, c.x});
    c.call("contextlib.exit", {scope});
    if (joined) c.call("torch.cuda.Stream.wait_stream", {stream}, c.call("torch.cuda.current_stream", {}));
    c.ret(y);
    const Model model(c.facts());
    ASSERT_EQ(model.returns().size(), 1U);
    EXPECT_EQ(model.returns()[0].pending.empty(), joined);
  }
}

TEST(Model, AnUnresolvedCallIsUnknownWithAReason) {
  Candidate c;
  c.begin_forward();
  c.ret(c.call("?.mystery", {c.x}, c.computed()));
  const Model model(c.facts());
  ASSERT_EQ(model.alternatives().size(), 1U);
  EXPECT_EQ(model.alternatives()[0].unknown.size(), 1U);
}

TEST(Model, RecursionAndCyclesEnd) {
  Candidate c;
  c.begin_forward();
  const Id loop = c.new_block();
  c.jump(loop);
  c.in_block(loop);
  const Id y = c.call("ModelNew.forward", {c.x}, c.self, c.forward);
  const Id end = c.new_block();
  c.block().condition = y;
  c.block().successors = {{loop, EdgeKind::kTrue}, {end, EdgeKind::kFalse}};
  c.in_block(end);
  c.ret(y);
  const Model model(c.facts());
  EXPECT_FALSE(model.returns().empty());
}

TEST(Model, CyclicInheritanceAndEnclosureEnd) {
  Candidate c;
  c.begin_forward();
  c.ret(c.x);
  c.facts().classes[0].base_classes = {0};
  c.facts().functions[0].enclosing_function = 0;
  const Model model(c.facts());
  ASSERT_EQ(model.alternatives().size(), 1U);
  EXPECT_TRUE(model.alternatives()[0].is_argument);
}

}  // namespace
}  // namespace kernel_audit::analysis::facts
