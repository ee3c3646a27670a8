import { waitFor } from '@vigia/testing/wait'
import type { Page } from 'playwright-core'

/** The sound of a page, as Chromium itself reports it. */
interface ObservedSound {
  /** Number of tones that the page has started. */
  tones(): number
  /** Resolves as soon as the browser lets the newest AudioContext play (`running`), or blocks it (`suspended`). */
  state(expected: 'running' | 'suspended'): Promise<unknown>
  /** Resolves as soon as no tone has started for this long. */
  silent(lengthMs: number): Promise<unknown>
}

/** Observes every AudioContext of `page`, also those of later documents. */
export async function observeSound(page: Page): Promise<ObservedSound> {
  const session = await page.context().newCDPSession(page)
  let state = ''
  let tones = 0
  let lastToneAt = 0
  session.on('WebAudio.contextCreated', ({ context }) => {
    state = context.contextState
  })
  session.on('WebAudio.contextChanged', ({ context }) => {
    state = context.contextState
  })
  session.on('WebAudio.audioNodeCreated', ({ node }) => {
    if (node.nodeType !== 'Oscillator') return
    tones += 1
    lastToneAt = Date.now()
  })
  await session.send('WebAudio.enable')
  return {
    tones: () => tones,
    silent: (lengthMs) => waitFor('silence', () => Date.now() - lastToneAt > lengthMs),
    state: (expected) => waitFor(`the sound ${expected}`, () => state === expected, { everyMs: 20 }),
  }
}
