//go:build !unix

package cli

import (
	"context"
	"io"
)

// whileRead is ctx where a pipe does not tell whether anybody reads it, before it is
// written to.
func whileRead(ctx context.Context, _ io.Writer) (context.Context, context.CancelFunc) {
	return context.WithCancel(ctx)
}
