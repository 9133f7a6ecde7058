import { describeContract } from './contract.js'
import { hostOnFetch, hostOnNode } from './hosts.js'

describeContract('the clients against the generated server on node:http', hostOnNode)
describeContract('the clients against the generated server as a fetch handler', hostOnFetch)
