package measured

// MaxInput bounds a file of results in bytes: a full report of mmtests, or a
// thousand runs of hyperfine with each time, has less than 4 MB.
const MaxInput = 8 << 20

// maxRows bounds the rows of a CSV, which take several times their own size.
const maxRows = 1 << 14
