import { createHash } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { EventoDetalhe } from '@vigia/contracts/eventos'
import type { Api } from '@vigia/testing/api'
import { readAccessUnits } from '@vigia/video/testing/access-units'

/** Final state of the clip of an event. */
export type Outcome =
  | 'stored'
  /** Refuted event: the edge holds the clip for a request. */
  | 'held'
  /** There is no clip, for a named reason. */
  | 'reason'
  | 'lost'

/** null: the clip is still on its way, or the verdict is. */
export function outcomeOf(
  { clip_estado, clip_detalhe }: Pick<EventoDetalhe, 'clip_estado' | 'clip_detalhe'>,
  isRefuted: boolean,
): Outcome | null {
  if (clip_estado === 'guardado') return 'stored'
  if (clip_estado === 'nunca') return clip_detalhe ? 'reason' : 'lost'
  return clip_estado === 'na_caixa' && isRefuted ? 'held' : null
}

/** Reads a stored clip as a browser does. Returns false if its hash, its length or its pictures are not right. */
export async function isWhole(api: Api, evento: Pick<EventoDetalhe, 'id'>, folder: string): Promise<boolean> {
  const answer = await api.fetch(`/events/${evento.id}/clip`)
  const bytes = Buffer.from(await answer.arrayBuffer())
  const hash = createHash('sha256').update(bytes).digest('hex')
  if (!answer.ok || answer.headers.get('etag') !== `"${hash}"`) return false
  const file = join(folder, `${evento.id}.mp4`)
  try {
    await writeFile(file, bytes)
    const { units } = await readAccessUnits(file)
    return units.length > 0
  } catch {
    return false
  } finally {
    await rm(file, { force: true })
  }
}
