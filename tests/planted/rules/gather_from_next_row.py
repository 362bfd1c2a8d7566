"""Planted bug: gather reads one element further along the first axis, wrapping around."""

import jace.rules
from jace.registry import lookup

right = lookup("gather")


class Shifted:
    """The emitter, reading the operand one element further."""

    def __init__(self, em, operand):
        self.em, self.operand = em, operand

    def __getattr__(self, name):
        return getattr(self.em, name)

    def value(self, atom, index):
        if atom is self.operand and index:
            extent = atom.aval.shape[-1]
            moved = self.em.opaque(f"({index[-1]} + 1) % {extent}", (0, extent))
            index = (*index[:-1], moved)
        return self.em.value(atom, index)


def value(em, eqn, index, k):
    return right.value(Shifted(em, eqn.invars[0]), eqn, index, k)


jace.register_rule("gather", jace.IndexMap(value, cost=4), override=True)
