import { afterAll, it } from 'vitest'
import { onOneScreen } from '../journeys/harness/one-screen.ts'
import { alertaJourneys, journeys } from '../journeys/registry.ts'

const { cases, close } = onOneScreen(alertaJourneys, journeys)
afterAll(close)

it.each(cases)('$title', ({ run }) => run())
