"""The hold model in SimPy, version 2 (Debian's python3-simpy) or later.

Arguments: jobs, CPUs, mean service and think time in s, and for how long to
simulate in s of wall time, once there were as many services as jobs. Prints JSON:
how many services there were, and how long that took in wall and in simulated time.
"""
import json
import random
import sys
import time

JOBS, CPUS = int(sys.argv[1]), int(sys.argv[2])
SERVICE, THINK, BUDGET = (float(a) for a in sys.argv[3:6])
served = -JOBS
start = began = 0.0
random.seed(1)
exp = random.expovariate


def over(now):
    global served, start, began
    served += 1
    if served == 0:
        start, began = time.perf_counter(), now
    return served > 0 and served % 256 == 0 and time.perf_counter() - start > BUDGET


try:
    import simpy

    env = simpy.Environment()
    cpus = simpy.Resource(env, capacity=CPUS)
    end = env.event()

    def job():
        while True:
            yield env.timeout(exp(1 / THINK))
            with cpus.request() as turn:
                yield turn
                yield env.timeout(exp(1 / SERVICE))
            if over(env.now) and not end.triggered:
                end.succeed()

    for _ in range(JOBS):
        env.process(job())
    env.run(until=end)
    now, version = env.now, simpy.__version__
except ImportError:
    import SimPy.Simulation as sim

    class Job(sim.Process):
        def run(self, cpus):
            while True:
                yield sim.hold, self, exp(1 / THINK)
                yield sim.request, self, cpus
                yield sim.hold, self, exp(1 / SERVICE)
                yield sim.release, self, cpus
                if over(sim.now()):
                    sim.stopSimulation()

    sim.initialize()
    cpus = sim.Resource(capacity=CPUS)
    for _ in range(JOBS):
        j = Job()
        sim.activate(j, j.run(cpus))
    sim.simulate(until=1e9)
    now, version = sim.now(), "2"

print(json.dumps({
    "name": "SimPy " + version, "served": served,
    "wall": time.perf_counter() - start, "simulated": now - began,
}))
