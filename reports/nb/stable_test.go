package nb

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestStableStack(t *testing.T) {
	const before = `0xc000012345 goroutine of mine
panic: runtime error: index out of range [3] with length 0 at 0xc0

goroutine 1 [running]:
main.main()
	$GONB_TMP_DIR/main.go:16 +0x12d
example.org/m.F(0xc0000b2000, {0x4f2a60?, 0x1})
	/home/u/go/pkg/mod/example.org/m@v1.0.0/f.go:7 +0x1f

goroutine 34 [chan receive, 2 minutes, locked to thread]:
github.com/schedlab/schedlab/schedsim.Run.func1()
	/src/lab/schedsim/run.go:3 +0x20
created by main.main in goroutine 1
	/usr/lib/go/src/runtime/x.go:1 +0x5
created by main.main in goroutine 7
exit status 2
0xc000012345 goes on
`
	const after = `0xc000012345 goroutine of mine
panic: runtime error: index out of range [3] with length 0 at 0xc0

goroutine 1 [running]:
main.main()
	$GONB_TMP_DIR/main.go:16
example.org/m.F(0x?, {0x?, 0x?})
	$GOMODCACHE/example.org/m@v1.0.0/f.go:7

goroutine N [chan receive, locked to thread]:
github.com/schedlab/schedlab/schedsim.Run.func1()
	schedsim/run.go:3
created by main.main in goroutine 1
	$GOROOT/src/runtime/x.go:1
created by main.main in goroutine N
exit status 2
0xc000012345 goes on
`
	places := []place{{"/src/lab/", ""}, {"/home/u/go/pkg/mod", "$GOMODCACHE"}, {"/usr/lib/go", "$GOROOT"}}
	if diff := cmp.Diff(after, stableStack(before, places)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	const plain = "no trace: 0xc000012345\n"
	if got := stableStack(plain, places); got != plain {
		t.Errorf("%q", got)
	}
}

// TestSameBytes: a notebook that prints, displays, panics in a goroutine and
// fails to compile is stored with the same bytes each time, in other temporary
// directories.
func TestSameBytes(t *testing.T) {
	t.Parallel()
	cells := []string{`
import (
	"fmt"
	"os"
)

%%
fmt.Println("printed", os.TempDir() == "/tmp")
fmt.Fprintln(os.Stderr, os.Args[0])`, "tag: raises-exception\n" + `
%%
done := make(chan *int)
go func() { fmt.Println(*<-done) }()
done <- nil
select {}`, "tag: raises-exception\nfunc bad() int { return \"text\" }"}
	var stored []string
	for range 2 {
		_, n, err := executeCells(t, Options{}, cells...)
		if err != nil {
			t.Fatal(err)
		}
		data, err := n.Encode()
		if err != nil {
			t.Fatal(err)
		}
		stored = append(stored, string(data))
	}
	if diff := cmp.Diff(stored[0], stored[1]); diff != "" {
		t.Error(diff)
	}
}
