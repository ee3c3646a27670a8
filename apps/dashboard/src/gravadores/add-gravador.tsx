import { Loader } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ResultadoCanal, resultadoCadastroSchema, resultadoCanalSchema } from '@vigia/contracts/gravadores'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CameraDialog } from '../cameras/camera-dialog.tsx'
import { useForm } from '../cameras/use-form.ts'
import { useOwner } from '../cameras/use-owner.ts'
import { useAnnounce } from '../painel/announcer.tsx'
import { useServices } from '../services.ts'
import { ChannelChoice } from './channel-choice.tsx'
import { GravadorFields } from './gravador-fields.tsx'
import {
  camposGravador,
  checkGravador,
  discoveryOf,
  emptyGravador,
  newChannels,
  type ProblemaGravador,
  registrationOf,
} from './gravador-form.ts'

/** Two steps: the edge discovers the canais of the gravador, then the chosen canais become cameras. */
export function AddGravador({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const { api, queries } = useServices()
  const announce = useAnnounce()
  const owner = useOwner()
  const [found, setFound] = useState<readonly ResultadoCanal[] | null>(null)
  const [chosen, setChosen] = useState<readonly number[]>([])
  const fields = useForm(
    camposGravador,
    () => emptyGravador(owner.initial),
    (problem: ProblemaGravador) => t(`gravadores.${problem}`),
  )
  const form = { ...fields.form, empresa_id: fields.form.empresa_id || owner.obvious }
  const field: typeof fields.field = (name) => ({ ...fields.field(name), value: form[name] })

  const discovery = useMutation({
    async mutationFn() {
      const empresa_id = await owner.settle(form, fields.change)
      const body = discoveryOf({ ...form, empresa_id })
      return api.send('POST', '/gravadores/descobrir', body, resultadoCanalSchema.array())
    },
    onSuccess(canais) {
      setFound(canais)
      setChosen(newChannels(canais))
    },
    onError: fields.refuse,
  })
  const registration = useMutation({
    mutationFn: () => api.send('POST', '/gravadores/cadastrar', registrationOf(form, chosen), resultadoCadastroSchema),
    onSuccess({ cameras_criadas }) {
      void queries.invalidateQueries({ queryKey: ['cameras'] })
      announce(t('gravadores.anuncio', { count: cameras_criadas }))
      onClose()
    },
    onError: fields.refuse,
  })
  const submit = () => {
    if (found && chosen.length === 0) setFound(null)
    else if (found) registration.mutate()
    else if (fields.accept(checkGravador(form, { needsEmpresa: owner.operator }))) discovery.mutate()
  }
  const submitText = () => {
    if (!found) return t('gravadores.procurar')
    return chosen.length === 0 ? t('gravadores.voltar') : t('gravadores.adicionar', { count: chosen.length })
  }
  return (
    <CameraDialog
      title={t('gravadores.titulo')}
      submit={submitText()}
      busy={discovery.isPending || registration.isPending}
      failure={fields.failure}
      onClose={onClose}
      onSubmit={submit}
    >
      {found ? (
        <ChannelChoice canais={found} chosen={chosen} onChoose={setChosen} field={field} />
      ) : (
        <GravadorFields
          ref={fields.fields}
          field={field}
          onChange={fields.change}
          owner={{ empresas: owner.empresas, mayCreate: owner.operator }}
        />
      )}
      {discovery.isPending && (
        <p role="status">
          <Loader size={16} aria-hidden="true" /> {t('gravadores.procurando', { count: Number(form.num_canais) })}
        </p>
      )}
    </CameraDialog>
  )
}
