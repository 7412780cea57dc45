// Package input reads what a user hands in, within bounds: a wrong file name (a
// disk image, a trace), a device, or a file that was made to do harm is an error at
// once, not after all memory is used.
package input

import (
	"fmt"
	"io"
	"os"
)

// File reads a file of at most so many bytes. A larger one is not read at all where
// its size is known, and no further than the bound where it is not, as of a pipe.
// The error names the file.
func File(name string, most int64) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return nil, fmt.Errorf("%s: it is a directory; name a file", name)
	}
	if info.Size() > most {
		return nil, tooLarge(name, fmt.Sprintf("has %d bytes", info.Size()), most)
	}
	return read(f, name, most, info.Size())
}

// All reads r, of which name is for the error, up to so many bytes.
func All(r io.Reader, name string, most int64) ([]byte, error) {
	return read(r, name, most, 0)
}

// read reads r into as little memory as can be if the size is about what is
// expected.
func read(r io.Reader, name string, most, expected int64) ([]byte, error) {
	const least = 4 << 10
	data := make([]byte, 0, max(expected+1, least))
	for {
		if len(data) == cap(data) {
			// Twice as much each time, but not beyond what is going to be refused.
			more := min(int64(cap(data)), most+1-int64(len(data)))
			data = append(make([]byte, 0, int64(len(data))+more), data...)
		}
		n, err := r.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		if int64(len(data)) > most {
			return nil, tooLarge(name, "goes on", most)
		}
		if err == io.EOF {
			return data, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
}

func tooLarge(name, what string, most int64) error {
	return fmt.Errorf("%s: it %s, more than the %d KiB that are read of such a file; check the name", name, what, most>>10)
}
