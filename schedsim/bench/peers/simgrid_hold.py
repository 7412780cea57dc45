"""The hold model in SimGrid (Debian's python3-simgrid): actors that execute on a
host of so many cores, which they share.

Arguments and output are those of simpy_hold.py.
"""
import json
import random
import sys
import time

import simgrid
from simgrid import Actor, Engine, NetZone, this_actor

JOBS, CPUS = int(sys.argv[1]), int(sys.argv[2])
SERVICE, THINK, BUDGET = (float(a) for a in sys.argv[3:6])
SPEED = 1e9
served = -JOBS
done = False
start = began = 0.0
random.seed(1)
exp = random.expovariate


def clock():
    return Engine.clock if isinstance(Engine.clock, float) else engine.clock


def job():
    global served, done, start, began
    while not done:
        this_actor.sleep_for(exp(1 / THINK))
        this_actor.execute(exp(1 / SERVICE) * SPEED)
        served += 1
        if served == 0:
            start, began = time.perf_counter(), clock()
        if served > 0 and served % 256 == 0 and time.perf_counter() - start > BUDGET:
            done = True


engine = Engine([sys.argv[0], "--log=root.thres:error"])
zone = NetZone.create_full_zone("zone")
host = zone.create_host("host", SPEED)
host.core_count = CPUS
host.seal()
zone.seal()
for i in range(JOBS):
    Actor.create("job%d" % i, host, job)
engine.run()
print(json.dumps({
    "name": "SimGrid " + simgrid.simgrid_version, "served": served,
    "wall": time.perf_counter() - start, "simulated": clock() - began,
}))
