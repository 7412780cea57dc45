package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/schedlab/schedlab/reports/overlay"
)

// measuredFlags name result files of the user's machine, to stand beside a study.
type measuredFlags struct {
	files, rows []string
	overlay     *overlay.Overlay
}

func (m *measuredFlags) register(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&m.files, "measured", nil, "results of your machine, as a column \"measured here\": `FILE`[,base|,patched] or FILE,base=LABEL,patched=LABEL[,table=ID]")
	cmd.Flags().StringArrayVar(&m.rows, "map", nil, "which row a measured figure is of: `FIGURE=ROW`")
}

// check refuses flags that do not go together.
func (m *measuredFlags) check(ids []string) error {
	switch {
	case len(m.files) == 0 && len(m.rows) > 0:
		return usageError{errors.New("--map is for figures of --measured; name a file with it")}
	case len(m.files) > 0 && len(ids) != 1:
		return usageError{errors.New("--measured is for one study; name it")}
	}
	return nil
}

// load reads the files and finds the rows of the study that they are of.
func (m *measuredFlags) load(studies []subject) error {
	if len(m.files) == 0 || m.overlay != nil {
		return nil
	}
	opt := overlay.Options{Map: make(map[string]string)}
	for _, text := range m.rows {
		i := strings.LastIndex(text, "=")
		if i <= 0 || i == len(text)-1 {
			return usageError{fmt.Errorf("--map %q: write FIGURE=ROW, such as \"time [command=./lu]=nas-active/lu\"", text)}
		}
		opt.Map[text[:i]] = text[i+1:]
	}
	var sources []overlay.Source
	for _, text := range m.files {
		s, err := overlay.Load(text)
		if err != nil {
			return err
		}
		sources = append(sources, s)
	}
	var err error
	m.overlay, err = overlay.Join(studies[0].Study, sources, opt)
	return err
}

// join puts what was measured beside the result of its study, and names what is of
// no row.
func (a *app) join(results []result, m *measuredFlags) error {
	if len(m.files) == 0 {
		return nil
	}
	if err := m.load([]subject{{Study: results[0].Study}}); err != nil {
		return err
	}
	results[0].measured = m.overlay
	for _, u := range m.overlay.Unmatched {
		a.note("mkreport: %s: %s is of no row: %s", u.Where, u.Title, u.Reason)
	}
	return nil
}
