import { afterAll, it } from 'vitest'
import { onOneScreen } from '../trials/journeys/harness/one-screen.ts'
import { cameraJourneys, journeys } from '../trials/journeys/registry.ts'

const { cases, close } = onOneScreen(cameraJourneys, journeys)
afterAll(close)

it.for(cases)('$title', ({ run }, { skip }) => run(skip))
