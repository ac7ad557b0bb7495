package recall

import (
	"cmp"
	"context"
	"errors"
	"time"

	"yore/recall/index"
)

// What tools put in and out, and what was thought, is many times the conversation: its
// words are cut when somebody first searches there, which takes a minute over gigabytes.

// toolsPatience is how long a question waits for these words where they go on being cut
// behind the answer: in that time a core cuts those of half a gigabyte of transcripts, and
// clients of MCP give up on a call after a minute.
const toolsPatience = 10 * time.Second

// readTools has the words of tools and thinking cut. With wait it returns when that is
// done, or has taken toolsPatience, unless the Engine ends with the answer (Config.Brief).
// The end of it is signalled as a change.
func (e *Engine) readTools(ctx context.Context, wait bool) error {
	n := e.edition()
	n.index.IndexTools()
	if n.unread(index.Tools) > 0 {
		n.tools.Do(func() {
			e.waiting.Go(func() {
				if n.awaitWords(e.ctx, index.Tools) == nil {
					e.signal()
				}
			})
		})
	}
	switch {
	case !wait:
		return nil
	case e.cfg.Brief:
		return n.awaitWords(ctx, index.Tools)
	}
	patience, cancel := context.WithTimeout(ctx, cmp.Or(e.cfg.toolsWait, toolsPatience))
	defer cancel()
	if err := n.awaitWords(patience, index.Tools); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return ctx.Err() // it may have ended first
}

// toolsSearched tells whether tools and thinking were searched in some run: some of them
// have words. Then more is searched there, and what is new is not left to the next question.
func (n *edition) toolsSearched() bool {
	snap := n.snapshot()
	return snap.Live(index.Tools) > snap.Unread(index.Tools)
}
