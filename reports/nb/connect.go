package nb

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"strings"
	"time"

	"github.com/go-zeromq/zmq4"
)

const (
	// sendTimeout bounds the sending of one request.
	sendTimeout = 10 * time.Second
	// pollInterval is the time between two looks at a starting kernel.
	pollInterval = 20 * time.Millisecond
)

// received is a message, or why it could not be read.
type received struct {
	message
	err error
}

// connection is the connection file of a kernel.
type connection struct {
	Transport       string `json:"transport"`
	IP              string `json:"ip"`
	ShellPort       int    `json:"shell_port"`
	ControlPort     int    `json:"control_port"`
	StdinPort       int    `json:"stdin_port"`
	IOPubPort       int    `json:"iopub_port"`
	HBPort          int    `json:"hb_port"`
	Key             string `json:"key"`
	SignatureScheme string `json:"signature_scheme"`
	KernelName      string `json:"kernel_name"`
}

// endpoint returns the address of one socket of the kernel.
func (c connection) endpoint(port int) string {
	return fmt.Sprintf("ipc://%s-%d", c.IP, port)
}

// connect opens the sockets of the starting kernel and waits until messages
// pass in both directions.
func (k *kernel) connect(ctx context.Context, conn connection) error {
	// Heartbeat is the last socket that the kernel opens.
	last := strings.TrimPrefix(conn.endpoint(conn.HBPort), "ipc://")
	for {
		if _, err := os.Stat(last); err == nil {
			break
		}
		select {
		case <-k.dead:
			return k.deathError()
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(pollInterval):
		}
	}
	options := []zmq4.Option{
		// The kernel answers requests on control over shell: one identity
		// for both makes the answer find its way.
		zmq4.WithID(zmq4.SocketIdentity(k.session)),
		zmq4.WithDialerRetry(pollInterval),
		zmq4.WithDialerMaxRetries(100),
		zmq4.WithTimeout(sendTimeout),
		zmq4.WithLogger(log.New(io.Discard, "", 0)),
	}
	// The sockets outlive ctx, which bounds the start only.
	background := context.Background()
	k.shell = zmq4.NewDealer(background, options...)
	k.control = zmq4.NewDealer(background, options...)
	k.iopub = zmq4.NewSub(background, options...)
	dialed := make(chan error, 1)
	go func() {
		err := k.shell.Dial(conn.endpoint(conn.ShellPort))
		if err == nil {
			err = k.control.Dial(conn.endpoint(conn.ControlPort))
		}
		if err == nil {
			err = k.iopub.Dial(conn.endpoint(conn.IOPubPort))
		}
		if err == nil {
			err = k.iopub.SetOption(zmq4.OptionSubscribe, "")
		}
		dialed <- err
	}()
	select {
	case err := <-dialed:
		if err != nil {
			return fmt.Errorf("cannot connect to the Go kernel: %w", err)
		}
	case <-k.dead:
		return k.deathError()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	go k.receive(k.shell, k.replies)
	go k.receive(k.iopub, k.published)
	return k.handshake(ctx)
}

// handshake asks for the kernel's information until the answer arrives and a
// status was published: a publisher drops what it sends before it has seen
// the subscription, so that only this proves that no output will be lost.
func (k *kernel) handshake(ctx context.Context) error {
	const retry = 250 * time.Millisecond
	answered, subscribed := false, false
	for {
		if _, err := k.send(k.shell, "kernel_info_request", struct{}{}); err != nil {
			return err
		}
		again := time.After(retry)
		for waiting := true; waiting; {
			select {
			case m, ok := <-k.replies:
				if !ok {
					return k.deathError()
				}
				answered = answered || m.header.Type == "kernel_info_reply"
			case m, ok := <-k.published:
				if !ok {
					return k.deathError()
				}
				subscribed = subscribed || m.header.Type == "status"
			case <-again:
				waiting = false
			case <-k.dead:
				return k.deathError()
			case <-ctx.Done():
				return context.Cause(ctx)
			}
			if answered && subscribed {
				return nil
			}
		}
	}
}

// receive passes on what comes in on a socket. What is not signed by the
// kernel is left out.
func (k *kernel) receive(socket zmq4.Socket, to chan<- received) {
	defer close(to)
	for {
		raw, err := socket.Recv()
		if err != nil {
			return
		}
		m, err := decodeMessage(k.key, raw.Frames)
		if errors.Is(err, errSignature) {
			continue
		}
		select {
		case to <- received{m, err}:
		case <-k.closing:
			// Keep reading: the socket's own reader must not block on us.
		}
	}
}

// send sends a request and returns the id that messages caused by it carry.
func (k *kernel) send(socket zmq4.Socket, kind string, content any) (string, error) {
	k.sent++
	h := header{
		ID:       fmt.Sprintf("%s-%d", k.session, k.sent),
		Username: "schedlab",
		Session:  k.session,
		Type:     kind,
		Version:  protocolVersion,
		Date:     time.Now().UTC().Format(time.RFC3339Nano),
	}
	frames, err := encodeMessage(k.key, h, content)
	if err != nil {
		return "", err
	}
	if err := socket.SendMulti(zmq4.NewMsgFrom(frames...)); err != nil {
		return "", fmt.Errorf("cannot send %s to the Go kernel: %w", kind, err)
	}
	return h.ID, nil
}

// execute asks for a cell to be run.
func (k *kernel) execute(code string) (string, error) {
	return k.send(k.shell, "execute_request", executeRequest{
		Code:            code,
		StoreHistory:    true,
		UserExpressions: map[string]string{},
		StopOnError:     true,
	})
}

// interrupt asks for the running cell to be interrupted.
func (k *kernel) interrupt() error {
	_, err := k.send(k.control, "interrupt_request", struct{}{})
	return err
}
