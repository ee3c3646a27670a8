import { NativeSelect, TextInput } from '@mantine/core'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiForm } from '../../../ui/use-api-form.ts'
import { NOVA_EMPRESA } from './camera-form.ts'
import type { CampoDono, Owner } from './use-owner.ts'

export interface OwnerFieldsProps {
  readonly owner: Owner
  readonly form: ApiForm<CampoDono>
}

/** Fields for the Empresa of a new record, with the default choice; empty if there is only one choice. */
export function OwnerFields({ owner: { empresas, mayCreate, obvious }, form: { field, set } }: OwnerFieldsProps) {
  const { t } = useTranslation()
  const empresa = field('empresa_id')
  const unset = empresa.value === '' && obvious !== ''
  useEffect(() => {
    if (unset) set('empresa_id', obvious)
  }, [unset, obvious, set])
  if (!mayCreate && empresas.length < 2) return null
  return (
    <>
      <NativeSelect
        label={t('cameras.formulario.empresa')}
        {...empresa}
        data={[
          { value: '', label: t('cameras.formulario.empresaEscolha') },
          ...empresas.map(({ id, nome }) => ({ value: String(id), label: nome })),
          ...(mayCreate ? [{ value: NOVA_EMPRESA, label: t('cameras.formulario.empresaNova') }] : []),
        ]}
      />
      {empresa.value === NOVA_EMPRESA && (
        <TextInput
          label={t('cameras.formulario.empresaNome')}
          maxLength={200}
          autoComplete="organization"
          {...field('empresa_nome')}
        />
      )}
    </>
  )
}
