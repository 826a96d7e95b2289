/* What a caller of today's generation, or of the split one, is written with. */
#ifndef TVM_FFI_CALLER_H_
#define TVM_FFI_CALLER_H_

#include <tvm/ffi/c_api.h>
#include <tvm/ffi/extra/c_env_api.h>

#include "suite.h"

/* What the generation has otherwise: the counts of objects. It is found by the include path. */
#include <caller_generation.h>

/** Expects a byte array to hold the text of a string literal. */
#define CHECK_EQ_TEXT(t, what, got, expected)                                                 \
  do {                                                                                        \
    if (!caller_eq_text((t), what, (got), bytes_of(expected, sizeof(expected) - 1))) return 1; \
  } while (0)

/* ---- Values ------------------------------------------------------------------------------------------------------ */

static inline TVMFFIByteArray bytes_of(const char* data, size_t size) {
  TVMFFIByteArray array;
  array.data = data;
  array.size = size;
  return array;
}

static inline TVMFFIByteArray text_of(const char* text) { return bytes_of(text, strlen(text)); }

static inline TVMFFIAny any_of(int32_t type_index, int64_t payload) {
  TVMFFIAny any;
  any.type_index = type_index;
  any.zero_padding = 0;
  any.v_int64 = payload;
  return any;
}

static inline TVMFFIAny any_none(void) { return any_of(kTVMFFINone, 0); }

static inline TVMFFIAny any_int(int64_t value) { return any_of(kTVMFFIInt, value); }

static inline TVMFFIAny any_ptr(int32_t type_index, const void* pointer) {
  TVMFFIAny any = any_of(type_index, 0);
  any.v_ptr = (void*)(uintptr_t)pointer;
  return any;
}

static inline TVMFFIAny any_object(TVMFFIObjectHandle object) {
  return any_ptr(((TVMFFIObject*)object)->type_index, object);
}

/** What lies behind an object's header. C++ has accessors for it where the headers declare them, C counts bytes. */
#if defined(__cplusplus) && defined(CALLER_HAS_ACCESSORS)
#define TYPE_INDEX_OF(object) TVMFFIObjectGetTypeIndex(object)
#define SMALL_CONTENT(any) TVMFFISmallBytesGetContentByteArray(any)
#define BYTES_CELL(object) TVMFFIBytesGetByteArrayPtr(object)
#define ERROR_CELL(object) TVMFFIErrorGetCellPtr(object)
#define FUNCTION_CELL(object) TVMFFIFunctionGetCellPtr(object)
#define OPAQUE_CELL(object) TVMFFIOpaqueObjectGetCellPtr(object)
#define SHAPE_CELL(object) TVMFFIShapeGetCellPtr(object)
#define DL_TENSOR(object) TVMFFITensorGetDLTensorPtr(object)
#define CPU() TVMFFIDLDeviceFromIntPair(kDLCPU, 0)
#else
#define CELL(type, object) ((type*)((char*)(object) + sizeof(TVMFFIObject)))
#define TYPE_INDEX_OF(object) (((TVMFFIObject*)(object))->type_index)
#define SMALL_CONTENT(any) bytes_of((any)->v_bytes, (any)->small_str_len)
#define BYTES_CELL(object) CELL(TVMFFIByteArray, object)
#define ERROR_CELL(object) CELL(TVMFFIErrorCell, object)
#define FUNCTION_CELL(object) CELL(TVMFFIFunctionCell, object)
#define OPAQUE_CELL(object) CELL(TVMFFIOpaqueObjectCell, object)
#define SHAPE_CELL(object) CELL(TVMFFIShapeCell, object)
#define DL_TENSOR(object) CELL(DLTensor, object)
#define CPU() ((DLDevice){kDLCPU, 0})
#endif

/** The bytes of a string or bytes value in any of its forms. */
static inline TVMFFIByteArray content_of(const TVMFFIAny* any) {
  switch (any->type_index) {
    case kTVMFFISmallStr:
    case kTVMFFISmallBytes:
      return SMALL_CONTENT(any);
    case kTVMFFIStr:
    case kTVMFFIBytes:
      return *BYTES_CELL(any->v_obj);
    case kTVMFFIRawStr:
      return text_of(any->v_c_str);
    case kTVMFFIByteArrayPtr:
      return *(TVMFFIByteArray*)any->v_ptr;
    default:
      return text_of("(neither a string nor bytes)");
  }
}

/** Gives up what an owned value refers to. */
static inline void release(TVMFFIAny* any) {
  if (any->type_index >= kTVMFFIStaticObjectBegin) TVMFFIObjectDecRef(any->v_obj);
  *any = any_none();
}

/* ---- How expectations are judged --------------------------------------------------------------------------------- */

/** The raised error as text; it is taken. */
static inline void describe_raised(char* text, size_t size) {
  TVMFFIObjectHandle error = NULL;
  TVMFFIErrorMoveFromRaised(&error);
  if (!error) {
    snprintf(text, size, "no error raised");
    return;
  }
  TVMFFIErrorCell* cell = ERROR_CELL(error);
  snprintf(text, size, "%.*s: %.*s", (int)cell->kind.size, cell->kind.data, (int)cell->message.size,
           cell->message.data);
  TVMFFIObjectDecRef(error);
}

static inline int caller_ok(struct caller* t, int code) {
  char raised[400], got[440];
  if (code == 0) return 1;
  describe_raised(raised, sizeof(raised));
  snprintf(got, sizeof(got), "%d; %s", code, raised);
  t->unmet(t->context, "return value", "0", got);
  return 0;
}

static inline int caller_fails(struct caller* t, int code, const char* kind) {
  char raised[400];
  if (code == 0) {
    t->unmet(t->context, "return value", "not 0, with an error raised", "0");
    return 0;
  }
  describe_raised(raised, sizeof(raised));
  if (strcmp(raised, "no error raised") == 0) {
    t->unmet(t->context, "the raised error", "an Error object", "NULL");
    return 0;
  }
  if (kind && (strncmp(raised, kind, strlen(kind)) != 0 || raised[strlen(kind)] != ':')) {
    t->unmet(t->context, "kind of the raised error", kind, raised);
    return 0;
  }
  return 1;
}

static inline int caller_eq_text(struct caller* t, const char* what, TVMFFIByteArray got, TVMFFIByteArray expected) {
  char got_text[400];
  if (got.size == expected.size && (got.size == 0 || memcmp(got.data, expected.data, got.size) == 0)) return 1;
  snprintf(got_text, sizeof(got_text), "\"%.*s\", %zu bytes", (int)(got.size < 300 ? got.size : 300), got.data, got.size);
  t->unmet(t->context, what, expected.data, got_text);
  return 0;
}

#endif /* TVM_FFI_CALLER_H_ */
