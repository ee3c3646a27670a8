import type { RegistroPassagem } from '@vigia/contracts/registro-passagem'
import { jpegSize } from '@vigia/link/jpeg-size'
import type { MediaFile } from '../../../../adapters/media-store/interface.ts'
import { type CameraOfEvento, MAX_INSTANTE } from '../candidate-row.ts'

/** A record of a passage that a batch stores. */
export interface PlannedPassagem {
  readonly registro: RegistroPassagem
  readonly camera: CameraOfEvento
  readonly retroativo: boolean
}

/** Returns the Portuguese reason why the record can never be stored; null: it can. */
export function passageFaultOf(
  { inicio, ocorrido_em, fim, hora_incerta, midias }: RegistroPassagem,
  bytes: readonly Buffer[],
): string | null {
  const latest = Math.max(inicio, ocorrido_em, fim ?? 0, hora_incerta?.ate ?? 0)
  if (latest > MAX_INSTANTE) return 'O instante da passagem não é válido.'
  if (new Set(midias.map(({ papel }) => papel)).size !== midias.length) return 'Imagem em duplicidade.'
  return bytes.every((one) => jpegSize(one) !== null) ? null : 'Uma imagem do registro não é um JPEG válido.'
}

/** The pictures of a record with their media paths. */
export const passageFilesOf = (registro: RegistroPassagem, bytes: readonly Buffer[], now: number): MediaFile[] =>
  registro.midias.flatMap(({ papel }, at) => {
    const one = bytes[at]
    return one === undefined ? [] : [{ path: passagePath(registro, papel, now), bytes: one }]
  })

/**
 * Path of a picture; null: the record has none. The folder is the cloud's day of arrival. The name is that of the
 * record, because a later revision replaces pictures.
 */
export const passagePathOf = (
  registro: RegistroPassagem,
  papel: RegistroPassagem['midias'][number]['papel'],
  now: number,
): string | null => (registro.midias.some((midia) => midia.papel === papel) ? passagePath(registro, papel, now) : null)

function passagePath({ id }: RegistroPassagem, papel: string, epochMs: number): string {
  const day = new Date(epochMs).toISOString().slice(0, 10).replaceAll('-', '/')
  return `passagens/${day}/${id.toLowerCase()}-${papel}.jpg`
}
