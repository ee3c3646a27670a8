import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { testMediaStore } from '../../test/media-store-contract.ts'
import { createFileMediaStore } from './file-media-store.ts'

let root: string
beforeEach(async () => {
  root = temporaryFolder('vigia-media-')
})
afterEach(() => rm(root, { recursive: true, force: true }))

describe('file media store', () => {
  testMediaStore(() => createFileMediaStore({ dir: join(root, 'media') }))

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

  it('stores many files in several folders at once, and leaves no other files', async () => {
    const media = createFileMediaStore({ dir: join(root, 'media') })
    const files = Array.from({ length: 100 }, (_, i) => ({
      path: `eventos/2026/11/${20 + (i % 3)}/${i}-crop.jpg`,
      bytes: Buffer.from(`picture ${i}`),
    }))
    await media.putAll(files)
    await media.putAll([])
    for (const { path, bytes } of files) expect(await media.read(path)).toEqual(bytes)
    expect(await readdir(join(root, 'media/.unfinished'))).toEqual([])
  })

  it('keeps the last of two files with one name', async () => {
    const media = createFileMediaStore({ dir: join(root, 'media') })
    const path = 'eventos/2026/11/21/a-crop.jpg'
    await media.putAll(['first', 'second'].map((text) => ({ path, bytes: Buffer.from(text) })))
    expect((await media.read(path))?.toString()).toBe('second')
  })

  it('writes no file if one path is invalid, and rejects only after all writes have ended', async () => {
    const media = createFileMediaStore({ dir: join(root, 'media') })
    const bytes = Buffer.from('x')
    await expect(
      media.putAll([
        { path: 'eventos/a.jpg', bytes },
        { path: '../b.jpg', bytes },
      ]),
    ).rejects.toThrow(RangeError)
    expect(await media.read('eventos/a.jpg')).toBeNull()
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
    expect(await readdir(join(root, 'media'))).toEqual(['eventos'])
    await media.put('eventos/b.jpg', Buffer.from('b'))
    expect((await media.read('eventos/b.jpg'))?.toString()).toBe('b')
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
