// Models of the first seeds are given again as copies, and no one can tell: else they are constructed again. Each model
// here tells as its last output how often the constructor ran.
#include "filters/probes/session.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "auditor/process/device_turns.h"
#include "filters/probes/generator_states.h"
#include "filters/probes/temporary_tasks.h"

namespace kernel_audit::filters {
namespace {

using Model = std::unique_ptr<worker::ModelInstance>;

class Session : public ::testing::Test {
 protected:
  // `init` and `forward` are bodies, in lines.
  void load(const std::vector<std::string>& init, const std::string& forward, const Json& extra = Json::object()) {
    std::string code =
        "import math, random, torch\nimport numpy as np\nfrom torch import nn\nMADE = []\n"
        "class Model(nn.Module):\n    def __init__(self):\n        super().__init__()\n        MADE.append(1)\n";
    for (const std::string& line : init) code += "        " + line + "\n";
    code += "    def forward(self, x):\n        return " + forward + ", torch.tensor(float(len(MADE)))\n" +
            "def get_inputs():\n    return [torch.randn(3, 4)]\n";
    Json job = {{"task", {{"path", tasks_.write(code)}}}};
    job.update(extra);
    const auto request = read_probe_request(job);
    ASSERT_TRUE(request) << request.error().describe();
    auto session = TaskSession::load(*request, budget_, turns_);
    ASSERT_TRUE(session) << session.error().describe();
    session_ = std::move(*session);
  }

  Model build(std::uint64_t seed, bool* drew_random = nullptr) {
    auto model = session_->build(seed, drew_random);
    EXPECT_TRUE(model) << (model ? "" : model.error().describe());
    if (!model) throw std::runtime_error("no model");
    return std::move(*model);
  }

  // The first output; `made_` is how often the constructor ran so far.
  at::Tensor answer(worker::ModelInstance& model, std::optional<std::uint64_t> forward_seed = kForwardSeed) {
    const std::vector<worker::Argument> inputs = {{at::arange(12, at::kFloat).reshape({3, 4}), {}, "Tensor", {}}};
    const auto result = session_->forward(model, inputs, forward_seed);
    EXPECT_TRUE(result) << (result ? "" : result.error().describe());
    if (!result) return {};
    made_ = result->outputs.back().item<double>();
    return result->outputs[0].clone();
  }

  void expect_equal_state(worker::ModelInstance& one, worker::ModelInstance& other) {
    const auto a = one.state(), b = other.state();
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      EXPECT_EQ(a[i].name, b[i].name);
      EXPECT_TRUE(at::equal(a[i].tensor, b[i].tensor)) << a[i].name;
      EXPECT_FALSE(a[i].tensor.is_alias_of(b[i].tensor)) << a[i].name;
    }
  }

  TemporaryTasks tasks_;
  MemoryBudget budget_{0};
  process::DeviceTurns turns_{nullptr};
  std::unique_ptr<TaskSession> session_;
  double made_ = 0;
};

TEST_F(Session, DrawsInputsThatAreNotTheWeightsOverAgain) {
  const std::vector<std::string> init = {"self.w = nn.Parameter(torch.randn(3, 4))"};
  load(init, "x - self.w");
  const auto inputs = session_->draw_inputs(kFirstSeed);
  ASSERT_TRUE(inputs);
  EXPECT_FALSE(at::equal(*inputs->at(0).tensor, build(kFirstSeed)->state().at(0).tensor));
  // Where a preset's definition says which seed, that is the seed.
  load(init, "x - self.w", {{"preset", "robust-kbench"}});
  const auto published = session_->draw_inputs(kFirstSeed);
  ASSERT_TRUE(published);
  EXPECT_TRUE(at::equal(*published->at(0).tensor, build(kFirstSeed)->state().at(0).tensor));
}

TEST_F(Session, GivesWeightsOfTheFirstSeedsAgainWithoutDrawingThem) {
  load({"self.fc = nn.Linear(4, 4)", "self.other = nn.Linear(4, 4)", "self.other.weight = self.fc.weight",
        "self.norm = nn.BatchNorm1d(4)", "self.register_buffer('mask', torch.rand(4), persistent=False)",
        "self.rnn = nn.LSTM(4, 4)", "self.drop = nn.Dropout(0.5)", "self.layers = [self.fc, self.other]",
        "self.activation = torch.relu"},
       "self.drop(self.activation(self.norm(self.layers[1](self.layers[0](x))) + self.rnn(x)[0] * self.mask))");
  bool drew = false, drew_again = false;
  for (const std::uint64_t seed : {kFirstSeed, kFirstSeed + 1}) {
    const Model first = build(seed, &drew);
    const auto generators = generator_states("cpu");
    const at::Tensor random = at::rand({4});
    const Model again = build(seed, &drew_again);
    EXPECT_TRUE(same_states(generators, generator_states("cpu")));
    EXPECT_TRUE(at::equal(random, at::rand({4})));
    EXPECT_TRUE(drew && drew_again);
    expect_equal_state(*first, *again);
    EXPECT_TRUE(at::equal(answer(*first), answer(*again)));
    EXPECT_EQ(made_, static_cast<double>(seed - kFirstSeed + 1));
  }
  // What happens to one is seen in no other, and the tied weights of one are one.
  const Model spoiled = build(kFirstSeed);
  const at::Tensor before = answer(*spoiled);
  {
    const c10::AutoGradMode no_grad(false);
    for (worker::StateEntry& entry : spoiled->state()) {
      EXPECT_NE(entry.name, "other.weight");
      if (entry.name == "fc.weight") entry.tensor.fill_(2);
    }
  }
  EXPECT_FALSE(at::equal(before, answer(*spoiled)));
  EXPECT_TRUE(at::equal(before, answer(*build(kFirstSeed))));
}

TEST_F(Session, ForwardDrawsTheSameWithoutASeedOfItsOwn) {
  load({"self.fc = nn.Linear(4, 64)", "self.drop = nn.Dropout(0.5)"}, "self.drop(self.fc(x))");
  const at::Tensor first = answer(*build(kFirstSeed), std::nullopt);
  EXPECT_TRUE(at::equal(first, answer(*build(kFirstSeed), std::nullopt)));
  EXPECT_EQ(made_, 1);
}

TEST_F(Session, RemembersThatNothingWasDrawn) {
  load({"self.weight = nn.Parameter(torch.ones(4))"}, "x * self.weight");
  bool drew = true;
  build(kFirstSeed, &drew);
  EXPECT_FALSE(drew);
  drew = true;
  const Model again = build(kFirstSeed, &drew);
  EXPECT_FALSE(drew);
  answer(*again);
  EXPECT_EQ(made_, 1);
}

TEST_F(Session, FurtherSeedsAreDrawn) {
  load({"self.fc = nn.Linear(4, 4)"}, "self.fc(x)");
  for (int i = 1; i <= 2; ++i) {
    answer(*build(kFirstSeed + 2));
    EXPECT_EQ(made_, i);
  }
}

TEST_F(Session, PublishedDefinitionsAreDrawnAsTheyAre) {
  load({"self.fc = nn.Linear(4, 4)"}, "self.fc(x)", {{"preset", "robust-kbench"}});
  for (int i = 1; i <= 2; ++i) {
    answer(*build(kFirstSeed));
    EXPECT_EQ(made_, i);
  }
}

TEST_F(Session, ModelsLargerThanTheRoomForThemAreDrawn) {
  load({"self.fc = nn.Linear(4, 4096)"}, "self.fc(x)", {{"memory_limit_bytes", 1 << 20}});
  for (int i = 1; i <= 2; ++i) {
    answer(*build(kFirstSeed));
    EXPECT_EQ(made_, i);
  }
}

TEST_F(Session, ModelsOfAnotherFormOrWithOtherConstantsDoNotResembleTheKeptOnes) {
  const auto kept_and = [&](const std::string& other) {
    load({"self.fc = nn.Linear(4, 4)", "self.register_buffer('fixed', torch.ones(3))"}, "self.fc(x)");
    KeptModels kept("cpu");
    for (const std::uint64_t seed : {kFirstSeed, kFirstSeed + 1}) {
      kept.keep(seed, *build(seed), true, generator_states("cpu"), 1 << 20);
    }
    const std::unique_ptr<TaskSession> first = std::move(session_);
    load({"self.fc = nn.Linear(4, 4)", other}, "self.fc(x)");
    return kept.resembles(*build(kFirstSeed + 2));
  };
  EXPECT_TRUE(kept_and("self.register_buffer('fixed', torch.ones(3))"));
  EXPECT_FALSE(kept_and("self.register_buffer('fixed', torch.rand(3))"));
  EXPECT_FALSE(kept_and("self.register_buffer('fixed', torch.ones(4))"));
  EXPECT_FALSE(kept_and("self.register_buffer('other', torch.ones(3))"));
  EXPECT_FALSE(kept_and("pass"));
}

class NoCopies : public Session, public ::testing::WithParamInterface<std::vector<std::string>> {};

TEST_P(NoCopies, AreConstructedAnew) {
  std::vector<std::string> init = {"self.fc = nn.Linear(4, 4)"};
  init.insert(init.end(), GetParam().begin(), GetParam().end());
  load(init, "getattr(self, 'call', self.fc)(x)");
  const Model first = build(kFirstSeed), again = build(kFirstSeed);
  expect_equal_state(*first, *again);
  const at::Tensor before = answer(*first);
  EXPECT_EQ(made_, 2);
  {
    const c10::AutoGradMode no_grad(false);
    for (worker::StateEntry& entry : again->state()) entry.tensor.fill_(2);
  }
  EXPECT_FALSE(at::equal(before, answer(*again)));  // by its own weights
}

INSTANTIATE_TEST_SUITE_P(
    Session, NoCopies,
    ::testing::Values(std::vector<std::string>{"self.call = lambda x: self.fc(x)"},           // a closure
                      std::vector<std::string>{"self.call = lambda x, fc=self.fc: fc(x)"},    // a default
                      std::vector<std::string>{"self.library = math"},                        // no deep copy
                      std::vector<std::string>{"class Other: pass", "self.other = Other()"},  // unknown type
                      std::vector<std::string>{"self.fc.register_forward_hook(lambda m, i, o: o + self.fc.bias)"},
                      std::vector<std::string>{"self.fc.weight.note = 1"},          // lost in a copy
                      std::vector<std::string>{"self.plain = torch.randn(4)"},      // where to() leaves it
                      std::vector<std::string>{"self.view = self.fc.weight.data"},  // shared memory
                      std::vector<std::string>{"self.scale = np.random.rand()"},    // other generators
                      std::vector<std::string>{"self.scale = random.random()"},
                      std::vector<std::string>{"self.norm = torch.nn.utils.weight_norm(nn.Linear(4, 4))"}));

}  // namespace
}  // namespace kernel_audit::filters
