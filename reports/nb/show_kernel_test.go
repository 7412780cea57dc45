package nb

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestShowInKernel: under a real kernel a line of progress ends as one display,
// a frame has all its forms, and an interrupted cell still says what it kept.
func TestShowInKernel(t *testing.T) {
	t.Parallel()
	_, n, err := executeCells(t, Options{}, setUp, `
import (
	"context"
	"os"
	"syscall"
	"time"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"github.com/schedlab/schedlab/reports/nb"
)

%%
l := nb.NewLive("work", "runs")
for i := range 5 {
	time.Sleep(200 * time.Millisecond)
	l.Step(i+1, 5, false)
}
if err := l.End("kept in a store"); err != nil {
	panic(err)
}
nb.Show(dataframe.New(series.New([]int{1, 2}, series.Int, "i")))
`, `
%%
ctx, stop := nb.Interruptible(context.Background())
defer stop()
l := nb.NewLive("long", "runs")
l.Step(1, 5, false)
if err := syscall.Kill(os.Getpid(), syscall.SIGINT); err != nil {
	panic(err)
}
<-ctx.Done()
if err := l.End("interrupted; kept in a store"); err != nil {
	panic(err)
}
`)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range n.CodeCells()[1:] {
		got = append(got, brief(c)...)
	}
	want := []string{
		"display:work: 5 of 5 runs; kept in a store",
		"display:i\n1\n2\n\n2 rows, 1 column",
		"display:long: 1 of 5 runs; interrupted; kept in a store",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("outputs (-want +got):\n%s", diff)
	}
	frame := n.CodeCells()[1].Outputs[1]
	for _, mime := range []string{mimeHTML, mimeMarkdown} {
		if text, _ := frame.MIME(mime); text == "" {
			t.Errorf("the frame has no %s", mime)
		}
	}
}
