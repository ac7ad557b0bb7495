package recall

import (
	"sync"
	"sync/atomic"

	"yore/recall/index"
	"yore/recall/topic"
)

// models are those whose vectors the index may hold: the one in use, and others that
// it took the place of, whose vectors are good until they are made anew.
type models struct {
	now  atomic.Pointer[usedModel]
	base topic.Model                   // as chosen
	find func(hash uint64) topic.Model // one that another process made; nil: none

	mu    sync.Mutex
	known map[uint64]*usedModel
}

// usedModel is a model as the index wants it.
type usedModel struct {
	topic.Model
	made index.Model
}

func newModels(base topic.Model) *models {
	m := &models{base: base, known: map[uint64]*usedModel{}}
	m.learn(topic.Embedded())
	m.use(base)
	return m
}

// learn makes a model known.
func (m *models) learn(t topic.Model) *usedModel {
	m.mu.Lock()
	defer m.mu.Unlock()
	if u := m.known[t.Hash()]; u != nil {
		return u
	}
	buffers := sync.Pool{New: func() any { v := make([]float32, t.Dim()); return &v }}
	u := &usedModel{Model: t, made: index.Model{Hash: t.Hash(), Dim: t.Dim(), Embed: func(text string, dst []int8) bool {
		v := buffers.Get().(*[]float32)
		defer buffers.Put(v)
		if !t.Vector(text, *v) {
			return false
		}
		topic.Quantise(*v, dst)
		return true
	}}}
	m.known[t.Hash()] = u
	return u
}

// use makes a model the one in use.
func (m *models) use(t topic.Model) { m.now.Store(m.learn(t)) }

// of is the model with a hash, nil when it is not known. One that another process
// adapted meanwhile is taken up.
func (m *models) of(hash uint64) *usedModel {
	m.mu.Lock()
	u := m.known[hash]
	m.mu.Unlock()
	if u == nil && m.find != nil && hash != 0 {
		if t := m.find(hash); t != nil {
			m.use(t)
			return m.of(hash)
		}
	}
	return u
}

// options keep one vector of the model in use for each passage.
func (m *models) options() index.Options {
	return index.Options{
		Model: func() *index.Model { return &m.now.Load().made },
		Known: func(hash uint64) *index.Model {
			if u := m.of(hash); u != nil {
				return &u.made
			}
			return nil
		},
	}
}
