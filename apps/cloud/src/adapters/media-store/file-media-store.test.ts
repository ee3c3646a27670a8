import { mkdir, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { testMediaStore } from '../../test/stores/media-store-contract.ts'
import { createFileMediaStore } from './file-media-store.ts'

let root: string
beforeEach(async () => {
  root = temporaryFolder('vigia-media-')
})
afterEach(() => rm(root, { recursive: true, force: true }))

describe('file media store', () => {
  testMediaStore(async () => createFileMediaStore({ dir: join(root, 'media') }))

  it('stores a file readable only by its owner, and leaves no other files', async () => {
    const media = createFileMediaStore({ dir: join(root, 'media') })
    await media.put('eventos/2026/11/21/a-crop.jpg', Buffer.from('first'))
    await media.put('eventos/2026/11/21/a-crop.jpg', Buffer.from('second'))

    expect((await media.read('eventos/2026/11/21/a-crop.jpg'))?.toString()).toBe('second')
    expect(await readdir(join(root, 'media/eventos/2026/11/21'))).toEqual(['a-crop.jpg'])
    const mode = async (path: string) => (await stat(join(root, path))).mode & 0o777
    expect(await mode('media/eventos')).toBe(0o700)
    expect(await mode('media/eventos/2026/11/21/a-crop.jpg')).toBe(0o600)
  })

  it('leaves no other files after many writes at once', async () => {
    const media = createFileMediaStore({ dir: join(root, 'media') })
    const names = Array.from({ length: 100 }, (_, i) => `eventos/2026/11/${20 + (i % 3)}/${i}-crop.jpg`)
    await media.putAll(names.map((path) => ({ path, bytes: Buffer.from(path) })))
    expect(await readdir(join(root, 'media/.unfinished'))).toEqual([])
  })

  it('rejects only after all writes have ended', async () => {
    const media = createFileMediaStore({ dir: join(root, 'media') })
    const bytes = Buffer.from('x')
    await media.put('eventos/c.jpg', bytes)
    await mkdir(join(root, 'media/eventos/d.jpg'))
    const names = ['d', ...Array.from({ length: 40 }, (_, i) => `e${i}`)]
    await expect(media.putAll(names.map((name) => ({ path: `eventos/${name}.jpg`, bytes })))).rejects.toThrow()
    expect(await readdir(join(root, 'media/.unfinished'))).toEqual([])
  })

  it('returns null for a missing file', async () => {
    expect(await createFileMediaStore({ dir: root }).read('eventos/2026/11/21/b-crop.jpg')).toBeNull()
  })

  it('removes a file, also a missing one', async () => {
    const media = createFileMediaStore({ dir: join(root, 'media') })
    await media.put('dataset/confirmado/a.jpg', Buffer.from('a'))
    await media.remove('dataset/confirmado/a.jpg')
    await media.remove('dataset/confirmado/a.jpg')
    await media.remove('dataset/refutado/b.jpg')
    expect(await media.read('dataset/confirmado/a.jpg')).toBeNull()
  })

  it('removes interrupted writes at recovery, and keeps the other files', async () => {
    const media = createFileMediaStore({ dir: join(root, 'media') })
    await media.recover()
    await media.put('eventos/a.jpg', Buffer.from('a'))
    await writeFile(join(root, 'media/.unfinished/half'), 'hal')
    await media.recover()
    expect(await readdir(join(root, 'media/.unfinished'))).toEqual([])
    await media.put('eventos/b.jpg', Buffer.from('b'))
    expect((await media.read('eventos/b.jpg'))?.toString()).toBe('b')
  })

  it('keeps the unfinished files of other writers at recovery until they are old', async () => {
    const media = createFileMediaStore({ dir: join(root, 'media'), abandonedMs: 60_000 })
    await media.put('eventos/a.jpg', Buffer.from('a'))
    for (const name of ['new', 'old']) await writeFile(join(root, 'media/.unfinished', name), 'hal')
    const twoMinutesAgo = new Date(Date.now() - 120_000)
    await utimes(join(root, 'media/.unfinished/old'), twoMinutesAgo, twoMinutesAgo)
    await media.recover()
    expect(await readdir(join(root, 'media/.unfinished'))).toEqual(['new'])
  })

  it('rejects when the disk refuses a write', async () => {
    const media = createFileMediaStore({ dir: join(root, 'media') })
    await media.put('eventos/a.jpg', Buffer.from('a file'))
    await expect(media.put('eventos/a.jpg/b.jpg', Buffer.from('below a file'))).rejects.toThrow()
  })

  it.each([
    '../secret.txt',
    'eventos/../../secret.txt',
    '/etc/passwd',
    'eventos//a.jpg',
    'eventos/./a.jpg',
    'eventos/a.jpg\0',
    'eventos\\a.jpg',
    'eventos/.hidden',
    'eventos/a',
    '',
    'a.jpg',
  ])('refuses the path %j', async (path) => {
    const media = createFileMediaStore({ dir: join(root, 'media') })
    await expect(media.put(path, Buffer.from('x'))).rejects.toThrow(RangeError)
    await expect(media.read(path)).rejects.toThrow(RangeError)
    await expect(media.remove(path)).rejects.toThrow(RangeError)
    expect(await readdir(root)).toEqual([])
  })
})
