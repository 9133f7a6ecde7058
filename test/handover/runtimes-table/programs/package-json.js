import manifest from '@acme/zkt/package.json' with { type: 'json' }

export const use = () => [manifest.name, manifest.type]
