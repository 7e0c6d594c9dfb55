// verdict: review
// shows: 61, hidden by structures
#include <c10/cuda/CUDAException.h>
#include <torch/extension.h>

struct Buffers {
  float* x;
  float* y;
};
struct Lanes {
  float v[4];
  __device__ void clamp() {
    for (int i = 0; i < 4; ++i) v[i] = fmaxf(v[i], 0.f);
  }
};
struct Pair {
  float* each[2];
};

__device__ __forceinline__ int first() { return (blockIdx.x * blockDim.x + threadIdx.x) * 4; }
__device__ __forceinline__ void clamp_one(float& v) { v = fmaxf(v, 0.f); }
__device__ void clamp_all(Lanes& lanes) {
  for (int i = 0; i < 4; ++i) lanes.v[i] = fmaxf(lanes.v[i], 0.f);
}

__global__ void by_reference(Buffers p) {
  Lanes& lanes = *reinterpret_cast<Lanes*>(p.x + first());
  for (int i = 0; i < 4; ++i) lanes.v[i] = fmaxf(lanes.v[i], 0.f);
  *reinterpret_cast<Lanes*>(p.y + first()) = lanes;
}
__global__ void by_function(Buffers p) {
  Lanes* lanes = reinterpret_cast<Lanes*>(p.x + first());
  clamp_all(*lanes);
  *reinterpret_cast<Lanes*>(p.y + first()) = *lanes;
}
__global__ void by_method(Buffers p) {
  Lanes* lanes = reinterpret_cast<Lanes*>(p.x + first());
  lanes->clamp();
  *reinterpret_cast<Lanes*>(p.y + first()) = *lanes;
}
__global__ void by_element(Buffers p) {
  for (int i = 0; i < 4; ++i) {
    clamp_one(p.x[first() + i]);
    p.y[first() + i] = p.x[first() + i];
  }
}
__global__ void by_member(Buffers p) {
  float4* lanes = reinterpret_cast<float4*>(p.x + first());
  lanes->x = fmaxf(lanes->x, 0.f);
  *reinterpret_cast<float4*>(p.y + first()) = *lanes;
}
__global__ void by_array_of_pointers(Buffers p) {
  Pair pair;
  pair.each[0] = p.x + first();
  pair.each[1] = p.y + first();
  for (int i = 0; i < 4; ++i) {
    pair.each[0][i] = fmaxf(pair.each[0][i], 0.f);
    pair.each[1][i] = pair.each[0][i];
  }
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  const Buffers p{x.data_ptr<float>(), y.data_ptr<float>()};
  const int blocks = x.numel() / 1024;
  by_reference<<<blocks, 256>>>(p);          // expect: KA532
  by_function<<<blocks, 256>>>(p);           // expect: KA532
  by_method<<<blocks, 256>>>(p);             // expect: KA532
  by_element<<<blocks, 256>>>(p);            // expect: KA532
  by_member<<<blocks, 256>>>(p);             // expect: KA532
  by_array_of_pointers<<<blocks, 256>>>(p);  // expect: KA532
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
