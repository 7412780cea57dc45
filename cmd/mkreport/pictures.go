package main

import (
	"bytes"
	"context"
	"fmt"
	"html"
	"path/filepath"
	"regexp"

	"github.com/schedlab/schedlab/reports"
	"github.com/schedlab/schedlab/reports/picture"
	"github.com/schedlab/schedlab/reports/view"
	"github.com/schedlab/schedlab/schedsim/experiment"
	"github.com/schedlab/schedlab/schedsim/study"
)

// pictureVersion is in the names of stored drawings: a change of what they look like
// has them drawn again.
const pictureVersion = 1

// pictureArms are the columns that a picture has a drawing of each.
var pictureArms = []string{study.ArmBase, study.ArmPatched}

// drawingName is the name of a stored drawing: that of its run and of its kind.
func drawingName(s *study.Study, p *study.Picture, arm string, ident study.Identity) (string, error) {
	key, err := s.PictureKey(p, arm, ident)
	if err != nil {
		return "", err
	}
	hash, err := key.Hash()
	return fmt.Sprintf("%s-queues-%d.svg", hash, pictureVersion), err
}

// record makes the drawings of a study's pictures that the store has not. Each takes
// a short run, about as long as one of the study's own. Flags that change simulated
// times are of tests, which have no time for it.
func (a *app) record(ctx context.Context, s subject, f *planFlags, store *study.Store) error {
	if f.set.Changed("measure") {
		return nil
	}
	for i := range s.Pictures {
		p := &s.Pictures[i]
		for _, arm := range pictureArms {
			name, err := drawingName(s.Study, p, arm, s.identity)
			if err != nil {
				return err
			}
			if _, ok, err := store.Drawing(name); ok || err != nil {
				if err != nil {
					return err
				}
				continue
			}
			svg, err := draw(ctx, s.Study, p, arm)
			if err != nil {
				return fmt.Errorf("%s: picture of row %s: %w", s.ID, p.Row, err)
			}
			if err := store.PutDrawing(name, svg); err != nil {
				return err
			}
		}
	}
	return nil
}

// draw runs one arm of a picture's row and draws its run queues.
func draw(ctx context.Context, s *study.Study, p *study.Picture, arm string) ([]byte, error) {
	cfg, err := s.ConfigOf(p.Row, arm)
	if err != nil {
		return nil, err
	}
	cfg.Seed, cfg.Age = pictureSeed, 0
	if cfg.Warmup, cfg.Measure, err = p.Times(); err != nil {
		return nil, err
	}
	t, err := experiment.Record(ctx, cfg)
	if err != nil {
		return nil, err
	}
	fig, err := picture.Queues(t)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := fig.WriteSVG(&b); err != nil {
		return nil, err
	}
	// What it shows in words goes with it, for those who cannot see it.
	desc := "<desc>" + html.EscapeString(inWords(t)) + "</desc>"
	return bytes.Replace(b.Bytes(), []byte(">"), []byte(">\n"+desc), 1), nil
}

// pictureSeed is that of study.PictureKey.
const pictureSeed = 1

// inWords says what a trace's run queues are in the mean.
func inWords(t *experiment.Trace) string {
	const columns = 100
	running, waiting := t.Totals(columns)
	return fmt.Sprintf("%d CPUs, %s. In the mean %.1f tasks run and %.1f wait; %.1f %% of the CPU time is idle while a task waits on another CPU.",
		len(t.Machine.OnlineCPUs()), t.Kernel, study.Mean(running), study.Mean(waiting), 100*study.Mean(t.Timeline.Wasted(columns)))
}

var descText = regexp.MustCompile(`(?s)<desc>(.*?)</desc>`)

// pictures are the stored drawings of a table's rows, and how the runs of the row
// lie with each constant set.
func (a *app) pictures(r result, t *study.Table) ([]reports.Plot, error) {
	var out []reports.Plot
	for i := range r.Study.Pictures {
		p := &r.Study.Pictures[i]
		of, row := r.Study.FindRow(p.Row)
		if of != t || row == nil || r.store == nil {
			continue
		}
		suffix := ""
		if len(r.Study.Pictures) > 1 || len(r.Study.Tables) > 1 {
			suffix = fmt.Sprintf("-%d", i+1)
		}
		for k := range r.Cells {
			if c := &r.Cells[k]; c.Table == t.ID && c.Row == row.Key {
				sets, ok, err := picture.Sets(t, c, "sets"+suffix)
				if err != nil {
					return nil, err
				}
				if ok {
					out = append(out, sets)
				}
			}
		}
		for _, arm := range pictureArms {
			name, err := drawingName(r.Study, p, arm, r.identity)
			if err != nil {
				return nil, err
			}
			svg, ok, err := r.store.Drawing(name)
			if err != nil {
				return nil, err
			}
			if !ok {
				continue // 'mkreport run' makes it
			}
			if err := view.CheckSVG(svg); err != nil {
				a.note("mkreport: warning: %s: left out: %v; remove it, and 'mkreport run' draws it again", filepath.Join(r.store.Dir(), "pictures", name), err)
				continue
			}
			alt := "Runnable tasks by CPU and time."
			if m := descText.FindSubmatch(svg); m != nil {
				alt += " " + html.UnescapeString(string(m[1]))
			}
			out = append(out, reports.Plot{
				Name: "queues-" + arm + suffix,
				Title: fmt.Sprintf("Run queues of row %s in %s of one %s run, from %s after the start (seed %d, the study's own constants). No figure rests on it. To see: %s.",
					p.Row, p.Length, arm, p.Warmup, pictureSeed, p.Doc),
				Alt: alt, SVG: svg,
			})
		}
	}
	return out, nil
}
