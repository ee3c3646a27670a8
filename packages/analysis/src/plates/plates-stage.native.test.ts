import { createHash } from 'node:crypto'
import type { Box } from '@vigia/ias/geometry'
import { openStill } from '@vigia/video/testing/still'
import type { Track } from '@vigia/vision/track-state'
import sharp from 'sharp'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { drawPlate } from '../testing/draw-plate.ts'
import type { PlateReader, SeenPassage } from './passage-model.ts'
import { createPlateReader } from './plate-reader.ts'
import { createPlatesStage, type PlatesStage } from './plates-stage.ts'

const STEP_MS = 200
const BEGUN = Date.UTC(2026, 10, 9, 15)
const reader = createPlateReader((error) => {
  throw error
})
const known = new Map<string, ReturnType<PlateReader>>()
/** Many tests show the same pictures, and reading takes nearly all the time. */
const read: PlateReader = ({ width, height, data }, side) => {
  const key = `${width}x${height} ${side} ${createHash('sha256').update(data).digest('hex')}`
  const found = known.get(key) ?? reader({ width, height, data }, side)
  known.set(key, found)
  return found
}

let drawn: { readonly placa: string; readonly jpeg: Buffer }
let other: { readonly placa: string; readonly jpeg: Buffer }
let blank: Buffer
beforeAll(async () => {
  drawn = await drawPlate('mercosul', 10_001)
  other = await drawPlate('antiga', 10_003)
  blank = await sharp({ create: { width: 640, height: 480, channels: 3, background: '#667' } })
    .jpeg()
    .toBuffer()
})

let stage: PlatesStage
let seen: (SeenPassage & { readonly atMs: number })[]
let now = 0
const begin = (linha: number[][] = [], reader: PlateReader = read) => {
  const settings = { analises: [], zonas: [], linha, fusoHorario: 'UTC', modoB: { regiao: [], confPlaca: 0.8 } }
  stage = createPlatesStage({
    cameraId: 7,
    settings,
    read: reader,
    onPassage: (passage) => seen.push({ ...passage, atMs: now }),
    trilhaOf: (id) => `t-${id}`,
  })
}
beforeEach(() => {
  seen = []
  now = 0
  begin()
})

const track = (id: number, box: Box, stillMs = 0): Track => ({
  id,
  rotulo: 'car',
  confianca: 0.9,
  box,
  hits: 5,
  firstSeenMs: 0,
  lastSeenMs: now,
  misses: 0,
  predicted: false,
  stillMs,
  thing: false,
  trail: [],
})

async function frame(jpeg: Buffer, tracks: readonly Track[], moved = 0.3) {
  const still = await openStill(jpeg)
  if (!still) throw new Error('no picture')
  await stage.take(still.frame, tracks, { streamMs: now, epochMs: BEGUN + now }, moved)
  await still.release()
  now += STEP_MS
}

/** A car that comes nearer for `frames` frames; its box is the whole picture in the last one. */
async function approach(id: number, jpeg: Buffer, frames = 8) {
  for (let at = 1; at <= frames; at++) {
    const w = 0.5 + (0.5 * at) / frames
    await frame(jpeg, [track(id, { x: (1 - w) / 2, y: (1 - w) / 2, w, h: w })])
  }
}

/** The picture on the ground of `blank`, at `left` pixels. The borders of the frame cut it off. */
async function shifted(jpeg: Buffer, left: number) {
  const from = Math.max(0, -left)
  const width = Math.min(480 - from, 640 - Math.max(0, left))
  const car = await sharp(jpeg).resize(480, 360).extract({ left: from, top: 0, width, height: 360 }).toBuffer()
  return await sharp(blank)
    .composite([{ input: car, left: Math.max(0, left), top: 60 }])
    .jpeg()
    .toBuffer()
}

const ids = () => [...new Set(seen.map(({ passagem }) => passagem))]

it('reports a car once, within a second of the first readable frame, and again when it leaves', async () => {
  await approach(1, drawn.jpeg)
  const [first] = seen
  expect(first).toMatchObject({ camera_id: 7, revisao: 1, fim: null, veiculo: 'car', trilha: 't-1' })
  expect(first?.placa).toMatchObject({ placa: drawn.placa, pais: 'BR', forma: 'mercosul' })
  expect(first?.atMs).toBeLessThanOrEqual(1_000)
  expect(first?.media.map(({ papel }) => papel)).toEqual(['veiculo', 'placa'])
  const leftAt = now - STEP_MS
  await frame(blank, [])
  expect(ids()).toHaveLength(1)
  expect(seen.at(-1)).toMatchObject({ revisao: seen.length, fim: BEGUN + leftAt, placa: { placa: drawn.placa } })
})

it('separates two undetected cars that follow each other without a gap', async () => {
  for (const car of [drawn, other])
    for (let left = 20; left <= 140; left += 24) await frame(await shifted(car.jpeg, left), [])
  stage.finish()
  const last = new Map(seen.map(({ passagem, placa }) => [passagem, placa?.placa]))
  expect([...last.values()]).toEqual([drawn.placa, other.placa])
})

it('separates two cars that the tracker takes for one', async () => {
  for (const car of [drawn, other])
    for (let left = 0; left <= 160; left += 20)
      await frame(await shifted(car.jpeg, left), [track(1, { x: left / 640, y: 0.12, w: 0.75, h: 0.75 })])
  stage.finish()
  const last = new Map(seen.map(({ passagem, placa }) => [passagem, placa?.placa]))
  expect([...last.values()]).toEqual([drawn.placa, other.placa])
})

it('keeps one passage of a car that waits', async () => {
  await approach(1, drawn.jpeg)
  const reported = seen.length
  for (let at = 0; at < 30; at++) await frame(drawn.jpeg, [track(1, { x: 0, y: 0, w: 1, h: 1 }, 2_000 + at * STEP_MS)])
  expect(seen).toHaveLength(reported)
  expect(ids()).toHaveLength(1)
})

it('continues the passage of a car that the tracker lost, and begins another when it comes back later', async () => {
  await approach(1, drawn.jpeg)
  await frame(blank, [])
  now += 20_000
  await approach(2, drawn.jpeg)
  await frame(blank, [])
  expect(ids()).toHaveLength(1)
  now += 61_000
  await approach(3, drawn.jpeg)
  expect(ids()).toHaveLength(2)
})

it('begins another passage when the car crossed the line before it came back', async () => {
  begin([
    [0, 0.75],
    [1, 0.75],
  ])
  for (let at = 0; at <= 30; at++) {
    const box = { x: 0.05 + at * 0.01, y: 0.05 + at * 0.008, w: 0.9 - at * 0.02, h: 0.9 - at * 0.02 }
    await frame(drawn.jpeg, [track(1, box)])
  }
  await frame(blank, [])
  expect(seen.at(-1)?.direcao).toBe('ba')
  now += 20_000
  await approach(2, drawn.jpeg)
  expect(ids()).toHaveLength(2)
})

it('knows the direction of a car that is detected in one frame only', async () => {
  begin([
    [0.5, 0],
    [0.5, 1],
  ])
  for (let left = -140; left <= 300; left += 40) {
    const box = { x: left / 640, y: 0.12, w: 0.75, h: 0.75 }
    await frame(await shifted(drawn.jpeg, left), left === 100 ? [track(1, box)] : [])
  }
  stage.finish()
  expect(ids()).toHaveLength(1)
  expect(seen.at(-1)).toMatchObject({ veiculo: 'car', direcao: 'ba' })
})

it('joins two tracks of one car', async () => {
  for (let at = 1; at <= 8; at++) {
    const w = 0.6 + 0.05 * at
    const box = { x: 0, y: 0, w, h: w }
    await frame(drawn.jpeg, [
      track(1, { x: 0, y: 0, w: 1, h: 1 - at * 0.03 }),
      track(2, at % 2 ? box : { ...box, w: 1 }),
    ])
  }
  await frame(blank, [])
  expect(ids()).toHaveLength(1)
})

it('reports one passage of two tracks with the same unsure readings, without a plate', async () => {
  const variant = `${drawn.placa.slice(0, -1)}${(Number(drawn.placa.at(-1)) + 5) % 10}`
  const chance = 0.5
  begin([], async (picture, side) =>
    (await read(picture, side)).map((found) => ({
      ...found,
      chance,
      candidates: [{ placa: variant, syntax: found.syntax, chance }],
    })),
  )
  for (const id of [1, 2]) {
    await approach(id, drawn.jpeg, 4)
    await frame(blank, [])
    now += 2_000
    await frame(blank, [])
  }
  stage.finish()
  expect(seen).toHaveLength(1)
  expect(seen[0]).toMatchObject({
    trilha: 't-2',
    placa: null,
    candidatas: [{ placa: drawn.placa }, { placa: variant }],
  })
})

it('separates two cars', async () => {
  await approach(1, drawn.jpeg)
  await frame(blank, [])
  await approach(2, other.jpeg)
  await frame(blank, [])
  expect(new Set(seen.map(({ placa }) => placa?.placa))).toEqual(new Set([drawn.placa, other.placa]))
  expect(ids()).toHaveLength(2)
})

it('reports no parked car, and a car without a readable plate once, without a plate', async () => {
  for (let at = 0; at < 10; at++) await frame(drawn.jpeg, [track(1, { x: 0, y: 0, w: 1, h: 1 }, at * STEP_MS)])
  await frame(blank, [])
  expect(seen).toEqual([])
  await approach(2, blank)
  await frame(blank, [])
  expect(seen).toHaveLength(1)
  expect(seen[0]).toMatchObject({ placa: null, quadros: 0, caixa_placa: null, candidatas: [] })
  expect(seen[0]?.fim).not.toBeNull()
})

it('reports the colour of a car, and none of an infrared picture', async () => {
  const { jpeg } = await drawPlate('mercosul', 10_004)
  await approach(1, jpeg)
  await frame(blank, [])
  expect(seen.at(-1)?.cor).toBe('azul')
  begin()
  await approach(2, await sharp(jpeg).greyscale().toColourspace('srgb').jpeg().toBuffer())
  await frame(blank, [])
  expect(ids()).toHaveLength(2)
  expect(seen.at(-1)?.cor).toBeNull()
})

it('counts vehicles inside the region only', async () => {
  stage.configure({
    analises: [],
    zonas: [],
    linha: [],
    fusoHorario: 'UTC',
    modoB: { regiao: [[0, 0, 0.1, 0, 0.1, 0.1]], confPlaca: 0.8 },
  })
  await approach(1, drawn.jpeg)
  await frame(blank, [])
  expect(seen).toEqual([])
})

it('keeps one passage of a waiting car that no detector finds beside a parked one', async () => {
  const parked = track(9, { x: 0, y: 0, w: 0.3, h: 0.2 })
  for (let at = 0; at < 5; at++) await frame(await shifted(drawn.jpeg, 40 * at), [parked])
  const reported = seen.length
  expect(seen[0]).toMatchObject({ veiculo: null, placa: { placa: drawn.placa } })
  for (let at = 0; at < 5; at++) {
    await frame(await shifted(drawn.jpeg, 160), [parked], 0)
    now += 20_000
  }
  expect(seen).toHaveLength(reported)
  for (let at = 0; at < 10; at++) await frame(blank, [parked])
  expect(ids()).toHaveLength(1)
  expect(seen.at(-1)?.fim).not.toBeNull()
})

it('reads a large vehicle first where many small ones are in the background', async () => {
  for (let at = 0; at <= 5; at++) {
    const small = [2, 3, 4, 5, 6].map((id) => track(id, { x: 0.14 * id - 0.1 + 0.04 * at, y: 0, w: 0.13, h: 0.1 }))
    await frame(
      await shifted(drawn.jpeg, 32 * at),
      [track(1, { x: (32 * at) / 640, y: 0.12, w: 0.75, h: 0.75 }), ...small],
      0.02,
    )
  }
  expect(seen[0]).toMatchObject({ trilha: 't-1', placa: { placa: drawn.placa } })
  expect(seen.at(-1)?.quadros).toBeGreaterThanOrEqual(3)
  expect(seen[0]?.atMs).toBeLessThanOrEqual(1_000)
})

it('reads a plate below a box that the detector cut off', async () => {
  for (let at = 0; at <= 5; at++) {
    const left = 32 * at
    const box = { x: left / 640, y: 0.12, w: 0.75, h: 0.2 }
    await frame(await shifted(drawn.jpeg, left), [track(1, box)], 0.02)
  }
  expect(seen[0]).toMatchObject({ placa: { placa: drawn.placa } })
})

it('separates a second car whose plate is read with less than the threshold', async () => {
  const reads: PlateReader = async (picture, side) =>
    (await read(picture, side)).map((found) => (found.placa === drawn.placa ? found : { ...found, chance: 0.6 }))
  begin([], reads)
  for (const car of [drawn, other])
    for (let left = 0; left <= 160; left += 20)
      await frame(await shifted(car.jpeg, left), [track(1, { x: left / 640, y: 0.12, w: 0.75, h: 0.75 })])
  stage.finish()
  const last = new Map(seen.map(({ passagem, placa }) => [passagem, placa?.placa]))
  expect([...last.values()]).toContain(drawn.placa)
  expect(last.size).toBe(2)
})
