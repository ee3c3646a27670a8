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
import { formatFull, formatWhen } from '../../../base/tempo/format-time.ts'
import { useNow } from '../../../base/tempo/use-now.ts'
import { DownSince } from '../../../domains/eventos/quedas/queda-time.tsx'
import { useEmpresa } from '../../../session/use-empresa.ts'
import {
  Card,
  CardAlarm,
  CardControls,
  CardFacts,
  CardHead,
  CardName,
  CardReason,
  CardSoft,
  CardViews,
} from '../../../ui/card.tsx'
import { CardButton, CardIcon } from '../../../ui/card-buttons.tsx'
import { Measurements } from '../../../ui/facts.tsx'
import classes from './edge-card.module.css'
import { EdgeFacts } from './edge-facts.tsx'
import { EdgeMeters } from './edge-meters.tsx'
import { EdgeStatus } from './edge-status.tsx'

export type EdgeTask = 'diagnosis' | 'quedas' | 'replace' | 'edit' | 'remove'

export interface EdgeCardProps {
  readonly edge: Edge
  readonly mayWrite: boolean
  readonly showEmpresa: boolean
  /** Its open queda. */
  readonly queda: Queda | null
  readonly onTask: (task: EdgeTask) => void
}

/** Card of one edge: connection, warnings, measurements and the controls of an administrator. */
export function EdgeCard({ edge, mayWrite, showEmpresa, queda, onTask }: EdgeCardProps) {
  const { t } = useTranslation()
  const { nome: empresa, fuso } = useEmpresa(edge.empresa_id)
  const { nome, status } = edge
  const waiting = status === 'aguardando'
  const owner = edge.empresa_id === null ? t('caixas.local') : showEmpresa && empresa
  return (
    <Card data-status={status} aria-label={nome}>
      <CardHead>
        <CardName>{nome}</CardName>
        <EdgeStatus status={status} />
      </CardHead>
      {owner && <CardSoft>{owner}</CardSoft>}
      {edge.status_detalhe && <CardReason>{edge.status_detalhe}</CardReason>}
      {queda && (
        <CardAlarm>
          <DownSince queda={queda} fuso={fuso} />
        </CardAlarm>
      )}
      <MemoryAlarm waiting={edge.fila_memoria ?? 0} />
      <CardFacts>
        {[t('caixas.cameras', { count: edge.cameras }), edge.versao && t('caixas.versao', { versao: edge.versao })]
          .filter(Boolean)
          .join(' · ')}
        <br />
        <LastSeen edge={edge} fuso={fuso} />
      </CardFacts>
      {!waiting && (
        <Measurements>
          {status === 'offline' && <CardSoft>{t('caixas.ultimoRelato')}</CardSoft>}
          <EdgeMeters {...edge} />
          <EdgeFacts edge={edge} fuso={fuso} />
        </Measurements>
      )}
      <CardViews>
        {!waiting && (
          <>
            {mayWrite && (
              <CardButton
                variant="default"
                icon={IconStethoscope}
                label={t('caixas.diagnosticarRotulo', { nome })}
                onClick={() => onTask('diagnosis')}
              >
                {t('caixas.diagnosticar')}
              </CardButton>
            )}
            <CardButton icon={IconHistory} label={t('caixas.quedasRotulo', { nome })} onClick={() => onTask('quedas')}>
              {t('caixas.quedas')}
            </CardButton>
          </>
        )}
      </CardViews>
      {mayWrite && (
        <CardControls>
          <CardButton
            icon={IconReplace}
            label={t(waiting ? 'caixas.novoCodigoRotulo' : 'caixas.trocarRotulo', { nome })}
            onClick={() => onTask('replace')}
          >
            {t(waiting ? 'caixas.novoCodigo' : 'caixas.trocar')}
          </CardButton>
          <CardIcon
            atEnd
            icon={IconPencil}
            label={t('caixas.editarRotulo', { nome })}
            title={t('caixas.editar')}
            onClick={() => onTask('edit')}
          />
          <CardIcon
            icon={IconTrash}
            label={t('caixas.removerRotulo', { nome })}
            title={t('caixas.remover')}
            onClick={() => onTask('remove')}
          />
        </CardControls>
      )}
    </Card>
  )
}

/** Urgent: events that are only in memory are lost at a power failure. */
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

function LastSeen({ edge: { status, visto_em }, fuso }: { edge: Edge; fuso: string | null }) {
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
