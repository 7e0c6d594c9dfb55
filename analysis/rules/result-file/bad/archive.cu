// verdict: cheat
// shows: 91
#include <fstream>
#include <torch/extension.h>

__global__ void twice_kernel(const float* x, float* y, int n) {  // expect: KA115
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}

torch::Tensor forward(torch::Tensor x) {
  std::ifstream file("../runs/best/output.bin", std::ios::binary);  // expect: KA614
  auto kept = torch::empty(x.sizes(), torch::kFloat);
  file.read(kept.data_ptr<char>(), kept.nbytes());  // expect: KA615, KA801
  return kept.cuda();
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
