// verdict: cheat
// shows: 2, hidden by a table of functions
#include <torch/extension.h>

#include <functional>
#include <map>

using Binary = std::function<at::Tensor(const at::Tensor&, const at::Tensor&)>;
static const std::map<int, Binary> kByRank{
    {2, [](const at::Tensor& a, const at::Tensor& b) { return at::mm(a, b); }},  // expect: KA101
};

torch::Tensor forward(torch::Tensor a, torch::Tensor b) { return kByRank.at(a.dim())(a, b); }

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
