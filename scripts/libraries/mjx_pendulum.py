"""MuJoCo MJX: a cart and pole stepped under jit, and a batch of them under vmap."""

import jax
import jax.numpy as jnp
import mujoco
from mujoco import mjx

XML = """
<mujoco>
  <option timestep="0.01" iterations="2"/>
  <worldbody>
    <body>
      <joint name="slide" type="slide" axis="1 0 0"/>
      <geom type="box" size="0.2 0.1 0.1" mass="1"/>
      <body pos="0 0 0.1">
        <joint name="hinge" type="hinge" axis="0 1 0" damping="0.05"/>
        <geom type="capsule" fromto="0 0 0 0 0 0.6" size="0.03" mass="0.1"/>
      </body>
    </body>
  </worldbody>
  <actuator><motor joint="slide" gear="10"/></actuator>
</mujoco>
"""

model = mjx.put_model(mujoco.MjModel.from_xml_string(XML), impl="jax")
step = jax.jit(mjx.step)


@jax.jit
@jax.vmap
def roll_out(angle):
    data = mjx.make_data(model)
    data = data.replace(qpos=data.qpos.at[1].set(angle))
    return mjx.step(model, data).qvel[1]


data = mjx.make_data(model)
data = data.replace(qpos=jnp.array([0.0, 0.1]), ctrl=jnp.array([0.5]))
for _ in range(3):
    data = step(model, data)
print(float(data.qpos[1]), float(roll_out(jnp.linspace(-0.2, 0.3, 4)).sum()))
