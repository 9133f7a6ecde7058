import document from '@acme/zkt/openapi.json' with { type: 'json' }

export const use = () => [document.openapi.split('.')[0], Object.keys(document.paths)]
