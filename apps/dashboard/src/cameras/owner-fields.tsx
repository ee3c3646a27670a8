import { NativeSelect, TextInput } from '@mantine/core'
import type { Empresa } from '@vigia/contracts/empresas'
import { useTranslation } from 'react-i18next'
import { NOVA_EMPRESA } from './camera-form.ts'

interface FieldProps {
  readonly name: string
  readonly value: string
  readonly error: string | undefined
  readonly onChange: (event: { currentTarget: { value: string } }) => void
}

export interface OwnerFieldsProps {
  readonly empresas: readonly Empresa[]
  readonly mayCreate: boolean
  readonly field: (name: 'empresa_id' | 'empresa_nome') => FieldProps
}

/** Fields for the Empresa of a new camera or gravador; empty if there is only one choice. */
export function OwnerFields({ empresas, mayCreate, field }: OwnerFieldsProps) {
  const { t } = useTranslation()
  if (!mayCreate && empresas.length < 2) return null
  const empresa = field('empresa_id')
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
