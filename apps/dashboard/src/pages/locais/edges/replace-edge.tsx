import { useMutation } from '@tanstack/react-query'
import { codigoSchema, type Edge } from '@vigia/contracts/edges'
import { useTranslation } from 'react-i18next'
import { useServices } from '../../../session/services.ts'
import { useAnnounce } from '../../../ui/announcer.tsx'
import { Dialog, DialogText } from '../../../ui/dialog.tsx'
import { formErrors } from '../../../ui/form-errors.ts'
import { ActivationCode } from './activation-code.tsx'

/** Creates a new code for an edge: for its replacement, or for an edge that was never activated. */
export function ReplaceEdge({ edge, onClose }: { edge: Edge; onClose: () => void }) {
  const { t } = useTranslation()
  const { api, queries } = useServices()
  const announce = useAnnounce()
  const replaces = edge.status !== 'aguardando'
  const renewal = useMutation({
    mutationFn: () => api.send('POST', `/edges/${edge.id}/codigo`, undefined, codigoSchema),
    onSuccess() {
      void queries.invalidateQueries({ queryKey: ['edges'] })
      announce(t('caixas.anuncio.codigo'))
    },
    // The cache must not keep the code after the dialog closes.
    gcTime: 0,
  })
  if (renewal.data)
    return <ActivationCode nome={edge.nome} codigo={renewal.data} replaces={replaces} onClose={onClose} />
  return (
    <Dialog
      title={t(replaces ? 'caixas.troca.titulo' : 'caixas.novoCodigo')}
      submit={t('caixas.troca.confirmar')}
      busy={renewal.isPending}
      failure={renewal.error ? formErrors(renewal.error, []).general : null}
      onClose={onClose}
      onSubmit={() => renewal.mutate()}
    >
      {replaces ? (
        <DialogText>
          <p>{t('caixas.troca.texto', { nome: edge.nome })}</p>
          <ul>
            <li>{t('caixas.troca.assume')}</li>
            <li>{t('caixas.troca.antiga')}</li>
            <li>
              {t('caixas.troca.fila')} {edge.fila ? t('caixas.troca.filaAgora', { count: edge.fila }) : null}
            </li>
          </ul>
        </DialogText>
      ) : (
        <p>{t('caixas.troca.novo', { nome: edge.nome })}</p>
      )}
    </Dialog>
  )
}
