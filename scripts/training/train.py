"""Trains a small sequence classifier, in six files: what a user's own program looks like to jace-repro.

jace-repro run scripts/training/train.py                                   nothing to find
jace-repro run --pipeline canonical/auto-optimize scripts/training/train.py     DaCe breaks `metrics.extrapolated`
"""

import sys

import data
import jax
import jax.numpy as jnp
import losses
import metrics
import model
import optimizer

BATCH = 16


@jax.jit
def train_step(parameters, state, sequences, labels):
    """One step; the loss and the gradient's norm with it."""
    loss, gradient = losses.value_and_gradient(parameters, sequences, labels, 1e-4)
    gradient, norm = optimizer.clip(gradient, 1.0)
    parameters, state = optimizer.update(parameters, gradient, state, 0.01)
    return parameters, state, loss, norm


@jax.jit
def evaluate(parameters, sequences, labels):
    """Loss, accuracy, confusion matrix and calibration."""
    answers = model.logits(parameters, sequences)
    loss = losses.cross_entropy(answers, labels)
    right = metrics.accuracy(answers, labels)
    return loss, right, metrics.confusion(answers, labels), metrics.calibration(answers, labels)


def main(epochs=2):
    keys = jax.random.split(jax.random.key(2026), 3)
    sequences, labels = data.load(keys[0], 4 * BATCH)
    held_out, held_out_labels = sequences[-BATCH:], labels[-BATCH:]
    parameters = model.initial(keys[1])
    mean, state, curve = parameters, optimizer.initial(parameters), []
    for epoch in range(epochs):
        for batch in range(3):
            part = slice(batch * BATCH, (batch + 1) * BATCH)
            turned = data.rotated(jax.random.fold_in(keys[2], epoch * 3 + batch), sequences[part])
            parameters, state, loss, norm = train_step(parameters, state, turned, labels[part])
            mean = optimizer.averaged(mean, parameters, 0.9)
            curve.append(loss)
        loss, right, confusion, gap = evaluate(mean, held_out, held_out_labels)
        print(f"epoch {epoch}: loss {loss:.4f}, right {right:.2f}, gap {gap:.3f}, norm {norm:.3f}")
    hardest = jnp.argmax(losses.per_example_norms(mean, held_out, held_out_labels))
    means, lowest, _ = metrics.smoothed(jnp.stack(curve))
    ahead = metrics.extrapolated(means)
    count, norm = model.size(mean)
    print(f"training: {count} parameters of norm {norm:.3f}, lowest loss at step {lowest}, hardest {hardest}")
    print(f"ahead: {ahead[-1]:.4f}; confusion {confusion.tolist()}")


if __name__ == "__main__":
    main(*(int(a) for a in sys.argv[1:]))
