import { NativeSelect, TextInput } from '@mantine/core'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Soft } from '../../../ui/page.tsx'
import type { ApiForm } from '../../../ui/use-api-form.ts'
import { NOVA_EMPRESA } from './camera-form.ts'
import type { CampoDono, Owner } from './use-owner.ts'

export interface OwnerFieldsProps {
  readonly owner: Owner
  readonly form: ApiForm<CampoDono>
}

/** Names the Empresa of a new record, and lets the person choose it if there is more than one choice. */
export function OwnerFields({ owner, form: { field, set } }: OwnerFieldsProps) {
  const { t } = useTranslation()
  const { empresas, mayCreate, obvious, demonstracao } = owner
  const empresa = field('empresa_id')
  const unset = empresa.value === '' && obvious !== ''
  useEffect(() => {
    if (unset) set('empresa_id', obvious)
  }, [unset, obvious, set])
  const only = empresas.find(({ id }) => String(id) === (empresa.value || obvious))
  if (!mayCreate && empresas.length === 1 && only)
    return <Soft>{t('cameras.formulario.empresaUnica', { nome: only.nome })}</Soft>
  return (
    <>
      <NativeSelect
        label={t('cameras.formulario.empresa')}
        {...(demonstracao !== null && {
          description: t('cameras.formulario.empresaDemonstracao', { nome: demonstracao }),
        })}
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
