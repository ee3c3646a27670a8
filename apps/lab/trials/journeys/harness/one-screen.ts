import { type Journey, lackedBy } from './journey.ts'
import { runJourney } from './run-journey.ts'
import { sizes } from './sizes.ts'
import { startWorld, type World } from './world.ts'

interface OneScreen {
  /** Each journey on one screen. `run` calls `skip` with the reason if the browser lacks something for it. */
  readonly cases: readonly { readonly title: string; run(skip: (reason: string) => void): Promise<void> }[]
  /** Resolves with the installation of these journeys. The first call starts it. */
  world(): Promise<World>
  close(): Promise<void>
}

/**
 * Runs each of `chosen` on one screen. The screens alternate over `all`, so that together they cover every screen.
 * `packaged`: with the browser of a machine without Debian's Chromium.
 */
export function onOneScreen(chosen: readonly Journey[], all: readonly Journey[], { packaged = false } = {}): OneScreen {
  let started: Promise<World> | null = null
  const world = () => {
    started ??= startWorld({ packaged })
    return started
  }
  return {
    world,
    cases: chosen.flatMap((journey) => {
      const size = sizes[all.indexOf(journey) % sizes.length]
      if (!size) return []
      const run = async (skip: (reason: string) => void) => {
        const lacked = lackedBy(journey)
        if (lacked !== null) return skip(lacked)
        await runJourney(journey, await world(), size)
      }
      return [{ title: `${journey.name} at ${size.width} px, ${size.theme}`, run }]
    }),
    close: async () => (await started)?.close(),
  }
}
