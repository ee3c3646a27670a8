import { NativeSelect, TextInput } from '@mantine/core'
import { nomesPerfis, perfil } from '@vigia/contracts/perfis'
import type { Ref } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './camera-dialog.module.css'
import type { CampoCamera, FormularioCamera } from './camera-form.ts'
import { OwnerFields, type OwnerFieldsProps } from './owner-fields.tsx'

export interface CameraFieldsProps {
  readonly ref: Ref<HTMLDivElement>
  readonly form: FormularioCamera
  readonly errors: Partial<Record<CampoCamera, string>>
  readonly onChange: (field: CampoCamera, value: string) => void
  /** Only for a new camera: Perfil and Empresa cannot change later. */
  readonly creation: Omit<OwnerFieldsProps, 'field'> | null
}

/** Attributes for addresses: no autocorrection by a phone's keyboard, and no password manager. */
const address = {
  autoComplete: 'off',
  autoCapitalize: 'none',
  autoCorrect: 'off',
  spellCheck: false,
  inputMode: 'url',
} as const

export function CameraFields({ ref, form, errors, onChange, creation }: CameraFieldsProps) {
  const { t } = useTranslation()
  const field = (name: CampoCamera) => ({
    name,
    value: form[name],
    error: errors[name],
    onChange: (event: { currentTarget: { value: string } }) => onChange(name, event.currentTarget.value),
  })
  const chosen = nomesPerfis.find((nome) => nome === form.perfil)
  return (
    <div className={classes.fields} ref={ref}>
      {creation && <OwnerFields {...creation} field={field} />}
      <TextInput
        label={t('cameras.formulario.nome')}
        placeholder={t('cameras.formulario.nomeExemplo')}
        maxLength={200}
        autoComplete="off"
        data-autofocus
        {...field('nome')}
      />
      <TextInput
        label={t('cameras.formulario.rtsp')}
        description={creation ? t('cameras.formulario.rtspAjuda') : t('cameras.formulario.rtspMascara')}
        placeholder={t('cameras.formulario.rtspExemplo')}
        maxLength={2048}
        {...address}
        {...field('rtsp_url')}
      />
      <TextInput
        label={t('cameras.formulario.sub')}
        description={t('cameras.formulario.subAjuda')}
        maxLength={2048}
        {...address}
        {...field('sub_rtsp_url')}
      />
      {creation && (
        <NativeSelect
          label={t('cameras.formulario.perfil')}
          description={chosen ? perfil(chosen).descricao : t('cameras.formulario.perfilAjuda')}
          {...field('perfil')}
          data={[
            { value: '', label: t('cameras.formulario.semPerfil') },
            ...nomesPerfis.map((nome) => ({ value: nome, label: perfil(nome).titulo })),
          ]}
        />
      )}
    </div>
  )
}
