import { ActionIcon } from '@mantine/core'
import { IconVolume, IconVolume3, IconVolumeOff } from '@tabler/icons-react'
import { useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { useServices } from '../../session/services.ts'

/** Switch for the sound of new confirmed alerts: off by default, stored in the browser. */
export function SoundSwitch() {
  const { t } = useTranslation()
  const { sound } = useServices()
  const state = useSyncExternalStore(sound.subscribe, sound.state)
  const label = {
    desligado: t('painel.somLigar'),
    ligado: t('painel.somDesligar'),
    bloqueado: t('painel.somLiberar'),
  }[state]
  return (
    <ActionIcon
      variant={state === 'ligado' ? 'light' : 'subtle'}
      color={state === 'desligado' ? 'gray' : state === 'ligado' ? 'vigia' : 'yellow'}
      size={40}
      aria-label={label}
      title={label}
      onClick={sound.toggle}
    >
      {state === 'desligado' && <IconVolumeOff size={20} />}
      {state === 'ligado' && <IconVolume size={20} />}
      {state === 'bloqueado' && <IconVolume3 size={20} />}
    </ActionIcon>
  )
}
