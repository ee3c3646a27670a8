import { afterAll, expect, it } from 'vitest'
import { loadedFaces } from '../trials/journeys/harness/faces.ts'
import { onOneScreen } from '../trials/journeys/harness/one-screen.ts'
import { measureScripts } from '../trials/journeys/harness/scripts.ts'
import { journeys, pessoaJourneys } from '../trials/journeys/registry.ts'

/** Script from the login page to the first page, as the cloud sends it. */
const SCRIPT_LIMIT_BYTES = 250_000

const { cases, world, close } = onOneScreen(pessoaJourneys, journeys)
afterAll(close)

it.for(cases)('$title', ({ run }, { skip }) => run(skip))

it('loads at most 250 kB of script from the login page to the first page', async () => {
  const scripts = await measureScripts(await world())
  const total = scripts.reduce((sum, { bytes }) => sum + bytes, 0)
  expect(scripts.length).toBeGreaterThan(3)
  expect(total, scripts.map(({ path, bytes }) => `${path}: ${bytes}`).join('\n')).toBeLessThanOrEqual(
    SCRIPT_LIMIT_BYTES,
  )
})

it('has its own typeface on the first page of a first visit, with its licence', async () => {
  expect(await loadedFaces(await world())).toEqual(['Inter Variable'])
  const licence = await fetch(`${(await world()).vigia.base}/assets/inter-LICENSE.txt`)
  expect(await licence.text()).toContain('SIL OPEN FONT LICENSE')
})
