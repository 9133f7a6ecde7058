// The parts of the library that samples use. `scripts/assets.mjs` bundles them, so that the package does not depend on it.
export { goNative } from '@scalar/snippetz/plugins/go/native'
export { javaNethttp } from '@scalar/snippetz/plugins/java/nethttp'
export { phpGuzzle } from '@scalar/snippetz/plugins/php/guzzle'
export { pythonRequests } from '@scalar/snippetz/plugins/python/requests'
