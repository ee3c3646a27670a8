import type { EventoDetalhe } from '@vigia/contracts/eventos'

const UNDER_WAY_MS = 3_000
const EXPECTED_MS = 15_000
/** An edge without a connection announces the clips of older events when it is back; the page is opened again then. */
const RECENT_MS = 3_600_000

/** Pause before an event without its clip is fetched again, ms; false: nothing is expected. */
export function refetchMs(
  { clip_estado, ocorrido_em }: Pick<EventoDetalhe, 'clip_estado' | 'ocorrido_em'>,
  now: number,
): number | false {
  if (clip_estado === 'a_caminho') return UNDER_WAY_MS
  const isExpected = clip_estado === 'sem_noticia' || clip_estado === 'na_caixa'
  return isExpected && now - Date.parse(ocorrido_em) < RECENT_MS ? EXPECTED_MS : false
}
