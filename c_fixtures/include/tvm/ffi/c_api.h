/*
 * The TVM FFI C ABI. Written anew; spec/abi.toml describes the same layouts, constants and functions, and a test
 * compares the two.
 *
 * Unless its comment says otherwise, a function that returns int answers 0 for success; after any other answer, an
 * error is raised on the calling thread. Handles and values that come out of a parameter named "out" or "result" belong
 * to the caller; those that go in stay the caller's.
 */
#ifndef TVM_FFI_C_API_H_
#define TVM_FFI_C_API_H_

#include <dlpack/dlpack.h>
#include <stddef.h>
#include <stdint.h>

/** The version that the newest release claims. */
#define TVM_FFI_VERSION_MAJOR 0
#define TVM_FFI_VERSION_MINOR 1
#define TVM_FFI_VERSION_PATCH 16

/** TVM_FFI_DLL marks what the library exports; TVM_FFI_DLL_EXPORT marks what a module exports, whoever builds it. */
#ifndef TVM_FFI_DLL
#if defined(_MSC_VER) && defined(TVM_FFI_EXPORTS)
#define TVM_FFI_DLL __declspec(dllexport)
#elif defined(_MSC_VER)
#define TVM_FFI_DLL __declspec(dllimport)
#else
#define TVM_FFI_DLL __attribute__((visibility("default")))
#endif
#endif
#ifndef TVM_FFI_DLL_EXPORT
#ifdef _MSC_VER
#define TVM_FFI_DLL_EXPORT __declspec(dllexport)
#else
#define TVM_FFI_DLL_EXPORT __attribute__((visibility("default")))
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

/** A version in three numbers: a claim of the library, not its identity. */
typedef struct TVMFFIVersion {
  /** The first number. */
  uint32_t major;
  /** The second number. */
  uint32_t minor;
  /** The third number. */
  uint32_t patch;
} TVMFFIVersion;

/**
 * What a value is. 0 to 63 are values on the stack, 64 to 127 objects with a fixed index, 128 and up objects that are
 * numbered at run time.
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
  /** The answer of a mutator that made nothing new. */
  kTVMFFIUnchanged = 13,
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
  /** A mutable sequence. */
  kTVMFFIList = 75,
  /** A mutable map. */
  kTVMFFIDict = 76,
  /** What a visitor answers to stop. */
  kTVMFFIVisitInterrupt = 77,
  /** An integer outside 64 bits. */
  kTVMFFIBigInt = 78,
  /** One past the last fixed index in use; it moves whenever one is added. */
  kTVMFFIStaticObjectEnd = 79,
  /** The first index that is given out at run time. */
  kTVMFFIDynObjectBegin = 128,
} TVMFFITypeIndex;

/** A pointer to an object's header. Whether it owns a reference is said where it is used. */
typedef void* TVMFFIObjectHandle;

/** What a deleter is asked to do. */
typedef enum TVMFFIObjectDeleterFlagBitMask TVM_FFI_INT32 {
  /** Run the destructor. */
  kTVMFFIObjectDeleterFlagBitMaskStrong = 1 << 0,
  /** Free the memory. */
  kTVMFFIObjectDeleterFlagBitMaskWeak = 1 << 1,
  /** Both at once. */
  kTVMFFIObjectDeleterFlagBitMaskBoth = 3,
} TVMFFIObjectDeleterFlagBitMask;

/** The header that every object begins with. */
typedef struct TVMFFIObject {
  /**
   * Strong references in the low 32 bits, weak ones in the high 32; changed atomically. A new object holds one of each.
   */
  uint64_t combined_ref_count;
  /** What the object is, in the numbering that tagged values use too. */
  int32_t type_index;
  /** Zero. */
  uint32_t __padding;
  union {
    /** Ends the object as the flags of TVMFFIObjectDeleterFlagBitMask say; NULL when nobody has to. */
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

/** What follows the header of an Array or List object. */
typedef struct TVMFFISeqCell {
  /** The first element. */
  void* data;
  /** Elements in use. */
  int64_t size;
  /** Elements that there is room for. */
  int64_t capacity;
  /** Frees data when it lies outside the object; NULL when it lies inside. */
  void (*data_deleter)(void*);
} TVMFFISeqCell;

/** How an error's backtrace is updated. */
typedef enum TVMFFIBacktraceUpdateMode TVM_FFI_INT32 {
  /** The new backtrace takes the old one's place. */
  kTVMFFIBacktraceUpdateModeReplace = 0,
  /** The new backtrace follows the old one. */
  kTVMFFIBacktraceUpdateModeAppend = 1,
} TVMFFIBacktraceUpdateMode;

/** What follows the header of an Error object. */
typedef struct TVMFFIErrorCell {
  /** The kind, such as ValueError. */
  TVMFFIByteArray kind;
  /** What went wrong. */
  TVMFFIByteArray message;
  /** Where it happened, most recent call first. */
  TVMFFIByteArray backtrace;
  /** Changes the backtrace as a TVMFFIBacktraceUpdateMode says. */
  void (*update_backtrace)(TVMFFIObjectHandle self, const TVMFFIByteArray* backtrace, int32_t update_mode);
  /** The error that led to this one, owned; or NULL. */
  TVMFFIObjectHandle cause_chain;
  /** An object that says more about the error, owned; or NULL. */
  TVMFFIObjectHandle extra_context;
} TVMFFIErrorCell;

/**
 * The one calling convention. The arguments are the caller's; the result of a call that answers 0 becomes the caller's;
 * any other answer leaves an error raised on the thread.
 */
typedef int (*TVMFFISafeCallType)(void* handle, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result);

/** What follows the header of a Function object. */
typedef struct TVMFFIFunctionCell {
  /** The C entry; its first argument is the handle of the function object. */
  TVMFFISafeCallType safe_call;
  /** A C++ entry that throws; NULL for functions that C++ did not make. */
  void* cpp_call;
} TVMFFIFunctionCell;

/** What follows the header of an opaque object. */
typedef struct TVMFFIOpaqueObjectCell {
  /** The foreign handle. */
  void* handle;
} TVMFFIOpaqueObjectCell;

/* ---- Version and objects ----------------------------------------------------------------------------------------- */

/** Writes the version that the library claims. */
TVM_FFI_DLL void TVMFFIGetVersion(TVMFFIVersion* out_version);

/** Adds one strong reference. */
TVM_FFI_DLL int TVMFFIObjectIncRef(TVMFFIObjectHandle obj);

/** Gives up one strong reference; the last one runs the deleter. NULL is accepted. */
TVM_FFI_DLL int TVMFFIObjectDecRef(TVMFFIObjectHandle obj);

/** Wraps a foreign handle as an object that runs deleter once at its end. */
TVM_FFI_DLL int TVMFFIObjectCreateOpaque(void* handle, int32_t type_index, void (*deleter)(void* handle),
                                         TVMFFIObjectHandle* out);

/* ---- Allocation of objects --------------------------------------------------------------------------------------- */

/** What a custom allocator puts right before an object. */
typedef struct TVMFFIObjectAllocHeader {
  /** Frees the storage, given the address of the object. */
  void (*delete_space)(void* ptr);
} TVMFFIObjectAllocHeader;

/** A process-wide allocator of objects. */
typedef struct TVMFFICustomAllocator {
  /** Answers room for an object behind a filled-in TVMFFIObjectAllocHeader, or NULL with an error raised. */
  void* (*allocate)(size_t size, size_t alignment, int32_t type_index, void* context);
  /** Handed to allocate unchanged. */
  void* context;
} TVMFFICustomAllocator;

/** The process-wide object allocator, never NULL; borrowed. */
TVM_FFI_DLL TVMFFICustomAllocator* TVMFFIGetCustomAllocator(void);

/**
 * Installs a process-wide object allocator; NULL restores the built-in one. The allocator must live as long as the
 * process.
 */
TVM_FFI_DLL int TVMFFISetCustomAllocator(TVMFFICustomAllocator* allocator);

/* ---- Values and functions ---------------------------------------------------------------------------------------- */

/** The index of a registered type key. */
TVM_FFI_DLL int TVMFFITypeKeyToIndex(const TVMFFIByteArray* type_key, int32_t* out_tindex);

/** Makes a function object of a C callback and its closure; the caller owns it. */
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

/** Raises a new error on this thread. */
TVM_FFI_DLL void TVMFFIErrorSetRaisedFromCStr(const char* kind, const char* message);

/** Raises a new error whose message is the concatenation of the parts; NULL parts are skipped. */
TVM_FFI_DLL void TVMFFIErrorSetRaisedFromCStrParts(const char* kind, const char** message_parts, int32_t num_parts);

/** Makes an error object; the caller owns it. */
TVM_FFI_DLL int TVMFFIErrorCreate(const TVMFFIByteArray* kind, const TVMFFIByteArray* message,
                                  const TVMFFIByteArray* backtrace, TVMFFIObjectHandle* out);

/** Makes an error object that holds references of its own to a cause and a context, either of which may be NULL. */
TVM_FFI_DLL int TVMFFIErrorCreateWithCauseAndExtraContext(const TVMFFIByteArray* kind, const TVMFFIByteArray* message,
                                                          const TVMFFIByteArray* backtrace,
                                                          TVMFFIObjectHandle cause_chain,
                                                          TVMFFIObjectHandle extra_context, TVMFFIObjectHandle* out);

/* ---- Tensors ----------------------------------------------------------------------------------------------------- */

/** Takes a DLPack tensor over as a Tensor; its deleter runs once, at the Tensor's end. */
TVM_FFI_DLL int TVMFFITensorFromDLPack(DLManagedTensor* from, int32_t require_alignment, int32_t require_contiguous,
                                       TVMFFIObjectHandle* out);

/** Exports a Tensor; the exported struct holds one reference until its deleter is called. */
TVM_FFI_DLL int TVMFFITensorToDLPack(TVMFFIObjectHandle from, DLManagedTensor** out);

/** Takes a versioned DLPack tensor over as a Tensor. */
TVM_FFI_DLL int TVMFFITensorFromDLPackVersioned(DLManagedTensorVersioned* from, int32_t require_alignment,
                                                int32_t require_contiguous, TVMFFIObjectHandle* out);

/** Exports a Tensor in the versioned form. */
TVM_FFI_DLL int TVMFFITensorToDLPackVersioned(TVMFFIObjectHandle from, DLManagedTensorVersioned** out);

/** Makes a Tensor over the prototype's data that keeps the source alive. */
TVM_FFI_DLL int TVMFFITensorCreateUnsafeView(TVMFFIObjectHandle source, const DLTensor* prototype,
                                             TVMFFIObjectHandle* out);

/* ---- Strings, bytes, big integers and data types ----------------------------------------------------------------- */

/** Makes an owned String of bytes. */
TVM_FFI_DLL int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out);

/** Makes an owned Bytes of bytes. */
TVM_FFI_DLL int TVMFFIBytesFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out);

/** Makes an owned integer of 64-bit words, least significant first; normalised. */
TVM_FFI_DLL int TVMFFIBigIntFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out);

/** Borrows the words of an Int or BigInt value. */
TVM_FFI_DLL TVMFFIByteArray TVMFFIBigIntGetContentByteArray(const TVMFFIAny* value);

/** Parses a data type. */
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
  kTVMFFIFieldFlagBitMaskWritable = 1 << 0,
  /** The field has a default. */
  kTVMFFIFieldFlagBitMaskHasDefault = 1 << 1,
  /** The method takes no instance. */
  kTVMFFIFieldFlagBitMaskIsStaticMethod = 1 << 2,
  /** Structural comparison and hashing skip the field. */
  kTVMFFIFieldFlagBitMaskSEqHashIgnore = 1 << 3,
  /** The field enters a pattern definition region. */
  kTVMFFIFieldFlagBitMaskSEqHashDefPattern = 1 << 4,
  /** The default is made by calling a function. */
  kTVMFFIFieldFlagBitMaskDefaultFromFactory = 1 << 5,
  /** The field is not printed. */
  kTVMFFIFieldFlagBitMaskReprOff = 1 << 6,
  /** Recursive comparison skips the field. */
  kTVMFFIFieldFlagBitMaskCompareOff = 1 << 7,
  /** Recursive hashing skips the field. */
  kTVMFFIFieldFlagBitMaskHashOff = 1 << 8,
  /** The generated constructor has no such parameter. */
  kTVMFFIFieldFlagBitMaskInitOff = 1 << 9,
  /** The generated constructor takes it by keyword only. */
  kTVMFFIFieldFlagBitMaskKwOnly = 1 << 10,
  /** setter is the handle of a function object. */
  kTVMFFIFieldFlagBitSetterIsFunctionObj = 1 << 11,
  /** The field enters a simple definition region. */
  kTVMFFIFieldFlagBitMaskSEqHashDefSimple = 1 << 12,
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

/** The definition region that a structural visitor is in. */
typedef enum TVMFFIDefRegionKind TVM_FFI_INT32 {
  /** None: variables are used. */
  kTVMFFIDefRegionKindNone = 0,
  /** A pattern: every variable met is defined. */
  kTVMFFIDefRegionKindPattern = 1,
  /** The variable alone is defined. */
  kTVMFFIDefRegionKindSimple = 2,
} TVMFFIDefRegionKind;

/** A reflected field of a type. */
typedef struct TVMFFIFieldInfo {
  /** Its name. */
  TVMFFIByteArray name;
  /** Documentation. */
  TVMFFIByteArray doc;
  /** Structured metadata, as JSON. */
  TVMFFIByteArray metadata;
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
  /** A TVMFFIFieldSetter, or the handle of a function object when kTVMFFIFieldFlagBitSetterIsFunctionObj is set. */
  void* setter;
  /** The default value, or a function that makes it when kTVMFFIFieldFlagBitMaskDefaultFromFactory is set. */
  TVMFFIAny default_value_or_factory;
  /** The index of the declared type, -1 for anything. */
  int32_t field_static_type_index;
} TVMFFIFieldInfo;

/** A reflected method of a type, or a global function with its documentation. */
typedef struct TVMFFIMethodInfo {
  /** Its name. */
  TVMFFIByteArray name;
  /** Documentation. */
  TVMFFIByteArray doc;
  /** Structured metadata, as JSON. */
  TVMFFIByteArray metadata;
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

/** One attribute of every type: entry t - begin_index belongs to the type with index t. */
typedef struct TVMFFITypeAttrColumn {
  /** The entries; None where a type lacks the attribute. */
  const TVMFFIAny* data;
  /** How many entries. */
  int32_t size;
  /** The type index of the first entry; 0 before there was such a field. */
  int32_t begin_index;
} TVMFFITypeAttrColumn;

/** What is known of a type at run time. */
typedef struct TVMFFITypeInfo {
  /** The index. */
  int32_t type_index;
  /** How many ancestors there are. */
  int32_t type_depth;
  /** The name that no other type has. */
  TVMFFIByteArray type_key;
  /** The ancestors, the root first. */
  const struct TVMFFITypeInfo** type_ancestors;
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

/** Adds a reflected field to a type. */
TVM_FFI_DLL int TVMFFITypeRegisterField(int32_t type_index, const TVMFFIFieldInfo* info);

/** Adds a reflected method to a type. */
TVM_FFI_DLL int TVMFFITypeRegisterMethod(int32_t type_index, const TVMFFIMethodInfo* info);

/** Gives a type its metadata, once. */
TVM_FFI_DLL int TVMFFITypeRegisterMetadata(int32_t type_index, const TVMFFITypeMetadata* metadata);

/** Sets one cell of an attribute column. */
TVM_FFI_DLL int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* attr_name,
                                       const TVMFFIAny* attr_value);

/** The attribute column of that name, or NULL; its address never changes. */
TVM_FFI_DLL const TVMFFITypeAttrColumn* TVMFFIGetTypeAttrColumn(const TVMFFIByteArray* attr_name);

/* ---- Backtraces, the type table and one-time initialisation ------------------------------------------------------ */

/** This thread's backtrace, most recent call first; valid until the thread's next call. */
TVM_FFI_DLL const TVMFFIByteArray* TVMFFIBacktrace(const char* filename, int lineno, const char* func,
                                                   int cross_ffi_boundary);

/** The index of a type key, registered on first use; parent -2 only queries. */
TVM_FFI_DLL int32_t TVMFFITypeGetOrAllocIndex(const TVMFFIByteArray* type_key, int32_t static_type_index,
                                              int32_t type_depth, int32_t num_child_slots,
                                              int32_t child_slots_can_overflow, int32_t parent_type_index);

/** What is known of a registered type; its address never changes. */
TVM_FFI_DLL const TVMFFITypeInfo* TVMFFIGetTypeInfo(int32_t type_index);

/** Fills a handle once, whichever thread comes first. */
TVM_FFI_DLL int TVMFFIHandleInitOnce(void** handle_addr, int (*init_func)(void** result));

/** Empties a handle once, whichever thread comes first. */
TVM_FFI_DLL int TVMFFIHandleDeinitOnce(void** handle_addr, int (*deinit_func)(void* handle));

#ifdef __cplusplus
}

/* ---- Where things lie in an object, for C++. None of these looks at the type index. ------------------------------ */

/** The type index of an object. */
inline int32_t TVMFFIObjectGetTypeIndex(TVMFFIObjectHandle obj) { return static_cast<TVMFFIObject*>(obj)->type_index; }

/** The content of a small string or small bytes; borrowed from the value itself. */
inline TVMFFIByteArray TVMFFISmallBytesGetContentByteArray(const TVMFFIAny* value) {
  return TVMFFIByteArray{value->v_bytes, static_cast<size_t>(value->small_str_len)};
}

/** The content of a String or Bytes object. */
inline TVMFFIByteArray* TVMFFIBytesGetByteArrayPtr(TVMFFIObjectHandle obj) {
  return reinterpret_cast<TVMFFIByteArray*>(static_cast<TVMFFIObject*>(obj) + 1);
}

/** The cell of an Error object. */
inline TVMFFIErrorCell* TVMFFIErrorGetCellPtr(TVMFFIObjectHandle obj) {
  return reinterpret_cast<TVMFFIErrorCell*>(static_cast<TVMFFIObject*>(obj) + 1);
}

/** The cell of a Function object. */
inline TVMFFIFunctionCell* TVMFFIFunctionGetCellPtr(TVMFFIObjectHandle obj) {
  return reinterpret_cast<TVMFFIFunctionCell*>(static_cast<TVMFFIObject*>(obj) + 1);
}

/** The cell of an opaque object. */
inline TVMFFIOpaqueObjectCell* TVMFFIOpaqueObjectGetCellPtr(TVMFFIObjectHandle obj) {
  return reinterpret_cast<TVMFFIOpaqueObjectCell*>(static_cast<TVMFFIObject*>(obj) + 1);
}

/** The cell of a Shape object. */
inline TVMFFIShapeCell* TVMFFIShapeGetCellPtr(TVMFFIObjectHandle obj) {
  return reinterpret_cast<TVMFFIShapeCell*>(static_cast<TVMFFIObject*>(obj) + 1);
}

/** The tensor in a Tensor object. */
inline DLTensor* TVMFFITensorGetDLTensorPtr(TVMFFIObjectHandle obj) {
  return reinterpret_cast<DLTensor*>(static_cast<TVMFFIObject*>(obj) + 1);
}

/** A device of its two numbers. */
inline DLDevice TVMFFIDLDeviceFromIntPair(int32_t device_type, int32_t device_id) {
  return DLDevice{static_cast<DLDeviceType>(device_type), device_id};
}
#endif /* __cplusplus */

#endif /* TVM_FFI_C_API_H_ */
