package hostile

import (
	"strings"
	"testing"
)

// TestFinds: the check finds each vector that is HTML when a page has it as it is.
func TestFinds(t *testing.T) {
	// What is no HTML, or only within an attribute, a style or a template.
	harmless := map[string]bool{}
	for _, v := range Vectors {
		if v.Class == "markdown" || strings.HasPrefix(v.Text, "![") {
			harmless[v.Text] = !strings.Contains(v.Text, "<script>") && v.Text != `<javascript:alert(1)>`
		}
	}
	for _, text := range []string{
		`&lt;script&gt;alert(1)&lt;/script&gt;`, `\u003cscript\u003ealert(1)\u003c/script\u003e`, `" onmouseover="alert(1)`, `' onmouseover='alert(1)`,
		`} body { background: url(` + elsewhere + `) } x {`, `</main></body></html>`, `<p style="background:u/**/rl(` + elsewhere + `)">x</p>`,
		`<<script>alert(1);//<</script>`, `<img src='` + elsewhere + `/?`, `<body onload=alert(1)>`, `\<script\>alert(1)\</script\>`,
		`<svg><title><style><img src=x onerror=alert(1)></style></title></svg>`, `<frameset><frame src=` + elsewhere + `></frameset>`,
	} {
		harmless[text] = true
	}
	for _, v := range Vectors {
		if found := Fragment([]byte(v.Text)); len(found) == 0 && !harmless[v.Text] {
			t.Errorf("%s %q: nothing is found", v.Class, v.Text)
		}
	}
	if len(Vectors) < 100 {
		t.Errorf("%d vectors", len(Vectors))
	}
}

func TestHonest(t *testing.T) {
	page := `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>x</title><style>p{color:red}@media print{p{color:black}}</style></head><body><main id="x">
<p class="y" style="text-align:right">x <a href="https://example.org/?a=b">y</a> <a href="#x">z</a> <a href="other.html">o</a></p>
<img src="data:image/png;base64,AAAA" alt="x"><svg width="1"><defs><clipPath id="c"></clipPath></defs><g clip-path="url(#c)"><text>x</text></g></svg>
</main></body></html>`
	if found := Page([]byte(page)); len(found) > 0 {
		t.Errorf("found %q", found)
	}
	if found := Page([]byte(strings.Replace(page, "default-src 'none';", "", 1))); len(found) != 1 {
		t.Errorf("without a policy found %q", found)
	}
}
