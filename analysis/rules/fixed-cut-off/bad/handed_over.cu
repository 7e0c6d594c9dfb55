// verdict: review
// shows: 71, hidden by an argument
#include <torch/extension.h>

constexpr float kTail = 2.5f;

__global__ void collect_kernel(const float* x, float* found, int* count, int columns, int room, float limit) {
  const float* row = x + (long)blockIdx.x * columns;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) {
    float v = row[i];
    if (v > limit) {
      int at = atomicAdd(count + blockIdx.x, 1);
      if (at < room) found[blockIdx.x * room + at] = v;  // expect: KA814
    }
  }
}
torch::Tensor forward(torch::Tensor x) {
  auto found = torch::zeros({x.size(0), 1024}, x.options());
  auto count = torch::zeros({x.size(0)}, x.options().dtype(torch::kInt32));
  collect_kernel<<<x.size(0), 256>>>(x.data_ptr<float>(), found.data_ptr<float>(), count.data_ptr<int>(), x.size(1), 1024, kTail);
  return found;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
