// Package study holds published benchmark tables of scheduler patches as data
// and judges a simulated rerun of each against what was published.
//
// A study (studies/*.yaml) names the post and carries its tables, exact to the
// digit: each on a machine, with kernel, patch, workload, their parameters and the
// settings of the system, and with the noise of each row and where that noise is
// known from. Statements in prose are rows too, with a range or only a direction.
// Rows that differ in the figure that they take from a run share it. Load reads the
// studies that ship with the module, LoadFile one of the user's own;
// testdata/tables.yaml has every form there is.
//
// The way from a study to a verdict keeps the prediction honest:
//
//   - Base is all that calibration is given. Its type has no patched values.
//   - Constants are uncertain, so a study is rerun over a frozen ensemble of
//     constant sets that fit the base column; the ensemble's hash is verified
//     whenever a study is loaded.
//   - Ablations rerun rows with a mechanism switched off, which must take the
//     effect with it, and sensitivity moves each constant over its range: a cell
//     that none moves is Unfalsifiable.
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
