import { VEICULOS } from '../catalogue-entry.ts'
import { type IaEvidence, ownTracks } from '../evidence.ts'
import { catalogo } from './catalogue.ts'

/** People decide whether an object is abandoned; a part of a vehicle is no object. */
export const evidence: IaEvidence = { ...ownTracks(catalogo, ['person', ...VEICULOS]), stillObjects: true }
