package article

import (
	"net/url"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"

	"github.com/schedlab/schedlab/reports/nb"
	"github.com/schedlab/schedlab/reports/safe"
)

// htmlRenderers are those of the dialect.
var htmlRenderers = []renderer.Option{
	html.WithUnsafe(),
	renderer.WithNodeRenderers(
		util.Prioritized(html.NewRenderer(html.WithUnsafe()), 1000),
		util.Prioritized(extension.NewTableHTMLRenderer(extension.WithTableCellAlignMethod(extension.TableCellAlignStyle)), 500),
		util.Prioritized(extension.NewStrikethroughHTMLRenderer(), 500),
		util.Prioritized(taskBoxes{}, 500),
	),
}

// images renders the images of a text: those that are attached to the cell or in
// the text itself. To load others would tell somebody that the page is read, and
// a file beside the notebook is none beside the page: of these there is a note.
type images struct{ attached map[string]*nb.Output }

// RegisterFuncs implements renderer.NodeRenderer.
func (i images) RegisterFuncs(reg renderer.NodeRendererFuncRegisterer) {
	reg.Register(ast.KindImage, i.image)
}

func (i images) image(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	n := node.(*ast.Image)
	target, alt := string(n.Destination), words(n, source)
	if strings.HasPrefix(target, "data:") {
		mime, data, _ := strings.Cut(strings.TrimPrefix(target, "data:"), ";base64,")
		if img, ok := safe.Picture(mime, data, alt); ok {
			_, _ = w.WriteString(img)
			return ast.WalkSkipChildren, nil
		}
		target = "data:" + mime
	}
	if o := attachedAs(i.attached, target); o != nil {
		for _, mime := range pictureTypes {
			if data, ok := o.MIME(mime); ok && mime != mimeSVG {
				if img, ok := safe.Picture(mime, data, alt); ok {
					_, _ = w.WriteString(img)
					return ast.WalkSkipChildren, nil
				}
			}
		}
	}
	_, _ = w.WriteString("<em>")
	_, _ = w.Write(util.EscapeHTML([]byte(noteOf(alt, target))))
	_, _ = w.WriteString("</em>")
	return ast.WalkSkipChildren, nil
}

// attachedAs is the attachment that an address names, or nil.
func attachedAs(attached map[string]*nb.Output, target string) *nb.Output {
	name, ok := strings.CutPrefix(target, "attachment:")
	if !ok {
		return nil
	}
	if unescaped, err := url.PathUnescape(name); err == nil && attached[unescaped] != nil {
		return attached[unescaped]
	}
	return attached[name]
}

// noteOf stands for an image that is not shown.
func noteOf(alt, target string) string {
	const most = 200 // bytes of an address
	if len(target) > most {
		target = target[:most] + "..."
	}
	if alt == "" {
		return "[picture, not loaded: " + target + "]"
	}
	return "[picture, not loaded: " + alt + ", " + target + "]"
}

// taskBoxes writes the box of a task as text: forms do not pass.
type taskBoxes struct{}

// RegisterFuncs implements renderer.NodeRenderer.
func (taskBoxes) RegisterFuncs(reg renderer.NodeRendererFuncRegisterer) {
	reg.Register(east.KindTaskCheckBox, func(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			box := "☐ "
			if node.(*east.TaskCheckBox).IsChecked {
				box = "☑ "
			}
			_, _ = w.WriteString(box)
		}
		return ast.WalkContinue, nil
	})
}
