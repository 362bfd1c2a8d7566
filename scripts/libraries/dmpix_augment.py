"""dm-pix: image augmentation of a batch under jit and vmap."""

import dm_pix as pix
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def augment(key, image):
    keys = jax.random.split(key, 4)
    image = pix.random_flip_left_right(keys[0], image)
    image = pix.random_brightness(keys[1], image, 0.2)
    image = pix.random_hue(keys[2], image, 0.1)
    image = pix.random_crop(keys[3], image, (6, 6, 3))
    image = pix.gaussian_blur(image, 1.0, 3)
    return pix.adjust_contrast(image, 1.3)


images = jnp.asarray(np.random.default_rng(0).uniform(size=(3, 8, 8, 3)), jnp.float32)
batch = jax.vmap(augment)(jax.random.split(jax.random.key(0), 3), images)
single = augment(jax.random.key(1), images[0])
print(float(batch.sum()), float(single.sum()), float(pix.psnr(batch[0], batch[1])))
