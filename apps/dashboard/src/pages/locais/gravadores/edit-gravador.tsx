import { Checkbox, PasswordInput, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { VigiaError } from '@vigia/contracts/errors'
import { type Gravador, gravadorSchema, resultadoCanalSchema } from '@vigia/contracts/gravadores'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useServices } from '../../../session/services.ts'
import { useAnnounce } from '../../../ui/announcer.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { useApiForm } from '../../../ui/use-api-form.ts'
import { shownName } from './gravador-card.tsx'
import { changeFormOf, changeOf, checkChange, checkOf, type FormularioMudanca, YES } from './gravador-form.ts'

const typed = { autoComplete: 'off', autoCapitalize: 'none', autoCorrect: 'off', spellCheck: false } as const

/** Changes name, address and credentials. Address and credentials are tried at the gravador before they are saved. */
export function EditGravador({ gravador, onClose }: { gravador: Gravador; onClose: () => void }) {
  const { t } = useTranslation()
  const { api, queries } = useServices()
  const announce = useAnnounce()
  /** The gravador did not answer, so that the user may save without the check. */
  const [silent, setSilent] = useState(false)
  const [unchecked, setUnchecked] = useState(false)
  const form = useApiForm({
    initial: changeFormOf(gravador),
    check: checkChange,
    sentence: (problem) => t(`gravadores.${problem}`),
  })
  const change = useMutation({
    async mutationFn(values: FormularioMudanca) {
      const patch = changeOf(gravador, values)
      if (!patch) return
      const check = unchecked ? null : checkOf(gravador, patch)
      if (check) await api.send('POST', '/gravadores/descobrir', check, resultadoCanalSchema.array())
      await api.send('PATCH', `/gravadores/${gravador.id}`, patch, gravadorSchema)
    },
    onSuccess() {
      for (const queryKey of [['gravadores'], ['cameras']]) void queries.invalidateQueries({ queryKey })
      announce(t('gravadores.salvo', { nome: shownName(gravador) }))
      onClose()
    },
    onError(error) {
      setSilent(error instanceof VigiaError && error.code === 'indisponivel')
      form.refuse(error)
    },
    // The cache must not keep the password.
    gcTime: 0,
  })
  const senha = form.field('senha')
  const emTexto = form.field('senha_em_texto')
  return (
    <FormDialog
      title={t('gravadores.mudarTitulo', { nome: shownName(gravador) })}
      submit={t(unchecked ? 'gravadores.salvar' : 'gravadores.conferirESalvar')}
      busy={change.isPending}
      form={form}
      onClose={onClose}
      onSubmit={change.mutate}
    >
      <TextInput label={t('gravadores.nome')} maxLength={200} autoComplete="off" {...form.field('nome')} />
      <TextInput label={t('gravadores.host')} maxLength={253} {...typed} {...form.field('host')} />
      <TextInput
        label={t(gravador.fabricante === 'onvif' ? 'gravadores.portaOnvif' : 'gravadores.porta')}
        inputMode="numeric"
        maxLength={5}
        {...typed}
        {...form.field('porta')}
      />
      {gravador.fabricante === 'onvif' && (
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
        label={t('gravadores.senhaNova')}
        description={t('gravadores.senhaMantem')}
        maxLength={200}
        visibilityToggleButtonProps={{ 'aria-label': t('sessao.exibirDescricao') }}
        {...typed}
        autoComplete="new-password"
        {...senha}
        aria-invalid={senha.error !== undefined}
      />
      {gravador.fabricante === 'onvif' && (
        <Checkbox
          label={t('gravadores.senhaEmTexto')}
          description={t('gravadores.senhaEmTextoAjuda')}
          checked={emTexto.value === YES}
          error={emTexto.error}
          onChange={({ currentTarget: { checked } }) => form.set('senha_em_texto', checked ? YES : '')}
        />
      )}
      <TextInput
        label={t('gravadores.canais')}
        inputMode="numeric"
        maxLength={3}
        {...typed}
        {...form.field('num_canais')}
      />
      <TextInput
        label={t('gravadores.conexoes')}
        description={t('gravadores.conexoesAjuda')}
        inputMode="numeric"
        maxLength={3}
        {...typed}
        {...form.field('max_conexoes')}
      />
      {silent && (
        <Checkbox
          checked={unchecked}
          onChange={({ currentTarget: { checked } }) => setUnchecked(checked)}
          label={t('gravadores.semConferir')}
          description={t('gravadores.semConferirAjuda')}
        />
      )}
    </FormDialog>
  )
}
