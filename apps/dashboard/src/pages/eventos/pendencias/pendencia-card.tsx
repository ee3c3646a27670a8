import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { Pendencia } from '@vigia/contracts/pendencias'
import { useTranslation } from 'react-i18next'
import { formatWhen } from '../../../base/tempo/format-time.ts'
import { useNow } from '../../../base/tempo/use-now.ts'
import { useEmpresa } from '../../../session/use-empresa.ts'
import { RecordKind, RecordName, RecordReason, RecordRow, RecordWhen } from '../../../ui/record.tsx'
import classes from './pendencias.module.css'

export interface PendenciaCardProps {
  readonly pendencia: Pendencia
  readonly busy: boolean
  readonly onRetry: () => void
}

export function PendenciaCard({ pendencia, busy, onRetry }: PendenciaCardProps) {
  const { t } = useTranslation()
  const now = useNow()
  const { id, tipo, empresa_id, evento_id, canal_id, camera_nome, motivo, tentativas, parada_em, proxima_em } =
    pendencia
  const { nome, fuso } = useEmpresa(empresa_id)
  const about = [camera_nome, nome, canal_id !== null && t('pendencias.canal', { id: canal_id })].filter(Boolean)
  return (
    <RecordRow data-testid="pendencia">
      <RecordName>
        {t(`pendencias.tipo.${tipo}`)}
        <RecordKind>{about.join(' · ')}</RecordKind>
      </RecordName>
      <RecordReason>{motivo}</RecordReason>
      <RecordWhen>
        {t('pendencias.tentativas', { count: tentativas })}
        {' · '}
        {t('pendencias.parada', { quando: formatWhen(parada_em, now, fuso) })}
        {' · '}
        {proxima_em === null
          ? t('pendencias.semProxima')
          : t('pendencias.proxima', { quando: formatWhen(proxima_em, now, fuso) })}
      </RecordWhen>
      <div className={classes.controls}>
        <Button
          variant="default"
          size="sm"
          leftSection={<IconRefresh size={17} />}
          aria-label={t('pendencias.repetirRotulo', { id })}
          disabled={busy}
          onClick={onRetry}
        >
          {t('pendencias.repetir')}
        </Button>
        {evento_id !== null && (
          <Link to="/eventos/$id" params={{ id: evento_id }}>
            {t('pendencias.evento', { id: evento_id })}
          </Link>
        )}
      </div>
    </RecordRow>
  )
}
