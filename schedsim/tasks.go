package schedsim

// taskNames returns the name of every task that was ever there, by TaskID; those
// of a fork that has not happened yet are empty.
func (s *Sched) taskNames() []string {
	names := make([]string, len(s.tasks))
	for i := range s.tasks {
		names[i] = s.tasks[i].Name
	}
	return names
}
