package model

import "strings"

// KeyRow is one row of the table of all keys.
type KeyRow struct{ Where, Keys, Does string }

// KeyHelp is the whole table of keys, as the README shows it.
func KeyHelp() []KeyRow {
	var rows []KeyRow
	for _, b := range bindings(PrintNothing) {
		rows = append(rows, KeyRow{b.Focus.places(), b.Help().Key, b.Help().Desc})
	}
	return rows
}

// places names all the places of a set of them.
func (f Focus) places() string {
	if f == anywhere {
		return "anywhere"
	}
	var names []string
	for place := Query; place <= Palette; place <<= 1 {
		if f&place != 0 {
			names = append(names, place.String())
		}
	}
	return strings.Join(names, ", ")
}
