package nb

import "strings"

// setenv returns env with a variable set, without touching the argument.
func setenv(env []string, key, value string) []string {
	set := make([]string, 0, len(env)+1)
	for _, kv := range env {
		if !strings.HasPrefix(kv, key+"=") {
			set = append(set, kv)
		}
	}
	return append(set, key+"="+value)
}

// getenv returns a variable in env; the last setting counts.
func getenv(env []string, key string) string {
	for i := len(env) - 1; i >= 0; i-- {
		if value, ok := strings.CutPrefix(env[i], key+"="); ok {
			return value
		}
	}
	return ""
}
