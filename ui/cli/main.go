package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/alecthomas/kong"

	"yore/recall/query"
)

const about = `Find what a coding agent said, decided or ran, in the transcripts that agents leave on your disk.

"yore" searches on screen: type, and the passages that answer appear.

"yore QUERY..." does so with a query to begin with; one that starts with a command's name follows "--".

"yore recall QUERY..." prints the passages that answer.

Nothing leaves this machine unless you name another one as a judge, and no transcript is changed.`

// Main runs the command line args and returns the exit code. demo holds the
// sample sessions of --demo.
func Main(args []string, s Streams, demo fs.FS) int {
	s.setMemory(gcPercent)
	// A closed pipe is then an error of the write, which exits with 0, and not a
	// signal that kills.
	signal.Ignore(syscall.SIGPIPE)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	// What is told to end and goes on for a while is ended by the second ctrl+c at once.
	// The other signals come twice by themselves, to the process and to its group: from
	// timeout, and from a terminal that goes and its shell. The twin would end it before
	// it has removed what it leaves behind. Where nobody told it to end they stay as they
	// were, since what is started afterwards inherits what is ignored.
	unheeded := context.AfterFunc(ctx, func() {
		signal.Ignore(syscall.SIGTERM, syscall.SIGHUP)
		stop()
	})
	defer unheeded()
	// A second longer than what a command waits for itself, so that it can still say
	// for what it waited in vain.
	return exitCode(patiently(ctx, endPatience+time.Second, func() error { return run(ctx, args, s, demo) }), s.Err)
}

// finished ends a parse whose flag did all there was to do (--help).
type finished struct{}

func run(ctx context.Context, args []string, s Streams, demo fs.FS) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil, finished:
		default:
			panic(r)
		}
	}()
	var p program
	parser, err := newParser(&p, s)
	if err != nil {
		return err
	}
	args, words := beforeDashes(args)
	root := parser.Model.Node
	args = namesFirst(root, valuesBehindEquals(root, helpOf(root, queryAsOne(args))))
	parsed, err := parser.Parse(args)
	if unsaid := (unsaid{}); errors.As(err, &unsaid) {
		return unsaid.error
	}
	if err != nil {
		return mistake(err, args, root)
	}
	if err := noWordAsFlags(args, parsed); err != nil {
		return err
	}
	if err := noEmptyFilter(parsed); err != nil {
		return err
	}
	a := &app{Streams: s, demo: demo, words: words, useDemo: p.Demo, noColor: p.NoColor || s.Getenv("NO_COLOR") != ""}
	a.file, a.showSecrets, a.plain = p.Config, p.ShowSecrets, p.Plain
	a.config = sync.OnceValues(a.readConfig)
	for _, command := range root.Children {
		a.commands = append(a.commands, command.Name)
	}
	parsed.BindTo(ctx, (*context.Context)(nil))
	return parsed.Run(a)
}

// noEmptyFilter refuses a filter's flag without a value. It comes from a variable that
// is not set, and without the filter a command would reach further than was meant.
func noEmptyFilter(parsed *kong.Context) error {
	for _, p := range parsed.Path {
		if p.Flag == nil {
			continue
		}
		if _, is := query.SpecOf(p.Flag.Name); !is {
			continue
		}
		switch value := p.Flag.Target.Interface().(type) {
		case string:
			if value == "" {
				return usagef("--%s has no value", p.Flag.Name)
			}
		case []string:
			if slices.Contains(value, "") {
				return usagef("--%s has no value", p.Flag.Name)
			}
		}
	}
	return nil
}

func newParser(p *program, s Streams) (*kong.Kong, error) {
	return kong.New(p,
		kong.Name("yore"), kong.Description(about),
		helpVars(),
		kong.Writers(s.Out, s.Err),
		kong.Help(printHelp),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, NoExpandSubcommands: true, WrapUpperBound: 100}),
		kong.Exit(func(int) { panic(finished{}) }),
	)
}

// version is the release; CHANGELOG.md has a section for each.
const version = "0.1.0"

type versionCommand struct{}

func (versionCommand) Run(a *app) error {
	if err := a.noWords(); err != nil {
		return err
	}
	_, err := fmt.Fprintln(a.Out, "yore "+version)
	return err
}

type versionFlag bool

// BeforeReset prints the version before anything else of the command line is
// looked at.
func (versionFlag) BeforeReset(k *kong.Kong) error {
	if _, err := fmt.Fprintln(k.Stdout, "yore "+version); err != nil {
		return unsaid{err}
	}
	k.Exit(exitFound)
	return nil
}
