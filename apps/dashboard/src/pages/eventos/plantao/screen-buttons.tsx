import { ActionIcon } from '@mantine/core'
import { IconKeyboard, IconMaximize, IconMinimize } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { toggleFullScreen, useFullScreen } from '../../../ui/use-full-screen.ts'

export function ScreenButtons({ onHelp }: { onHelp: () => void }) {
  const { t } = useTranslation()
  const isFull = useFullScreen()
  const screen = t(isFull ? 'plantao.tela.sair' : 'plantao.tela.cheia')
  const help = t('plantao.tela.atalhos')
  return (
    <div style={{ display: 'flex', gap: '0.25rem' }}>
      <ActionIcon variant="subtle" color="gray" size={40} aria-label={help} title={help} onClick={onHelp}>
        <IconKeyboard size={20} />
      </ActionIcon>
      <ActionIcon variant="subtle" color="gray" size={40} aria-label={screen} title={screen} onClick={toggleFullScreen}>
        {isFull ? <IconMinimize size={20} /> : <IconMaximize size={20} />}
      </ActionIcon>
    </div>
  )
}
