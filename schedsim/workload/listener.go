package workload

import "github.com/schedlab/schedlab/schedsim"

// chanListen is the channel of a server's listening socket.
const chanListen = 0

// listener is a server's socket and its parent, which waits at it and makes a
// process or thread for each connection, in the order of the connects.
type listener struct {
	connected []int32 // clients in order of their connects
	accepted  int
}

// connect is the operation by which a client connects.
func (l *listener) connect(client int32) schedsim.Op {
	l.connected = append(l.connected, client)
	return schedsim.Op{Kind: schedsim.OpSend, Arg: chanListen, Work: startWork}
}

// next is the parent's next operation: accept, or fork the server of the client
// that connected, which takes so much work in the parent, ns.
func (l *listener) next(t *schedsim.Task, work int64) schedsim.Op {
	t.PC++
	if t.PC%2 == 1 {
		return schedsim.Op{Kind: schedsim.OpRecv, Arg: chanListen}
	}
	id := l.connected[l.accepted]
	l.accepted++
	return schedsim.Op{Kind: schedsim.OpFork, Arg: id, Work: work}
}
