#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/extra/c_env_api.h>

/* ---- Values ---- */
#define BYTES(text) (&(TVMFFIByteArray){text, sizeof(text) - 1})
static TVMFFIAny plain(int32_t type, int64_t payload) { return (TVMFFIAny){.type_index = type, .v_int64 = payload}; }
static TVMFFIAny none(void) { return plain(kTVMFFINone, 0); }
static TVMFFIAny pointer(void* p) { return (TVMFFIAny){.type_index = kTVMFFIOpaquePtr, .v_ptr = p}; }
static TVMFFIAny c_str(const char* s) { return (TVMFFIAny){.type_index = kTVMFFIRawStr, .v_c_str = s}; }
static TVMFFIAny byte_array(void* a) { return (TVMFFIAny){.type_index = kTVMFFIByteArrayPtr, .v_ptr = a}; }
static TVMFFIAny borrowed(void* t) { return (TVMFFIAny){.type_index = kTVMFFIDLTensorPtr, .v_ptr = t}; }
static TVMFFIAny moved(TVMFFIAny* v) { return (TVMFFIAny){.type_index = kTVMFFIObjectRValueRef, .v_ptr = &v->v_obj}; }
static TVMFFIAny dtype(DLDataType t) {
  TVMFFIAny v = plain(kTVMFFIDataType, 0);
  v.v_dtype = t;
  return v;
}
static TVMFFIAny device(int32_t type, int32_t id) {
  TVMFFIAny v = plain(kTVMFFIDevice, 0);
  v.v_device.device_type = type;
  v.v_device.device_id = id;
  return v;
}
static int integer_out(int64_t value, TVMFFIAny* out) { return *out = plain(kTVMFFIInt, value), 0; }
static int boolean(int value, TVMFFIAny* out) { return *out = plain(kTVMFFIBool, value), 0; }

/* ---- Calls ---- */
static TVMFFIObjectHandle made;
/* A call that writes a handle to `made`, which becomes a value. */
#define OBJECT(out, call) (made = NULL, keep_made(call, out))
static int keep_made(int code, TVMFFIAny* out) {
  if (code == 0 && made) *out = (TVMFFIAny){.type_index = ((TVMFFIObject*)made)->type_index, .v_obj = made};
  return code;
}
static int call(const char* name, TVMFFIAny* args, int32_t count, TVMFFIAny* out) {
  TVMFFIByteArray wanted = {name, strlen(name)};
  TVMFFIObjectHandle function = NULL;
  int code = TVMFFIFunctionGetGlobal(&wanted, &function);
  if (code || !function) return code;
  code = TVMFFIFunctionCall(function, args, count, out);
  TVMFFIObjectDecRef(function);
  return code;
}
/* Makes a call and prints what it comes to. */
#define RUN(number, call) show(number, call, &v[number])
static void show(int number, int code, TVMFFIAny* value) {
  TVMFFIObjectHandle error = NULL;
  const TVMFFIErrorCell* cell;
  if (code == 0) {
    printf("v[%d]: ok, type %d, 0x%" PRIx64 "\n", number, value->type_index, value->v_uint64);
  } else {
    *value = none();
    TVMFFIErrorMoveFromRaised(&error);
    if (!error) printf("v[%d]: no error\n", number);
    if (!error) return;
    cell = (const TVMFFIErrorCell*)((TVMFFIObject*)error + 1);
    printf("v[%d]: %.*s: %.*s\n", number, (int)cell->kind.size, cell->kind.data, (int)cell->message.size,
           cell->message.data);
    TVMFFIObjectDecRef(error);
  }
  fflush(stdout);
}

/* ---- Callees: those that were made without a self, and so are given themselves, answer nothing ---- */
static int is_own(void* self) { return self == &made; }
static int answer_none(void* self, const TVMFFIAny* args, int32_t count, TVMFFIAny* out) {
  return (void)self, (void)args, (void)count, (void)out, 0;
}
static int answer_first(void* self, const TVMFFIAny* args, int32_t count, TVMFFIAny* out) {
  return is_own(self) && count > 0 ? TVMFFIAnyViewToOwnedAny(args, out) : 0;
}
static int answer_seven(void* self, const TVMFFIAny* args, int32_t count, TVMFFIAny* out) {
  return (void)self, (void)args, (void)count, integer_out(7, out);
}
static int raise_error(void* self, const TVMFFIAny* args, int32_t count, TVMFFIAny* out) {
  (void)args, (void)count, (void)out;
  if (!is_own(self)) return 0;
  TVMFFIErrorSetRaisedFromCStr("ValueError", "raised by a callee");
  return -1;
}
/* Has a walk that goes into what is answered end. */
static int answer_array(void* self, const TVMFFIAny* args, int32_t count, TVMFFIAny* out) {
  static int arrays;
  if (is_own(self) && arrays++ >= 100) return raise_error(self, args, count, out);
  return is_own(self) ? call("ffi.Array", (TVMFFIAny*)args, count, out) : 0;
}
static int visit_on(void* self, const TVMFFIAny* args, int32_t count, TVMFFIAny* out) {
  return is_own(self) ? call("ffi.StructuralVisitorDefaultVisit", (TVMFFIAny*)args, count, out) : 0;
}
static int mutate_on(void* self, const TVMFFIAny* args, int32_t count, TVMFFIAny* out) {
  return is_own(self) ? call("ffi.StructuralMutatorDefaultMutate", (TVMFFIAny*)args, count, out) : 0;
}

/* ---- Functions of the library whose calls take more than an expression ---- */
static int get_version(TVMFFIAny* out) {
  TVMFFIVersion v;
  TVMFFIGetVersion(&v);
  return integer_out((int64_t)(v.major << 16 | v.minor << 8 | v.patch), out);
}
static int retain(TVMFFIObject* object, TVMFFIAny* out) {
  *out = (TVMFFIAny){.type_index = object->type_index, .v_obj = object};
  return TVMFFIObjectIncRef(object);
}
static int give_up(TVMFFIObject* object, TVMFFIAny* values, size_t count) {
  while (count-- > 0)
    if (values[count].type_index >= kTVMFFIStaticObjectBegin && values[count].v_obj == object) {
      values[count] = none();
      return TVMFFIObjectDecRef(object);
    }
  return 0;
}
static int get_content(const TVMFFIAny* value, TVMFFIAny* out) {
  TVMFFIByteArray content = TVMFFIBigIntGetContentByteArray(value);
  return TVMFFIBytesFromByteArray(&content, out);
}
static int parse_dtype(const TVMFFIByteArray* text, TVMFFIAny* out) {
  DLDataType parsed = {0};
  int code = TVMFFIDataTypeFromString(text, &parsed);
  if (code == 0) *out = dtype(parsed);
  return code;
}
static void* handle;
static int fill(void** result) { return *result = &handle, 0; }
static int refuse(void** result) { return (void)result, -1; }
static int empty(void* filled) { return (void)filled, 0; }
static int get_backtrace(const char* file, int cross, TVMFFIAny* out) {
  return boolean(TVMFFIBacktrace(file, 7, "here", cross) != NULL, out);
}
static TVMFFIMethodInfo* method(const TVMFFIByteArray* name, TVMFFIObject* function) {
  static TVMFFIMethodInfo info;
  info = (TVMFFIMethodInfo){.name = *name, .doc = *BYTES("a method"), .metadata = *BYTES("{}")};
  info.flags = kTVMFFIFieldFlagBitMaskIsStaticMethod;
  info.method = (TVMFFIAny){.type_index = function->type_index, .v_obj = function};
  return &info;
}
static int set_global_from_method_info(const TVMFFIByteArray* name, TVMFFIObject* function, int override) {
  return TVMFFIFunctionSetGlobalFromMethodInfo(method(name, function), override);
}

/* ---- Tensors: all of them lie over the same words, at the beginning of a page: an alignment may be asked for ---- */
static _Alignas(4096) uint64_t words[8] = {0x4048000040040000, 0x4048000040040000, 0x4048000040040000, 0x4048000040040000,
                                           0x4048000040040000, 0x4048000040040000, 0x4048000040040000, 0x4048000040040000};
static DLTensor tensor(const int64_t* shape, int ndim, DLDataType type) {
  int64_t* copy = malloc(64);
  if (ndim) memcpy(copy, shape, sizeof(int64_t) * ndim);
  return (DLTensor){words, {kDLCPU, 0}, ndim, type, copy, NULL, 0};
}
static int import(int64_t* shape, int ndim, DLDataType type, int alignment, int contiguous, TVMFFIObjectHandle* out) {
  DLManagedTensor* managed = calloc(1, sizeof(*managed));
  managed->dl_tensor = tensor(shape, ndim, type);
  return TVMFFITensorFromDLPack(managed, alignment, contiguous, out);
}
static int import_versioned(int64_t* shape, int ndim, DLDataType type, uint64_t flags, int contiguous,
                            TVMFFIObjectHandle* out) {
  DLManagedTensorVersioned* managed = calloc(1, sizeof(*managed));
  managed->version = (DLPackVersion){1, 1};
  managed->flags = flags;
  managed->dl_tensor = tensor(shape, ndim, type);
  return TVMFFITensorFromDLPackVersioned(managed, 0, contiguous, out);
}
static int round_trip(TVMFFIObjectHandle from, TVMFFIObjectHandle* out) {
  DLManagedTensor* exported;
  int code = TVMFFITensorToDLPack(from, &exported);
  return code ? code : TVMFFITensorFromDLPack(exported, 0, 0, out);
}
static int round_trip_versioned(TVMFFIObjectHandle from, TVMFFIObjectHandle* out) {
  DLManagedTensorVersioned* exported;
  int code = TVMFFITensorToDLPackVersioned(from, &exported);
  return code ? code : TVMFFITensorFromDLPackVersioned(exported, 0, 0, out);
}
static int view(TVMFFIObjectHandle from, int64_t* shape, int ndim, DLDataType type, TVMFFIObjectHandle* out) {
  DLTensor prototype = tensor(shape, ndim, type);
  return TVMFFITensorCreateUnsafeView(from, &prototype, out);
}
static int allocate(int64_t* shape, int ndim, DLDataType type, TVMFFIObjectHandle* out) {
  DLTensor prototype = tensor(shape, ndim, type);
  return TVMFFIEnvTensorAlloc(&prototype, out);
}

/* ---- Types and the environment ---- */
static int key_to_index(const TVMFFIByteArray* key, TVMFFIAny* out) {
  int32_t index = -1;
  int code = TVMFFITypeKeyToIndex(key, &index);
  return integer_out(code ? 0 : index, out), code;
}
static int describe(const TVMFFIByteArray* key, TVMFFIAny* out) {
  int32_t index = -1;
  int code = TVMFFITypeKeyToIndex(key, &index);
  const TVMFFITypeInfo* info = code ? NULL : TVMFFIGetTypeInfo(index);
  return code ? code : integer_out(info->type_depth << 20 | info->num_fields << 10 | info->num_methods, out);
}
static int32_t own_type(const TVMFFIByteArray* key) {
  return TVMFFITypeGetOrAllocIndex(key, -1, 1, 0, 1, kTVMFFIObject);
}
static TVMFFIFieldInfo* field(const TVMFFIByteArray* name, int64_t value) {
  static TVMFFIFieldInfo info;
  info = (TVMFFIFieldInfo){.name = *name, .flags = kTVMFFIFieldFlagBitMaskHasDefault, .size = 8, .alignment = 8};
  info.offset = sizeof(TVMFFIObject);
  info.default_value_or_factory = plain(kTVMFFIInt, value);
  info.field_static_type_index = kTVMFFIInt;
  return &info;
}
static TVMFFITypeMetadata* metadata(int kind) {
  static TVMFFITypeMetadata info;
  info = (TVMFFITypeMetadata){.total_size = sizeof(TVMFFIObject), .structural_eq_hash_kind = kind};
  return &info;
}
static int set_stream(int32_t type, int32_t id, intptr_t stream, TVMFFIAny* out) {
  TVMFFIStreamHandle before = NULL;
  int code = TVMFFIEnvSetStream(type, id, (TVMFFIStreamHandle)stream, &before);
  return integer_out((intptr_t)before, out), code;
}
/* The library lends the function, and the value holds it. */
static int look_up(TVMFFIObjectHandle module, const char* name, TVMFFIObjectHandle* out) {
  int code = TVMFFIEnvModLookupFromImports(module, name, out);
  return code == 0 && *out ? TVMFFIObjectIncRef(*out) : code;
}
