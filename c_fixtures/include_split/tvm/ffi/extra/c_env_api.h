/*
 * The environment in the split generation: streams, tensor allocation, signals, and symbols of modules. Written anew;
 * spec/generations/split.toml describes the same functions, and a test compares the two.
 */
#ifndef TVM_FFI_EXTRA_C_ENV_API_H_
#define TVM_FFI_EXTRA_C_ENV_API_H_

#include <tvm/ffi/c_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A stream of a device runtime; the library never looks into it. */
typedef void* TVMFFIStreamHandle;

/** Sets this thread's current stream of a device. */
TVM_FFI_DLL int TVMFFIEnvSetStream(int32_t device_type, int32_t device_id, TVMFFIStreamHandle stream,
                                   TVMFFIStreamHandle* opt_out_original_stream);

/** This thread's current stream of a device, NULL by default. */
TVM_FFI_DLL TVMFFIStreamHandle TVMFFIEnvGetStream(int32_t device_type, int32_t device_id);

/**
 * Asks the frontend whether a signal is pending. If one is, the answer is not 0 and the error waits in the frontend:
 * none is raised here.
 */
TVM_FFI_DLL int TVMFFIEnvCheckSignals(void);

/** Registers a frontend's C function by its known name. */
TVM_FFI_DLL int TVMFFIEnvRegisterCAPI(const char* name, void* symbol);

/** Finds a function in a module's imports, then among the globals; the module owns what is returned. */
TVM_FFI_DLL int TVMFFIEnvModLookupFromImports(TVMFFIObjectHandle library_ctx, const char* func_name,
                                              TVMFFIObjectHandle* out);

/** Registers a value that is stored in the same-named symbol of every library loaded afterwards. */
TVM_FFI_DLL int TVMFFIEnvModRegisterContextSymbol(const char* name, void* symbol);

/** Registers a symbol of the system library. */
TVM_FFI_DLL int TVMFFIEnvModRegisterSystemLibSymbol(const char* name, void* symbol);

/**
 * Sets this thread's tensor allocator, and the process-wide fallback if asked to. What is written to the last
 * parameter is the new allocator, not the earlier one.
 */
TVM_FFI_DLL int TVMFFIEnvSetTensorAllocator(DLPackTensorAllocator allocator, int write_to_global_context,
                                            DLPackTensorAllocator* opt_out_original_allocator);

/** This thread's tensor allocator, else the process-wide one, else NULL. */
TVM_FFI_DLL DLPackTensorAllocator TVMFFIEnvGetTensorAllocator(void);

#ifdef __cplusplus
}
#endif

#endif /* TVM_FFI_EXTRA_C_ENV_API_H_ */
