import { expect, it } from 'vitest'
import { createMachineWarnings } from './machine-warnings.ts'

it('reports an object store that keeps deleted files', () => {
  const disk = { warning: () => null }
  const parts = { disk, link: { connected: true }, monotonic: () => 0 }
  expect(createMachineWarnings({ ...parts, keepsVersions: true }).list()).toEqual(['imagens_com_versoes'])
  expect(createMachineWarnings({ ...parts, keepsVersions: false }).list()).toEqual([])
})

it('reports the link as down after 10 s, until it is up again', () => {
  let now = 0
  const link = { connected: false }
  const disk = { warning: () => 'disco_baixo' as const }
  const warnings = createMachineWarnings({ disk, link, monotonic: () => now })
  now = 9_999
  expect(warnings.list()).toEqual(['disco_baixo'])
  now = 10_000
  expect(warnings.list()).toEqual(['disco_baixo', 'enlace_fora'])
  link.connected = true
  expect(warnings.list()).toEqual(['disco_baixo'])
  link.connected = false
  now = 19_999
  expect(warnings.list()).toEqual(['disco_baixo'])
  now = 20_000
  expect(warnings.list()).toEqual(['disco_baixo', 'enlace_fora'])
})
