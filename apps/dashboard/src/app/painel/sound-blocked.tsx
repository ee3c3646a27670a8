import { Button } from '@mantine/core'
import { IconVolume3 } from '@tabler/icons-react'
import { useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { useServices } from '../../session/services.ts'
import classes from './sound-blocked.module.css'

/** Shown while the alarm is switched on and the browser lets it play only after an interaction. */
export function SoundBlocked() {
  const { t } = useTranslation()
  const { sound } = useServices()
  const state = useSyncExternalStore(sound.subscribe, sound.state)
  if (state !== 'bloqueado') return null
  return (
    <Button
      className={classes.blocked}
      color="yellow"
      autoContrast
      fullWidth
      size="lg"
      leftSection={<IconVolume3 size={22} aria-hidden="true" />}
      onClick={sound.toggle}
    >
      {t('painel.somBloqueado')}
    </Button>
  )
}
