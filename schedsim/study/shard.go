package study

import (
	"fmt"
	"strconv"
	"strings"
)

// Shard is a part of a matrix, for filling one store by several processes: part
// I of N, counted from 1. The zero Shard is all of it.
type Shard struct{ I, N int }

// ParseShard reads "I/N", as of --shard.
func ParseShard(text string) (Shard, error) {
	i, n, ok := strings.Cut(text, "/")
	if ok {
		part, err1 := strconv.Atoi(i)
		parts, err2 := strconv.Atoi(n)
		if err1 == nil && err2 == nil && 1 <= part && part <= parts {
			return Shard{part, parts}, nil
		}
	}
	return Shard{}, fmt.Errorf("study: shard %q: not I/N with I from 1 to N; the second of four is 2/4", text)
}

// Holds reports whether the shard has the run with that hash. A run belongs to
// the same part whatever else the plan has, in whatever order, and whatever the
// store has already. Parts have nearly equal numbers of runs if there are many.
func (s Shard) Holds(hash string) bool {
	return s.N <= 1 || partOf(hash, s.N) == s.I
}

// partOf is the part of n that has the run with that hash, counted from 1.
func partOf(hash string, n int) int {
	v, err := strconv.ParseUint(hash[:15], 16, 64)
	if err != nil {
		return 0 // not a hash of Key
	}
	return int(v%uint64(n)) + 1
}
