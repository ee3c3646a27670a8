import { Switch } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCamera } from '../../../domains/locais/cameras/use-camera.tsx'
import { CardButton } from '../../../ui/card-buttons.tsx'
import classes from './camera.module.css'
import { EditCamera } from './edit-camera.tsx'
import { RemoveCamera } from './remove-camera.tsx'
import { useSwitchCamera } from './use-switch-camera.ts'

/** Switch, form and removal of the camera, for an administrador. */
export function CameraControls() {
  const { t } = useTranslation()
  const camera = useCamera()
  const [task, setTask] = useState<'edit' | 'remove' | null>(null)
  const { mutate, isPending, failure } = useSwitchCamera(camera)
  const onClose = () => setTask(null)
  return (
    <div className={classes.controls}>
      <Switch
        label={t('cameras.ativa')}
        checked={camera.ativa}
        disabled={isPending}
        error={failure}
        onChange={(event) => mutate(event.currentTarget.checked)}
      />
      <CardButton icon={IconPencil} label={t('cameras.formulario.editarTitulo')} onClick={() => setTask('edit')}>
        {t('cameras.editar')}
      </CardButton>
      <CardButton icon={IconTrash} label={t('cameras.remocao.titulo')} onClick={() => setTask('remove')}>
        {t('cameras.remover')}
      </CardButton>
      {task === 'edit' && <EditCamera camera={camera} onClose={onClose} />}
      {task === 'remove' && <RemoveCamera camera={camera} onClose={onClose} />}
    </div>
  )
}
