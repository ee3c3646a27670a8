import { NativeSelect, PasswordInput, TextInput } from '@mantine/core'
import { fabricantes, GENERICO, nomesFabricantes, ONVIF } from '@vigia/contracts/fabricantes'
import type { Ref } from 'react'
import { useTranslation } from 'react-i18next'
import classes from '../cameras/camera-dialog.module.css'
import { OwnerFields, type OwnerFieldsProps } from '../cameras/owner-fields.tsx'
import { type CampoGravador, usualPort } from './gravador-form.ts'

export interface GravadorFieldsProps {
  readonly ref: Ref<HTMLDivElement>
  readonly field: (name: CampoGravador) => {
    readonly name: string
    readonly value: string
    readonly error: string | undefined
    readonly onChange: (event: { currentTarget: { value: string } }) => void
  }
  readonly onChange: (field: CampoGravador, value: string) => void
  readonly owner: Omit<OwnerFieldsProps, 'field'>
}

const typed = { autoComplete: 'off', autoCapitalize: 'none', autoCorrect: 'off', spellCheck: false } as const

/** Address and credentials of the gravador. */
export function GravadorFields({ ref, field, onChange, owner }: GravadorFieldsProps) {
  const { t } = useTranslation()
  const maker = field('fabricante')
  const senha = field('senha')
  return (
    <div className={classes.fields} ref={ref}>
      <OwnerFields {...owner} field={field} />
      <NativeSelect
        label={t('gravadores.fabricante')}
        {...maker}
        onChange={({ currentTarget: { value } }) => {
          onChange('fabricante', value)
          onChange('porta', usualPort(value))
        }}
        data={[
          ...nomesFabricantes.map((nome) => {
            const { titulo, confianca } = fabricantes[nome]
            return { value: nome, label: confianca === 'C' ? `${titulo} (${t('gravadores.naoVerificado')})` : titulo }
          }),
          { value: ONVIF, label: t('gravadores.onvif') },
          { value: GENERICO, label: t('gravadores.generico') },
        ]}
      />
      {maker.value === GENERICO && (
        <TextInput
          label={t('gravadores.modelo')}
          description={t('gravadores.modeloAjuda')}
          placeholder="{base}/canal{channel}"
          maxLength={1024}
          {...typed}
          {...field('url_template')}
        />
      )}
      <TextInput
        label={t('gravadores.host')}
        placeholder="192.168.0.20"
        maxLength={253}
        data-autofocus
        {...typed}
        {...field('host')}
      />
      <TextInput
        label={t(maker.value === ONVIF ? 'gravadores.portaOnvif' : 'gravadores.porta')}
        inputMode="numeric"
        maxLength={5}
        {...typed}
        {...field('porta')}
      />
      <TextInput label={t('gravadores.usuario')} maxLength={200} {...typed} {...field('usuario')} />
      <PasswordInput
        label={t('gravadores.senha')}
        maxLength={200}
        visibilityToggleButtonProps={{ 'aria-label': t('sessao.exibirDescricao') }}
        {...typed}
        autoComplete="new-password"
        {...senha}
        aria-invalid={senha.error !== undefined}
      />
      <TextInput label={t('gravadores.canais')} inputMode="numeric" maxLength={3} {...typed} {...field('num_canais')} />
    </div>
  )
}
