"""How numba is made to compile less: kernels once, and each kind of call typed once.

Numba compiles a function anew for an array that may not be written, for a number of 32 bits, for
a constant. And it asks all that it knows of `+` what a sum of two integers is, for every sum.
This module imports numba, so it is imported with the first kernel that is called.
"""

# mypy: ignore-errors
from __future__ import annotations

from numba.core import types
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher
from numba.core.sigutils import normalize_signature
from numba.core.types.functions import BaseFunction


class OneSignatureDispatcher(CPUDispatcher):
    """Compiles a function for plain types only, and calls it with all that become them."""

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self._accepted = set()

    def compile(self, sig):
        """Return the machine code for these types of arguments, compiled where there is none."""
        own, _ = normalize_signature(sig)
        plain = plain_types(own)
        with global_compiler_lock:
            code = super().compile(plain)
            if own != plain and own not in self._accepted:
                self._insert([kind._code for kind in own], code, False)
                self._accepted.add(own)  # and so the types live on, and keep their codes
        return code

    def get_call_template(self, args, kws):
        """Return what numba needs to type a call by another kernel; it converts the arguments."""
        _, folded = self.fold_argument_types(args, kws)
        return super().get_call_template(plain_types(folded), {})


def plain_types(kinds):
    """Return types with arrays that may be written, and signed integers of 64 bits."""
    return tuple(_plain(kind) for kind in kinds)


def _plain(kind):
    kind = types.unliteral(kind)
    if isinstance(kind, types.Array):
        return kind if kind.mutable else kind.copy(readonly=False)
    if isinstance(kind, types.Integer):
        return types.int64 if kind.signed else kind
    if isinstance(kind, types.BaseNamedTuple):
        return types.BaseTuple.from_types(plain_types(kind.types), kind.instance_class)
    if isinstance(kind, types.BaseTuple):
        return types.BaseTuple.from_types(plain_types(kind.types))
    return kind


def remember_calls():
    """Make numba remember what comes of a call of a function that it writes machine code for.

    That depends on the types of the arguments alone. Functions that it compiles, as `np.sum`,
    are none of these: what they become depends on options too.
    """
    resolve = BaseFunction.get_call_type
    known = {}  # by identity: to hash a function is slow

    def remembered(function, context, args, kws):
        _, calls = known.setdefault(id(function), (function, {}))
        call = (tuple(args), tuple(kws.items()))
        found = calls.get(call)
        if found is None:
            found = resolve(function, context, args, kws)
            if function.get_impl_key(found) is function.typing_key:
                calls[call] = found
        return found

    BaseFunction.get_call_type = remembered
