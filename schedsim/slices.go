package schedsim

import "context"

// Pacer is a Workload whose figure is a rate, and that can say at any time how far
// it is. Its runs can be looked at slice by slice: whether they had settled before
// they were measured.
type Pacer interface {
	// Done is the work done since the start of the measured time, in the unit of
	// which the figure of Workload.Measured is the rate a second. It changes
	// nothing.
	Done() float64
}

// measure simulates the measured time, and returns the rate in each of
// Config.Slices equal parts of it, or nothing if the workload is no Pacer.
func (s *Sched) measure(ctx context.Context, cfg *Config) ([]float64, error) {
	total := int64(cfg.Measure)
	p, ok := s.w.(Pacer)
	if !ok || cfg.Slices < 2 || total < int64(cfg.Slices) {
		return nil, s.runFor(ctx, total)
	}
	rates := make([]float64, 0, cfg.Slices)
	start, from, done := s.now, s.now, 0.0
	for i := range int64(cfg.Slices) {
		to := start + total*(i+1)/int64(cfg.Slices)
		if err := s.runFor(ctx, to-from); err != nil {
			return nil, err
		}
		d := p.Done()
		rates = append(rates, (d-done)/(float64(to-from)/1e9))
		from, done = to, d
	}
	return rates, nil
}
