import { ownTracks } from '../evidence.ts'
import { catalogo } from './catalogue.ts'

/** A thing is abandoned only with respect to people. */
export const evidence = ownTracks(catalogo, ['person'])
