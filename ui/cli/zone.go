package cli

import (
	"encoding/binary"
	"strings"
	"time"

	_ "time/tzdata" // for systems that have no time zones, such as small containers and Windows
)

// zoneOf is the time zone that the variable TZ names. time.Local knows zones by name
// and by file; a rule as POSIX writes it ("EST5EDT,M3.2.0,M11.1.0", "<+0530>-5:30"), or
// on Windows any, it takes for UTC.
func zoneOf(tz string) *time.Location {
	name := strings.TrimPrefix(tz, ":")
	if name == "" || strings.HasPrefix(name, "/") {
		return time.Local
	}
	if zone, err := time.LoadLocation(name); err == nil {
		return zone
	}
	if zone, err := time.LoadLocationFromTZData(name, zoneFile(name)); err == nil {
		return zone
	}
	return time.Local
}

// zoneFile is a file of a time zone (RFC 8536) that says nothing but a rule, which holds
// at all times then. One that makes no sense is UTC, as elsewhere.
func zoneFile(rule string) []byte {
	const header, abbreviation = "TZif2\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00", "UTC\x00"
	counts := func(b []byte, zones, letters uint32) []byte {
		for _, n := range [...]uint32{0, 0, 0, 0, zones, letters} {
			b = binary.BigEndian.AppendUint32(b, n)
		}
		return b
	}
	b := counts([]byte(header), 0, 0) // for readers of the first version
	b = counts(append(b, header...), 1, uint32(len(abbreviation)))
	b = append(b, 0, 0, 0, 0, 0, 0) // UTC, no summer time, the first abbreviation
	return append(b, abbreviation+"\n"+rule+"\n"...)
}
