// What comes out of small units: names, locations, launches, bindings, control flow.
#include <gmock/gmock.h>

#include <map>

#include "analysis/cuda/extract/lowering_test_support.h"

namespace kernel_audit::analysis::cuda {
namespace {

using facts::StatementKind;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kTorch =
    "#include <torch/extension.h>\n#include <ATen/cuda/CUDAContext.h>\n#include <c10/cuda/CUDAGuard.h>\n";
const std::string kKernel = "__global__ void k(const float* x, float* y, int n) { y[threadIdx.x] = x[threadIdx.x]; }\n";

std::string origin_of(const std::string& text) {
  const Lowered lowered(text);
  const auto launches = lowered.statements("f", StatementKind::kLaunch);
  return launches.size() == 1 ? launches[0]->launch->stream_origin : dump(lowered.facts);
}

TEST(Calls, NamesAreCanonical) {
  const Lowered lowered(kTorch +
                        "namespace t = torch; using namespace at;\n"
                        "#define GLUE(a, b) a##b\n"
                        "Tensor f(Tensor a) { auto b = t::GLUE(mat, mul)(a, a); b = matmul(a, b); b = a.mm(b) + a * 2; "
                        "return torch::softmax(b, 1); }\n");
  const std::string text = lowered.text("f");
  EXPECT_THAT(text, HasSubstr("call at::matmul("));
  EXPECT_THAT(text, HasSubstr("call at::Tensor::mm on "));
  EXPECT_THAT(text, HasSubstr("call operator.mul("));
  EXPECT_THAT(text, HasSubstr("call operator.add("));
  EXPECT_THAT(text, HasSubstr("call at::softmax("));
  EXPECT_THAT(text, Not(HasSubstr("torch::")));
  EXPECT_TRUE(lowered.facts.problems.empty()) << dump(lowered.facts);
}

TEST(Calls, UndeclaredFunctionsKeepTheirNameAndTheirCaller) {
  const Lowered lowered(kTorch +
                        "at::Tensor f(at::Tensor a) { auto b = torch::brand_new_op(a, 3); b = b.brand_new_method(); "
                        "my_helper(b); return b; }\n");
  const std::string text = lowered.text("f");
  EXPECT_THAT(text, HasSubstr("call at::brand_new_op("));
  EXPECT_THAT(text, HasSubstr("call at::Tensor::brand_new_method on"));
  EXPECT_THAT(text, HasSubstr("call my_helper("));
  const auto calls = lowered.statements("f", StatementKind::kCall);
  ASSERT_FALSE(calls.empty());
  EXPECT_THAT(lowered.facts.values[static_cast<std::size_t>(calls[0]->result)].reason, HasSubstr("no header declares"));
}

TEST(Types, StructuresSayWhetherTheyHaveRoomForAddresses) {
  const Lowered lowered(
      "template <int N> struct Lanes { float v[N]; };\nstruct Pair { Lanes<2> low; unsigned bits; };\n"
      "struct Wide { long long bits; };\nstruct Row { float* first; };\nunion Either { Pair pair; double whole; };\n"
      "__device__ void f(Pair pair, Wide wide, Row row, Either either, Pair& place) {}\n");
  std::map<std::string, std::pair<bool, bool>> found;  // numbers alone, an object of its own
  for (const facts::Storage& each : lowered.facts.storages) found[each.name] = {each.type.numbers, each.bytes > 0};
  EXPECT_EQ(found["pair"], std::pair(true, true));
  EXPECT_EQ(found["wide"], std::pair(false, true));
  EXPECT_EQ(found["row"], std::pair(false, true));
  EXPECT_EQ(found["either"], std::pair(true, true));
  EXPECT_EQ(found["place"], std::pair(true, false));
}

TEST(Calls, VendorRuntimeThreadsAndPythonAreSeen) {
  const Lowered lowered(kTorch +
                        "#include <cublas_v2.h>\n#include <thread>\n#include <dlfcn.h>\n"
                        "void f(cublasHandle_t h, float* p) { cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, p, p, "
                        "1, p, 1, p, p, 1); cudaMemcpyAsync(p, p, 4, cudaMemcpyDeviceToDevice, 0);\n"
                        "  std::thread t([=] { p[0] = 1; }); t.detach(); dlopen(\"libcupti.so\", RTLD_NOW); "
                        "PyEval_GetFrame(); PyDict_SetItem(nullptr, nullptr, nullptr); }\n");
  const std::string text = lowered.text("f");
  for (const char* name :
       {"call cublasSgemm(", "call cudaMemcpyAsync(", "call std::thread::thread(", "call std::thread::detach on",
        "call dlopen(\"libcupti.so\"", "call PyEval_GetFrame(", "call PyDict_SetItem("}) {
    EXPECT_THAT(text, HasSubstr(name));
  }
}

TEST(Calls, OwnFunctionsMethodsAndLambdasHaveTargets) {
  const Lowered lowered(
      "struct A { int v; int get() { return v; } }; int g(int x) { return x; }\n"
      "int f(A a) { auto l = [&](int q) { return q + a.v; }; return g(a.get()) + l(3); }\n");
  const std::string text = lowered.text("f");
  EXPECT_THAT(text, HasSubstr("-> @A::get"));
  EXPECT_THAT(text, HasSubstr("-> @g"));
  EXPECT_THAT(lowered.text("A::get"), HasSubstr("load member v of"));
  EXPECT_NE(lowered.find("f::<lambda>"), facts::kNone);
  EXPECT_EQ(lowered.facts.functions[static_cast<std::size_t>(lowered.find("f::<lambda>"))].enclosing_function,
            lowered.find("f"));
}

TEST(Storage, StaticsGlobalsMembersAndElements) {
  const Lowered lowered(kTorch +
                        "#include <unordered_map>\nstatic at::Tensor last; static std::unordered_map<void*, "
                        "at::Tensor> cache; struct S { static at::Tensor shared; };\n"
                        "at::Tensor f(at::Tensor x) { static at::Tensor memo = torch::zeros({2, 3}); thread_local int "
                        "calls = 0; calls++; S::shared = x;\n"
                        "  auto it = cache.find(x.data_ptr()); if (it != cache.end()) return it->second; last = x; "
                        "cache[x.data_ptr()] = last; memo[0] = x; return memo; }\n");
  const std::string text = lowered.text("f");
  for (const char* part : {"store static memo := ", "call static_local.is_uninitialised()",
                           "store thread calls := ", "store class shared := ", "load field second of ",
                           "store global last := ", "store global cache of ", "store static memo of "}) {
    EXPECT_THAT(text, HasSubstr(part));
  }
  for (const facts::Storage& storage : lowered.facts.storages) {
    if (storage.name == "last" || storage.name == "memo" || storage.name == "shared") {
      EXPECT_EQ(storage.lifetime, facts::Lifetime::kStatic) << storage.name;
    }
  }
}

TEST(Storage, LoopsOverDataPointersStoreThroughThem) {
  const Lowered lowered(kTorch +
                        "at::Tensor f(at::Tensor x) { auto y = torch::empty_like(x); float* out = y.data_ptr<float>(); "
                        "const float* in = x.data_ptr<float>();\n"
                        "  for (int64_t i = 0; i < x.numel(); ++i) out[i] = in[i] > 0 ? in[i] : 0; auto a = "
                        "y.accessor<float, 2>(); a[0][1] = 2; return y; }\n");
  int through_pointer = 0;
  for (const auto* store : lowered.statements("f", StatementKind::kStore)) {
    const facts::Id storage = store->location.storage;
    through_pointer += storage != facts::kNone && lowered.facts.storages[static_cast<std::size_t>(storage)].kind ==
                                                      facts::StorageKind::kDeref
                           ? 1
                           : 0;
  }
  EXPECT_EQ(through_pointer, 2) << lowered.text("f");
  EXPECT_THAT(lowered.text("f"), HasSubstr("back"));
}

TEST(Launches, KernelGridAndArguments) {
  const Lowered lowered(kTorch + kKernel +
                        "void f(at::Tensor x, int n) { dim3 grid((n + 255) / 256); k<<<grid, 256, "
                        "64>>>(x.data_ptr<float>(), nullptr, n); }\n");
  const auto launches = lowered.statements("f", StatementKind::kLaunch);
  ASSERT_EQ(launches.size(), 1U) << dump(lowered.facts);
  EXPECT_EQ(launches[0]->launch->kernel_function, lowered.find("k"));
  EXPECT_EQ(launches[0]->args.size(), 3U);
  EXPECT_EQ(launches[0]->launch->stream_origin, "default");
  EXPECT_EQ(*lowered.facts.values[static_cast<std::size_t>(launches[0]->launch->shared_bytes)].constant, Json(64));
  const facts::Function& kernel = lowered.facts.functions[static_cast<std::size_t>(lowered.find("k"))];
  EXPECT_TRUE(kernel.is_kernel);
  EXPECT_TRUE(kernel.parameters[0].is_const_pointer);
  EXPECT_FALSE(kernel.parameters[1].is_const_pointer);
  EXPECT_THAT(lowered.text("k"), HasSubstr("store deref *y of "));
}

TEST(Launches, DispatchMacroIsLoweredInPlace) {
  const Lowered lowered(kTorch +
                        "template <typename T> __global__ void tk(T* y) { y[0] = 1; }\n"
                        "at::Tensor f(at::Tensor x) { AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), \"f\", [&] { "
                        "tk<scalar_t><<<1, 2>>>(x.data_ptr<scalar_t>()); }); return x; }\n");
  const auto launches = lowered.statements("f", StatementKind::kLaunch);
  ASSERT_EQ(launches.size(), 1U) << dump(lowered.facts);
  EXPECT_EQ(launches[0]->launch->kernel_function, lowered.find("tk"));
  EXPECT_FALSE(launches[0]->in_macro);
}

TEST(Launches, StreamsAreFollowed) {
  const std::string head = kTorch + kKernel;
  EXPECT_EQ(origin_of(head + "void f() { k<<<1, 1>>>(0, 0, 1); }"), "default");
  EXPECT_EQ(origin_of(head + "void f() { k<<<1, 1, 0, 0>>>(0, 0, 1); }"), "default");
  EXPECT_EQ(origin_of(head + "void f() { auto s = at::cuda::getCurrentCUDAStream(); k<<<1, 1, 0, s>>>(0, 0, 1); }"),
            "current");
  EXPECT_EQ(
      origin_of(
          head +
          "void f() { cudaStream_t s = c10::cuda::getCurrentCUDAStream().stream(); k<<<1, 1, 0, s>>>(0, 0, 1); }"),
      "current");
  EXPECT_EQ(origin_of(head + "void f() { cudaStream_t s; cudaStreamCreate(&s); k<<<1, 1, 0, s>>>(0, 0, 1); }"),
            "created");
  EXPECT_EQ(origin_of(head + "static cudaStream_t s = nullptr; void f() { if (!s) cudaStreamCreateWithFlags(&s, "
                             "cudaStreamNonBlocking); k<<<1, 1, 0, s>>>(0, 0, 1); }"),
            "created");
  EXPECT_EQ(
      origin_of(head + "void f() { auto s = at::cuda::getStreamFromPool(); k<<<1, 1, 0, s.stream()>>>(0, 0, 1); }"),
      "created");
  EXPECT_EQ(origin_of(head + "void f() { k<<<1, 1, 0, cudaStreamPerThread>>>(0, 0, 1); }"), "per-thread");
  EXPECT_EQ(origin_of(head + "void f(cudaStream_t s) { k<<<1, 1, 0, s>>>(0, 0, 1); }"), "argument");
  EXPECT_EQ(
      origin_of(
          head +
          "void f(cudaStream_t s) { k<<<1, 1, 0, s>>>(0, 0, 1); } void g() { f(at::cuda::getCurrentCUDAStream()); }"),
      "current");
  EXPECT_EQ(origin_of(head + "void f(bool b) { cudaStream_t t; cudaStreamCreate(&t); cudaStream_t s = b ? t : 0; "
                             "k<<<1, 1, 0, s>>>(0, 0, 1); }"),
            "unknown");
}

TEST(Launches, MemberStreamsAreFollowed) {
  const Lowered lowered(
      kTorch + kKernel +
      "struct P { cudaStream_t s; P() { cudaStreamCreate(&s); } void g() { k<<<1, 1, 0, s>>>(0, 0, 1); } };");
  const auto launches = lowered.statements("P::g", StatementKind::kLaunch);
  ASSERT_EQ(launches.size(), 1U);
  EXPECT_EQ(launches[0]->launch->stream_origin, "created");
}

TEST(Bindings, PybindTorchLibraryAndFunctionsLists) {
  Lowered lowered(kTorch +
                  "at::Tensor a(at::Tensor x) { return x; }\nPYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def(\"fa\", "
                  "&a, \"doc\"); m.def(\"fl\", [](at::Tensor x) { return x; }); }\n"
                  "TORCH_LIBRARY(myops, m) { m.def(\"b(Tensor x) -> Tensor\", &a); }\nTORCH_LIBRARY_IMPL(myops, CUDA, "
                  "m) { m.impl(\"c\", &a); }\n");
  lowered.add(
      "__global__ void k(float* p) { p[0] = 1; } torch::Tensor go(torch::Tensor x) { k<<<1, 1>>>(x.data_ptr<float>()); "
      "return x; }",
      "ext:two");
  lowered.add("torch::Tensor go(torch::Tensor x);", "ext:two", {}, {}, {"go"});
  link_units(lowered.facts);
  std::map<std::string, facts::Id> found;
  for (const facts::Binding& binding : lowered.facts.bindings)
    found[binding.extension + "/" + binding.name] = binding.function;
  EXPECT_EQ(found["ext:test/fa"], lowered.find("a"));
  EXPECT_EQ(found["torch.ops.myops/b"], lowered.find("a"));
  EXPECT_EQ(found["torch.ops.myops/c"], lowered.find("a"));
  ASSERT_NE(found["ext:test/fl"], facts::kNone);
  ASSERT_TRUE(found.count("ext:two/go"));
  EXPECT_FALSE(lowered.facts.functions[static_cast<std::size_t>(found["ext:two/go"])].blocks.empty());
}

TEST(Flow, ConditionsTryAndSwitch) {
  const Lowered lowered(
      "#include <stdexcept>\nint g(); int f(int a, int b) { if (a > 0 && b > 0) return 1; try { return g(); } catch "
      "(const std::exception& e) { a = 2; } switch (a) { case 1: return 7; case 2: b = 3; default: b = 4; } do { --b; "
      "} while (b > 0); return b; }\n");
  const std::string text = lowered.text("f");
  EXPECT_THAT(text, HasSubstr(" exception"));
  EXPECT_THAT(text, HasSubstr("catch:"));
  EXPECT_THAT(text, HasSubstr(" try:"));
  EXPECT_THAT(text, HasSubstr("call operator.eq("));
  EXPECT_THAT(text, HasSubstr(" back"));
}

TEST(Flow, GuardsEndWithTheirScope) {
  const Lowered lowered(kTorch +
                        "void g(); int f(c10::cuda::CUDAStream s) { { at::cuda::CUDAStreamGuard guard(s); g(); if "
                        "(s.query()) return 1; } return 2; }\n");
  std::vector<std::string> order;
  for (const auto* call : lowered.statements("f", StatementKind::kCall)) {
    if (call->callee.rfind("contextlib", 0) == 0) order.push_back(call->callee);
  }
  EXPECT_THAT(order, ::testing::ElementsAre("contextlib.enter", "contextlib.exit", "contextlib.exit"))
      << lowered.text("f");
}

TEST(Templates, ArePatternsOnce) {
  const Lowered lowered(kTorch +
                        "template <typename T, typename F> T apply(T x, F f) { return f(x) + T(1); }\nfloat f(float a) "
                        "{ return apply(a, [](float q) { return q; }); }\n");
  int count = 0;
  for (const facts::Function& function : lowered.facts.functions) count += function.name == "apply" ? 1 : 0;
  EXPECT_EQ(count, 1);
  EXPECT_THAT(lowered.text("f"), HasSubstr("-> @apply"));
  EXPECT_THAT(lowered.text("apply"), HasSubstr("call operator.add("));
}

TEST(Calls, OverloadsByArgumentsAndAutogradFunctions) {
  const Lowered lowered(kTorch +
                        "struct G : torch::autograd::Function<G> { static at::Tensor "
                        "forward(torch::autograd::AutogradContext* c, at::Tensor a) { "
                        "return a.relu(); } };\n"
                        "at::Tensor f(at::Tensor x) { auto m = std::get<0>(torch::max(x, 1)); auto [v, i] = x.topk(3); "
                        "m = torch::max(m, v); "
                        "return G::apply(torch::cat({m, v}, 0).index({torch::indexing::Slice(), 0})); }\n");
  EXPECT_TRUE(lowered.facts.problems.empty()) << dump(lowered.facts);
  EXPECT_THAT(lowered.text("f"), HasSubstr("call at::Tensor::index on"));
  EXPECT_THAT(lowered.text("f"), HasSubstr("-> @G::forward"));
}

TEST(Calls, OpenMpIsACallInFrontOfItsBody) {
  const Lowered lowered(
      "void f(float* o, int n) {\n#pragma omp parallel for\n  for (int i = 0; i < n; ++i) o[i] = 1;\n}\n");
  EXPECT_THAT(lowered.text("f"), HasSubstr("call omp.parallel for("));
  EXPECT_THAT(lowered.text("f"), HasSubstr("store deref *o of"));
}

TEST(Attributes, ConstructorAndAsm) {
  const Lowered lowered(
      "__attribute__((constructor)) static void early() {} __device__ int d() { int r; asm volatile(\"mov.u32 %0, "
      "%1;\" : \"=r\"(r) : \"r\"(1)); return r; }");
  EXPECT_TRUE(lowered.facts.functions[static_cast<std::size_t>(lowered.find("early"))].is_constructor_attribute);
  EXPECT_TRUE(lowered.facts.functions[static_cast<std::size_t>(lowered.find("d"))].is_device);
  EXPECT_THAT(lowered.text("d"), HasSubstr("call asm(\"mov.u32 "));
  EXPECT_THAT(lowered.text("d"), HasSubstr("store local r := "));
}

// Units whose build defines macros read the stubs as text, others precompiled; nothing in the Facts tells which.
TEST(Stubs, PrecompiledOnesGiveTheSameFacts) {
  const std::vector<std::string> texts = {
      R"(
#include <torch/extension.h>
#include <memory>
#include <cub/cub.cuh>
static std::unique_ptr<torch::Tensor> kept;
template <typename T> __global__ void scale(const T* x, T* y, int n) { int i = threadIdx.x; if (i < n) y[i] = x[i]; }
namespace at { int mine(const Tensor& t) { return t.dim(); } }
torch::Tensor forward(torch::Tensor x) {
  auto y = at::matmul(x, x).relu_();
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "scale", [&] {
    scale<scalar_t><<<1, 32, 0, at::cuda::getCurrentCUDAStream()>>>(x.data_ptr<scalar_t>(), y.data_ptr<scalar_t>(), 9);
  });
  std::vector<torch::Tensor> all{y, torch::empty_like(x)};
  return all[0] + at::mine(x);
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); })",
      "#include <torch/extension.h>\nint f() { return at::not_in_any_list(3) + unheard_of(4) + at::nothing; }",
      "#include <torch/extension.h>\nat::Tensor f(at::Tensor x) { return at::_ops::relu::call(x); }",
      "#include <torch/extension.h>\nstruct J { at::Tensor x; };\n"
      "void f(J* j, int* p) { new J{}; delete j; delete[] p; }\n__global__ void k(int* p) { delete p; }",
      "#include <torch/extension.h>\nstruct alignas(64) J { virtual ~J(); };\nvoid f(J* p) { new J[2]; delete p; }",
      "#include <memory>\nint* f() { cudaStream_t s; cudaStreamCreate(&s); delete new int[4]; return new int(3); }"};
  const auto facts_of = [](const std::string& text, const std::vector<std::string>& flags) {
    Lowered lowered(text, {}, {}, flags);
    EXPECT_EQ(lowered.facts.units[0].build_flags, flags);
    lowered.facts.units[0].build_flags.clear();
    return Json(lowered.facts).dump();
  };
  for (const std::string& text : texts) EXPECT_EQ(facts_of(text, {}), facts_of(text, {"-DNOTHING_ASKS"})) << text;
}

}  // namespace
}  // namespace kernel_audit::analysis::cuda
