package scenario

import "github.com/schedlab/schedlab/schedsim"

// attrOf is the policy that an operation takes. The nice value is kept.
func attrOf(op Op, nice int) schedsim.SchedAttr {
	switch op.Kind {
	case FIFO:
		return schedsim.SchedAttr{Policy: schedsim.PolicyFIFO, Priority: op.N, Nice: nice}
	case RR:
		return schedsim.SchedAttr{Policy: schedsim.PolicyRR, Priority: op.N, Nice: nice}
	case Batch:
		return schedsim.SchedAttr{Policy: schedsim.PolicyBatch, Nice: nice}
	case Idle:
		return schedsim.SchedAttr{Policy: schedsim.PolicyIdle, Nice: nice}
	case Nice:
		return schedsim.SchedAttr{Nice: op.N}
	}
	return schedsim.SchedAttr{Nice: nice}
}

// setPolicy gives a task that did not run yet a policy.
func setPolicy(s *schedsim.Sched, t *schedsim.Task, op Op, nice int) {
	s.SetScheduler(t, attrOf(op, nice))
}

// announce makes the policies known that tasks will change to.
func announce(s *schedsim.Sched, p *program) {
	p.attrs = map[Op]int32{}
	for i := range p.sc.Tasks {
		t := &p.sc.Tasks[i]
		for _, op := range t.Ops[t.Once:] {
			if _, ok := p.attrs[op]; !ok && op.Kind >= Nice && op.Kind <= Other {
				p.attrs[op] = s.Attr(attrOf(op, t.Nice))
			}
		}
	}
}

// whileRunning is an operation that changes how a running task is scheduled.
func whileRunning(p *program, o *Op) schedsim.Op {
	if o.Kind == Yield {
		return schedsim.Op{Kind: schedsim.OpYield, Work: int64(p.guest.costs.call)}
	}
	return schedsim.Op{Kind: schedsim.OpSetScheduler, Arg: p.attrs[*o], Work: int64(p.guest.costs.call)}
}
