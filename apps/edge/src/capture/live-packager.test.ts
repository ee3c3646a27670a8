import { fileURLToPath } from 'node:url'
import type { RegistroTransmissao } from '@vigia/contracts/transmissao'
import type { RingGop } from '@vigia/video/readers/ring'
import { readAccessUnits } from '@vigia/video/testing/access-units'
import { expect, it } from 'vitest'
import { createLivePackager } from './live-packager.ts'

const footage = fileURLToPath(new URL('../../../dvr-simulator/footage/campus-a-sub.mp4', import.meta.url))
const STEP_MS = 100
const GROUP_MS = 120_000
const JOINED_MS = 87_000

/** A packager at a clock, and its records. */
function open() {
  const records: RegistroTransmissao[] = []
  let at = 1_800_000_000_000
  const packager = createLivePackager({
    partMs: 250,
    audio: false,
    figures: () => ({ fps: 10, gopMs: null }),
    onRecord: (registro) => records.push(registro),
    now: () => at,
    monotonic: () => at,
  })
  const parts = () => records.flatMap((one) => (one.tipo === 'parte' ? [one] : []))
  const pass = (ms: number) => {
    at += ms
  }
  return { packager, records, parts, pass, now: () => at }
}

/** The pictures of a group from `fromMs` to `toMs` of its 120 s. */
async function groupOf(fromMs: number, toMs: number): Promise<RingGop> {
  const { codec, parameterSets, units } = await readAccessUnits(footage)
  const key = units.find((unit) => unit.key)
  const other = units.find((unit) => !unit.key)
  const packets: { readonly keyframe: boolean; readonly timeMs: number; readonly data: Buffer }[] = []
  for (let timeMs = fromMs; timeMs < toMs; timeMs += STEP_MS) {
    const keyframe = timeMs === 0
    packets.push({ keyframe, timeMs, data: Buffer.concat((keyframe ? key : other)?.nals ?? []) })
  }
  const split = (data: Buffer) => [data.subarray(0)]
  const nalsOf = (data: Buffer) => (data.length === packets[0]?.data.length && key ? key.nals : split(data))
  return { parameters: { codec, parameterSets, split: nalsOf }, discontinuity: true, packets, audio: [] }
}

it('begins in the middle of a group of 120 s with its pictures of the past, at their times', async () => {
  const { packager, records, parts, pass, now } = open()
  const past = await groupOf(0, JOINED_MS)
  packager.replay(past)
  const [first] = parts()
  expect(records[0]?.tipo).toBe('inicio')
  expect(first).toMatchObject({ chave: true, indice: 0, instante: now() - JOINED_MS + STEP_MS })
  for (const { timeMs, data } of (await groupOf(JOINED_MS, GROUP_MS)).packets) {
    pass(STEP_MS)
    packager.packet({ keyframe: false, timeMs, parameters: past.parameters, data: () => data })
  }
  void packager.closed?.()
  expect(parts().filter(({ chave }) => chave)).toHaveLength(1)
  expect(parts().map(({ indice }) => indice)).toEqual(parts().map((_, i) => i))
  expect(parts().reduce((sum, { duracao }) => sum + duracao, 0)).toBe(GROUP_MS * 90)
  expect(records.filter(({ tipo }) => tipo === 'lacuna')).toHaveLength(1)
})

it('says every 5 s that pictures arrive without a keyframe', () => {
  const { packager, records, pass } = open()
  for (let second = 0; second < 87; second++) {
    packager.skipped?.()
    pass(1_000)
  }
  expect(records).toEqual(Array.from({ length: 17 }, () => ({ tipo: 'lacuna' })))
})
