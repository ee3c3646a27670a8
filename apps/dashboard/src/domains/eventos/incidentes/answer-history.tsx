import type { Atendimento } from '@vigia/contracts/incidentes'
import { useTranslation } from 'react-i18next'
import type { Fuso } from '../../../base/tempo/format-time.ts'
import { Column } from '../../../ui/layout.tsx'
import { Soft } from '../../../ui/page.tsx'
import classes from './answer-history.module.css'
import { AnswerTrace } from './answer-trace.tsx'

interface AnswerHistoryProps {
  /** All of them, as far as they are loaded. */
  readonly atendimentos: readonly Atendimento[]
  /** The last one, which the alert stream may bring earlier; null: none. */
  readonly last: Atendimento | null
  readonly fuso: Fuso
}

/** All answers of an incidente with their notes, oldest first. */
export function AnswerHistory({ atendimentos, last, fuso }: AnswerHistoryProps) {
  const { t } = useTranslation()
  const isLoaded = last === null || atendimentos.some(({ atendido_em }) => atendido_em === last.atendido_em)
  const all = isLoaded ? atendimentos : [...atendimentos, last]
  return (
    <section>
      <h2 className={classes.heading}>{t('plantao.incidente.respostas')}</h2>
      {all.length === 0 && <Soft>{t('plantao.incidente.nenhumaResposta')}</Soft>}
      <Column gap={4} as="ul">
        {all.map((atendimento) => (
          <li key={atendimento.atendido_em}>
            <AnswerTrace atendimento={atendimento} fuso={fuso} />
            {atendimento.nota !== null && <p className={classes.note}>{atendimento.nota}</p>}
          </li>
        ))}
      </Column>
    </section>
  )
}
