import { Outlet } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import header from './header.module.css'
import { Logo } from './logo.tsx'
import classes from './painel.module.css'

/** The frame for a login that must turn on its second factor: the cloud refuses its other requests. */
export function EnrolFrame() {
  const { t } = useTranslation()
  return (
    <div className={classes.frame}>
      <header className={header.header}>
        <span className={header.brand}>
          <Logo />
          <span>Vigia</span>
        </span>
        <div className={header.side}>
          <a href="/logout" className={header.logout}>
            {t('painel.sair')}
          </a>
        </div>
      </header>
      <main id="conteudo" className={classes.main} tabIndex={-1}>
        <Outlet />
      </main>
    </div>
  )
}
