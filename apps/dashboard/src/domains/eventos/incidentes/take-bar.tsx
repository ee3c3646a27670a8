import { Button } from '@mantine/core'
import { IconClock, IconUserCheck, IconUserX } from '@tabler/icons-react'
import { useRouteContext } from '@tanstack/react-router'
import type { Incidente } from '@vigia/contracts/incidentes'
import { useTranslation } from 'react-i18next'
import { formatAge, formatDuration } from '../../../base/tempo/format-time.ts'
import { useNow } from '../../../base/tempo/use-now.ts'
import classes from './take-bar.module.css'
import { type Answering, useMayWork } from './use-answer.ts'

interface TakeBarProps {
  readonly incidente: Pick<Incidente, 'inicio' | 'assumido' | 'atendimento'>
  readonly answering: Answering
}

/** Time without an answer, who takes care of the incidente, and the button that says so. */
export function TakeBar({ incidente: { inicio, assumido = null, atendimento }, answering }: TakeBarProps) {
  const { t } = useTranslation()
  const { me } = useRouteContext({ from: '/painel' })
  const mayWork = useMayWork()
  const now = useNow()
  const isOwn = assumido?.por === me.username
  const until = atendimento === null ? now : Date.parse(atendimento.atendido_em)
  const tempo = formatDuration(Math.max(0, until - Date.parse(inicio)))
  return (
    <div className={classes.bar}>
      <p className={classes.clock} data-espera={atendimento === null || undefined}>
        <IconClock size={18} aria-hidden="true" />
        {t(atendimento === null ? 'plantao.assumir.espera' : 'plantao.assumir.respondido', { tempo })}
      </p>
      <p className={classes.who}>
        {assumido === null
          ? t('plantao.assumir.ninguem')
          : t('plantao.assumir.cuida', { por: assumido.por, idade: formatAge(assumido.em, now) })}
      </p>
      {mayWork && atendimento === null && (
        <Button
          variant="default"
          size="sm"
          aria-keyshortcuts="U"
          leftSection={
            isOwn ? <IconUserX size={16} aria-hidden="true" /> : <IconUserCheck size={16} aria-hidden="true" />
          }
          onClick={() => answering.take(!isOwn)}
        >
          {t(isOwn ? 'plantao.assumir.soltar' : 'plantao.assumir.botao')}
        </Button>
      )}
    </div>
  )
}
