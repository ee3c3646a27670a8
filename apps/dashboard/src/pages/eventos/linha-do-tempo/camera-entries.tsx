import { Link } from '@tanstack/react-router'
import { type LinhaDaCamera, MAX_MARCAS_CAMERA } from '@vigia/contracts/linha-do-tempo'
import { useTranslation } from 'react-i18next'
import type { Fuso } from '../../../base/tempo/format-time.ts'
import { SeverityTag } from '../../../domains/eventos/alertas/severity-tag.tsx'
import type { Span } from '../../../ui/hour-view.ts'
import { Wrapped } from '../../../ui/layout.tsx'
import { entriesOf, useEntryWords } from './entries.ts'
import classes from './linha.module.css'

interface CameraEntriesProps {
  readonly line: LinhaDaCamera
  readonly day: Span
  readonly fuso: Fuso
}

/** The day of a camera as a list, the newest entry first. */
export function CameraEntries({ line, day, fuso }: CameraEntriesProps) {
  const { t } = useTranslation()
  const words = useEntryWords(fuso)
  const entries = entriesOf(line, day).toReversed()
  if (entries.length === 0) return <p className={classes.none}>{t('linhaDoTempo.nada')}</p>
  return (
    <>
      {line.cortada && <p className={classes.none}>{t('linhaDoTempo.cortada', { total: MAX_MARCAS_CAMERA })}</p>}
      <ul className={classes.entries}>
        {entries.map((entry) => {
          const { hora, titulo, estado } = words(entry)
          const { key, em, incidente } = entry
          return (
            <li key={key} className={classes.entry}>
              <time dateTime={em}>{hora}</time>
              <Wrapped as="span">
                {incidente ? (
                  <>
                    <Link to="/incidentes/$id" params={{ id: incidente.id }}>
                      {titulo}
                    </Link>{' '}
                    <SeverityTag gravidade={incidente.gravidade} />
                  </>
                ) : (
                  titulo
                )}{' '}
                <span className={classes.soft}>{estado}</span>
              </Wrapped>
            </li>
          )
        })}
      </ul>
    </>
  )
}
