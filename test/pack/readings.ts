/** A second pair of documents, small and unlike ours: no server has a name or a chain, keys go into a header, params go by name. */
export const READINGS = {
  openapi: `openapi: 3.1.0
info: { title: 'River gauges *and* rain', version: 2.1.0, license: { name: Apache 2.0, identifier: Apache-2.0 } }
servers: [{ url: https://gauges.example/v2 }]
security: [{ token: [] }]
paths:
  /gauges/{gauge}/level:
    get:
      operationId: getLevel
      security: []
      parameters:
        - { name: gauge, in: path, required: true, schema: { type: string }, example: "o'hara-7" }
        - { name: unit, in: query, required: true, schema: { type: string, enum: [cm, in] } }
      responses:
        '200':
          description: The last level.
          content:
            application/json:
              schema: { $ref: '#/components/schemas/Level' }
              examples: { low: { value: { level: 112.5, unit: cm, 'read-at': '2026-01-02T03:04:05Z' } } }
        '404':
          description: There is no such gauge.
          content:
            application/json:
              schema: { type: object, properties: { missing: { type: string } } }
              examples: { missing: { value: { missing: nowhere } } }
  /gauges:
    post:
      operationId: addGauge
      requestBody:
        required: true
        content:
          application/json:
            schema: { type: object, required: [river], properties: { river: { type: string } } }
            examples: { seine: { value: { river: 'Seine \`upper\` \${x}' } } }
      responses:
        '201':
          description: It is there.
          content:
            application/json:
              schema: { type: object, required: [gauge], properties: { gauge: { type: string } } }
              examples: { seine: { value: { gauge: seine-1 } } }
components:
  securitySchemes: { token: { type: http, scheme: bearer } }
  schemas:
    Level:
      type: object
      required: [level, unit]
      properties:
        level: { type: number }
        unit: { type: string, enum: [cm, in] }
        read-at: { type: string }
`,
  openrpc: `openrpc: 1.3.2
info: { title: Gauges, version: 2.0.0 }
servers: [{ url: https://gauges.example/rpc }]
methods:
  - name: gauge.remove
    paramStructure: by-name
    params: [{ name: gauge, required: true, schema: { type: string } }]
    result: { name: removed, schema: { type: boolean } }
    examples: [{ name: one, params: [{ name: gauge, value: seine-1 }], result: { name: removed, value: true } }]
  - name: gauge.find
    x-idempotent: true
    paramStructure: by-name
    params:
      - { name: river-name, required: true, schema: { type: string } }
      - { name: most, schema: { type: integer } }
    result: { name: gauges, schema: { type: array, items: { type: string } } }
    errors: [{ code: 7, message: no such river }]
    examples:
      - name: seine
        params: [{ name: river-name, value: Seine }, { name: most, value: 2 }]
        result: { name: gauges, value: [seine-1, seine-2] }
      - name: none
        params: [{ name: river-name, value: Styx }]
        x-error: { code: 7, message: no such river, data: { river: Styx } }
  - name: rpc_version
    x-idempotent: true
    params: []
    result: { name: version, schema: { type: string } }
    examples: [{ name: now, params: [], result: { name: version, value: "2.0 'beta'" } }]
`,
} as const
