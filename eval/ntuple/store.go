package ntuple

import "fmt"

// Store has a word for each weight of a network.
type Store[W word] struct {
	Words  [][]W   // by stage: the tables of all patterns, one after another
	Tables [][][]W // the same, by stage and pattern
	begins [][]*W  // of the tables, for kernels
}

// NewStore takes memory for the weights of a layout, all zero. The caller calls free.
func NewStore[W word](l *Layout) (s Store[W], free func(), err error) {
	var all []func()
	free = func() {
		for _, f := range all {
			f()
		}
	}
	for range l.StageCount() {
		words, f, err := Allocate[W](l.Entries())
		if err != nil {
			free()
			return Store[W]{}, nil, fmt.Errorf("memory for %d weights: %w", l.Entries(), err)
		}
		all = append(all, f)
		s.add(l, words)
	}
	return s, free, nil
}

// add appends the memory of one more stage.
func (s *Store[W]) add(l *Layout, words []W) {
	s.Words = append(s.Words, words)
	var tables [][]W
	var begins []*W
	for _, p := range l.Patterns {
		t := words[:p.Entries():p.Entries()]
		words = words[len(t):]
		tables, begins = append(tables, t), append(begins, &t[0])
	}
	s.Tables, s.begins = append(s.Tables, tables), append(s.begins, begins)
}

// Pointers returns the address of a stage's array of table pointers, one a pattern, for kernels.
func (s *Store[W]) Pointers(stage int) **W { return &s.begins[stage][0] }
