package index

type blockCache struct{}

func newBlockCache() *blockCache { return &blockCache{} }

type names struct{}
