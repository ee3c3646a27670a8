import { Alert, Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { Camera } from '@vigia/contracts/cameras'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formErrors } from '../api/form-errors.ts'
import { useAnnounce } from '../painel/announcer.tsx'
import { InfoDialog } from '../painel/info-dialog.tsx'
import { useVisible } from '../painel/use-visible.ts'
import { useServices } from '../services.ts'
import { LivePicture } from './live-picture.tsx'
import classes from './live-view.module.css'

/**
 * Dialog with the live video of a camera. Each viewer uses the uplink of the site, so that a hidden page closes its
 * stream.
 */
export function LiveView({ camera, mayWrite, onClose }: { camera: Camera; mayWrite: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  const visible = useVisible()
  const [attempt, setAttempt] = useState(0)
  const [lost, setLost] = useState<string | null>(null)
  const again = () => {
    setLost(null)
    setAttempt((count) => count + 1)
  }

  const picture = (): ReactNode => {
    if (!camera.ativa) return <p className={classes.note}>{t('cameras.vivo.desligada')}</p>
    if (lost !== null)
      return (
        <div className={classes.note} role="alert">
          <p>{lost}</p>
          <Button variant="default" onClick={again}>
            {t('comum.tentarDeNovo')}
          </Button>
        </div>
      )
    if (!visible) return <p className={classes.note}>{t('cameras.vivo.pausado')}</p>
    return <LivePicture key={attempt} camera={camera} onLost={setLost} />
  }
  return (
    <InfoDialog title={t('cameras.vivo.titulo', { nome: camera.nome })} size="64rem" onClose={onClose}>
      {camera.status === 'offline' && lost === null && (
        <Alert color="red" variant="light" role="alert" mb="md">
          {[t('cameras.vivo.offline'), camera.status_detalhe].filter(Boolean).join(' ')}
        </Alert>
      )}
      <div className={classes.screen}>{picture()}</div>
      {mayWrite && camera.ativa && <Restart camera={camera} onDone={again} />}
    </InfoDialog>
  )
}

function Restart({ camera, onDone }: { camera: Camera; onDone: () => void }) {
  const { t } = useTranslation()
  const { api } = useServices()
  const announce = useAnnounce()
  const [done, setDone] = useState(false)
  const restart = useMutation({
    mutationFn: () => api.order(`/cameras/${camera.id}/reiniciar`),
    onMutate: () => setDone(false),
    onSuccess() {
      announce(t('cameras.reiniciar.feito', { nome: camera.nome }))
      setDone(true)
      onDone()
    },
  })
  return (
    <div className={classes.restart}>
      <Button
        variant="default"
        leftSection={<IconRefresh size={18} />}
        loading={restart.isPending}
        onClick={() => restart.mutate()}
      >
        {t('cameras.reiniciar.botao')}
      </Button>
      <p>{done ? t('cameras.reiniciar.feito', { nome: camera.nome }) : t('cameras.reiniciar.ajuda')}</p>
      {restart.error && (
        <p className={classes.failure} role="alert">
          {formErrors(restart.error, []).general}
        </p>
      )}
    </div>
  )
}
