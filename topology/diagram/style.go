package diagram

import (
	"fmt"
	"strings"
)

// shade is a colour for a light page and one for a dark page.
type shade struct{ light, dark string }

// rule gives a class its colours; an empty one is not set.
type rule struct {
	selector     string
	fill, stroke shade
}

// rules are the colours of all classes. Text has at least 4.5 times the
// contrast of what it stands on.
var rules = []rule{
	{"rect.page", shade{"#ffffff", "#161616"}, shade{}},
	{"text", shade{"#1b1b1b", "#dedede"}, shade{}},
	{"text.dim", shade{"#595959", "#a3a3a3"}, shade{}},
	{"rect.socket", shade{"#f4f4f4", "#1e1f21"}, shade{"#8c8c8c", "#6c6c6c"}},
	{"rect.node", shade{"#f6eef8", "#241b28"}, shade{"#b48ac0", "#80608c"}},
	{"rect.memory", shade{"#e8d5ee", "#3d2b45"}, shade{"#b48ac0", "#80608c"}},
	{"rect.nomemory", shade{}, shade{"#b48ac0", "#80608c"}},
	{"rect.llc", shade{"#dcebf7", "#152737"}, shade{"#74a7d0", "#41739c"}},
	{"rect.l2", shade{"#d5eedd", "#16301f"}, shade{"#7db890", "#47805a"}},
	{"rect.core", shade{"#ffffff", "#2b2b2b"}, shade{"#6f6f6f", "#8a8a8a"}},
	{"rect.kind1", shade{"#fdebcf", "#45340f"}, shade{"#b98a3c", "#a07a33"}},
	{"rect.kind2", shade{"#fadad5", "#4a241f"}, shade{"#c0756a", "#a9584f"}},
	{"rect.kind3", shade{"#e3e0f5", "#2c2850"}, shade{"#8a83c4", "#7a73b4"}},
	{"path.thread", shade{}, shade{"#b9b9b9", "#5c5c5c"}},
	{"rect.offline", shade{}, shade{"#8c8c8c", "#6c6c6c"}},
	{"path.hatch", shade{}, shade{"#c4c4c4", "#4c4c4c"}},
	{"rect.heat", shade{"#d55e00", "#d55e00"}, shade{}},
	{"path.rule", shade{}, shade{"#bdbdbd", "#4c4c4c"}},
}

// scope keeps the rules from the page that a picture is put into.
const scope = "svg.machine-diagram "

// style returns the style sheet.
func style() string {
	var b strings.Builder
	b.WriteString(scope + `text { font: 11px system-ui, -apple-system, "Segoe UI", "Liberation Sans", Arial, sans-serif; }` + "\n")
	b.WriteString(scope + "text.title { font-size: 19px; font-weight: 600; }\n")
	b.WriteString(scope + "text.name { font-size: 13px; }\n")
	b.WriteString(scope + "text.head { font-size: 12px; font-weight: 600; }\n")
	b.WriteString(scope + `text.cpu, ` + scope + `text.cpus, ` + scope + `text.mono { font: 10px ui-monospace, "SF Mono", "DejaVu Sans Mono", "Liberation Mono", Menlo, Consolas, monospace; }` + "\n")
	b.WriteString(scope + "text.cpu, " + scope + "text.mid { text-anchor: middle; }\n")
	b.WriteString(scope + "text.end { text-anchor: end; }\n")
	b.WriteString(scope + "path, " + scope + "rect.nomemory { fill: none; }\n")
	b.WriteString(scope + "rect.nomemory { stroke-dasharray: 3 2; }\n")
	for _, r := range rules {
		b.WriteString(r.css(r.fill.light, r.stroke.light))
	}
	b.WriteString("@media (prefers-color-scheme: dark) {\n")
	for _, r := range rules {
		b.WriteString(r.css(r.fill.dark, r.stroke.dark))
	}
	b.WriteString("}\n")
	return b.String()
}

func (r rule) css(fill, stroke string) string {
	var set []string
	if fill != "" {
		set = append(set, "fill: "+fill+";")
	}
	if stroke != "" {
		set = append(set, "stroke: "+stroke+";")
	}
	return fmt.Sprintf("%s%s { %s }\n", scope, r.selector, strings.Join(set, " "))
}

// coreClass is the class of a kind of core. Kinds beyond the fourth look like
// one of these again; the legend names them all.
func coreClass(kind int) string {
	if kind%4 == 0 {
		return corePart
	}
	return fmt.Sprintf("kind%d", kind%4)
}
