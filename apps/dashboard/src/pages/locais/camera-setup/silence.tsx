import { Button } from '@mantine/core'
import { IconBell, IconBellOff } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { type Camera, cameraSchema } from '@vigia/contracts/cameras'
import { useTranslation } from 'react-i18next'
import { formatClock } from '../../../base/tempo/format-time.ts'
import { useNow } from '../../../base/tempo/use-now.ts'
import { putCamera } from '../../../domains/locais/cameras/put-camera.ts'
import { useMayWork } from '../../../domains/locais/cameras/use-camera.tsx'
import { useServices } from '../../../session/services.ts'
import { useEmpresa } from '../../../session/use-empresa.ts'
import { useAnnounce } from '../../../ui/announcer.tsx'
import { formErrors } from '../../../ui/form-errors.ts'
import classes from './camera.module.css'

/** Length of a silence, minutes. */
const MINUTES = 15

/** The silence of a camera with its author and end, and the button that starts or ends it. */
export function Silence({ camera }: { camera: Camera }) {
  const { t } = useTranslation()
  const { api, queries } = useServices()
  const announce = useAnnounce()
  const mayWork = useMayWork()
  const { fuso } = useEmpresa(camera.empresa_id)
  const now = useNow()
  // The cloud sends no message when a silence ends by itself.
  const silencio = camera.silencio && Date.parse(camera.silencio.ate) > now ? camera.silencio : null
  const change = useMutation({
    mutationFn: (minutos: number) => api.send('POST', `/cameras/${camera.id}/silenciar`, { minutos }, cameraSchema),
    onSuccess(saved) {
      putCamera(queries, saved)
      announce(t(saved.silencio ? 'camera.silencio.feita' : 'camera.silencio.encerrada', { nome: saved.nome }))
    },
  })
  return (
    <div className={classes.silence}>
      {silencio && (
        <p className={classes.silenced}>
          <IconBellOff size={17} aria-hidden="true" />
          <span>{t('camera.silencio.silenciada', { hora: formatClock(silencio.ate, fuso), por: silencio.por })}</span>
        </p>
      )}
      {mayWork && (silencio !== null || camera.ativa) && (
        <Button
          variant="default"
          size="sm"
          title={t('camera.silencio.ajuda')}
          leftSection={silencio ? <IconBell size={17} /> : <IconBellOff size={17} />}
          loading={change.isPending}
          onClick={() => change.mutate(silencio ? 0 : MINUTES)}
        >
          {silencio ? t('camera.silencio.encerrar') : t('camera.silencio.silenciar', { count: MINUTES })}
        </Button>
      )}
      {change.error && (
        <p className={classes.warn} role="alert">
          {formErrors(change.error, []).general}
        </p>
      )}
    </div>
  )
}
