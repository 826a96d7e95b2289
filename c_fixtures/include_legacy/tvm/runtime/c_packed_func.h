/*
 * The calling convention of functions that TVM generated before TVM FFI, releases 0.7 to 0.20: the type of these
 * functions, all that it needs, and the one call that it mentions. Written anew, and divided as the thread on
 * c_backend_api asks; spec/generations/legacy.toml describes the same layouts, constants and functions, and a test
 * compares the two.
 *
 * Generated functions mostly take tensors (7, 13) and answer nothing; functions of the runtime answer objects, texts
 * and bytes too, which the caller comes to own as the comments on the codes say.
 */
#ifndef TVM_RUNTIME_C_PACKED_FUNC_H_
#define TVM_RUNTIME_C_PACKED_FUNC_H_

#include <dlpack/dlpack.h>
#include <stddef.h>
#include <stdint.h>

/** Marks what the runtime exports. */
#ifndef TVM_DLL
#if defined(_MSC_VER) && defined(TVM_EXPORTS)
#define TVM_DLL __declspec(dllexport)
#elif defined(_MSC_VER)
#define TVM_DLL __declspec(dllimport)
#else
#define TVM_DLL __attribute__((visibility("default")))
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Values ------------------------------------------------------------------------------------------------------ */

/**
 * What a value is. Callers pass it as int. Codes that nobody has named pass through C callbacks unread, and end the
 * process where a C++ parameter is to take them.
 */
typedef enum TVMArgTypeCode {
  /** v_int64. */
  kTVMArgInt = 0,
  /** v_float64. */
  kTVMArgFloat = 2,
  /** v_handle, a pointer that is not interpreted; borrowed both ways. */
  kTVMOpaqueHandle = 3,
  /** Nothing; as a result, that there is none. The payload means nothing. */
  kTVMNullptr = 4,
  /** v_type. As a result of TVMFuncCall it arrives as a text, the type's name. */
  kTVMDataType = 5,
  /** v_device. */
  kDLDevice = 6,
  /** A DLTensor*, borrowed both ways. */
  kTVMDLTensorHandle = 7,
  /** An object: borrowed as an argument, owned as a result. NULL stands for nothing. */
  kTVMObjectHandle = 8,
  /** A module: borrowed as an argument, owned as a result. */
  kTVMModuleHandle = 9,
  /** A function: borrowed as an argument, owned as a result. */
  kTVMPackedFuncHandle = 10,
  /**
   * v_str: borrowed for the call as an argument. As a result of TVMFuncCall it lies in a buffer of the thread's, and
   * stays until the next text, bytes or data type there.
   */
  kTVMStr = 11,
  /** A TVMByteArray*: as with text. */
  kTVMBytes = 12,
  /** A DLTensor* inside an array object: borrowed as an argument, owned as a result. */
  kTVMNDArrayHandle = 13,
  /**
   * The address of an object handle, which the callee may take over; it then writes NULL there. An argument only.
   */
  kTVMObjectRValueRefArg = 14,
  /** v_int64, 0 or 1. Older runtimes send booleans as integers, and end the process on this code. */
  kTVMArgBool = 15,
  /** The first code reserved for NNVM. */
  kTVMNNVMFirst = 16,
  /** The last one. */
  kTVMNNVMLast = 20,
  /** The first code beyond those above. */
  kTVMExtBegin = 16,
  /** The end of what is reserved for extensions. */
  kTVMExtReserveEnd = 64,
  /** The end of all codes. */
  kTVMExtEnd = 128,
} TVMArgTypeCode;

/**
 * Kinds of devices beyond DLPack's. From 128 on a number says that the device is another process's. Releases up to 0.8
 * took numbers that DLPack gave to others since; 0.20 has only the end.
 */
typedef enum TVMDeviceExtType {
  /** FPGAs through Intel's OpenCL. */
  kDLAOCL = 32,
  /** FPGAs through SDAccel. */
  kDLSDAccel = 33,
  /** OpenGL. */
  kOpenGL = 34,
  /** Microcontrollers. */
  kDLMicroDev = 35,
  /** One past the last; the size of tables of devices. */
  TVMDeviceExtType_End = 36,
} TVMDeviceExtType;

/** The payload of a value; its type code stands in an array of its own. */
typedef union TVMValue {
  /** An integer, or from 0.18 on a boolean. */
  int64_t v_int64;
  /** A floating-point number. */
  double v_float64;
  /** A pointer: to anything, to a tensor, to an object, or to a byte array. */
  void* v_handle;
  /** A text that ends with a NUL. */
  const char* v_str;
  /**
   * A data type. From 0.14 on codes 6 and 7 are kinds of float8, which today's DLPack numbers otherwise; a boolean is
   * (1, 1, 1).
   */
  DLDataType v_type;
  /** A device. */
  DLDevice v_device;
} TVMValue;

/**
 * A span of bytes, borrowed as an argument. Each thread has one for its results, which the next text, bytes or data
 * type that a call on it answers writes over.
 */
typedef struct TVMByteArray {
  /** The first byte; in a result a NUL follows the last. */
  const char* data;
  /** How many bytes. */
  size_t size;
} TVMByteArray;

/* ---- Functions --------------------------------------------------------------------------------------------------- */

/**
 * The calling convention of generated functions, which libraries export under their plain names. Arguments are
 * borrowed for the call, and the callee may write the arrays. A handle that is left in out_ret_value moves to the
 * caller; text and bytes cannot be results. The loader passes NULL as resource_handle and sets *out_ret_tcode to 4
 * beforehand. Answers 0, or -1 after TVMPackedFuncSetLastError.
 */
typedef int (*TVMPackedFunc)(TVMValue* args, int* type_codes, int num_args, TVMValue* out_ret_value,
                             int* out_ret_tcode, void* resource_handle);

/** As all releases call it. The thread agreed on TVMPackedFunc. */
typedef TVMPackedFunc TVMBackendPackedCFunc;

/**
 * Sets this thread's error text, which is copied, whatever its length. NULL is not accepted. Success of a later call
 * does not clear it.
 */
TVM_DLL void TVMAPISetLastError(const char* msg);

/** As the thread wants it called. Libraries export the other name. */
#define TVMPackedFuncSetLastError TVMAPISetLastError

#ifdef __cplusplus
}
#endif

#endif /* TVM_RUNTIME_C_PACKED_FUNC_H_ */
