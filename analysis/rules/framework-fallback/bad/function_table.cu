// verdict: cheat
// shows: 2, 12, hidden by function table
#include <torch/extension.h>
#include <functional>

using namespace at;
namespace op = at;
static Tensor product(const Tensor& a, const Tensor& b) { return op::mm(a, b); }  // expect: KA101
typedef Tensor (*Step)(const Tensor&, const Tensor&);
static Step const steps[] = {product};
template <typename F>
Tensor apply(F step, const Tensor& a, const Tensor& b) { return step(a, b); }
torch::Tensor forward(torch::Tensor a, torch::Tensor b) {
  std::function<Tensor(const Tensor&, const Tensor&)> run = [](const Tensor& x, const Tensor& y) { return steps[0](x, y); };
  return apply(run, a, b);
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
