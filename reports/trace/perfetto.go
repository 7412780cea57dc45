package trace

import (
	"bufio"
	"io"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/schedlab/schedlab/schedsim"
)

// Fields of Perfetto's messages (protos/perfetto/trace in its source: trace.proto,
// trace_packet.proto, ftrace_event_bundle.proto, ftrace_event.proto, sched.proto).
const (
	fieldPacket = 1 // Trace.packet

	fieldFtraceEvents = 1  // TracePacket.ftrace_events
	fieldSequence     = 10 // TracePacket.trusted_packet_sequence_id

	fieldCPU   = 1 // FtraceEventBundle.cpu
	fieldEvent = 2 // FtraceEventBundle.event

	fieldTimestamp = 1  // FtraceEvent.timestamp, ns
	fieldPID       = 2  // FtraceEvent.pid
	fieldSwitch    = 4  // FtraceEvent.sched_switch
	fieldWakeup    = 17 // FtraceEvent.sched_wakeup
	fieldWaking    = 20 // FtraceEvent.sched_waking
)

// Task states as sched_switch has them.
const (
	stateRunning = 0
	stateSleep   = 1
)

// WritePerfetto writes a trace for ui.perfetto.dev, with CPUs as its native
// scheduling tracks. Moves by load balancing show as a task that goes on elsewhere.
func (t *Trace) WritePerfetto(w io.Writer) error {
	b := bufio.NewWriter(w)
	// A bundle holds events of one CPU; the reader sorts them.
	byCPU := make([][]byte, t.CPUs)
	flush := func(cpu int) error {
		bundle := protowire.AppendTag(nil, fieldCPU, protowire.VarintType)
		bundle = protowire.AppendVarint(bundle, uint64(cpu))
		bundle = append(bundle, byCPU[cpu]...)
		packet := message(nil, fieldFtraceEvents, bundle)
		packet = protowire.AppendTag(packet, fieldSequence, protowire.VarintType)
		packet = protowire.AppendVarint(packet, 1)
		byCPU[cpu] = byCPU[cpu][:0]
		_, err := b.Write(message(nil, fieldPacket, packet))
		return err
	}
	const bundleSize = 64 << 10
	for _, s := range t.steps() {
		for _, e := range t.perfettoEvents(s) {
			byCPU[s.CPU] = message(byCPU[s.CPU], fieldEvent, e)
		}
		if len(byCPU[s.CPU]) > bundleSize {
			if err := flush(int(s.CPU)); err != nil {
				return err
			}
		}
	}
	for cpu := range byCPU {
		if len(byCPU[cpu]) > 0 {
			if err := flush(cpu); err != nil {
				return err
			}
		}
	}
	return b.Flush()
}

// message appends an embedded message.
func message(to []byte, field protowire.Number, m []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(to, field, protowire.BytesType), m)
}

// perfettoEvents are the events of a step; a wakeup is a waking, too, since
// Perfetto takes latencies from that.
func (t *Trace) perfettoEvents(s step) [][]byte {
	head := varint(nil, fieldTimestamp, uint64(s.Time))
	head = varint(head, fieldPID, uint64(pid(s.prev)))
	with := func(field protowire.Number, m []byte) []byte {
		return message(append([]byte(nil), head...), field, m)
	}
	switch s.Kind {
	case schedsim.TraceSwitch:
		state := uint64(stateSleep)
		if s.runnable || s.prev == idle {
			state = stateRunning
		}
		m := text(nil, 1, t.comm(s.prev, s.CPU))
		m = varint(m, 2, uint64(pid(s.prev)))
		m = varint(m, 3, prio)
		m = varint(m, 4, state)
		m = text(m, 5, t.comm(s.Task, s.CPU))
		m = varint(m, 6, uint64(pid(s.Task)))
		return [][]byte{with(fieldSwitch, varint(m, 7, prio))}
	case schedsim.TraceWakeup, schedsim.TraceFork:
		m := text(nil, 1, t.comm(s.Task, s.CPU))
		m = varint(m, 2, uint64(pid(s.Task)))
		m = varint(m, 3, prio)
		m = varint(m, 4, 1) // success
		m = varint(m, 5, uint64(s.CPU))
		return [][]byte{with(fieldWaking, m), with(fieldWakeup, m)}
	}
	return nil
}

func varint(to []byte, field protowire.Number, v uint64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(to, field, protowire.VarintType), v)
}

func text(to []byte, field protowire.Number, s string) []byte {
	return protowire.AppendString(protowire.AppendTag(to, field, protowire.BytesType), s)
}
