import type { RegistroPassagem } from '@vigia/contracts/registro-passagem'
import type { RgbPicture } from './picture.ts'
import type { PlateFound } from './read-plates.ts'

/** A picture of a passage as a JPEG. */
export interface PassageMedia {
  readonly papel: RegistroPassagem['midias'][number]['papel']
  readonly bytes: Uint8Array
}

/** State of a passage before the main process adds identity, clock and number. */
export interface SeenPassage
  extends Omit<RegistroPassagem, 'tipo' | 'v' | 'id' | 'seq' | 'relogio' | 'midias' | 'midia_descartada'> {
  /** Pictures that changed since the last revision. */
  readonly media: readonly PassageMedia[]
}

/**
 * Reads the plates in a picture, best first.
 * @param side longer side of the picture for the search, in pixels
 */
export type PlateReader = (picture: RgbPicture, side: number) => Promise<readonly PlateFound[]>
