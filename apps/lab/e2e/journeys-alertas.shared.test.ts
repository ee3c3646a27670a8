import { afterAll, it } from 'vitest'
import { onOneScreen } from '../trials/journeys/harness/one-screen.ts'
import { alertaJourneys, journeys } from '../trials/journeys/registry.ts'

// In every run one list of journeys has the browser of a machine without Debian's Chromium.
const { cases, close } = onOneScreen(alertaJourneys, journeys, { packaged: true })
afterAll(close)

it.for(cases)('$title', ({ run }, { skip }) => run(skip))
