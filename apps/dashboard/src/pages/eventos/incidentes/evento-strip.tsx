import type { Camera } from '@vigia/contracts/cameras'
import type { Evento } from '@vigia/contracts/eventos'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { type Fuso, formatClock, formatDuration } from '../../../base/tempo/format-time.ts'
import { AlertaTime } from '../../../domains/eventos/alertas/alerta-time.tsx'
import { useVerdictWords } from '../../../domains/eventos/alertas/use-verdict-words.ts'
import { useZoneName } from '../../../domains/eventos/incidentes/zone-name.ts'
import { textsOfIa } from '../../../texts/ia-texts.ts'
import classes from './evento-strip.module.css'

/** A longer time without an event stands in the strip as a break. */
const BREAK_MS = 60_000

interface EventoStripProps {
  /** Ordered by time. */
  readonly eventos: readonly Evento[]
  readonly chosenId: number
  readonly onChoose: (id: number) => void
  /** undefined: it was removed, or is not loaded yet. */
  readonly camera: Camera | undefined
  readonly fuso: Fuso
}

/** The events of an incidente as a strip in time, with the breaks between them. One of them is chosen. */
export function EventoStrip({ eventos, chosenId, onChoose, camera, fuso }: EventoStripProps) {
  const { t } = useTranslation()
  const nameOfZone = useZoneName()
  const wordsOf = useVerdictWords()
  return (
    <ol className={classes.strip}>
      {eventos.map((evento, index) => {
        const titulo = textsOfIa(evento.tipo).titulo
        const before = eventos[index - 1]
        const pause = before ? Date.parse(evento.ocorrido_em) - Date.parse(before.ocorrido_em) : 0
        return (
          <Fragment key={evento.id}>
            {pause >= BREAK_MS && (
              <li className={classes.pause}>{t('plantao.incidente.pausa', { tempo: formatDuration(pause) })}</li>
            )}
            <li className={classes.event} data-chosen={evento.id === chosenId || undefined}>
              <button
                type="button"
                className={classes.choose}
                aria-pressed={evento.id === chosenId}
                aria-label={t('plantao.incidente.mostrarEvento', {
                  titulo,
                  hora: formatClock(evento.ocorrido_em, fuso),
                })}
                onClick={() => onChoose(evento.id)}
              >
                {evento.crop_url && <img src={evento.crop_url} alt="" loading="lazy" decoding="async" />}
                <span>{titulo}</span>
              </button>
              <AlertaTime iso={evento.ocorrido_em} fuso={fuso} incerta={evento.hora_incerta} />
              {evento.zona !== null && <span>{nameOfZone(camera, evento.zona)}</span>}
              <span>{wordsOf(evento)}</span>
            </li>
          </Fragment>
        )
      })}
    </ol>
  )
}
