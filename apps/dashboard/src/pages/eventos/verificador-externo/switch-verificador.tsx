import { useMutation } from '@tanstack/react-query'
import { type UsoVerificadorExterno, usoVerificadorExternoSchema } from '@vigia/contracts/verificador-externo'
import { useTranslation } from 'react-i18next'
import { useServices } from '../../../session/services.ts'
import { useAnnounce } from '../../../ui/announcer.tsx'
import { Dialog } from '../../../ui/dialog.tsx'

interface SwitchVerificadorProps {
  readonly uso: UsoVerificadorExterno
  readonly servidor: string
  readonly on: boolean
  readonly onClose: () => void
}

/** Asks before pictures of an Empresa leave the installation, or stop leaving it. */
export function SwitchVerificador({ uso: { empresa_id, nome }, servidor, on, onClose }: SwitchVerificadorProps) {
  const { t } = useTranslation()
  const { api, queries } = useServices()
  const announce = useAnnounce()
  const change = useMutation({
    mutationFn: () =>
      api.send('PATCH', `/verificador-externo/${empresa_id}`, { ativo: on }, usoVerificadorExternoSchema),
    onSuccess() {
      void queries.invalidateQueries({ queryKey: ['verificador-externo'] })
      announce(t(on ? 'verificadorExterno.anuncio.ligado' : 'verificadorExterno.anuncio.desligado', { nome }))
      onClose()
    },
  })
  return (
    <Dialog
      title={t(on ? 'verificadorExterno.ligarTitulo' : 'verificadorExterno.desligarTitulo')}
      submit={t(on ? 'verificadorExterno.ligar' : 'verificadorExterno.desligar')}
      busy={change.isPending}
      failure={change.error?.message ?? null}
      onClose={onClose}
      onSubmit={() => change.mutate()}
    >
      <h3>
        <bdi>{nome}</bdi>
      </h3>
      <p>{on ? t('verificadorExterno.lgpd', { servidor }) : t('verificadorExterno.desligarTexto', { nome })}</p>
    </Dialog>
  )
}
