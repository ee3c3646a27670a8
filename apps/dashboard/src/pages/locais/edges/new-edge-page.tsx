import { Alert, Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { codigoSchema, edgeSchema } from '@vigia/contracts/edges'
import type { FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { OwnerFields } from '../../../domains/locais/cameras/owner-fields.tsx'
import { useOwner } from '../../../domains/locais/cameras/use-owner.ts'
import { useServices } from '../../../session/services.ts'
import { usePageTitle } from '../../../session/use-page-title.ts'
import { useAnnounce } from '../../../ui/announcer.tsx'
import { DialogButtons } from '../../../ui/dialog.tsx'
import { Fields } from '../../../ui/fields.tsx'
import { useFocusInvalid } from '../../../ui/use-focus-invalid.ts'
import { ActivationProgress } from './activation-progress.tsx'
import { ActivationSteps } from './activation-steps.tsx'
import { edgeCreationOf, emptyEdge, type FormularioEdge } from './edge-form.ts'
import classes from './new-edge.module.css'
import { useEdgeForm } from './use-edge-form.ts'

const criadaSchema = edgeSchema.extend(codigoSchema.shape)

/** Two steps: the name of the edge, then its activation code, which is shown only once, and its progress. */
export function NewEdgePage() {
  const { t } = useTranslation()
  const { api, queries } = useServices()
  const announce = useAnnounce()
  const navigate = useNavigate()
  const owner = useOwner({ creates: true })
  const form = useEdgeForm(emptyEdge, { needsEmpresa: true })
  const fields = useFocusInvalid<HTMLDivElement>(form.refusals)
  const creation = useMutation({
    async mutationFn(values: FormularioEdge) {
      const empresa_id = await owner.settle(form)
      return api.send('POST', '/edges', edgeCreationOf({ ...values, empresa_id }), criadaSchema)
    },
    onSuccess({ nome }) {
      void queries.invalidateQueries({ queryKey: ['edges'] })
      announce(t('caixas.anuncio.criada', { nome }))
    },
    onError: form.refuse,
    // The cache must not keep the code after the page closes.
    gcTime: 0,
  })
  usePageTitle(t('caixas.formulario.adicionarTitulo'))

  const { data } = creation
  if (data)
    return (
      <div className={classes.page}>
        <h1>{t('caixas.codigo.titulo', { nome: data.nome })}</h1>
        <ActivationProgress edgeId={data.id} />
        <ActivationSteps codigo={data} replaces={false} />
      </div>
    )
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (!creation.isPending) form.submit(creation.mutate)
  }
  return (
    <form className={classes.page} onSubmit={send} noValidate autoComplete="off">
      <h1>{t('caixas.formulario.adicionarTitulo')}</h1>
      {form.failure && (
        <Alert color="red" variant="light" role="alert" mb="md">
          {form.failure}
        </Alert>
      )}
      <Fields ref={fields}>
        <OwnerFields owner={owner} form={form} />
        <TextInput
          label={t('caixas.formulario.nome')}
          placeholder={t('caixas.formulario.nomeExemplo')}
          maxLength={200}
          autoComplete="off"
          {...form.field('nome')}
        />
      </Fields>
      <DialogButtons>
        <Button variant="default" onClick={() => void navigate({ to: '/caixas' })}>
          {t('comum.cancelar')}
        </Button>
        <Button type="submit" loading={creation.isPending}>
          {t('caixas.formulario.adicionar')}
        </Button>
      </DialogButtons>
    </form>
  )
}
