# /// jace-repro
# schema = 1
# name = "filtered"
# origin = "scripts/libraries/jaxscipy_signal_image.py:22 (filtered)"
# pipeline = "fused"
# outcome = "ok"
# fingerprint = "051f92c1ff5785e0d551940ee4b603e7f02aaa508072aa6e48d2f3dfe75e9cd6"
# outputs_sha256 = "d22f08550a8ec873ce7686cc3599a58446e4e4c102a1aab1c43f6bc99ebc3b64"
# sidecar_sha256 = "4b2d250e33d2276b644c104ab494251760b9d0374b69f2c51731df7ecfcd89c5"
# self_check = "exact"
# ///
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax==0.10.1", "jaxlib==0.10.1", "numpy==2.4.6"]
# ///
"""filtered (jaxscipy_signal_image.py:22): written by jace-repro, needs only jax and numpy."""

import hashlib
import io
import pathlib

import jax
import numpy as np
from jax import lax

c64 = np.dtype("complex64")
f32 = np.dtype("float32")


def jit(name=None, **options):
    """jax.jit as a decorator, for a function whose name is not the one in the program."""

    def decorate(fun):
        fun.__name__ = fun.__qualname__ = name or fun.__name__
        return jax.jit(fun, **options)

    return decorate


SIDECAR_SHA256 = "4b2d250e33d2276b644c104ab494251760b9d0374b69f2c51731df7ecfcd89c5"


def read_sidecar():
    """The arrays in the .npz file beside this script."""
    path = pathlib.Path(__file__).with_suffix(".npz")
    data = path.read_bytes()
    if hashlib.sha256(data).hexdigest() != SIDECAR_SHA256:
        raise SystemExit(f"{path} is not the file that belongs to this script (sha256 differs)")
    return dict(np.load(io.BytesIO(data)))


ARRAYS = globals().get("ARRAYS") or read_sidecar()  # whoever executes this text may put them there


@jit("_pad")
def pad_fn(a, b):
    c = lax.convert_element_type(b, f32)  # f32[]
    d = lax.pad(a, c, ((0, 4, 0),))  # f32[68]
    return d


@jit("fft")
def fft_fn(a):
    b = lax.fft_p.bind(a, fft_lengths=(68,), fft_type=lax.FftType.RFFT)  # c64[35]
    return b


@jit("_pad")
def pad_fn_2(a, b):
    c = lax.convert_element_type(b, f32)  # f32[]
    d = lax.pad(a, c, ((0, 63, 0),))  # f32[68]
    return d


@jit("_pad")
def pad_fn_3(a, b):
    c = lax.convert_element_type(b, c64)  # c64[]
    d = lax.pad(a, c, ((0, 0, 0),))  # c64[35]
    return d


@jit("fft")
def fft_fn_2(a):
    b = lax.fft_p.bind(a, fft_lengths=(68,), fft_type=lax.FftType.IRFFT)  # f32[68]
    return b


@jit("_flip")
def flip(a):
    b = lax.rev(a, (0,))  # f32[5]
    return b


def inputs():
    return [
        ARRAYS["x0"],  # a = wave: f32[64]
        np.array([0.2, 0.2, 0.2, 0.2, 0.2], np.float32),  # b = kernel: f32[5]
    ]


def repro(a, b):
    c = pad_fn(a, 0)  # f32[68]  jaxscipy_signal_image.py:24
    d = fft_fn(c)  # c64[35]  jaxscipy_signal_image.py:24
    e = pad_fn_2(b, 0)  # f32[68]  jaxscipy_signal_image.py:24
    f = fft_fn(e)  # c64[35]  jaxscipy_signal_image.py:24
    g = lax.mul(d, f)  # c64[35]  jaxscipy_signal_image.py:24
    h = pad_fn_3(g, 0)  # c64[35]  jaxscipy_signal_image.py:24
    i = fft_fn_2(h)  # f32[68]  jaxscipy_signal_image.py:24
    j = lax.dynamic_slice_p.bind(i, np.int32(2), slice_sizes=(64,))  # f32[64]  jaxscipy_signal_image.py:24
    k = flip(b)  # f32[5]  jaxscipy_signal_image.py:24
    l = lax.broadcast_in_dim(a, (1, 1, 64), (2,))  # f32[1,1,64]  jaxscipy_signal_image.py:24
    m = lax.broadcast_in_dim(k, (1, 1, 5), (2,))  # f32[1,1,5]  jaxscipy_signal_image.py:24
    n = lax.conv_general_dilated_p.bind(  # f32[1,1,64]  jaxscipy_signal_image.py:24
        l,
        m,
        batch_group_count=1,
        dimension_numbers=lax.ConvDimensionNumbers(
            lhs_spec=(0, 1, 2), rhs_spec=(0, 1, 2), out_spec=(0, 1, 2)
        ),
        feature_group_count=1,
        lhs_dilation=(1,),
        out_sharding=None,
        padding=((2, 2),),
        precision=None,
        preferred_element_type=None,
        rhs_dilation=(1,),
        window_strides=(1,),
    )
    o = lax.squeeze(n, (0, 1))  # f32[64]  jaxscipy_signal_image.py:24
    p = lax.add(j, o)  # f32[64]  jaxscipy_signal_image.py:24
    return p


if __name__ == "__main__":
    for output in jax.tree.leaves(jax.jit(repro)(*inputs())):
        print(output)
