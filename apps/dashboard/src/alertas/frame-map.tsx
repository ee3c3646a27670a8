import type { Caixa, Evento } from '@vigia/contracts/eventos'
import { useTranslation } from 'react-i18next'
import { formatConfidence } from '../tempo/format-time.ts'
import { ptBr } from '../texts/pt-br.ts'
import classes from './alert-detail.module.css'

/** The picture of an alert is a cutting: this shows where in the whole frame it was. Boxes are fractions of the frame. */
export function FrameMap({ evento }: { evento: Evento }) {
  const { t } = useTranslation()
  const name = useLabelName()
  return (
    <section className={classes.map}>
      <h3>{t('alertas.detalhe.onde')}</h3>
      <svg viewBox="0 0 160 90" role="img" aria-label={t('alertas.detalhe.mapa')}>
        {evento.caixas.map((caixa, index) => (
          <rect
            key={boxKey(caixa, index)}
            x={caixa.x * 160}
            y={caixa.y * 90}
            width={caixa.w * 160}
            height={caixa.h * 90}
            rx={1}
            fill="var(--v-accent)"
            fillOpacity={0.25}
            stroke="var(--v-accent)"
            strokeWidth={1.2}
          />
        ))}
      </svg>
      <ul>
        {evento.caixas.map((caixa, index) => (
          <li key={boxKey(caixa, index)}>
            {t('alertas.detalhe.caixa', { rotulo: name(caixa.rotulo), confianca: formatConfidence(caixa.confianca) })}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Boxes have no identity and never change: their place in the list is one. */
const boxKey = (caixa: Caixa, index: number): string => `${index}-${caixa.rotulo}`

/** A model's label in Portuguese; a label that we do not know is shown as it is. */
function useLabelName(): (label: string) => string {
  const { t } = useTranslation()
  return (label) => (Object.hasOwn(ptBr.rotulos, label) ? t(`rotulos.${label as keyof typeof ptBr.rotulos}`) : label)
}
