package workload

import "github.com/schedlab/schedlab/schedsim"

func init() {
	d := DefaultDbench(0)
	register(Spec{
		Name: "dbench",
		Doc:  "dbench on a local file system: processes that work in the page cache, and wait for locks and the journal",
		Params: []Param{
			{Name: "clients", Doc: "processes; 0: one on each CPU", Default: 0, High: maxDbenchClients},
			{Name: "op_ns", Unit: "ns", Doc: "work of an operation of client.txt in the mean", Default: d.OpNS, Low: 100, High: 1e9,
				Kind: "assumed", Source: "studies fit it"},
			{Name: "batch_ops", Doc: "operations without a wait", Default: d.BatchOps, Low: 1, High: 1e5,
				Kind: "derived", Source: "one in 83 operations of client.txt is a Flush; from memory"},
			{Name: "lock_ns", Unit: "ns", Doc: "part of a batch's work under a lock of the file system", Default: d.LockNS, High: 1e9,
				Kind: "assumed", Source: "some contention on many CPUs"},
			{Name: "commit_ns", Unit: "ns", Doc: "mean time of a commit of the journal; 0: fsync writes nothing", Default: d.CommitNS, High: 1e10,
				Kind: "assumed", Source: "a property of the disk; studies fit it"},
			{Name: "commit_cv", Unit: "ratio", Doc: "its standard deviation over its mean", Default: d.CommitCV, Low: 1, High: 20,
				Kind: "assumed", Source: "exponential"},
			{Name: "intensity", Unit: "ratio", Doc: "share of its time that a client waits for memory when all is local", Default: d.Intensity, High: 1,
				Kind: "assumed", Source: "copying between user memory and the page cache"},
			{Name: "cache_mib", Unit: "MiB", Doc: "a client's files in the page cache", Default: d.CacheMiB, Low: 0.1, High: 1e5,
				Kind: "assumed", Source: "client.txt works on some 20 MB; from memory"},
			{Name: "private_mib", Unit: "MiB", Doc: "a client's process", Default: d.PrivateMiB, Low: 0.0625, High: 1e5,
				Kind: "assumed", Source: "a small program and its buffers"},
			{Name: "cache_share", Unit: "ratio", Doc: "part of the accesses that go to the files", Default: d.CacheShare, High: 1,
				Kind: "assumed", Source: "the rest is in the process and its kernel structures"},
			{Name: "loop_ops", Doc: "operations of a pass of client.txt, after which the files are removed", Default: d.LoopOps, Low: 1, High: 1e9,
				Kind: "assumed", Source: "client.txt has some 100,000 lines; from memory"},
		},
		New: func(v Values) (schedsim.Workload, error) {
			return NewDbench(DbenchParams{
				Clients: v.Int("clients"), OpNS: v.Number("op_ns"), BatchOps: v.Number("batch_ops"), LockNS: v.Number("lock_ns"),
				CommitNS: v.Number("commit_ns"), CommitCV: v.Number("commit_cv"), Intensity: v.Number("intensity"),
				CacheMiB: v.Number("cache_mib"), PrivateMiB: v.Number("private_mib"), CacheShare: v.Number("cache_share"),
				LoopOps: v.Number("loop_ops"),
			})
		},
	})
}
