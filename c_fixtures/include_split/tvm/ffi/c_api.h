/*
 * The TVM FFI C ABI as it was in September 2025, before both counts of an object moved into one word: the "split"
 * generation. Written anew; spec/generations/split.toml describes the same layouts, constants and functions, and a test
 * compares the two. Nothing that is compiled with this header understands an object of today's generation.
 *
 * Unless its comment says otherwise, a function that returns int answers 0 for success. After -1 an error is raised on
 * the calling thread; -2 says that the frontend holds it; a call passes on what else a callee answers. Handles and
 * values that come out of a parameter named "out" or "result" belong to the caller; those that go in stay the caller's.
 */
#ifndef TVM_FFI_C_API_H_
#define TVM_FFI_C_API_H_

#include <dlpack/dlpack.h>
#include <stddef.h>
#include <stdint.h>

/** Marks what the library exports. */
#ifndef TVM_FFI_DLL
#if defined(_MSC_VER) && defined(TVM_FFI_EXPORTS)
#define TVM_FFI_DLL __declspec(dllexport)
#elif defined(_MSC_VER)
#define TVM_FFI_DLL __declspec(dllimport)
#else
#define TVM_FFI_DLL __attribute__((visibility("default")))
#endif
#endif

/** Every enumeration is 32 bits wide; C++ has to be told. */
#ifdef __cplusplus
#define TVM_FFI_INT32 : int32_t
extern "C" {
#else
#define TVM_FFI_INT32
#endif

/* ---- Types and values -------------------------------------------------------------------------------------------- */

/**
 * What a value is: 0 to 63 on the stack, 64 to 127 objects with a fixed index, 128 and up objects that are numbered at
 * run time.
 */
typedef enum TVMFFITypeIndex TVM_FFI_INT32 {
  /** A declared field type only: anything. */
  kTVMFFIAny = -1,
  /** Nothing. */
  kTVMFFINone = 0,
  /** A signed 64-bit integer. */
  kTVMFFIInt = 1,
  /** 0 or 1 as an integer. */
  kTVMFFIBool = 2,
  /** A double. */
  kTVMFFIFloat = 3,
  /** A pointer that is not interpreted. */
  kTVMFFIOpaquePtr = 4,
  /** A data type. */
  kTVMFFIDataType = 5,
  /** A device. */
  kTVMFFIDevice = 6,
  /** A borrowed DLTensor pointer. */
  kTVMFFIDLTensorPtr = 7,
  /** A borrowed C string; never in an owned value. */
  kTVMFFIRawStr = 8,
  /** A borrowed byte array; never in an owned value. */
  kTVMFFIByteArrayPtr = 9,
  /** The address of an object handle that may be taken over; never in an owned value. */
  kTVMFFIObjectRValueRef = 10,
  /** A string of at most 7 bytes, stored inline. */
  kTVMFFISmallStr = 11,
  /** At most 7 bytes, stored inline. */
  kTVMFFISmallBytes = 12,
  /** The first index of an object. */
  kTVMFFIStaticObjectBegin = 64,
  /** The root of all objects. */
  kTVMFFIObject = 64,
  /** A string object. */
  kTVMFFIStr = 65,
  /** A bytes object. */
  kTVMFFIBytes = 66,
  /** An error. */
  kTVMFFIError = 67,
  /** A function. */
  kTVMFFIFunction = 68,
  /** A shape. */
  kTVMFFIShape = 69,
  /** A tensor. */
  kTVMFFITensor = 70,
  /** An immutable sequence. */
  kTVMFFIArray = 71,
  /** An immutable map. */
  kTVMFFIMap = 72,
  /** A module. */
  kTVMFFIModule = 73,
  /** A foreign (Python) object. */
  kTVMFFIOpaquePyObject = 74,
  /** One past the last fixed index in use. */
  kTVMFFIStaticObjectEnd = 75,
  /** The first index that is given out at run time. */
  kTVMFFIDynObjectBegin = 128,
} TVMFFITypeIndex;

/** A pointer to an object's header. Whether it owns a reference is said where it is used. */
typedef void* TVMFFIObjectHandle;

/** What a deleter is asked to do. */
typedef enum TVMFFIObjectDeleterFlagBitMask TVM_FFI_INT32 {
  /** Run the destructor. */
  kTVMFFIObjectDeleterFlagBitMaskStrong = 1,
  /** Free the memory. */
  kTVMFFIObjectDeleterFlagBitMaskWeak = 2,
  /** Both at once. */
  kTVMFFIObjectDeleterFlagBitMaskBoth = 3,
} TVMFFIObjectDeleterFlagBitMask;

/** The header that every object begins with. Its first four bytes are those of a value that holds the object. */
typedef struct TVMFFIObject {
  /** What the object is, in the numbering that tagged values use too. */
  int32_t type_index;
  /**
   * Weak references, changed atomically; all strong ones together own one. A new object has 1. The memory lives as
   * long as there are any.
   */
  uint32_t weak_ref_count;
  /** Strong references, changed atomically, and never raised from 0. A new object has 1. */
  uint64_t strong_ref_count;
  union {
    /**
     * Called with flags 1 when no strong reference is left, with 2 when no weak one is, with 3 for both at once; NULL
     * when nobody has to be.
     */
    void (*deleter)(void* self, int flags);
    /** Shares the deleter's place, to make it 8 bytes wide on every machine. */
    int64_t __ensure_align;
  };
} TVMFFIObject;

/** A tagged value of 16 bytes. Bytes that the tag gives no meaning are zero. */
typedef struct TVMFFIAny {
  /** What the payload is. */
  int32_t type_index;
  union {
    /** Zero for everything but small strings and small bytes. */
    uint32_t zero_padding;
    /** The length of a small string or small bytes, at most 7. */
    uint32_t small_str_len;
  };
  union {
    /** An integer or a boolean. */
    int64_t v_int64;
    /** A floating-point number. */
    double v_float64;
    /** An untyped pointer. */
    void* v_ptr;
    /** A C string that is not owned. */
    const char* v_c_str;
    /** An object. */
    TVMFFIObject* v_obj;
    /** A data type. */
    DLDataType v_dtype;
    /** A device. */
    DLDevice v_device;
    /** The content of a small string, filled up with zeros. */
    char v_bytes[8];
    /** The payload as one word. */
    uint64_t v_uint64;
  };
} TVMFFIAny;

/* ---- What follows the header of an object ------------------------------------------------------------------------ */

/** A span of bytes. Who owns them is said where it is used. Follows the header of a String or Bytes object. */
typedef struct TVMFFIByteArray {
  /** The first byte. */
  const char* data;
  /** How many bytes. */
  size_t size;
} TVMFFIByteArray;

/** What follows the header of a Shape object. */
typedef struct TVMFFIShapeCell {
  /** The extents, which the object owns. */
  const int64_t* data;
  /** How many extents. */
  size_t size;
} TVMFFIShapeCell;

/** What follows the header of an Error object. A NUL follows each text. */
typedef struct TVMFFIErrorCell {
  /** The kind, such as ValueError. */
  TVMFFIByteArray kind;
  /** What went wrong. */
  TVMFFIByteArray message;
  /**
   * Where it happened, in lines as Python prints them, most recent call last. From 2025-09-22 on it is called
   * backtrace, most recent call first.
   */
  TVMFFIByteArray traceback;
  /** Replaces the traceback by a copy of this text. From 2025-09-22 on it takes a mode, too. */
  void (*update_traceback)(TVMFFIObjectHandle self, const TVMFFIByteArray* traceback);
} TVMFFIErrorCell;

/**
 * The one calling convention. The arguments are the caller's; the result of a call that answers 0 becomes the
 * caller's; any other answer leaves an error raised on the thread.
 */
typedef int (*TVMFFISafeCallType)(void* handle, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result);

/**
 * What follows the header of a Function object. C++ clients expect an entry of their own behind it, and do not look
 * whether it is NULL.
 */
typedef struct TVMFFIFunctionCell {
  /** The C entry. */
  TVMFFISafeCallType safe_call;
} TVMFFIFunctionCell;

/** What follows the header of an opaque object. */
typedef struct TVMFFIOpaqueObjectCell {
  /** The foreign handle. */
  void* handle;
} TVMFFIOpaqueObjectCell;

/* ---- Objects, values and functions ------------------------------------------------------------------------------- */

/** Adds one to the strong count, the 64-bit word at byte 8, and touches nothing else. NULL is not accepted. */
TVM_FFI_DLL int TVMFFIObjectIncRef(TVMFFIObjectHandle obj);

/**
 * Gives up one strong reference. The last one has the deleter called: with flags 3 if the weak count is 1, else with
 * 1, after which the weak count drops by one, and with 2 if that was the last. NULL is not accepted.
 */
TVM_FFI_DLL int TVMFFIObjectDecRef(TVMFFIObjectHandle obj);

/** Wraps a foreign handle as an object that runs deleter once at its end. */
TVM_FFI_DLL int TVMFFIObjectCreateOpaque(void* handle, int32_t type_index, void (*deleter)(void* handle),
                                         TVMFFIObjectHandle* out);

/** The index of a registered type key. */
TVM_FFI_DLL int TVMFFITypeKeyToIndex(const TVMFFIByteArray* type_key, int32_t* out_tindex);

/**
 * Makes a function object of a C callback and its closure; the caller owns it. The callback is always handed self,
 * NULL too; the deleter has to be there, and runs once.
 */
TVM_FFI_DLL int TVMFFIFunctionCreate(void* self, TVMFFISafeCallType safe_call, void (*deleter)(void* self),
                                     TVMFFIObjectHandle* out);

/** A new reference to a global function, or NULL with success when there is none. */
TVM_FFI_DLL int TVMFFIFunctionGetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle* out);

/** Makes an owned value of a view. */
TVM_FFI_DLL int TVMFFIAnyViewToOwnedAny(const TVMFFIAny* any_view, TVMFFIAny* out);

/** Calls a function object; the caller owns arguments and result. */
TVM_FFI_DLL int TVMFFIFunctionCall(TVMFFIObjectHandle func, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result);

/* ---- Errors ------------------------------------------------------------------------------------------------------ */

/** Moves this thread's raised error to the caller, NULL when there is none. */
TVM_FFI_DLL void TVMFFIErrorMoveFromRaised(TVMFFIObjectHandle* result);

/** Raises an error object on this thread; the library takes a reference of its own. */
TVM_FFI_DLL void TVMFFIErrorSetRaised(TVMFFIObjectHandle error);

/** Raises a new error on this thread, with the traceback of the place. No generation has another prototype. */
TVM_FFI_DLL void TVMFFIErrorSetRaisedFromCStr(const char* kind, const char* message);

/**
 * Makes an error object and answers it; the caller owns it. Nothing is raised, and without memory the process ends.
 * From 2025-09-22 on the object goes to a fourth parameter and the answer is a code, as today.
 */
TVM_FFI_DLL TVMFFIObjectHandle TVMFFIErrorCreate(const TVMFFIByteArray* kind, const TVMFFIByteArray* message,
                                                 const TVMFFIByteArray* traceback);

/**
 * This thread's traceback, most recent call last; valid until the thread's next call. With a file and a function, that
 * frame is the last line. From 2025-09-22 on it is called TVMFFIBacktrace and gives the lines in the other order.
 */
TVM_FFI_DLL const TVMFFIByteArray* TVMFFITraceback(const char* filename, int lineno, const char* func,
                                                   int cross_ffi_boundary);

/* ---- Tensors ----------------------------------------------------------------------------------------------------- */

/**
 * Allocates a tensor with the device, data type and shape of a prototype; the caller owns it. A failure is told
 * through SetError.
 */
typedef int (*DLPackTensorAllocator)(DLTensor* prototype, DLManagedTensorVersioned** out, void* error_ctx,
                                     void (*SetError)(void* error_ctx, const char* kind, const char* message));

/**
 * Takes a DLPack tensor over as a Tensor; its deleter runs once, at the Tensor's end. A Tensor always shows strides:
 * where the import has none, those of rows.
 */
TVM_FFI_DLL int TVMFFITensorFromDLPack(DLManagedTensor* from, int32_t require_alignment, int32_t require_contiguous,
                                       TVMFFIObjectHandle* out);

/** Exports a Tensor; the exported struct holds one reference until its deleter is called. */
TVM_FFI_DLL int TVMFFITensorToDLPack(TVMFFIObjectHandle from, DLManagedTensor** out);

/** Takes a versioned DLPack tensor over as a Tensor. Strides as with TVMFFITensorFromDLPack. */
TVM_FFI_DLL int TVMFFITensorFromDLPackVersioned(DLManagedTensorVersioned* from, int32_t require_alignment,
                                                int32_t require_contiguous, TVMFFIObjectHandle* out);

/**
 * Exports a Tensor in the versioned form: the same struct each time, which lives as long as the Tensor. Each export
 * adds a strong reference, and each call of the struct's deleter gives one up.
 */
TVM_FFI_DLL int TVMFFITensorToDLPackVersioned(TVMFFIObjectHandle from, DLManagedTensorVersioned** out);

/* ---- Strings, bytes and data types ------------------------------------------------------------------------------- */

/** Makes an owned String of bytes. */
TVM_FFI_DLL int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out);

/** Makes an owned Bytes of bytes. */
TVM_FFI_DLL int TVMFFIBytesFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out);

/** Parses a data type. bool is (1, 1, 1), and there are no short names such as bf16. */
TVM_FFI_DLL int TVMFFIDataTypeFromString(const TVMFFIByteArray* str, DLDataType* out);

/** Writes a data type as an owned String object. */
TVM_FFI_DLL int TVMFFIDataTypeToString(const DLDataType* dtype, TVMFFIAny* out);

/* ---- Reflection -------------------------------------------------------------------------------------------------- */

/** Reads the field at an address into an owned value. */
typedef int (*TVMFFIFieldGetter)(void* field, TVMFFIAny* result);

/** Writes a view into the field at an address. */
typedef int (*TVMFFIFieldSetter)(void* field, const TVMFFIAny* value);

/** Makes an empty instance of a type, which the caller owns. */
typedef int (*TVMFFIObjectCreator)(TVMFFIObjectHandle* result);

/** Flags of fields and methods. */
typedef enum TVMFFIFieldFlagBitMask TVM_FFI_INT32 {
  /** The field may be written. */
  kTVMFFIFieldFlagBitMaskWritable = 1,
  /** The field has a default. */
  kTVMFFIFieldFlagBitMaskHasDefault = 2,
  /** The method takes no instance. */
  kTVMFFIFieldFlagBitMaskIsStaticMethod = 4,
  /** Structural comparison and hashing skip the field. */
  kTVMFFIFieldFlagBitMaskSEqHashIgnore = 8,
  /** The field enters a definition region. */
  kTVMFFIFieldFlagBitMaskSEqHashDef = 16,
} TVMFFIFieldFlagBitMask;

/** How instances of a type are compared structurally. */
typedef enum TVMFFISEqHashKind TVM_FFI_INT32 {
  /** Not at all. */
  kTVMFFISEqHashKindUnsupported = 0,
  /** By content. */
  kTVMFFISEqHashKindTreeNode = 1,
  /** As variables that may be mapped to one another. */
  kTVMFFISEqHashKindFreeVar = 2,
  /** By content and sharing. */
  kTVMFFISEqHashKindDAGNode = 3,
  /** By content, with no variables inside. */
  kTVMFFISEqHashKindConstTreeNode = 4,
  /** By identity. */
  kTVMFFISEqHashKindUniqueInstance = 5,
} TVMFFISEqHashKind;

/** A reflected field of a type. */
typedef struct TVMFFIFieldInfo {
  /** Its name. */
  TVMFFIByteArray name;
  /** Documentation. */
  TVMFFIByteArray doc;
  /** Room for a schema, which the library leaves empty. */
  TVMFFIByteArray type_schema;
  /** Bits of TVMFFIFieldFlagBitMask. */
  int64_t flags;
  /** Size in bytes. */
  int64_t size;
  /** Alignment in bytes. */
  int64_t alignment;
  /** Bytes from the object's header. */
  int64_t offset;
  /** Reads the field. */
  TVMFFIFieldGetter getter;
  /** Writes the field; always a function in C. */
  TVMFFIFieldSetter setter;
  /** The default; always a value. */
  TVMFFIAny default_value;
  /** The index of the declared type, -1 for anything. */
  int32_t field_static_type_index;
} TVMFFIFieldInfo;

/** A reflected method of a type, or a global function with its documentation. */
typedef struct TVMFFIMethodInfo {
  /** Its name. */
  TVMFFIByteArray name;
  /** Documentation. */
  TVMFFIByteArray doc;
  /** Room for a schema, which the library leaves empty. */
  TVMFFIByteArray type_schema;
  /** Bits of TVMFFIFieldFlagBitMask. */
  int64_t flags;
  /** The function object; an instance method takes the instance as its first argument. */
  TVMFFIAny method;
} TVMFFIMethodInfo;

/** What a type says of itself beyond its fields and methods. */
typedef struct TVMFFITypeMetadata {
  /** Documentation. */
  TVMFFIByteArray doc;
  /** Makes an empty instance; may be NULL. */
  TVMFFIObjectCreator creator;
  /** The size of an instance in bytes, 0 when it is not known. */
  int32_t total_size;
  /** How instances are compared structurally. */
  TVMFFISEqHashKind structural_eq_hash_kind;
} TVMFFITypeMetadata;

/** One attribute of every type, by type index from 0 on. */
typedef struct TVMFFITypeAttrColumn {
  /** The entries; None where a type lacks the attribute. */
  const TVMFFIAny* data;
  /** How many entries. */
  size_t size;
} TVMFFITypeAttrColumn;

/** What is known of a type at run time. */
typedef struct TVMFFITypeInfo {
  /** The index. */
  int32_t type_index;
  /** How many ancestors there are. */
  int32_t type_depth;
  /** The name that no other type has. */
  TVMFFIByteArray type_key;
  /** The ancestors, the root first. The name is spelled so until 2025-09-24. */
  const struct TVMFFITypeInfo** type_acenstors;
  /** A hash of the key. */
  uint64_t type_key_hash;
  /** How many fields the type itself adds. */
  int32_t num_fields;
  /** How many methods the type itself adds. */
  int32_t num_methods;
  /** The fields. */
  const TVMFFIFieldInfo* fields;
  /** The methods. */
  const TVMFFIMethodInfo* methods;
  /** The metadata, NULL until it is registered. */
  const TVMFFITypeMetadata* metadata;
} TVMFFITypeInfo;

/** Registers a global function; the table takes a reference of its own. */
TVM_FFI_DLL int TVMFFIFunctionSetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle f, int allow_override);

/** Registers a global function with documentation and metadata, which are copied. */
TVM_FFI_DLL int TVMFFIFunctionSetGlobalFromMethodInfo(const TVMFFIMethodInfo* method_info, int allow_override);

/** Adds a reflected method to a type. */
TVM_FFI_DLL int TVMFFITypeRegisterMethod(int32_t type_index, const TVMFFIMethodInfo* info);

/** Gives a type its metadata, once. */
TVM_FFI_DLL int TVMFFITypeRegisterMetadata(int32_t type_index, const TVMFFITypeMetadata* metadata);

/** Sets one cell of an attribute column. */
TVM_FFI_DLL int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* attr_name,
                                       const TVMFFIAny* attr_value);

/** The attribute column of that name, or NULL; its address never changes. */
TVM_FFI_DLL const TVMFFITypeAttrColumn* TVMFFIGetTypeAttrColumn(const TVMFFIByteArray* attr_name);

/** Adds a reflected field to a type. A second one of the same name is not refused. */
TVM_FFI_DLL int TVMFFITypeRegisterField(int32_t type_index, const TVMFFIFieldInfo* info);

/**
 * The index of a type key, registered on first use. Built-in types let children overflow into run-time indices. A
 * failure ends the process.
 */
TVM_FFI_DLL int32_t TVMFFITypeGetOrAllocIndex(const TVMFFIByteArray* type_key, int32_t static_type_index,
                                              int32_t type_depth, int32_t num_child_slots,
                                              int32_t child_slots_can_overflow, int32_t parent_type_index);

/**
 * What is known of a registered type; its address never changes. An index that is not registered ends the process: 7
 * is none, and 74 is not until 2025-09-25.
 */
TVM_FFI_DLL const TVMFFITypeInfo* TVMFFIGetTypeInfo(int32_t type_index);

#ifdef __cplusplus
}
#endif

#endif /* TVM_FFI_C_API_H_ */
