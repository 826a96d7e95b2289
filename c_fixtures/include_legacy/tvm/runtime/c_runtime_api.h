/*
 * What only runtimes and frontends use of TVM 0.7 to 0.20: functions, modules, objects and arrays that others own, and
 * devices. Code that is generated needs c_backend_api.h and nothing of this. Written anew; spec/generations/legacy.toml
 * describes the same, and a test compares the two.
 *
 * A function that returns int answers 0 for success, and -1 with a text for TVMGetLastError, unless its comment names
 * another code.
 */
#ifndef TVM_RUNTIME_C_RUNTIME_API_H_
#define TVM_RUNTIME_C_RUNTIME_API_H_

#include <tvm/runtime/c_backend_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Types ------------------------------------------------------------------------------------------------------- */

/** An extent or an index. */
typedef int64_t tvm_index_t;

/** An object. Whether it owns a reference is said where it is used. */
typedef void* TVMObjectHandle;

/** A module object. */
typedef void* TVMModuleHandle;

/** The tensor inside an array object, whose header lies 16 bytes before. */
typedef DLTensor* TVMArrayHandle;

/** A stream of a device runtime; NULL is the default one. */
typedef void* TVMStreamHandle;

/** Where a callback of a frontend leaves its result, for TVMCFuncSetReturn; valid within the callback. */
typedef void* TVMRetValueHandle;

/* ---- Errors ------------------------------------------------------------------------------------------------------ */

/**
 * This thread's error text. NULL, up to 0.13 an empty text, if there never was one. A text that the runtime raised is
 * made anew by each call: take it once, and copy it.
 */
TVM_DLL const char* TVMGetLastError(void);

/** Where this thread's last error of the runtime's own arose; NULL after a text that somebody set. */
TVM_DLL const char* TVMGetLastBacktrace(void);

/** The Python exception that this thread holds as its error, borrowed; or NULL. */
TVM_DLL void* TVMGetLastPythonError(void);

/** Has this thread hold a Python exception as its error. Py_IncRef has to be registered, else the process ends. */
TVM_DLL void TVMAPISetLastPythonError(void* py_object);

/** Gives that exception up. */
TVM_DLL void TVMDropLastPythonError(void);

/** Throws this thread's error as a C++ exception: not for C. */
TVM_DLL void TVMThrowLastError(void);

/* ---- Functions --------------------------------------------------------------------------------------------------- */

/**
 * What a frontend gives to TVMFuncCreateFromCFunc: a wrapper of the convention, not the convention itself. The result
 * goes through TVMCFuncSetReturn, which copies text and bytes and retains handles, so that the runtime owns what is
 * returned. Any answer but 0 is a failure, and -1 for whoever called.
 */
typedef int (*TVMFrontendCPackedFunc)(TVMValue* args, int* type_codes, int num_args, TVMRetValueHandle ret,
                                      void* resource_handle);

/** The other name that the thread offers. Nobody chose; the first says who writes such functions. */
typedef TVMFrontendCPackedFunc TVMRuntimeCPackedFunc;

/** As all releases call it. */
typedef TVMFrontendCPackedFunc TVMPackedCFunc;

/** Runs once, with the resource of a function whose last reference went, on the thread that gave it up. */
typedef void (*TVMPackedCFuncFinalizer)(void* resource_handle);

/** Registers the functions of an extension. */
typedef int (*TVMExtensionFuncDeclarer)(TVMFunctionHandle register_func_handle);

/** Gives up a reference. NULL is accepted. */
TVM_DLL int TVMFuncFree(TVMFunctionHandle func);

/**
 * Sets the result of a callback: text and bytes are copied, handles retained. The last call counts; num_ret is 1.
 */
TVM_DLL int TVMCFuncSetReturn(TVMRetValueHandle ret, TVMValue* value, int* type_code, int num_ret);

/**
 * Makes an owned value of an argument, in place: handles are retained, and what an r-value reference refers to moves.
 * Text and bytes are refused.
 */
TVM_DLL int TVMCbArgToReturn(TVMValue* value, int* code);

/**
 * Makes a function object of a callback and its resource; the caller owns it. The finalizer, if there is one, runs
 * once.
 */
TVM_DLL int TVMFuncCreateFromCFunc(TVMFrontendCPackedFunc func, void* resource_handle, TVMPackedCFuncFinalizer fin,
                                   TVMFunctionHandle* out);

/**
 * Registers a global function, to which the table adds a reference. A name that is taken is refused unless override is
 * set.
 */
TVM_DLL int TVMFuncRegisterGlobal(const char* name, TVMFunctionHandle f, int override);

/**
 * A new reference to a global function, which the caller frees whatever real headers say; NULL with success when there
 * is none.
 */
TVM_DLL int TVMFuncGetGlobal(const char* name, TVMFunctionHandle* out);

/** The names of the global functions, in no order; they stay until the thread's next call. */
TVM_DLL int TVMFuncListGlobalNames(int* out_size, const char*** out_array);

/** Removes a global function; that there is none is no failure. */
TVM_DLL int TVMFuncRemoveGlobal(const char* name);

/* ---- Modules ----------------------------------------------------------------------------------------------------- */

/** Loads a module, which the caller owns; an empty format is told by the file's extension. */
TVM_DLL int TVMModLoadFromFile(const char* file_name, const char* format, TVMModuleHandle* out);

/** Has a module import another one, to which it adds a reference. A circle is refused. */
TVM_DLL int TVMModImport(TVMModuleHandle mod, TVMModuleHandle dep);

/**
 * A function of a module, which the caller owns and which keeps the module alive; NULL with success when there is
 * none.
 */
TVM_DLL int TVMModGetFunction(TVMModuleHandle mod, const char* func_name, int query_imports, TVMFunctionHandle* out);

/** Gives up a reference. The library stays loaded while a function of it lives. */
TVM_DLL int TVMModFree(TVMModuleHandle mod);

/* ---- Objects and bytes ------------------------------------------------------------------------------------------- */

/** The type index of an object. */
TVM_DLL int TVMObjectGetTypeIndex(TVMObjectHandle obj, unsigned* out_tindex);

/** The type index of a key; a key that is not known is refused. */
TVM_DLL int TVMObjectTypeKey2Index(const char* type_key, unsigned* out_tindex);

/** The key of a type index, in memory that the caller gives to free. */
TVM_DLL int TVMObjectTypeIndex2Key(unsigned tindex, char** out_type_key);

/** Adds a reference. NULL is accepted. */
TVM_DLL int TVMObjectRetain(TVMObjectHandle obj);

/** Gives up a reference. NULL is accepted. */
TVM_DLL int TVMObjectFree(TVMObjectHandle obj);

/** Gives up a result that is bytes, of this thread; any other pointer ends the process. NULL is accepted. */
TVM_DLL int TVMByteArrayFree(TVMByteArray* arr);

/** Whether a type descends from another; a child that is not known is refused. */
TVM_DLL int TVMObjectDerivedFrom(uint32_t child_type_index, uint32_t parent_type_index, int* is_derived);

/* ---- Arrays ------------------------------------------------------------------------------------------------------ */

/** Makes an array, which the caller owns, with memory aligned to 64 bytes, to 128 up to 0.8, and strides NULL. */
TVM_DLL int TVMArrayAlloc(const tvm_index_t* shape, int ndim, int dtype_code, int dtype_bits, int dtype_lanes,
                          int device_type, int device_id, TVMArrayHandle* out);

/** Gives up a reference. NULL is not accepted. */
TVM_DLL int TVMArrayFree(TVMArrayHandle handle);

/** Fills a compact array with just as many bytes, and waits for it. */
TVM_DLL int TVMArrayCopyFromBytes(TVMArrayHandle handle, void* data, size_t nbytes);

/** Copies just as many bytes out of a compact array, and waits for it. */
TVM_DLL int TVMArrayCopyToBytes(TVMArrayHandle handle, void* data, size_t nbytes);

/** Copies from one array to another on a stream. */
TVM_DLL int TVMArrayCopyFromTo(TVMArrayHandle from, TVMArrayHandle to, TVMStreamHandle stream);

/**
 * Takes a DLPack tensor over; its deleter runs once, at the end of the array. What is not aligned or not compact is
 * refused and stays the caller's.
 */
TVM_DLL int TVMArrayFromDLPack(DLManagedTensor* from, TVMArrayHandle* out);

/** Exports an array; the exported struct holds one reference until its deleter is called. */
TVM_DLL int TVMArrayToDLPack(TVMArrayHandle from, DLManagedTensor** out);

/** Calls the deleter of an exported tensor. */
TVM_DLL void TVMDLManagedTensorCallDeleter(DLManagedTensor* dltensor);

/* ---- Devices ----------------------------------------------------------------------------------------------------- */

/** Makes a stream of a device. */
TVM_DLL int TVMStreamCreate(int device_type, int device_id, TVMStreamHandle* out);

/** Frees a stream. */
TVM_DLL int TVMStreamFree(int device_type, int device_id, TVMStreamHandle stream);

/** Sets this thread's current stream of a device. */
TVM_DLL int TVMSetStream(int device_type, int device_id, TVMStreamHandle handle);

/** Waits for all work on a stream. */
TVM_DLL int TVMSynchronize(int device_type, int device_id, TVMStreamHandle stream);

/** Has one stream wait for another. */
TVM_DLL int TVMStreamStreamSynchronize(int device_type, int device_id, TVMStreamHandle src, TVMStreamHandle dst);

/** Allocates memory of a device with this alignment. */
TVM_DLL int TVMDeviceAllocDataSpace(DLDevice dev, size_t nbytes, size_t alignment, DLDataType type_hint,
                                    void** out_data);

/** Allocates room for a tensor in a scope of a device's memory. */
TVM_DLL int TVMDeviceAllocDataSpaceWithScope(DLDevice dev, int ndim, const int64_t* shape, DLDataType dtype,
                                             const char* mem_scope, void** out_data);

/** Frees memory of a device. NULL is accepted. */
TVM_DLL int TVMDeviceFreeDataSpace(DLDevice dev, void* ptr);

/** Copies from one tensor to another on a stream. */
TVM_DLL int TVMDeviceCopyDataFromTo(DLTensor* from, DLTensor* to, TVMStreamHandle stream);

#ifdef __cplusplus
}
#endif

#endif /* TVM_RUNTIME_C_RUNTIME_API_H_ */
