// verdict: clean
// near: 60
#include <torch/extension.h>

template <typename scalar_t>
using Rows = torch::PackedTensorAccessor32<scalar_t, 2, torch::RestrictPtrTraits>;

template <typename scalar_t>
__global__ void scale_rows(const Rows<scalar_t> x, Rows<scalar_t> y, float by) {
  const int row = blockIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= x.size(1)) return;
  y[row][column] = x[row][column] * by;
}

torch::Tensor scale(torch::Tensor x, double by) {
  auto y = torch::empty_like(x);
  const dim3 blocks((x.size(1) + 255) / 256, x.size(0));
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "scale", [&] {
    scale_rows<scalar_t><<<blocks, 256, 0, at::cuda::getCurrentCUDAStream()>>>(
        x.packed_accessor32<scalar_t, 2, torch::RestrictPtrTraits>(),
        y.packed_accessor32<scalar_t, 2, torch::RestrictPtrTraits>(), by);
  });
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

torch::Tensor forward(torch::Tensor x) { return scale(x, 2.0); }

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
