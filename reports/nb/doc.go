// Package nb runs Go notebooks headless and displays values in them.
//
// A notebook is a Jupyter .ipynb file whose cells are Go, run by the GoNB
// kernel. [Execute] starts that kernel from the tool lines of the module that
// the notebook lies in, sends it the code cells over the Jupyter messaging
// protocol, and stores what they print and display back into the file: no
// Python and no Jupyter is needed. A stored notebook has no time stamps, so
// that two runs which compute the same thing leave the same bytes.
//
// [Show] is the other side: called in a cell, it displays a value in every
// form that the value knows, and outside a notebook it prints the text.
// [NewLive] shows how far long work is, [Sweep] runs a study with such a line,
// and [Interruptible] makes a cell that is stopped keep what it has.
//
// A notebook that declares parameters ([Notebook.Parameters]) can be executed
// with other values of them. What a cell leaves is bounded, and whatever it
// started ends with the execution.
//
// Left out: widgets and input prompts (there is nobody to answer), kernels
// other than GoNB, and notebook formats before 4.
package nb
