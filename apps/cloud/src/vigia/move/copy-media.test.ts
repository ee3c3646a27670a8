import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { afterAll, expect, it } from 'vitest'
import { createFileMediaStore } from '../../adapters/media-store/file-media-store.ts'
import { createPathList } from '../../db/transfer/named-paths.ts'
import { compareMedia, copyMedia } from './copy-media.ts'

const dir = temporaryFolder('vigia-imagens-')
afterAll(() => rmSync(dir, { recursive: true }))

const progress = { begin: () => {}, add: () => {}, end: () => {} }

it('copies each file once, counts those that are missing, and finds another content of the same size', async () => {
  const [from, to] = ['de', 'para'].map((name) => createFileMediaStore({ dir: join(dir, name) }))
  if (!from || !to) throw new Error('no stores')
  const names = Array.from({ length: 600 }, (_, i) => `eventos/2026/11/21/${i}-crop.jpg`)
  await from.putAll(names.map((path) => ({ path, bytes: Buffer.from(path) })))
  const paths = createPathList()
  paths.add([...names, 'eventos/2026/11/21/falta-crop.jpg'])
  expect(paths.count).toBe(601)
  const copy = { from, to, paths, progress }
  const bytes = names.join('').length
  expect(await copyMedia(copy, false)).toEqual({ files: 600, bytes, missing: 1 })
  expect(await compareMedia(copy)).toEqual([])

  const [changed = '', shorter = '', gone = ''] = names
  writeFileSync(join(dir, 'para', changed), changed.toUpperCase())
  writeFileSync(join(dir, 'para', shorter), 'x')
  await to.remove(gone)
  expect((await compareMedia(copy)).sort()).toEqual([changed, shorter, gone].sort())
  // A resumed move writes what is missing or cut.
  await copyMedia(copy, true)
  expect(await compareMedia(copy)).toEqual([changed])
})
