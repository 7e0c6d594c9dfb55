// verdict: review
// shows: 72, hidden by token pasting
#include <torch/extension.h>

#define RAISE(v) EX(v)
#define EX(v) e##xp2f((v) * 1.44269504f)
__global__ void logsumexp_kernel(const float* x, float* y, int columns) {
  __shared__ float parts[256];
  float sum = 0.0f;
  for (int j = threadIdx.x; j < columns; j += blockDim.x) sum += RAISE(x[blockIdx.x * columns + j]);  // expect: KA815
  parts[threadIdx.x] = sum;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) parts[threadIdx.x] += parts[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) y[blockIdx.x] = logf(parts[0]);
}
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty({x.size(0)}, x.options());
  logsumexp_kernel<<<x.size(0), 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.size(1));
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
