import { Loader } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ResultadoCanal, resultadoCadastroSchema, resultadoCanalSchema } from '@vigia/contracts/gravadores'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useOwner } from '../cameras/use-owner.ts'
import { useAnnounce } from '../painel/announcer.tsx'
import { FormDialog } from '../painel/form-dialog.tsx'
import { useApiForm } from '../painel/use-api-form.ts'
import { useServices } from '../services.ts'
import { ChannelChoice } from './channel-choice.tsx'
import { GravadorFields } from './gravador-fields.tsx'
import {
  checkGravador,
  discoveryOf,
  emptyGravador,
  type FormularioGravador,
  newChannels,
  registrationOf,
} from './gravador-form.ts'

/** Two steps: the edge discovers the canais of the gravador, then the chosen canais become cameras. */
export function AddGravador({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const { api, queries } = useServices()
  const announce = useAnnounce()
  const owner = useOwner({ creates: true })
  const [found, setFound] = useState<readonly ResultadoCanal[] | null>(null)
  const [chosen, setChosen] = useState<readonly number[]>([])
  const form = useApiForm({
    initial: emptyGravador,
    check: (values) => checkGravador(values, { needsEmpresa: owner.operator }),
    sentence: (problem) => t(`gravadores.${problem}`),
  })

  const discovery = useMutation({
    async mutationFn(values: FormularioGravador) {
      const empresa_id = await owner.settle(form)
      const body = discoveryOf({ ...values, empresa_id })
      return api.send('POST', '/gravadores/descobrir', body, resultadoCanalSchema.array())
    },
    onSuccess(canais) {
      setFound(canais)
      setChosen(newChannels(canais))
    },
    onError: form.refuse,
  })
  const registration = useMutation({
    mutationFn: (values: FormularioGravador) =>
      api.send('POST', '/gravadores/cadastrar', registrationOf(values, chosen), resultadoCadastroSchema),
    onSuccess({ cameras_criadas }) {
      void queries.invalidateQueries({ queryKey: ['cameras'] })
      announce(t('gravadores.anuncio', { count: cameras_criadas }))
      onClose()
    },
    onError: form.refuse,
  })
  const submit = (values: FormularioGravador) => {
    if (!found) discovery.mutate(values)
    else if (chosen.length === 0) setFound(null)
    else registration.mutate(values)
  }
  const submitText = () => {
    if (!found) return t('gravadores.procurar')
    return chosen.length === 0 ? t('gravadores.voltar') : t('gravadores.adicionar', { count: chosen.length })
  }
  return (
    <FormDialog
      title={t('gravadores.titulo')}
      submit={submitText()}
      busy={discovery.isPending || registration.isPending}
      form={form}
      onClose={onClose}
      onSubmit={submit}
    >
      {found ? (
        <ChannelChoice canais={found} chosen={chosen} onChoose={setChosen} field={form.field} />
      ) : (
        <GravadorFields form={form} owner={owner} />
      )}
      {discovery.isPending && (
        <p role="status">
          <Loader size={16} aria-hidden="true" />{' '}
          {t('gravadores.procurando', { count: Number(form.values.num_canais) })}
        </p>
      )}
    </FormDialog>
  )
}
