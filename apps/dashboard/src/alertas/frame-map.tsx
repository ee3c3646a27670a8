import type { Caixa, Evento } from '@vigia/contracts/eventos'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatConfidence } from '../tempo/format-time.ts'
import { useLabelName } from '../texts/label-name.ts'
import classes from './alerta-detail.module.css'
import { polylineOf } from './alerta-measured.ts'

/** The whole frame of an alert with its detections marked. The picture of the alert itself is a crop. */
export function FrameMap({ evento }: { evento: Evento }) {
  const { t } = useTranslation()
  const name = useLabelName()
  const [failed, setFailed] = useState(false)
  const way = polylineOf(evento)
  const frameUrl = evento.crop_url && `${evento.crop_url}?imagem=quadro`
  return (
    <section className={classes.map}>
      <h3>{t('alertas.detalhe.onde')}</h3>
      <div className={classes.frame} data-empty={frameUrl === null || failed || undefined}>
        {frameUrl !== null && !failed && <img src={frameUrl} alt="" decoding="async" onError={() => setFailed(true)} />}
        <svg viewBox="0 0 1 1" preserveAspectRatio="none" role="img" aria-label={t('alertas.detalhe.mapa')}>
          {evento.caixas.map((caixa, index) => (
            <rect key={rectKey(caixa, index)} x={caixa.x} y={caixa.y} width={caixa.w} height={caixa.h} />
          ))}
          {way !== null && <polyline points={way} />}
        </svg>
      </div>
      <ul>
        {evento.caixas.map((caixa, index) => (
          <li key={rectKey(caixa, index)}>
            {t('alertas.detalhe.caixa', { rotulo: name(caixa.rotulo), confianca: formatConfidence(caixa.confianca) })}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Boxes have no id and never change, so that their index is a stable key. */
const rectKey = (caixa: Caixa, index: number): string => `${index}-${caixa.rotulo}`
