import { useMutation } from '@tanstack/react-query'
import { type Papel, type Usuario, usuarioSchema } from '@vigia/contracts/usuarios'
import { useTranslation } from 'react-i18next'
import { useServices } from '../../../session/services.ts'
import { useAnnounce } from '../../../ui/announcer.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { formErrors } from '../../../ui/form-errors.ts'
import type { Acao } from './actions.ts'

export type Change = { readonly acao: Acao } | { readonly acao: 'papel'; readonly papel: Papel }

interface ConfirmActionProps {
  readonly usuario: Usuario
  readonly change: Change
  readonly onClose: () => void
}

/** Confirmation of an action on a login, with its consequence. */
export function ConfirmAction({ usuario: { id, username: nome }, change, onClose }: ConfirmActionProps) {
  const { t } = useTranslation()
  const { api, queries } = useServices()
  const announce = useAnnounce()
  const { acao } = change
  const work = useMutation({
    async mutationFn() {
      const path = `/usuarios/${id}`
      if (change.acao === 'papel') return void (await api.send('PATCH', path, { papel: change.papel }, usuarioSchema))
      if (acao === 'remover') return api.remove(path)
      if (acao === 'redefinir') return api.remove(`${path}/segundo-fator`)
      await api.send('PATCH', path, { ativo: acao === 'ativar' }, usuarioSchema)
    },
    onSuccess() {
      void queries.invalidateQueries({ queryKey: ['usuarios'] })
      announce(t(acao === 'remover' ? 'pessoas.removido' : 'pessoas.feito', { nome }))
      onClose()
    },
  })
  const papel = change.acao === 'papel' ? t(`convites.pagina.papel.${change.papel}`) : ''
  return (
    <Dialog
      danger
      title={t(`pessoas.confirmacao.${acao}.titulo`)}
      submit={t(`pessoas.confirmacao.${acao}.confirmar`)}
      busy={work.isPending}
      failure={work.error ? formErrors(work.error, []).general : null}
      onClose={onClose}
      onSubmit={() => work.mutate()}
    >
      <p>{t(`pessoas.confirmacao.${acao}.texto`, { nome, papel })}</p>
    </Dialog>
  )
}
