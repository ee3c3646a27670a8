import type { Journey } from './journey.ts'
import { runJourney } from './run-journey.ts'
import { sizes } from './sizes.ts'
import { startWorld, type World } from './world.ts'

interface OneScreen {
  /** Each journey on one screen. */
  readonly cases: readonly { readonly title: string; run(): Promise<void> }[]
  /** Resolves with the installation of these journeys. The first call starts it. */
  world(): Promise<World>
  close(): Promise<void>
}

/** Runs each of `chosen` on one screen. The screens alternate over `all`, so that together they cover every screen. */
export function onOneScreen(chosen: readonly Journey[], all: readonly Journey[]): OneScreen {
  let started: Promise<World> | null = null
  const world = () => {
    started ??= startWorld()
    return started
  }
  return {
    world,
    cases: chosen.flatMap((journey) => {
      const size = sizes[all.indexOf(journey) % sizes.length]
      if (!size) return []
      const run = async () => runJourney(journey, await world(), size)
      return [{ title: `${journey.name} at ${size.width} px, ${size.theme}`, run }]
    }),
    close: async () => (await started)?.close(),
  }
}
