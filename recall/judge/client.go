package judge

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"syscall"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/shared"
	"github.com/tidwall/gjson"

	"yore/recall"
	"yore/sessions/clean"
)

// What is taken of a response at most, in bytes.
const (
	bodyBytes   = 1 << 20
	headerBytes = 64 << 10
)

// client asks an endpoint.
type client struct {
	endpoint
	chat  openai.ChatCompletionService
	plain atomic.Bool // the endpoint knows models and messages only
}

// newClient asks nothing of the environment: a key that is meant for another
// service does not go to this one.
func newClient(e endpoint) *client {
	dialer := &net.Dialer{}
	transport := &http.Transport{
		Proxy: http.ProxyFromEnvironment, ForceAttemptHTTP2: true,
		DisableKeepAlives:      true, // seconds lie between two requests
		MaxResponseHeaderBytes: headerBytes,
	}
	if e.local {
		transport.Proxy = nil
		dialer.Control = func(_, address string, _ syscall.RawConn) error { return onlyLoopback(address) }
	}
	transport.DialContext = dialer.DialContext
	options := []option.RequestOption{
		option.WithBaseURL(e.url), option.WithMaxRetries(0),
		option.WithHTTPClient(&http.Client{
			Transport: bounded{transport},
			CheckRedirect: func(r *http.Request, _ []*http.Request) error {
				return fmt.Errorf("%w, %s", errRedirect, r.URL.Host)
			},
		}),
	}
	if e.key != "" {
		options = append(options, option.WithAPIKey(e.key))
	}
	return &client{endpoint: e, chat: openai.NewChatCompletionService(options...)}
}

// errRedirect: where the texts go is for the user to say.
var errRedirect = errors.New("it sends on to another address")

// bounded limits what is read of a response.
type bounded struct{ http.RoundTripper }

func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := b.RoundTripper.RoundTrip(r)
	if err == nil {
		res.Body = struct {
			io.Reader
			io.Closer
		}{io.LimitReader(res.Body, bodyBytes), res.Body}
	}
	return res, err
}

// Judge asks the model, and once more when its reply says nothing readable, or
// when the endpoint does not know how to bind a reply to a form.
func (c *client) Judge(ctx context.Context, question string, items []string) (Ruling, error) {
	ids := identifiers(len(items), append(items, question)...)
	data, err := message(question, ids, items)
	if err != nil {
		return Ruling{}, err
	}
	ruling := Ruling{}
	system := instruction(question)
	for try := range 2 {
		ruling.Bytes += len(system) + len(data)
		reply, tokens, err := c.ask(ctx, system, data, ids)
		ruling.Tokens += tokens
		switch {
		case err == nil:
			if ruling.Tokens > ruling.Bytes { // not even one byte each
				ruling.Tokens = 0
			}
			ruling.Grades = read(reply, ids)
			for _, g := range ruling.Grades {
				if g != recall.Unjudged {
					return ruling, nil
				}
			}
			system = instruction(question) + again
		case try > 0 || !errors.Is(err, errForm) || !c.plain.CompareAndSwap(false, true):
			return Ruling{}, err
		}
	}
	return Ruling{}, errReply
}

var (
	errReply = errors.New("its reply cannot be read")
	errForm  = errors.New("it refuses the request")
)

// ask makes one request; tokens are those sent, 0 when unknown.
func (c *client) ask(ctx context.Context, system, data string, ids []string) (reply string, tokens int, err error) {
	params := openai.ChatCompletionNewParams{
		Model:    c.model,
		Messages: []openai.ChatCompletionMessageParamUnion{openai.SystemMessage(system), openai.UserMessage(data)},
	}
	if !c.plain.Load() {
		params.Temperature = openai.Float(0)
		params.ResponseFormat.OfJSONSchema = &shared.ResponseFormatJSONSchemaParam{JSONSchema: shared.ResponseFormatJSONSchemaJSONSchemaParam{
			Name: "verdicts", Strict: openai.Bool(true), Schema: schema(ids),
		}}
	}
	var response *http.Response
	completion, err := c.chat.New(ctx, params, option.WithResponseInto(&response))
	if err != nil {
		return "", 0, c.failure(ctx, response, err)
	}
	if len(completion.Choices) == 0 {
		return "", 0, errReply
	}
	return content(completion.Choices), max(0, int(completion.Usage.PromptTokens)), nil
}

// content is what a model says in the first choice in which it says something. Servers
// have it as a text, as a list of parts, as the arguments of a call that nobody offered,
// or as the older interface had it. What it thought (reasoning_content) is none of it.
func content(choices []openai.ChatCompletionChoice) string {
	for _, c := range choices {
		raw := gjson.Parse(c.RawJSON())
		for _, path := range []string{
			"message.content", "message.content.#.text", "message.tool_calls.#.function.arguments", "message.function_call.arguments", "text",
		} {
			var said []string
			for _, part := range raw.Get(path).Array() {
				if part.Type == gjson.String || part.IsObject() && !strings.HasSuffix(path, "content") {
					said = append(said, part.String()) // arguments may stand there as they are
				}
			}
			if text := strings.Join(said, "\n"); strings.TrimSpace(text) != "" {
				return text
			}
		}
	}
	return ""
}

// schema binds a reply to grades of these ids, where an endpoint can.
func schema(ids []string) map[string]any {
	object := func(properties map[string]any, required ...string) map[string]any {
		return map[string]any{"type": "object", "properties": properties, "required": required, "additionalProperties": false}
	}
	return object(map[string]any{"verdicts": map[string]any{"type": "array", "items": object(map[string]any{
		"id":    map[string]any{"type": "string", "enum": ids},
		"grade": map[string]any{"type": "integer", "enum": []int{0, 1, 2, 3}},
	}, "id", "grade")}}, "verdicts")
}

// failure says in few words why nothing was judged. What an endpoint says of
// itself is quoted in part.
func (c *client) failure(ctx context.Context, response *http.Response, err error) error {
	var refused *openai.Error
	var dial *net.OpError
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, errElsewhere):
		return errElsewhere
	case errors.Is(err, errRedirect):
		return errors.Unwrap(err) // without the method and the address that were asked
	case response != nil && response.StatusCode >= 400:
		said := fmt.Sprintf("it answers %d %s", response.StatusCode, http.StatusText(response.StatusCode))
		if errors.As(err, &refused) && refused.Message != "" {
			said += ": " + c.quoted(refused.Message)
		}
		if response.StatusCode == http.StatusNotFound && !strings.Contains(c.url, "/v1") {
			said += "; its address may have to end with /v1"
		}
		if response.StatusCode == http.StatusBadRequest || response.StatusCode == http.StatusUnprocessableEntity {
			return fmt.Errorf("%w: %s", errForm, said)
		}
		return errors.New(said)
	case response != nil:
		return errReply
	case errors.As(err, &dial):
		return fmt.Errorf("it cannot be reached: %w", dial.Err)
	}
	return errors.New("it cannot be reached: " + c.quoted(err.Error()))
}

// quotedBytes is how much of an endpoint's own words is repeated.
const quotedBytes = 160

// quoted is the beginning of a text in one line, without the key.
func (c *client) quoted(text string) string {
	if c.key != "" {
		text = strings.ReplaceAll(text, c.key, "…")
	}
	text = clean.Line(text)
	if len(text) > quotedBytes {
		text = strings.ToValidUTF8(text[:quotedBytes], "") + "…"
	}
	return text
}
