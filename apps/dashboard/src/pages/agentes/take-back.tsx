import type { Autorizacao } from '@vigia/contracts/autorizacoes'
import { useTranslation } from 'react-i18next'
import { ConfirmRemoval } from '../../session/confirm-removal.tsx'
import { useServices } from '../../session/services.ts'
import { DialogText } from '../../ui/dialog.tsx'

export function TakeBack({ autorizacao, onClose }: { autorizacao: Autorizacao; onClose: () => void }) {
  const { t } = useTranslation()
  const { queries } = useServices()
  const { id, username } = autorizacao
  const nome = autorizacao.cliente_nome ?? t('agentes.semNome')
  return (
    <ConfirmRemoval
      title={t('agentes.retirada.titulo')}
      submit={t('agentes.retirada.confirmar')}
      path={`/autorizacoes/${id}`}
      announcement={t('agentes.anuncio', { nome })}
      onRemoved={() =>
        queries.setQueriesData<Autorizacao[]>({ queryKey: ['autorizacoes'] }, (list) =>
          list?.filter((one) => one.id !== id),
        )
      }
      onClose={onClose}
    >
      <DialogText>
        <p>{t('agentes.retirada.texto', { nome, username })}</p>
        <p>{t('agentes.retirada.volta')}</p>
      </DialogText>
    </ConfirmRemoval>
  )
}
