#include "auditor/worker/python_module.h"

#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "auditor/worker/argument_json.h"
#include "auditor/worker/interpreter.h"

namespace kernel_audit::worker {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

class PythonModuleTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("kernel-audit-module-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }

  std::unique_ptr<PythonModule> load(const std::string& text, const std::string& name = "module.py") {
    auto module = PythonModule::load(write(name, text), "test_module");
    EXPECT_TRUE(module) << (module ? "" : module.error().describe());
    return module ? std::move(*module) : nullptr;
  }

  // The model `Model` of a module whose forward has this body.
  std::unique_ptr<ModelInstance> model(const std::string& body) {
    auto module =
        load("import torch\nfrom torch import nn\nclass Model(nn.Module):\n  def forward(self, x):\n    " + body);
    auto made = module->construct("Model", {});
    EXPECT_TRUE(made) << (made ? "" : made.error().describe());
    module_ = std::move(module);
    return made ? std::move(*made) : nullptr;
  }

  std::filesystem::path folder_;
  std::unique_ptr<PythonModule> module_;
};

constexpr const char* kTask = R"(
import torch
from torch import nn
N = 4
class Model(nn.Module):
    def __init__(self, width, scale=1.0):
        super().__init__()
        self.fc = nn.Linear(width, 3)
        self.register_buffer("offset", torch.zeros(3))
        self.register_buffer("hidden", torch.ones(1), persistent=False)
        self.scale = scale
        self.training_seen = None
    def forward(self, x, factor):
        assert not torch.is_grad_enabled()
        return self.fc(x) * factor * self.scale + self.offset
def get_inputs():
    return [torch.rand(2, N), 0.5]
def get_init_inputs():
    return [N, 2.0]
)";

TEST_F(PythonModuleTest, RunsATaskFromItsFile) {
  auto module = load(kTask);
  ASSERT_TRUE(module);
  EXPECT_TRUE(module->has("Model"));
  EXPECT_FALSE(module->has("ModelNew"));
  seed_everything(42);
  auto inputs = module->call_get_inputs();
  auto init = module->call_get_init_inputs();
  ASSERT_TRUE(inputs && init);
  ASSERT_EQ(inputs->size(), 2U);
  EXPECT_EQ((*inputs)[1].python_type, "float");
  EXPECT_EQ((*inputs)[1].plain, Json(0.5));
  auto instance = module->construct("Model", *init);
  ASSERT_TRUE(instance) << instance.error().describe();
  auto outputs = (*instance)->forward(*inputs);
  ASSERT_TRUE(outputs) << outputs.error().describe();
  ASSERT_EQ(outputs->size(), 1U);
  EXPECT_EQ((*outputs)[0].sizes(), at::IntArrayRef({2, 3}));
  EXPECT_EQ((*instance)->subclass_outputs(), 0);
}

TEST_F(PythonModuleTest, EqualSeedsGiveEqualWeightsAndInputs) {
  auto module = load(kTask);
  const auto draw = [&](std::uint64_t seed) {
    seed_everything(seed);
    auto made = module->construct("Model", *module->call_get_init_inputs());
    return std::pair((*made)->state().at(0).tensor.clone(), module->call_get_inputs()->at(0).tensor->clone());
  };
  const auto first = draw(7), again = draw(7), other = draw(8);
  EXPECT_TRUE(at::equal(first.first, again.first) && at::equal(first.second, again.second));
  EXPECT_FALSE(at::equal(first.first, other.first) || at::equal(first.second, other.second));
}

TEST_F(PythonModuleTest, WritingTheStateInPlaceIsSeenByTheModelAndByItsVersion) {
  auto module = load(kTask);
  auto instance = std::move(*module->construct("Model", *module->call_get_init_inputs()));
  auto state = instance->state();
  ASSERT_EQ(state.size(), 4U);
  EXPECT_EQ(state[0].name, "fc.weight");
  EXPECT_TRUE(state[0].is_parameter);
  EXPECT_EQ(state[2].name, "offset");
  EXPECT_FALSE(state[2].is_parameter);
  EXPECT_EQ(state[3].name, "hidden") << "buffers that are not persistent influence the output too";
  const auto version = instance->state()[2].tensor._version();
  state[2].tensor.copy_(at::full({3}, 100.0));
  EXPECT_GT(instance->state()[2].tensor._version(), version);
  auto outputs = instance->forward(*module->call_get_inputs());
  ASSERT_TRUE(outputs);
  EXPECT_GT((*outputs)[0].min().item<float>(), 50.0F);
}

TEST_F(PythonModuleTest, ConvertsFloatingStateToDouble) {
  auto module = load(kTask);
  auto instance = std::move(*module->construct("Model", *module->call_get_init_inputs()));
  ASSERT_TRUE(instance->to("cpu", at::kDouble));
  for (const StateEntry& entry : instance->state()) EXPECT_EQ(entry.tensor.scalar_type(), at::kDouble) << entry.name;
}

TEST_F(PythonModuleTest, FlattensNestedOutputsInOrder) {
  auto instance = model("return x, [x + 1, {'b': x + 2, 'a': (x + 3,)}]");
  auto outputs = instance->forward({Argument{at::zeros({2}), {}, "Tensor", nullptr}});
  ASSERT_TRUE(outputs) << outputs.error().describe();
  ASSERT_EQ(outputs->size(), 4U);
  for (int i = 0; i < 4; ++i)
    EXPECT_EQ((*outputs)[static_cast<std::size_t>(i)][0].item<float>(), static_cast<float>(i));
}

TEST_F(PythonModuleTest, OutputsThatAreNoTensorAreNamed) {
  for (const auto& [body, type] : {std::pair("return float(x.sum())", "float"),
                                   std::pair("return (x, None)", "NoneType"), std::pair("return 'text'", "str")}) {
    auto outputs = model(body)->forward({Argument{at::zeros({2}), {}, "Tensor", nullptr}});
    ASSERT_FALSE(outputs) << body;
    EXPECT_EQ(outputs.error().kind, ErrorKind::kProtocol);
    EXPECT_THAT(outputs.error().message, HasSubstr(type));
  }
}

TEST_F(PythonModuleTest, CountsOutputsOfASubclass) {
  auto instance = model("return x.as_subclass(type('Lazy', (torch.Tensor,), {}))");
  ASSERT_TRUE(instance->forward({Argument{at::zeros({2}), {}, "Tensor", nullptr}}));
  EXPECT_EQ(instance->subclass_outputs(), 1);
}

TEST_F(PythonModuleTest, ErrorsTellTheInnermostLineOfTheUser) {
  auto outputs = model("return helper(x)\ndef helper(x):\n  return torch.matmul(x, torch.zeros(7, 7))")
                     ->forward({Argument{at::zeros({2}), {}, "Tensor", nullptr}});
  ASSERT_FALSE(outputs);
  EXPECT_THAT(outputs.error().field, EndsWith("module.py:7"));
  EXPECT_EQ(outputs.error().kind, ErrorKind::kExit);

  const auto broken = PythonModule::load(write("broken.py", "x = 1\ndef f(:\n"), "test_module");
  ASSERT_FALSE(broken);
  EXPECT_THAT(broken.error().field, EndsWith("broken.py:2"));
  EXPECT_THAT(broken.error().message, HasSubstr("SyntaxError"));

  EXPECT_FALSE(PythonModule::load((folder_ / "absent.py").string(), "test_module"));
  const auto leaving = PythonModule::load(write("leaving.py", "import sys\nsys.exit(3)\n"), "test_module");
  ASSERT_FALSE(leaving) << "a module that leaves must not take the worker along";
  EXPECT_THAT(leaving.error().message, HasSubstr("SystemExit"));
}

TEST_F(PythonModuleTest, ModulesDoNotShareNames) {
  auto a = load("N = 8\ndef get_inputs(): return [N]\n", "a.py");
  auto b = load("N = 5\ndef get_inputs(): return [N]\n", "b.py");
  EXPECT_EQ(a->call_get_inputs()->at(0).plain, Json(8));
  EXPECT_EQ(b->call_get_inputs()->at(0).plain, Json(5));
}

TEST_F(PythonModuleTest, ImportsFilesBesideIt) {
  write("beside_it.py", "VALUE = 11\n");
  auto module = load("import beside_it\ndef get_inputs(): return [beside_it.VALUE]\n");
  ASSERT_TRUE(module);
  EXPECT_EQ(module->call_get_inputs()->at(0).plain, Json(11));
}

TEST_F(PythonModuleTest, PlainArgumentsSurviveTheWayThroughJson) {
  auto module = load(R"(
class Model:
    def __init__(self, *given):
        assert given == ((1, (2, 3)), [True, None], {"k": 2.5}, "text", 2**62), given
    def __call__(self): pass
def get_init_inputs():
    return [(1, (2, 3)), [True, None], {"k": 2.5}, "text", 2**62]
)");
  auto json = plain_arguments_to_json(*module->call_get_init_inputs());
  ASSERT_TRUE(json) << json.error().describe();
  auto parsed = parse_json(dump_json(*json), "arguments");
  auto made = module->construct("Model", *plain_arguments_from_json(*parsed));
  EXPECT_TRUE(made) << made.error().describe();

  auto odd = load(
      "import math\ndef get_inputs(): return [math.inf, -math.inf, math.nan]\n"
      "class Model:\n  def __init__(self, a, b, c): assert a == math.inf and b == -math.inf and c != c\n");
  json = plain_arguments_to_json(*odd->call_get_inputs());
  made = odd->construct("Model", *plain_arguments_from_json(*parse_json(dump_json(*json), "arguments")));
  EXPECT_TRUE(made) << made.error().describe();
}

TEST_F(PythonModuleTest, OpaqueArgumentsStayInThisProcess) {
  auto module = load(
      "class Thing: pass\nTHING = Thing()\ndef get_init_inputs(): return [THING]\n"
      "class Model:\n  def __init__(self, thing): assert thing is THING\n");
  auto arguments = module->call_get_init_inputs();
  ASSERT_TRUE(arguments);
  EXPECT_EQ(arguments->at(0).python_type, "opaque");
  EXPECT_FALSE(plain_arguments_to_json(*arguments));
  EXPECT_TRUE(module->construct("Model", *arguments)) << "in this process it is passed on as it is";
}

TEST_F(PythonModuleTest, WorksWithTheGilReleased) {
  auto module = load(kTask);
  const ReleaseGil released;
  seed_everything(1);
  auto instance = module->construct("Model", *module->call_get_init_inputs());
  ASSERT_TRUE(instance);
  EXPECT_TRUE((*instance)->forward(*module->call_get_inputs()));
}

}  // namespace
}  // namespace kernel_audit::worker
