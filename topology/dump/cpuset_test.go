package dump

import "testing"

func TestParseCPUList(t *testing.T) {
	for list, want := range map[string]string{
		"": "", " ": "", "0": "0", "0-3": "0-3", "0,1": "0-1", "0-5,48-53": "0-5,48-53", "0-62:20": "0,20,40,60",
		"3,1,2": "1-3", " 0 , 2 ": "0,2", "8191": "8191", "5-5": "5",
	} {
		if set, err := ParseCPUList(list); err != nil || set.String() != want {
			t.Errorf("%q: %v, %v", list, set, err)
		}
	}
	for _, list := range []string{"8192", "-1", "1-", "a", "0,,1", "1-0", "0-3,3", "0-3:0", "0-3:x", "0-8191,0-8191", "0-9:99999"} {
		if set, err := ParseCPUList(list); err == nil || set != nil {
			t.Errorf("%q: %v, %v", list, set, err)
		}
	}
}

func TestParseCPUMask(t *testing.T) {
	for mask, want := range map[string]string{
		"0": "", "1": "0", "ccc0": "6-7,10-11,14-15", "0x0000ffff": "0-15", "00000000,ffffffff": "0-31",
		"0x00000303,0x03030000,,0x03030303": "0-1,8-9,16-17,24-25,80-81,88-89,96-97,104-105",
		"0x1,,,,,,0x1":                      "0,192", "0x00010000,0x0": "48", "00000001,00000000": "32", "0x0": "",
	} {
		if set, err := ParseCPUMask(mask); err != nil || set.String() != want {
			t.Errorf("%q: %v, %v", mask, set, err)
		}
	}
	for _, mask := range []string{"", "0x", "x", "0xf...f", "111111111,0", "1 2", "-1"} {
		if set, err := ParseCPUMask(mask); err == nil || set != nil {
			t.Errorf("%q: %v, %v", mask, set, err)
		}
	}
}

func TestSetOperations(t *testing.T) {
	a, b := CPUSet{0, 1, 2, 5}, CPUSet{2, 3, 5}
	for what, got := range map[string]CPUSet{"2,5": a.Intersect(b), "0-1": a.Minus(b), "0-3,5": a.Union(b)} {
		if got.String() != what {
			t.Errorf("got %s, want %s", got, what)
		}
	}
	if a.Contains(3) || !a.Contains(5) || (CPUSet)(nil).Intersect(a) == nil {
		t.Error("membership is wrong")
	}
}
