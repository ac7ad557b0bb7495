// Package clienttest tries a server of the Model Context Protocol with a client that
// is not of this language: the TypeScript SDK's, from npm.
//
// In: the command that starts a server. Out: what the client found wrong, as a test's
// failure; a test that is skipped where node or the client's packages are missing
// (.ci/npm installs them). The client itself is client/client.mjs. Only tests import
// it.
package clienttest
