package render

// Estimator names how Tokens counts.
const Estimator = "yore-o200k-estimate"

// Tokens estimates how many tokens of OpenAI's o200k_base vocabulary s takes.
func Tokens(s string) int { return (len(s) + 3) / 4 }
