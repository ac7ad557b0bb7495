// Package zed reads the threads of the agent panel of the editor Zed.
//
// In: threads/threads.db in Zed's data folder. Out: sessions.Source.
//
// A thread is one row with all that was said as a document, mostly compressed.
// Three generations of the document are read; none has times for its messages.
package zed
