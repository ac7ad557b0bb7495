// Command cmd makes a table of word vectors from documentation, and measures one.
//
//	go run ./recall/topic/train/cmd make -docs DIR -go DIR -glove FILE -out DIR
//	go run ./recall/topic/train/cmd measure -table DIR SET.jsonl...
//	go run ./recall/topic/train/cmd floor -table DIR SET.jsonl...
//
// SOURCES.md beside package train says what to put into DIR and what the sets are.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("say make, measure or floor")
	}
	flags := flag.NewFlagSet(args[0], flag.ContinueOnError)
	switch args[0] {
	case "make":
		var m maker
		flags.StringVar(&m.docs, "docs", "", "`directory` with one folder for each documentation package")
		flags.StringVar(&m.goSource, "go", "", "`directory` of the Go standard library's source")
		flags.StringVar(&m.glove, "glove", "", "`file` of word vectors to start with; none: random vectors")
		flags.StringVar(&m.out, "out", "", "`directory` for table.i8 or table.i4, scale.f32 and vocab.txt")
		flags.IntVar(&m.dim, "dim", 128, "numbers a row")
		flags.BoolVar(&m.halves, "halves", false, "write half bytes, table.i4, in place of table.i8")
		flags.IntVar(&m.epochs, "epochs", 3, "how often each pair is seen")
		flags.IntVar(&m.batch, "batch", 1_024, "pairs a step")
		flags.Float64Var(&m.rate, "rate", .05, "rate of the first step")
		flags.Float64Var(&m.drop, "drop", .3, "share of the words left out in each step")
		flags.Uint64Var(&m.seed, "seed", 1, "start of all random choices")
		flags.IntVar(&m.workers, "workers", 2, "goroutines")
		if err := flags.Parse(args[1:]); err != nil {
			return err
		}
		return m.make(ctx)
	case "measure":
		table := flags.String("table", "", "`directory` of a table; none: the embedded one")
		adapted := flags.Bool("adapted", false, "adapt the table to the passages of each set first")
		if err := flags.Parse(args[1:]); err != nil {
			return err
		}
		return measureSets(ctx, *table, *adapted, flags.Args())
	case "floor":
		table := flags.String("table", "", "`directory` of a table; none: the embedded one")
		if err := flags.Parse(args[1:]); err != nil {
			return err
		}
		return unrelated(ctx, *table, flags.Args())
	}
	return fmt.Errorf("%s: say make, measure or floor", args[0])
}
