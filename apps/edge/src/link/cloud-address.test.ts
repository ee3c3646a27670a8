import { expect, it } from 'vitest'
import { belowCloud } from './cloud-address.ts'

it.each([
  ['https://host', 'https://host/api/v1/edges/transmissoes/1/principal?epoca=2'],
  ['https://host:8443/', 'https://host:8443/api/v1/edges/transmissoes/1/principal?epoca=2'],
  ['https://host/vigia', 'https://host/vigia/api/v1/edges/transmissoes/1/principal?epoca=2'],
  ['http://127.0.0.1:8080/a/b/', 'http://127.0.0.1:8080/a/b/api/v1/edges/transmissoes/1/principal?epoca=2'],
])('is below %s', (cloudUrl, address) => {
  expect(belowCloud('/api/v1/edges/transmissoes/1/principal?epoca=2', cloudUrl).href).toBe(address)
})
