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
	"yore/ui/config"
)

// judgeFlags say whether a language model judges a digest, and which one; what
// they do not say is as configured.
type judgeFlags struct {
	Judge        bool          `help:"Have the language model of judge.model mark what is off-topic and put it last: --judge"`
	JudgeModel   string        `placeholder:"NAME" help:"That model, this time: --judge --judge-model qwen3:8b"`
	JudgeURL     string        `name:"judge-url" placeholder:"URL" help:"Where it is asked, this machine when neither told nor configured: --judge-url http://127.0.0.1:8080/v1"`
	JudgeKeyEnv  string        `placeholder:"NAME" help:"The variable that holds the key of --judge-url; the configured key is not sent there: --judge-key-env JUDGE_API_KEY"`
	JudgeTimeout time.Duration `placeholder:"TIME" help:"How long the digest waits for it, 5s when neither told nor configured: --judge-timeout 20s"`
}

// judge is the judge that was asked for; nil when none was.
func (f judgeFlags) judge(a *app) (*mask.Judge, error) {
	if !f.Judge {
		if (f != judgeFlags{}) {
			return nil, usagef("--judge-model, --judge-url, --judge-key-env and --judge-timeout say who judges: add --judge")
		}
		return nil, nil
	}
	set, err := a.config()
	if err != nil {
		return nil, err
	}
	who := set.Judge
	if f.JudgeModel != "" {
		who.Model = f.JudgeModel
	}
	if f.JudgeURL != "" && f.JudgeURL != who.BaseURL {
		// A key belongs to the endpoint that it was configured with.
		who.BaseURL, who.APIKeyEnv = f.JudgeURL, ""
	}
	if f.JudgeKeyEnv != "" {
		who.APIKeyEnv = f.JudgeKeyEnv
	}
	if f.JudgeTimeout < 0 {
		return nil, usagef("--judge-timeout must be more than nothing, not %s", f.JudgeTimeout)
	}
	if f.JudgeTimeout > 0 {
		who.Timeout = f.JudgeTimeout
	}
	if who.Model == "" {
		return nil, usagef("--judge needs a model: set judge.model in the configuration, or name one with --judge-model")
	}
	return a.newJudge(who)
}

// newJudge makes the judge that is set up so, with the key that belongs to it.
func (a *app) newJudge(who config.Judge) (*mask.Judge, error) {
	c := judge.Config{BaseURL: who.BaseURL, Model: who.Model, Timeout: who.Timeout}
	if who.APIKeyEnv != "" {
		if c.Key = a.Getenv(who.APIKeyEnv); c.Key == "" {
			return nil, usagef("%s is to hold the judge's key, and is not set in the environment", who.APIKeyEnv)
		}
	}
	b, err := judge.New(c)
	if err != nil {
		return nil, usagef("%v", err)
	}
	return &mask.Judge{Bench: b}, nil
}

// screenJudge is the judge of the screen; nil with the reason when none can be
// used, "" when none is set up.
func (a *app) screenJudge(set config.Config) (j model.Judge, why string) {
	if set.Judge.Model == "" {
		return nil, ""
	}
	m, err := a.newJudge(set.Judge)
	if err != nil {
		return nil, err.Error()
	}
	return m, ""
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
