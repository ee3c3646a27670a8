import { Outlet, useRouteContext } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ownAddress } from '../../api/base-path.ts'
import { Logo } from '../../ui/logo.tsx'
import header from './header.module.css'
import classes from './painel.module.css'

/** The frame for a login that must turn on its second factor: the cloud refuses its other requests. */
export function EnrolFrame() {
  const { t } = useTranslation()
  const { me } = useRouteContext({ from: '/painel' })
  return (
    <div className={classes.frame}>
      <header className={header.header}>
        <span className={header.brand}>
          <Logo />
          <span>Vigia</span>
        </span>
        <div className={header.who}>
          <span className={header.user}>
            <span className={header.username}>{me.username}</span>
            {me.empresa_nome !== null && <span className={header.role}>{me.empresa_nome}</span>}
          </span>
          <a href={ownAddress('/logout')} className={header.logout}>
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
