import { Checkbox, TextInput } from '@mantine/core'
import { cameraPatchSchema } from '@vigia/contracts/cameras'
import { fieldsOf } from '@vigia/contracts/form-fields'
import { nomesPerfis } from '@vigia/contracts/perfis'
import { useTranslation } from 'react-i18next'
import type { ApiForm } from '../../../ui/use-api-form.ts'
import { asksPlates, type CampoCamera, SIM } from './camera-form.ts'
import { OwnerFields } from './owner-fields.tsx'
import { PerfilField } from './perfil-field.tsx'
import type { Owner } from './use-owner.ts'

export interface CameraFieldsProps {
  readonly form: ApiForm<CampoCamera>
  /** Only for a new camera: Perfil and Empresa cannot change later. */
  readonly owner: Owner | null
}

/** Length of each text, from the contract. */
const lengths = new Map(
  fieldsOf(cameraPatchSchema.shape).map((field) => [
    field.name,
    field.kind === 'text' && field.max !== null ? { maxLength: field.max } : {},
  ]),
)

/** Attributes for addresses: no autocorrection by a phone's keyboard, and no password manager. */
const address = {
  autoComplete: 'off',
  autoCapitalize: 'none',
  autoCorrect: 'off',
  spellCheck: false,
  inputMode: 'url',
} as const

export function CameraFields({ form, owner }: CameraFieldsProps) {
  const { t } = useTranslation()
  const { field } = form
  return (
    <>
      {owner && <OwnerFields owner={owner} form={form} />}
      <TextInput
        label={t('cameras.formulario.nome')}
        placeholder={t('cameras.formulario.nomeExemplo')}
        {...lengths.get('nome')}
        autoComplete="off"
        data-autofocus
        {...field('nome')}
      />
      <TextInput
        label={t('cameras.formulario.rtsp')}
        description={owner ? t('cameras.formulario.rtspAjuda') : t('cameras.formulario.rtspMascara')}
        placeholder={t('cameras.formulario.rtspExemplo')}
        {...lengths.get('rtsp_url')}
        {...address}
        {...field('rtsp_url')}
      />
      <TextInput
        label={t('cameras.formulario.sub')}
        description={t('cameras.formulario.subAjuda')}
        {...lengths.get('sub_rtsp_url')}
        {...address}
        {...field('sub_rtsp_url')}
      />
      {owner && <PerfilField {...field('perfil')} />}
      {owner && <PlatesField form={form} />}
    </>
  )
}

/** Whether the new camera reads plates, if its Perfil does. */
function PlatesField({ form }: Pick<CameraFieldsProps, 'form'>) {
  const { t } = useTranslation()
  const nome = nomesPerfis.find((one) => one === form.values.perfil)
  if (nome === undefined || !asksPlates(nome)) return null
  return (
    <Checkbox
      label={t('cameras.formulario.placas')}
      checked={form.values.placas === SIM}
      onChange={(event) => form.set('placas', event.currentTarget.checked ? SIM : '')}
    />
  )
}
