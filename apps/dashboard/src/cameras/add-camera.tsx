import { useMutation, useQuery } from '@tanstack/react-query'
import { useRouteContext, useSearch } from '@tanstack/react-router'
import { type Camera, cameraSchema } from '@vigia/contracts/cameras'
import type { Empresa } from '@vigia/contracts/empresas'
import { useTranslation } from 'react-i18next'
import { empresasQuery } from '../api/queries.ts'
import { useAnnounce } from '../painel/announcer.tsx'
import { useServices } from '../services.ts'
import { CameraDialog } from './camera-dialog.tsx'
import { CameraFields } from './camera-fields.tsx'
import { checkForm, creationOf, emptyForm, NOVA_EMPRESA } from './camera-form.ts'
import { createEmpresa } from './create-empresa.ts'
import { useCameraForm } from './use-camera-form.ts'

/** The form of a new camera; the operator, who belongs to no Empresa, also says whose it is. */
export function AddCamera({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const { api, queries } = useServices()
  const announce = useAnnounce()
  const { me } = useRouteContext({ from: '/painel' })
  const { empresa } = useSearch({ from: '/painel' })
  const { data: empresas } = useQuery(empresasQuery(api))
  const operator = me.empresa_id === null
  const fields = useCameraForm(() => emptyForm(empresa ?? me.empresa_id))
  const form = { ...fields.form, empresa_id: fields.form.empresa_id || obviousEmpresa(operator ? empresas : undefined) }

  const creation = useMutation({
    async mutationFn(): Promise<Camera> {
      let owner = form.empresa_id
      if (owner === NOVA_EMPRESA) {
        owner = String((await createEmpresa(api, form.empresa_nome)).id)
        await queries.invalidateQueries({ queryKey: ['empresas'] })
        // Should the camera be refused, the next attempt must not create the Empresa again.
        fields.change('empresa_id', owner)
      }
      return api.send('POST', '/cameras', creationOf({ ...form, empresa_id: owner }), cameraSchema)
    },
    onSuccess(camera) {
      void queries.invalidateQueries({ queryKey: ['cameras'] })
      announce(t('cameras.anuncio.criada', { nome: camera.nome }))
      onClose()
    },
    onError: fields.refuse,
  })
  return (
    <CameraDialog
      title={t('cameras.formulario.adicionarTitulo')}
      submit={t('cameras.formulario.adicionar')}
      busy={creation.isPending}
      failure={fields.failure}
      onClose={onClose}
      onSubmit={() => fields.accept(checkForm(form, { needsEmpresa: operator })) && creation.mutate()}
    >
      <CameraFields
        ref={fields.fields}
        form={form}
        errors={fields.errors}
        onChange={fields.change}
        creation={{ empresas: empresas ?? [], mayCreateEmpresa: operator }}
      />
    </CameraDialog>
  )
}

/** The operator's first camera needs its first Empresa; the only one there is chooses itself. */
function obviousEmpresa(empresas: readonly Empresa[] | undefined): string {
  if (empresas?.length === 0) return NOVA_EMPRESA
  return empresas?.length === 1 ? String(empresas[0]?.id) : ''
}
