import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runJourney } from '../journeys/harness/run-journey.ts'
import { measureScripts } from '../journeys/harness/scripts.ts'
import { sizes } from '../journeys/harness/sizes.ts'
import { startWorld, type World } from '../journeys/harness/world.ts'
import { journeys } from '../journeys/registry.ts'

/** Script from the login page to the first page, as the cloud sends it. */
const SCRIPT_LIMIT_BYTES = 250_000

describe('journeys in a real browser', () => {
  let world: World
  beforeAll(async () => {
    world = await startWorld()
  })
  afterAll(() => world?.close())

  // Each journey on one screen; together they cover all. `npm run journeys` runs each on every screen.
  it.each(
    journeys.flatMap((journey, index) => {
      const size = sizes[index % sizes.length]
      return size ? [{ journey, size, title: `${journey.name} at ${size.width} px, ${size.theme}` }] : []
    }),
  )('$title', async ({ journey, size }) => {
    await runJourney(journey, world, size)
  })

  it('loads at most 250 kB of script from the login page to the first page', async () => {
    const scripts = await measureScripts(world)
    const total = scripts.reduce((sum, { bytes }) => sum + bytes, 0)
    expect(scripts.length).toBeGreaterThan(3)
    expect(total, scripts.map(({ path, bytes }) => `${path}: ${bytes}`).join('\n')).toBeLessThanOrEqual(
      SCRIPT_LIMIT_BYTES,
    )
  })
})
