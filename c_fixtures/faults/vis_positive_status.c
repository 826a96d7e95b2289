// story: ffi.StructuralWalk takes a callback that answers a positive status for one that has succeeded.
// breaks: VIS-0012 fail
#include "wrapped_global.h"
static int callback(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  TVMFFIAny own = {0};
  int code = call_original(self, args, n, &own);
  if (code < 0) return code;
  if (code > 0) {
    real.TVMFFIErrorSetRaised(NULL);
    own = (TVMFFIAny){0};
  }
  *result = own;
  return 0;
}
static void end(void* self) { real.TVMFFIObjectDecRef(self); }
static int wrap(const TVMFFIAny* list, TVMFFIAny* out) {
  TVMFFIAny pairs[32] = {{0}};
  int m = 0, code = 0;
  TVMFFISeqCell* cell = sequence_cell(list);
  for (int64_t i = 0; i < cell->size && i < 32 && code == 0; ++i) {
    TVMFFIAny* pair = sequence_cell((TVMFFIAny*)cell->data + i)->data;
    TVMFFIAny own[2] = {pair[0], {.type_index = kTVMFFIFunction}};
    TVMFFIObjectHandle made = NULL;
    real.TVMFFIObjectIncRef(pair[1].v_obj);
    code = real.TVMFFIFunctionCreate(pair[1].v_obj, callback, end, &made);
    own[1].v_obj = made;
    pairs[m] = (TVMFFIAny){0};
    if (code == 0) code = call_global("ffi.Array", own, 2, &pairs[m]);
    if (made) real.TVMFFIObjectDecRef(made);
    if (code == 0) ++m;
  }
  if (code == 0) code = call_global("ffi.Array", pairs, m, out);
  for (int i = 0; i < m; ++i) real.TVMFFIObjectDecRef(pairs[i].v_obj);
  return code;
}
static int good(const TVMFFIAny* list) {
  if (list->type_index != kTVMFFIArray || sequence_cell(list)->size > 32) return 0;
  for (int64_t i = 0; i < sequence_cell(list)->size; ++i) {
    TVMFFIAny* pair = (TVMFFIAny*)sequence_cell(list)->data + i;
    if (pair->type_index != kTVMFFIArray || sequence_cell(pair)->size != 2 || ((TVMFFIAny*)sequence_cell(pair)->data)[1].type_index != kTVMFFIFunction) return 0;
  }
  return 1;
}
static int walk(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  if (n != 4 || !good(&args[1]) || !good(&args[2])) return call_original(self, args, n, result);
  TVMFFIAny own[4] = {args[0], {0}, {0}, args[3]};
  int code = wrap(&args[1], &own[1]);
  if (code == 0) code = wrap(&args[2], &own[2]);
  if (code == 0) code = call_original(self, own, 4, result);
  for (int i = 1; i < 3; ++i) if (own[i].type_index >= 64) real.TVMFFIObjectDecRef(own[i].v_obj);
  return code;
}
WRAPPED_GLOBAL("ffi.StructuralWalk", walk)
