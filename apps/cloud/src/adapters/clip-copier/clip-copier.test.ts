import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { waitFor } from '@vigia/testing/wait'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createClipCopier } from './clip-copier.ts'

let dir: string
beforeEach(() => {
  dir = join(temporaryFolder('vigia-copier-'), 'copias')
  mkdirSync(dir)
})
afterEach(() => rmSync(join(dir, '..'), { recursive: true }))

/** A clip whose next bytes arrive after `more` only. */
async function* stalled(more: Promise<void>): AsyncGenerator<Uint8Array> {
  yield Buffer.from('begin')
  await more
}

describe('a clip that arrives too slowly', () => {
  it('is given up within the time of its copy, and leaves no file', async () => {
    const more = Promise.withResolvers<void>()
    const copier = createClipCopier({ dir })
    expect(await copier.copy(stalled(more.promise), 50, new AbortController().signal)).toBe('demorou')
    expect(readdirSync(dir)).toEqual([])
    more.resolve()
  })

  it('does not delay the end of the program', async () => {
    const more = Promise.withResolvers<void>()
    const stopping = new AbortController()
    const copy = createClipCopier({ dir }).copy(stalled(more.promise), 3_600_000, stopping.signal)
    await waitFor('the begin of the file', () => existsSync(dir) && readdirSync(dir).length === 1)
    stopping.abort(new Error('stopping'))
    await expect(copy).rejects.toThrow('stopping')
    more.resolve()
  })
})
