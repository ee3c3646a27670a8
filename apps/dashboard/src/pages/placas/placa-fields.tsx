import { NativeSelect, TextInput } from '@mantine/core'
import { listasPlaca } from '@vigia/contracts/placas'
import { useTranslation } from 'react-i18next'
import type { ApiForm } from '../../ui/use-api-form.ts'
import { type CampoPlaca, validadesPlaca } from './placa-form.ts'

interface PlacaFieldsProps {
  readonly form: ApiForm<CampoPlaca>
  /** A first choice of the validity beside the number of days. */
  readonly sameEnd?: { readonly value: string; readonly label: string }
}

/** List, owner, note and validity of a plate. */
export function PlacaFields({ form, sameEnd }: PlacaFieldsProps) {
  const { t } = useTranslation()
  return (
    <>
      <NativeSelect
        label={t('placas.formulario.lista')}
        data={listasPlaca.map((value) => ({ value, label: t(`placas.situacao.${value}`) }))}
        {...form.field('lista')}
      />
      <TextInput label={t('placas.formulario.dono')} maxLength={200} autoComplete="off" {...form.field('dono')} />
      <TextInput label={t('placas.formulario.nota')} maxLength={500} autoComplete="off" {...form.field('nota')} />
      <NativeSelect
        label={t('placas.formulario.validade')}
        data={[
          ...(sameEnd ? [sameEnd] : []),
          ...validadesPlaca.map((value) => ({
            value,
            label: value === '' ? t('placas.listas.semFim') : t('placas.formulario.dias', { count: Number(value) }),
          })),
        ]}
        {...form.field('validade')}
      />
    </>
  )
}
