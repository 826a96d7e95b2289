/* Tensors of the split generation: imports, and exports that share a struct. */
#include "objects.h"

/** A producer's tensor of two rows and three columns. */
struct product {
  DLManagedTensorVersioned managed;
  int64_t shape[2];
  int64_t strides[2];
  float data[6];
  int ends;
};

static void end_product(DLManagedTensorVersioned* self) { ((struct product*)self->manager_ctx)->ends += 1; }

static void describe(struct product* product, int has_strides) {
  DLTensor* tensor = &product->managed.dl_tensor;
  memset(product, 0, sizeof(*product));
  product->shape[0] = 2;
  product->shape[1] = product->strides[0] = 3;
  product->strides[1] = 1;
  tensor->data = product->data;
  tensor->device.device_type = kDLCPU;
  tensor->ndim = 2;
  tensor->dtype.code = kDLFloat;
  tensor->dtype.bits = 32;
  tensor->dtype.lanes = 1;
  tensor->shape = product->shape;
  tensor->strides = has_strides ? product->strides : NULL;
  product->managed.version.major = 1;
  product->managed.version.minor = 1;
  product->managed.manager_ctx = product;
  product->managed.deleter = end_product;
}

/** A Tensor that was exported, in either form, lives until the struct is given back, and then ends its producer's once. */
CALLER(exports_keep_the_tensor) {
  struct product first, second;
  TVMFFIObjectHandle tensor = NULL;
  DLManagedTensorVersioned* versioned = NULL;
  DLManagedTensor* managed = NULL;
  describe(&first, 1);
  describe(&second, 1);
  CLAUSE(t, "SPL-0028");
  CHECK_OK(t, TVMFFITensorFromDLPackVersioned(&first.managed, 0, 0, &tensor));
  CHECK_OK(t, TVMFFITensorToDLPackVersioned(tensor, &versioned));
  CHECK_EQ_PTR(t, "data of the versioned export", versioned->dl_tensor.data, first.data);
  CHECK_OK(t, TVMFFIObjectDecRef(tensor));
  CHECK_EQ_INT(t, "ends of the producer's tensor with a versioned export left", first.ends, 0);
  CALL(t, versioned->deleter(versioned));
  CHECK_EQ_INT(t, "ends of the producer's tensor", first.ends, 1);
  CHECK_OK(t, TVMFFITensorFromDLPackVersioned(&second.managed, 0, 0, &tensor));
  CHECK_OK(t, TVMFFITensorToDLPack(tensor, &managed));
  CHECK_EQ_PTR(t, "data of the export", managed->dl_tensor.data, second.data);
  CHECK_OK(t, TVMFFIObjectDecRef(tensor));
  CHECK_EQ_INT(t, "ends of the producer's tensor with an export left", second.ends, 0);
  CALL(t, managed->deleter(managed));
  CHECK_EQ_INT(t, "ends of the other producer's tensor", second.ends, 1);
  return 0;
}

/** Versioned exports of a Tensor are one struct, and each of them holds one strong reference. */
CALLER(versioned_exports_are_one) {
  struct product product;
  TVMFFIObjectHandle tensor = NULL;
  DLManagedTensorVersioned *first = NULL, *second = NULL, *third = NULL;
  describe(&product, 1);
  CLAUSE(t, "SPL-0029");
  CHECK_OK(t, TVMFFITensorFromDLPackVersioned(&product.managed, 0, 0, &tensor));
  CHECK_OK(t, TVMFFITensorToDLPackVersioned(tensor, &first));
  CHECK_OK(t, TVMFFITensorToDLPackVersioned(tensor, &second));
  CHECK_EQ_PTR(t, "the second export", second, first);
  CHECK_EQ_INT(t, "strong count with two exports", strong_count_of(tensor), 3);
  CALL(t, second->deleter(second));
  CHECK_EQ_INT(t, "strong count with one", strong_count_of(tensor), 2);
  CALL(t, first->deleter(first));
  CHECK_EQ_INT(t, "strong count with none", strong_count_of(tensor), 1);
  CHECK_OK(t, TVMFFITensorToDLPackVersioned(tensor, &third));
  CHECK_EQ_PTR(t, "an export when all others are back", third, first);
  CHECK_OK(t, TVMFFIObjectDecRef(tensor));
  CHECK_EQ_PTR(t, "its data when the Tensor is held by it alone", third->dl_tensor.data, product.data);
  CALL(t, third->deleter(third));
  CLAUSE(t, "SPL-0028");
  CHECK_EQ_INT(t, "ends of the producer's tensor", product.ends, 1);
  return 0;
}

/** A Tensor that was imported without strides shows those of rows, and one without dimensions some place for them. */
CALLER(strides_are_filled_in) {
  struct product product, scalar;
  TVMFFIObjectHandle tensor = NULL;
  describe(&product, 0);
  CLAUSE(t, "SPL-0030");
  CHECK_OK(t, TVMFFITensorFromDLPackVersioned(&product.managed, 0, 0, &tensor));
  CHECK_NOT_NULL(t, "strides", DL_TENSOR(tensor)->strides);
  CHECK_EQ_INT(t, "stride of the rows", DL_TENSOR(tensor)->strides[0], 3);
  CHECK_EQ_INT(t, "stride of the columns", DL_TENSOR(tensor)->strides[1], 1);
  CHECK_OK(t, TVMFFIObjectDecRef(tensor));
  describe(&scalar, 0);
  scalar.managed.dl_tensor.ndim = 0;
  CHECK_OK(t, TVMFFITensorFromDLPackVersioned(&scalar.managed, 0, 0, &tensor));
  CHECK_NOT_NULL(t, "strides of a tensor without dimensions", DL_TENSOR(tensor)->strides);
  CHECK_OK(t, TVMFFIObjectDecRef(tensor));
  return 0;
}

/** A new Tensor has its type index first, then one weak and one strong reference, and the DLPack tensor behind its header. */
CALLER(fresh_tensor) {
  struct product product;
  TVMFFIObjectHandle tensor = NULL;
  describe(&product, 1);
  CLAUSE(t, "SPL-0004");
  CHECK_OK(t, TVMFFITensorFromDLPackVersioned(&product.managed, 0, 0, &tensor));
  CHECK_EQ_INT(t, "strong count", strong_count_of(tensor), 1);
  CHECK_EQ_INT(t, "weak count", weak_count_of(tensor), 1);
  CLAUSE(t, "SPL-0003");
  CHECK_EQ_INT(t, "type index", ((TVMFFIObject*)tensor)->type_index, kTVMFFITensor);
  CHECK_EQ_PTR(t, "data behind the header", DL_TENSOR(tensor)->data, product.data);
  CHECK_OK(t, TVMFFIObjectDecRef(tensor));
  CHECK_EQ_INT(t, "ends of the producer's tensor", product.ends, 1);
  return 0;
}
