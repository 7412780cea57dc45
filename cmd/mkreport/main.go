package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // as under nohup
		signals = append(signals, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), signals...)
	context.AfterFunc(ctx, stop)   // a second signal ends the process at once
	signal.Ignore(syscall.SIGXFSZ) // a write beyond ulimit -f is an error as on a full disk
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}
