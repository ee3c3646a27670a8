import { useMutation } from '@tanstack/react-query'
import { type CanalNotificacao, testeCanalSchema } from '@vigia/contracts/notificacoes'
import { useTranslation } from 'react-i18next'
import { useServices } from '../../../session/services.ts'
import { CardAlarm, CardFacts } from '../../../ui/card.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import classes from './canais.module.css'
import { destinosOf } from './canal-form.ts'
import { nameOfCanal } from './canal-name.ts'

/** Sends a test message to a canal when the person asks for it, and shows what became of it. */
export function TestCanal({ canal, onClose }: { readonly canal: CanalNotificacao; readonly onClose: () => void }) {
  const { t } = useTranslation()
  const { api } = useServices()
  const test = useMutation({
    mutationFn: () => api.send('POST', `/notificacoes/${canal.id}/teste`, undefined, testeCanalSchema),
  })
  return (
    <Dialog
      title={t('canais.teste.rotulo', { nome: nameOfCanal(t, canal) })}
      submit={t('canais.teste.botao')}
      busy={test.isPending}
      failure={test.error?.message ?? null}
      onClose={onClose}
      onSubmit={() => test.mutate()}
    >
      <p>{t('canais.teste.ajuda')}</p>
      <ul className={classes.destinos} translate="no">
        {destinosOf(canal).map((destino) => (
          <li key={destino}>{destino}</li>
        ))}
      </ul>
      <div role="status">
        {test.data?.ok && <CardFacts>{t('canais.teste.enviado')}</CardFacts>}
        {test.data?.ok === false && test.data.erros.map((erro) => <CardAlarm key={erro}>{erro}</CardAlarm>)}
        {test.data?.avisos.map((aviso) => (
          <CardFacts key={aviso}>{aviso}</CardFacts>
        ))}
      </div>
    </Dialog>
  )
}
