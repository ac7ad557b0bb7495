package judge

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"time"
)

const (
	// DefaultBaseURL is where Ollama listens, on this machine.
	DefaultBaseURL = "http://127.0.0.1:11434/v1"
	// DefaultTimeout is how long a judge has for one answer.
	DefaultTimeout = 5 * time.Second
)

// ErrConfig is wrapped by the errors about a Config that cannot be used.
var ErrConfig = errors.New("the judge cannot be used")

// Config is who judges.
type Config struct {
	BaseURL string // of an endpoint with OpenAI's chat completions; DefaultBaseURL when ""
	Model   string
	Key     string        // sent as a bearer token; "" sends none
	Timeout time.Duration // for one answer; DefaultTimeout when 0
}

// endpoint is a checked Config.
type endpoint struct {
	url   string // ends with a slash
	host  string
	local bool // on this machine
	clear bool // what is sent can be read on the way
	model string
	key   string
}

// check makes an endpoint of a configuration. Its errors repeat nothing of the
// address: it may hold a password.
func (c Config) check() (endpoint, error) {
	wrong := func(format string, args ...any) (endpoint, error) {
		return endpoint{}, fmt.Errorf("%w: %s", ErrConfig, fmt.Sprintf(format, args...))
	}
	if c.Model == "" {
		return wrong("no model is named")
	}
	if c.BaseURL == "" {
		c.BaseURL = DefaultBaseURL
	}
	u, err := url.Parse(c.BaseURL)
	switch {
	case err != nil || u.Hostname() == "":
		return wrong("its address is no URL such as %s", DefaultBaseURL)
	case u.Scheme != "http" && u.Scheme != "https":
		return wrong("its address begins with neither http:// nor https://")
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return wrong("its address holds more than host, port and path; a key belongs into a variable of the environment")
	}
	local := loopback(u.Hostname())
	return endpoint{
		url: strings.TrimRight(u.String(), "/") + "/", host: u.Host, local: local,
		clear: u.Scheme == "http" && !local, model: c.Model, key: c.Key,
	}, nil
}

// loopback tells whether a host is this machine by its name or address alone.
func loopback(host string) bool {
	if strings.EqualFold(strings.TrimSuffix(host, "."), "localhost") {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.Unmap().IsLoopback()
}

// errElsewhere keeps what was said to stay on this machine there, whatever a
// name resolves to.
var errElsewhere = errors.New("its name leads away from this machine")

// onlyLoopback refuses a connection to any other machine.
func onlyLoopback(address string) error {
	host, _, err := net.SplitHostPort(address)
	if err == nil && loopback(host) {
		return nil
	}
	return errElsewhere
}
