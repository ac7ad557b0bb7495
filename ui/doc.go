// Package ui is how the program looks and how it is reached: it paints the
// model, wraps it into a tea.Model, and holds the theme. Commands live in
// ui/cli.
//
// In: a model.Model. Out: a tea.View.
package ui
