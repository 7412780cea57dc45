package main

import (
	"context"
	"errors"
	"fmt"
	"net/mail"
	"os"
	"regexp"
	"strings"
	"time"

	"github.com/google/renameio/v2"
	"github.com/spf13/cobra"

	"github.com/schedlab/schedlab/reports"
	"github.com/schedlab/schedlab/reports/post"
)

// attachFlags are the flags of attach.
type attachFlags struct {
	plan                 planFlags
	measured             measuredFlags
	study, from, tested  string
	fixes                string
	number               int
	dialect              string
	inPlace, reply, note bool
}

func (a *app) attachCommand() *cobra.Command {
	var f attachFlags
	cmd := &cobra.Command{
		Use:   "attach --study STUDY PATCH",
		Short: "Put a study's report into a patch, below its \"---\"",
		Long: `Put the plain-text report of a study between the "---" of a patch and its
diffstat, where git am leaves it out of the commit. PATCH is what git
format-patch or b4 wrote: a mail, or an mbox with a series. All else stays as it
is, byte for byte. The report is made from the store; nothing is simulated.

With --reply it is a mail in answer to PATCH instead, for git send-email or mutt -H,
and with --notes the command that keeps the report as a note on the commit.`,
		Example: `  mkreport attach --study gorman2020-idle-candidate 0001-sched-fair.patch > sent.patch
  mkreport attach --study gorman2020-idle-candidate -i 0001-sched-fair.patch
  mkreport attach --study gorman2020-idle-candidate --reply --from "A Tester <a@example.org>" series.mbox`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("name one patch")
			}
			return nil
		},
	}
	f.plan.register(cmd)
	registerDialect(cmd, &f.dialect)
	f.measured.register(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.study, "study", "", "`STUDY` whose report is attached")
	_ = cmd.RegisterFlagCompletionFunc("study", completeStudies)
	flags.BoolVarP(&f.inPlace, "in-place", "i", false, "change PATCH instead of writing to the standard output")
	flags.IntVar(&f.number, "number", 1, "which `PATCH` of a series, 1 is the first that has a diff")
	flags.BoolVar(&f.reply, "reply", false, "write a mail that answers PATCH")
	flags.StringVar(&f.from, "from", "", "who answers, as \"Name <`ADDRESS`>\" (with --reply)")
	flags.BoolVar(&f.note, "notes", false, "print the git notes command")
	flags.StringVar(&f.tested, "tested-by", "", "add a Tested-by: of \"Name <`ADDRESS`>\" (with --reply): only for what you ran")
	flags.StringVar(&f.fixes, "fixes", "", "add a Fixes: of '`COMMIT` (\"subject\")' (with --reply)")
	cmd.RunE = a.work(func(_ context.Context, args []string) error { return a.attach(args[0], &f) })
	return cmd
}

func (a *app) attach(name string, f *attachFlags) error {
	if f.study == "" {
		return usageError{errors.New("name a study with --study")}
	}
	if err := checkDialect(f.dialect); err != nil {
		return err
	}
	if err := f.measured.check([]string{f.study}); err != nil {
		return err
	}
	if f.reply && f.inPlace || f.note && (f.reply || f.inPlace) {
		return usageError{errors.New("give one of --in-place, --reply and --notes")}
	}
	if !f.reply && (f.from != "" || f.tested != "" || f.fixes != "") {
		return usageError{errors.New("--from, --tested-by and --fixes go with --reply")}
	}
	patch, err := readInput(name)
	if err != nil {
		return err
	}
	text, err := a.postOf(f)
	if err != nil {
		return err
	}
	var out []byte
	switch {
	case f.note:
		out, err = notesCommand(patch, name, text)
	case f.reply:
		out, err = f.replyTo(patch, name, text)
	default:
		out, err = post.Attach(patch, name, text, f.number)
	}
	if err != nil {
		return err
	}
	if f.inPlace {
		mode := os.FileMode(0o644)
		if info, err := os.Stat(name); err == nil {
			mode = info.Mode().Perm()
		}
		return renameio.WriteFile(name, out, mode)
	}
	_, err = a.stdout.Write(out)
	return err
}

// postOf is the plain-text report of the study, from the store.
func (a *app) postOf(f *attachFlags) (string, error) {
	results, store, err := a.stored([]string{f.study}, &f.plan)
	if err != nil {
		return "", err
	}
	if err := a.join(results, &f.measured); err != nil {
		return "", err
	}
	r := results[0]
	if r.HaveRuns == 0 {
		return "", fmt.Errorf("%s: no run of its %s plan is in %s; run '%s'", r.Study.ID, r.Plan.Mode, store.Dir(), r.here)
	}
	p, err := a.partsOf(r, f.dialect, false)
	if err != nil {
		return "", err
	}
	forms, err := reports.Render(r.Outcome, p, reports.Post)
	if err != nil {
		return "", err
	}
	return string(forms.Post), nil
}

var fixesText = regexp.MustCompile(`^[0-9a-f]{12,40} \(".+"\)$`)

// fixesDigits is how many digits of a commit a Fixes: has (the kernel's
// submitting-patches.rst).
const fixesDigits = 12

func (f *attachFlags) replyTo(patch []byte, name, text string) ([]byte, error) {
	r := post.Reply{Text: text, Date: time.Now()}
	from, err := mail.ParseAddress(f.from)
	if err != nil {
		return nil, usageError{fmt.Errorf("--from %q: %v; write it as \"Name <address>\"", f.from, err)}
	}
	r.From = *from
	if f.fixes != "" {
		if !fixesText.MatchString(f.fixes) {
			return nil, usageError{fmt.Errorf("--fixes %q: want 12 digits of the commit and its subject: 85e511df3cec (\"sched/eevdf: ...\")", f.fixes)}
		}
		commit, subject, _ := strings.Cut(f.fixes, " ")
		r.Trailers = append(r.Trailers, "Fixes: "+commit[:fixesDigits]+" "+subject)
	}
	if f.tested != "" {
		who, err := mail.ParseAddress(f.tested)
		if err != nil || who.Name == "" {
			return nil, usageError{fmt.Errorf("--tested-by %q: want a name and an address, \"Name <address>\"", f.tested)}
		}
		r.Trailers = append(r.Trailers, fmt.Sprintf("Tested-by: %s <%s>", post.ASCII(who.Name), who.Address))
	}
	return r.Write(patch, name)
}

// commitLine is the first line of what git format-patch writes.
var commitLine = regexp.MustCompile(`(?m)^From ([0-9a-f]{40}) Mon Sep 17 00:00:00 2001$`)

// notesCommand keeps the report as a note on the patch's commit.
func notesCommand(patch []byte, name, text string) ([]byte, error) {
	m := commitLine.FindSubmatch(patch)
	if m == nil {
		return nil, fmt.Errorf("%s:1: no commit is named in the patch; write it with git format-patch", name)
	}
	const end = "END-OF-REPORT"
	return fmt.Appendf(nil, "git notes --ref=schedlab add -f -F - %s <<'%s'\n%s%s\n", m[1], end, text, end), nil
}
