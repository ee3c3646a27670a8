import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { type ContagemExportacao, contagemExportacaoSchema } from '@vigia/contracts/exportacao'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ownAddress } from '../../../api/base-path.ts'
import { formatFull } from '../../../base/tempo/format-time.ts'
import { formatBytes } from '../../../domains/locais/edges/edge-health.ts'
import { useServices } from '../../../session/services.ts'
import { useEmpresa } from '../../../session/use-empresa.ts'
import { formatNumber } from '../../../texts/locale.ts'
import { DialogButtons } from '../../../ui/dialog.tsx'
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

/** Export of a period: chooses and counts, then offers the archive, or the part of it that fits. */
export function ExportarPeriodo({ empresa, onClose }: ExportarPeriodoProps) {
  const [counted, setCounted] = useState<Counted | null>(null)
  return counted === null ? (
    <ChoosePeriod empresa={empresa} onCounted={setCounted} onClose={onClose} />
  ) : (
    <Download empresa={empresa} counted={counted} onClose={onClose} />
  )
}

interface ChoosePeriodProps extends ExportarPeriodoProps {
  readonly onCounted: (counted: Counted) => void
}

function ChoosePeriod({ empresa, onCounted, onClose }: ChoosePeriodProps) {
  const { t } = useTranslation()
  const { api } = useServices()
  const { fuso } = useEmpresa(empresa)
  const form = useApiForm({
    initial: initialPeriod(fuso),
    check: checkPeriod,
    sentence: (problem) => t(`retencao.periodo.${problem}`),
  })
  const count = useMutation({
    async mutationFn(values: Readonly<Record<CampoPeriodo, string>>) {
      const periodo = periodOf(values, fuso)
      const path = `/empresas/${empresa}/exportar/contagem?${periodSearch(periodo)}`
      onCounted({ periodo, contagem: await api.get(path, contagemExportacaoSchema) })
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
}

function Download({ empresa, counted: { periodo, contagem }, onClose }: DownloadProps) {
  const { t } = useTranslation()
  const { fuso } = useEmpresa(empresa)
  const { eventos, passagens, bytes, corte } = contagem
  const fim = corte ?? periodo.fim
  return (
    <InfoDialog title={t('retencao.exportacao.titulo')} size="lg" onClose={onClose}>
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
