import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { VigiaError } from '@vigia/contracts/errors'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readAccessUnits } from './access-units.ts'

const FFMPEG = 'ffmpeg'
const hasFfmpeg = spawnSync(FFMPEG, ['-version']).status === 0
const footage = (name: string) =>
  fileURLToPath(new URL(`../../../../apps/dvr-simulator/footage/${name}`, import.meta.url))

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vigia-au-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('readAccessUnits', () => {
  it('reads H.264 from MP4', async () => {
    const video = await readAccessUnits(footage('campus-b-sub.mp4'))
    expect(video).toMatchObject({ codec: 'h264', width: 384, height: 288, timescale: 90_000, duration: 22 * 90_000 })
    expect(video.fps).toBeCloseTo(10)
    expect(video.units).toHaveLength(220)
    expect(video.parameterSets.map((set) => (set[0] ?? 0) & 0x1f)).toEqual([7, 8])
    expect(video.units.map(({ dts }) => dts)).toEqual(Array.from({ length: 220 }, (_, i) => i * 9000))
    expect(video.units.every(({ pts, dts }) => pts === dts)).toBe(true)
    expect(video.units.flatMap(({ key }, i) => (key ? [i] : []))).toEqual(Array.from({ length: 11 }, (_, i) => i * 20))
    // Only key units contain an IDR slice.
    for (const { key, nals } of video.units) expect(nals.some((nal) => ((nal[0] ?? 0) & 0x1f) === 5)).toBe(key)
  })

  it('reads H.265 from MP4', async () => {
    const video = await readAccessUnits(footage('campus-c-h265.mp4'))
    expect(video).toMatchObject({ codec: 'h265', width: 384, height: 288, duration: 12 * 90_000 })
    expect(video.parameterSets.map((set) => ((set[0] ?? 0) >> 1) & 0x3f)).toEqual([32, 33, 34])
    expect(video.units).toHaveLength(120)
    expect(video.units[0]?.key).toBe(true)
  })

  it('reports a defective file in Portuguese, by its name without the path', async () => {
    const whole = await readFile(footage('campus-b-sub.mp4'))
    const noise = Buffer.alloc(50_000, 'lixo ')
    for (const [name, content, reason] of [
      ['vazio.mp4', Buffer.alloc(0), 'está vazio (0 bytes)'],
      ['lixo.mp4', noise, 'não é um vídeo MP4 ou MKV legível'],
      [
        'lista.m3u8',
        Buffer.from('#EXTM3U\n#EXTINF:1,\nhttp://127.0.0.1:1/x.ts\n'),
        'não é um vídeo MP4 ou MKV legível',
      ],
      ['cabeca.mp4', whole.subarray(0, 900), 'não'],
    ] as const) {
      const file = join(folder, name)
      await writeFile(file, content)
      const error = await readAccessUnits(file).catch((caught: unknown) => caught)
      expect(error).toBeInstanceOf(VigiaError)
      expect((error as VigiaError).detalhe).toContain(`"${name}" ${reason}`)
      expect((error as VigiaError).detalhe).not.toContain(folder)
    }
  })

  it('rejects missing files and folders', async () => {
    await expect(readAccessUnits(join(folder, 'nada.mp4'))).rejects.toThrow('"nada.mp4" não existe')
    await expect(readAccessUnits(folder)).rejects.toThrow('não é um arquivo')
  })

  it.each([
    ['cut off', (whole: Buffer) => whole.subarray(0, whole.length / 2)],
    ['overwritten', (whole: Buffer) => Buffer.from(whole).fill(0xee, whole.length / 2)],
  ] as const)('rejects a file whose pictures are %s', async (_how, damage) => {
    const file = join(folder, 'estragado.mp4')
    await writeFile(file, damage(await readFile(footage('campus-b-sub.mp4'))))
    await expect(readAccessUnits(file)).rejects.toThrow('"estragado.mp4" está danificado')
  })

  it.runIf(hasFfmpeg)('reads Matroska with sound and B-frames (needs ffmpeg)', async () => {
    const file = join(folder, 'som.mkv')
    const sources = [
      '-f',
      'lavfi',
      '-i',
      'testsrc=size=320x240:rate=25:duration=2',
      '-f',
      'lavfi',
      '-i',
      'sine=duration=2',
    ]
    const codecs = ['-c:v', 'libx264', '-bf', '2', '-g', '25', '-pix_fmt', 'yuv420p', '-c:a', 'aac']
    expect(spawnSync(FFMPEG, ['-v', 'error', ...sources, ...codecs, file]).status).toBe(0)
    const video = await readAccessUnits(file)
    expect(video).toMatchObject({ codec: 'h264', width: 320, height: 240 })
    expect(video.units).toHaveLength(50)
    expect(video.duration / video.timescale).toBeCloseTo(2, 2)
    // B-frames: decoding order and display order differ.
    expect(video.units.some(({ pts }, i) => pts < (video.units[i - 1]?.pts ?? 0))).toBe(true)
    expect(video.units.every(({ pts, dts }) => pts >= dts)).toBe(true)
  })
})
