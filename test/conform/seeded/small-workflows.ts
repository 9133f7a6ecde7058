/** What no document can say, and a server that runs no contracts can keep: a read is a read, an id is echoed, time goes on. */
export const SMALL_WORKFLOWS = `
arazzo: 1.0.1
info:
  title: The least that is due
  version: 1.0.0
sourceDescriptions:
  - name: http
    url: openapi.json
    type: openapi
  - name: rpc
    url: rpc.openapi.json
    type: openapi
workflows:
  - workflowId: read
    steps:
      - stepId: call
        operationId: $sourceDescriptions.http.tryZkt
        requestBody:
          contentType: application/json
          payload:
            abi: [function sum() view returns (uint256)]
            to: '0x0ca4eedd26f62e932b3e8ff91e48cc0d063546e1'
            method: sum
            arguments: []
            id: seven
        successCriteria:
          - condition: $response.body#/output
          - condition: $response.body#/id == 'seven'
  - workflowId: follow
    steps:
      - stepId: submit
        operationId: $sourceDescriptions.http.tryZkt
        requestBody:
          contentType: application/json
          payload:
            arguments: The tide turns at six.
        successCriteria:
          - condition: $statusCode == 200
        outputs:
          queueId: $response.body#/queueId
      - stepId: look
        operationId: $sourceDescriptions.http.getZktTransaction
        parameters:
          - name: queueId
            in: path
            value: $steps.submit.outputs.queueId
        successCriteria:
          - condition: $response.body#/status == 'completed'
          - condition: $response.body#/createdAt <= $response.body#/processedAt
        onFailure:
          - name: again
            type: retry
            retryAfter: 0.1
            retryLimit: 4
  - workflowId: deploy
    steps:
      - stepId: submit
        operationId: $sourceDescriptions.http.tryZkt
        requestBody:
          contentType: application/json
          payload:
            code: contract Slate { }
        successCriteria:
          - condition: $response.body#/contractAddress
        outputs:
          address: $response.body#/contractAddress
      - stepId: code
        operationId: $sourceDescriptions.rpc.ethGetCode
        requestBody:
          contentType: application/json
          payload:
            jsonrpc: '2.0'
            id: 1
            method: eth_getCode
            params: [$steps.submit.outputs.address, latest]
        successCriteria:
          - condition: $response.body#/result != '0x'
  - workflowId: network
    steps:
      - stepId: ask
        operationId: $sourceDescriptions.rpc.ethChainId
        requestBody:
          contentType: application/json
          payload:
            jsonrpc: '2.0'
            id: 1
            method: eth_chainId
            params: []
        successCriteria:
          - condition: $response.body#/result == '0x133edcb' || $response.body#/result == '0x18a92'
`
