import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { Camera } from '@vigia/contracts/cameras'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useServices } from '../../../session/services.ts'
import { useAnnounce } from '../../../ui/announcer.tsx'
import { formErrors } from '../../../ui/form-errors.ts'
import classes from './live-view.module.css'

/** Button that makes the edge open the stream of the camera again. */
export function RestartCamera({ camera, onDone }: { camera: Camera; onDone: () => void }) {
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
