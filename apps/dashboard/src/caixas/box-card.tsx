import { ActionIcon, Button } from '@mantine/core'
import {
  IconAlertTriangle,
  IconHistory,
  IconPencil,
  IconReplace,
  IconStethoscope,
  IconTrash,
} from '@tabler/icons-react'
import type { Edge } from '@vigia/contracts/edges'
import type { Queda } from '@vigia/contracts/eventos'
import { useTranslation } from 'react-i18next'
import card from '../cameras/camera-card.module.css'
import { useEmpresa } from '../painel/use-empresa.ts'
import { DownSince } from '../quedas/outage-time.tsx'
import { formatFull, formatWhen } from '../tempo/format-time.ts'
import { useNow } from '../tempo/use-now.ts'
import classes from './box-card.module.css'
import { BoxFacts } from './box-facts.tsx'
import { BoxMeters } from './box-meters.tsx'
import { BoxStatus } from './box-status.tsx'

export type BoxTask = 'diagnosis' | 'outages' | 'replace' | 'edit' | 'remove'

export interface BoxCardProps {
  readonly caixa: Edge
  readonly mayWrite: boolean
  readonly showEmpresa: boolean
  /** Its outage that goes on. */
  readonly queda: Queda | null
  readonly onTask: (task: BoxTask) => void
}

/** One box: whether it is in contact, what has to be done about it, how it is, and the controls of an administrator. */
export function BoxCard({ caixa, mayWrite, showEmpresa, queda, onTask }: BoxCardProps) {
  const { t } = useTranslation()
  const { nome: empresa, fuso } = useEmpresa(caixa.empresa_id)
  const { nome, status } = caixa
  const waiting = status === 'aguardando'
  const owner = caixa.empresa_id === null ? t('caixas.local') : showEmpresa && empresa
  return (
    <article className={card.card} data-status={status} aria-label={nome}>
      <div className={card.head}>
        <h2 className={card.name}>{nome}</h2>
        <BoxStatus status={status} />
      </div>
      {owner && <p className={card.soft}>{owner}</p>}
      {caixa.status_detalhe && <p className={card.reason}>{caixa.status_detalhe}</p>}
      {queda && (
        <p className={card.down}>
          <DownSince queda={queda} fuso={fuso} />
        </p>
      )}
      <MemoryAlarm waiting={caixa.fila_memoria ?? 0} />
      <p className={card.facts}>
        {[t('caixas.cameras', { count: caixa.cameras }), caixa.versao && t('caixas.versao', { versao: caixa.versao })]
          .filter(Boolean)
          .join(' · ')}
        <br />
        <LastSeen caixa={caixa} fuso={fuso} />
      </p>
      {!waiting && (
        <div className={classes.health}>
          {status === 'offline' && <p className={card.soft}>{t('caixas.ultimoRelato')}</p>}
          <BoxMeters {...caixa} />
          <BoxFacts caixa={caixa} fuso={fuso} />
        </div>
      )}
      <div className={card.looks}>
        {!waiting && (
          <>
            {mayWrite && (
              <Button
                variant="default"
                size="sm"
                leftSection={<IconStethoscope size={17} />}
                aria-label={t('caixas.diagnosticarRotulo', { nome })}
                onClick={() => onTask('diagnosis')}
              >
                {t('caixas.diagnosticar')}
              </Button>
            )}
            <Button
              variant="subtle"
              color="gray"
              size="sm"
              leftSection={<IconHistory size={17} />}
              aria-label={t('caixas.quedasRotulo', { nome })}
              onClick={() => onTask('outages')}
            >
              {t('caixas.quedas')}
            </Button>
          </>
        )}
      </div>
      {mayWrite && (
        <div className={card.controls}>
          <Button
            variant="subtle"
            color="gray"
            size="sm"
            leftSection={<IconReplace size={17} />}
            aria-label={t(waiting ? 'caixas.novoCodigoRotulo' : 'caixas.trocarRotulo', { nome })}
            onClick={() => onTask('replace')}
          >
            {t(waiting ? 'caixas.novoCodigo' : 'caixas.trocar')}
          </Button>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={40}
            className={card.edit}
            aria-label={t('caixas.editarRotulo', { nome })}
            title={t('caixas.editar')}
            onClick={() => onTask('edit')}
          >
            <IconPencil size={19} />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={40}
            aria-label={t('caixas.removerRotulo', { nome })}
            title={t('caixas.remover')}
            onClick={() => onTask('remove')}
          >
            <IconTrash size={19} />
          </ActionIcon>
        </div>
      )}
    </article>
  )
}

/** Events that only the memory holds are lost with the power: the one thing here that cannot wait. */
function MemoryAlarm({ waiting }: { waiting: number }) {
  const { t } = useTranslation()
  if (waiting === 0) return null
  return (
    <p className={classes.alarm}>
      <IconAlertTriangle size={20} aria-hidden="true" />
      <span>{t('caixas.filaMemoria', { count: waiting })}</span>
    </p>
  )
}

function LastSeen({ caixa: { status, visto_em }, fuso }: { caixa: Edge; fuso: string | null }) {
  const { t } = useTranslation()
  const now = useNow()
  if (visto_em === null) return t('caixas.nuncaVista')
  if (status === 'online') return t('caixas.vistaAgora')
  return (
    <time dateTime={visto_em} title={formatFull(visto_em, fuso)}>
      {t('caixas.vista', { quando: formatWhen(visto_em, now, fuso) })}
    </time>
  )
}
