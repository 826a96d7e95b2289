/*
 * Calls between a library of today's TVM FFI ABI and one of the legacy packed function, both loaded in this process by
 * dlopen. A function of one becomes a function of the other; values, errors and ownership are translated, and what has
 * no form on the other side is an error that says so. Objects themselves are never handed across.
 *
 * Functions that return int answer 0, or -1 with a text for TVMFFIAdapterGetLastError. All may be called on any thread.
 */
#ifndef TVM_FFI_ADAPTER_H_
#define TVM_FFI_ADAPTER_H_

#ifdef __cplusplus
extern "C" {
#endif

/** An adapter between two libraries. It is never freed. */
typedef const void* TVMFFIAdapterHandle;

/** Makes an adapter between two libraries that the caller has opened with dlopen, and never closes. */
int TVMFFIAdapterCreate(void* ffi_library, void* legacy_library, TVMFFIAdapterHandle* out);

/** Why the last of these functions that failed on this thread did so; NULL if none has. Valid until the next failure. */
const char* TVMFFIAdapterGetLastError(void);

/**
 * Makes a Function object over a legacy function, to which it takes a reference. The caller owns the result, a
 * TVMFFIObjectHandle.
 */
int TVMFFIAdapterFunctionToFFI(TVMFFIAdapterHandle adapter, void* function, void** out);

/**
 * Makes a legacy function over a Function object, to which it takes a reference. The caller owns the result, a
 * TVMFunctionHandle.
 */
int TVMFFIAdapterFunctionToLegacy(TVMFFIAdapterHandle adapter, void* function, void** out);

#ifdef __cplusplus
}
#endif

#endif /* TVM_FFI_ADAPTER_H_ */
