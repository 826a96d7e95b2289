// story: Nodes of a tree are matched one to one as those of a graph are: an Array in which one TreeNode stands twice is not equal to one with two that are alike.
// breaks: SEQ-0024 fail
#include "wrapped_global.h"

static int is_tree_node(const TVMFFIAny* value) {
  if (value->type_index <= kTVMFFIStaticObjectEnd) return 0;
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(value->type_index);
  return info && info->metadata && info->metadata->structural_eq_hash_kind == kTVMFFISEqHashKindTreeNode;
}

static int equal(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || num_args != 4 || result->v_int64 == 0) return code;
  if (args[0].type_index != kTVMFFIArray || args[1].type_index != kTVMFFIArray) return code;
  const TVMFFIAny *left = sequence_cell(&args[0])->data, *right = sequence_cell(&args[1])->data;
  const int64_t size = sequence_cell(&args[0])->size;
  for (int64_t i = 0; i < size && i < 256; ++i) {
    for (int64_t k = 0; k < i; ++k) {
      if (is_tree_node(&left[i]) && is_tree_node(&left[k]) && (left[i].v_obj == left[k].v_obj) != (right[i].v_obj == right[k].v_obj)) {
        result->v_int64 = 0;
        return 0;
      }
    }
  }
  return 0;
}

WRAPPED_GLOBAL("ffi.StructuralEqual", equal)
