import { useMutation } from '@tanstack/react-query'
import type { Autorizacao } from '@vigia/contracts/autorizacoes'
import { useTranslation } from 'react-i18next'
import { formErrors } from '../api/form-errors.ts'
import { CameraDialog } from '../cameras/camera-dialog.tsx'
import dialogs from '../edges/edge-dialogs.module.css'
import { useAnnounce } from '../painel/announcer.tsx'
import { useServices } from '../services.ts'

export function TakeBack({ autorizacao, onClose }: { autorizacao: Autorizacao; onClose: () => void }) {
  const { t } = useTranslation()
  const { api, queries } = useServices()
  const announce = useAnnounce()
  const { id, username } = autorizacao
  const nome = autorizacao.cliente_nome ?? t('agentes.semNome')
  const revocation = useMutation({
    mutationFn: () => api.remove(`/autorizacoes/${id}`),
    onSuccess() {
      queries.setQueriesData<Autorizacao[]>({ queryKey: ['autorizacoes'] }, (list) =>
        list?.filter((one) => one.id !== id),
      )
      announce(t('agentes.anuncio', { nome }))
      onClose()
    },
  })
  return (
    <CameraDialog
      danger
      title={t('agentes.retirada.titulo')}
      submit={t('agentes.retirada.confirmar')}
      busy={revocation.isPending}
      failure={revocation.error ? formErrors(revocation.error, []).general : null}
      onClose={onClose}
      onSubmit={() => revocation.mutate()}
    >
      <div className={dialogs.text}>
        <p>{t('agentes.retirada.texto', { nome, username })}</p>
        <p>{t('agentes.retirada.volta')}</p>
      </div>
    </CameraDialog>
  )
}
