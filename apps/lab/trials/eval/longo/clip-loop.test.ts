import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { createVideoWriter } from '@vigia/video/testing/video-writer'
import { expect, it } from 'vitest'
import { loadLoop, positionAt } from './clip-loop.ts'

it('goes forwards and backwards without a cut, or begins again', () => {
  expect([0, 3, 4.5, 7.5, 8, 11].map((atS) => positionAt(atS, 4, 'vaivem'))).toEqual([0, 3, 3.5, 0.5, 0, 3])
  expect([0, 3, 4.5, 8].map((atS) => positionAt(atS, 4, 'volta'))).toEqual([0, 3, 0.5, 0])
})

it('keeps only the pieces of the clip', async () => {
  const folder = temporaryFolder('vigia-loop-')
  const path = join(folder, 'clip.mkv')
  const writer = await createVideoWriter({ path, width: 64, height: 48, fps: 6, bitRate: 400_000 })
  // Each second is 40 levels brighter.
  for (let frame = 0; frame < 30; frame++)
    await writer.write(Buffer.alloc(64 * 48 * 3, 20 + 40 * Math.floor(frame / 6)), (frame * 1000) / 6)
  await writer.close()
  const pieces = [
    { fromS: 1, toS: 1.9 },
    { fromS: 3, toS: 3.9 },
  ]
  const loop = await loadLoop(path, { pieces, loop: 'volta' })
  expect(loop).toMatchObject({ width: 64, height: 48, realS: expect.closeTo(2, 1) })
  const levels = [0.1, 0.8, 1.2, 1.8, 2.1].map((atS) => Math.round((loop.at(atS)[0] ?? 0) / 20) * 20)
  expect(levels).toEqual([60, 60, 140, 140, 60])
  await rm(folder, { recursive: true })
})
