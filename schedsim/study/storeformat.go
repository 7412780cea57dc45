package study

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// formatFile names the layout of a store. Stores of the first layout have none; it
// is read so that a later layout, whose runs this program would not find, is not
// taken for an empty store and filled again.
const formatFile = "FORMAT"

// checkStoreFormat is an error if a later program made the store.
func checkStoreFormat(dir string) error {
	data, err := os.ReadFile(filepath.Join(dir, formatFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	n, err := strconv.Atoi(strings.TrimSpace(string(data)))
	switch {
	case err != nil || n < 1:
		return fmt.Errorf("its file %s is not the number of a format; restore it, or name another directory with --store", formatFile)
	case n > recordFormat:
		return &newerFormatError{n}
	}
	return nil
}
