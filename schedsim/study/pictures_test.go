package study

import (
	"strings"
	"testing"
)

// TestPictureKey: the key of a picture's run is that of its row, column and times,
// and of nothing that a plan says.
func TestPictureKey(t *testing.T) {
	for _, id := range IDs() {
		s, err := Load(id)
		if err != nil {
			t.Fatal(err)
		}
		ident, err := s.Identity()
		if err != nil {
			t.Fatal(err)
		}
		seen := make(map[string]bool)
		for i := range s.Pictures {
			p := &s.Pictures[i]
			for _, arm := range []string{ArmBase, ArmPatched} {
				k, err := s.PictureKey(p, arm, ident)
				if err != nil {
					t.Fatal(err)
				}
				hash, err := k.Hash()
				if err != nil || seen[hash] {
					t.Errorf("%s: picture %d: key %+v, again or %v", id, i, k, err)
				}
				seen[hash] = true
				_, length, _ := p.Times()
				if k.Arm != arm || k.Measure != length || k.Age != 0 || k.MachineHash == "" || k.Study != id {
					t.Errorf("%s: key %+v", id, k)
				}
			}
		}
	}
}

func TestPictureErrors(t *testing.T) {
	s, err := Load("gorman2020-idle-candidate")
	if err != nil {
		t.Fatal(err)
	}
	ident, err := s.Identity()
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		p    Picture
		want string
	}{
		{Picture{Row: "63", Warmup: "0s", Length: "1ms"}, `no row "63"`},
		{Picture{Row: "64", Warmup: "x", Length: "1ms"}, `picture of row 64: time: invalid duration "x"`},
		{Picture{Row: "64", Warmup: "1ms", Length: "0s"}, "give a length above 0"},
	} {
		if _, err := s.PictureKey(&tc.p, ArmBase, ident); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("error %v, want %q in it", err, tc.want)
		}
	}
	store := mustOpen(t, t.TempDir())
	for _, name := range []string{"", "../x", ".x", "a/b"} {
		if err := store.PutDrawing(name, nil); err == nil {
			t.Errorf("a drawing is stored as %q", name)
		}
	}
	if _, ok, err := store.Drawing("none"); ok || err != nil {
		t.Errorf("a drawing that there is not: %v, %v", ok, err)
	}
}
