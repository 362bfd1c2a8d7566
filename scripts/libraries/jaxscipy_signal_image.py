"""jax.scipy.signal and ndimage, jax.image, jnp.fft: filters and spectra of a signal, warps of an image."""

import jax
import jax.numpy as jnp
import jax.scipy.ndimage as ndimage
import jax.scipy.signal as signal
import numpy as np

random = np.random.default_rng(2)
wave = jnp.asarray(np.sin(np.arange(64) / 3) + 0.1 * random.normal(size=64), jnp.float32)
image = jnp.asarray(random.normal(size=(8, 8)), jnp.float32)


@jax.jit
def spectra(wave):
    _, density = signal.welch(wave, nperseg=16)
    _, _, short = signal.stft(wave, nperseg=16)
    power = jnp.abs(jnp.fft.rfft(signal.detrend(wave))) ** 2
    return density.sum(), jnp.abs(short).sum(), power.argmax()


@jax.jit
def filtered(wave, kernel):
    return signal.fftconvolve(wave, kernel, mode="same") + signal.convolve(
        wave, kernel, mode="same", method="direct"
    )


@jax.jit
def warped(image, angle):
    rows, columns = jnp.meshgrid(jnp.arange(8.0) - 3.5, jnp.arange(8.0) - 3.5, indexing="ij")
    rotated = [
        jnp.cos(angle) * rows - jnp.sin(angle) * columns + 3.5,
        jnp.sin(angle) * rows + jnp.cos(angle) * columns + 3.5,
    ]
    moved = ndimage.map_coordinates(image, rotated, order=1, mode="reflect")
    return jax.image.resize(moved, (5, 12), "cubic"), signal.convolve2d(image, jnp.ones((2, 2)), mode="valid")


density, short, peak = spectra(wave)
smooth = filtered(wave, jnp.ones(5) / 5)
slope = jax.grad(lambda angle: warped(image, angle)[0].sum())(0.3)
resized, blurred = warped(image, 0.3)
print(
    float(density + short), int(peak), float(smooth.sum()), float(slope), float(resized.sum() + blurred.sum())
)
