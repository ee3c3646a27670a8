import { TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import {
  type ApagamentoCreate,
  apagamentoSchema,
  type ContagemApagamento,
  contagemApagamentoSchema,
} from '@vigia/contracts/apagamentos'
import { normalizePlaca, PLACA } from '@vigia/contracts/placas'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatFull } from '../../../base/tempo/format-time.ts'
import { useServices } from '../../../session/services.ts'
import { useEmpresa } from '../../../session/use-empresa.ts'
import { formatNumber } from '../../../texts/locale.ts'
import { useAnnounce } from '../../../ui/announcer.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { formErrors } from '../../../ui/form-errors.ts'
import { useApiForm } from '../../../ui/use-api-form.ts'
import { Fact } from './fact-section.tsx'
import { Ficam } from './ficam.tsx'
import { type CampoPeriodo, checkPeriod, initialPeriod, PeriodFields, periodOf, periodSearch } from './periodo-form.tsx'

interface Counted {
  readonly request: Omit<ApagamentoCreate, 'contagem'>
  readonly contagem: ContagemApagamento
}

interface ApagarPeriodoProps {
  readonly empresa: number
  readonly onClose: () => void
}

/** Deletion by period: chooses and counts, then shows the numbers and deletes. */
export function ApagarPeriodo({ empresa, onClose }: ApagarPeriodoProps) {
  const [counted, setCounted] = useState<Counted | null>(null)
  return counted === null ? (
    <ChoosePeriod empresa={empresa} onCounted={setCounted} onClose={onClose} />
  ) : (
    <ConfirmPeriod empresa={empresa} counted={counted} onClose={onClose} />
  )
}

type Campo = CampoPeriodo | 'motivo' | 'placa'

interface ChoosePeriodProps extends ApagarPeriodoProps {
  readonly onCounted: (counted: Counted) => void
}

function ChoosePeriod({ empresa, onCounted, onClose }: ChoosePeriodProps) {
  const { t } = useTranslation()
  const { api } = useServices()
  const { fuso } = useEmpresa(empresa)
  const form = useApiForm<Campo, 'semDia' | 'semCamera' | 'semMotivo' | 'placaErrada'>({
    initial: { ...initialPeriod(fuso), motivo: '', placa: '' },
    check: (values) => ({
      ...checkPeriod(values),
      ...(values.motivo.trim() === '' && { motivo: 'semMotivo' as const }),
      ...(values.placa.trim() !== '' && !PLACA.test(normalizePlaca(values.placa)) && { placa: 'placaErrada' as const }),
    }),
    sentence: (problem) => t(`retencao.periodo.${problem}`),
  })
  const count = useMutation({
    async mutationFn(values: Readonly<Record<Campo, string>>) {
      const { motivo, placa, ...days } = values
      const periodo = periodOf(days, fuso)
      const only = placa.trim() === '' ? {} : { placa: normalizePlaca(placa) }
      const search = [periodSearch(periodo), ...Object.entries(only).map((pair) => pair.join('='))].join('&')
      const path = `/empresas/${empresa}/apagamentos/contagem?${search}`
      onCounted({ request: { ...periodo, ...only, motivo }, contagem: await api.get(path, contagemApagamentoSchema) })
    },
    onError: form.refuse,
  })
  return (
    <FormDialog
      title={t('retencao.periodo.titulo')}
      submit={t('retencao.periodo.contar')}
      busy={count.isPending}
      form={form}
      onClose={onClose}
      onSubmit={(values) => count.mutate(values)}
    >
      <p>{t('retencao.periodo.ajuda')}</p>
      <PeriodFields form={form} empresa={empresa} />
      <TextInput
        label={t('retencao.periodo.placa')}
        description={t('retencao.periodo.placaAjuda')}
        maxLength={20}
        autoComplete="off"
        {...form.field('placa')}
      />
      <TextInput
        label={t('retencao.periodo.motivo')}
        description={t('retencao.periodo.motivoAjuda')}
        maxLength={500}
        autoComplete="off"
        {...form.field('motivo')}
      />
    </FormDialog>
  )
}

const COUNTED = ['eventos', 'imagens', 'clipes', 'passagens', 'gravacoes', 'descartados'] as const

interface ConfirmPeriodProps extends ApagarPeriodoProps {
  readonly counted: Counted
}

function ConfirmPeriod({ empresa, counted: { request, contagem }, onClose }: ConfirmPeriodProps) {
  const { t } = useTranslation()
  const { api, queries } = useServices()
  const { fuso } = useEmpresa(empresa)
  const announce = useAnnounce()
  const { eventos, gravacoes, passagens, preservados, preservados_ids: ids, de, ate } = contagem
  const isEmpty = COUNTED.every((name) => contagem[name] === 0)
  const removal = useMutation({
    mutationFn: () =>
      api.send(
        'POST',
        `/empresas/${empresa}/apagamentos`,
        { ...request, contagem: { eventos, gravacoes, preservados, passagens } },
        apagamentoSchema,
      ),
    onSuccess() {
      void queries.invalidateQueries({ queryKey: ['apagamentos'] })
      announce(t('retencao.periodo.anuncio'))
      onClose()
    },
  })
  return (
    <Dialog
      danger={!isEmpty}
      title={t('retencao.periodo.conferir')}
      submit={t(isEmpty ? 'comum.fechar' : 'retencao.periodo.apagar')}
      busy={removal.isPending}
      failure={removal.error ? formErrors(removal.error, []).general : null}
      onClose={onClose}
      onSubmit={() => (isEmpty ? onClose() : removal.mutate())}
    >
      {isEmpty ? (
        <p>{t('retencao.periodo.nada')}</p>
      ) : (
        <>
          <p>{t('retencao.periodo.semVolta')}</p>
          <Facts>
            {COUNTED.map((name) => (
              <Fact key={name} name={t(`retencao.periodo.contados.${name}`)}>
                {formatNumber(contagem[name])}
              </Fact>
            ))}
          </Facts>
          {de !== null && ate !== null && (
            <p>{t('retencao.periodo.eventosDe', { de: formatFull(de, fuso), ate: formatFull(ate, fuso) })}</p>
          )}
        </>
      )}
      {preservados > 0 && (
        <p>{t('retencao.periodo.ficam', { count: preservados, ids: ids.map((id) => `nº ${id}`).join(', ') })}</p>
      )}
      <Ficam ficam={contagem.ficam.filter(({ dado }) => dado !== 'eventos')} />
    </Dialog>
  )
}
