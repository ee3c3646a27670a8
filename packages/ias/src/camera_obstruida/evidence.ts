import { ownTracks } from '../evidence.ts'
import { catalogo } from './catalogue.ts'

export const evidence = ownTracks(catalogo)
