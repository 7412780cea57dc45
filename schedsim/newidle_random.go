package schedsim

// newidleDice decides how often a newly idle CPU balances a domain (NI_RANDOM): as often in
// 1024 chances as it pulled something in what counts as its last 1024. A pass that was one of
// few counts for as many as were passed over.
type newidleDice struct{ calls, successes, ratio uint32 }

// newDice is what a domain begins with: half of the chances.
func newDice() newidleDice { return newidleDice{512, 256, 512} }

// count adds a chance (update_newidle_stats). Half of the past is forgotten whenever there
// are 1024.
func (n *newidleDice) count(success uint32) {
	n.calls++
	n.successes += success
	if n.calls >= 1024 {
		n.ratio = n.successes
		n.calls /= 2
		n.successes /= 2
	}
}

// throwDice reports whether a newly idle CPU balances d, and what a success then counts for.
func (s *Sched) throwDice(d *Domain) (weight uint32, balance bool) {
	if !s.k.NewidleRandom {
		return 1, true
	}
	weight = 1 + d.dice.ratio
	if uint32(s.dice.IntN(1024)) > weight {
		d.dice.count(0)
		return 0, false
	}
	return (1024 + weight/2) / weight, true
}
