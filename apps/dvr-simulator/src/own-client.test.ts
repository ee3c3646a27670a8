import { readAccessUnits } from '@vigia/video/testing/access-units'
import { afterEach, describe, expect, it } from 'vitest'
import type { Simulator, SimulatorOptions } from './simulator.ts'
import { footageFile } from './test/clips.ts'
import { startSimulator } from './test/own-client.ts'

const credentials = { usuario: 'admin', senha: 'p@ss:/#%& =ç' }
const userinfo = `admin:${encodeURIComponent(credentials.senha)}@`
const running: Simulator[] = []
afterEach(async () => {
  for (const simulator of running.splice(0)) await simulator.stop()
})

async function start(options: Partial<SimulatorOptions> = {}) {
  const started = await startSimulator(options)
  running.push(started.simulator)
  return started.watch
}

describe('the own client', () => {
  it.each([
    [1, 'campus-b-sub.mp4', 'h264'],
    [2, 'campus-c-h265.mp4', 'h265'],
  ] as const)('receives channel %i byte for byte', async (canal, file, codec) => {
    const video = await readAccessUnits(footageFile(file))
    const watch = await start()
    const { end, units, parameters } = await watch({ canal, count: 12 })
    expect(end).toBe('aborted')
    expect(parameters).toEqual([{ codec, parameterSets: video.parameterSets }])
    expect(units.map(({ keyframe }) => keyframe)).toEqual(units.map((_, index) => index === 0))
    expect(units.map(({ ticks }) => ticks)).toEqual(units.map((_, index) => index * 9000))
    expect(units.some(({ discontinuity }) => discontinuity)).toBe(false)
    const [first, ...others] = units
    expect(first?.nals.slice(0, video.parameterSets.length)).toEqual(video.parameterSets)
    const begin = video.units.findIndex(({ nals }) => nals.at(-1)?.equals(first?.nals.at(-1) ?? Buffer.alloc(0)))
    for (const [index, unit] of others.entries())
      expect(Buffer.concat(unit.nals).equals(Buffer.concat(video.units[begin + 1 + index]?.nals ?? []))).toBe(true)
  })

  it.each([
    ['md5', { 1: 'nonce_vencido' }],
    ['sha256', { 1: 'nonce_vencido' }],
    ['basic', {}],
  ] as const)('signs with %s, also after the nonce has expired: %j', async (autenticacao, defeitos) => {
    const watch = await start({ ...credentials, autenticacao, defeitos })
    expect((await watch({ userinfo, count: 2 })).end).toBe('aborted')
  })

  it('begins in the middle of a long group, and waits for its next keyframe', async () => {
    const watch = await start({ defeitos: { 1: { defeito: 'grupo_longo', quadros: 20 } } })
    let skipped = 0
    const { end, units } = await watch({ count: 22, onSkipped: () => void skipped++ })
    expect(end).toBe('aborted')
    expect(skipped).toBeGreaterThan(5)
    expect(units.map(({ keyframe }) => keyframe)).toEqual(units.map((_, index) => index % 20 === 0))
    expect(units[0]?.skippedTicks).toBe(skipped * 9000)
  })

  it('sends a wrong password only once', async () => {
    const watch = await start(credentials)
    expect((await watch({ userinfo: 'admin:outra@', count: 1 })).end).toMatchObject({ failure: 'senha_recusada' })
    expect(running[0]?.contagem?.logins_recusados).toBe(1)
    expect((await watch({ count: 1 })).end).toMatchObject({ failure: 'senha_recusada' })
    expect(running[0]?.contagem?.logins_recusados).toBe(1)
  })
})
