// Package study holds published benchmark tables of scheduler patches as data
// and judges a simulated rerun of each against what was published.
//
// A study (studies/*.yaml) names the post, the machine, the kernel, the patch
// and the workload, and carries the published rows exact to the digit, with
// the noise of each and where that noise is known from. Load reads the studies
// that ship with the module, LoadFile one of the user's own.
//
// The way from a study to a verdict keeps the prediction honest:
//
//   - Base is all that calibration is given. Its type has no patched values.
//   - Constants are uncertain, so a study is rerun over a frozen ensemble of
//     constant sets that fit the base column; the ensemble's hash is verified
//     whenever a study is loaded.
//   - Run fills a content-addressed Store with runs of both arms under common
//     random numbers, and a control: base against base under another seed.
//   - Build reads only the store. It reports the effect as the percentage
//     between the two columns with a 95 % interval, and a Verdict by a rule
//     that is fixed before the run; see Judge and JudgeEnsemble. Missing
//     figures are NotMeasured, never zero, and no row is dropped.
//
// The package does not simulate: Run calls a Runner. It does not render
// either, except for the ledger's plain table and its JSON form.
package study
