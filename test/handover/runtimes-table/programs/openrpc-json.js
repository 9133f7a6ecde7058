import document from '@acme/zkt/openrpc.json' with { type: 'json' }

export const use = () => document.methods.some(({ name }) => name === 'eth_chainId')
