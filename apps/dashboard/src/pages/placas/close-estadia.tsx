import { useMutation } from '@tanstack/react-query'
import type { Presenca } from '@vigia/contracts/presencas'
import { useTranslation } from 'react-i18next'
import { useServices } from '../../session/services.ts'
import { useAnnounce } from '../../ui/announcer.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { formErrors } from '../../ui/form-errors.ts'

/** Asks before a stay is closed by hand, and closes it. */
export function CloseEstadia({ presenca: { placa, entrada }, onClose }: { presenca: Presenca; onClose: () => void }) {
  const { t } = useTranslation()
  const { api, queries } = useServices()
  const announce = useAnnounce()
  const closing = useMutation({
    mutationFn: () => api.order(`/passagens/${entrada.passagem_id}/saida`),
    onSuccess() {
      void queries.invalidateQueries({ queryKey: ['passagens', 'presentes'] })
      announce(t('placas.presentes.feito', { placa }))
      onClose()
    },
  })
  return (
    <Dialog
      danger
      title={t('placas.presentes.confirmar')}
      submit={t('placas.presentes.saiu')}
      busy={closing.isPending}
      failure={closing.error ? formErrors(closing.error, []).general : null}
      onClose={onClose}
      onSubmit={() => closing.mutate()}
    >
      <p>{t('placas.presentes.texto', { placa })}</p>
    </Dialog>
  )
}
