import { describe, expect, it } from 'vitest'
import { type Evidence, recogniseMaker } from './recognise-maker.ts'

const nothing: Evidence = { name: '', hardware: '', rtspServer: '', realm: '', httpServer: '', title: '', portas: [] }
const maker = (evidence: Partial<Evidence>) => recogniseMaker({ ...nothing, ...evidence }).fabricante

describe('the maker', () => {
  it.each([
    [{ name: 'Intelbras', hardware: 'iMHDX 3116' }, 'intelbras'],
    [{ realm: 'Login to MHDX-1108' }, 'intelbras'],
    [{ name: 'Dahua', hardware: 'DH-XVR5108' }, 'dahua'],
    [{ name: 'HIKVISION DS-7208', hardware: 'DS-7208HGHI-K1' }, 'hikvision'],
    [{ httpServer: 'DNVRS-Webs' }, 'hikvision'],
    [{ httpServer: 'uc-httpd 1.0.0' }, 'giga'],
    [{ title: 'Reolink' }, 'reolink'],
    [{ name: 'TP-Link', hardware: 'VIGI C340' }, 'tplink'],
    [{ hardware: 'UNV NVR301' }, 'uniview'],
    [{ name: 'JFL' }, 'jfl'],
    [{ portas: [80, 37777] }, 'intelbras'],
    [{ portas: [34567] }, 'giga'],
    [{ portas: [80, 554, 8000] }, null],
    [{ title: 'Roteador' }, null],
  ] as const)('of %o is %s', (evidence, expected) => {
    expect(maker(evidence)).toBe(expected)
  })

  it('follows the brand rather than the port of its firmware', () => {
    expect(maker({ name: 'Giga', portas: [37777] })).toBe('giga')
    expect(maker({ name: 'Dahua', portas: [34567] })).toBe('dahua')
  })
})

it('shows the model that the device names, without invisible characters', () => {
  expect(recogniseMaker({ ...nothing, hardware: 'MHDX 1108' }).modelo).toBe('MHDX 1108')
  expect(recogniseMaker({ ...nothing, name: 'NVR do pátio' }).modelo).toBe('NVR do pátio')
  expect(recogniseMaker({ ...nothing, hardware: 'a\u202eb', title: '\u0000' }).modelo).toBeNull()
  expect(recogniseMaker({ ...nothing, hardware: 'x'.repeat(9_000) }).modelo).toBe('x'.repeat(64))
})
