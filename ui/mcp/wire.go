package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/tidwall/gjson"
)

// longestLine bounds a message of the client, in bytes. The longest that a client
// has reason to send is a query.
const longestLine = 4 << 20

// wire is the connection with a client over two streams, one message a line.
//
// The SDK's own one drops the calls under way when the client's stream ends, and
// ends at the first line that is no message. Here the end of the stream is passed
// on once all calls are answered, so that what is piped in gets its answers, and a
// bad line gets its error and costs itself alone.
type wire struct {
	in     io.Reader
	out    io.Writer
	lines  chan line
	closed chan struct{}
	end    sync.Once

	writing sync.Mutex
	queue   []jsonrpc.Message // of a batch, still to be read; used by Read alone

	mu      sync.Mutex
	calls   map[jsonrpc.ID]*pending // read and not answered
	settled chan struct{}           // closed when calls is empty after the stream has ended
	ended   bool
}

// line is one line of the client, or why there is none.
type line struct {
	text []byte
	err  error
}

// pending is a call under way.
type pending struct {
	cancelled bool // the client does not wait for the answer any more
	batch     *batch
}

// batch collects the answers to the calls of one array.
type batch struct {
	open    int
	answers []json.RawMessage
}

var (
	errLong = errors.New("the line is too long")
	errNone = errors.New(`this is no message of the protocol, which is an object with "jsonrpc": "2.0" and a method, or the answer to one, nested at most 1,000 deep`)
)

// Connect starts reading. It makes wire a mcp.Transport for one connection.
func (w *wire) Connect(context.Context) (mcp.Connection, error) {
	w.lines, w.closed, w.settled = make(chan line), make(chan struct{}), make(chan struct{})
	w.calls = map[jsonrpc.ID]*pending{}
	go w.scan()
	return w, nil
}

// SessionID is empty: a pipe has one session.
func (w *wire) SessionID() string { return "" }

// Close ends Read. What already was read of the stream is dropped.
func (w *wire) Close() error {
	w.end.Do(func() { close(w.closed) })
	return nil
}

// scan sends the lines of the stream. It ends with the stream or the connection,
// but for a read that nothing can interrupt.
func (w *wire) scan() {
	r := bufio.NewReaderSize(w.in, 64<<10)
	for {
		text, err := readLine(r)
		select {
		case w.lines <- line{text, err}:
		case <-w.closed:
			return
		}
		if err != nil && !errors.Is(err, errLong) {
			return
		}
	}
}

// readLine reads one line, without its end. Of a line longer than longestLine it
// keeps nothing: the error is errLong then, and the next line follows.
func readLine(r *bufio.Reader) ([]byte, error) {
	var text []byte
	long := false
	for {
		part, err := r.ReadSlice('\n')
		if long = long || len(text)+len(part) > longestLine; long {
			text = nil
		} else {
			text = append(text, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case long && (err == nil || errors.Is(err, io.EOF)):
			return nil, errLong
		case err != nil && len(bytes.TrimSpace(text)) == 0:
			return nil, err
		}
		return bytes.TrimSpace(text), nil // what is wrong with the stream comes again
	}
}

// Read is the next message of the client. io.EOF comes when the stream has ended
// and every call is answered.
func (w *wire) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		if len(w.queue) > 0 {
			next := w.queue[0]
			w.queue = w.queue[1:]
			return next, nil
		}
		var next line
		select {
		case next = <-w.lines:
		case <-w.closed:
			return nil, io.EOF
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		switch {
		case errors.Is(next.err, errLong):
			w.refuse(jsonrpc.CodeInvalidRequest, fmt.Sprintf("a message may have %d bytes", longestLine))
		case next.err != nil:
			return nil, w.drain(ctx, next.err)
		case len(next.text) > 0:
			w.take(next.text)
		}
	}
}

// drain waits until all calls are answered, and gives back why the stream ended.
func (w *wire) drain(ctx context.Context, why error) error {
	w.mu.Lock()
	w.ended = true
	w.settle()
	w.mu.Unlock()
	select {
	case <-w.settled:
	case <-w.closed:
	case <-ctx.Done():
	}
	return why
}

// settle says so when nothing is under way any more. The caller holds mu.
func (w *wire) settle() {
	if w.ended && len(w.calls) == 0 {
		select {
		case <-w.settled:
		default:
			close(w.settled)
		}
	}
}

// take puts the messages of one line into the queue; what is none is refused.
func (w *wire) take(text []byte) {
	if !json.Valid(text) {
		w.refuse(jsonrpc.CodeParseError, "the line is not JSON")
		return
	}
	if text[0] != '[' {
		w.accept(text, nil)
		return
	}
	var parts []json.RawMessage
	if err := json.Unmarshal(text, &parts); err != nil || len(parts) == 0 {
		w.refuse(jsonrpc.CodeInvalidRequest, "a batch holds at least one message")
		return
	}
	// Open until all of it is read, so that an early answer does not end it.
	b := &batch{open: 1}
	for _, part := range parts {
		w.accept(part, b)
	}
	_ = w.answered(b, nil) // as tell does
}

// accept queues one message, as part of a batch if there is one.
func (w *wire) accept(text []byte, b *batch) {
	m, err := decode(text)
	id := idOf(text)
	if err == nil {
		err, id = w.register(m, b), nil // an id that is in use belongs to another call
	}
	if err == nil {
		w.queue = append(w.queue, m)
		return
	}
	answer := refusal(id, jsonrpc.CodeInvalidRequest, err.Error())
	if b != nil {
		w.mu.Lock()
		b.answers = append(b.answers, answer)
		w.mu.Unlock()
		return
	}
	w.tell(answer)
}

// decode reads a message. The SDK would take an id that is null or a fraction for
// none or another one.
func decode(text []byte) (jsonrpc.Message, error) {
	m, err := jsonrpc.DecodeMessage(text)
	if err != nil {
		return nil, errNone
	}
	if _, ok := m.(*jsonrpc.Request); ok && gjson.GetBytes(text, "id").Exists() && idOf(text) == nil {
		return nil, errors.New("an id is a text or a whole number")
	}
	return m, nil
}

// idOf is the id of a call, as it is written; nil where there is none that can be one.
func idOf(text []byte) json.RawMessage {
	id := gjson.GetBytes(text, "id")
	var n int64
	if !gjson.GetBytes(text, "method").Exists() || id.Type != gjson.String && (id.Type != gjson.Number || json.Unmarshal([]byte(id.Raw), &n) != nil) {
		return nil
	}
	return json.RawMessage(id.Raw)
}

// register remembers a call until it is answered, and which one the client does
// not wait for any more.
func (w *wire) register(m jsonrpc.Message, b *batch) error {
	r, ok := m.(*jsonrpc.Request)
	if !ok {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if !r.IsCall() {
		if id, ok := cancels(r); ok && w.calls[id] != nil {
			w.calls[id].cancelled = true
		}
		return nil
	}
	if w.calls[r.ID] != nil {
		return fmt.Errorf("the id %v is that of a call under way", r.ID.Raw())
	}
	w.calls[r.ID] = &pending{batch: b}
	if b != nil {
		b.open++
	}
	return nil
}

// cancels is the call that a notification cancels.
func cancels(r *jsonrpc.Request) (jsonrpc.ID, bool) {
	if r.Method != "notifications/cancelled" {
		return jsonrpc.ID{}, false
	}
	var p struct {
		ID any `json:"requestId"`
	}
	if json.Unmarshal(r.Params, &p) != nil {
		return jsonrpc.ID{}, false
	}
	id, err := jsonrpc.MakeID(p.ID)
	return id, err == nil && id.IsValid()
}

// Write sends a message. An answer to a call that was cancelled is dropped, as the
// protocol asks; one to a call of a batch waits for the others.
func (w *wire) Write(_ context.Context, m jsonrpc.Message) error {
	inWords(m)
	text, err := jsonrpc.EncodeMessage(m)
	if err != nil {
		return fmt.Errorf("encoding a message: %w", err)
	}
	r, ok := m.(*jsonrpc.Response)
	if !ok {
		return w.send(text)
	}
	call := w.pending(r.ID)
	// Answered before it is forgotten: the stream may end with the last call.
	defer w.forget(r.ID)
	if call.cancelled {
		text = nil
	}
	switch {
	case call.batch != nil:
		return w.answered(call.batch, text)
	case text == nil:
		return nil
	}
	return w.send(text)
}

// inWords gives every refusal of the SDK a code of the protocol, where it has none, and
// says in words that the params of a call are of no use, which the SDK says in those of
// its decoder, with all of the params.
func inWords(m jsonrpc.Message) {
	r, ok := m.(*jsonrpc.Response)
	if !ok || r.Error == nil {
		return
	}
	wrong, coded := errors.AsType[*jsonrpc.Error](r.Error)
	switch {
	case (!coded || wrong.Code == jsonrpc.CodeInvalidParams) && strings.Contains(r.Error.Error(), "unmarshaling"):
		r.Error = &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "invalid params: they do not have the form that the protocol gives those of this method"}
	case !coded:
		r.Error = &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: r.Error.Error()}
	}
}

// pending is how a call stands; the zero value for one that is not known.
func (w *wire) pending(id jsonrpc.ID) pending {
	w.mu.Lock()
	defer w.mu.Unlock()
	if call := w.calls[id]; call != nil {
		return *call
	}
	return pending{}
}

func (w *wire) forget(id jsonrpc.ID) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.calls, id)
	w.settle()
}

// answered adds an answer to a batch, none when it is nil, and sends the batch when
// nothing of it is open.
func (w *wire) answered(b *batch, answer []byte) error {
	w.mu.Lock()
	b.open--
	if answer != nil {
		b.answers = append(b.answers, answer)
	}
	done := b.open == 0 && len(b.answers) > 0
	w.mu.Unlock()
	if !done {
		return nil
	}
	text, err := json.Marshal(b.answers)
	if err != nil {
		return fmt.Errorf("encoding a batch: %w", err)
	}
	return w.send(text)
}

// refuse answers a line that is no message.
func (w *wire) refuse(code int, why string) { w.tell(refusal(nil, code, why)) }

// tell sends what nothing waits for. That the client is gone shows at the next
// answer, or at the end of its stream.
func (w *wire) tell(text []byte) { _ = w.send(text) }

// refusal is the error for a message that is none; id is nil where it tells none.
func refusal(id json.RawMessage, code int, why string) []byte {
	text, err := json.Marshal(struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   jsonrpc.Error   `json:"error"`
	}{"2.0", id, jsonrpc.Error{Code: int64(code), Message: why}})
	if err != nil {
		panic(err) // an id that was JSON, a number and a text can be encoded
	}
	return text
}

func (w *wire) send(text []byte) error {
	w.writing.Lock()
	defer w.writing.Unlock()
	_, err := w.out.Write(append(text, '\n'))
	return err
}
