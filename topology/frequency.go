package topology

// At returns the frequency in MHz of a socket's busy cores while activeCores
// of its cores are active, by the turbo table: the first bin that holds that
// many cores. Fewer than one core counts as one, more than the table lists as
// its last bin. Without a table it is the maximum frequency.
//
// The result is a ceiling: what a governor asks for, power and temperature
// limits and AVX licences are not in it.
func (f Frequency) At(activeCores int) int {
	if len(f.Turbo) == 0 {
		return int(f.MaxMHz.Value)
	}
	for _, bin := range f.Turbo {
		if activeCores <= bin.ActiveCores {
			return bin.MHz
		}
	}
	return f.Turbo[len(f.Turbo)-1].MHz
}
