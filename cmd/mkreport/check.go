package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/schedlab/schedlab/internal/input"
	"github.com/schedlab/schedlab/reports/lint"
	"github.com/schedlab/schedlab/reports/mail"
)

func (a *app) checkCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "check FILE...",
		Short: "Check the result tables of a mail, patch or text",
		Long: `Check the tables in mails, mboxes, patches or texts ('-' is the standard input):
recompute each percentage from the values beside it, and name what misleads.
Styles that are read: mmtests, the 0-day robot's, hyperfine's Markdown,
mean+-stddev, "name=value", Srikar Dronamraju's, Aaron Lu's, K Prateek Nayak's,
Vincent Guittot's, Chen Yu's, and plain "base patched %change".

A percentage is exact, within rounding (values that print alike give it),
truncated, or wrong. The exit status is 1 if one is wrong; other remarks are for
the reader to weigh.`,
		Example: `  mkreport check 0001-sched-fair-something.patch
  b4 am -o - MESSAGE-ID | mkreport check -`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("name the mails, patches or texts to check")
			}
			return nil
		},
	}
	cmd.RunE = a.work(func(_ context.Context, files []string) error { return a.check(files) })
	return cmd
}

// remark is one line of the output.
type remark struct {
	line int
	text string
}

func (a *app) check(files []string) error {
	wrong := 0
	for _, name := range files {
		data, err := readInput(name)
		if err != nil {
			return err
		}
		n, err := a.checkFile(name, data)
		if err != nil {
			return err
		}
		wrong += n
	}
	if wrong > 0 {
		return fmt.Errorf("percentages that do not follow from the values beside them: %d", wrong)
	}
	return nil
}

// maxMail bounds a mail, mbox or patch in bytes. Threads of hundreds of mails have
// fewer than 8 MB.
const maxMail = 16 << 20

func readInput(name string) ([]byte, error) {
	if name == "-" {
		return input.All(os.Stdin, "standard input", maxMail)
	}
	return input.File(name, maxMail)
}

// checkFile prints what there is to say of one file, and returns how much of it
// is wrong.
func (a *app) checkFile(name string, data []byte) (wrong int, err error) {
	texts, problems := mail.Read(data)
	var remarks []remark
	for _, p := range problems {
		remarks = append(remarks, remark{p.Line, "unread-part: " + p.Text})
	}
	styles := make(map[string]int)
	count := make(map[lint.Class]int)
	tables, claims := 0, 0
	for i := range texts {
		r := lint.Text(texts[i].Text, name)
		tables += len(r.Tables)
		claims += r.Claims
		for _, f := range r.Tables {
			styles[f.Table.Style()]++
		}
		for c, n := range r.Count {
			count[c] += n
		}
		wrong += r.Count[lint.Wrong]
		for _, f := range r.Findings {
			text := f.Rule + ": " + f.Text
			if f.Wrong {
				text = "wrong: " + text
			}
			remarks = append(remarks, remark{texts[i].Line(f.Line), text})
		}
	}
	slices.SortStableFunc(remarks, func(a, b remark) int { return cmp.Compare(a.line, b.line) })
	for _, r := range remarks {
		if _, err := fmt.Fprintf(a.stdout, "%s: %s\n", fileLine(name, r.line), shown(r.text)); err != nil {
			return wrong, err
		}
	}
	_, err = fmt.Fprintf(a.stdout, "%s: %s\n", name, shown(summary(tables, styles, claims, count)))
	return wrong, err
}

// summary is the last line on a file.
func summary(tables int, styles map[string]int, claims int, count map[lint.Class]int) string {
	if tables == 0 {
		return "no table of a known style"
	}
	var kinds []string
	for _, s := range slices.Sorted(maps.Keys(styles)) {
		kinds = append(kinds, fmt.Sprintf("%d %s", styles[s], s))
	}
	text := fmt.Sprintf("%s: %d percentages", strings.Join(kinds, ", "), claims)
	for c := lint.Exact; c <= lint.Wrong; c++ {
		if count[c] > 0 {
			text += fmt.Sprintf(", %d %s", count[c], c)
		}
	}
	return text
}

// fileLine is where a remark belongs; line 0 is the file as a whole.
func fileLine(name string, line int) string {
	if line == 0 {
		return name
	}
	return fmt.Sprintf("%s:%d", name, line)
}
