import { Checkbox, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { VigiaError } from '@vigia/contracts/errors'
import { ONVIF } from '@vigia/contracts/fabricantes'
import { type Gravador, gravadorSchema, resultadoCanalSchema } from '@vigia/contracts/gravadores'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useServices } from '../../../session/services.ts'
import { useAnnounce } from '../../../ui/announcer.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { useApiForm } from '../../../ui/use-api-form.ts'
import { shownName } from './gravador-cells.tsx'
import { AccessFields, typed } from './gravador-fields.tsx'
import { changeFormOf, changeOf, checkChange, checkOf, type FormularioMudanca } from './gravador-form.ts'

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
      <AccessFields
        form={form}
        isOnvif={gravador.fabricante === ONVIF}
        senha={{ label: t('gravadores.senhaNova'), description: t('gravadores.senhaMantem') }}
      />
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
