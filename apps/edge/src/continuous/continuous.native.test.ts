import { fork } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { serialize } from 'node:v8'
import type { RegistroTransmissao } from '@vigia/contracts/transmissao'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { waitFor } from '@vigia/testing/wait'
import { readMedia } from '@vigia/video/mp4/read-media'
import { readAccessUnits } from '@vigia/video/testing/access-units'
import pino from 'pino'
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { fetchHeld } from '../recordings/fetch-held.ts'
import type { StreamTarget } from '../supervisor/stream-orders.ts'
import { packagedFootage } from '../testing/packaged-footage.ts'
import type { Correction } from '../time/record-times.ts'
import { createContinuous } from './continuous.ts'
import type { ContinuousOptions, RecordedCamera } from './continuous-options.ts'
import { blockKind } from './disk-kind.ts'
import { createMinuteFiles, type MinuteFile } from './minute-files.ts'

const KILLS = 20
const CAMERAS = [1, 2, 3, 4]
const START = Date.UTC(2026, 0, 1, 12)
const footage = (name: string) => fileURLToPath(new URL(`../../../dvr-simulator/footage/${name}`, import.meta.url))
const log = pino({ level: 'silent' })

let dir = ''
let continuous: ReturnType<typeof createContinuous> | null = null
let records: readonly RegistroTransmissao[] = []
let spanMs = 0
beforeAll(async () => {
  records = await packagedFootage(footage('campus-b-sub.mp4'), 0)
  spanMs = records.reduce((sum, one) => sum + (one.tipo === 'parte' ? one.duracao : 0), 0) / 90
})
beforeEach(() => {
  dir = temporaryFolder('vigia-continua-')
})
afterEach(async () => {
  await continuous?.stop()
  continuous = null
  rmSync(dir, { recursive: true, force: true })
})

const from = (startMs: number) =>
  records.map((one) => (one.tipo === 'parte' ? { ...one, instante: one.instante + startMs } : one))
const camera = (id: number, change: Partial<RecordedCamera> = {}): RecordedCamera => ({
  id,
  isMasked: false,
  fontes: { rtsp_url: 'rtsp://a/1', sub_rtsp_url: 'rtsp://a/2' },
  ...change,
})

/** `streams`: who reads the stream of a camera now. */
async function start(options: Partial<ContinuousOptions> = {}) {
  const streams = new Map<number, StreamTarget>()
  const started = createContinuous({
    folder: join(dir, 'continua'),
    owner: 'a',
    log,
    reserveBytes: 0,
    freeBytes: () => null,
    kind: 'ssd',
    stream({ cameraId }, target) {
      streams.set(cameraId, target)
      return () => streams.delete(cameraId)
    },
    ...options,
  })
  continuous = started
  await started.start()
  const play = (id: number, startMs: number) => {
    for (const registro of from(startMs)) streams.get(id)?.onRecord(registro)
  }
  return { started, streams, play }
}

it('keeps every written part, however often the process is killed', async () => {
  const script = fileURLToPath(new URL('../testing/recording-process.ts', import.meta.url))
  const recorded = join(dir, 'records')
  writeFileSync(recorded, serialize(records))
  const folder = join(dir, 'continua')
  /** Records a camera until the process has written `parts`, and kills it. Returns the parts that it reported. */
  const killed = async (camera: number, parts: number) => {
    const child = fork(script, [folder, recorded, String(camera), String(START + parts * 86_400_000)])
    let own = 0
    child.on('message', (count: number) => {
      own = count
    })
    await waitFor('some parts', () => own >= parts, { everyMs: 1 })
    child.kill('SIGKILL')
    await once(child, 'exit')
    return own
  }
  const lane = async (camera: number) => {
    let written = 0
    for (let kill = 1; kill <= KILLS / CAMERAS.length; kill++) written += await killed(camera, kill * 3)
    return written
  }
  const written = await Promise.all(CAMERAS.map(lane))
  // As after a power cut in the middle of a write.
  const left = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.parte'))
  for (const name of left) appendFileSync(join(folder, name), Buffer.from([0, 0, 4, 0, 109, 111, 111, 102]))
  expect(left.length).toBeGreaterThan(CAMERAS.length)
  const files = createMinuteFiles(folder)
  await files.restore()
  for (const [i, camera] of CAMERAS.entries()) {
    let parts = 0
    for (const file of files.list(camera)) {
      const data = await files.read(file)
      const media = data && readMedia(data)
      if (!media) throw new Error(`unreadable: ${file.startMs}`)
      parts += media.parts.length
      // Nothing torn remains, and the name has the length.
      expect(data.length).toBe(media.completeBytes)
      expect(file.bytes).toBe(data.length)
      const ticks = media.parts.reduce((sum, { durationTicks }) => sum + durationTicks, 0)
      expect(file.durationMs).toBeCloseTo(ticks / 90, -1)
    }
    expect(parts).toBeGreaterThanOrEqual(written[i] ?? Number.NaN)
  }
})

it('gives back a part across files, unchanged, up to a gap', async () => {
  const { started, play } = await start()
  started.apply([camera(7)], 1e9)
  play(7, START)
  play(7, START + spanMs)
  play(7, START + 2 * spanMs + 60_000)
  await waitFor('three files', () => started.files.list(7).length === 3)
  await started.stop()
  const path = join(dir, 'part.mp4')
  const fetch = (fromMs: number, toMs: number) =>
    fetchHeld({
      cameraId: 7,
      files: started.files,
      path,
      span: { fromMs, toMs },
      signal: new AbortController().signal,
      onProgress: () => true,
    })
  const whole = await fetch(START, START + 2 * spanMs)
  expect(whole).toMatchObject({
    ok: true,
    file: { complete: true, startedAt: START, durationMs: expect.closeTo(2 * spanMs, -2) },
  })
  const [original, taken] = [await readAccessUnits(footage('campus-b-sub.mp4')), await readAccessUnits(path)]
  expect(taken.units.length).toBe(2 * original.units.length)
  expect(taken.units.map(({ pts }) => pts)).toEqual(taken.units.map(({ pts }) => pts).toSorted((a, b) => a - b))
  expect(await fetch(START + spanMs, START + 3 * spanMs + 60_000)).toMatchObject({
    ok: true,
    file: { complete: false },
  })
  expect(await fetch(START - 5_000, START - 1_000)).toEqual({ ok: false, falha: 'sem_gravacao' })
})

it('deletes the oldest files of the camera that uses the most, and stops on a full disk', async () => {
  let free = 1e9
  const { started, play } = await start({ freeBytes: () => free, reserveBytes: 1e6, retryMs: 20 })
  started.apply([camera(7), camera(8)], 1e9)
  for (let hour = 0; hour < 4; hour++) play(7, START + hour * 3_600_000)
  play(8, START)
  await waitFor('the files', () => started.files.list(7).length === 4 && started.files.list(8).length === 1)
  const bytes = started.files.list(8)[0]?.bytes ?? 0
  started.apply([camera(7), camera(8)], 3.5 * bytes)
  await waitFor('the budget', () => started.files.list(7).length === 2)
  expect(started.files.list(7)[0]?.startMs).toBe(START + 2 * 3_600_000)
  expect(started.files.list(8).length).toBe(1)
  expect(started.report(8)).toMatchObject({ de: START, ate: START + Math.round(spanMs) })
  free = 0
  play(8, START + 3_600_000)
  await waitFor('the mark', () => started.report(8)?.motivo === 'disco_cheio')
  free = 1e9
  await waitFor('the next try', () => {
    play(8, START + 7_200_000)
    return started.files.list(8).length > 0
  })
  expect(started.report(8)?.motivo).toBe('sem_video')
})

it('deletes the recordings of another edge or installation, and keeps its own', async () => {
  const record = async (owner: string) => {
    const { started, play } = await start({ owner })
    const found = started.files.list(7).length
    started.apply([camera(7)], 1e9)
    play(7, START + found * 86_400_000)
    await waitFor('the file', () => started.files.list(7).length > found)
    await started.stop()
    return found
  }
  expect([await record('a'), await record('a'), await record('b')]).toEqual([0, 1, 0])
})

it('records neither masked cameras nor on cards, and deletes what nobody wants', async () => {
  const { started, streams, play } = await start()
  started.apply([camera(7), camera(8)], 1e9)
  play(7, START)
  play(8, START)
  await waitFor('the files', () => started.files.list(7).length === 1 && started.files.list(8).length === 1)
  started.apply(
    [camera(7, { isMasked: true }), camera(9, { fontes: { rtsp_url: 'rtsp://a/1', sub_rtsp_url: null } })],
    1e9,
  )
  await waitFor(
    'the deletion',
    () => !existsSync(join(dir, 'continua', '7')) && !existsSync(join(dir, 'continua', '8')),
  )
  expect([7, 8, 9].map((id) => started.report(id)?.motivo)).toEqual(['mascara', undefined, 'sem_subfluxo'])
  expect([...streams.keys()]).toEqual([])
  await started.stop()
  const onCard = await start({ kind: 'cartao' })
  onCard.started.apply([camera(7)], 1e9)
  expect(onCard.started.report(7)?.motivo).toBe('disco_cartao')
  expect([...onCard.streams.keys()]).toEqual([])
})

it('deletes the erased parts, also of the file that grows', async () => {
  const { started, streams, play } = await start()
  started.apply([camera(7)], 1e9)
  for (let hour = 0; hour < 3; hour++) play(7, START + hour * 3_600_000)
  await waitFor('the files', () => started.files.list(7).length === 3)
  const whole = from(START + 3 * 3_600_000).slice(0, -1)
  for (const registro of whole) streams.get(7)?.onRecord(registro)
  await waitFor('the growing file', () => (started.files.list(7)[3]?.durationMs ?? 0) > spanMs - 2_000)
  const hours = (de: number, ate: number) => ({ de: START + de * 3_600_000, ate: START + ate * 3_600_000 })
  started.apply([camera(7, { erased: [hours(0.9, 1.1), hours(2.5, 3.001)] })], 1e9)
  await waitFor('the deletion', () => started.files.list(7).length === 2)
  expect(started.files.list(7).map(({ startMs }) => startMs)).toEqual([START, START + 2 * 3_600_000])
  expect([...streams.keys()]).toEqual([7])
})

it('distinguishes the kinds of disks', () => {
  const device = (path: string, rotational: 0 | 1, removable: 0 | 1) => {
    mkdirSync(join(dir, path, 'queue'), { recursive: true })
    mkdirSync(join(dir, path, 'slaves'))
    writeFileSync(join(dir, path, 'queue/rotational'), `${rotational}\n`)
    writeFileSync(join(dir, path, 'removable'), `${removable}\n`)
  }
  device('pci/nvme0n1', 0, 0)
  device('pci/ata1/sda', 1, 0)
  device('pci/usb1/sdb', 0, 0)
  device('pci/usb1/sdc', 0, 1)
  device('mmc/mmcblk0', 0, 0)
  for (const path of ['mmc/mmcblk0/mmcblk0p2', 'pci/nvme0n1/nvme0n1p1']) {
    mkdirSync(join(dir, path))
    writeFileSync(join(dir, path, 'partition'), '1\n')
  }
  const kinds = [
    'pci/nvme0n1/nvme0n1p1',
    'pci/ata1/sda',
    'pci/usb1/sdb',
    'pci/usb1/sdc',
    'mmc/mmcblk0/mmcblk0p2',
    'none',
  ]
  expect(kinds.map((path) => blockKind(join(dir, path)))).toEqual([
    'ssd',
    'hdd',
    'usb',
    'cartao',
    'cartao',
    'desconhecido',
  ])
})

it('gives recordings of an unknown time their right times once it is known, also after a restart', async () => {
  const behind = 3 * 86_400_000
  const stamp = { boot: 'b79e1522-1cdb', ahead: START - behind }
  let shift: number | null = null
  const times = {
    place: (at: number) => (shift === null ? { at, stamp } : { at: at + shift, stamp: null }),
    correction: () => (shift === null ? null : { shiftMs: shift, uncertainMs: null }),
  }
  const { started, play } = await start({ times })
  started.apply([camera(1)], 1e9)
  play(1, START - behind)
  await continuous?.stop()
  const { started: again, play: playAgain } = await start({ times })
  again.apply([camera(1)], 1e9)
  const before = [...again.files.list(1)]
  expect(before.length).toBeGreaterThan(0)
  expect(before.every(({ startMs }) => startMs < START)).toBe(true)
  playAgain(1, START - behind + spanMs)
  await waitFor('a growing file', () => again.files.list(1).length > before.length)
  shift = behind
  again.correct()
  await waitFor('the right times', () => again.files.list(1).filter(({ startMs }) => startMs < START).length <= 1)
  await continuous?.stop()
  const right = createMinuteFiles(join(dir, 'continua'))
  await right.restore()
  const held = right.list(1)
  expect(held.length).toBeGreaterThan(before.length)
  for (const file of held) {
    expect(file.startMs).toBeGreaterThanOrEqual(START)
    expect(await right.read(file)).not.toBeNull()
  }
  expect(readdirSync(join(dir, 'continua', '1')).every((hour) => hour >= '2026-01-01T12')).toBe(true)
})

it('takes recordings of an unknown time for the newest when the disk is short', async () => {
  const stamp = { boot: 'a', ahead: 0 }
  let isKnown = true
  const times = { place: (at: number) => ({ at, stamp: isKnown ? null : stamp }), correction: () => null }
  const files = createMinuteFiles(join(dir, 'continua'), times)
  const write = async (startMs: number) => {
    const file = await files.create(1, startMs, Buffer.from('init'))
    await file.append(Buffer.from('part'), 1_000)
    await file.finish()
  }
  await write(START)
  isKnown = false
  await write(START - 86_400_000)
  expect(await files.removeOldest(1)).toBe(true)
  expect(files.list(1).map(({ startMs }) => startMs)).toEqual([START - 86_400_000])
})

it('marks recordings of a start that never knew the time, also after a restart', async () => {
  const stamp = { boot: 'a', ahead: 0 }
  let correction: Correction | null = null
  const times = { place: (at: number) => ({ at, stamp }), correction: () => correction }
  const folder = join(dir, 'continua')
  const files = createMinuteFiles(folder, times)
  const file = await files.create(1, START, Buffer.from('init'))
  await file.append(Buffer.from('part'), 1_000)
  await file.finish()
  correction = { shiftMs: 86_400_000, uncertainMs: 3_600_000 }
  await files.correct()
  const [marked] = files.list(1)
  expect(marked).toMatchObject({ startMs: START + 86_400_000, uncertainMs: 3_600_000 })
  const again = createMinuteFiles(folder)
  await again.restore()
  expect(again.list(1)).toEqual([marked])
  expect(await again.read(again.list(1)[0] as MinuteFile)).not.toBeNull()
})
