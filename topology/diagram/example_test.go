package diagram_test

import (
	"bytes"
	"fmt"
	"log"

	"github.com/schedlab/schedlab/topology"
	"github.com/schedlab/schedlab/topology/diagram"
)

func ExampleWriteSVG() {
	m, err := topology.Load("csl-2s-80")
	if err != nil {
		log.Fatal(err)
	}
	var picture bytes.Buffer
	if err := diagram.WriteSVG(&picture, m); err != nil {
		log.Fatal(err)
	}
	fmt.Println(bytes.Count(picture.Bytes(), []byte(`class="cpu"`)), "CPUs drawn")
	// Output:
	// 80 CPUs drawn
}
