import type { IncidenteDetalhe } from '@vigia/contracts/incidentes'
import { useTranslation } from 'react-i18next'
import type { Fuso } from '../../../base/tempo/format-time.ts'
import { Column } from '../../../ui/layout.tsx'
import classes from './answer-history.module.css'
import { AnswerTrace } from './answer-trace.tsx'

interface AnswerHistoryProps {
  readonly atendimentos: IncidenteDetalhe['atendimentos']
  readonly fuso: Fuso
}

/** All answers of an incidente with their notes, oldest first. */
export function AnswerHistory({ atendimentos, fuso }: AnswerHistoryProps) {
  const { t } = useTranslation()
  return (
    <section>
      <h2 className={classes.heading}>{t('plantao.incidente.respostas')}</h2>
      {atendimentos.length === 0 && <p className={classes.none}>{t('plantao.incidente.nenhumaResposta')}</p>}
      <Column gap={4} as="ul">
        {atendimentos.map((atendimento) => (
          <li key={atendimento.atendido_em}>
            <AnswerTrace atendimento={atendimento} fuso={fuso} />
            {atendimento.nota !== null && <p className={classes.note}>{atendimento.nota}</p>}
          </li>
        ))}
      </Column>
    </section>
  )
}
