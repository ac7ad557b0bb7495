package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"yore/model"
	"yore/recall"
	"yore/recall/judge"
	"yore/render/mask"
)

// judgeFlags say whether a language model judges a digest, and which one; what
// they do not say is as configured.
type judgeFlags struct {
	Judge        bool          `help:"Have the language model of judge.model mark what is off-topic and put it last: --judge"`
	JudgeModel   string        `placeholder:"NAME" help:"That model, this time: --judge --judge-model qwen3:8b"`
	JudgeURL     string        `name:"judge-url" placeholder:"URL" help:"Where it is asked, this machine when neither told nor configured: --judge-url http://127.0.0.1:8080/v1"`
	JudgeTimeout time.Duration `placeholder:"TIME" help:"How long the digest waits for it, 5s when neither told nor configured: --judge-timeout 20s"`
}

// judge is the judge that was asked for; nil when none was.
func (f judgeFlags) judge(a *app) (*mask.Judge, error) {
	if !f.Judge {
		if f.JudgeModel != "" || f.JudgeURL != "" || f.JudgeTimeout != 0 {
			return nil, usagef("--judge-model, --judge-url and --judge-timeout say who judges: add --judge")
		}
		return nil, nil
	}
	c, err := a.judgeConfig()
	if err != nil {
		return nil, err
	}
	if f.JudgeModel != "" {
		c.Model = f.JudgeModel
	}
	if f.JudgeURL != "" {
		c.BaseURL = f.JudgeURL
	}
	if f.JudgeTimeout < 0 {
		return nil, usagef("--judge-timeout must be more than nothing, not %s", f.JudgeTimeout)
	}
	if f.JudgeTimeout > 0 {
		c.Timeout = f.JudgeTimeout
	}
	if c.Model == "" {
		return nil, usagef("--judge needs a model: set judge.model in the configuration, or name one with --judge-model")
	}
	b, err := judge.New(c)
	if err != nil {
		return nil, usagef("--judge: %v", err)
	}
	return &mask.Judge{Bench: b}, nil
}

// screenJudge is the judge of the screen; nil with the reason when none can be
// used, "" when none is set up.
func (a *app) screenJudge() (j model.Judge, why string) {
	c, err := a.judgeConfig()
	if err == nil && c.Model == "" {
		return nil, ""
	}
	if err == nil {
		var b *judge.Bench
		if b, err = judge.New(c); err == nil {
			return mask.Judge{Bench: b}, ""
		}
	}
	return nil, err.Error()
}

// judgeConfig is who judges as configured, with the key that belongs to it.
func (a *app) judgeConfig() (judge.Config, error) {
	set, err := a.config()
	if err != nil {
		return judge.Config{}, err
	}
	c := judge.Config{BaseURL: set.Judge.BaseURL, Model: set.Judge.Model, Timeout: set.Judge.Timeout}
	if name := set.Judge.APIKeyEnv; name != "" {
		if c.Key = a.Getenv(name); c.Key == "" {
			return c, usagef("judge.api_key_env names %s, which is not set in the environment", name)
		}
	}
	return c, nil
}

// judged has an answer judged, and says where its text goes when that is not
// this machine. When nothing was judged, the answer says so and is as it was.
func (a *app) judged(ctx context.Context, j *mask.Judge, answer recall.Answer) (recall.Answer, error) {
	if j == nil || len(answer.Hits) == 0 {
		return answer, nil
	}
	if !j.Local() {
		a.notes([]string{fmt.Sprintf("The question and excerpts of %s go to %s.",
			count(min(len(answer.Hits), judge.MaxItems), "passage"), j.Who())})
	}
	judged, err := j.Decide(ctx, answer)
	if errors.Is(err, context.Canceled) {
		return judged, err
	}
	if err != nil {
		note := "Order and marks are those without a judge: " + err.Error() + "."
		a.notes([]string{note})
		judged.Notes = append(slices.Clip(judged.Notes), note)
	}
	return judged, nil
}
