package index

import (
	"bytes"
	"errors"
	"os"
	"runtime"
	"testing"
)

// A ledger that is written, or written anew, takes no memory by its size, and one that is
// damaged meanwhile is not taken over.
func TestALedgerIsWrittenRecordByRecord(t *testing.T) {
	dir := t.TempDir()
	const records, size = 200, 100 << 10
	body := make([]byte, size)
	all := make(map[recordKey][]byte)
	for i := range uint64(records) {
		all[recordKey{recordTranscript, i}] = body
	}
	l := ledger{}
	put := func(records map[recordKey][]byte) error {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, keep, err := l.put(dir, records, &directory{}, true)
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > 20*size {
			t.Errorf("it took %d bytes for %d", took, l.size)
		}
		if err == nil {
			keep()
		}
		return err
	}
	for _, records := range []map[recordKey][]byte{all, {{recordTranscript, 7}: nil}} {
		if err := put(records); err != nil {
			t.Fatal(err)
		}
	}
	_, found, err := readLedger(dir, l.ledgerEnd)
	if err != nil || found.damaged || len(found.records) != records-1 {
		t.Fatalf("%d records, damaged %t: %v", len(found.records), found.damaged, err)
	}
	data, err := os.ReadFile(ledgerPath(dir, l.number))
	if err != nil {
		t.Fatal(err)
	}
	var ends []int64
	err = scanLedger(bytes.NewReader(data), l.size, func(_ recordKey, _ []byte, _ bool, end int64) { ends = append(ends, end) })
	if err != nil {
		t.Fatal(err)
	}
	for what, damaged := range map[string][]byte{
		"a changed byte":   append(append([]byte{}, data[:5*size]...), append([]byte{1}, data[5*size+1:]...)...),
		"cut in a record":  data[:len(data)-1],
		"cut between them": data[:ends[len(ends)-2]],
		"nothing":          nil,
	} {
		if err := os.WriteFile(ledgerPath(dir, l.number), damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := put(nil); !errors.Is(err, errDamaged) {
			t.Errorf("%s: %v", what, err)
		}
	}
}
