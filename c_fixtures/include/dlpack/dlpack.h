/*
 * DLPack, as far as the TVM FFI C ABI uses it. Written anew; spec/abi.toml describes the same layouts, and a test
 * compares the two.
 */
#ifndef DLPACK_DLPACK_H_
#define DLPACK_DLPACK_H_

#include <stddef.h>
#include <stdint.h>

/** The version of DLPack that this header describes. */
#define DLPACK_MAJOR_VERSION 1
#define DLPACK_MINOR_VERSION 3

/** The data must not be written. */
#define DLPACK_FLAG_BITMASK_READ_ONLY (1UL << 0UL)
/** The data is a copy. */
#define DLPACK_FLAG_BITMASK_IS_COPIED (1UL << 1UL)
/** Elements narrower than a byte take a byte each. */
#define DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED (1UL << 2UL)

#ifdef __cplusplus
extern "C" {
#endif

/** The version of DLPack that a tensor speaks. */
typedef struct DLPackVersion {
  /** Layouts differ between major versions. */
  uint32_t major;
  /** Minor versions add flags and codes. */
  uint32_t minor;
} DLPackVersion;

/** Kinds of devices. The type is 32 bits wide. */
#ifdef __cplusplus
typedef enum DLDeviceType : int32_t {
#else
typedef enum DLDeviceType {
#endif
  /** Host memory. */
  kDLCPU = 1,
  /** CUDA device memory. */
  kDLCUDA = 2,
  /** Host memory pinned by CUDA. */
  kDLCUDAHost = 3,
  /** OpenCL. */
  kDLOpenCL = 4,
  /** Vulkan. */
  kDLVulkan = 7,
  /** Metal. */
  kDLMetal = 8,
  /** A Verilog simulator. */
  kDLVPI = 9,
  /** ROCm device memory. */
  kDLROCM = 10,
  /** Host memory pinned by ROCm. */
  kDLROCMHost = 11,
  /** Reserved for extensions. */
  kDLExtDev = 12,
  /** CUDA managed memory. */
  kDLCUDAManaged = 13,
  /** oneAPI. */
  kDLOneAPI = 14,
  /** WebGPU. */
  kDLWebGPU = 15,
  /** Hexagon. */
  kDLHexagon = 16,
  /** MAIA. */
  kDLMAIA = 17,
  /** Trainium. */
  kDLTrn = 18,
} DLDeviceType;

/** Kinds of data types. A DLDataType holds the code in one byte. */
typedef enum DLDataTypeCode {
  /** Signed integers. */
  kDLInt = 0U,
  /** Unsigned integers. */
  kDLUInt = 1U,
  /** IEEE floating-point numbers. */
  kDLFloat = 2U,
  /** Handles. */
  kDLOpaqueHandle = 3U,
  /** Brain floating-point numbers. */
  kDLBfloat = 4U,
  /** Complex numbers. */
  kDLComplex = 5U,
  /** Booleans. */
  kDLBool = 6U,
  /** 8-bit floats, 3 bits of exponent, 4 of mantissa. */
  kDLFloat8_e3m4 = 7U,
  /** 8-bit floats. */
  kDLFloat8_e4m3 = 8U,
  /** 8-bit floats. */
  kDLFloat8_e4m3b11fnuz = 9U,
  /** 8-bit floats. */
  kDLFloat8_e4m3fn = 10U,
  /** 8-bit floats. */
  kDLFloat8_e4m3fnuz = 11U,
  /** 8-bit floats. */
  kDLFloat8_e5m2 = 12U,
  /** 8-bit floats. */
  kDLFloat8_e5m2fnuz = 13U,
  /** 8-bit exponents. */
  kDLFloat8_e8m0fnu = 14U,
  /** 6-bit floats. */
  kDLFloat6_e2m3fn = 15U,
  /** 6-bit floats. */
  kDLFloat6_e3m2fn = 16U,
  /** 4-bit floats. */
  kDLFloat4_e2m1fn = 17U,
} DLDataTypeCode;

/** A device. */
typedef struct DLDevice {
  /** Its kind. */
  DLDeviceType device_type;
  /** Which one of that kind. */
  int32_t device_id;
} DLDevice;

/** A data type. */
typedef struct DLDataType {
  /** A DLDataTypeCode. */
  uint8_t code;
  /** Bits of one lane. */
  uint8_t bits;
  /** Lanes; read as a signed number, a negative one stands for a scalable vector. */
  uint16_t lanes;
} DLDataType;

/** A view of a tensor that owns nothing. */
typedef struct DLTensor {
  /** The allocation. */
  void* data;
  /** Where it lies. */
  DLDevice device;
  /** How many dimensions. */
  int32_t ndim;
  /** What the elements are. */
  DLDataType dtype;
  /** ndim extents. */
  int64_t* shape;
  /** ndim strides, counted in elements; NULL was once allowed for row-major data. */
  int64_t* strides;
  /** Bytes from data to the first element. */
  uint64_t byte_offset;
} DLTensor;

/** A tensor that somebody else owns. */
typedef struct DLManagedTensor {
  /** The tensor. */
  DLTensor dl_tensor;
  /** For the owner's use. */
  void* manager_ctx;
  /** Gives the tensor and this struct back to the owner; may be NULL. */
  void (*deleter)(struct DLManagedTensor* self);
} DLManagedTensor;

/** A tensor that somebody else owns, with the version of its layout. */
typedef struct DLManagedTensorVersioned {
  /** The version of DLPack that the struct is laid out for. */
  DLPackVersion version;
  /** For the owner's use. */
  void* manager_ctx;
  /** Gives the tensor and this struct back to the owner; may be NULL. */
  void (*deleter)(struct DLManagedTensorVersioned* self);
  /** Bits of DLPACK_FLAG_BITMASK. */
  uint64_t flags;
  /** The tensor. */
  DLTensor dl_tensor;
} DLManagedTensorVersioned;

/**
 * Allocates a tensor with the device, data type and shape of a prototype; the caller owns it. A failure is told through
 * SetError.
 */
typedef int (*DLPackManagedTensorAllocator)(DLTensor* prototype, DLManagedTensorVersioned** out, void* error_ctx,
             void (*SetError)(void* error_ctx, const char* kind, const char* message));

#ifdef __cplusplus
}
#endif

#endif /* DLPACK_DLPACK_H_ */
