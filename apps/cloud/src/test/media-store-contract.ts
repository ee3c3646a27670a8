import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { MediaLengthError, type MediaStore } from '../adapters/media-store/interface.ts'

const PATH = 'clipes/2026/11/21/a.mp4'

async function* chunksOf(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text)
}

async function all(paths: AsyncIterable<string>): Promise<string[]> {
  const found: string[] = []
  for await (const path of paths) found.push(path)
  return found
}

/** The tests that each implementation of `MediaStore` must pass. @param createStore an empty store */
export function testMediaStore(createStore: () => MediaStore): void {
  const text = async (media: MediaStore, range?: { first: number; last: number }) => {
    const stream = await media.open(PATH, range)
    return stream && (await buffer(stream)).toString()
  }

  it('stores a stream of the declared length, and reads it whole and in ranges', async () => {
    const media = createStore()
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
    const media = createStore()
    await media.put(PATH, Buffer.from('former'))
    await expect(media.put(PATH, { size: 5, chunks: chunksOf(...parts) })).rejects.toThrow(MediaLengthError)
    expect(await text(media)).toBe('former')
    expect(await all(media.list('clipes'))).toEqual([PATH])
  })

  it('keeps the former file when the stream fails', async () => {
    const media = createStore()
    await media.put(PATH, Buffer.from('former'))
    const chunks = (async function* () {
      yield Buffer.from('01')
      throw new Error('connection lost')
    })()
    await expect(media.put(PATH, { size: 5, chunks })).rejects.toThrow('connection lost')
    expect(await text(media)).toBe('former')
  })

  it('stores an empty stream', async () => {
    const media = createStore()
    await media.put(PATH, { size: 0, chunks: chunksOf() })
    expect([await text(media), await media.size(PATH)]).toEqual(['', 0])
  })

  it('replaces a file, while a former reader gets the former bytes', async () => {
    const media = createStore()
    await media.put(PATH, Buffer.from('first'))
    const reader = await media.open(PATH)
    await media.put(PATH, { size: 6, chunks: Readable.from([Buffer.from('second')]) })
    expect([reader && (await buffer(reader)).toString(), await text(media)]).toEqual(['first', 'second'])
  })

  it('has no stream, size or bytes of a missing or removed file', async () => {
    const media = createStore()
    await media.put(PATH, Buffer.from('x'))
    await media.remove(PATH)
    await media.remove(PATH)
    expect([await media.open(PATH), await media.size(PATH), await media.read(PATH)]).toEqual([null, null, null])
  })

  it('lists the files below a folder in order', async () => {
    const media = createStore()
    const paths = ['clipes/2026/11/21/b.mp4', PATH, 'clipes/2026/12/01/c.mp4', 'clipesx/2026/d.mp4']
    await media.putAll(paths.map((path) => ({ path, bytes: Buffer.from(path) })))
    expect(await all(media.list('clipes'))).toEqual([PATH, paths[0], paths[2]])
    expect(await all(media.list('clipes/2026/12'))).toEqual([paths[2]])
    expect(await all(media.list('eventos'))).toEqual([])
  })

  it.each(['../a/b.mp4', '/etc/passwd', 'clipes/../b.mp4', 'clipes/.a.mp4', ''])(
    'refuses the path %j',
    async (path) => {
      const media = createStore()
      await expect(media.put(path, { size: 0, chunks: chunksOf() })).rejects.toThrow(RangeError)
      await expect(media.open(path)).rejects.toThrow(RangeError)
      await expect(media.size(path)).rejects.toThrow(RangeError)
      await expect(all(media.list(path))).rejects.toThrow(RangeError)
    },
  )
}
