import type { LinhaDaCamera } from '@vigia/contracts/linha-do-tempo'
import { useTranslation } from 'react-i18next'
import { type Fuso, formatClock, formatFull } from '../../../base/tempo/format-time.ts'
import { useWhen } from '../../../base/tempo/use-when.ts'
import { textsOfIa } from '../../../texts/ia-texts.ts'
import { pageLocale } from '../../../texts/locale.ts'
import type { Span } from '../../../ui/hour-view.ts'

/** One entry of a camera's day: an incidente or a queda. */
export interface Entry {
  readonly key: string
  /** Start, ISO 8601. */
  readonly em: string
  /** Start within the day, epoch ms. */
  readonly at: number
  readonly incidente: LinhaDaCamera['incidentes'][number] | null
  readonly queda: LinhaDaCamera['quedas'][number] | null
}

/** Returns the entries of a day, the oldest first. */
export function entriesOf({ incidentes, quedas }: LinhaDaCamera, { desde }: Span): Entry[] {
  const at = (iso: string) => Math.max(Date.parse(iso), desde)
  const entries = [
    ...incidentes.map((one) => ({
      key: `i${one.id}`,
      em: one.inicio,
      at: at(one.inicio),
      incidente: one,
      queda: null,
    })),
    ...quedas.map((one) => ({ key: `q${one.id}`, em: one.inicio, at: at(one.inicio), incidente: null, queda: one })),
  ]
  return entries.toSorted((a, b) => a.at - b.at)
}

/** Returns the parts of an entry in words: time, thing and state. */
export function useEntryWords(fuso: Fuso) {
  const { t } = useTranslation()
  const when = useWhen()
  const titleOf = ({ tipos, prova }: NonNullable<Entry['incidente']>) => {
    const titles = new Intl.ListFormat(pageLocale()).format(tipos.map((tipo) => textsOfIa(tipo).titulo))
    const titulo = titles || t('linhaDoTempo.semTipo')
    return prova ? t('alertas.deProva', { titulo }) : titulo
  }
  return ({ em, incidente, queda }: Entry) => {
    const incerta = incidente?.hora_incerta
    const hora = when({ em, incerta }, fuso, incerta ? formatFull : formatClock)
    if (incidente)
      return {
        hora,
        titulo: titleOf(incidente),
        estado: t(incidente.atendido ? 'linhaDoTempo.atendido' : 'linhaDoTempo.semResposta'),
      }
    const inicio = formatClock(em, fuso)
    const fim = queda?.fim ?? null
    const tempo =
      fim === null
        ? t('linhaDoTempo.ateAgora', { inicio })
        : t('linhaDoTempo.de', { inicio, fim: formatClock(fim, fuso) })
    return { hora, titulo: t('linhaDoTempo.legenda.queda'), estado: `${tempo} · ${queda?.motivo_texto ?? ''}` }
  }
}
