/*
 * The examples that the ABI overview of the split generation prints, as a program: values, a function in the one calling convention
 * and its caller, an error, a tensor and a text. Compiled as C11 and as C++17.
 */
#undef NDEBUG
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <tvm/ffi/c_api.h>

/* ---- Simplified Example: a function, and how it is called --------------------------------------------------------- */

static int MyFunc(const char* param0, int param1) { return (int)strlen(param0) + param1; }

static int MyFuncTVMFFISafeCall(void* handle, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  (void)handle;
  assert(num_args == 2);
  assert(args[0].type_index == kTVMFFIRawStr);
  assert(args[1].type_index == kTVMFFIInt);
  result->type_index = kTVMFFIInt;
  result->zero_padding = 0;
  result->v_int64 = MyFunc(args[0].v_c_str, (int)args[1].v_int64);
  return 0;
}

static int CallTVMFFISafeCall(const char* param0, int param1) {
  TVMFFIAny args[2], result;
  memset(args, 0, sizeof(args));
  memset(&result, 0, sizeof(result));
  args[0].type_index = kTVMFFIRawStr;
  args[0].v_c_str = param0;
  args[1].type_index = kTVMFFIInt;
  args[1].v_int64 = param1;
  result.type_index = kTVMFFINone;
  assert(MyFuncTVMFFISafeCall(NULL, args, 2, &result) == 0);
  return (int)result.v_int64;
}

/* The same through a function object: the callee may be anybody's. */
static void EndNothing(void* self) { (void)self; }

static int CallThroughLibrary(const char* param0, int param1) {
  TVMFFIObjectHandle function = NULL;
  TVMFFIAny args[2], result;
  memset(args, 0, sizeof(args));
  memset(&result, 0, sizeof(result));
  args[0].type_index = kTVMFFIRawStr;
  args[0].v_c_str = param0;
  args[1].type_index = kTVMFFIInt;
  args[1].v_int64 = param1;
  assert(TVMFFIFunctionCreate(NULL, MyFuncTVMFFISafeCall, EndNothing, &function) == 0);
  assert(TVMFFIFunctionCall(function, args, 2, &result) == 0);
  assert(TVMFFIObjectDecRef(function) == 0);
  return (int)result.v_int64;
}

/* ---- Storing a POD Value ------------------------------------------------------------------------------------------ */

static void SetIntValue(TVMFFIAny* any, int value) {
  any->type_index = kTVMFFIInt;
  any->zero_padding = 0;
  any->v_int64 = value;
}

static void SetOpaquePtrValue(TVMFFIAny* any, void* opaque_ptr) {
  any->type_index = kTVMFFIOpaquePtr;
  any->zero_padding = 0;
  any->v_uint64 = 0;
  any->v_ptr = opaque_ptr;
}

/* ---- DLPack Compatible Tensor ------------------------------------------------------------------------------------- */

static DLTensor* ReadDLTensorPtr(const TVMFFIAny* value) {
  if (value->type_index == kTVMFFIDLTensorPtr) return (DLTensor*)value->v_ptr;
  assert(value->type_index == kTVMFFITensor);
  return (DLTensor*)((char*)value->v_obj + sizeof(TVMFFIObject));
}

static int ended;

static void EndTensor(DLManagedTensorVersioned* self) {
  (void)self;
  ended += 1;
}

/* ---- Error Handling ----------------------------------------------------------------------------------------------- */

static int ErrorFunc(void* handle, const TVMFFIAny* args, int num_args, TVMFFIAny* result) {
  const char* error_kind = "RuntimeError";
  const char* error_msg = "error message";
  (void)handle, (void)args, (void)num_args, (void)result;
  TVMFFIErrorSetRaisedFromCStr(error_kind, error_msg);
  return -1;
}

/* ---- String and Bytes --------------------------------------------------------------------------------------------- */

static TVMFFIByteArray ReadString(const TVMFFIAny* value) {
  TVMFFIByteArray ret;
  if (value->type_index == kTVMFFIRawStr) {
    ret.data = value->v_c_str;
    ret.size = strlen(ret.data);
  } else if (value->type_index == kTVMFFISmallStr) {
    ret.data = value->v_bytes;
    ret.size = value->small_str_len;
  } else {
    assert(value->type_index == kTVMFFIStr);
    ret = *(TVMFFIByteArray*)((char*)value->v_obj + sizeof(TVMFFIObject));
  }
  return ret;
}

static int IsText(TVMFFIByteArray text, const char* other) {
  return text.size == strlen(other) && memcmp(text.data, other, text.size) == 0;
}

/* An AnyView becomes a managed Any: a raw C string becomes a String. */
static void OwnText(const char* text, int32_t type_index) {
  TVMFFIAny view, owned;
  memset(&view, 0, sizeof(view));
  view.type_index = kTVMFFIRawStr;
  view.v_c_str = text;
  assert(TVMFFIAnyViewToOwnedAny(&view, &owned) == 0);
  assert(owned.type_index == type_index);
  assert(IsText(ReadString(&view), text) && IsText(ReadString(&owned), text));
  if (owned.type_index >= kTVMFFIStaticObjectBegin) assert(TVMFFIObjectDecRef(owned.v_obj) == 0);
}

int main(void) {
  TVMFFIAny any;
  TVMFFIObjectHandle function = NULL, error = NULL, tensor = NULL;
  TVMFFIErrorCell* cell;
  DLManagedTensorVersioned managed;
  float data[3] = {1, 2, 3};
  int64_t shape[1] = {3}, strides[1] = {1};
  int here = 0;

  assert(CallTVMFFISafeCall("four", 38) == 42);
  assert(CallThroughLibrary("four", 38) == 42);
  SetIntValue(&any, 7);
  assert(any.type_index == kTVMFFIInt && any.v_int64 == 7);
  SetOpaquePtrValue(&any, &here);
  assert(any.v_ptr == &here && any.zero_padding == 0);

  memset(&managed, 0, sizeof(managed));
  managed.version.major = 1;
  managed.version.minor = 1;
  managed.deleter = EndTensor;
  managed.dl_tensor.data = data;
  managed.dl_tensor.device.device_type = kDLCPU;
  managed.dl_tensor.ndim = 1;
  managed.dl_tensor.dtype.code = kDLFloat;
  managed.dl_tensor.dtype.bits = 32;
  managed.dl_tensor.dtype.lanes = 1;
  managed.dl_tensor.shape = shape;
  managed.dl_tensor.strides = strides;
  assert(TVMFFITensorFromDLPackVersioned(&managed, 0, 0, &tensor) == 0);
  memset(&any, 0, sizeof(any));
  any.type_index = ((TVMFFIObject*)tensor)->type_index;
  any.v_obj = (TVMFFIObject*)tensor;
  assert(ReadDLTensorPtr(&any)->data == data);
  assert(TVMFFIObjectDecRef(tensor) == 0 && ended == 1);
  any.type_index = kTVMFFIDLTensorPtr;
  any.v_ptr = &managed.dl_tensor;
  assert(ReadDLTensorPtr(&any)->data == data);

  memset(&any, 0, sizeof(any));
  assert(TVMFFIFunctionCreate(NULL, ErrorFunc, EndNothing, &function) == 0);
  assert(TVMFFIFunctionCall(function, NULL, 0, &any) == -1);
  TVMFFIErrorMoveFromRaised(&error);
  assert(error && ((TVMFFIObject*)error)->type_index == kTVMFFIError);
  cell = (TVMFFIErrorCell*)((char*)error + sizeof(TVMFFIObject));
  assert(IsText(cell->kind, "RuntimeError") && IsText(cell->message, "error message"));
  assert(TVMFFIObjectDecRef(error) == 0 && TVMFFIObjectDecRef(function) == 0);

  OwnText("seven_b", kTVMFFISmallStr);
  OwnText("more than seven", kTVMFFIStr);
  puts("all examples of the overview hold");
  return 0;
}
