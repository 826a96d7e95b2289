"""What the library registers when it is loaded, as far as Python can see it: every type with its fields, methods and
attributes, and every global function with its description."""

import tvm_ffi
import tvm_ffi.testing
from _show import heading, show
from tvm_ffi import core

ATTRIBUTES = """__any_hash__ __any_equal__ __data_to_json__ __data_from_json__ __ffi_compare__ __ffi_convert__ __ffi_enum__
    __ffi_eq__ __ffi_hash__ __ffi_init__ __ffi_new__ __ffi_repr__ __ffi_shallow_copy__ __ffi_type_final__ __s_equal__ __s_hash__
    __s_visit__ __s_mutate__ __s_maybe_inplace_mutate__""".split()
FACTS = """name doc size alignment offset field_static_type_index frozen metadata ty c_init c_kw_only c_has_default c_default
    c_default_factory c_repr c_compare c_hash c_structural_eq""".split()

heading("types")
for key in map(str, tvm_ffi.registry.get_registered_type_keys()):
    index = core._object_type_key_to_index(key)
    info = core._lookup_or_register_type_info_from_type_key(key)
    # Indices from 128 on are given out at run time and are nobody's business.
    print(key, index if index < 128 else "dynamic", info.total_size if index >= 64 else "")
    print("   ancestors:", [core._type_index_to_type_info(ancestor).type_key for ancestor in info.type_ancestors])
    for field in info.fields or ():
        print("   field:", *[f"{name}={getattr(field, name)!r}" for name in FACTS])
    for method in info.methods or ():
        print("   method:", method.name, "static" if method.is_static else "", method.doc, method.metadata)
    values = {name: core._lookup_type_attr(index, name) for name in ATTRIBUTES}
    print("   attributes:", {name: type(value).__name__ for name, value in values.items() if value is not None})

heading("global functions")
for name in tvm_ffi.registry.list_global_func_names():
    show(name, tvm_ffi.get_global_func_metadata, name)
