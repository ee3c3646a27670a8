import { useMutation } from '@tanstack/react-query'
import { codigoSchema, type Edge } from '@vigia/contracts/edges'
import { useTranslation } from 'react-i18next'
import { formErrors } from '../api/form-errors.ts'
import { CameraDialog } from '../cameras/camera-dialog.tsx'
import { useAnnounce } from '../painel/announcer.tsx'
import { useServices } from '../services.ts'
import { ActivationCode } from './activation-code.tsx'
import classes from './box-dialogs.module.css'

/** A new code for a box: for another box that takes its place, or for one that was never activated. */
export function ReplaceBox({ caixa, onClose }: { caixa: Edge; onClose: () => void }) {
  const { t } = useTranslation()
  const { api, queries } = useServices()
  const announce = useAnnounce()
  const replaces = caixa.status !== 'aguardando'
  const renewal = useMutation({
    mutationFn: () => api.send('POST', `/edges/${caixa.id}/codigo`, undefined, codigoSchema),
    onSuccess() {
      void queries.invalidateQueries({ queryKey: ['caixas'] })
      announce(t('caixas.anuncio.codigo'))
    },
    // The code is to be forgotten with the dialog.
    gcTime: 0,
  })
  if (renewal.data)
    return <ActivationCode nome={caixa.nome} codigo={renewal.data} replaces={replaces} onClose={onClose} />
  return (
    <CameraDialog
      title={t(replaces ? 'caixas.troca.titulo' : 'caixas.novoCodigo')}
      submit={t('caixas.troca.confirmar')}
      busy={renewal.isPending}
      failure={renewal.error ? formErrors(renewal.error, []).general : null}
      onClose={onClose}
      onSubmit={() => renewal.mutate()}
    >
      {replaces ? (
        <div className={classes.text}>
          <p>{t('caixas.troca.texto', { nome: caixa.nome })}</p>
          <ul>
            <li>{t('caixas.troca.assume')}</li>
            <li>{t('caixas.troca.antiga')}</li>
            <li>
              {t('caixas.troca.fila')} {caixa.fila ? t('caixas.troca.filaAgora', { count: caixa.fila }) : null}
            </li>
          </ul>
        </div>
      ) : (
        <p>{t('caixas.troca.novo', { nome: caixa.nome })}</p>
      )}
    </CameraDialog>
  )
}
