/* Tensors: made by a client, handed to kernels and to other frameworks, and allocated on demand. */
#include "caller.h"

/* ---- A producer and its deleter ---------------------------------------------------------------------------------- */

static int producer_ends;

/** One block: the managed tensor, its shape, and a few floats. */
struct product {
  DLManagedTensor managed;
  DLManagedTensorVersioned versioned;
  int64_t shape[2];
  int64_t strides[2];
  float data[6];
};

static void end_product(DLManagedTensor* self) {
  producer_ends += 1;
  free(self->manager_ctx);
}

static void end_versioned_product(DLManagedTensorVersioned* self) {
  producer_ends += 1;
  free(self->manager_ctx);
}

static void describe(DLTensor* tensor, struct product* product) {
  tensor->data = product->data;
  tensor->device = CPU();
  tensor->ndim = 2;
  tensor->dtype.code = kDLFloat;
  tensor->dtype.bits = 32;
  tensor->dtype.lanes = 1;
  tensor->shape = product->shape;
  tensor->strides = product->strides;
  tensor->byte_offset = 0;
}

/** A tensor of two rows and three columns, 0 to 5. */
static struct product* produce(void) {
  struct product* product = (struct product*)calloc(1, sizeof(struct product));
  int i;
  for (i = 0; i < 6; ++i) product->data[i] = (float)i;
  product->shape[0] = 2;
  product->shape[1] = 3;
  product->strides[0] = 3;
  product->strides[1] = 1;
  describe(&product->managed.dl_tensor, product);
  product->managed.manager_ctx = product;
  product->managed.deleter = end_product;
  describe(&product->versioned.dl_tensor, product);
  product->versioned.version.major = DLPACK_MAJOR_VERSION;
  product->versioned.version.minor = DLPACK_MINOR_VERSION;
  product->versioned.manager_ctx = product;
  product->versioned.deleter = end_versioned_product;
  producer_ends = 0;
  return product;
}

static int check_same(struct caller* t, const DLTensor* got, const DLTensor* expected) {
  CHECK_EQ_PTR(t, "data", got->data, expected->data);
  CHECK_EQ_INT(t, "kind of device", got->device.device_type, expected->device.device_type);
  CHECK_EQ_INT(t, "number of device", got->device.device_id, expected->device.device_id);
  CHECK_EQ_INT(t, "dimensions", got->ndim, 2);
  CHECK_EQ_INT(t, "code of the data type", got->dtype.code, expected->dtype.code);
  CHECK_EQ_INT(t, "bits of the data type", got->dtype.bits, expected->dtype.bits);
  CHECK_EQ_INT(t, "lanes of the data type", got->dtype.lanes, expected->dtype.lanes);
  CHECK_EQ_INT(t, "first extent", got->shape[0], expected->shape[0]);
  CHECK_EQ_INT(t, "second extent", got->shape[1], expected->shape[1]);
  CHECK_EQ_INT(t, "first stride", got->strides[0], expected->strides[0]);
  CHECK_EQ_INT(t, "second stride", got->strides[1], expected->strides[1]);
  CHECK_EQ_INT(t, "byte offset", got->byte_offset, expected->byte_offset);
  return 0;
}

/* ---- In and out -------------------------------------------------------------------------------------------------- */

/** A DLManagedTensor is imported and exported with all its fields and given back once. */
CALLER(tensor_in_and_out) {
  struct product* product = produce();
  TVMFFIObjectHandle tensor = NULL;
  DLManagedTensor* exported = NULL;
  CLAUSE(t, "TEN-0002");
  CHECK_OK(t, TVMFFITensorFromDLPack(&product->managed, 4, 1, &tensor));
  CHECK_EQ_INT(t, "type index", TYPE_INDEX_OF(tensor), kTVMFFITensor);
  if (check_same(t, DL_TENSOR(tensor), &product->managed.dl_tensor)) return 1;
  CLAUSE(t, "TEN-0020");
  CHECK_OK(t, TVMFFITensorToDLPack(tensor, &exported));
  if (check_same(t, &exported->dl_tensor, &product->managed.dl_tensor)) return 1;
  CLAUSE(t, "TEN-0022");
  CHECK_OK(t, TVMFFIObjectDecRef(tensor));
  CHECK_EQ_INT(t, "calls of the producer's deleter while the export is kept", producer_ends, 0);
  CLAUSE(t, "TEN-0017");
  CALL(t, exported->deleter(exported));
  CHECK_EQ_INT(t, "calls of the producer's deleter", producer_ends, 1);
  return 0;
}

/** A DLManagedTensorVersioned is imported and exported with all its fields and given back once. */
CALLER(versioned_tensor_in_and_out) {
  struct product* product = produce();
  TVMFFIObjectHandle tensor = NULL;
  DLManagedTensorVersioned* exported = NULL;
  CLAUSE(t, "TEN-0003");
  CHECK_OK(t, TVMFFITensorFromDLPackVersioned(&product->versioned, 4, 1, &tensor));
  if (check_same(t, DL_TENSOR(tensor), &product->versioned.dl_tensor)) return 1;
  CLAUSE(t, "TEN-0021");
  CHECK_OK(t, TVMFFITensorToDLPackVersioned(tensor, &exported));
  if (check_same(t, &exported->dl_tensor, &product->versioned.dl_tensor)) return 1;
  CLAUSE(t, "TEN-0023");
  CHECK_EQ_INT(t, "major version", exported->version.major, DLPACK_MAJOR_VERSION);
  CLAUSE(t, "TEN-0022");
  CHECK_OK(t, TVMFFIObjectDecRef(tensor));
  CHECK_EQ_INT(t, "calls of the producer's deleter while the export is kept", producer_ends, 0);
  CLAUSE(t, "TEN-0017");
  CALL(t, exported->deleter(exported));
  CHECK_EQ_INT(t, "calls of the producer's deleter", producer_ends, 1);
  return 0;
}

/** A tensor that is refused for not being contiguous stays its producer's. */
CALLER(refused_tensor) {
  struct product* product = produce();
  TVMFFIObjectHandle tensor = NULL;
  product->strides[0] = 1;
  product->strides[1] = 2;
  CLAUSE(t, "TEN-0012");
  CHECK_FAILS(t, TVMFFITensorFromDLPack(&product->managed, 0, 1, &tensor), NULL);
  CLAUSE(t, "TEN-0016");
  CHECK_EQ_INT(t, "calls of the deleter of a tensor that was refused", producer_ends, 0);
  free(product);
  return 0;
}

/** A view has the prototype's fields and keeps the Tensor's memory until the view ends. */
CALLER(unsafe_view) {
  struct product* product = produce();
  TVMFFIObjectHandle tensor = NULL, view = NULL;
  DLTensor prototype;
  int64_t shape[2] = {1, 2}, strides[2] = {3, 2};
  CHECK_OK(t, TVMFFITensorFromDLPack(&product->managed, 0, 0, &tensor));
  describe(&prototype, product);
  prototype.data = product->data + 3;
  prototype.shape = shape;
  prototype.strides = strides;
  CLAUSE(t, "TEN-0031");
  CHECK_OK(t, TVMFFITensorCreateUnsafeView(tensor, &prototype, &view));
  if (check_same(t, DL_TENSOR(view), &prototype)) return 1;
  CLAUSE(t, "TEN-0033");
  CHECK_OK(t, TVMFFIObjectDecRef(tensor));
  CHECK_EQ_INT(t, "calls of the producer's deleter while a view is left", producer_ends, 0);
  CHECK_OK(t, TVMFFIObjectDecRef(view));
  CHECK_EQ_INT(t, "calls of the producer's deleter", producer_ends, 1);
  return 0;
}

/* ---- A kernel ---------------------------------------------------------------------------------------------------- */

static DLTensor* tensor_of(const TVMFFIAny* value) {
  if (value->type_index == kTVMFFIDLTensorPtr) return (DLTensor*)value->v_ptr;
  return value->type_index == kTVMFFITensor ? DL_TENSOR(value->v_obj) : NULL;
}

/** Doubles each element of a matrix of floats. */
static int twice(void* handle, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  DLTensor* tensor = num_args == 1 ? tensor_of(&args[0]) : NULL;
  int64_t row, column;
  (void)handle;
  (void)result;
  if (!tensor) {
    TVMFFIErrorSetRaisedFromCStr("TypeError", "twice takes one tensor");
    return -1;
  }
  for (row = 0; row < tensor->shape[0]; ++row) {
    for (column = 0; column < tensor->shape[1]; ++column) {
      ((float*)tensor->data)[row * tensor->strides[0] + column * tensor->strides[1]] *= 2;
    }
  }
  return 0;
}

/** A callee writes to the data of a DLTensor pointer and of a Tensor that it is given. */
CALLER(kernel) {
  struct product* product = produce();
  TVMFFIObjectHandle function = NULL, tensor = NULL;
  TVMFFIAny arg, result = any_none();
  CHECK_OK(t, TVMFFIFunctionCreate(NULL, twice, NULL, &function));
  CLAUSE(t, "TEN-0035");
  arg = any_ptr(kTVMFFIDLTensorPtr, &product->managed.dl_tensor);
  CHECK_OK(t, TVMFFIFunctionCall(function, &arg, 1, &result));
  CHECK_EQ_INT(t, "the last element, doubled", product->data[5], 10);
  CLAUSE(t, "TEN-0034");
  CHECK_OK(t, TVMFFITensorFromDLPack(&product->managed, 0, 0, &tensor));
  arg = any_object(tensor);
  CHECK_OK(t, TVMFFIFunctionCall(function, &arg, 1, &result));
  CHECK_EQ_INT(t, "the last element, doubled again", product->data[5], 20);
  CHECK_EQ_INT(t, "type index of no result", result.type_index, kTVMFFINone);
  CHECK_OK(t, TVMFFIObjectDecRef(tensor));
  CHECK_OK(t, TVMFFIObjectDecRef(function));
  return 0;
}

/* ---- A frontend's allocator -------------------------------------------------------------------------------------- */

static int allocate(DLTensor* prototype, DLManagedTensorVersioned** out, void* error_ctx,
                    void (*set_error)(void* error_ctx, const char* kind, const char* message)) {
  struct product* product = produce();
  (void)error_ctx;
  (void)set_error;
  product->versioned.dl_tensor.dtype = prototype->dtype;
  memcpy(product->shape, prototype->shape, sizeof(product->shape));
  product->strides[0] = product->shape[1];
  *out = &product->versioned;
  return 0;
}

static int refuse(DLTensor* prototype, DLManagedTensorVersioned** out, void* error_ctx,
                  void (*set_error)(void* error_ctx, const char* kind, const char* message)) {
  (void)prototype;
  (void)out;
  set_error(error_ctx, "MemoryError", "the device is full");
  return -1;
}

static void describe_wanted(DLTensor* wanted, int64_t* shape) {
  memset(wanted, 0, sizeof(*wanted));
  wanted->device = CPU();
  wanted->ndim = 2;
  wanted->dtype.code = kDLFloat;
  wanted->dtype.bits = 32;
  wanted->dtype.lanes = 1;
  wanted->shape = shape;
}

/** TVMFFIEnvTensorAlloc makes a Tensor by the client's allocator, and its end runs the allocator's deleter. */
CALLER(tensor_allocator) {
  DLPackManagedTensorAllocator none = NULL, current = NULL;
  TVMFFIObjectHandle tensor = NULL;
  DLTensor wanted;
  int64_t shape[2] = {3, 2};
  describe_wanted(&wanted, shape);
  CALL(t, none = TVMFFIEnvGetDLPackManagedTensorAllocator());
  CLAUSE(t, "ENV-0010");
  CHECK_OK(t, TVMFFIEnvSetDLPackManagedTensorAllocator(allocate, 0, NULL));
  CALL(t, current = TVMFFIEnvGetDLPackManagedTensorAllocator());
  CHECK_EQ_INT(t, "whether the allocator is the one that was set", current == allocate, 1);
  CLAUSE(t, "ENV-0017");
  CHECK_OK(t, TVMFFIEnvTensorAlloc(&wanted, &tensor));
  CHECK_EQ_INT(t, "type index", TYPE_INDEX_OF(tensor), kTVMFFITensor);
  CHECK_EQ_INT(t, "first extent", DL_TENSOR(tensor)->shape[0], 3);
  CHECK_EQ_INT(t, "second extent", DL_TENSOR(tensor)->shape[1], 2);
  CLAUSE(t, "ENV-0019");
  CHECK_OK(t, TVMFFIObjectDecRef(tensor));
  CHECK_EQ_INT(t, "calls of the allocator's deleter", producer_ends, 1);
  CLAUSE(t, "ENV-0013");
  CHECK_OK(t, TVMFFIEnvSetDLPackManagedTensorAllocator(NULL, 0, NULL));
  CALL(t, current = TVMFFIEnvGetDLPackManagedTensorAllocator());
  CHECK_EQ_INT(t, "whether there is no allocator any more", current == none, 1);
  return 0;
}

/** The error that a client's tensor allocator reports reaches the caller of TVMFFIEnvTensorAlloc. */
CALLER(failing_tensor_allocator) {
  TVMFFIObjectHandle tensor = NULL;
  DLTensor wanted;
  int64_t shape[2] = {3, 2};
  describe_wanted(&wanted, shape);
  CHECK_OK(t, TVMFFIEnvSetDLPackManagedTensorAllocator(refuse, 0, NULL));
  CLAUSE(t, "ENV-0022");
  CHECK_FAILS(t, TVMFFIEnvTensorAlloc(&wanted, &tensor), "MemoryError");
  CHECK_OK(t, TVMFFIEnvSetDLPackManagedTensorAllocator(NULL, 0, NULL));
  return 0;
}
