import { Checkbox, NativeSelect } from '@mantine/core'
import { gravidades } from '@vigia/contracts/ias'
import { certezasMin, continuacoesCanal, politicasCanal } from '@vigia/contracts/notificacoes'
import { useTranslation } from 'react-i18next'
import type { ApiForm } from '../../../ui/use-api-form.ts'
import { type CampoMensagem, horas, intervalos, relogio } from './canal-form.ts'

/** Choices of the messages that a canal sends beside its alerts: for what, how many, and when. */
export function MessageFields({ form }: { readonly form: ApiForm<CampoMensagem> }) {
  const { t } = useTranslation()
  const seconds = (value: string) =>
    Number(value) > 0 && Number(value) % 60 === 0
      ? t('canais.formulario.minutos', { count: Number(value) / 60 })
      : t('canais.formulario.segundos', { count: Number(value) })
  return (
    <>
      <NativeSelect
        label={t('canais.formulario.quedas')}
        data={(['sim', 'nao'] as const).map((value) => ({ value, label: t(`canais.formulario.${value}`) }))}
        {...form.field('quedas')}
      />
      <NativeSelect
        label={t('canais.formulario.gravidade')}
        data={gravidades.map((value) => ({ value, label: t(`avisos.niveis.${value}`) }))}
        {...form.field('gravidade_min')}
      />
      <NativeSelect
        label={t('canais.formulario.certeza')}
        data={certezasMin.map((value) => ({ value, label: t(`canais.formulario.certezas.${value}`) }))}
        {...form.field('certeza_min')}
      />
      <NativeSelect
        label={t('canais.formulario.agrupar')}
        data={(['sim', 'nao'] as const).map((value) => ({ value, label: t(`canais.formulario.agrupados.${value}`) }))}
        {...form.field('agrupar')}
      />
      {form.values.agrupar === 'sim' && (
        <NativeSelect
          label={t('canais.formulario.continuacao')}
          data={continuacoesCanal.map((value) => ({ value, label: t(`canais.formulario.continuacoes.${value}`) }))}
          {...form.field('continuacao')}
        />
      )}
      {form.values.agrupar === 'sim' && form.values.continuacao === 'intervalo' && (
        <NativeSelect
          label={t('canais.formulario.intervalo')}
          data={intervalos(form.values.intervalo_s).map((value) => ({ value, label: seconds(value) }))}
          {...form.field('intervalo_s')}
        />
      )}
      <NativeSelect
        label={t('canais.formulario.politica')}
        description={form.values.certeza_min === 'alta' ? t('canais.formulario.politicaSemEfeito') : undefined}
        data={politicasCanal.map((value) => ({ value, label: t(`canais.formulario.politicas.${value}`) }))}
        {...form.field('politica')}
      />
      <NativeSelect
        label={t('canais.formulario.resumo')}
        description={t('canais.formulario.resumoAjuda')}
        data={[
          { value: '', label: t('canais.formulario.semResumo') },
          ...horas.map((value) => ({ value, label: relogio(value) })),
        ]}
        {...form.field('resumo_hora')}
      />
      <Checkbox
        label={t('canais.formulario.placas')}
        description={t('canais.formulario.placasAjuda')}
        checked={form.values.placas === 'sim'}
        error={form.field('placas').error}
        onChange={(event) => form.set('placas', event.currentTarget.checked ? 'sim' : 'nao')}
      />
    </>
  )
}
