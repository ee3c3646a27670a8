import type { EventoDetalhe, EvidenciaVista } from '@vigia/contracts/eventos'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './evidencias.module.css'

/** Further pictures of the object of an event, in the order of their times. */
export function Evidencias({ evento }: { evento: EventoDetalhe }) {
  const { t } = useTranslation()
  if (evento.evidencias.length === 0) return null
  return (
    <ul className={classes.list} aria-label={t('plantao.evento.evidencias')}>
      {evento.evidencias
        .toSorted((a, b) => a.dt_ms - b.dt_ms)
        .map((evidencia) => (
          <Evidencia key={evidencia.ordem} evidencia={evidencia} />
        ))}
    </ul>
  )
}

function Evidencia({ evidencia: { dt_ms, fonte, url } }: { evidencia: EvidenciaVista }) {
  const { t, i18n } = useTranslation()
  const [failed, setFailed] = useState(false)
  if (failed) return null
  const s = new Intl.NumberFormat(i18n.language, { maximumFractionDigits: 1 }).format(Math.abs(dt_ms) / 1000)
  const when = t(dt_ms < 0 ? 'plantao.evento.antes' : 'plantao.evento.depois', { s })
  const text = fonte === 'principal' ? t('plantao.evento.doPrincipal', { quando: when }) : when
  return (
    <li>
      <figure>
        <img src={url} alt={text} decoding="async" loading="lazy" onError={() => setFailed(true)} />
        <figcaption>{text}</figcaption>
      </figure>
    </li>
  )
}
