import { ownTracks } from '../evidence.ts'
import { catalogo } from './catalogue.ts'

/** The rule needs people to decide whether an object is abandoned. */
export const evidence = ownTracks(catalogo, ['person'])
