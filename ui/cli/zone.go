package cli

import (
	"encoding/binary"
	"strings"
	"time"

	_ "time/tzdata" // for systems that have no time zones, such as small containers and Windows

	"yore/recall/query"
)

// zoneOf is the time zone that the variable TZ names. time.Local knows zones by name
// and by file; a rule as POSIX writes it ("EST5EDT,M3.2.0,M11.1.0", "<+0530>-5:30"), or
// on Windows any, it takes for UTC. Known is false where tz makes no sense and counts as
// UTC.
func zoneOf(tz string) (zone *time.Location, known bool) {
	name := strings.TrimPrefix(tz, ":")
	if name == "" {
		return time.Local, true
	}
	if strings.HasPrefix(name, "/") {
		return time.Local, time.Local.String() != utc // of a file that it has read it is the file's
	}
	if zone, err := time.LoadLocation(name); err == nil {
		return zone, true
	}
	if zone, err := time.LoadLocationFromTZData(name, zoneFile(name)); err == nil {
		abbreviation, _ := time.Now().In(zone).Zone()
		return zone, abbreviation != utc || strings.Contains(name, utc)
	}
	return time.Local, false
}

// utc is the name and the abbreviation of the zone that holds where none is known.
const utc = "UTC"

// zoneNotes say that the zone in which times are told is not the one that was asked for.
func (a *app) zoneNotes() []string {
	if !a.Unzoned {
		return nil
	}
	return []string{"TZ=" + query.Quoted(a.Getenv("TZ")) + " names no time zone that is known here, so times are UTC: try Europe/Berlin, or a rule such as JST-9."}
}

// zoneFile is a file of a time zone (RFC 8536) that says nothing but a rule, which holds
// at all times then. One that makes no sense is UTC, as elsewhere.
func zoneFile(rule string) []byte {
	const header, abbreviation = "TZif2\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00", utc + "\x00"
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
