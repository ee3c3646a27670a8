import { Checkbox, NativeSelect, PasswordInput, TextInput } from '@mantine/core'
import { fabricantes, GENERICO, nomesFabricantes, ONVIF } from '@vigia/contracts/fabricantes'
import { useTranslation } from 'react-i18next'
import { OwnerFields } from '../../../domains/locais/cameras/owner-fields.tsx'
import type { Owner } from '../../../domains/locais/cameras/use-owner.ts'
import type { ApiForm } from '../../../ui/use-api-form.ts'
import { type CampoGravador, usualPort, YES } from './gravador-form.ts'

export interface GravadorFieldsProps {
  readonly form: ApiForm<CampoGravador>
  /** null: the Empresa is fixed. */
  readonly owner: Owner | null
}

const typed = { autoComplete: 'off', autoCapitalize: 'none', autoCorrect: 'off', spellCheck: false } as const

/** Address and credentials of the gravador. */
export function GravadorFields({ form, owner }: GravadorFieldsProps) {
  const { t } = useTranslation()
  const { field, set } = form
  const maker = field('fabricante')
  const senha = field('senha')
  const emTexto = field('senha_em_texto')
  return (
    <>
      {owner && <OwnerFields owner={owner} form={form} />}
      <NativeSelect
        label={t('gravadores.fabricante')}
        {...maker}
        onChange={({ currentTarget: { value } }) => {
          set('fabricante', value)
          set('porta', usualPort(value))
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
      {maker.value === ONVIF && (
        <TextInput
          label={t('gravadores.portaRtsp')}
          description={t('gravadores.portaRtspAjuda')}
          inputMode="numeric"
          maxLength={5}
          {...typed}
          {...field('porta_rtsp')}
        />
      )}
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
      {maker.value === ONVIF && (
        <Checkbox
          label={t('gravadores.senhaEmTexto')}
          description={t('gravadores.senhaEmTextoAjuda')}
          checked={emTexto.value === YES}
          error={emTexto.error}
          onChange={({ currentTarget: { checked } }) => set('senha_em_texto', checked ? YES : '')}
        />
      )}
      <TextInput label={t('gravadores.canais')} inputMode="numeric" maxLength={3} {...typed} {...field('num_canais')} />
    </>
  )
}
