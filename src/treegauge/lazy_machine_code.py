"""Machine code where it is called, and nowhere else.

Numba optimises every function and turns it into machine code by itself, and does so again with
each function that calls it, since its code is then part of theirs. What only kernels call is here
left as it is until a kernel that Python calls takes it in.
"""

# mypy: ignore-errors
from __future__ import annotations

from functools import cache

import llvmlite.binding as llvm
from numba.core.codegen import JITCodeLibrary
from numba.core.registry import cpu_target


@cache
def make_machine_code_lazily() -> None:
    """Let numba wait with machine code until somebody asks for the address of a function."""
    codegen = cpu_target.target_context.codegen()
    codegen._library_class = LazyLibrary
    set_env = codegen.set_env

    def set_env_of_machine_code(name, env):
        if codegen._engine.is_symbol_defined(name):
            set_env(name, env)

    codegen.set_env = set_env_of_machine_code


class LazyLibrary(JITCodeLibrary):
    """The code of a function, and of those that it calls."""

    _is_linked = False

    def _ensure_linked(self):
        """Take in the code of the functions that are called."""
        if self._finalized or self._is_linked:
            return
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._linking_libraries.clear()
        self._is_linked = True

    def add_linking_library(self, library):
        """Note a library whose functions are called."""
        self._linking_libraries.append(library)

    def finalize(self):
        """Optimise all code, and make machine code of it."""
        self._ensure_linked()
        super().finalize()

    def _get_module_for_linking(self):
        """Return code to be taken in by others; it is not optimised by itself."""
        if self._shared_module is None:
            self._ensure_linked()
            self._shared_module = self._final_module.clone()
            for function in list(self._shared_module.functions):
                if not function.is_declaration and function.linkage == llvm.Linkage.external:
                    function.linkage = "linkonce_odr"
        return self._shared_module

    def get_pointer_to_function(self, name):
        """Return the address of a function, 0 if it is not in this library."""
        if not self._finalized:
            try:
                self._final_module.get_function(name)
            except NameError:
                return 0
        return super().get_pointer_to_function(name)

    @property
    def has_dynamic_globals(self):
        """Whether the code holds addresses of this process, and cannot be kept."""
        if self._finalized:
            return super().has_dynamic_globals
        return any(
            variable.name.startswith("numba.dynamic.globals")
            for variable in self._get_module_for_linking().global_variables
        )

    def serialize_using_object_code(self):
        """Return what can be kept on disk."""
        if self._finalized:
            return super().serialize_using_object_code()
        return self.name, "code", self._get_module_for_linking().as_bitcode()

    @classmethod
    def _unserialize(cls, codegen, state):
        name, kind, data = state
        if kind != "code":
            return super()._unserialize(codegen, state)
        library = codegen.create_library(name)
        library._final_module = library._shared_module = llvm.parse_bitcode(data)
        library._is_linked = True
        return library
