import { rm } from 'node:fs/promises'
import { temporaryDiskFolder } from '@vigia/testing/temporary-folder'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { fillFolder } from '../telas/fill-folder.ts'
import { fillLists } from './fill-lists-store.ts'
import { findFaults, walkReads } from './walk.ts'

const SIZES = { events: 20_000, cameras: 1_000 }
let folder: string
beforeAll(async () => {
  folder = temporaryDiskFolder('vigia-walk-')
  await fillFolder(folder, SIZES)
  fillLists(folder, SIZES)
}, 300_000)
afterAll(() => rm(folder, { recursive: true, force: true }))

it('leaves the thread for a turn within 50 ms of its processor time, in every GET', async () => {
  const { walked } = await walkReads(folder)
  expect(findFaults(walked)).toEqual([])
  expect(walked.length).toBeGreaterThan(100)
}, 300_000)
