import { IconCheck, IconQuestionMark, IconX } from '@tabler/icons-react'
import type { Atendimento } from '@vigia/contracts/incidentes'
import { useTranslation } from 'react-i18next'
import { type Fuso, formatClockMinute, formatMoment } from '../../../base/tempo/format-time.ts'
import { useNow } from '../../../base/tempo/use-now.ts'
import classes from './answer-trace.module.css'

const icons = { verdadeiro: IconCheck, falso: IconX, nao_sei: IconQuestionMark } as const
const DAY_MS = 86_400_000

/** The answer of a person with login and time: "Falso: atendido por ana às 02:14". */
export function AnswerTrace({ atendimento, fuso }: { atendimento: Atendimento; fuso: Fuso }) {
  const { t } = useTranslation()
  const now = useNow()
  const { resposta, revisor, atendido_em } = atendimento
  const Icon = icons[resposta]
  const values = { resposta: t(`plantao.resposta.${resposta}`), revisor }
  const isRecent = now - Date.parse(atendido_em) < DAY_MS
  return (
    <span className={classes.trace} data-resposta={resposta}>
      <Icon size={16} aria-hidden="true" />
      <span>
        {isRecent
          ? t('plantao.incidente.atendido', { ...values, hora: formatClockMinute(atendido_em, fuso) })
          : t('plantao.incidente.atendidoDia', { ...values, quando: formatMoment(atendido_em, now, fuso) })}
      </span>
    </span>
  )
}
