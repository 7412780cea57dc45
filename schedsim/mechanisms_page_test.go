package schedsim

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestModelPage holds docs/model.md up to date; with -update it writes it.
func TestModelPage(t *testing.T) {
	const file = "../docs/model.md"
	got := modelPage()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s is not what the tables in mechanisms*.go say; run go test ./schedsim -run ModelPage -update", file)
	}
}

const modelIntro = `# Model

<!-- Made by "go test ./schedsim -run ModelPage -update"; do not edit. -->

Which mechanisms of the kernel the model has, under the kernel's names, in which form each version has them, and where
they are. Two words in a version's column are special: *-*, the kernel of that version does not have it; *left out*, it
has it and the model has not. What is not as in the kernel stands below each table. If you look for one thing, search
this page for its name in the kernel; ` + "`mkreport list mechanisms`" + ` prints the same, with ` + "`--json`" + ` for a program.

What the model does in small scenarios beside real kernels is in [conformance.md](conformance.md).

`

func modelPage() string {
	var b strings.Builder
	b.WriteString(modelIntro)
	all, left := Mechanisms(), LeftOut()
	simplified := 0
	for _, m := range all {
		if m.Simplified != "" {
			simplified++
		}
	}
	fmt.Fprintf(&b, "%d mechanisms, of which %d are simplified; %d things are left out.\n\n", len(all), simplified, len(left))
	for _, part := range MechanismParts() {
		fmt.Fprintf(&b, "- [%s](#%s)\n", title(part), anchor(part))
	}

	b.WriteString("\n## Versions\n\nHow many of the mechanisms below the model has of each version, and how many only its kernel has.\nWhat stands below a table as left out is so in all versions, and not in these numbers.\n\n")
	b.WriteString("| version | modelled | left out | patches that apply |\n|---|---|---|---|\n")
	for _, v := range VersionInfos() {
		fmt.Fprintf(&b, "| %s | %d | %d | %s |\n", v.Name, v.Modelled, len(v.LeftOut), strings.Join(v.Patches, ", "))
	}

	for _, part := range MechanismParts() {
		fmt.Fprintf(&b, "\n## %s\n\n| mechanism |", title(part))
		for _, v := range versions {
			fmt.Fprintf(&b, " %s |", v.name)
		}
		b.WriteString(" where |\n|---|" + strings.Repeat("---|", len(versions)+1) + "\n")
		notes := ""
		for _, m := range all {
			if m.Part != part {
				continue
			}
			fmt.Fprintf(&b, "| %s | %s | %s |\n", cell(m.Name), cell(strings.Join(m.Form[:], "\x00")), places(m.Where))
			if m.Simplified != "" {
				notes += fmt.Sprintf("- **%s**: %s\n", prose(m.Name), prose(m.Simplified))
			}
		}
		if notes != "" {
			b.WriteString("\nSimplified:\n\n" + notes)
		}
		gone := ""
		for _, o := range left {
			if o.Part == part {
				gone += fmt.Sprintf("- **%s**: %s.\n", prose(o.What), prose(o.Why))
			}
		}
		if gone != "" {
			b.WriteString("\nLeft out:\n\n" + gone)
		}
	}
	return b.String()
}

// places writes them file by file.
func places(where []Place) string {
	s, file := "", ""
	for _, p := range where {
		switch {
		case p.File == file:
			s += ", " + p.Func
		default:
			if file != "" {
				s += "; "
			}
			file = p.File
			s += fmt.Sprintf("[%s](../schedsim/%s): %s", file, file, p.Func)
		}
	}
	return s
}

// prose is text as Markdown takes it literally. Underscores within words need no
// escape, and the kernel's names stay as grep knows them.
func prose(s string) string {
	return strings.NewReplacer("*", `\*`, "<", `\<`, "[", `\[`, "|", `\|`).Replace(s)
}

// cell is prose in a table, with NUL between columns.
func cell(s string) string { return strings.ReplaceAll(prose(s), "\x00", " | ") }

func title(part string) string { return strings.ToUpper(part[:1]) + part[1:] }

// anchor is the fragment of a heading on GitHub.
func anchor(part string) string {
	return strings.NewReplacer(" ", "-", "(", "", ")", "", ",", "").Replace(strings.ToLower(part))
}
