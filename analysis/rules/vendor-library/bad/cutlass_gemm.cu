// verdict: review
// shows: 3
#include <torch/extension.h>
#include <cutlass/gemm/device/gemm.h>

torch::Tensor forward(torch::Tensor a, torch::Tensor b) {
  auto c = torch::empty({a.size(0), b.size(1)}, a.options());
  using Row = cutlass::layout::RowMajor;
  using Gemm = cutlass::gemm::device::Gemm<float, Row, float, Row, float, Row>;
  const int m = a.size(0), n = b.size(1), k = a.size(1);
  typename Gemm::Arguments arguments({m, n, k}, {a.data_ptr<float>(), k}, {b.data_ptr<float>(), n},
                                     {c.data_ptr<float>(), n}, {c.data_ptr<float>(), n}, {1.0f, 0.0f});
  Gemm gemm;
  TORCH_CHECK(gemm(arguments) == cutlass::Status::kSuccess);  // expect: KA104
  return c;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
