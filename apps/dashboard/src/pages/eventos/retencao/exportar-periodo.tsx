import { Button, Skeleton } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { type ContagemExportacao, contagemExportacaoSchema } from '@vigia/contracts/exportacao'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ownAddress } from '../../../api/base-path.ts'
import type { Api } from '../../../api/client.ts'
import { camerasQuery } from '../../../api/queries.ts'
import { formatFull } from '../../../base/tempo/format-time.ts'
import { formatBytes } from '../../../domains/locais/edges/edge-health.ts'
import { useServices } from '../../../session/services.ts'
import { useEmpresa } from '../../../session/use-empresa.ts'
import { formatNumber } from '../../../texts/locale.ts'
import { DialogButtons } from '../../../ui/dialog.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { InfoDialog } from '../../../ui/info-dialog.tsx'
import { useApiForm } from '../../../ui/use-api-form.ts'
import { type CampoPeriodo, checkPeriod, initialPeriod, PeriodFields, periodOf, periodSearch } from './periodo-form.tsx'

type Periodo = ReturnType<typeof periodOf>

interface Counted {
  readonly periodo: Periodo
  readonly contagem: ContagemExportacao
}

interface ExportarPeriodoProps {
  readonly empresa: number
  readonly onClose: () => void
}

const contagemQuery = (api: Api, empresa: number, periodo: Periodo) =>
  queryOptions({
    queryKey: ['contagem-exportacao', empresa, periodo],
    queryFn: ({ signal }) =>
      api.get(`/empresas/${empresa}/exportar/contagem?${periodSearch(periodo)}`, contagemExportacaoSchema, signal),
    staleTime: 0,
    retry: false,
  })

/** Export of a period: chooses and counts, then offers the archive, or the part of it that fits. */
export function ExportarPeriodo({ empresa, onClose }: ExportarPeriodoProps) {
  const [counted, setCounted] = useState<Counted | null>(null)
  return counted === null ? (
    <ChoosePeriod empresa={empresa} onCounted={setCounted} onClose={onClose} />
  ) : (
    <Download empresa={empresa} counted={counted} onClose={onClose} />
  )
}

interface ExportarTrechoProps extends ExportarPeriodoProps {
  readonly periodo: Periodo
}

/** Export of a part of a camera's day that was chosen on a bar. */
export function ExportarTrecho({ empresa, periodo, onClose }: ExportarTrechoProps) {
  const { t } = useTranslation()
  const { api } = useServices()
  const { fuso } = useEmpresa(empresa)
  const { inicio, fim, cameras } = periodo
  const { data: contagem, error, refetch } = useQuery(contagemQuery(api, empresa, periodo))
  const { data: known = [] } = useQuery(camerasQuery(api, empresa))
  const camera = known.find(({ id }) => cameras?.includes(id))?.nome ?? ''
  const trecho = t('retencao.exportacao.trecho', {
    camera,
    inicio: formatFull(inicio, fuso),
    fim: formatFull(fim, fuso),
  })
  if (contagem) return <Download empresa={empresa} counted={{ periodo, contagem }} onClose={onClose} trecho={trecho} />
  return (
    <InfoDialog title={t('retencao.exportacao.titulo')} size="lg" onClose={onClose}>
      <p>{trecho}</p>
      {error ? <Failure error={error} onRetry={() => void refetch()} /> : <Skeleton height={48} aria-busy="true" />}
    </InfoDialog>
  )
}

interface ChoosePeriodProps extends ExportarPeriodoProps {
  readonly onCounted: (counted: Counted) => void
}

function ChoosePeriod({ empresa, onCounted, onClose }: ChoosePeriodProps) {
  const { t } = useTranslation()
  const { api, queries } = useServices()
  const { fuso } = useEmpresa(empresa)
  const form = useApiForm({
    initial: initialPeriod(fuso),
    check: checkPeriod,
    sentence: (problem) => t(`retencao.periodo.${problem}`),
  })
  const count = useMutation({
    async mutationFn(values: Readonly<Record<CampoPeriodo, string>>) {
      const periodo = periodOf(values, fuso)
      onCounted({ periodo, contagem: await queries.fetchQuery(contagemQuery(api, empresa, periodo)) })
    },
    onError: form.refuse,
  })
  return (
    <FormDialog
      title={t('retencao.exportacao.titulo')}
      submit={t('retencao.periodo.contar')}
      busy={count.isPending}
      form={form}
      onClose={onClose}
      onSubmit={(values) => count.mutate(values)}
    >
      <p>{t('retencao.exportacao.ajuda')}</p>
      <PeriodFields form={form} empresa={empresa} />
    </FormDialog>
  )
}

interface DownloadProps extends ExportarPeriodoProps {
  readonly counted: Counted
  /** The period in words, if the person did not write it. */
  readonly trecho?: string
}

function Download({ empresa, counted: { periodo, contagem }, onClose, trecho }: DownloadProps) {
  const { t } = useTranslation()
  const { fuso } = useEmpresa(empresa)
  const { eventos, passagens, bytes, corte } = contagem
  const fim = corte ?? periodo.fim
  return (
    <InfoDialog title={t('retencao.exportacao.titulo')} size="lg" onClose={onClose}>
      {trecho !== undefined && <p>{trecho}</p>}
      {eventos + passagens === 0 ? (
        <p>{t('retencao.exportacao.nada')}</p>
      ) : (
        <p>
          {t('retencao.exportacao.contados', {
            count: eventos,
            eventos: formatNumber(eventos),
            tamanho: formatBytes(bytes),
          })}
          {passagens > 0 &&
            ` ${t('retencao.exportacao.passagens', { count: passagens, quantas: formatNumber(passagens) })}`}
        </p>
      )}
      {corte !== null && <p>{t('retencao.exportacao.partes', { corte: formatFull(corte, fuso) })}</p>}
      <DialogButtons>
        <Button variant="default" onClick={onClose}>
          {t('comum.fechar')}
        </Button>
        {eventos + passagens > 0 && (
          <Button
            component="a"
            href={ownAddress(`/api/v1/empresas/${empresa}/exportar?${periodSearch({ ...periodo, fim })}`)}
            download
            leftSection={<IconDownload size={18} aria-hidden="true" />}
          >
            {t('retencao.exportacao.baixar')}
          </Button>
        )}
      </DialogButtons>
    </InfoDialog>
  )
}
