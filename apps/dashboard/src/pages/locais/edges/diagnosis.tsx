import { Button, Loader } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { Edge } from '@vigia/contracts/edges'
import { useTranslation } from 'react-i18next'
import { diagnosticoQuery } from '../../../api/device-queries.ts'
import { formatClock } from '../../../base/tempo/format-time.ts'
import { useServices } from '../../../session/services.ts'
import { useEmpresa } from '../../../session/use-empresa.ts'
import { Failure } from '../../../ui/failure.tsx'
import { InfoDialog } from '../../../ui/info-dialog.tsx'
import classes from './diagnosis.module.css'
import { DiagnosisReport } from './diagnosis-report.tsx'

/** Dialog that requests and shows the diagnosis of an edge. */
export function Diagnosis({ edge, onClose }: { edge: Edge; onClose: () => void }) {
  const { t } = useTranslation()
  const { api } = useServices()
  const { fuso } = useEmpresa(edge.empresa_id)
  const { data, error, isFetching, refetch, dataUpdatedAt } = useQuery(diagnosticoQuery(api, edge.id))
  return (
    <InfoDialog title={t('caixas.diagnostico.titulo', { nome: edge.nome })} size="56rem" onClose={onClose}>
      {!data && isFetching && (
        <p role="status">
          <Loader size={16} aria-hidden="true" /> {t('caixas.diagnostico.perguntando')}
        </p>
      )}
      {error && !isFetching && <Failure error={error} onRetry={() => void refetch()} />}
      {data && !error && (
        <>
          <div className={classes.top}>
            <p>
              {t('caixas.diagnostico.respondido', { hora: formatClock(new Date(dataUpdatedAt).toISOString(), fuso) })}
            </p>
            <Button
              variant="default"
              size="sm"
              leftSection={<IconRefresh size={17} />}
              loading={isFetching}
              onClick={() => void refetch()}
            >
              {t('caixas.diagnostico.deNovo')}
            </Button>
          </div>
          <DiagnosisReport diagnostico={data} fuso={fuso} />
        </>
      )}
    </InfoDialog>
  )
}
