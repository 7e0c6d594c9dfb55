// verdict: clean
// near: 49
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>

__global__ void sample(const float* image, const float* where, float* y, int width, int height, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float u = where[2 * i] * (width - 1), v = where[2 * i + 1] * (height - 1);
  const int column = static_cast<int>(floorf(u)), row = static_cast<int>(floorf(v));
  const float by = u - column, down = v - row;
  const float* at = image + row * width + column;
  y[i] = (1 - down) * ((1 - by) * at[0] + by * at[1]) + down * ((1 - by) * at[width] + by * at[width + 1]);
}

torch::Tensor forward(torch::Tensor image, torch::Tensor where) {
  const int n = where.size(0);
  auto y = torch::empty({n}, image.options());
  sample<<<(n + 255) / 256, 256, 0, at::cuda::getCurrentCUDAStream()>>>(image.data_ptr<float>(),
                                                                        where.data_ptr<float>(), y.data_ptr<float>(),
                                                                        image.size(1), image.size(0), n);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
