import { expect, it } from 'vitest'
import { centralAddress } from './central-address.ts'

it.each([
  ['https://vigia.exemplo.com.br', null, 'https://vigia.exemplo.com.br', null],
  ['http://127.0.0.1:8080', 'https://vigia.exemplo.com.br/mcp', 'https://vigia.exemplo.com.br', null],
  ['https://painel.exemplo.com.br', 'https://vigia.exemplo.com.br/mcp', 'https://painel.exemplo.com.br', null],
  ['http://192.168.0.5:8080', 'http://127.0.0.1:8080/mcp', 'http://192.168.0.5:8080', 'semHttps'],
  ['http://localhost:8080', 'http://localhost:8080/mcp', 'http://localhost:8080', 'loopback'],
  ['http://[::1]:8080', null, 'http://[::1]:8080', 'loopback'],
  ['https://127.0.0.1', 'lixo', 'https://127.0.0.1', 'loopback'],
] as const)('for a page at %s and the announced %s is %s (%s)', (page, announced, address, problem) => {
  expect(centralAddress(page, announced)).toEqual({ address, problem })
  expect(centralAddress(page, announced, '/vigia')).toEqual({ address: `${address}/vigia`, problem })
})
