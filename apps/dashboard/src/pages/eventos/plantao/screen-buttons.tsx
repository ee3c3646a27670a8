import { ActionIcon } from '@mantine/core'
import { IconKeyboard, IconLayoutGrid, IconMaximize, IconMinimize } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { toggleFullScreen, useFullScreen } from '../../../ui/use-full-screen.ts'
import classes from './screen-buttons.module.css'

/** To the mosaic, help and full screen. A screen in kiosk mode has no other way to the mosaic. */
export function ScreenButtons({ onHelp }: { onHelp: () => void }) {
  const { t } = useTranslation()
  const isFull = useFullScreen()
  const screen = t(isFull ? 'plantao.tela.sair' : 'plantao.tela.cheia')
  const help = t('plantao.tela.atalhos')
  return (
    <div className={classes.buttons}>
      <Link to="/mosaico" className={classes.mosaic} title={t('plantao.tela.mosaico')}>
        <IconLayoutGrid size={20} aria-hidden="true" /> {t('painel.mosaico')}
      </Link>
      <ActionIcon variant="subtle" color="gray" size={40} aria-label={help} title={help} onClick={onHelp}>
        <IconKeyboard size={20} />
      </ActionIcon>
      <ActionIcon variant="subtle" color="gray" size={40} aria-label={screen} title={screen} onClick={toggleFullScreen}>
        {isFull ? <IconMinimize size={20} /> : <IconMaximize size={20} />}
      </ActionIcon>
    </div>
  )
}
