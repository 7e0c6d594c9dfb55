// The lists behind operations.h: names separated by blanks, one list per kind. Names are the last
// component of the canonical callee; in-place variants (`relu_`) are derived, not listed.
#pragma once

#include <string_view>

namespace kernel_audit::analysis::facts {

inline constexpr std::string_view kViewNames =
    "view view_as reshape reshape_as permute transpose t T mT H mH squeeze unsqueeze flatten unflatten expand "
    "expand_as "
    "movedim moveaxis swapaxes swapdims ravel detach detach_ alias view_as_real view_as_complex data requires_grad_ "
    "broadcast_to atleast_1d atleast_2d atleast_3d adjoint as_strided untyped_storage storage packed_accessor "
    "packed_accessor32 packed_accessor64 generic_packed_accessor accessor numpy from_numpy from_dlpack to_dlpack "
    "__dlpack__ squeeze_ unsqueeze_ transpose_ t_ resolve_conj resolve_neg share_memory_ variable_data "
    "tensor_data "
    "mark_layout_dynamic mark_compact_shape_dynamic "
    "as_subclass _make_subclass refine_names rename flatten_parameters unsafe_view _unsafe_view retain_grad resize_ "
    "resize_as_ permute_copy from_blob __enter__ get_tensor";
inline constexpr std::string_view kPartialViewNames =
    "select narrow slice chunk split split_with_sizes unbind diagonal unfold tensor_split hsplit vsplit dsplit real "
    "imag "
    "unsafe_chunk unsafe_split index values indices logits last_hidden_state pooler_output crow_indices col_indices "
    "diag_embed_view";
inline constexpr std::string_view kCopyNames =
    "to cuda cpu clone half float double bfloat16 int long short char byte bool type type_as contiguous pin_memory "
    "copy "
    "deepcopy as_tensor asarray to_dense _to_copy toType to_type __copy__ __deepcopy__ to_mkldnn";
inline constexpr std::string_view kAllocationNames =
    "empty empty_like empty_strided empty_strided_cuda empty_strided_cpu empty_strided_xpu new_empty new_empty_strided "
    "empty_cuda Tensor FloatTensor HalfTensor DoubleTensor "
    "LongTensor IntTensor empty_permuted";
inline constexpr std::string_view kConstantNames =
    "zeros zeros_like ones ones_like full full_like new_zeros new_ones new_full new_tensor tensor arange range "
    "linspace "
    "logspace eye scalar_tensor tril_indices triu_indices hann_window hamming_window blackman_window bartlett_window "
    "kaiser_window scalar_to_tensor";
inline constexpr std::string_view kRandomNames =
    "rand randn randint randperm rand_like randn_like randint_like normal bernoulli multinomial poisson";
inline constexpr std::string_view kRandomInPlaceNames =
    "normal_ uniform_ random_ exponential_ cauchy_ log_normal_ geometric_ bernoulli_";
inline constexpr std::string_view kMetadataNames =
    "shape size sizes dim ndim ndimension dtype device numel nelement stride strides is_contiguous is_cuda is_cpu "
    "is_mps "
    "get_device layout requires_grad element_size itemsize nbytes storage_offset options scalar_type is_floating_point "
    "is_complex is_leaf names is_sparse __len__ has_names sym_size sym_sizes sym_numel dtype_ type_meta is_same_size "
    "is_non_overlapping_and_dense is_quantized is_meta grad_fn is_inference is_signed size_hint dense_dim sparse_dim "
    "is_pinned is_tensor is_nonzero_size result_type can_cast promote_types is_alias_of grad suggest_memory_format "
    "unsafeGetTensorImpl use_count key_set is_contiguous_or_false typeMetaToScalarType";
inline constexpr std::string_view kIdentityNames = "_version version current_version unsafe_version _cdata";
inline constexpr std::string_view kPointerNames =
    "data_ptr const_data_ptr mutable_data_ptr untyped_data_ptr __cuda_array_interface__ __array_interface__ "
    "const_storage_ptr mutable_data const_data";
inline constexpr std::string_view kScalarReadNames =
    "item tolist _local_scalar_dense __bool__ __int__ __float__ __index__ equal allclose is_nonzero";

// Compute, by family; the first word of each list is the family.
// NOLINTBEGIN(bugprone-suspicious-missing-comma): a family is one string over several lines
inline constexpr std::string_view kComputeFamilies[] = {
    "matmul matmul mm bmm addmm addmv addr baddbmm addbmm mv dot vdot inner outer ger matrix_power chain_matmul "
    "multi_dot einsum tensordot linear bilinear __matmul__ __rmatmul__ kron cdist _scaled_mm _int_mm sparse_mm smm "
    "sspaddmm hspmm cross trapz cumulative_trapezoid _addmm_activation _cdist_forward pdist linalg_matmul",
    "convolution conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d conv_tbc convolution "
    "_convolution cudnn_convolution cudnn_convolution_transpose cudnn_convolution_relu cudnn_convolution_add_relu "
    "mkldnn_convolution thnn_conv2d slow_conv3d _conv_depthwise2d conv_depthwise3d miopen_convolution fold im2col "
    "col2im "
    "convolution_overrideable _slow_conv2d_forward",
    "attention scaled_dot_product_attention multi_head_attention_forward _scaled_dot_product_flash_attention "
    "_scaled_dot_product_efficient_attention _scaled_dot_product_cudnn_attention _native_multi_head_attention "
    "flash_attn_func flex_attention _flash_attention_forward memory_efficient_attention "
    "_transformer_encoder_layer_fwd",
    "pooling max_pool1d max_pool2d max_pool3d avg_pool1d avg_pool2d avg_pool3d adaptive_avg_pool1d adaptive_avg_pool2d "
    "adaptive_avg_pool3d adaptive_max_pool1d adaptive_max_pool2d adaptive_max_pool3d lp_pool1d lp_pool2d "
    "fractional_max_pool2d fractional_max_pool3d max_unpool1d max_unpool2d max_unpool3d max_pool2d_with_indices "
    "max_pool3d_with_indices max_pool1d_with_indices _adaptive_avg_pool2d _adaptive_avg_pool3d",
    "normalisation batch_norm layer_norm group_norm instance_norm rms_norm local_response_norm normalize "
    "native_batch_norm "
    "native_layer_norm native_group_norm cudnn_batch_norm renorm _native_batch_norm_legit weight_norm _weight_norm "
    "_weight_norm_interface batch_norm_stats batch_norm_elemt",
    "activation relu relu6 leaky_relu elu selu celu gelu silu mish hardtanh hardswish hardsigmoid sigmoid tanh "
    "logsigmoid "
    "log_sigmoid softplus softsign tanhshrink hardshrink softshrink threshold prelu rrelu glu softmax log_softmax "
    "softmin "
    "gumbel_softmax _softmax _log_softmax logit expit swish",
    "reduction sum mean prod max min amax amin aminmax argmax argmin logsumexp norm std var std_mean var_mean median "
    "nanmedian mode all any nansum nanmean quantile nanquantile count_nonzero cumsum cumprod cummax cummin "
    "logcumsumexp "
    "linalg_norm vector_norm linalg_vector_norm linalg_matrix_norm matrix_norm trace dist bincount histc unique topk "
    "sort "
    "argsort kthvalue msort searchsorted bucketize segment_reduce unique_consecutive frobenius_norm nuclear_norm "
    "histogram "
    "square_sum sum_to_size _unique2 max_values",
    "elementwise add sub subtract mul multiply div divide true_divide floor_divide remainder fmod pow float_power "
    "float_power neg negative positive abs absolute exp exp2 expm1 log log2 log10 log1p sqrt rsqrt square reciprocal "
    "sin "
    "cos tan asin acos atan atan2 sinh cosh asinh acosh atanh erf erfc erfinv lgamma digamma ceil floor round trunc "
    "fix "
    "frac sign sgn signbit clamp clip clamp_min clamp_max lerp addcmul addcdiv where maximum minimum fmax fmin eq ne "
    "lt "
    "le gt ge equal_ logical_and logical_or logical_xor logical_not bitwise_and bitwise_or bitwise_xor bitwise_not "
    "isnan isinf isfinite nan_to_num heaviside hypot logaddexp logaddexp2 xlogy copysign ldexp rsub dropout dropout1d "
    "dropout2d "
    "dropout3d alpha_dropout feature_dropout native_dropout masked_fill sinc polar complex conj conj_physical angle "
    "greater greater_equal less less_equal not_equal isclose bitwise_left_shift bitwise_right_shift __and__ __or__ "
    "__lshift__ __rshift__ diff cumulative sigmoid_backward __add__ __radd__ __sub__ __rsub__ __mul__ __rmul__ "
    "__truediv__ __rtruediv__ __pow__ __rpow__ __neg__ __abs__ __iadd__ __isub__ __imul__ __itruediv__ foreach_add "
    "_foreach_add _foreach_mul erfcx gammainc",
    "loss mse_loss l1_loss smooth_l1_loss huber_loss cross_entropy nll_loss nll_loss2d binary_cross_entropy "
    "binary_cross_entropy_with_logits kl_div hinge_embedding_loss cosine_embedding_loss margin_ranking_loss "
    "multilabel_margin_loss multilabel_soft_margin_loss multi_margin_loss soft_margin_loss triplet_margin_loss "
    "triplet_margin_with_distance_loss ctc_loss gaussian_nll_loss poisson_nll_loss cosine_similarity pairwise_distance "
    "cross_entropy_loss triplet_margin_loss_ max_margin",
    "linear-algebra inverse det logdet slogdet cholesky cholesky_solve cholesky_inverse qr svd eigh eig lu lu_solve "
    "solve "
    "lstsq pinverse pinv matrix_exp triangular_solve solve_triangular inv linalg_inv linalg_svd linalg_qr linalg_solve "
    "linalg_eigh linalg_cholesky householder_product ormqr",
    "recurrent rnn_tanh rnn_relu lstm gru lstm_cell gru_cell rnn_tanh_cell rnn_relu_cell _cudnn_rnn "
    "_thnn_fused_lstm_cell "
    "_thnn_fused_gru_cell _VF",
    "fourier fft ifft rfft irfft fft2 ifft2 fftn ifftn rfft2 irfft2 rfftn irfftn hfft stft istft fftshift",
    "sampling interpolate upsample grid_sample affine_grid upsample_nearest2d upsample_bilinear2d upsample_nearest1d "
    "upsample_nearest3d upsample_trilinear3d upsample_bicubic2d upsample_linear1d grid_sampler grid_sampler_2d resize "
    "pixel_shuffle pixel_unshuffle channel_shuffle",
    "embedding embedding embedding_bag one_hot embedding_renorm",
    "scatter scatter scatter_add scatter_reduce index_add index_put index_copy index_fill masked_scatter put "
    "index_reduce "
    "_index_put_impl segment_sum",
};
// NOLINTEND(bugprone-suspicious-missing-comma)
inline constexpr std::string_view kMovementNames =
    "cat concat concatenate stack hstack vstack dstack column_stack row_stack repeat tile roll flip fliplr flipud "
    "rot90 "
    "pad constant_pad_nd reflection_pad1d reflection_pad2d replication_pad2d gather index_select take take_along_dim "
    "masked_select repeat_interleave tril triu nonzero meshgrid block_diag diag diag_embed diagflat cartesian_prod "
    "combinations as_strided_copy pack_padded_sequence pad_sequence vander argwhere broadcast_tensors block_stack "
    "pad_packed_sequence";

// Framework modules whose call is not compute.
inline constexpr std::string_view kViewModules = "Identity Flatten Unflatten";
inline constexpr std::string_view kContainerModules = "ModuleList ModuleDict ParameterList ParameterDict";

// Whose other methods compute nothing, and the beginnings of those methods that all modules have.
inline constexpr std::string_view kOwnersOfPlainMethods =
    "Module. ModuleList. ModuleDict. ParameterList. ParameterDict. Sequential. Parameter. Buffer. "
    "UninitializedParameter. Embedding.from_pretrained EmbeddingBag.from_pretrained";
inline constexpr std::string_view kModuleMethods =
    "_ train eval to cuda cpu half float double bfloat16 type requires_grad parameters named_ modules children buffers "
    "state_dict load_state_dict register_ apply zero_grad add_module get_ set_ extra_ share_memory reset_parameters "
    "flatten_parameters generate_ compile xpu ipu mtia from_pretrained extra_repr check_ permute_hidden";

inline constexpr std::string_view kWrappers =
    "torch.compile torch.jit.script torch.jit.trace torch.jit.optimize_for_inference torch.jit.freeze "
    "torch.jit.script_method torch.jit.export torch.jit.ignore torch.jit.unused torch._dynamo.optimize "
    "torch._dynamo.disable "
    "functools.partial functools.wraps functools.wraps.__call__ functools.update_wrapper functools.lru_cache "
    "functools.cache torch.no_grad torch.inference_mode asyncio.run cachetools.cached cachetools.func.lru_cache "
    "torch.cuda.make_graphed_callables torch.fx.symbolic_trace torch.nn.DataParallel torch.compiler.disable "
    "torch.cuda.amp.custom_fwd torch.amp.custom_fwd torch.enable_grad contextlib.contextmanager "
    "torch.library.custom_op torch.library.triton_op torch.library.impl torch.library.register_kernel "
    "torch.library.Library types.MethodType "
    "torch._dynamo.allow_in_graph torch.vmap torch.func.vmap torch.utils.checkpoint.checkpoint_wrapper "
    "torch.quantization.fuse_modules staticmethod classmethod property builtins.staticmethod builtins.classmethod "
    "numba.cuda.jit cupyx.jit.rawkernel cutlass.cute.jit cutlass.cute.kernel cutlass.cute.compile tilelang.jit "
    "tilelang.compile tilelang.language.prim_func triton.jit triton.runtime.jit.jit triton.autotune triton.heuristics "
    "warp.kernel warp.func "
    "builtins.property std::move std::forward std::ref std::cref std::bind torch.jit.set_fusion_strategy";

inline constexpr std::string_view kVendorPrefixes =
    "cublas cudnn cusparse cusolver cufft cutlass:: cute:: cub:: thrust:: nvjitlink cutensor at::cuda::blas:: "
    "at::native::cudnn ck_tile:: cudnn_frontend:: cusparseLt curand "
    // Collections of kernels that are installed beside torch.
    "flash_attn. flash_attn_interface. xformers. liger_kernel. transformer_engine. flashinfer. sageattention. apex. "
    "mamba_ssm. causal_conv1d. vllm. deep_gemm. bitsandbytes. fla. triton.ops. triton_kernels. nvmath. cutlass.op. "
    "cupy.cublas. sgl_kernel. torchao. unsloth.";

// Handles, descriptors and settings of vendor libraries.
inline constexpr std::string_view kVendorSetupPrefixes =
    "cublasCreate cublasDestroy cublasSet cublasGet cublasLtCreate cublasLtDestroy cublasLtMatmulDesc "
    "cublasLtMatrixLayout "
    "cublasLtMatmulPreference cublasLtMatmulAlgo cudnnCreate cudnnDestroy cudnnSet cudnnGet cusparseCreate "
    "cusparseDestroy "
    "cusparseSet cusolverDnCreate cusolverDnDestroy cufftPlan cufftDestroy cufftCreate curandCreate curandDestroy "
    "curandSet "
    "at::cuda::getCurrentCUDABlas at::cuda::getCurrentCUDASparse at::cuda::getCurrentCUDASolver "
    "at::native::getCudnnHandle "
    "at::cuda::getCUDABlas";

inline constexpr std::string_view kHarmlessPrefixes =
    "c10::detail:: c10::str c10::Error c10::Warning c10::warn torch.backends. torch.set_ torch.cuda.is_ "
    "torch.cuda.get_ "
    "torch.cuda.device torch.cuda.empty_cache torch.cuda.memory torch.cuda.amp. torch.amp. torch.autocast "
    "torch.manual_seed cuda.core.Device cuda.core.LaunchConfig cuda.core.ProgramOptions cuda.core.system "
    "torch.cuda.manual_seed torch.random. torch.version. torch.is_ torch.get_ torch.cuda.current_device "
    "torch.cuda.set_device "
    "torch.cuda.nvtx torch.autograd.set_ torch.autograd.grad_mode torch.autograd.profiler torch.profiler torch.jit.is_ "
    "torch.jit._ "
    "torch.jit.annotate torch.utils.cpp_extension.CUDA torch.utils.cpp_extension.is_ "
    "torch.utils.cpp_extension.include_ "
    "torch._C. torch.__version__ torch.finfo torch.iinfo torch.device torch.dtype torch.Size torch.Generator "
    "torch._dynamo.config torch._inductor.config torch.nn.init. torch.nn.Module. torch.nn.modules. "
    "torch.use_deterministic "
    "torch.overrides torch.typename torch.nn.utils.parametrize torch.cuda.synchronize_ "
    "cudaGet cudaFuncSet cudaFuncGet cudaDeviceGet cudaDeviceSet cudaOccupancy cudaPeek cudaSetDevice cudaFree "
    "cudaMallocHost "
    "cudaHostAlloc cudaStreamDestroy cudaEventDestroy cudaEventElapsed cudaStreamGet cudaCtxReset cudaMemPrefetch "
    "cudaMemAdvise "
    "cudaStreamIsCapturing cudaStreamQuery cudaEventQuery cudaMemGetInfo cudaMalloc cudaPointerGet "
    "at::cuda::getCurrentDeviceProperties at::cuda::getDeviceProperties at::globalContext at::get_num_threads "
    "at::cuda::current_device at::cuda::device_count at::cuda::is_available at::cuda::OptionalCUDAGuard "
    "at::cuda::CUDAGuard "
    "c10::cuda::CUDAGuard c10::cuda::OptionalCUDAGuard c10::cuda::c10_cuda_check c10::cuda::device_count "
    "c10::cuda::current_device "
    "c10::cuda::CUDACachingAllocator at::device at::dtype at::TensorOptions at::NoGradGuard at::AutoDispatch "
    "at::ScalarType "
    "c10::TensorOptions c10::dtype c10::ScalarType c10::Device c10::device c10::IntArrayRef c10::ArrayRef "
    "c10::optional "
    "c10::nullopt "
    "c10::InferenceMode torch::NoGradGuard torch::TensorOptions torch::dtype torch::device torch::requires_grad "
    "torch::layout torch::get_num_threads torch::Device torch::InferenceMode at::AutoNonVariable at::layout "
    "at::requires_grad "
    "at::Device at::toString c10::toString c10::typeMetaToScalarType c10::elementSize at::elementSize "
    "at::isFloatingType at::check "
    "pybind11:: std::cout std::cerr std::endl std::printf std::fprintf std::runtime_error std::invalid_argument "
    "std::to_string "
    "std::ostream std::basic_ostream std::exception std::logic_error std::out_of_range std::chrono printf fprintf puts "
    "abort exit omp_ "
    "at::set_num_threads cuda::std:: __builtin_ std::lock_guard std::mutex std::unique_lock std::scoped_lock "
    "std::call_once "
    "std::once_flag std::thread:: std::jthread:: std::this_thread:: std::future std::condition_variable pthread_join "
    "pthread_detach pthread_self pthread_mutex_ dim3::dim3 std::getenv getenv torch::PythonArgs";

// What CUTLASS's Python language has, behind "cutlass.".
inline constexpr std::string_view kCutlassLanguage =
    "cute. utils. pipeline. torch. cutlass_dsl. base_dsl. const_expr range Constexpr Numeric Integer Float Int Uint "
    "Boolean BFloat TFloat max min struct address_space dynamic_expr select_ and_ or_ not_ all_ any_ extract_mlir "
    "new_from_mlir if_generate for_generate while_generate as_numeric Pointer";

// Functions of CUDA, behind "cuda" or "cu", that act on memory, run code or hand out what may be either.
inline constexpr std::string_view kActingCuda =
    "Memcpy Memset Launch Graph Malloc MemAlloc MemHost HostGet HostRegister MemMap MemCreate MemBatch MemImport "
    "MemPoolImport Module Library Link Kernel Ipc Import External GetSymbolAddress GetDriverEntryPoint GetProcAddress "
    "GetFuncBySymbol GetKernel GetExportTable Stream Event TensorMap Array CreateTexture CreateSurface Tex Surf "
    "Graphics "
    "Signal Wait CtxSynchronize CtxWait CtxRecord DeviceSynchronize ThreadSynchronize GreenCtxStream GreenCtxWait "
    "GreenCtxRecord CtxCreate UserObject  Multicast AddressReserve MemAddress MemGetAddress MemRetain "
    "ConfigureCall SetupArgument";

inline constexpr std::string_view kPureHostPrefixes =
    "math. operator. random. time. os. sys. platform. logging. warnings. traceback. itertools. functools. typing. re. "
    "json. hashlib. collections. inspect. pathlib. subprocess. shutil. tempfile. string. textwrap. builtins. numpy. "
    "copy. "
    "dataclasses. enum. abc. types. importlib. glob. datetime. uuid. contextlib. threading. gc. weakref. struct. "
    "array. "
    "cupy.int8 cupy.int16 cupy.int32 cupy.int64 cupy.uint8 cupy.uint16 cupy.uint32 cupy.uint64 cupy.float16 "
    "cupy.float32 "
    "cupy.float64 cupy.bool_ numba.cuda.external_stream "
    "numba.cuda.shfl numba.cuda.vote numba.cuda.all_sync numba.cuda.any_sync numba.cuda.ballot_sync "
    "numba.cuda.match numba.cuda.activemask numba.cuda.syncthreads numba.cuda.syncwarp numba.cuda.threadfence "
    "numba.cuda.grid numba.cuda.popc numba.cuda.clz numba.cuda.brev numba.cuda.ffs numba.cuda.fma numba.cuda.cbrt "
    "numba.cuda.selp numba.cuda.fp16. numba.cuda.libdevice. numba.cuda.laneid numba.cuda.lanemask "
    "numba.int8 numba.int16 numba.uint8 numba.uint16 numba.float16 numba.int32 numba.int64 numba.uint32 numba.uint64 "
    "numba.float32 numba.float64 numba.types. "
    "ctypes. triton.cdiv triton.next_power_of_2 triton.Config triton.language. triton.runtime. triton.testing. "
    "std::min std::max std::ceil std::floor std::sqrt std::abs std::exp std::log std::pow std::tanh std::fabs "
    "std::accumulate "
    "std::clamp std::round std::swap std::isnan std::isinf std::numeric_limits std::get std::sin std::cos std::erf "
    "std::fma std::greater std::greater_equal std::less std::less_equal std::plus std::multiplies std::minus "
    "std::fmax std::fmin std::rsqrt std::log1p std::expm1 std::pair std::string std::basic_string std::array std::hash "
    "std::count "
    "std::cbrt std::trunc std::lround std::copysign std::isfinite std::exp2 std::log2 std::optional "
    "std::initializer_list";

// Arithmetic of C, on the host and the device, and its like on floats with an `f` behind: expf.
inline constexpr std::string_view kMathNames =
    "exp exp2 exp10 expm1 log log2 log10 log1p logb ilogb sqrt rsqrt cbrt rcbrt pow tanh sinh cosh asinh acosh atanh "
    "tan sin cos asin acos atan atan2 sinpi cospi sincos sincospi fabs abs fmax fmin max min ceil floor round trunc "
    "rint nearbyint lrint llrint lround llround erf erfc erfcx erfinv erfcinv normcdf normcdfinv tgamma lgamma fma "
    "fmod "
    "fdim fdivide remainder hypot rhypot norm3d norm4d rnorm3d rnorm4d ldexp scalbn scalbln copysign nextafter isnan "
    "isinf isfinite signbit j0 j1 jn y0 y1 yn cyl_bessel_i0 cyl_bessel_i1";

// The same by its whole name.
inline constexpr std::string_view kPureHostNames =
    "assert sizeof dim3 uint3 half2float float2half make_half2 make_bfloat162 llmax llmin ullmax ullmin umax umin "
    "clock "
    "clock64 hexp hexp2 hexp10 hlog hlog2 hlog10 hsqrt hrsqrt hrcp htanh htanh_approx hsin hcos hfloor hceil hrint "
    "htrunc h2exp h2exp2 h2exp10 h2log h2log2 h2log10 h2sqrt h2rsqrt h2rcp h2tanh h2tanh_approx h2sin h2cos h2floor "
    "h2ceil h2div nvcuda::wmma::mma_sync nvcuda::wmma::fill_fragment";

// Groups of threads: who takes part, waiting for each other, reductions of values.
inline constexpr std::string_view kGroupPrefixes =
    "cooperative_groups::this_ cooperative_groups::tiled_partition cooperative_groups::coalesced_threads "
    "cooperative_groups::reduce cooperative_groups::inclusive_scan cooperative_groups::exclusive_scan "
    "cooperative_groups::sync cooperative_groups::wait cooperative_groups::thread_ cooperative_groups::grid_group "
    "cooperative_groups::cluster_group cooperative_groups::coalesced_group cooperative_groups::plus "
    "cooperative_groups::less cooperative_groups::greater";

}  // namespace kernel_audit::analysis::facts
