import { Button, Loader } from '@mantine/core'
import { IconDownload, IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { diagnosticoGravadorSchema } from '@vigia/contracts/diagnostico-gravador'
import type { Gravador } from '@vigia/contracts/gravadores'
import { useTranslation } from 'react-i18next'
import { useServices } from '../../../session/services.ts'
import { formatNumber } from '../../../texts/locale.ts'
import { downloadText } from '../../../ui/download-text.ts'
import { Failure } from '../../../ui/failure.tsx'
import { InfoDialog } from '../../../ui/info-dialog.tsx'
import { Row } from '../../../ui/layout.tsx'
import { Soft } from '../../../ui/page.tsx'
import { shownName } from './gravador-cells.tsx'
import classes from './gravador-diagnosis.module.css'

/** Dialog that has the edge run each read-only call on a gravador, and shows what each result means. */
export function GravadorDiagnosis({ gravador, onClose }: { gravador: Gravador; onClose: () => void }) {
  const { t } = useTranslation()
  const { api } = useServices()
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['gravador-diagnostico', gravador.id],
    queryFn: ({ signal }) => api.get(`/gravadores/${gravador.id}/diagnostico`, diagnosticoGravadorSchema, signal),
    // Each report is measured anew, and on demand only.
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  return (
    <InfoDialog
      title={t('gravadores.diagnostico.titulo', { nome: shownName(gravador) })}
      size="48rem"
      onClose={onClose}
    >
      {isFetching && (
        <p role="status">
          <Loader size={16} aria-hidden="true" /> {t('gravadores.diagnostico.perguntando')}
        </p>
      )}
      {error && !isFetching && <Failure error={error} onRetry={() => void refetch()} />}
      {data && !error && !isFetching && (
        <>
          <Soft>{t('gravadores.diagnostico.semSegredo')}</Soft>
          <ol className={classes.calls}>
            {data.chamadas.map(({ titulo, resultado, ms, significado }) => (
              <li key={titulo} data-ok={resultado === 'ok'}>
                <h3>{titulo}</h3>
                <p>
                  <strong>
                    {t(resultado === 'ok' ? 'gravadores.diagnostico.ok' : 'gravadores.diagnostico.falhou')}
                  </strong>{' '}
                  {significado}
                </p>
                <Soft>{t('gravadores.diagnostico.ms', { ms: formatNumber(ms) })}</Soft>
              </li>
            ))}
          </ol>
          <Row gap={6}>
            <Button
              leftSection={<IconDownload size={18} aria-hidden="true" />}
              onClick={() => downloadText(`vigia-gravador-${gravador.id}.txt`, data.texto)}
            >
              {t('gravadores.diagnostico.baixar')}
            </Button>
            <Button
              variant="default"
              leftSection={<IconRefresh size={18} aria-hidden="true" />}
              onClick={() => void refetch()}
            >
              {t('gravadores.diagnostico.deNovo')}
            </Button>
          </Row>
        </>
      )}
    </InfoDialog>
  )
}
