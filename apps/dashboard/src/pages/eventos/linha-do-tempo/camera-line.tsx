import { Link } from '@tanstack/react-router'
import { type LinhaDaCamera, MAX_MARCAS_CAMERA } from '@vigia/contracts/linha-do-tempo'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { type Fuso, formatClock, formatFull } from '../../../base/tempo/format-time.ts'
import { useWhen } from '../../../base/tempo/use-when.ts'
import { SeverityTag } from '../../../domains/eventos/alertas/severity-tag.tsx'
import { useEmpresa } from '../../../session/use-empresa.ts'
import { textsOfIa } from '../../../texts/ia-texts.ts'
import { pageLocale } from '../../../texts/locale.ts'
import { FoldHead } from '../../../ui/fold.tsx'
import { Wrapped } from '../../../ui/layout.tsx'
import { DayTrack } from './day-track.tsx'
import classes from './linha.module.css'

interface CameraLineProps {
  readonly line: LinhaDaCamera
  readonly day: { readonly desde: number; readonly ate: number }
  readonly now: number
  /** Whether the list of the day is shown. */
  readonly open: boolean
  readonly onOpen: (camera: number, open: boolean) => void
}

/** One camera: its day as a track, and as a list when it is opened. The list says everything that the track shows. */
export const CameraLine = memo(({ line, day, now, open, onOpen }: CameraLineProps) => {
  const { t } = useTranslation()
  const { nome, fuso } = useEmpresa(line.empresa_id)
  const { incidentes, quedas } = line
  const counts = [
    ...(incidentes.length > 0 ? [t('linhaDoTempo.incidentes', { count: incidentes.length })] : []),
    ...(quedas.length > 0 ? [t('linhaDoTempo.quedas', { count: quedas.length })] : []),
  ]
  const marks = [
    ...quedas.map((queda) => ({ ...queda, key: `q${queda.id}`, kind: 'queda' as const })),
    ...incidentes.map((one) => ({ ...one, key: `i${one.id}`, kind: one.gravidade })),
  ]
  return (
    <div className={classes.line}>
      <details open={open} onToggle={(event) => onOpen(line.camera_id, event.currentTarget.open)}>
        <FoldHead className={classes.summary}>
          <span className={classes.name}>
            {line.camera_nome}
            <span className={classes.soft}>{[nome, ...counts].filter(Boolean).join(' · ')}</span>
          </span>
          <DayTrack marks={marks} day={day} now={now} />
        </FoldHead>
        {open && <Entries line={line} fuso={fuso} />}
      </details>
    </div>
  )
})

function Entries({ line: { incidentes, quedas, cortada }, fuso }: { line: LinhaDaCamera; fuso: Fuso }) {
  const { t } = useTranslation()
  const when = useWhen()
  const entries = [
    ...incidentes.map((incidente) => ({ em: incidente.inicio, incidente, queda: null })),
    ...quedas.map((queda) => ({ em: queda.inicio, incidente: null, queda })),
  ].toSorted((a, b) => Date.parse(b.em) - Date.parse(a.em))
  if (entries.length === 0) return <p className={classes.none}>{t('linhaDoTempo.nada')}</p>
  return (
    <>
      {cortada && <p className={classes.none}>{t('linhaDoTempo.cortada', { total: MAX_MARCAS_CAMERA })}</p>}
      <ul className={classes.entries}>
        {entries.map(({ em, incidente, queda }) => (
          <li key={incidente ? `i${incidente.id}` : `q${queda?.id}`} className={classes.entry}>
            <time dateTime={em}>
              {when({ em, incerta: incidente?.hora_incerta }, fuso, incidente?.hora_incerta ? formatFull : formatClock)}
            </time>
            {incidente && (
              <Wrapped as="span">
                <Link to="/incidentes/$id" params={{ id: incidente.id }}>
                  {incidente.tipos.length === 0
                    ? t('linhaDoTempo.semTipo')
                    : new Intl.ListFormat(pageLocale()).format(incidente.tipos.map((tipo) => textsOfIa(tipo).titulo))}
                </Link>{' '}
                <SeverityTag gravidade={incidente.gravidade} />{' '}
                <span className={classes.soft}>
                  {t(incidente.atendido ? 'linhaDoTempo.atendido' : 'linhaDoTempo.semResposta')}
                </span>
              </Wrapped>
            )}
            {queda && (
              <Wrapped as="span">
                {t('linhaDoTempo.legenda.queda')}{' '}
                <span className={classes.soft}>
                  {queda.fim === null
                    ? t('linhaDoTempo.ateAgora', { inicio: formatClock(queda.inicio, fuso) })
                    : t('linhaDoTempo.de', {
                        inicio: formatClock(queda.inicio, fuso),
                        fim: formatClock(queda.fim, fuso),
                      })}
                  {` · ${queda.motivo_texto}`}
                </span>
              </Wrapped>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}
