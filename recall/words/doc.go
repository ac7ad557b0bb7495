// Package words cuts text and queries into the words that are searched.
//
// In: UTF-8 text. Out: Tokens with their byte ranges in that text: folded
// words, the parts of identifiers, bigrams of scripts without spaces; and the
// stem of each. The same rule cuts passages, queries and excerpts, so that what
// is found is what is marked.
package words

// Revision is raised whenever Scan gives other terms for the same text than
// before, or Stem other stems: then the words of what is kept are cut anew.
const Revision = 1
