import { Checkbox, NativeSelect, PasswordInput, TextInput } from '@mantine/core'
import { fabricantes, GENERICO, nomesFabricantes, ONVIF } from '@vigia/contracts/fabricantes'
import { useTranslation } from 'react-i18next'
import { OwnerFields } from '../../../domains/locais/cameras/owner-fields.tsx'
import type { Owner } from '../../../domains/locais/cameras/use-owner.ts'
import type { ApiForm } from '../../../ui/use-api-form.ts'
import { type CampoGravador, fieldsOfMaker, YES } from './gravador-form.ts'

export interface GravadorFieldsProps {
  readonly form: ApiForm<CampoGravador>
  /** null: the Empresa is fixed. */
  readonly owner: Owner | null
}

/** Nothing corrects what is typed: an address, a login. */
export const typed = { autoComplete: 'off', autoCapitalize: 'none', autoCorrect: 'off', spellCheck: false } as const

/** Address and credentials of the gravador. */
export function GravadorFields({ form, owner }: GravadorFieldsProps) {
  const { t } = useTranslation()
  const { field, set } = form
  const maker = field('fabricante')
  return (
    <>
      {owner && <OwnerFields owner={owner} form={form} />}
      <NativeSelect
        label={t('gravadores.fabricante')}
        {...maker}
        onChange={({ currentTarget: { value } }) => {
          for (const [name, text] of Object.entries(fieldsOfMaker(value, form.values))) set(name as CampoGravador, text)
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
      <AccessFields
        form={form}
        isOnvif={maker.value === ONVIF}
        senha={{ label: t('gravadores.senha') }}
        onPorta={() => set('porta_mantida', YES)}
      />
      <TextInput label={t('gravadores.canais')} inputMode="numeric" maxLength={3} {...typed} {...field('num_canais')} />
    </>
  )
}

interface AccessFieldsProps {
  readonly form: Pick<ApiForm<'porta' | 'porta_rtsp' | 'usuario' | 'senha' | 'senha_em_texto'>, 'field' | 'set'>
  readonly isOnvif: boolean
  /** Texts of the password. */
  readonly senha: { readonly label: string; readonly description?: string }
  /** A person types into the port. */
  readonly onPorta?: () => void
}

/** Ports and credentials. */
export function AccessFields({ form, isOnvif, senha: labels, onPorta }: AccessFieldsProps) {
  const { t } = useTranslation()
  const senha = form.field('senha')
  const emTexto = form.field('senha_em_texto')
  return (
    <>
      <TextInput
        label={t(isOnvif ? 'gravadores.portaOnvif' : 'gravadores.porta')}
        inputMode="numeric"
        maxLength={5}
        {...typed}
        {...form.field('porta')}
        onInput={onPorta}
      />
      {isOnvif && (
        <TextInput
          label={t('gravadores.portaRtsp')}
          description={t('gravadores.portaRtspAjuda')}
          inputMode="numeric"
          maxLength={5}
          {...typed}
          {...form.field('porta_rtsp')}
        />
      )}
      <TextInput label={t('gravadores.usuario')} maxLength={200} {...typed} {...form.field('usuario')} />
      <PasswordInput
        {...labels}
        maxLength={200}
        visibilityToggleButtonProps={{ 'aria-label': t('sessao.exibirDescricao') }}
        {...typed}
        autoComplete="new-password"
        {...senha}
        aria-invalid={senha.error !== undefined}
      />
      {isOnvif && (
        <Checkbox
          label={t('gravadores.senhaEmTexto')}
          description={t('gravadores.senhaEmTextoAjuda')}
          checked={emTexto.value === YES}
          error={emTexto.error}
          onChange={({ currentTarget: { checked } }) => form.set('senha_em_texto', checked ? YES : '')}
        />
      )}
    </>
  )
}
