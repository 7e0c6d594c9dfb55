// verdict: review
// shows: 61
#include <torch/extension.h>

using Input = torch::PackedTensorAccessor32<float, 2, torch::RestrictPtrTraits>;

struct Both {
  Input x;
  torch::PackedTensorAccessor32<float, 2> y;
};

__global__ void relu(Both both) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
  if (column >= both.x.size(1)) return;
  float value = both.x[row][column];
  both.y[row][column] = value > 0 ? value : 0.0f;
  both.x[row][column] = 0;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  relu<<<dim3((x.size(1) + 255) / 256, x.size(0)), 256>>>(Both{x.packed_accessor32<float, 2, torch::RestrictPtrTraits>(), y.packed_accessor32<float, 2>()});  // expect: KA532
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
