import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ownAddress } from '../../api/base-path.ts'
import { useServices } from '../../session/services.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { formErrors } from '../../ui/form-errors.ts'

/** Asks before the demonstration is deleted with everything in it. */
export function EndDemonstration({ id, onClose }: { id: number; onClose: () => void }) {
  const { t } = useTranslation()
  const { api } = useServices()
  const end = useMutation({
    mutationFn: () => api.order(`/empresas/${id}/encerrar-demonstracao`),
    // A new page: caches, the stream and the address of this one refer to deleted alerts.
    onSuccess: () => location.assign(ownAddress('/')),
  })
  return (
    <Dialog
      danger
      title={t('painel.demonstracao.encerrar')}
      submit={t('painel.demonstracao.encerrar')}
      busy={end.isPending || end.isSuccess}
      failure={end.error ? formErrors(end.error, []).general : null}
      onClose={onClose}
      onSubmit={() => end.mutate()}
    >
      <p>{t('painel.demonstracao.confirmar')}</p>
    </Dialog>
  )
}
