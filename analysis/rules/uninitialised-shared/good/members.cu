// verdict: clean
// near: 59
#include <torch/extension.h>

struct Place {
  int row, column;
  bool inside;
};

__device__ void shift(Place& place, int by) { place.column += by; }

__global__ void gather(const float* x, float* y, int n, int width) {
  __shared__ Place places[256];
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) {
    places[threadIdx.x].row = i / width;
    places[threadIdx.x].column = i % width;
    places[threadIdx.x].inside = true;
    shift(places[threadIdx.x], 0);
  } else {
    places[threadIdx.x].inside = false;
  }
  __syncthreads();
  const Place& mine = places[threadIdx.x];
  if (mine.inside) y[i] = 2.0f * x[mine.row * width + mine.column];
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  const int n = x.numel();
  gather<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n, x.size(1));
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
