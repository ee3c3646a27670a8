import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { MediaLengthError, type MediaStore } from '../../adapters/media-store/interface.ts'

const PATH = 'clipes/2026/11/21/a.mp4'

async function* chunksOf(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text)
}

async function all(paths: AsyncIterable<string>): Promise<string[]> {
  const found: string[] = []
  for await (const path of paths) found.push(path)
  return found
}

/** More than two parts of an object store, and no multiple of a part. */
const LARGE_BYTES = 20_000_000
const CHUNK_BYTES = 300_000

/** Chunks of a large file; each byte depends on its position. */
async function* largeChunks(size = LARGE_BYTES): AsyncGenerator<Uint8Array, void, void> {
  for (let at = 0; at < size; at += CHUNK_BYTES) yield largeBytes(at, Math.min(size, at + CHUNK_BYTES))
}
const PERIOD = 251
const pattern = Buffer.from(Uint8Array.from({ length: LARGE_BYTES + PERIOD }, (_, i) => i % PERIOD))
const largeBytes = (from: number, to: number) => pattern.subarray(from % PERIOD, (from % PERIOD) + to - from)

/** The tests that each implementation of `MediaStore` must pass. @param createStore an empty store */
export function testMediaStore(createStore: () => Promise<MediaStore>): void {
  const text = async (media: MediaStore, range?: { first: number; last: number }) => {
    const stream = await media.open(PATH, range)
    return stream && (await buffer(stream)).toString()
  }

  it('stores a stream of the declared length, and reads it whole and in ranges', async () => {
    const media = await createStore()
    await media.put(PATH, { size: 10, chunks: chunksOf('01234', '', '56789') })
    expect(await text(media)).toBe('0123456789')
    expect(await text(media, { first: 0, last: 0 })).toBe('0')
    expect(await text(media, { first: 3, last: 6 })).toBe('3456')
    expect(await text(media, { first: 8, last: 9 })).toBe('89')
    expect(await media.size(PATH)).toBe(10)
    expect((await media.read(PATH))?.toString()).toBe('0123456789')
  })

  it.each([
    ['shorter', ['0123']],
    ['longer', ['01234', '56']],
  ])('refuses a %s stream, and keeps the former file', async (_kind, parts) => {
    const media = await createStore()
    await media.put(PATH, Buffer.from('former'))
    await expect(media.put(PATH, { size: 5, chunks: chunksOf(...parts) })).rejects.toThrow(MediaLengthError)
    expect(await text(media)).toBe('former')
    expect(await all(media.list('clipes'))).toEqual([PATH])
  })

  it('keeps the former file when the stream fails', async () => {
    const media = await createStore()
    await media.put(PATH, Buffer.from('former'))
    const chunks = (async function* () {
      yield Buffer.from('01')
      throw new Error('connection lost')
    })()
    await expect(media.put(PATH, { size: 5, chunks })).rejects.toThrow('connection lost')
    expect(await text(media)).toBe('former')
  })

  it('stores a large stream, and reads ranges of it', async () => {
    const media = await createStore()
    await media.put(PATH, { size: LARGE_BYTES, chunks: largeChunks() })
    expect(await media.size(PATH)).toBe(LARGE_BYTES)
    const range = async (first: number, last: number) => {
      const stream = await media.open(PATH, { first, last })
      return stream && buffer(stream)
    }
    // Beyond the first part of 8 MiB, and the last bytes.
    for (const [first, last] of [
      [8_388_000, 8_389_000],
      [LARGE_BYTES - 10, LARGE_BYTES - 1],
    ] as const)
      expect((await range(first, last))?.equals(largeBytes(first, last + 1))).toBe(true)
    expect((await media.read(PATH))?.equals(largeBytes(0, LARGE_BYTES))).toBe(true)
  })

  it.each([
    ['ends early', largeChunks(LARGE_BYTES - 1), MediaLengthError],
    ['continues', largeChunks(LARGE_BYTES + 1), MediaLengthError],
    [
      'fails after its last byte',
      (async function* () {
        yield* largeChunks()
        throw new Error('another hash')
      })(),
      'another hash',
    ],
  ])('keeps the former file when a large stream %s', async (_what, chunks, error) => {
    const media = await createStore()
    await media.put(PATH, Buffer.from('former'))
    await expect(media.put(PATH, { size: LARGE_BYTES, chunks })).rejects.toThrow(error)
    expect(await text(media)).toBe('former')
    expect(await all(media.list('clipes'))).toEqual([PATH])
  })

  it('closes the file for a reader that cancels, before and after its first read', async () => {
    const media = await createStore()
    await media.put(PATH, { size: LARGE_BYTES, chunks: largeChunks() })
    await (await media.open(PATH))?.cancel()
    const reader = (await media.open(PATH))?.getReader()
    expect((await reader?.read())?.value?.length).toBeGreaterThan(0)
    await reader?.cancel()
    await media.put(PATH, Buffer.from('next'))
    expect(await text(media)).toBe('next')
  })

  it('stores many files in several folders at once', async () => {
    const media = await createStore()
    const files = Array.from({ length: 100 }, (_, i) => ({
      path: `eventos/2026/11/${20 + (i % 3)}/${i}-crop.jpg`,
      bytes: Buffer.from(`picture ${i}`),
    }))
    await media.putAll(files)
    await media.putAll([])
    for (const { path, bytes } of files) expect(await media.read(path)).toEqual(bytes)
    expect((await all(media.list('eventos'))).length).toBe(100)
  })

  it('keeps the last of two files with one name', async () => {
    const media = await createStore()
    await media.putAll(['first', 'second'].map((name) => ({ path: PATH, bytes: Buffer.from(name) })))
    expect(await text(media)).toBe('second')
  })

  it('writes no file if one path is invalid', async () => {
    const media = await createStore()
    const bytes = Buffer.from('x')
    const files = [PATH, '../b.jpg'].map((path) => ({ path, bytes }))
    await expect(media.putAll(files)).rejects.toThrow(RangeError)
    expect(await media.read(PATH)).toBeNull()
  })

  it('has the time of the last write', async () => {
    const media = await createStore()
    expect(await media.writtenAt(PATH)).toBeNull()
    await media.put(PATH, Buffer.from('x'))
    // Object stores keep whole seconds, of their own clock.
    expect(Math.abs(Date.now() - ((await media.writtenAt(PATH)) ?? 0))).toBeLessThan(60_000)
  })

  it('keeps all files at a recovery', async () => {
    const media = await createStore()
    await media.recover()
    await media.put(PATH, Buffer.from('x'))
    await media.recover()
    expect(await text(media)).toBe('x')
  })

  it('stores an empty stream', async () => {
    const media = await createStore()
    await media.put(PATH, { size: 0, chunks: chunksOf() })
    expect([await text(media), await media.size(PATH)]).toEqual(['', 0])
  })

  it('replaces a file, while a former reader gets the former bytes', async () => {
    const media = await createStore()
    await media.put(PATH, Buffer.from('first'))
    const reader = await media.open(PATH)
    await media.put(PATH, { size: 6, chunks: Readable.from([Buffer.from('second')]) })
    expect([reader && (await buffer(reader)).toString(), await text(media)]).toEqual(['first', 'second'])
  })

  it('has no stream, size or bytes of a missing or removed file', async () => {
    const media = await createStore()
    await media.put(PATH, Buffer.from('x'))
    await media.remove(PATH)
    await media.remove(PATH)
    expect([await media.open(PATH), await media.size(PATH), await media.read(PATH)]).toEqual([null, null, null])
  })

  it('lists the files below a folder in order', async () => {
    const media = await createStore()
    const paths = ['clipes/2026/11/21/b.mp4', PATH, 'clipes/2026/12/01/c.mp4', 'clipesx/2026/d.mp4']
    await media.putAll(paths.map((path) => ({ path, bytes: Buffer.from(path) })))
    expect(await all(media.list('clipes'))).toEqual([PATH, paths[0], paths[2]])
    expect(await all(media.list('clipes/2026/12'))).toEqual([paths[2]])
    expect(await all(media.list('eventos'))).toEqual([])
  })

  it.each(['../a/b.mp4', '/etc/passwd', 'clipes/../b.mp4', 'clipes/.a.mp4', ''])(
    'refuses the path %j',
    async (path) => {
      const media = await createStore()
      await expect(media.put(path, { size: 0, chunks: chunksOf() })).rejects.toThrow(RangeError)
      await expect(media.open(path)).rejects.toThrow(RangeError)
      await expect(media.size(path)).rejects.toThrow(RangeError)
      await expect(all(media.list(path))).rejects.toThrow(RangeError)
    },
  )
}
