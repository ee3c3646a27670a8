import { useMutation } from '@tanstack/react-query'
import { remetentesSchema, type TipoRemetente } from '@vigia/contracts/remetentes'
import { useTranslation } from 'react-i18next'
import { useServices } from '../../../session/services.ts'
import { useAnnounce } from '../../../ui/announcer.tsx'
import { Dialog } from '../../../ui/dialog.tsx'

/** Removes the stored settings of one sender. */
export function RemoveRemetente({ tipo, onClose }: { readonly tipo: TipoRemetente; readonly onClose: () => void }) {
  const { t } = useTranslation()
  const { api, queries } = useServices()
  const announce = useAnnounce()
  const nome = t(`remetentes.tipo.${tipo}`)
  const removal = useMutation({
    mutationFn: () => api.send('PATCH', '/remetentes', { [tipo]: null }, remetentesSchema),
    onSuccess() {
      void queries.invalidateQueries({ queryKey: ['remetentes'] })
      announce(t('remetentes.anuncio.apagado', { nome }))
      onClose()
    },
  })
  return (
    <Dialog
      title={t('remetentes.apagarRotulo', { nome })}
      submit={t('remetentes.apagar')}
      busy={removal.isPending}
      failure={removal.error?.message ?? null}
      onClose={onClose}
      onSubmit={() => removal.mutate()}
    >
      <p>{t('remetentes.apagarTexto', { nome })}</p>
    </Dialog>
  )
}
